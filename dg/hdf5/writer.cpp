// Files that grow in memory.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "dg/hdf5/file.hpp"
#include "dg/hdf5/handle.hpp"

namespace maxwell_dg::dg::hdf5 {
namespace {

std::size_t product(const Shape& shape, std::size_t first) {
  std::size_t count = 1;
  for (std::size_t i = first; i < shape.size(); ++i) count *= shape[i];
  return count;
}

/// Compressed chunks with checksums.
void choose_compressed(const Handle& properties, const Extent& extent) {
  Extent chunk = extent;
  chunk[0] = std::min<hsize_t>(chunk[0], 1U << 16);
  require(H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data()) >= 0, "chunk size");
  if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
    require(H5Pset_shuffle(properties) >= 0 && H5Pset_deflate(properties, 4) >= 0, "compression");
  }
  require(H5Pset_fletcher32(properties) >= 0, "checksum");
}

enum class Storage { compressed, plain };

/// A new dataset, empty.
hid_t create(hid_t file, const std::string& name, hid_t type, const Shape& shape, Storage storage) {
  const Extent extent(shape.begin(), shape.end());
  const Handle space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose, name);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, name);
  require(H5Pset_obj_track_times(properties, false) >= 0, name);  // the same content gives the same bytes
  // An empty dataset has nothing to put into chunks.
  if (storage == Storage::compressed && product(shape, 0) > 0) choose_compressed(properties, extent);
  return H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
}

void write_compressed(hid_t file, const std::string& name, hid_t type, const Shape& shape, const void* values) {
  const Handle dataset(create(file, name, type, shape, Storage::compressed), H5Dclose, name);
  if (product(shape, 0) == 0) return;
  require(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0, name);
}

/// Lets HDF5 write into memory and takes what it leaves there when it closes the file: its images of files that are
/// still open have a wrong checksum. What HDF5 does not write is zero, so that the same content gives the same bytes.
struct MemoryImage {
  std::byte* memory{};  ///< after the file was closed
  std::size_t room{};   ///< of it; the file may end before

  MemoryImage() = default;
  MemoryImage(const MemoryImage&) = delete;
  MemoryImage& operator=(const MemoryImage&) = delete;
  ~MemoryImage() { std::free(memory); }

  void use_in(const Handle& access) {
    constexpr std::size_t growth = std::size_t{1} << 20;
    require(H5Pset_fapl_core(access, growth, /*backing_store=*/false) >= 0, "file in memory");
    H5FD_file_image_callbacks_t callbacks{
        [](std::size_t n, H5FD_file_image_op_t, void* self) { return resized(nullptr, n, self); },
        [](void* to, const void* from, std::size_t n, H5FD_file_image_op_t, void*) { return std::memcpy(to, from, n); },
        [](void* old, std::size_t n, H5FD_file_image_op_t, void* self) { return resized(old, n, self); },
        free_or_keep,
        [](void* image) { return image; },
        [](void*) -> herr_t { return 0; },
        this};
    require(H5Pset_file_image_callbacks(access, &callbacks) >= 0, "file in memory");
  }

  /// Of the closed file: where its superblock (version 2 or 3) says that it ends.
  [[nodiscard]] std::size_t file_size() const {
    constexpr std::size_t version_at = 8, end_at = 28;
    if (memory == nullptr || room < end_at + sizeof(std::uint64_t)) throw Failure("file in memory: it was not kept");
    if (std::to_integer<int>(memory[version_at]) < 2) throw Failure("file in memory: it is of an old format");
    std::uint64_t size = 0;
    for (std::size_t i = sizeof size; i-- > 0;) size = size << 8U | std::to_integer<std::uint64_t>(memory[end_at + i]);
    if (size > room) throw Failure("file in memory: it was cut off");
    return size;
  }

 private:
  static void* resized(void* old, std::size_t n, void* self) {
    auto* image = static_cast<MemoryImage*>(self);
    auto* grown = static_cast<std::byte*>(std::realloc(old, n));
    if (grown == nullptr) return nullptr;
    const std::size_t before = old == nullptr ? 0 : image->room;
    if (n > before) std::memset(grown + before, 0, n - before);
    image->room = n;
    return grown;
  }
  static herr_t free_or_keep(void* memory, H5FD_file_image_op_t operation, void* self) {
    auto* image = static_cast<MemoryImage*>(self);
    // A file of this name on the disk is opened and closed first: what is closed last counts.
    std::free(operation == H5FD_FILE_IMAGE_OP_FILE_CLOSE ? std::exchange(image->memory, static_cast<std::byte*>(memory))
                                                         : memory);
    return 0;
  }
};

}  // namespace

