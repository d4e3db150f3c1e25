#include "dg/observe/files/pvd_file.hpp"

#include <array>
#include <cstdio>
#include <sstream>
#include <utility>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "dg/observe/files/csv_file.hpp"

namespace maxwell_dg::dg {

PvdFile::PvdFile(std::filesystem::path directory, std::string name, std::string extension, const Archive* resumed)
    : directory_(std::move(directory)), name_(std::move(name)), extension_(std::move(extension)) {
  if (resumed == nullptr || !resumed->has(name_ + ".times")) return;
  std::istringstream files(resumed->text(name_ + ".files"));
  for (const double time : resumed->reals(name_ + ".times")) {
    std::string file;
    std::getline(files, file);
    const std::string here = stem(entries_.size());
    if (file != here + ".vtu" && file != here + ".pvtu") {  // of one rank, of several
      throw ConfigError("the checkpoint's '" + name_ + ".files' names files of no run");
    }
    entries_.push_back({time, file});
  }
}

std::string PvdFile::stem(std::size_t entry) const {
  std::array<char, 16> number{};
  std::snprintf(number.data(), number.size(), "_%06zu", entry);
  return name_ + number.data();
}

void PvdFile::write() const {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
      "  <Collection>\n";
  for (const Entry& entry : entries_) {
    text += "    <DataSet timestep=\"" + shortest(entry.time) + "\" part=\"0\" file=\"" + entry.file + "\"/>\n";
  }
  text += "  </Collection>\n</VTKFile>\n";
  write_file_atomically(directory_ / (name_ + ".pvd"), text);
}

void PvdFile::save(Archive& archive) const {
  std::vector<double> times;
  std::string files;
  for (const Entry& entry : entries_) {
    times.push_back(entry.time);
    files += entry.file + "\n";
  }
  archive.put(name_ + ".times", std::move(times));
  archive.put_text(name_ + ".files", files);
}

}  // namespace maxwell_dg::dg
