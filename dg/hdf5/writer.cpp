// Files that grow in memory.
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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

enum class Storage { compressed, reserved };

/// A new dataset, empty.
hid_t create(hid_t file, const std::string& name, hid_t type, const Shape& shape, Storage storage) {
  const Extent extent(shape.begin(), shape.end());
  const Handle space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose, name);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, name);
  require(H5Pset_obj_track_times(properties, false) >= 0, name);  // the same content gives the same bytes
  // An empty dataset has nothing to put into chunks.
  if (storage == Storage::compressed && product(shape, 0) > 0) choose_compressed(properties, extent);
  if (storage == Storage::reserved) {
    require(H5Pset_layout(properties, H5D_CONTIGUOUS) >= 0 &&
                H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY) >= 0 &&
                H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER) >= 0,
            name);
  }
  return H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
}

void write_compressed(hid_t file, const std::string& name, hid_t type, const Shape& shape, const void* values) {
  const Handle dataset(create(file, name, type, shape, Storage::compressed), H5Dclose, name);
  if (product(shape, 0) == 0) return;
  require(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0, name);
}

/// A file of the system in memory, which HDF5 opens by a name as it opens one on disk. What nobody writes takes no
/// room, and reads as zero: so the same content gives the same bytes.
class FileInMemory {
 public:
  explicit FileInMemory(const std::string& name) : descriptor_(::memfd_create(name.c_str(), MFD_CLOEXEC)) {
    if (descriptor_ < 0) throw Failure(std::string("file in memory: ") + std::strerror(errno));
  }
  FileInMemory(const FileInMemory&) = delete;
  FileInMemory& operator=(const FileInMemory&) = delete;
  ~FileInMemory() {
    if (content_.data() != nullptr) ::munmap(content_.data(), content_.size());
    ::close(descriptor_);
  }

  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }
  /// All of it, once it is written.
  [[nodiscard]] std::span<const std::byte> content() {
    if (content_.data() != nullptr) return content_;
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0 || status.st_size == 0) throw Failure("file in memory: it was not kept");
    const auto size = static_cast<std::size_t>(status.st_size);
    void* const memory = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor_, 0);
    if (memory == MAP_FAILED) throw Failure(std::string("file in memory: ") + std::strerror(errno));
    content_ = {static_cast<std::byte*>(memory), size};
    return content_;
  }

 private:
  int descriptor_;
  std::span<std::byte> content_;
};

}  // namespace

struct Writer::Impl {
  FileInMemory memory;
  std::unique_ptr<Handle> file{};
};

Writer::Writer(const std::string& name) : impl_(new Impl{.memory = FileInMemory(name)}) {
  const SilentErrors silent;
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "file access properties");
  // Other drivers look for the real path behind a name, and memory has none.
  require(H5Pset_fapl_stdio(access) >= 0, "file in memory");
  // From version 1.8 on, HDF5 keeps checksums of its own structures.
  require(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST) >= 0, "file format");
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "file creation properties");
  require(H5Pset_obj_track_times(creation, false) >= 0, "file creation properties");  // of the root, as of datasets
  const hid_t id = H5Fcreate(impl_->memory.path().c_str(), H5F_ACC_TRUNC, creation, access);
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

std::uint64_t Writer::reserve(const std::string& name, Dtype dtype, const Shape& shape) {
  const SilentErrors silent;
  const Handle dataset(create(*impl_->file, name, number_type(dtype), shape, Storage::reserved), H5Dclose, name);
  if (product(shape, 0) == 0) return 0;
  const haddr_t place = H5Dget_offset(dataset);
  require(place != HADDR_UNDEF, name);
  return place;
}

std::span<const std::byte> Writer::finish() {
  const SilentErrors silent;
  if (impl_->file) {
    require(H5Fflush(*impl_->file, H5F_SCOPE_GLOBAL) >= 0, "file in memory");
    impl_->file.reset();
  }
  return impl_->memory.content();
}

}  // namespace maxwell_dg::dg::hdf5
