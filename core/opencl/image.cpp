#include "core/opencl/image.hpp"

#include <algorithm>
#include <array>

#include "core/opencl/of_opencl.hpp"

namespace maxwell_dg::core::opencl {
namespace {

constexpr const char* kImages = "images (it has textures)";

struct Channel {
  cl_channel_type code;
  std::size_t bytes;
};

Channel channel_of(ChannelType type) {
  switch (type) {
    case ChannelType::uint8: return {CL_UNSIGNED_INT8, 1};
    case ChannelType::int8: return {CL_SIGNED_INT8, 1};
    case ChannelType::uint16: return {CL_UNSIGNED_INT16, 2};
    case ChannelType::int16: return {CL_SIGNED_INT16, 2};
    case ChannelType::uint32: return {CL_UNSIGNED_INT32, 4};
    case ChannelType::int32: return {CL_SIGNED_INT32, 4};
    case ChannelType::float16: return {CL_HALF_FLOAT, 2};
    case ChannelType::float32: return {CL_FLOAT, 4};
    case ChannelType::unorm8: return {CL_UNORM_INT8, 1};
    case ChannelType::unorm16: return {CL_UNORM_INT16, 2};
  }
  return {CL_FLOAT, 4};
}

using Triple = std::array<std::size_t, 3>;

Triple region_of(const ImageShape& shape) {
  return {shape.width, std::max<std::size_t>(shape.height, 1), std::max<std::size_t>(shape.depth, 1)};
}

cl_image_format format_of(const ImageShape& shape) {
  const cl_channel_order order = shape.channels == 1 ? CL_R : shape.channels == 2 ? CL_RG : CL_RGBA;
  return {order, channel_of(shape.type).code};
}

cl_image_desc description_of(const ImageShape& shape) {
  cl_image_desc description{};
  description.image_type = shape.depth != 0    ? CL_MEM_OBJECT_IMAGE3D
                           : shape.height != 0 ? CL_MEM_OBJECT_IMAGE2D
                                               : CL_MEM_OBJECT_IMAGE1D;
  description.image_width = shape.width;
  description.image_height = shape.height;
  description.image_depth = shape.depth;
  return description;
}

/// An image and the device that it counts on.
struct Holder {
  Holder(std::shared_ptr<OpenclDevice> its_device, Owned<cl_mem> its_image, std::size_t its_bytes)
      : device(std::move(its_device)), image(std::move(its_image)), bytes(its_bytes) {
    device->memory().add(bytes);
  }
  ~Holder() { device->memory().remove(bytes); }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;

  std::shared_ptr<OpenclDevice> device;
  Owned<cl_mem> image;
  std::size_t bytes;
};

void check_format(const OpenclDevice& device, const cl_image_desc& description, const cl_image_format& format) {
  cl_uint count = 0;
  check(clGetSupportedImageFormats(device.context(), CL_MEM_READ_WRITE, description.image_type, 0, nullptr, &count),
        "clGetSupportedImageFormats");
  std::vector<cl_image_format> formats(count);
  check(clGetSupportedImageFormats(device.context(), CL_MEM_READ_WRITE, description.image_type, count, formats.data(),
                                   nullptr),
        "clGetSupportedImageFormats");
  const bool known = std::ranges::any_of(formats, [&](const cl_image_format& each) {
    return each.image_channel_order == format.image_channel_order &&
           each.image_channel_data_type == format.image_channel_data_type;
  });
  if (!known) {
    throw UnsupportedFeature("OpenCL device '" + device.info().name +
                             "' has no images of this format; four channels of float32 are had everywhere");
  }
}

void check_size(const ImageShape& shape, std::size_t bytes, const char* call) {
  if (bytes == shape.size_bytes()) return;
  throw DeviceError(std::string(call) + ": " + std::to_string(bytes) + " bytes for an image of " +
                    std::to_string(shape.size_bytes()));
}

}  // namespace

std::size_t ImageShape::pixel_bytes() const {
  return channel_of(type).bytes * channels;
}
std::size_t ImageShape::size_bytes() const {
  const Triple region = region_of(*this);
  return pixel_bytes() * region[0] * region[1] * region[2];
}

Image::Image(const Device& device, const ImageShape& shape) : shape_(shape) {
  auto& state = of_opencl<OpenclDevice>(device.state(), kImages);
  if (shape.channels != 1 && shape.channels != 2 && shape.channels != 4) {
    throw DeviceError("an image with " + std::to_string(shape.channels) + " channels; it may have 1, 2 or 4");
  }
  if (device_property<cl_bool>(state.id(), CL_DEVICE_IMAGE_SUPPORT) == CL_FALSE) {
    throw UnsupportedFeature("OpenCL device '" + state.info().name + "' has no images; use buffers");
  }
  const cl_image_desc description = description_of(shape);
  const cl_image_format format = format_of(shape);
  check_format(state, description, format);
  cl_int code = CL_SUCCESS;
  Owned<cl_mem> image(clCreateImage(state.context(), CL_MEM_READ_WRITE, &format, &description, nullptr, &code));
  if (code == CL_MEM_OBJECT_ALLOCATION_FAILURE)
    throw out_of_memory(state.info(), shape.size_bytes(), state.free_bytes());
  check(code, "clCreateImage");
  const auto self = std::static_pointer_cast<OpenclDevice>(state.shared_from_this());
  cl_mem raw = image.get();
  image_ = Buffer(std::make_shared<OpenclBuffer>(self, shape.size_bytes(), raw, OpenclBuffer::Place{.whole = raw},
                                                 std::make_shared<Holder>(self, std::move(image), shape.size_bytes())));
}

void Image::write(const Stream& stream, std::span<const std::byte> from) const {
  check_size(shape_, from.size(), "Image::write");
  const Triple origin{};
  const Triple region = region_of(shape_);
  check(clEnqueueWriteImage(of_opencl<OpenclStream>(stream.state(), kImages).get(),
                            of_opencl<OpenclBuffer>(image_.state(), kImages).get(), CL_FALSE, origin.data(),
                            region.data(), 0, 0, from.data(), 0, nullptr, nullptr),
        "clEnqueueWriteImage");
}

void Image::read(const Stream& stream, std::span<std::byte> to) const {
  check_size(shape_, to.size(), "Image::read");
  const Triple origin{};
  const Triple region = region_of(shape_);
  check(clEnqueueReadImage(of_opencl<OpenclStream>(stream.state(), kImages).get(),
                           of_opencl<OpenclBuffer>(image_.state(), kImages).get(), CL_FALSE, origin.data(),
                           region.data(), 0, 0, to.data(), 0, nullptr, nullptr),
        "clEnqueueReadImage");
}

}  // namespace maxwell_dg::core::opencl
