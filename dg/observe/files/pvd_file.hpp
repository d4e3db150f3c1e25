#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "dg/checkpoint/archive.hpp"

namespace maxwell_dg::dg {

/// NAME.pvd, which ties the files NAME_000000.vtu ... to times. It is replaced atomically with every entry: whenever a
/// run is killed, what is there opens.
class PvdFile {
 public:
  /// `name` also heads what is saved. `resumed`: what was saved, of a run that goes on; read at once.
  PvdFile(std::filesystem::path directory, std::string name, const Archive* resumed);

  /// Of the next entry.
  [[nodiscard]] std::filesystem::path next_file() const;
  /// That file is written. Throws OutputError.
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
