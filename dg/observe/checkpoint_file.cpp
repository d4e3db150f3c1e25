#include "dg/observe/checkpoint_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <memory>
#include <span>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "core/digest.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "dg/hdf5/file.hpp"
#include "dg/observe/files/snapshot_files.hpp"

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

constexpr std::size_t piece_bytes = std::size_t{1} << 24;

/// A file whose values are written or read at their places in it.
class PlacedValues {
 public:
  /// `flags` as of open(2). Throws OutputError.
  PlacedValues(const fs::path& path, int flags) : path_(path), descriptor_(::open(path.c_str(), flags | O_CLOEXEC)) {
    if (descriptor_ < 0) throw OutputError(path_.string() + ": cannot open: " + std::generic_category().message(errno));
  }
  ~PlacedValues() { ::close(descriptor_); }
  PlacedValues(const PlacedValues&) = delete;
  PlacedValues& operator=(const PlacedValues&) = delete;

  /// Throws OutputError.
  void write(std::uint64_t place, std::span<const std::byte> bytes) const {
    while (!bytes.empty()) {
      const ssize_t written = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(place));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail("cannot write", errno);
      place += static_cast<std::uint64_t>(written);
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }
  /// What is written is on the disk: other hosts read it, and a full disk says so.
  void sync() const {
    if (::fsync(descriptor_) != 0 && errno != EINVAL) fail("cannot sync", errno);
  }
  /// False where the file ends before, or cannot be read.
  [[nodiscard]] bool read(std::uint64_t place, std::span<std::byte> bytes) const {
    while (!bytes.empty()) {
      const ssize_t count = ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(place));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      place += static_cast<std::uint64_t>(count);
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return true;
  }

 private:
  [[noreturn]] void fail(const char* what, int error) const {
    throw OutputError(path_.string() + ": " + what + ": " + std::generic_category().message(error));
  }
  fs::path path_;
  int descriptor_;
};

/// visit(first row, as many bytes as its rows have), piece by piece.
template <class Visit>
void for_each_piece(std::size_t rows, std::size_t row_bytes, const Visit& visit) {
  if (row_bytes == 0) return;
  const std::size_t a_piece = std::max<std::size_t>(1, piece_bytes / row_bytes);
  std::vector<std::byte> piece;
  for (std::size_t first = 0; first < rows; first += a_piece) {
    piece.resize(std::min(a_piece, rows - first) * row_bytes);
    visit(first, std::span(piece));
  }
}

/// A checkpoint's file but for the values of arrays, and where these belong.
struct Layout {
  hdf5::Writer file;
  std::map<std::string, std::uint64_t> places{};

  Layout(const Archive& archive, const std::string& name, const std::string& digest) : file(name) {
    file.put_attribute("format", checkpoint_format);
    file.put_attribute("version", checkpoint_version);
    for (const auto& [array_name, array] : archive.arrays()) {
      places[array_name] = file.reserve(array_name, array.dtype, array.shape);
    }
    for (const auto& [text_name, text] : archive.texts()) file.put(text_name, {text});
    file.put_attribute("sha256", digest);
  }
};

/// What the first rank tells the others of a file: a line with place and name of each array, an empty line, the path.
std::string packed(const std::map<std::string, std::uint64_t>& places, const fs::path& path) {
  std::string text;
  for (const auto& [name, place] : places) text += std::to_string(place) + " " + name + "\n";
  return text + "\n" + path.string();
}

/// The inverse.
std::pair<std::map<std::string, std::uint64_t>, fs::path> unpacked(std::string_view text) {
  std::map<std::string, std::uint64_t> places;
  while (!text.starts_with('\n')) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const char* const end = line.data() + line.size();
    std::uint64_t place = 0;
    const auto [rest, error] = std::from_chars(line.data(), end, place);
    if (error != std::errc{} || rest == end || *rest != ' ' || line.size() == text.size()) {
      throw std::logic_error("CheckpointWriter: the first rank sent '" + std::string(line) + "', no place and name");
    }
    places.emplace(std::string(rest + 1, end), place);
    text.remove_prefix(line.size() + 1);
  }
  return {std::move(places), fs::path(text.substr(1))};
}

