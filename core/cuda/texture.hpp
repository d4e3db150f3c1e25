#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/device/device.hpp"

/// CUDA's arrays, which textures read with caching in two or three dimensions and hardware interpolation, and surfaces
/// write.
namespace maxwell_dg::core::cuda {

enum class TexelType { uint8, int8, uint16, int16, uint32, int32, float16, float32 };

/// A texel is `channels` (1, 2 or 4) numbers of one type. A height of 0 makes a one-dimensional array, a depth of 0 a
/// two-dimensional one.
struct ArrayShape {
  std::size_t width{};
  std::size_t height{};
  std::size_t depth{};
  TexelType type{TexelType::float32};
  unsigned channels{1};
  [[nodiscard]] std::size_t texel_bytes() const;
  [[nodiscard]] std::size_t size_bytes() const;  ///< of all texels without gaps
};

/// Memory in the device's own order, for textures and surfaces only.
class Array {
 public:
  Array(const Device& device, const ArrayShape& shape);
  [[nodiscard]] const ArrayShape& shape() const;
  /// All texels, rows first, without gaps. Asynchronous as Stream::write is.
  void write(const Stream& stream, std::span<const std::byte> from) const;
  void read(const Stream& stream, std::span<std::byte> to) const;
  void copy_from(const Stream& stream, const Buffer& from, const BoxLayout& layout = {}) const;
  [[nodiscard]] std::uintptr_t raw() const;  ///< CUarray

 private:
  friend class Texture;
  friend class Surface;
  struct State;
  std::shared_ptr<State> state_;
};

enum class AddressMode { wrap, clamp, mirror, border };  ///< outside of the array; border reads 0
enum class FilterMode { nearest, linear };
enum class Coordinates { texels, unit };   ///< `unit`: the whole array is 0 to 1
enum class ReadAs { stored, unit_float };  ///< `unit_float`: integers become 0 to 1 or -1 to 1

struct TextureOptions {
  std::array<AddressMode, 3> address{AddressMode::clamp, AddressMode::clamp, AddressMode::clamp};
  FilterMode filter{FilterMode::nearest};
  Coordinates coordinates{Coordinates::texels};
  ReadAs read_as{ReadAs::stored};
};

/// What a kernel takes as cudaTextureObject_t; keeps the memory that it reads.
class Texture {
 public:
  Texture(const Array& array, const TextureOptions& options);
  /// Linear memory for tex1Dfetch: no filter, no coordinates but whole texels.
  Texture(const Buffer& linear, TexelType type, unsigned channels);
  /// Rows of a pitched buffer as a two-dimensional texture; from Device::allocate_pitched.
  Texture(const PitchedBuffer& rows, const ArrayShape& shape, const TextureOptions& options);
  [[nodiscard]] KernelArgument argument() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// What a kernel takes as cudaSurfaceObject_t.
class Surface {
 public:
  explicit Surface(const Array& array);
  [[nodiscard]] KernelArgument argument() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

/// Kernel text: `double fetch_double(cudaTextureObject_t, int)`. Hardware has no texels of double; a texture of int32
/// with two channels over the same memory holds their bits.
extern const char* const fetch_double_text;

}  // namespace maxwell_dg::core::cuda
