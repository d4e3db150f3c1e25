#include "dg/hdf5/file.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <hdf5.h>

namespace maxwell_dg::dg::hdf5 {
namespace {

/// The deepest entry of HDF5's error stack: the cause.
std::string reason() {
  std::string text;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_DOWNWARD,
      [](unsigned, const H5E_error2_t* entry, void* to) -> herr_t {
        if (entry->desc != nullptr) *static_cast<std::string*>(to) = entry->desc;
        return 0;
      },
      &text);
  return text.empty() ? "no reason given" : text;
}

void require(bool ok, const std::string& what) {
  if (!ok) throw Failure(what + ": " + reason());
}

/// An HDF5 object that is closed when it goes out of scope.
class Handle {
 public:
  Handle(hid_t id, herr_t (*closer)(hid_t), const std::string& what) : id_(id), close_(closer) {
    require(id >= 0, what);
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }  // NOLINT(google-explicit-constructor): it stands for the identifier

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

Handle string_type(std::size_t length) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, std::max<std::size_t>(1, length));
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return {type, H5Tclose, "string type"};
}

hid_t number_type(Dtype dtype) {
  switch (dtype) {
    case Dtype::int32: return H5T_NATIVE_INT32;
    case Dtype::int64: return H5T_NATIVE_INT64;
    case Dtype::float32: return H5T_NATIVE_FLOAT;
    case Dtype::float64: return H5T_NATIVE_DOUBLE;
    default: throw std::logic_error("hdf5: no files hold " + std::string(name_of(dtype)));
  }
}

using Extent = std::vector<hsize_t>;

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

SilentErrors::SilentErrors() {
  H5E_auto2_t function{};
  H5Eget_auto2(H5E_DEFAULT, &function, &data_);
  function_ = reinterpret_cast<void*>(function);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

SilentErrors::~SilentErrors() {
  if (!stays_) H5Eset_auto2(H5E_DEFAULT, reinterpret_cast<H5E_auto2_t>(function_), data_);
}

// ---- writing

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

// ---- reading

struct Reader::Impl {
  Handle file;
  explicit Impl(hid_t id) : file(id, H5Fclose, "it cannot be opened as HDF5") {}
  [[nodiscard]] Handle open(const std::string& name) const {
    return {H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, name};
  }
};

Reader::Reader(const std::filesystem::path& file) {
  const SilentErrors silent;
  impl_ = std::make_unique<Impl>(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
}

Reader::~Reader() = default;

bool Reader::has_attribute(const std::string& name) const {
  const SilentErrors silent;
  return H5Aexists(impl_->file, name.c_str()) > 0;
}

std::string Reader::text_attribute(const std::string& name) const {
  const SilentErrors silent;
  const Handle id(H5Aopen(impl_->file, name.c_str(), H5P_DEFAULT), H5Aclose, name);
  const Handle stored(H5Aget_type(id), H5Tclose, name);
  if (H5Tget_class(stored) != H5T_STRING || H5Tis_variable_str(stored) > 0) throw Failure(name + " is no text");
  std::string text(H5Tget_size(stored), '\0');
  const Handle type = string_type(text.size());
  H5Tset_cset(type, H5Tget_cset(stored));
  require(H5Aread(id, type, text.data()) >= 0, name);
  return text.substr(0, text.find('\0'));
}

int Reader::integer_attribute(const std::string& name) const {
  const SilentErrors silent;
  int number = 0;
  const Handle id(H5Aopen(impl_->file, name.c_str(), H5P_DEFAULT), H5Aclose, name);
  require(H5Aread(id, H5T_NATIVE_INT, &number) >= 0, name);
  return number;
}

bool Reader::has(const std::string& name) const {
  const SilentErrors silent;
  return H5Lexists(impl_->file, name.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::string> Reader::names(const std::string& group) const {
  const SilentErrors silent;
  const Handle id(H5Gopen2(impl_->file, group.c_str(), H5P_DEFAULT), H5Gclose, group);
  H5G_info_t info{};
  require(H5Gget_info(id, &info) >= 0, group);
  std::vector<std::string> names;
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    const auto next = [&](char* to, std::size_t room) {
      return H5Lget_name_by_idx(id, ".", H5_INDEX_NAME, H5_ITER_INC, i, to, room, H5P_DEFAULT);
    };
    const auto length = next(nullptr, 0);
    require(length > 0, group);
    std::string& name = names.emplace_back(static_cast<std::size_t>(length), '\0');
    require(next(name.data(), name.size() + 1) == length, group);
  }
  return names;
}

std::vector<Reader::Dataset> Reader::datasets() const {
  const SilentErrors silent;
  std::vector<Dataset> result;
  for (const std::string& name : names()) {
    const Handle id = impl_->open(name);
    const Handle type(H5Dget_type(id), H5Tclose, name);
    Dataset dataset{.name = name, .is_text = H5Tget_class(type) == H5T_STRING, .shape = {}};
    const Handle space(H5Dget_space(id), H5Sclose, name);
    Extent extent(static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space), 0)));
    require(H5Sget_simple_extent_dims(space, extent.data(), nullptr) >= 0, name);
    dataset.shape.assign(extent.begin(), extent.end());
    if (!dataset.is_text) {
      constexpr std::array known{Dtype::int32, Dtype::int64, Dtype::float32, Dtype::float64};
      const auto* const found =
          std::ranges::find_if(known, [&](Dtype dtype) { return H5Tequal(type, number_type(dtype)) > 0; });
      if (found == known.end()) throw Failure(name + " has an unknown type");
      dataset.dtype = *found;
    }
    result.push_back(std::move(dataset));
  }
  return result;
}

Shape Reader::shape(const std::string& name, std::size_t rank) const {
  const SilentErrors silent;
  const Handle id = impl_->open(name);
  const Handle space(H5Dget_space(id), H5Sclose, name);
  Extent extent(rank);
  const int found = H5Sget_simple_extent_ndims(space);
  if (found != static_cast<int>(rank) || H5Sget_simple_extent_dims(space, extent.data(), nullptr) != found) {
    throw Failure(name + " has the wrong shape");
  }
  return {extent.begin(), extent.end()};
}

void Reader::read(const std::string& name, Dtype dtype, void* values) const {
  const SilentErrors silent;
  const Handle id = impl_->open(name);
  const Handle space(H5Dget_space(id), H5Sclose, name);
  if (H5Sget_simple_extent_npoints(space) == 0) return;
  require(H5Dread(id, number_type(dtype), H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0, name);
}

std::vector<std::string> Reader::read_strings(const std::string& name) const {
  const SilentErrors silent;
  const std::size_t count = shape(name, 1)[0];
  const Handle id = impl_->open(name);
  const Handle stored(H5Dget_type(id), H5Tclose, name);
  if (H5Tget_class(stored) != H5T_STRING || H5Tis_variable_str(stored) > 0) {
    throw Failure(name + " does not hold strings of fixed length");
  }
  const std::size_t length = H5Tget_size(stored);
  const Handle type = string_type(length);
  H5Tset_cset(type, H5Tget_cset(stored));
  std::string packed(count * length, '\0');
  if (count > 0) require(H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, packed.data()) >= 0, name);
  std::vector<std::string> strings;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string padded = packed.substr(i * length, length);
    strings.push_back(padded.substr(0, padded.find('\0')));
  }
  return strings;
}

}  // namespace maxwell_dg::dg::hdf5
