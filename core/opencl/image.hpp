#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "core/device/device.hpp"

/// OpenCL's images: memory in two or three dimensions that kernels read with samplers. CUDA has textures instead.
namespace maxwell_dg::core::opencl {

enum class ChannelType { uint8, int8, uint16, int16, uint32, int32, float16, float32, unorm8, unorm16 };

/// A pixel is `channels` (1, 2 or 4) numbers of one type. A height of 0 makes a one-dimensional image, a depth of 0 a
/// two-dimensional one. `unorm` integers are read as 0 to 1.
struct ImageShape {
  std::size_t width{};
  std::size_t height{};
  std::size_t depth{};
  ChannelType type{ChannelType::float32};
  unsigned channels{4};
  [[nodiscard]] std::size_t pixel_bytes() const;
  [[nodiscard]] std::size_t size_bytes() const;  ///< of all pixels without gaps
};

class Image {
 public:
  /// Throws UnsupportedFeature when the device has no images, or none of this format.
  Image(const Device& device, const ImageShape& shape);
  [[nodiscard]] const ImageShape& shape() const { return shape_; }
  /// All pixels, rows first, without gaps. Asynchronous as Stream::write is.
  void write(const Stream& stream, std::span<const std::byte> from) const;
  void read(const Stream& stream, std::span<std::byte> to) const;
  /// What a kernel takes as image2d_t and the like. It is no memory for Stream's copies.
  [[nodiscard]] KernelArgument argument() const { return image_; }

 private:
  ImageShape shape_;
  Buffer image_;
};

}  // namespace maxwell_dg::core::opencl
