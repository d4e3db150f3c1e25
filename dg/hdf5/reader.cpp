// Files on disk, whoever wrote them.
#include <algorithm>
#include <array>

#include "dg/hdf5/file.hpp"
#include "dg/hdf5/stored.hpp"

namespace maxwell_dg::dg::hdf5 {
namespace {

void require_fixed_text(hid_t type, const std::string& name) {
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0) {
    throw Failure(name + " does not hold text of a fixed length");
  }
}

/// The type in memory of text that is stored as `type`.
Handle in_memory(hid_t type) {
  return string_type(H5Tget_size(type), H5Tget_cset(type));
}

Reader::Dataset description(Source& source, const std::string& name) {
  const Stored stored(source, name);
  Reader::Dataset dataset{.name = name, .is_text = H5Tget_class(stored.type) == H5T_STRING, .shape = {}};
  dataset.shape.assign(stored.extent.begin(), stored.extent.end());
  if (dataset.is_text) return dataset;
  constexpr std::array known{Dtype::int32, Dtype::int64, Dtype::float32, Dtype::float64};
  const auto* const found =
      std::ranges::find_if(known, [&](Dtype dtype) { return H5Tequal(stored.type, number_type(dtype)) > 0; });
  if (found == known.end()) throw Failure(name + " has an unknown type");
  dataset.dtype = *found;
  return dataset;
}

}  // namespace

struct Reader::Impl {
  Source source;
  explicit Impl(hid_t id) : source{.file = {id, H5Fclose, "it cannot be opened as HDF5"}} {}
};

Reader::Reader(const std::filesystem::path& file) {
  const SilentErrors silent;
  impl_ = std::make_unique<Impl>(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
}

Reader::~Reader() = default;

bool Reader::has_attribute(const std::string& name) const {
  const SilentErrors silent;
  return H5Aexists(impl_->source.file, name.c_str()) > 0;
}

std::string Reader::text_attribute(const std::string& name) const {
  const SilentErrors silent;
  const Handle id(H5Aopen(impl_->source.file, name.c_str(), H5P_DEFAULT), H5Aclose, name);
  const Handle stored(H5Aget_type(id), H5Tclose, name);
  require_fixed_text(stored, name);
  std::string text(bytes_of_single(id, impl_->source, name), '\0');
  require(H5Aread(id, in_memory(stored), text.data()) >= 0, name);
  return text.substr(0, text.find('\0'));
}

int Reader::integer_attribute(const std::string& name) const {
  const SilentErrors silent;
  int number = 0;
  const Handle id(H5Aopen(impl_->source.file, name.c_str(), H5P_DEFAULT), H5Aclose, name);
  (void)bytes_of_single(id, impl_->source, name);
  require(H5Aread(id, H5T_NATIVE_INT, &number) >= 0, name);
  return number;
}

bool Reader::has(const std::string& name) const {
  const SilentErrors silent;
  return H5Lexists(impl_->source.file, name.c_str(), access(impl_->source, H5P_LINK_ACCESS)) > 0;
}

std::vector<std::string> Reader::names(const std::string& group) const {
  const SilentErrors silent;
  impl_->source.leads_away = false;
  const hid_t opened = H5Gopen2(impl_->source.file, group.c_str(), access(impl_->source, H5P_GROUP_ACCESS));
  require_stays_inside(impl_->source, group);
  const Handle id(opened, H5Gclose, group);
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
  for (const std::string& name : names()) result.push_back(description(impl_->source, name));
  return result;
}

Shape Reader::shape(const std::string& name, std::size_t rank) const {
  const SilentErrors silent;
  const Stored stored(impl_->source, name);
  if (stored.extent.size() != rank) throw Failure(name + " has the wrong shape");
  return {stored.extent.begin(), stored.extent.end()};
}

void Reader::read(const std::string& name, Dtype dtype, std::span<std::byte> values) const {
  const SilentErrors silent;
  const Stored stored(impl_->source, name);
  if (values.size() / size_of(dtype) != stored.values || values.size() % size_of(dtype) != 0) {
    throw Failure(name + " has the wrong shape");
  }
  if (stored.values == 0) return;
  require(H5Dread(stored.dataset, number_type(dtype), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0, name);
}

void Reader::read_rows(const std::string& name, Dtype dtype, std::size_t first, std::span<std::byte> values) const {
  const SilentErrors silent;
  const Stored stored(impl_->source, name);
  if (stored.extent.empty()) throw Failure(name + " has the wrong shape");
  Extent start(stored.extent.size(), 0), count = stored.extent;
  std::size_t row_bytes = size_of(dtype);
  for (std::size_t i = 1; i < count.size(); ++i) row_bytes *= static_cast<std::size_t>(count[i]);
  const std::size_t rows = row_bytes == 0 ? 0 : values.size() / row_bytes;
  if (rows * row_bytes != values.size() || first > stored.extent[0] || rows > stored.extent[0] - first) {
    throw Failure(name + " has the wrong shape");
  }
  if (rows == 0) return;
  start[0] = first;
  count[0] = rows;
  const Handle in_file(H5Dget_space(stored.dataset), H5Sclose, name);
  require(H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) >= 0, name);
  const Handle in_memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose, name);
  require(H5Dread(stored.dataset, number_type(dtype), in_memory, in_file, H5P_DEFAULT, values.data()) >= 0, name);
}

std::optional<std::uint64_t> Reader::place(const std::string& name) const {
  const SilentErrors silent;
  const Stored stored(impl_->source, name);
  const Handle properties(H5Dget_create_plist(stored.dataset), H5Pclose, name);
  const haddr_t place = H5Dget_offset(stored.dataset);
  if (H5Pget_layout(properties) != H5D_CONTIGUOUS || place == HADDR_UNDEF) return std::nullopt;
  return place;
}

std::vector<std::string> Reader::read_strings(const std::string& name) const {
  const SilentErrors silent;
  const Stored stored(impl_->source, name);
  if (stored.extent.size() != 1) throw Failure(name + " has the wrong shape");
  require_fixed_text(stored.type, name);
  const std::size_t length = H5Tget_size(stored.type);
  std::string packed(stored.values * length, '\0');
  if (stored.values > 0) {
    const Handle type = in_memory(stored.type);
    require(H5Dread(stored.dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, packed.data()) >= 0, name);
  }
  std::vector<std::string> strings;
  for (std::size_t i = 0; i < stored.values; ++i) {
    const std::string padded = packed.substr(i * length, length);
    strings.push_back(padded.substr(0, padded.find('\0')));
  }
  return strings;
}

}  // namespace maxwell_dg::dg::hdf5
