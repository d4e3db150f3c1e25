#include <algorithm>
#include <array>

#include "core/opencl/handles.hpp"

/// OpenCL has no call that explains its codes; the meanings are those of the specification, in short.
namespace maxwell_dg::core::opencl {
namespace {

struct Explanation {
  cl_int code;
  const char* name;
  const char* meaning;
  const char* remedy;
};

#define MAXWELL_DG_CL_ERROR(code, meaning, remedy) \
  Explanation {                                    \
    code, #code, meaning, remedy                   \
  }

constexpr const char* too_large = "use less memory or smaller groups";
constexpr const char* one_device = "every handle in a call must come from the same Device";

constexpr std::array kExplanations{
    MAXWELL_DG_CL_ERROR(CL_DEVICE_NOT_FOUND, "no device of this kind", "install an OpenCL driver"),
    MAXWELL_DG_CL_ERROR(CL_DEVICE_NOT_AVAILABLE, "the device is there but cannot be used now",
                        "see whether another process holds it"),
    MAXWELL_DG_CL_ERROR(CL_COMPILER_NOT_AVAILABLE, "the driver has no compiler", "install the driver's compiler"),
    MAXWELL_DG_CL_ERROR(CL_MEM_OBJECT_ALLOCATION_FAILURE, "no memory for a buffer", too_large),
    MAXWELL_DG_CL_ERROR(CL_OUT_OF_RESOURCES, "the device lacks resources for this", too_large),
    MAXWELL_DG_CL_ERROR(CL_OUT_OF_HOST_MEMORY, "the driver lacks host memory", too_large),
    MAXWELL_DG_CL_ERROR(CL_PROFILING_INFO_NOT_AVAILABLE, "the command was not timed, or is not done", ""),
    MAXWELL_DG_CL_ERROR(CL_MEM_COPY_OVERLAP, "source and target of a copy overlap", "copy through a third buffer"),
    MAXWELL_DG_CL_ERROR(CL_IMAGE_FORMAT_MISMATCH, "the images have different formats", ""),
    MAXWELL_DG_CL_ERROR(CL_IMAGE_FORMAT_NOT_SUPPORTED, "the device has no images of this format", ""),
    MAXWELL_DG_CL_ERROR(CL_BUILD_PROGRAM_FAILURE, "the program does not compile", ""),
    MAXWELL_DG_CL_ERROR(CL_MAP_FAILURE, "memory cannot be shown to the host", ""),
    MAXWELL_DG_CL_ERROR(CL_MISALIGNED_SUB_BUFFER_OFFSET, "the part begins at an address the device cannot use", ""),
    MAXWELL_DG_CL_ERROR(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "a command that this one waits for failed", ""),
    MAXWELL_DG_CL_ERROR(CL_KERNEL_ARG_INFO_NOT_AVAILABLE, "the kernel's parameters are not known", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_VALUE, "an argument of the call is not allowed", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_PLATFORM, "no such platform", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_DEVICE, "no such device", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_CONTEXT, "the handles belong to different contexts", one_device),
    MAXWELL_DG_CL_ERROR(CL_INVALID_QUEUE_PROPERTIES, "the device has no queue of this kind", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_COMMAND_QUEUE, "no such queue", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_HOST_PTR, "a host pointer is missing or not wanted", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_MEM_OBJECT, "no such buffer, or one of another context", one_device),
    MAXWELL_DG_CL_ERROR(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "the image's format has no meaning", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_IMAGE_SIZE, "the device has no images of this size", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_SAMPLER, "no such sampler", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_BINARY, "the binary is none for this device", "compile it anew"),
    MAXWELL_DG_CL_ERROR(CL_INVALID_BUILD_OPTIONS, "the compiler does not know an option", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_PROGRAM, "no such program", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_PROGRAM_EXECUTABLE, "the program was not built for this device", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_KERNEL_NAME, "the program has no kernel of this name", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_KERNEL_DEFINITION, "the kernel differs between devices", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_KERNEL, "no such kernel", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_ARG_INDEX, "the kernel has fewer parameters", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_ARG_VALUE, "the argument is not what the kernel declares", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_ARG_SIZE, "the argument has not the size that the kernel declares", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_KERNEL_ARGS, "an argument is missing", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_WORK_DIMENSION, "a launch has one to three dimensions", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_WORK_GROUP_SIZE, "the kernel cannot run in groups of this size",
                        "launch it with the size that its text requires"),
    MAXWELL_DG_CL_ERROR(CL_INVALID_WORK_ITEM_SIZE, "a group has too many work-items in one dimension", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_GLOBAL_OFFSET, "the launch's offset is too large", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_EVENT_WAIT_LIST, "an event to wait for is none", one_device),
    MAXWELL_DG_CL_ERROR(CL_INVALID_EVENT, "no such event", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_OPERATION, "the device cannot do this", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_GL_OBJECT, "no such OpenGL object", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_BUFFER_SIZE, "a buffer of this size cannot be had", too_large),
    MAXWELL_DG_CL_ERROR(CL_INVALID_MIP_LEVEL, "no such level of an image", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_GLOBAL_WORK_SIZE, "the launch has too many work-items", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_PROPERTY, "the device does not know a property", ""),
    MAXWELL_DG_CL_ERROR(CL_INVALID_IMAGE_DESCRIPTOR, "the image's description has no meaning", ""),
};

#undef MAXWELL_DG_CL_ERROR

constexpr Explanation kUnknown{0, "an error that OpenCL does not name", "", ""};

const Explanation& explanation_of(cl_int code) {
  const auto found = std::ranges::find(kExplanations, code, &Explanation::code);
  return found == kExplanations.end() ? kUnknown : *found;
}

}  // namespace

std::string error_name(cl_int code) {
  if (code == CL_SUCCESS) return "CL_SUCCESS";
  return explanation_of(code).name;
}

void check(cl_int code, const char* call, const std::string& remedy) {
  if (code == CL_SUCCESS) return;
  const Explanation& known = explanation_of(code);
  const std::string also = known.remedy;
  const std::string both =
      remedy.empty() || also.empty() || remedy == also ? remedy.empty() ? also : remedy : remedy + "; " + also;
  DriverError error(
      {.api = "OpenCL", .call = call, .code = code, .name = known.name, .meaning = known.meaning, .remedy = both});
  if (code == CL_MEM_OBJECT_ALLOCATION_FAILURE) throw OutOfDeviceMemory(error.what());
  throw error;
}

}  // namespace maxwell_dg::core::opencl
