#include "core/cuda/gl_buffer.hpp"

#include "core/cuda/of_cuda.hpp"

namespace maxwell_dg::core::cuda {

struct GlBuffer::State {
  State(std::shared_ptr<CudaDevice> its_device, CUgraphicsResource its_resource)
      : device(std::move(its_device)), resource(its_resource) {}
  ~State() {
    const ScopedContext current(device->context());
    if (current.is_current()) driver().cuGraphicsUnregisterResource(resource);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  std::shared_ptr<CudaDevice> device;
  CUgraphicsResource resource;
};

GlBuffer::GlBuffer(const Device& device, unsigned name) {
  const auto state = cuda_device(device, "buffers of OpenGL");
  if (driver().cuGraphicsGLRegisterBuffer.get() == nullptr) {
    throw UnsupportedFeature("this CUDA driver has no access to OpenGL; copy through the host");
  }
  const Current current(*state);
  CUgraphicsResource resource = nullptr;
  check(driver().cuGraphicsGLRegisterBuffer(&resource, name, CU_GRAPHICS_REGISTER_FLAGS_NONE),
        "cuGraphicsGLRegisterBuffer",
        "OpenGL's context must be current on this thread, drawn by this GPU, and the buffer have its storage");
  state_ = std::make_shared<State>(state, resource);
}

Buffer GlBuffer::map(const Stream& stream) {
  CudaStream& queue = cuda_stream(stream, "buffers of OpenGL");
  const Current current(*state_->device);
  check(driver().cuGraphicsMapResources(1, &state_->resource, queue.get()), "cuGraphicsMapResources");
  CUdeviceptr address{};
  std::size_t bytes = 0;
  check(driver().cuGraphicsResourceGetMappedPointer_v2(&address, &bytes, state_->resource),
        "cuGraphicsResourceGetMappedPointer");
  return Buffer(std::make_shared<CudaBuffer>(state_->device, bytes, address, state_));
}

void GlBuffer::unmap(const Stream& stream) {
  CudaStream& queue = cuda_stream(stream, "buffers of OpenGL");
  const Current current(*state_->device);
  check(driver().cuGraphicsUnmapResources(1, &state_->resource, queue.get()), "cuGraphicsUnmapResources");
}

}  // namespace maxwell_dg::core::cuda
