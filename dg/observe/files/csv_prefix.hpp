#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "dg/checkpoint/archive.hpp"

namespace maxwell_dg::dg {

/// The first bytes of a file of rows: what a checkpoint keeps of it, to tell later whether the file is still that one.
struct CsvPrefix {
  std::size_t bytes{};
  std::string sha256{};  ///< of these bytes; empty where it is not known: of pipes, and in checkpoints of old programs

  /// Puts it in as "NAME.bytes" and "NAME.sha256".
  void save(const std::string& name, Archive& archive) const;
  /// Throws ConfigError where there is none, or what can be none.
  [[nodiscard]] static CsvPrefix saved(const std::string& name, const Archive& archive);
  /// Why the file does not begin so, in words that follow its name; empty where it does, and for pipes and devices,
  /// which keep nothing. Reads these bytes of the file.
  [[nodiscard]] std::string objection(const std::filesystem::path& file) const;
};

}  // namespace maxwell_dg::dg
