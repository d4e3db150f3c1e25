#include <array>
#include <cstdlib>

#include "core/opencl/opencl.hpp"
#include "core/opencl/states.hpp"

namespace maxwell_dg::core::opencl {
namespace {

Owned<cl_context> create_context(cl_device_id id) {
  cl_int code = CL_SUCCESS;
  Owned<cl_context> context(clCreateContext(nullptr, 1, &id, nullptr, nullptr, &code));
  check(code, "clCreateContext");
  return context;
}

LaunchLimits limits_of(cl_device_id id) {
  LaunchLimits limits;
  limits.group_items = device_property<std::size_t>(id, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  const auto dimensions = device_property<cl_uint>(id, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS);
  std::vector<std::size_t> sizes(dimensions);
  check(clGetDeviceInfo(id, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizes.size() * sizeof(std::size_t), sizes.data(), nullptr),
        "clGetDeviceInfo");
  for (std::size_t d = 0; d < 3; ++d) limits.group_size[d] = sizes.at(d);
  limits.groups.fill(SIZE_MAX);  // bounded only by the product with group_size, in the device's address width
  return limits;
}

bool is_out_of_memory(cl_int code) {
  return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES || code == CL_OUT_OF_HOST_MEMORY ||
         code == CL_INVALID_BUFFER_SIZE;
}

}  // namespace

DeviceList list_devices() {
  DeviceList list;
  for (const FoundDevice& found : found_devices()) list.devices.push_back(found.info);
  if (list.devices.empty()) list.absence = "no OpenCL driver is installed";
  return list;
}

std::shared_ptr<DeviceState> open(const DeviceInfo& info) {
  return std::make_shared<OpenclDevice>(found_devices().at(static_cast<std::size_t>(info.index)));
}

OpenclDevice::OpenclDevice(const FoundDevice& found)
    : DeviceState(found.info),
      found_(found),
      context_(create_context(found.id)),
      limits_(limits_of(found.id)),
      largest_allocation_(static_cast<std::size_t>(device_property<cl_ulong>(found.id, CL_DEVICE_MAX_MEM_ALLOC_SIZE))),
      language_(language_version(found)) {}

std::shared_ptr<StreamState> OpenclDevice::create_stream() {
  auto stream = std::make_shared<OpenclStream>(std::static_pointer_cast<OpenclDevice>(shared_from_this()));
  const std::lock_guard lock(streams_mutex_);
  std::erase_if(streams_, [](const auto& entry) { return entry.expired(); });
  streams_.push_back(stream);
  return stream;
}

std::size_t OpenclDevice::free_bytes() {
  const std::size_t used = memory().current();
  return used < info().memory_bytes ? info().memory_bytes - used : 0;
}

std::shared_ptr<BufferState> OpenclDevice::allocate(std::size_t bytes) {
  auto self = std::static_pointer_cast<OpenclDevice>(shared_from_this());
  if (bytes == 0) return std::make_shared<OpenclBuffer>(std::move(self), 0, nullptr);
  if (bytes > largest_allocation_) {
    throw OutOfDeviceMemory("out of device memory: one buffer of " + readable_bytes(bytes) + " was asked for, '" +
                            info().name + "' allows at most " + readable_bytes(largest_allocation_) +
                            " in one piece; use a smaller mesh or order, or another device");
  }
  // A CPU driver may promise more than there is, and the process would be killed when it touches the memory.
  if (bytes > free_bytes()) throw out_of_memory(info(), bytes, free_bytes());
  cl_int code = CL_SUCCESS;
  Owned<cl_mem> memory(clCreateBuffer(context_.get(), CL_MEM_READ_WRITE, bytes, nullptr, &code));
  if (is_out_of_memory(code)) throw out_of_memory(info(), bytes, free_bytes());
  check(code, "clCreateBuffer");
  return std::make_shared<OpenclBuffer>(std::move(self), bytes, std::move(memory));
}

void OpenclDevice::synchronize() {
  std::vector<std::shared_ptr<StreamState>> alive;
  {
    const std::lock_guard lock(streams_mutex_);
    for (const auto& entry : streams_) {
      if (auto stream = entry.lock()) alive.push_back(std::move(stream));
    }
  }
  for (const auto& stream : alive) stream->synchronize();
}

std::vector<std::string> OpenclDevice::compiler_fingerprint() {
  std::vector<std::string> fields{
      "OpenCL",
      platform_text(found_.platform, CL_PLATFORM_NAME),
      platform_text(found_.platform, CL_PLATFORM_VERSION),
      device_text(found_.id, CL_DRIVER_VERSION),
      device_text(found_.id, CL_DEVICE_NAME),
      device_text(found_.id, CL_DEVICE_VERSION),
      language_,
  };
  // PoCL lets the environment change what it compiles.
  for (const char* variable :
       {"POCL_WORK_GROUP_METHOD", "POCL_EXTRA_BUILD_FLAGS", "POCL_VECTORIZER_FORCE_VECTOR_WIDTH"}) {
    const char* value = std::getenv(variable);
    fields.push_back(std::string(variable) + "=" + (value == nullptr ? "" : value));
  }
  return fields;
}

OpenclBuffer::OpenclBuffer(std::shared_ptr<OpenclDevice> device, std::size_t bytes, Owned<cl_mem> memory)
    : BufferState(bytes), device_(std::move(device)), memory_(std::move(memory)) {
  device_->memory().add(bytes);
}

OpenclBuffer::~OpenclBuffer() {
  device_->memory().remove(size_bytes());
}

}  // namespace maxwell_dg::core::opencl