struct Writer::Impl {
  MemoryImage image{};
  std::unique_ptr<Handle> file{};
};

Writer::Writer(const std::string& name) : impl_(std::make_unique<Impl>()) {
  const SilentErrors silent;
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "file access properties");
  impl_->image.use_in(access);
  // From version 1.8 on, HDF5 keeps checksums of its own structures.
  require(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST) >= 0, "file format");
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "file creation properties");
  require(H5Pset_obj_track_times(creation, false) >= 0, "file creation properties");  // of the root, as of datasets
  const hid_t id = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, creation, access);
  impl_->file = std::make_unique<Handle>(id, H5Fclose, "file in memory");
}

Writer::~Writer() = default;

void Writer::put_attribute(const std::string& name, std::string_view text) {
  const SilentErrors silent;
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, name);
  const Handle type = string_type(text.size());
  const Handle id(H5Acreate2(*impl_->file, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name);
  require(H5Awrite(id, type, text.empty() ? "" : text.data()) >= 0, name);
}

void Writer::put_attribute(const std::string& name, int number) {
  const SilentErrors silent;
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, name);
  const Handle id(H5Acreate2(*impl_->file, name.c_str(), H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                  name);
  require(H5Awrite(id, H5T_NATIVE_INT, &number) >= 0, name);
}

void Writer::put_group(const std::string& name) {
  const SilentErrors silent;
  const Handle properties(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, name);
  require(H5Pset_obj_track_times(properties, false) >= 0, name);
  const Handle group(H5Gcreate2(*impl_->file, name.c_str(), H5P_DEFAULT, properties, H5P_DEFAULT), H5Gclose, name);
}

void Writer::put(const std::string& name, Dtype dtype, const Shape& shape, const void* values) {
  const SilentErrors silent;
  write_compressed(*impl_->file, name, number_type(dtype), shape, values);
}

void Writer::put(const std::string& name, const std::vector<std::string>& strings) {
  const SilentErrors silent;
  std::size_t length = 1;
  for (const auto& s : strings) length = std::max(length, s.size());
  std::string packed;
  for (const auto& s : strings) packed += s + std::string(length - s.size(), '\0');
  write_compressed(*impl_->file, name, string_type(length), {strings.size()}, packed.data());
}

void Writer::put_plain(const std::string& name, Dtype dtype, const Shape& shape, const Rows& rows) {
  const SilentErrors silent;
  constexpr std::size_t piece_bytes = std::size_t{1} << 24;
  const hid_t type = number_type(dtype);
  const Handle dataset(create(*impl_->file, name, type, shape, Storage::plain), H5Dclose, name);
  const std::size_t row_bytes = product(shape, 1) * size_of(dtype);
  if (row_bytes == 0) return;
  const std::size_t rows_a_piece = std::max<std::size_t>(1, piece_bytes / row_bytes);
  std::vector<std::byte> piece;
  const Handle file_space(H5Dget_space(dataset), H5Sclose, name);
  for (std::size_t first = 0; first < shape[0]; first += rows_a_piece) {
    Extent count(shape.begin(), shape.end()), start(shape.size(), 0);
    start[0] = first;
    count[0] = std::min(rows_a_piece, shape[0] - first);
    piece.resize(static_cast<std::size_t>(count[0]) * row_bytes);
    rows(first, piece);
    require(H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) >= 0, name);
    const Handle memory_space(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose, name);
    require(H5Dwrite(dataset, type, memory_space, file_space, H5P_DEFAULT, piece.data()) >= 0, name);
  }
}

std::span<const std::byte> Writer::finish() {
  const SilentErrors silent;
  require(H5Fflush(*impl_->file, H5F_SCOPE_GLOBAL) >= 0, "file in memory");
  impl_->file.reset();
  return {impl_->image.memory, impl_->image.file_size()};
}

}  // namespace maxwell_dg::dg::hdf5
