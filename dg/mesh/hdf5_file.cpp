// The only file that knows how a mesh looks in HDF5.
#include "dg/mesh/hdf5_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include <hdf5.h>

#include "core/error.hpp"

namespace maxwell_dg::dg {
namespace {

constexpr const char* format_name = "maxwell_dg mesh";
constexpr int format_version = 1;
constexpr const char* cell_values_group = "cell_values";

/// Any failure in here; the two entry points turn it into the user's error.
struct Hdf5Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Keeps HDF5 from printing its error stack while it lives.
class SilentErrors {
 public:
  SilentErrors() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~SilentErrors() {
    if (!stays_) H5Eset_auto2(H5E_DEFAULT, function_, data_);
  }
  SilentErrors(const SilentErrors&) = delete;
  SilentErrors& operator=(const SilentErrors&) = delete;

  /// After damaged metadata HDF5 1.10 cannot shut down in order, and where printing is on it says so at exit: an
  /// "infinite loop" that would bury the error that the user has to see.
  void stay() { stays_ = true; }

 private:
  bool stays_ = false;
  H5E_auto2_t function_{};
  void* data_{};
};

/// The deepest entry of HDF5's error stack: the cause.
std::string hdf5_reason() {
  std::string reason;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_DOWNWARD,
      [](unsigned, const H5E_error2_t* entry, void* text) -> herr_t {
        if (entry->desc != nullptr) *static_cast<std::string*>(text) = entry->desc;
        return 0;
      },
      &reason);
  return reason.empty() ? "no reason given" : reason;
}

void require(bool ok, const std::string& what) {
  if (!ok) throw Hdf5Failure(what + ": " + hdf5_reason());
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

using Extent = std::vector<hsize_t>;

hsize_t count_of(const Extent& extent) {
  hsize_t count = 1;
  for (const hsize_t n : extent) count *= n;
  return count;
}

// ---- writing

/// Compressed chunks with checksums.
void choose_storage(const Handle& properties, const Extent& extent) {
  Extent chunk = extent;
  chunk[0] = std::min<hsize_t>(chunk[0], 1U << 16);
  require(H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data()) >= 0, "chunk size");
  if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
    require(H5Pset_shuffle(properties) >= 0 && H5Pset_deflate(properties, 4) >= 0, "compression");
  }
  require(H5Pset_fletcher32(properties) >= 0, "checksum");
}

void write_dataset(hid_t file, const char* name, hid_t type, const Extent& extent, const void* data) {
  const Handle space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose, name);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, name);
  require(H5Pset_obj_track_times(properties, false) >= 0, name);  // the same mesh gives the same bytes
  const bool has_data = count_of(extent) > 0;                     // an empty dataset has nothing to put into chunks
  if (has_data) choose_storage(properties, extent);
  const Handle dataset(H5Dcreate2(file, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose, name);
  if (has_data) require(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0, name);
}

void write_strings(hid_t file, const char* name, const std::vector<std::string>& strings) {
  std::size_t length = 1;
  for (const auto& s : strings) length = std::max(length, s.size());
  std::string packed;
  for (const auto& s : strings) packed += s + std::string(length - s.size(), '\0');
  write_dataset(file, name, string_type(length), {strings.size()}, packed.data());
}

