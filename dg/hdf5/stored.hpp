#pragma once

#include <cstddef>
#include <string>

#include "dg/hdf5/handle.hpp"

namespace maxwell_dg::dg::hdf5 {

/// A file that is read. Nobody says that this program wrote it: what it claims is compared with what it can hold before
/// memory is taken for it, and nothing of it is looked for in other files.
struct Source {
  Handle file;
  bool leads_away = false;  ///< a link into another file was met
};

/// An access list of the class `kind` (H5P_DATASET_ACCESS ...) that follows no link into another file.
[[nodiscard]] Handle access(Source& source, hid_t kind);

/// Throws a Failure where the last call met a link into another file.
void require_stays_inside(const Source& source, const std::string& name);

/// A dataset whose values are all in this file. Throws a Failure where it is kept elsewhere (external storage, virtual
/// datasets, links into other files), was never written, or has a larger extent than the file has room for.
struct Stored {
  Handle dataset;
  Handle type;
  Extent extent;          ///< empty for a single value
  std::size_t values{1};  ///< the product of the extents

  Stored(Source& source, const std::string& name);
};

/// The bytes of one value of a type, which must be of one text of a fixed length or of one number. Throws a Failure
/// where an attribute holds several values or more than the file.
[[nodiscard]] std::size_t bytes_of_single(hid_t attribute, const Source& source, const std::string& name);

}  // namespace maxwell_dg::dg::hdf5
