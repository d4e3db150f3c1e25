#pragma once

#include <cstddef>
#include <iosfwd>
#include <span>
#include <string>

namespace maxwell_dg::dg {

/// Writes `DataArray` elements of VTK's XML files: binary, in blocks that zlib compresses, in base64 inside the element
/// (format="binary"). Raw bytes in an appended section take a quarter less, but are no XML: Expat 2.6, with which
/// VTK 9.1 reads on Ubuntu 24.04, stops at them. Blocks of zeros alone shrink; others are stored as they are, for
/// fields hardly shrink and to try takes longer than all the rest. What repeats in every file may be `compressed`.
class VtuArrays {
 public:
  static constexpr const char* header_type = "UInt64";                ///< of the sizes in front of each array
  static constexpr const char* compressor = "vtkZLibDataCompressor";  ///< what the file says of both

  explicit VtuArrays(std::ostream& stream, bool compressed = false) : stream_(stream), compressed_(compressed) {}

  /// `T`: float, double, std::uint8_t, std::int32_t or std::int64_t. `values`: [tuple][component].
  template <class T>
  void add(const std::string& name, std::size_t components, std::span<const T> values);

 private:
  std::ostream& stream_;
  bool compressed_;
};

}  // namespace maxwell_dg::dg
