#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "dg/checkpoint/archive.hpp"

namespace maxwell_dg::dg {

/// NAME.pvd, which lists the files NAME_000000.vtu ... with their times. Every new entry replaces it atomically, so
/// that it is valid at any time.
class PvdFile {
 public:
  /// `name` is also the prefix of the names in an archive. `resumed`: of a resumed run, what `save` stored; only read
  /// by the constructor.
  PvdFile(std::filesystem::path directory, std::string name, const Archive* resumed);

  /// The .vtu file of the next entry.
  [[nodiscard]] std::filesystem::path next_file() const;
  /// Adds the entry of that file, after it was written. Throws OutputError.
  void add(double time);
  void save(Archive& archive) const;
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    double time;  ///< in file units
    std::string file;
  };
  [[nodiscard]] std::string next_name() const;

  std::filesystem::path directory_;
  std::string name_;
  std::vector<Entry> entries_;
};

}  // namespace maxwell_dg::dg
