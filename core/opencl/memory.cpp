#include "core/opencl/host_pages.hpp"
#include "core/opencl/states.hpp"
#include "core/round_up.hpp"

namespace maxwell_dg::core::opencl {
namespace {

bool is_out_of_memory(cl_int code) {
  return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES || code == CL_OUT_OF_HOST_MEMORY ||
         code == CL_INVALID_BUFFER_SIZE;
}

/// What a buffer's handles share: device memory that counts as allocated.
struct Allocation {
  Allocation(std::shared_ptr<OpenclDevice> its_device, Owned<cl_mem> its_memory, std::size_t its_bytes)
      : device(std::move(its_device)), memory(std::move(its_memory)), bytes(its_bytes) {
    device->memory().add(bytes);
  }
  ~Allocation() { device->memory().remove(bytes); }
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;

  std::shared_ptr<OpenclDevice> device;
  Owned<cl_mem> memory;
  std::size_t bytes;
};

/// A cl_mem and what it depends on.
struct Part {
  std::shared_ptr<void> whole;
  Owned<cl_mem> memory;
};

/// A buffer shown to the host for as long as it lives.
struct Mapping {
  Mapping(std::shared_ptr<OpenclDevice> its_device, Owned<cl_mem> its_memory, std::size_t bytes)
      : device(std::move(its_device)), memory(std::move(its_memory)) {
    device->require_not_abandoned();
    cl_int code = CL_SUCCESS;
    data = clEnqueueMapBuffer(device->own_queue(), memory.get(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0,
                              nullptr, nullptr, &code);
    check(code, "clEnqueueMapBuffer");
  }
  ~Mapping() {
    if (device->is_abandoned()) return;
    cl_command_queue queue = device->own_queue();
    clEnqueueUnmapMemObject(queue, memory.get(), data, 0, nullptr, nullptr);
    clFinish(queue);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  std::shared_ptr<OpenclDevice> device;
  Owned<cl_mem> memory;
  void* data{};
};

/// Memory that host and device address alike, with a cl_mem over it.
struct SharedVirtual {
  SharedVirtual(std::shared_ptr<OpenclDevice> its_device, std::size_t bytes)
      : device(std::move(its_device)),
        data(clSVMAlloc(device->context(), CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, bytes, 0)) {
    if (data == nullptr) throw out_of_memory(device->info(), bytes, device->free_bytes());
    cl_int code = CL_SUCCESS;
    memory.reset(clCreateBuffer(device->context(), CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, data, &code));
    if (code != CL_SUCCESS) clSVMFree(device->context(), data);
    check(code, "clCreateBuffer");
  }
  ~SharedVirtual() {
    memory.reset();
    clSVMFree(device->context(), data);
  }
  SharedVirtual(const SharedVirtual&) = delete;
  SharedVirtual& operator=(const SharedVirtual&) = delete;

  std::shared_ptr<OpenclDevice> device;
  void* data;
  Owned<cl_mem> memory;
};

template <class Owner>
std::shared_ptr<HostState> host_state(std::shared_ptr<Owner> owner, std::size_t bytes,
                                      std::shared_ptr<BufferState> view) {
  const std::span<std::byte> memory(static_cast<std::byte*>(owner->data), bytes);
  return std::make_shared<HostState>(memory, std::move(view), std::move(owner));
}

Owned<cl_mem> create(const OpenclDevice& device, cl_mem_flags flags, std::size_t bytes, void* host, cl_int& code) {
  return Owned<cl_mem>(clCreateBuffer(device.context(), CL_MEM_READ_WRITE | flags, bytes, host, &code));
}

}  // namespace

std::size_t OpenclDevice::free_bytes() {
  const std::size_t used = memory().current();
  return used < info().memory_bytes ? info().memory_bytes - used : 0;
}

std::size_t OpenclDevice::best_row_pitch(std::size_t row_bytes) {
  return round_up(row_bytes, alignment_);
}

std::shared_ptr<BufferState> OpenclDevice::allocate(std::size_t bytes) {
  if (bytes == 0) return std::make_shared<OpenclBuffer>(self(), 0, nullptr, OpenclBuffer::Place{}, nullptr);
  if (bytes > largest_allocation_) {
    throw OutOfDeviceMemory("out of device memory: one buffer of " + readable_bytes(bytes) + " was asked for, '" +
                            info().name + "' allows at most " + readable_bytes(largest_allocation_) +
                            " in one piece; ask for less at once, or take another device");
  }
  // A CPU driver may promise more than there is, and the process would be killed when it touches the memory.
  if (bytes > free_bytes()) throw out_of_memory(info(), bytes, free_bytes());
  cl_int code = CL_SUCCESS;
  Owned<cl_mem> memory = info().is_cpu && bytes >= least_in_large_pages ? create_in_large_pages(context(), bytes, code)
                                                                        : create(*this, 0, bytes, nullptr, code);
  if (is_out_of_memory(code)) throw out_of_memory(info(), bytes, free_bytes());
  check(code, "clCreateBuffer");
  cl_mem raw = memory.get();
  return std::make_shared<OpenclBuffer>(self(), bytes, raw, OpenclBuffer::Place{.whole = raw},
                                        std::make_shared<Allocation>(self(), std::move(memory), bytes));
}

std::shared_ptr<HostState> OpenclDevice::allocate_host(std::size_t bytes, HostMemory kind) {
  if (kind == HostMemory::write_combined) {
    throw lacks(Backend::opencl, "write-combined host memory", "use HostMemory::page_locked");
  }
  if (bytes == 0) return std::make_shared<HostState>(std::span<std::byte>{}, nullptr, nullptr);
  if (kind == HostMemory::page_locked) {
    cl_int code = CL_SUCCESS;
    Owned<cl_mem> memory = create(*this, CL_MEM_ALLOC_HOST_PTR, bytes, nullptr, code);
    if (is_out_of_memory(code)) throw out_of_memory(info(), bytes, free_bytes());
    check(code, "clCreateBuffer");
    return host_state(std::make_shared<Mapping>(self(), std::move(memory), bytes), bytes, nullptr);
  }
  const auto shared = device_property_or<cl_device_svm_capabilities>(found_.id, CL_DEVICE_SVM_CAPABILITIES,
                                                                     cl_device_svm_capabilities{});
  if ((shared & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) == 0) {
    throw UnsupportedFeature("OpenCL device '" + info().name +
                             "' has no fine-grained shared virtual memory, which mapped and managed host memory are "
                             "made of; use HostMemory::page_locked and copy");
  }
  auto owner = std::make_shared<SharedVirtual>(self(), bytes);
  cl_mem raw = owner->memory.get();
  auto view = std::make_shared<OpenclBuffer>(self(), bytes, raw, OpenclBuffer::Place{.whole = raw}, owner);
  return host_state(std::move(owner), bytes, std::move(view));
}

std::shared_ptr<HostState> OpenclDevice::register_host(std::span<std::byte> memory) {
  if (memory.empty()) return std::make_shared<HostState>(memory, nullptr, nullptr);
  cl_int code = CL_SUCCESS;
  Owned<cl_mem> over = create(*this, CL_MEM_USE_HOST_PTR, memory.size(), memory.data(), code);
  check(code, "clCreateBuffer");
  return host_state(std::make_shared<Mapping>(self(), std::move(over), memory.size()), memory.size(), nullptr);
}

std::shared_ptr<BufferState> OpenclDevice::wrap_buffer(std::uintptr_t raw, std::size_t bytes,
                                                       std::shared_ptr<void> owner) {
  auto* memory = reinterpret_cast<cl_mem>(raw);
  if (memory == nullptr) return std::make_shared<OpenclBuffer>(self(), 0, nullptr, OpenclBuffer::Place{}, nullptr);
  std::size_t size = 0;
  check(clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof size, &size, nullptr), "clGetMemObjectInfo",
        "Device::wrap_buffer takes a cl_mem");
  if (bytes > size) {
    throw DeviceError("Device::wrap_buffer: " + std::to_string(bytes) + " bytes of a cl_mem of " +
                      std::to_string(size) + " bytes");
  }
  check(clRetainMemObject(memory), "clRetainMemObject");
  auto kept = std::make_shared<Part>(Part{.whole = std::move(owner), .memory = Owned<cl_mem>(memory)});
  return std::make_shared<OpenclBuffer>(self(), bytes, memory, OpenclBuffer::Place{.whole = memory}, std::move(kept));
}

std::shared_ptr<BufferState> OpenclBuffer::region(std::size_t offset, std::size_t bytes, std::shared_ptr<void> owner) {
  if (offset == 0) return std::make_shared<OpenclBuffer>(device_, bytes, memory_, place_, std::move(owner));
  const std::size_t alignment = device_->alignment();
  const cl_buffer_region range{place_.offset + offset, bytes};
  if (range.origin % alignment != 0) {
    throw DeviceError("Buffer::region: byte " + std::to_string(range.origin) + " is no multiple of the " +
                      std::to_string(alignment) + " bytes at which OpenCL device '" + device_->info().name +
                      "' lets a part of a buffer begin; give the kernel the whole buffer and an offset");
  }
  cl_int code = CL_SUCCESS;
  Owned<cl_mem> part(clCreateSubBuffer(place_.whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &range, &code));
  check(code, "clCreateSubBuffer");
  cl_mem raw = part.get();
  auto kept = std::make_shared<Part>(Part{.whole = std::move(owner), .memory = std::move(part)});
  return std::make_shared<OpenclBuffer>(device_, bytes, raw, Place{.whole = place_.whole, .offset = range.origin},
                                        std::move(kept));
}

}  // namespace maxwell_dg::core::opencl
