#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "dg/checkpoint/archive.hpp"

namespace maxwell_dg::dg {

/// NAME.pvd, which lists the files NAME_000000.vtu (or .pvtu) ... with their times. It is replaced atomically, so that
/// it is valid at any time.
class PvdFile {
 public:
  /// `name` is also the prefix of the names in an archive; `extension`: of new entries' files. `resumed`: of a resumed
  /// run, what `save` stored; only read by the constructor.
  PvdFile(std::filesystem::path directory, std::string name, std::string extension, const Archive* resumed);

  /// The name of an entry's file, without the extension.
  [[nodiscard]] std::string stem(std::size_t entry) const;
  /// Adds the next entry, whose file was written.
  void add(double time) { entries_.push_back({time, stem(entries_.size()) + extension_}); }
  /// Throws OutputError.
  void write() const;
  void save(Archive& archive) const;
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    double time;  ///< in file units
    std::string file;
  };
  std::filesystem::path directory_;
  std::string name_, extension_;
  std::vector<Entry> entries_;
};

}  // namespace maxwell_dg::dg
