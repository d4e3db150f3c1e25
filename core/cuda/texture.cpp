#include "core/cuda/texture.hpp"

#include "core/cuda/of_cuda.hpp"

namespace maxwell_dg::core::cuda {
namespace {

constexpr const char* kTextures = "CUDA arrays, textures and surfaces";

std::size_t bytes_of(TexelType type) {
  switch (type) {
    case TexelType::uint8:
    case TexelType::int8: return 1;
    case TexelType::uint16:
    case TexelType::int16:
    case TexelType::float16: return 2;
    case TexelType::uint32:
    case TexelType::int32:
    case TexelType::float32: return 4;
  }
  return 0;
}

CUarray_format format_of(TexelType type) {
  switch (type) {
    case TexelType::uint8: return CU_AD_FORMAT_UNSIGNED_INT8;
    case TexelType::int8: return CU_AD_FORMAT_SIGNED_INT8;
    case TexelType::uint16: return CU_AD_FORMAT_UNSIGNED_INT16;
    case TexelType::int16: return CU_AD_FORMAT_SIGNED_INT16;
    case TexelType::uint32: return CU_AD_FORMAT_UNSIGNED_INT32;
    case TexelType::int32: return CU_AD_FORMAT_SIGNED_INT32;
    case TexelType::float16: return CU_AD_FORMAT_HALF;
    case TexelType::float32: return CU_AD_FORMAT_FLOAT;
  }
  return CU_AD_FORMAT_FLOAT;
}

CUaddress_mode mode_of(AddressMode mode) {
  switch (mode) {
    case AddressMode::wrap: return CU_TR_ADDRESS_MODE_WRAP;
    case AddressMode::clamp: return CU_TR_ADDRESS_MODE_CLAMP;
    case AddressMode::mirror: return CU_TR_ADDRESS_MODE_MIRROR;
    case AddressMode::border: return CU_TR_ADDRESS_MODE_BORDER;
  }
  return CU_TR_ADDRESS_MODE_CLAMP;
}

CUDA_TEXTURE_DESC description_of(const TextureOptions& options, TexelType type) {
  CUDA_TEXTURE_DESC texture{};
  for (std::size_t d = 0; d < 3; ++d) texture.addressMode[d] = mode_of(options.address[d]);
  texture.filterMode = options.filter == FilterMode::linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
  const bool is_integer = type != TexelType::float16 && type != TexelType::float32;
  if (is_integer && options.read_as == ReadAs::stored) texture.flags |= CU_TRSF_READ_AS_INTEGER;
  if (options.coordinates == Coordinates::unit) texture.flags |= CU_TRSF_NORMALIZED_COORDINATES;
  return texture;
}

std::size_t at_least_one(std::size_t extent) {
  return extent == 0 ? 1 : extent;
}

BoxExtent box_of(const ArrayShape& shape) {
  return {.width = shape.width * shape.texel_bytes(),
          .height = at_least_one(shape.height),
          .depth = at_least_one(shape.depth)};
}

CUDA_MEMCPY3D copy_of(const ArrayShape& shape) {
  const BoxExtent box = box_of(shape);
  CUDA_MEMCPY3D copy{};
  copy.WidthInBytes = box.width;
  copy.Height = box.height;
  copy.Depth = box.depth;
  copy.srcPitch = copy.dstPitch = box.width;
  copy.srcHeight = copy.dstHeight = box.height;
  return copy;
}

void check_size(const ArrayShape& shape, std::size_t bytes, const char* call) {
  if (bytes == shape.size_bytes()) return;
  throw DeviceError(std::string(call) + ": " + std::to_string(bytes) + " bytes for an array of " +
                    std::to_string(shape.size_bytes()));
}

}  // namespace

const char* const fetch_double_text = R"(
__device__ inline double fetch_double(cudaTextureObject_t texture, int index) {
  const int2 bits = tex1Dfetch<int2>(texture, index);
  return __hiloint2double(bits.y, bits.x);
}
)";

std::size_t ArrayShape::texel_bytes() const {
  return bytes_of(type) * channels;
}
std::size_t ArrayShape::size_bytes() const {
  const BoxExtent box = box_of(*this);
  return box.width * box.height * box.depth;
}

