#include "dg/hdf5/stored.hpp"

#include <algorithm>
#include <cstdint>

#include "dg/hdf5/file.hpp"

namespace maxwell_dg::dg::hdf5 {
namespace {

/// Deflate makes at most 1032 bytes of one; and what a few small chunks have around them.
constexpr std::uint64_t most_expansion = 1032, slack_bytes = 4096;

std::uint64_t size_of(const Source& source) {
  hsize_t bytes = 0;
  require(H5Fget_filesize(source.file, &bytes) >= 0, "its size");
  return bytes;
}

Handle open(Source& source, const std::string& name) {
  source.leads_away = false;
  const Handle list = access(source, H5P_DATASET_ACCESS);
  const hid_t id = H5Dopen2(source.file, name.c_str(), list);
  require_stays_inside(source, name);
  return {id, H5Dclose, name};
}

/// Looked at before anything else is asked for: a virtual dataset opens its sources when it is asked for its extent.
void require_kept_here(hid_t properties, const std::string& name) {
  if (H5Pget_layout(properties) == H5D_VIRTUAL) throw Failure(name + " is a view of other datasets");
  if (H5Pget_external_count(properties) > 0) throw Failure(name + " keeps its values in another file");
}

Extent extent_of(const Handle& dataset, const std::string& name) {
  const Handle properties(H5Dget_create_plist(dataset), H5Pclose, name);
  require_kept_here(properties, name);
  const Handle space(H5Dget_space(dataset), H5Sclose, name);
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank < 0 || H5Sget_simple_extent_type(space) == H5S_NULL) throw Failure(name + " holds nothing");
  Extent extent(static_cast<std::size_t>(rank));
  require(H5Sget_simple_extent_dims(space, extent.data(), nullptr) == rank, name);
  return extent;
}

/// Of extents of at least one and a value's bytes; none where that is no number.
bool multiply(const Extent& extent, std::uint64_t& bytes) {
  return std::ranges::none_of(
      extent, [&](hsize_t n) { return __builtin_mul_overflow(bytes, std::max<hsize_t>(1, n), &bytes); });
}

bool fits(const Source& source, const Handle& dataset, const Extent& extent, std::uint64_t value_bytes,
          const std::string& name) {
  std::uint64_t wanted = value_bytes;
  if (!multiply(extent, wanted)) return false;
  if (std::ranges::find(extent, hsize_t{0}) != extent.end()) return true;  // the other extents are bounded, too
  std::uint64_t room = std::min<std::uint64_t>(H5Dget_storage_size(dataset), size_of(source));
  const Handle properties(H5Dget_create_plist(dataset), H5Pclose, name);
  if (H5Pget_layout(properties) == H5D_CHUNKED) {
    Extent chunk(extent.size());  // read as a whole, however small the dataset is
    require(H5Pget_chunk(properties, static_cast<int>(chunk.size()), chunk.data()) >= 0, name);
    std::uint64_t chunk_bytes = value_bytes;
    if (!multiply(chunk, chunk_bytes)) return false;
    wanted = std::max(wanted, chunk_bytes);
    if (H5Pget_nfilters(properties) > 0 && room > 0) room = room * most_expansion + slack_bytes;
  }
  return wanted <= room;
}

}  // namespace

Handle access(Source& source, hid_t kind) {
  const hid_t list = H5Pcreate(kind);
  require(list >= 0, "access properties");
  H5Pset_elink_cb(
      list,
      [](const char*, const char*, const char*, const char*, unsigned*, hid_t, void* away) -> herr_t {
        *static_cast<bool*>(away) = true;
        return -1;
      },
      &source.leads_away);
  return {list, H5Pclose, "access properties"};
}

void require_stays_inside(const Source& source, const std::string& name) {
  if (source.leads_away) throw Failure(name + " is a link into another file");
}

Stored::Stored(Source& source, const std::string& name)
    : dataset(open(source, name)), type(H5Dget_type(dataset), H5Tclose, name), extent(extent_of(dataset, name)) {
  if (!fits(source, dataset, extent, H5Tget_size(type), name)) {
    throw Failure(name + " claims to hold more than is in the file");
  }
  for (const hsize_t n : extent) values *= static_cast<std::size_t>(n);
}

std::size_t bytes_of_single(hid_t attribute, const Source& source, const std::string& name) {
  const Handle space(H5Aget_space(attribute), H5Sclose, name);
  if (H5Sget_simple_extent_npoints(space) != 1) throw Failure(name + " is not one value");
  const Handle type(H5Aget_type(attribute), H5Tclose, name);
  const std::size_t bytes = H5Tget_size(type);
  if (bytes == 0 || bytes > size_of(source)) throw Failure(name + " claims to hold more than is in the file");
  return bytes;
}

}  // namespace maxwell_dg::dg::hdf5
