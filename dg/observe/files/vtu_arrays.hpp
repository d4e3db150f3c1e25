#pragma once

#include <cstddef>
#include <iosfwd>
#include <span>
#include <string>

namespace maxwell_dg::dg {

/// Writes `DataArray` elements of VTK's XML files with format="binary": blocks in zlib's format, in base64. (Raw bytes
/// in an appended section would take a quarter less space, but are not XML: Expat 2.6, with which VTK 9.1 reads on
/// Ubuntu 24.04, rejects them.) Only blocks of zeros are really compressed: fields hardly shrink, and trying takes
/// longer than all other work. With `compressed` all blocks are, for data that every file repeats.
class VtuArrays {
 public:
  /// The beginning of such an element, with the attributes that tell the type of values, name and components.
  template <class T>
  static void declare(std::ostream& stream, const char* element, const std::string& name, std::size_t components);

  static constexpr const char* header_type = "UInt64";  ///< attribute: type of the sizes before each array
  static constexpr const char* compressor = "vtkZLibDataCompressor";  ///< attribute: how blocks are compressed

  explicit VtuArrays(std::ostream& stream, bool compressed = false) : stream_(stream), compressed_(compressed) {}

  /// `T`: float, double, std::uint8_t, std::int32_t or std::int64_t. `values`: [tuple][component].
  template <class T>
  void add(const std::string& name, std::size_t components, std::span<const T> values);

 private:
  std::ostream& stream_;
  bool compressed_;
};

}  // namespace maxwell_dg::dg
