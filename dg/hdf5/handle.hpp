#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <hdf5.h>

#include "core/dtype.hpp"

/// What writer and reader have in common. HDF5's own names stay in this room.
namespace maxwell_dg::dg::hdf5 {

/// Throws a Failure of `what`, with the cause that HDF5 gives, unless `ok`.
void require(bool ok, const std::string& what);

/// An HDF5 object that is closed when it goes out of scope. Throws a Failure of `what` where there is none.
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

/// Text of a fixed length, padded with zeros.
[[nodiscard]] Handle string_type(std::size_t length, H5T_cset_t characters = H5T_CSET_UTF8);

[[nodiscard]] hid_t number_type(Dtype dtype);

using Extent = std::vector<hsize_t>;

}  // namespace maxwell_dg::dg::hdf5
