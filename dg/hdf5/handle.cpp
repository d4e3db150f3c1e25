#include "dg/hdf5/handle.hpp"

#include <algorithm>
#include <stdexcept>

#include "dg/hdf5/file.hpp"

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

}  // namespace

void require(bool ok, const std::string& what) {
  if (!ok) throw Failure(what + ": " + reason());
}

Handle string_type(std::size_t length, H5T_cset_t characters) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, std::max<std::size_t>(1, length));
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, characters);
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

SilentErrors::SilentErrors() {
  H5E_auto2_t function{};
  H5Eget_auto2(H5E_DEFAULT, &function, &data_);
  function_ = reinterpret_cast<void*>(function);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

SilentErrors::~SilentErrors() {
  if (!stays_) H5Eset_auto2(H5E_DEFAULT, reinterpret_cast<H5E_auto2_t>(function_), data_);
}

}  // namespace maxwell_dg::dg::hdf5
