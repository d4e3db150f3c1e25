#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/dtype.hpp"

/// What this program asks of HDF5: attributes of a file, datasets in its root or in a group ("group/name"). Numbers are
/// int32, int64, float32 or float64, strings UTF-8 of a fixed length. HDF5's own structures are written in the format
/// of HDF5 1.8 or later, which keeps checksums of them, so damage is found when reading.
namespace maxwell_dg::dg::hdf5 {

/// Any failure in here, in HDF5's words; callers make the user's error of it.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Extents, the slowest index first.
using Shape = std::vector<std::size_t>;

/// Keeps HDF5 from printing its error stack while it lives.
class SilentErrors {
 public:
  SilentErrors();
  ~SilentErrors();
  SilentErrors(const SilentErrors&) = delete;
  SilentErrors& operator=(const SilentErrors&) = delete;
  /// After damaged metadata HDF5 1.10 cannot shut down in order, and where printing is on it says so at exit: an
  /// "infinite loop" that would bury the error that the user has to see.
  void stay() { stays_ = true; }

 private:
  bool stays_ = false;
  void* function_{};
  void* data_{};
};

/// A file that is made in memory. HDF5 can neither close nor forget a file on a full disk, so plain code carries the
/// bytes to the disk.
class Writer {
 public:
  /// `name`: of the memory, for who looks at the process.
  explicit Writer(const std::string& name);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void put_attribute(const std::string& name, std::string_view text);
  void put_attribute(const std::string& name, int number);
  /// An empty one.
  void put_group(const std::string& name);
  /// Compressed (shuffle, deflate), with Fletcher-32 checksums.
  void put(const std::string& name, Dtype dtype, const Shape& shape, const void* values);
  void put(const std::string& name, const std::vector<std::string>& strings);
  /// Makes room for values that do not pass through memory: the caller writes them as they are, the slowest index
  /// first, to the place in the file that this returns (0 where there are no values).
  [[nodiscard]] std::uint64_t reserve(const std::string& name, Dtype dtype, const Shape& shape);

  /// Closes the file and gives its content, which lives as long as this. Reserved room is zero in it, and takes no
  /// memory unless it is read.
  [[nodiscard]] std::span<const std::byte> finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A file on disk, whoever wrote it: one that claims to hold more than it has room for, keeps values in other files or
/// never wrote them is a Failure, before memory is taken for what it claims. So extents that come from here may be
/// multiplied and allocated.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& file);
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  [[nodiscard]] bool has_attribute(const std::string& name) const;
  [[nodiscard]] std::string text_attribute(const std::string& name) const;
  [[nodiscard]] int integer_attribute(const std::string& name) const;

  /// A dataset or group of this name.
  [[nodiscard]] bool has(const std::string& name) const;
  /// Of what is in a group, sorted.
  [[nodiscard]] std::vector<std::string> names(const std::string& group = "/") const;

  struct Dataset {
    std::string name;
    bool is_text{};
    Dtype dtype{};  ///< of numbers
    Shape shape;
  };
  /// All of the root, by name.
  [[nodiscard]] std::vector<Dataset> datasets() const;
  /// Its extents; there must be `rank` of them.
  [[nodiscard]] Shape shape(const std::string& name, std::size_t rank) const;
  /// Converted to `dtype`, into room for exactly all of them.
  void read(const std::string& name, Dtype dtype, std::span<std::byte> values) const;
  /// The same of as many rows from `first` on as there is room for.
  void read_rows(const std::string& name, Dtype dtype, std::size_t first, std::span<std::byte> values) const;
  /// Where in the file the values of a dataset lie as they are in memory, the slowest index first; none where they are
  /// compressed or in pieces.
  [[nodiscard]] std::optional<std::uint64_t> place(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> read_strings(const std::string& name) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace maxwell_dg::dg::hdf5