/// An array that stays in the file, which is open as long as somebody has the array.
Archive::Array kept_in_file(const hdf5::Reader& file, const hdf5::Reader::Dataset& dataset,
                            const std::shared_ptr<const PlacedValues>& values) {
  Archive::Array array{.dtype = dataset.dtype, .shape = dataset.shape, .row_axes = dataset.shape.size()};
  if (array.shape.empty()) throw DamagedCheckpoint(dataset.name + " has no extent");
  const std::optional<std::uint64_t> place = file.place(dataset.name);
  if (!place) {
    std::vector<std::byte> bytes(array.row_count() * array.row_bytes());
    file.read(dataset.name, dataset.dtype, bytes);
    return array_of(dataset.dtype, dataset.shape, std::move(bytes));
  }
  array.rows = [values, place = *place, row_bytes = array.row_bytes(), name = dataset.name](std::size_t first,
                                                                                            std::span<std::byte> to) {
    if (!values->read(place + first * row_bytes, to)) throw DamagedCheckpoint(name + " cannot be read");
  };
  return array;
}

enum class Digest { verified, trusted };

Archive read(const fs::path& path, Digest digest_of) {
  const hdf5::Reader file(path);
  if (!file.has_attribute("format") || file.text_attribute("format") != checkpoint_format) {
    throw DamagedCheckpoint("it is HDF5, but no checkpoint of this program");
  }
  if (const int version = file.integer_attribute("version"); version < oldest_version || version > checkpoint_version) {
    throw DamagedCheckpoint("its format version is " + std::to_string(version) + ", this program reads versions " +
                            std::to_string(oldest_version) + " to " + std::to_string(checkpoint_version));
  }
  const auto values = std::make_shared<const PlacedValues>(path, O_RDONLY);
  Archive archive;
  Sha256 digest;
  const std::vector<hdf5::Reader::Dataset> datasets = file.datasets();
  for (const hdf5::Reader::Dataset& dataset : datasets) {
    if (dataset.is_text) continue;
    Archive::Array array = kept_in_file(file, dataset, values);
    if (digest_of == Digest::verified) {
      add_header(digest, dataset.name, array);
      for_each_piece(array.row_count(), array.row_bytes(), [&](std::size_t first, std::span<std::byte> piece) {
        array.rows(first, piece);
        digest.update(piece);
      });
    }
    archive.put(dataset.name, std::move(array));
  }
  for (const hdf5::Reader::Dataset& dataset : datasets) {
    if (!dataset.is_text) continue;
    if (dataset.shape != std::vector<std::size_t>{1}) throw DamagedCheckpoint(dataset.name + " is not one text");
    const std::string text = file.read_strings(dataset.name).front();
    add_text(digest, dataset.name, text);
    archive.put_text(dataset.name, text);
  }
  if (digest_of == Digest::verified && digest.hex() != file.text_attribute("sha256")) {
    throw DamagedCheckpoint("its content has another checksum");
  }
  return archive;
}

Archive read_or_say_damaged(const fs::path& path, Digest digest) {
  hdf5::SilentErrors silent;
  try {
    return read(path, digest);
  } catch (const hdf5::Failure& failure) {
    silent.stay();
    throw DamagedCheckpoint(failure.what());
  } catch (const OutputError& error) {
    throw DamagedCheckpoint(error.what());
  }
}

template <class Make>
auto with_hdf5(const fs::path& path, const Make& make) {
  try {
    return make();
  } catch (const hdf5::Failure& failure) {
    throw OutputError(path.string() + ": cannot be put into HDF5: " + failure.what() + "; is there enough memory?");
  }
}

}  // namespace

CheckpointWriter::CheckpointWriter(const Archive& archive, fs::path file, const core::Communicator& ranks)
    : archive_(archive), file_(std::move(file)) {
  std::string failure, text;
  try {
    if (ranks.is_first()) {
      atomic_.emplace(file_);
      temporary_ = atomic_->temporary_path();
      places_ = with_hdf5(file_, [&] { return Layout(archive_, "checkpoint", Sha256().hex()).places; });
      text = packed(places_, temporary_);
    }
  } catch (const OutputError& error) {
    failure = error.what();
  }
  throw_on_all(ranks, failure);
  text = ranks.broadcast(text);
  if (!ranks.is_first()) std::tie(places_, temporary_) = unpacked(text);
}

CheckpointWriter::~CheckpointWriter() = default;

std::uint64_t CheckpointWriter::place_of(const std::string& array) const {
  const auto found = places_.find(array);
  if (found == places_.end()) {
    throw std::logic_error("CheckpointWriter: " + file_.string() + " has no place for '" + array + "', only for " +
                           std::to_string(places_.size()) + " other arrays");
  }
  return found->second;
}

