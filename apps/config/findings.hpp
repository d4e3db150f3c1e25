#pragma once

#include <string>

#include "apps/config/config.hpp"
#include "core/error.hpp"

namespace maxwell_dg::config {

/// What several checks of a config against its mesh find, thrown together.
class Findings {
 public:
  explicit Findings(const Config& config) : config_(config) {}
  void add(const std::string& key, const std::string& message) {
    text_ += (text_.empty() ? "" : "\n") + config_.blame(key, message);
  }
  void throw_if_any() const {
    if (!text_.empty()) throw ConfigError(text_);
  }

 private:
  const Config& config_;
  std::string text_;
};

}  // namespace maxwell_dg::config