void write_cell_values(hid_t file, const Mesh& mesh) {
  if (mesh.cell_values.empty()) return;
  const Handle group(H5Gcreate2(file, cell_values_group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
                     cell_values_group);
  for (const auto& [name, values] : mesh.cell_values) {
    write_dataset(group, name.c_str(), H5T_NATIVE_DOUBLE, {values.size()}, values.data());
  }
}

void write_format(hid_t file) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, "attributes");
  const Handle text = string_type(std::string(format_name).size());
  const Handle format(H5Acreate2(file, "format", text, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, "format");
  require(H5Awrite(format, text, format_name) >= 0, "format");
  const Handle version(H5Acreate2(file, "version", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                       "version");
  require(H5Awrite(version, H5T_NATIVE_INT, &format_version) >= 0, "version");
}

void write_content(hid_t file, const Mesh& mesh) {
  write_format(file);
  write_dataset(file, "vertices", H5T_NATIVE_DOUBLE, {mesh.vertices.size(), 3}, mesh.vertices.data());
  write_dataset(file, "cells", H5T_NATIVE_INT32, {mesh.cells.size(), 4}, mesh.cells.data());
  write_dataset(file, "cell_region", H5T_NATIVE_INT32, {mesh.cell_region.size()}, mesh.cell_region.data());
  write_strings(file, "regions", mesh.regions);

  std::vector<std::array<std::int32_t, 3>> faces;
  std::vector<std::int32_t> surface;
  for (const auto& face : mesh.surface_faces) {
    faces.push_back(face.vertices);
    surface.push_back(face.surface);
  }
  write_dataset(file, "surface_faces", H5T_NATIVE_INT32, {faces.size(), 3}, faces.data());
  write_dataset(file, "surface_face_surface", H5T_NATIVE_INT32, {surface.size()}, surface.data());
  write_strings(file, "surfaces", mesh.surfaces);
  write_cell_values(file, mesh);
}

/// Lets HDF5 write into memory and takes what it leaves there when it closes the file. HDF5 can neither close nor
/// forget a file on a full disk, so plain code carries the bytes to the disk; and its images of files that are still
/// open have a wrong checksum, so it is the closed file that counts.
struct MemoryImage {
  std::vector<std::byte> bytes;
  std::size_t size{};  ///< of the file, which ends before the memory does

  void use_in(const Handle& access) {
    constexpr std::size_t growth = std::size_t{1} << 20;
    require(H5Pset_fapl_core(access, growth, /*backing_store=*/false) >= 0, "file in memory");
    H5FD_file_image_callbacks_t callbacks{
        [](std::size_t n, H5FD_file_image_op_t, void*) { return std::malloc(n); },
        [](void* to, const void* from, std::size_t n, H5FD_file_image_op_t, void*) { return std::memcpy(to, from, n); },
        [](void* memory, std::size_t n, H5FD_file_image_op_t, void*) { return std::realloc(memory, n); },
        free_and_keep,
        [](void* image) { return image; },
        [](void*) -> herr_t { return 0; },
        this};
    require(H5Pset_file_image_callbacks(access, &callbacks) >= 0, "file in memory");
  }

 private:
  static herr_t free_and_keep(void* memory, H5FD_file_image_op_t operation, void* self) {
    auto* image = static_cast<MemoryImage*>(self);
    if (operation == H5FD_FILE_IMAGE_OP_FILE_CLOSE) {
      const auto* begin = static_cast<const std::byte*>(memory);
      image->bytes.assign(begin, begin + image->size);
    }
    std::free(memory);
    return 0;
  }
};

// ---- reading

/// An open dataset with its extent, which must have as many dimensions as `columns` says: 1 for 0, else 2.
class Dataset {
 public:
  Dataset(hid_t file, const char* name, hsize_t columns)
      : name_(name), id_(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose, name) {
    const Handle space(H5Dget_space(id_), H5Sclose, name);
    hsize_t extent[2] = {0, 0};
    const int rank = H5Sget_simple_extent_ndims(space);
    const bool ok = rank == (columns > 0 ? 2 : 1) && H5Sget_simple_extent_dims(space, extent, nullptr) == rank;
    if (!ok || extent[1] != columns) throw Hdf5Failure(name_ + " has the wrong shape");
    rows_ = extent[0];
  }
  [[nodiscard]] hsize_t rows() const { return rows_; }
  [[nodiscard]] hid_t id() const { return id_; }

  void read(hid_t type, void* data) const {
    if (rows_ > 0) require(H5Dread(id_, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0, name_);
  }

 private:
  std::string name_;
  Handle id_;
  hsize_t rows_{};
};

template <class Row>
std::vector<Row> read_rows(hid_t file, const char* name, hid_t type, hsize_t columns) {
  const Dataset dataset(file, name, columns);
  std::vector<Row> rows(dataset.rows());
  dataset.read(type, rows.data());
  return rows;
}

std::vector<std::string> read_strings(hid_t file, const char* name) {
  const Dataset dataset(file, name, 0);
  const Handle stored(H5Dget_type(dataset.id()), H5Tclose, name);
  if (H5Tget_class(stored) != H5T_STRING || H5Tis_variable_str(stored) > 0) {
    throw Hdf5Failure(std::string(name) + " does not hold strings of fixed length");
  }
  const std::size_t length = H5Tget_size(stored);
  const Handle type = string_type(length);
  H5Tset_cset(type, H5Tget_cset(stored));
  std::string packed(dataset.rows() * length, '\0');
  dataset.read(type, packed.data());
  std::vector<std::string> strings;
  for (std::size_t i = 0; i < dataset.rows(); ++i) {
    const std::string padded = packed.substr(i * length, length);
    strings.push_back(padded.substr(0, padded.find('\0')));
  }
  return strings;
}

std::map<std::string, std::vector<double>> read_cell_values(hid_t file) {
  std::map<std::string, std::vector<double>> result;
  if (H5Lexists(file, cell_values_group, H5P_DEFAULT) <= 0) return result;
  const Handle group(H5Gopen2(file, cell_values_group, H5P_DEFAULT), H5Gclose, cell_values_group);
  H5G_info_t info{};
  require(H5Gget_info(group, &info) >= 0, cell_values_group);
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    const auto name_of = [&](char* text, std::size_t size) {
      return H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, text, size, H5P_DEFAULT);
    };
    const auto length = name_of(nullptr, 0);
    require(length > 0, cell_values_group);
    std::string name(static_cast<std::size_t>(length) + 1, '\0');
    require(name_of(name.data(), name.size()) == length, cell_values_group);
    name.pop_back();
    result[name] = read_rows<double>(group, name.c_str(), H5T_NATIVE_DOUBLE, 0);
  }
  return result;
}

