#include <array>
#include <cstdlib>
#include <utility>

#include "core/opencl/drivers.hpp"
#include "core/opencl/opencl.hpp"
#include "core/opencl/pocl.hpp"
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

cl_uint priority_code(StreamPriority priority) {
  switch (priority) {
    case StreamPriority::low: return CL_QUEUE_PRIORITY_LOW_KHR;
    case StreamPriority::normal: return CL_QUEUE_PRIORITY_MED_KHR;
    case StreamPriority::high: return CL_QUEUE_PRIORITY_HIGH_KHR;
  }
  return CL_QUEUE_PRIORITY_MED_KHR;
}

bool has_extension(cl_device_id id, const std::string& name) {
  return (" " + device_text(id, CL_DEVICE_EXTENSIONS) + " ").find(" " + name + " ") != std::string::npos;
}

Owned<cl_command_queue> create_queue(const OpenclDevice& device, StreamPriority priority) {
  cl_int code = CL_SUCCESS;
  Owned<cl_command_queue> queue;
  if (priority == StreamPriority::normal) {
    // The 1.2 call: its successor accepts nothing more that is needed here.
    queue.reset(clCreateCommandQueue(device.context(), device.id(), CL_QUEUE_PROFILING_ENABLE, &code));
    check(code, "clCreateCommandQueue");
    return queue;
  }
  if (!has_extension(device.id(), "cl_khr_priority_hints")) {
    throw UnsupportedFeature("OpenCL device '" + device.info().name +
                             "' has no streams with priorities (cl_khr_priority_hints); use normal priority");
  }
  const std::array<cl_queue_properties, 5> properties{CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE,
                                                      CL_QUEUE_PRIORITY_KHR, priority_code(priority), 0};
  queue.reset(clCreateCommandQueueWithProperties(device.context(), device.id(), properties.data(), &code));
  check(code, "clCreateCommandQueueWithProperties");
  return queue;
}

}  // namespace

DeviceList list_devices() {
  DeviceList list;
  for (const FoundDevice& found : found_devices()) list.devices.push_back(found.info);
  if (!list.devices.empty()) return list;
  Absence why = why_no_devices();
  return {.devices = {}, .absence = std::move(why.reason), .remedy = std::move(why.remedy)};
}

std::shared_ptr<DeviceState> open(const DeviceInfo& info, ContextKind /*always its own*/) {
  return std::make_shared<OpenclDevice>(found_devices().at(static_cast<std::size_t>(info.index)));
}

OpenclDevice::OpenclDevice(const FoundDevice& found)
    : DeviceState(found.info),
      found_(found),
      context_(create_context(found.id)),
      limits_(limits_of(found.id)),
      largest_allocation_(static_cast<std::size_t>(device_property<cl_ulong>(found.id, CL_DEVICE_MAX_MEM_ALLOC_SIZE))),
      alignment_(device_property<cl_uint>(found.id, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8),
      language_(language_version(found)),
      reads_long_header_(is_pocl(found.info.driver) && !found.info.has_float16) {}

std::shared_ptr<StreamState> OpenclDevice::enlist(std::shared_ptr<StreamState> stream) {
  const std::lock_guard lock(streams_mutex_);
  std::erase_if(streams_, [](const auto& entry) { return entry.expired(); });
  streams_.push_back(stream);
  return stream;
}

std::shared_ptr<StreamState> OpenclDevice::create_stream(const StreamOptions& options) {
  return enlist(
      std::make_shared<OpenclStream>(self(), create_queue(*this, options.priority), OpenclStream::Queue::ours));
}

std::shared_ptr<StreamState> OpenclDevice::wrap_stream(std::uintptr_t raw) {
  auto* queue = reinterpret_cast<cl_command_queue>(raw);
  check(clRetainCommandQueue(queue), "clRetainCommandQueue", "Device::wrap_stream takes a cl_command_queue");
  return enlist(std::make_shared<OpenclStream>(self(), Owned<cl_command_queue>(queue), OpenclStream::Queue::wrapped));
}

cl_command_queue OpenclDevice::own_queue() {
  const std::lock_guard lock(streams_mutex_);
  if (own_queue_ == nullptr) own_queue_ = create_queue(*this, StreamPriority::normal);
  return own_queue_.get();
}

void OpenclDevice::require_not_abandoned() const {
  if (is_abandoned_) {
    throw DeviceError("a kernel on '" + info().name + "' does not end; end this program and start again");
  }
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

}  // namespace maxwell_dg::core::opencl
