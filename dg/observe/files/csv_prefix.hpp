#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "dg/checkpoint/archive.hpp"

namespace maxwell_dg::dg {

/// Identifies the first bytes of a CSV file. A checkpoint stores this to check later that the file is still the same.
struct CsvPrefix {
  std::size_t bytes{};
  std::string sha256{};  ///< of these bytes; empty if unknown: of pipes, and in checkpoints of old versions

  /// Stores it as "NAME.bytes" and "NAME.sha256".
  void save(const std::string& name, Archive& archive) const;
  /// What `save` stored. Throws ConfigError if it is missing or invalid.
  [[nodiscard]] static CsvPrefix saved(const std::string& name, const Archive& archive);
  /// Why the file does not begin with these bytes, in words that follow the file's name; empty if it does, and for
  /// pipes and devices, which cannot be checked. Reads these bytes of the file.
  [[nodiscard]] std::string objection(const std::filesystem::path& file) const;
};

}  // namespace maxwell_dg::dg