void require_format(hid_t file) {
  const Handle text = string_type(std::string(format_name).size());
  std::string format(std::string(format_name).size(), '\0');
  int version = 0;
  const hid_t id = H5Aopen(file, "format", H5P_DEFAULT);
  if (id < 0) throw Hdf5Failure("it is HDF5, but no mesh of this program");
  const Handle attribute(id, H5Aclose, "format");
  if (H5Aread(attribute, text, format.data()) < 0 || format != format_name) {
    throw Hdf5Failure("it is HDF5, but no mesh of this program");
  }
  const Handle number(H5Aopen(file, "version", H5P_DEFAULT), H5Aclose, "version");
  require(H5Aread(number, H5T_NATIVE_INT, &version) >= 0, "version");
  if (version != format_version) {
    throw Hdf5Failure("its format version is " + std::to_string(version) + ", this program reads version " +
                      std::to_string(format_version));
  }
}

void require_consistent(const Mesh& mesh) {
  const auto valid = [](std::int32_t index, const std::vector<std::string>& names, std::int32_t lowest) {
    return index >= lowest && index < static_cast<std::int32_t>(names.size());
  };
  bool ok = mesh.cell_region.size() == mesh.cells.size();
  for (const auto region : mesh.cell_region) ok = ok && valid(region, mesh.regions, -1);
  for (const auto& face : mesh.surface_faces) ok = ok && valid(face.surface, mesh.surfaces, 0);
  if (!ok) throw Hdf5Failure("its regions or surfaces do not fit its elements");
  for (const auto& [name, values] : mesh.cell_values) {
    if (values.size() != mesh.cells.size()) {
      throw Hdf5Failure(std::string(cell_values_group) + "/" + name + " has " + std::to_string(values.size()) +
                        " values for " + std::to_string(mesh.cells.size()) + " cells");
    }
  }
}

Mesh read_content(hid_t file) {
  require_format(file);
  Mesh mesh;
  mesh.vertices = read_rows<Point>(file, "vertices", H5T_NATIVE_DOUBLE, 3);
  mesh.cells = read_rows<std::array<std::int32_t, 4>>(file, "cells", H5T_NATIVE_INT32, 4);
  mesh.cell_region = read_rows<std::int32_t>(file, "cell_region", H5T_NATIVE_INT32, 0);
  mesh.regions = read_strings(file, "regions");
  const auto faces = read_rows<std::array<std::int32_t, 3>>(file, "surface_faces", H5T_NATIVE_INT32, 3);
  const auto surface = read_rows<std::int32_t>(file, "surface_face_surface", H5T_NATIVE_INT32, 0);
  mesh.surfaces = read_strings(file, "surfaces");
  if (faces.size() != surface.size()) throw Hdf5Failure("its regions or surfaces do not fit its elements");
  for (std::size_t i = 0; i < faces.size(); ++i) mesh.surface_faces.push_back({faces[i], surface[i]});
  mesh.cell_values = read_cell_values(file);
  require_consistent(mesh);
  return mesh;
}

}  // namespace

Mesh read_hdf5_mesh(const std::filesystem::path& file) {
  SilentErrors silent;
  try {
    const Handle id(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "it cannot be opened as HDF5");
    return read_content(id);
  } catch (const Hdf5Failure& failure) {
    silent.stay();
    throw MeshError(file.string() + ": damaged, truncated or no mesh: " + failure.what() +
                    "; write it anew with maxwell_dg --convert");
  }
}

std::vector<std::byte> hdf5_mesh_image(const Mesh& mesh, const std::filesystem::path& file) {
  const SilentErrors silent;
  MemoryImage image;
  try {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "file access properties");
    image.use_in(access);
    // From version 1.8 on, HDF5 keeps checksums of its own structures.
    require(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST) >= 0, "file format");
    const Handle id(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose, "file in memory");
    write_content(id, mesh);
    require(H5Fflush(id, H5F_SCOPE_GLOBAL) >= 0, "file in memory");
    const auto size = H5Fget_file_image(id, nullptr, 0);
    require(size > 0, "file in memory");
    image.size = static_cast<std::size_t>(size);
  } catch (const Hdf5Failure& failure) {
    throw OutputError(file.string() + ": the mesh cannot be put into HDF5: " + failure.what() +
                      "; is there enough memory?");
  }
  return image.bytes;
}

}  // namespace maxwell_dg::dg
