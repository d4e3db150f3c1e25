#include "apps/kernel_files.hpp"

#include <algorithm>
#include <fstream>
#include <system_error>
#include <utility>

#include "core/atomic_file.hpp"
#include "core/device/idle_device.hpp"
#include "core/error.hpp"
#include "rtcg/source/dialect.hpp"

namespace maxwell_dg {

namespace fs = std::filesystem;

namespace {

constexpr const char* index_name = "kernels.txt";
constexpr const char* dialect_name = "dialect.h";
constexpr const char* lock_name = ".lock";

fs::path directory_at(fs::path directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (!fs::is_directory(directory)) {
    throw OutputError(directory.string() + ": cannot be made a directory for kernels: " +
                      (error ? error.message() : "it is no directory") + "; name another one");
  }
  return directory;
}

}  // namespace

KernelFiles::KernelFiles(fs::path directory) : directory_(directory_at(std::move(directory))), lock_(directory_) {
  remove_earlier();
}

void KernelFiles::remove_earlier() const {
  std::error_code error;
  const bool is_ours = fs::exists(directory_ / index_name, error);
  std::vector<fs::path> ours;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_, error)) {
    const std::string name = entry.path().filename().string();
    if (name == lock_name) continue;
    const bool may_be_ours = name == index_name || name == dialect_name || name.ends_with(".kernel");
    if (!is_ours || !may_be_ours || !entry.is_regular_file()) {
      throw OutputError(directory_.string() + ": --kernels takes an empty directory, a new one, or one that it wrote " +
                        "before, and does not know '" + name + "' in there; name another directory");
    }
    ours.push_back(entry.path());
  }
  if (!error) {
    for (const fs::path& file : ours) fs::remove(file, error);
  }
  if (error) throw OutputError(directory_.string() + ": " + error.message());
}

rtcg::Compiler KernelFiles::compiler_for(const core::Device& device) {
  write_file_atomically(directory_ / dialect_name, rtcg::dialect_preamble(device.info().backend));
  return rtcg::Compiler(core::idle_device(device),
                        {.instead_of_compiling = [this](const rtcg::KernelSource& source) { write(source); }});
}

void KernelFiles::write(const rtcg::KernelSource& source) {
  std::vector<std::string>& texts = written_[source.name];
  if (std::ranges::find(texts, source.text) != texts.end()) return;
  texts.push_back(source.text);
  fs::path name = fs::path(source.name).filename();
  if (texts.size() > 1) {  // of one name and another text: terms of a kind on other elements
    name = name.stem().string() + "_" + std::to_string(texts.size()) + name.extension().string();
  }
  write_file_atomically(directory_ / name, dg::kernel_listing(source, purpose_));
  std::string kernels;
  for (const std::string& kernel : dg::kernels_in(source)) kernels += (kernels.empty() ? "" : ", ") + kernel;
  const auto lines = std::ranges::count(source.text, '\n');
  index_ += name.string() + ": " + kernels + " (" + std::to_string(lines) + " lines)\n";
}

std::string KernelFiles::finish() {
  write_file_atomically(directory_ / index_name, index_);
  return index_;
}

}  // namespace maxwell_dg
