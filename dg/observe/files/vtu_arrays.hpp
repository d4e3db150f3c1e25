#pragma once

#include <cstddef>
#include <functional>
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

  /// Takes one piece of an array's values after the other.
  template <class T>
  using Take = std::function<void(std::span<const T>)>;

  /// Blocks that `add_pieces` holds, at most.
  static constexpr std::size_t usually_held = std::size_t{64} << 20;

  explicit VtuArrays(std::ostream& stream, bool compressed = false, std::size_t held_bytes = usually_held)
      : stream_(stream), compressed_(compressed), held_bytes_(held_bytes) {}

  /// `T`: float, double, std::uint8_t, std::int32_t or std::int64_t. `values`: [tuple][component].
  template <class T>
  void add(const std::string& name, std::size_t components, std::span<const T> values);
  /// The same text for values that `pieces` hands over piece by piece, so that nobody has all of them. The sizes of all
  /// blocks stand before the blocks: where these are more than `held_bytes`, `pieces` is called a second time, and must
  /// hand over the same values.
  template <class T>
  void add_pieces(const std::string& name, std::size_t components, const std::function<void(const Take<T>&)>& pieces);

 private:
  template <class T>
  void begin(const std::string& name, std::size_t components);
  void end();

  std::ostream& stream_;
  bool compressed_;
  std::size_t held_bytes_;
};

}  // namespace maxwell_dg::dg