struct Array::State {
  State(std::shared_ptr<CudaDevice> its_device, const ArrayShape& its_shape, CUarray its_array)
      : device(std::move(its_device)), shape(its_shape), array(its_array) {
    device->memory().add(shape.size_bytes());
  }
  ~State() {
    device->memory().remove(shape.size_bytes());
    const ScopedContext current(device->context());
    if (current.is_current()) driver().cuArrayDestroy(array);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void copy(const Stream& stream, const CUDA_MEMCPY3D& what) const {
    CudaStream& queue = cuda_stream(stream, kTextures);
    const Current current(*device);
    check(driver().cuMemcpy3DAsync_v2(&what, queue.get()), "cuMemcpy3DAsync");
  }

  std::shared_ptr<CudaDevice> device;
  ArrayShape shape;
  CUarray array;
};

Array::Array(const Device& device, const ArrayShape& shape) {
  const auto state = cuda_device(device, kTextures);
  CUDA_ARRAY3D_DESCRIPTOR wanted{};
  wanted.Width = shape.width;
  wanted.Height = shape.height;
  wanted.Depth = shape.depth;
  wanted.Format = format_of(shape.type);
  wanted.NumChannels = shape.channels;
  wanted.Flags = CUDA_ARRAY3D_SURFACE_LDST;
  const Current current(*state);
  CUarray array = nullptr;
  const CUresult code = driver().cuArray3DCreate_v2(&array, &wanted);
  if (code == CUDA_ERROR_OUT_OF_MEMORY) throw out_of_memory(state->info(), shape.size_bytes(), state->free_bytes());
  check(code, "cuArray3DCreate", "texels have 1, 2 or 4 channels, and a size that the device has");
  state_ = std::make_shared<State>(state, shape, array);
}

const ArrayShape& Array::shape() const {
  return state_->shape;
}
std::uintptr_t Array::raw() const {
  return reinterpret_cast<std::uintptr_t>(state_->array);
}

void Array::write(const Stream& stream, std::span<const std::byte> from) const {
  check_size(shape(), from.size(), "Array::write");
  CUDA_MEMCPY3D copy = copy_of(shape());
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = from.data();
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = state_->array;
  state_->copy(stream, copy);
}

void Array::read(const Stream& stream, std::span<std::byte> to) const {
  check_size(shape(), to.size(), "Array::read");
  CUDA_MEMCPY3D copy = copy_of(shape());
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcArray = state_->array;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = to.data();
  state_->copy(stream, copy);
}

void Array::copy_from(const Stream& stream, const Buffer& from, const BoxLayout& layout) const {
  CUDA_MEMCPY3D copy = copy_of(shape());
  if (layout.row_pitch != 0) copy.srcPitch = layout.row_pitch;
  if (layout.slice_pitch != 0) copy.srcHeight = layout.slice_pitch / copy.srcPitch;
  const std::size_t rows = (copy.Depth - 1) * copy.srcHeight + copy.Height - 1;
  const std::size_t end = layout.offset + rows * copy.srcPitch + copy.WidthInBytes;
  if (copy.srcPitch < copy.WidthInBytes || end > from.size_bytes()) {
    throw DeviceError("Array::copy_from: the array's " + std::to_string(end) + " bytes do not lie in a buffer of " +
                      std::to_string(from.size_bytes()) + " bytes");
  }
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = cuda_buffer(from, kTextures).get() + layout.offset;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = state_->array;
  state_->copy(stream, copy);
}

struct Texture::State {
  State(std::shared_ptr<CudaDevice> its_device, std::shared_ptr<void> its_memory, const CUDA_RESOURCE_DESC& resource,
        const CUDA_TEXTURE_DESC& texture)
      : device(std::move(its_device)), memory(std::move(its_memory)) {
    const Current current(*device);
    check(driver().cuTexObjectCreate(&object, &resource, &texture, nullptr), "cuTexObjectCreate",
          "linear filtering needs floating-point texels or ReadAs::unit_float; wrapping needs Coordinates::unit");
  }
  ~State() {
    const ScopedContext current(device->context());
    if (current.is_current()) driver().cuTexObjectDestroy(object);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  std::shared_ptr<CudaDevice> device;
  std::shared_ptr<void> memory;
  CUtexObject object{};
};

Texture::Texture(const Array& array, const TextureOptions& options) {
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array.state_->array;
  state_ = std::make_shared<State>(array.state_->device, array.state_, resource,
                                   description_of(options, array.shape().type));
}

Texture::Texture(const Buffer& linear, TexelType type, unsigned channels) {
  const CudaBuffer& buffer = cuda_buffer(linear, kTextures);
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear.devPtr = buffer.get();
  resource.res.linear.format = format_of(type);
  resource.res.linear.numChannels = channels;
  resource.res.linear.sizeInBytes = linear.size_bytes();
  state_ = std::make_shared<State>(buffer.device(), buffer.owner(), resource, description_of({}, type));
}

Texture::Texture(const PitchedBuffer& rows, const ArrayShape& shape, const TextureOptions& options) {
  const CudaBuffer& buffer = cuda_buffer(rows.buffer, kTextures);
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_PITCH2D;
  resource.res.pitch2D.devPtr = buffer.get() + rows.layout.offset;
  resource.res.pitch2D.format = format_of(shape.type);
  resource.res.pitch2D.numChannels = shape.channels;
  resource.res.pitch2D.width = shape.width;
  resource.res.pitch2D.height = at_least_one(shape.height);
  resource.res.pitch2D.pitchInBytes = rows.layout.row_pitch;
  state_ = std::make_shared<State>(buffer.device(), buffer.owner(), resource, description_of(options, shape.type));
}

KernelArgument Texture::argument() const {
  return static_cast<std::uint64_t>(state_->object);
}

struct Surface::State {
  State(std::shared_ptr<CudaDevice> its_device, std::shared_ptr<void> its_memory, const CUDA_RESOURCE_DESC& resource)
      : device(std::move(its_device)), memory(std::move(its_memory)) {
    const Current current(*device);
    check(driver().cuSurfObjectCreate(&object, &resource), "cuSurfObjectCreate");
  }
  ~State() {
    const ScopedContext current(device->context());
    if (current.is_current()) driver().cuSurfObjectDestroy(object);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  std::shared_ptr<CudaDevice> device;
  std::shared_ptr<void> memory;
  CUsurfObject object{};
};

Surface::Surface(const Array& array) {
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array.state_->array;
  state_ = std::make_shared<State>(array.state_->device, array.state_, resource);
}

KernelArgument Surface::argument() const {
  return static_cast<std::uint64_t>(state_->object);
}

}  // namespace maxwell_dg::core::cuda