void CheckpointWriter::write_part() const {
  std::optional<PlacedValues> values;
  for (const auto& entry : archive_.arrays()) {
    const Archive::Array& array = entry.second;
    if (!array.part) continue;
    if (!values) values.emplace(temporary_, O_WRONLY);
    const std::uint64_t place = place_of(entry.first);
    const std::size_t row_bytes = array.row_bytes();
    for_each_piece(array.part->rows, row_bytes, [&](std::size_t first, std::span<std::byte> piece) {
      array.rows(first, piece);
      // Rows that follow one another in the whole are written together.
      for (std::size_t begin = 0, end = 0, rows = piece.size() / row_bytes; begin < rows; begin = end) {
        const std::size_t number = array.part->number(first + begin);
        for (end = begin + 1; end < rows && array.part->number(first + end) == number + end - begin; ++end) {
        }
        values->write(place + number * row_bytes, piece.subspan(begin * row_bytes, (end - begin) * row_bytes));
      }
    });
  }
  if (values) values->sync();
}

void CheckpointWriter::finish() {
  Sha256 digest;
  std::map<std::uint64_t, std::uint64_t> reserved;  // begin, end
  {
    const PlacedValues values(temporary_, O_WRONLY);
    std::optional<PlacedValues> written;
    for (const auto& entry : archive_.arrays()) {
      const std::string& name = entry.first;
      const Archive::Array& array = entry.second;
      add_header(digest, name, array);
      const std::uint64_t place = place_of(name);
      const std::size_t row_bytes = array.row_bytes();
      if (array.part && !written) written.emplace(temporary_, O_RDONLY);
      for_each_piece(array.row_count(), row_bytes, [&](std::size_t first, std::span<std::byte> piece) {
        const std::uint64_t at = place + first * row_bytes;
        if (!array.part) {
          array.rows(first, piece);
          values.write(at, piece);
        } else if (!written->read(at, piece)) {
          throw OutputError(file_.string() + ": '" + name + "', which all ranks have written, cannot be read back");
        }
        digest.update(piece);
      });
      if (const std::size_t bytes = array.row_count() * row_bytes; bytes > 0) reserved[place] = place + bytes;
    }
    for (const auto& [name, text] : archive_.texts()) add_text(digest, name, text);
    const auto layout =
        with_hdf5(file_, [&] { return std::make_unique<Layout>(archive_, "checkpoint", digest.hex()); });
    if (layout->places != places_) throw std::logic_error("CheckpointWriter: the file is laid out in another way");
    const std::span<const std::byte> content = with_hdf5(file_, [&] { return layout->file.finish(); });
    std::uint64_t done = 0;
    reserved[content.size()] = content.size();
    for (const auto& [begin, end] : reserved) {
      values.write(done, content.subspan(done, begin - done));
      done = end;
    }
  }
  atomic_->commit();
}

void write_checkpoint(const Archive& archive, const fs::path& path) {
  CheckpointWriter writer(archive, path);
  writer.finish();
}

Archive read_checkpoint(const fs::path& path) {
  return read_or_say_damaged(path, Digest::verified);
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

std::optional<FoundCheckpoint> newest_checkpoint(const fs::path& directory, std::optional<long> before,
                                                 const core::Communicator& ranks) {
  std::optional<FoundCheckpoint> found;
  if (ranks.is_first()) {
    const std::vector<CheckpointName> all = checkpoints_in(directory);
    for (auto name = all.rbegin(); name != all.rend() && !found; ++name) {
      if (before && name->step >= *before) continue;
      try {
        found = FoundCheckpoint{*name, read_checkpoint(name->path)};
      } catch (const DamagedCheckpoint& damaged) {
        warn_of_damage(*name, damaged);
      }
    }
  }
  const std::string step = ranks.broadcast(found ? std::to_string(found->name.step) : "");
  if (ranks.is_first() || step.empty()) return found;
  const CheckpointName name{checkpoint_path(directory, std::stol(step)), std::stol(step)};
  try {
    return FoundCheckpoint{name, read_or_say_damaged(name.path, Digest::trusted)};
  } catch (const DamagedCheckpoint& damaged) {
    throw OutputError(name.path.string() + ": rank " + std::to_string(ranks.rank()) +
                      " does not see the newest checkpoint that rank 0 sees (" + damaged.what() +
                      "); wait until all hosts see the same files");
  }
}

}  // namespace maxwell_dg::dg
