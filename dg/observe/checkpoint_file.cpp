#include "dg/observe/checkpoint_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/atomic_file.hpp"
#include "core/digest.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "dg/hdf5/file.hpp"

namespace maxwell_dg::dg {
namespace {

namespace fs = std::filesystem;

constexpr const char* checkpoint_format = "maxwell_dg checkpoint";
constexpr int checkpoint_version = 2;  // since 2 states may be in the basis of the element ("q.basis")
constexpr int oldest_version = 1;
constexpr std::string_view prefix = "checkpoint_", suffix = ".h5";

void add_header(Sha256& digest, const std::string& name, const Archive::Array& array) {
  digest.add_field(name);
  digest.add_field(name_of(array.dtype));
  std::string shape;
  for (const std::size_t extent : array.shape) shape += std::to_string(extent) + " ";
  digest.add_field(shape);
}

void add_text(Sha256& digest, const std::string& name, const std::string& text) {
  digest.add_field(name);
  digest.add_field(text);
}

Archive read_verified(const hdf5::Reader& file) {
  if (!file.has_attribute("format") || file.text_attribute("format") != checkpoint_format) {
    throw DamagedCheckpoint("it is HDF5, but no checkpoint of this program");
  }
  if (const int version = file.integer_attribute("version"); version < oldest_version || version > checkpoint_version) {
    throw DamagedCheckpoint("its format version is " + std::to_string(version) + ", this program reads versions " +
                            std::to_string(oldest_version) + " to " + std::to_string(checkpoint_version));
  }
  Archive archive;
  Sha256 digest;
  const std::vector<hdf5::Reader::Dataset> datasets = file.datasets();
  for (const hdf5::Reader::Dataset& dataset : datasets) {
    if (dataset.is_text) continue;
    Archive::Array array{.dtype = dataset.dtype, .shape = dataset.shape};
    if (array.shape.empty()) throw DamagedCheckpoint(dataset.name + " has no extent");
    std::vector<std::byte> bytes(array.shape[0] * array.row_bytes());
    file.read(dataset.name, dataset.dtype, bytes);
    add_header(digest, dataset.name, array);
    digest.update(bytes);
    archive.put(dataset.name, array_of(dataset.dtype, dataset.shape, std::move(bytes)));
  }
  for (const hdf5::Reader::Dataset& dataset : datasets) {
    if (!dataset.is_text) continue;
    if (dataset.shape != std::vector<std::size_t>{1}) throw DamagedCheckpoint(dataset.name + " is not one text");
    const std::string text = file.read_strings(dataset.name).front();
    add_text(digest, dataset.name, text);
    archive.put_text(dataset.name, text);
  }
  if (digest.hex() != file.text_attribute("sha256")) throw DamagedCheckpoint("its content has another checksum");
  return archive;
}

}  // namespace

void write_checkpoint(const Archive& archive, const fs::path& path) {
  try {
    hdf5::Writer file(path.string());
    file.put_attribute("format", checkpoint_format);
    file.put_attribute("version", checkpoint_version);
    Sha256 digest;
    for (const auto& entry : archive.arrays()) {
      const Archive::Array& array = entry.second;
      add_header(digest, entry.first, array);
      file.put_plain(entry.first, array.dtype, array.shape, [&](std::size_t first, std::span<std::byte> bytes) {
        array.rows(first, bytes);
        digest.update(bytes);
      });
    }
    for (const auto& [name, text] : archive.texts()) {
      file.put(name, {text});
      add_text(digest, name, text);
    }
    file.put_attribute("sha256", digest.hex());
    write_file_atomically(path, file.finish());
  } catch (const hdf5::Failure& failure) {
    throw OutputError(path.string() + ": cannot be put into HDF5: " + failure.what() + "; is there enough memory?");
  }
}

Archive read_checkpoint(const fs::path& path) {
  hdf5::SilentErrors silent;
  try {
    const hdf5::Reader file(path);
    return read_verified(file);
  } catch (const hdf5::Failure& failure) {
    silent.stay();
    throw DamagedCheckpoint(failure.what());
  }
}

fs::path checkpoint_path(const fs::path& directory, long step) {
  std::array<char, 48> name{};
  std::snprintf(name.data(), name.size(), "checkpoint_%06ld.h5", step);
  return directory / name.data();
}

std::vector<CheckpointName> checkpoints_in(const fs::path& directory) {
  std::vector<CheckpointName> found;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, none)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix) || !name.ends_with(suffix) || name.size() <= prefix.size() + suffix.size()) continue;
    const char* const end = name.data() + name.size() - suffix.size();
    long step = 0;
    const auto [rest, error] = std::from_chars(name.data() + prefix.size(), end, step);
    if (error != std::errc{} || rest != end || step < 0) continue;
    if (entry.is_regular_file(none)) found.push_back({entry.path(), step});  // opening a pipe would block
  }
  std::ranges::sort(found, {}, &CheckpointName::step);
  return found;
}

void warn_of_damage(const CheckpointName& name, const DamagedCheckpoint& damaged) {
  log_warning(name.path.string() + ": skipped, it is damaged, truncated or no checkpoint: " + damaged.what());
}

std::optional<FoundCheckpoint> newest_checkpoint(const fs::path& directory, std::optional<long> before) {
  const std::vector<CheckpointName> all = checkpoints_in(directory);
  for (auto name = all.rbegin(); name != all.rend(); ++name) {
    if (before && name->step >= *before) continue;
    try {
      return FoundCheckpoint{*name, read_checkpoint(name->path)};
    } catch (const DamagedCheckpoint& damaged) {
      warn_of_damage(*name, damaged);
    }
  }
  return std::nullopt;
}

}  // namespace maxwell_dg::dg
