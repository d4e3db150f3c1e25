#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "apps/config/config.hpp"
#include "apps/config/yaml.hpp"
#include "dg/symbolic/expression.hpp"

namespace maxwell_dg::config {

/// What reading a config needs besides the values: where it is, what was found wrong, and what was read so far.
class Reader {
 public:
  explicit Reader(Config& config) : config_(config) {}

  /// The key path grows by a step while a Step lives.
  class Step {
   public:
    Step(Reader& reader, const std::string& name, const Place& place);
    ~Step();
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

   private:
    Reader& reader_;
    std::size_t length_;
  };

  /// Notes a finding at a place; of the present key, or of a key below it. Throws them all where there are more than
  /// anybody reads.
  void error(const Place& place, const std::string& message, const std::string& below = {});
  /// "found '12'; allowed: an integer from 1 to 9"
  void wrong(const Value& value, const std::string& allowed, const std::string& hint = {});
  /// The present key's number was written with its unit.
  void note_unit() { config_.with_unit.insert(path_); }
  [[nodiscard]] std::size_t errors() const { return findings_.size(); }
  static constexpr std::size_t most_findings = 100;
  /// Throws ConfigError when there are findings, in the order of the file.
  void throw_findings() const;

  [[nodiscard]] const Config& config() const { return config_; }
  /// The present key: "materials.0"; nothing at the top.
  [[nodiscard]] const std::string& path() const { return path_; }
  /// What an expression may name: constants read so far, and what else stands for something there.
  using Names = std::map<std::string, dg::symbolic::Expr>;
  [[nodiscard]] const Names& names(bool coordinates, bool time);
  /// Where a key path relative to the present one was written.
  [[nodiscard]] Place place_of(const std::string& below) const;

 private:
  struct Finding {
    Place place;
    std::string text;
  };

  Config& config_;
  std::string path_;
  std::vector<Finding> findings_;
  struct NamesSoFar {
    Names names;
    std::size_t constants{};  ///< of those read so far
  };
  std::map<std::pair<bool, bool>, NamesSoFar> names_;  ///< [coordinates, time]
};

}  // namespace maxwell_dg::config
