#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "core/opencl/states.hpp"

namespace maxwell_dg::core::opencl {
namespace {

enum class Kind { number, text, list, versions };

struct Query {
  const char* name;
  cl_device_info what;
  Kind kind;
};

// All that cl.h of OpenCL 3.0 knows, less what is no property (platform, parent, reference count).
#define MAXWELL_DG_CL_DEVICE_INFO(X)                           \
  X(number, CL_DEVICE_TYPE)                                    \
  X(number, CL_DEVICE_VENDOR_ID)                               \
  X(number, CL_DEVICE_MAX_COMPUTE_UNITS)                       \
  X(number, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS)                \
  X(number, CL_DEVICE_MAX_WORK_GROUP_SIZE)                     \
  X(list, CL_DEVICE_MAX_WORK_ITEM_SIZES)                       \
  X(number, CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR)             \
  X(number, CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT)            \
  X(number, CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT)              \
  X(number, CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG)             \
  X(number, CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT)            \
  X(number, CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE)           \
  X(number, CL_DEVICE_MAX_CLOCK_FREQUENCY)                     \
  X(number, CL_DEVICE_ADDRESS_BITS)                            \
  X(number, CL_DEVICE_MAX_READ_IMAGE_ARGS)                     \
  X(number, CL_DEVICE_MAX_WRITE_IMAGE_ARGS)                    \
  X(number, CL_DEVICE_MAX_MEM_ALLOC_SIZE)                      \
  X(number, CL_DEVICE_IMAGE2D_MAX_WIDTH)                       \
  X(number, CL_DEVICE_IMAGE2D_MAX_HEIGHT)                      \
  X(number, CL_DEVICE_IMAGE3D_MAX_WIDTH)                       \
  X(number, CL_DEVICE_IMAGE3D_MAX_HEIGHT)                      \
  X(number, CL_DEVICE_IMAGE3D_MAX_DEPTH)                       \
  X(number, CL_DEVICE_IMAGE_SUPPORT)                           \
  X(number, CL_DEVICE_MAX_PARAMETER_SIZE)                      \
  X(number, CL_DEVICE_MAX_SAMPLERS)                            \
  X(number, CL_DEVICE_MEM_BASE_ADDR_ALIGN)                     \
  X(number, CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE)                \
  X(number, CL_DEVICE_SINGLE_FP_CONFIG)                        \
  X(number, CL_DEVICE_GLOBAL_MEM_CACHE_TYPE)                   \
  X(number, CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE)               \
  X(number, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE)                   \
  X(number, CL_DEVICE_GLOBAL_MEM_SIZE)                         \
  X(number, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE)                \
  X(number, CL_DEVICE_MAX_CONSTANT_ARGS)                       \
  X(number, CL_DEVICE_LOCAL_MEM_TYPE)                          \
  X(number, CL_DEVICE_LOCAL_MEM_SIZE)                          \
  X(number, CL_DEVICE_ERROR_CORRECTION_SUPPORT)                \
  X(number, CL_DEVICE_PROFILING_TIMER_RESOLUTION)              \
  X(number, CL_DEVICE_ENDIAN_LITTLE)                           \
  X(number, CL_DEVICE_AVAILABLE)                               \
  X(number, CL_DEVICE_COMPILER_AVAILABLE)                      \
  X(number, CL_DEVICE_EXECUTION_CAPABILITIES)                  \
  X(number, CL_DEVICE_QUEUE_ON_HOST_PROPERTIES)                \
  X(text, CL_DEVICE_NAME)                                      \
  X(text, CL_DEVICE_VENDOR)                                    \
  X(text, CL_DRIVER_VERSION)                                   \
  X(text, CL_DEVICE_PROFILE)                                   \
  X(text, CL_DEVICE_VERSION)                                   \
  X(text, CL_DEVICE_EXTENSIONS)                                \
  X(number, CL_DEVICE_DOUBLE_FP_CONFIG)                        \
  X(number, CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF)             \
  X(number, CL_DEVICE_HOST_UNIFIED_MEMORY)                     \
  X(number, CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR)                \
  X(number, CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT)               \
  X(number, CL_DEVICE_NATIVE_VECTOR_WIDTH_INT)                 \
  X(number, CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG)                \
  X(number, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT)               \
  X(number, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE)              \
  X(number, CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF)                \
  X(text, CL_DEVICE_OPENCL_C_VERSION)                          \
  X(number, CL_DEVICE_LINKER_AVAILABLE)                        \
  X(text, CL_DEVICE_BUILT_IN_KERNELS)                          \
  X(number, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE)                   \
  X(number, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE)                    \
  X(number, CL_DEVICE_PARTITION_MAX_SUB_DEVICES)               \
  X(list, CL_DEVICE_PARTITION_PROPERTIES)                      \
  X(number, CL_DEVICE_PARTITION_AFFINITY_DOMAIN)               \
  X(list, CL_DEVICE_PARTITION_TYPE)                            \
  X(number, CL_DEVICE_PREFERRED_INTEROP_USER_SYNC)             \
  X(number, CL_DEVICE_PRINTF_BUFFER_SIZE)                      \
  X(number, CL_DEVICE_IMAGE_PITCH_ALIGNMENT)                   \
  X(number, CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT)            \
  X(number, CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS)               \
  X(number, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE)                \
  X(number, CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES)              \
  X(number, CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE)          \
  X(number, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE)                \
  X(number, CL_DEVICE_MAX_ON_DEVICE_QUEUES)                    \
  X(number, CL_DEVICE_MAX_ON_DEVICE_EVENTS)                    \
  X(number, CL_DEVICE_SVM_CAPABILITIES)                        \
  X(number, CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE)    \
  X(number, CL_DEVICE_MAX_PIPE_ARGS)                           \
  X(number, CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS)            \
  X(number, CL_DEVICE_PIPE_MAX_PACKET_SIZE)                    \
  X(number, CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT)     \
  X(number, CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT)       \
  X(number, CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT)        \
  X(text, CL_DEVICE_IL_VERSION)                                \
  X(number, CL_DEVICE_MAX_NUM_SUB_GROUPS)                      \
  X(number, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS)  \
  X(number, CL_DEVICE_NUMERIC_VERSION)                         \
  X(versions, CL_DEVICE_EXTENSIONS_WITH_VERSION)               \
  X(versions, CL_DEVICE_ILS_WITH_VERSION)                      \
  X(versions, CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION)         \
  X(number, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES)              \
  X(number, CL_DEVICE_ATOMIC_FENCE_CAPABILITIES)               \
  X(number, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT)          \
  X(versions, CL_DEVICE_OPENCL_C_ALL_VERSIONS)                 \
  X(number, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE)      \
  X(number, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT) \
  X(number, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT)           \
  X(versions, CL_DEVICE_OPENCL_C_FEATURES)                     \
  X(number, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES)             \
  X(number, CL_DEVICE_PIPE_SUPPORT)                            \
  X(text, CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED)

constexpr std::array kQueries{
#define MAXWELL_DG_QUERY(kind, name) Query{#name, name, Kind::kind},
    MAXWELL_DG_CL_DEVICE_INFO(MAXWELL_DG_QUERY)
#undef MAXWELL_DG_QUERY
};

template <class T>
std::vector<T> values_in(const std::string& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

std::string number(const std::string& bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));  // little endian, as every host of ours
  return std::to_string(value);
}

std::string readable(Kind kind, const std::string& bytes) {
  std::string text;
  const auto append = [&](const std::string& word) { text += (text.empty() ? "" : ", ") + word; };
  switch (kind) {
    case Kind::number: return number(bytes);
    case Kind::text: return bytes.substr(0, bytes.find('\0'));
    case Kind::list:
      for (const std::size_t value : values_in<std::size_t>(bytes)) append(std::to_string(value));
      return text;
    case Kind::versions:
      for (const cl_name_version& entry : values_in<cl_name_version>(bytes)) {
        append(std::string(entry.name) + " " + std::to_string(entry.version >> 22) + "." +
               std::to_string((entry.version >> 12) & 0x3ff));
      }
      return text;
  }
  return text;
}

}  // namespace

std::vector<DeviceAttribute> OpenclDevice::attributes() {
  std::vector<DeviceAttribute> known;
  for (const Query& query : kQueries) {
    std::size_t size = 0;
    if (clGetDeviceInfo(found_.id, query.what, 0, nullptr, &size) != CL_SUCCESS) continue;
    std::string bytes(size, '\0');
    if (size != 0) check(clGetDeviceInfo(found_.id, query.what, size, bytes.data(), nullptr), "clGetDeviceInfo");
    constexpr std::string_view prefix = "CL_DEVICE_";
    std::string_view name = query.name;
    name.remove_prefix(name.starts_with(prefix) ? prefix.size() : std::string_view("CL_").size());
    known.push_back({std::string(name), readable(query.kind, bytes)});
  }
  return known;
}

}  // namespace maxwell_dg::core::opencl
