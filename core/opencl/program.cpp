#include <algorithm>
#include <array>
#include <cstring>

#include "core/opencl/inline_headers.hpp"
#include "core/opencl/pocl.hpp"
#include "core/opencl/states.hpp"

namespace maxwell_dg::core::opencl {
namespace {

std::string build_log(cl_program program, cl_device_id id) {
  std::size_t size = 0;
  check(clGetProgramBuildInfo(program, id, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size), "clGetProgramBuildInfo");
  std::string log(size, '\0');
  if (size != 0) {
    check(clGetProgramBuildInfo(program, id, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr), "clGetProgramBuildInfo");
  }
  return log.substr(0, log.find('\0'));
}

/// The sizes that the program's kernels require by `reqd_work_group_size`.
GroupSizes required_group_sizes(cl_program program, cl_device_id id) {
  cl_uint count = 0;
  check(clCreateKernelsInProgram(program, 0, nullptr, &count), "clCreateKernelsInProgram");
  std::vector<cl_kernel> raw(count);
  if (count != 0) check(clCreateKernelsInProgram(program, count, raw.data(), nullptr), "clCreateKernelsInProgram");
  const std::vector<Owned<cl_kernel>> kernels(raw.begin(), raw.end());
  GroupSizes sizes;
  for (const auto& kernel : kernels) {
    std::array<std::size_t, 3> size{};
    check(clGetKernelWorkGroupInfo(kernel.get(), id, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof size, size.data(),
                                   nullptr),
          "clGetKernelWorkGroupInfo");
    if (size[0] != 0) sizes.insert(size);
  }
  return sizes;
}

std::vector<std::byte> program_binary(cl_program program) {
  std::size_t size = 0;
  check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr), "clGetProgramInfo");
  std::vector<std::byte> binary(size);
  auto* data = reinterpret_cast<unsigned char*>(binary.data());
  check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof data, &data, nullptr), "clGetProgramInfo");
  return binary;
}

std::string joined_options(const std::vector<std::string>& options, const std::string& language) {
  const bool has_language =
      std::ranges::any_of(options, [](const std::string& option) { return option.starts_with("-cl-std="); });
  std::string line = has_language ? "" : "-cl-std=" + language;
  for (const std::string& option : options) line += (line.empty() ? "" : " ") + option;
  return line;
}

// Sets one argument; the size is what the kernel's own declaration is checked against.
struct ArgumentSetter {
  cl_kernel kernel;
  cl_uint index;
  cl_int operator()(const Buffer& buffer) const {
    cl_mem memory = buffer ? state_cast<OpenclBuffer>(buffer.state(), "buffer").get() : nullptr;
    return clSetKernelArg(kernel, index, sizeof memory, &memory);
  }
  template <class Scalar>
  cl_int operator()(const Scalar& value) const {
    return clSetKernelArg(kernel, index, sizeof value, &value);
  }
};

}  // namespace

BuildResult OpenclDevice::build(const BuildRequest& request) {
  const std::string text = inline_headers(request);
  const char* data = text.data();
  const std::size_t size = text.size();
  cl_int code = CL_SUCCESS;
  const Owned<cl_program> program(clCreateProgramWithSource(context_.get(), 1, &data, &size, &code));
  check(code, "clCreateProgramWithSource");
  const std::string options = joined_options(request.options, language_);
  code = clBuildProgram(program.get(), 1, &found_.id, options.c_str(), nullptr, nullptr);
  if (code == CL_COMPILER_NOT_AVAILABLE) check(code, "clBuildProgram", "install the compiler of this OpenCL driver");
  BuildResult result;
  result.log = build_log(program.get(), found_.id);
  if (code == CL_SUCCESS) {
    result.ok = true;
    const PoclSpecialization specialization(required_group_sizes(program.get(), found_.id));
    result.binary = program_binary(program.get());
  } else if (code == CL_INVALID_BUILD_OPTIONS) {
    result.log += "the compiler does not accept the options '" + options + "'\n";
  } else if (code != CL_BUILD_PROGRAM_FAILURE && result.log.empty()) {
    check(code, "clBuildProgram", "kernel '" + request.name + "'");
  }
  return result;
}

std::shared_ptr<ModuleState> OpenclDevice::load(std::span<const std::byte> binary, const std::string& name) {
  const auto* data = reinterpret_cast<const unsigned char*>(binary.data());
  const std::size_t size = binary.size();
  cl_int status = CL_SUCCESS;
  cl_int code = CL_SUCCESS;
  const std::string remedy = "module '" + name + "' is not a binary for '" + info().name + "'";
  Owned<cl_program> program(clCreateProgramWithBinary(context_.get(), 1, &found_.id, &size, &data, &status, &code));
  check(code, "clCreateProgramWithBinary", remedy);
  check(status, "clCreateProgramWithBinary", remedy);
  check(clBuildProgram(program.get(), 1, &found_.id, "", nullptr, nullptr), "clBuildProgram", remedy);
  return std::make_shared<OpenclModule>(std::static_pointer_cast<OpenclDevice>(shared_from_this()), name,
                                        std::move(program));
}

OpenclModule::OpenclModule(std::shared_ptr<OpenclDevice> device, std::string name, Owned<cl_program> program)
    : device_(std::move(device)), name_(std::move(name)), program_(std::move(program)) {}

std::shared_ptr<KernelState> OpenclModule::kernel(const std::string& name) {
  cl_int code = CL_SUCCESS;
  Owned<cl_kernel> kernel(clCreateKernel(program_.get(), name.c_str(), &code));
  if (code == CL_INVALID_KERNEL_NAME) throw DeviceError("module '" + name_ + "' has no kernel '" + name + "'");
  check(code, "clCreateKernel", "kernel '" + name + "' of module '" + name_ + "'");
  return std::make_shared<OpenclKernel>(device_, name, std::move(kernel));
}

OpenclKernel::OpenclKernel(std::shared_ptr<OpenclDevice> device, std::string name, Owned<cl_kernel> kernel)
    : KernelState(std::move(name)), device_(std::move(device)), kernel_(std::move(kernel)), limits_(device_->limits()) {
  limits_.group_items = attributes().max_group_size;
  check(clGetKernelInfo(kernel_.get(), CL_KERNEL_NUM_ARGS, sizeof argument_count_, &argument_count_, nullptr),
        "clGetKernelInfo");
}

KernelAttributes OpenclKernel::attributes() {
  const auto query = [&]<class T>(cl_kernel_work_group_info what, T value) {
    check(clGetKernelWorkGroupInfo(kernel_.get(), device_->id(), what, sizeof value, &value, nullptr),
          "clGetKernelWorkGroupInfo");
    return static_cast<std::size_t>(value);
  };
  return {.registers = 0,
          .shared_bytes = query(CL_KERNEL_LOCAL_MEM_SIZE, cl_ulong{}),
          .local_bytes = query(CL_KERNEL_PRIVATE_MEM_SIZE, cl_ulong{}),
          .max_group_size = query(CL_KERNEL_WORK_GROUP_SIZE, std::size_t{})};
}

void OpenclKernel::launch(StreamState& stream, const LaunchShape& shape, std::span<const KernelArgument> arguments) {
  const std::string remedy = "kernel '" + name() + "'";
  if (shape.dynamic_shared_bytes != 0) {
    throw DeviceError(remedy + ": OpenCL has no dynamic shared memory; declare it in the kernel");
  }
  if (arguments.size() != argument_count_) {
    throw DeviceError(remedy + " takes " + std::to_string(argument_count_) + " arguments, " +
                      std::to_string(arguments.size()) + " were given");
  }
  cl_command_queue queue = state_cast<OpenclStream>(stream, "stream").get();
  std::array<std::size_t, 3> items{};
  for (std::size_t d = 0; d < 3; ++d) items[d] = shape.groups[d] * shape.group_size[d];
  const std::lock_guard lock(arguments_mutex_);
  for (cl_uint i = 0; i < argument_count_; ++i) {
    const cl_int code = std::visit(ArgumentSetter{kernel_.get(), i}, arguments[i]);
    if (code != CL_SUCCESS) {
      check(code, "clSetKernelArg", remedy + ", argument " + std::to_string(i) + ": its type or size is wrong");
    }
  }
  const cl_int code = clEnqueueNDRangeKernel(queue, kernel_.get(), 3, nullptr, items.data(), shape.group_size.data(), 0,
                                             nullptr, nullptr);
  if (code != CL_SUCCESS) check(code, "clEnqueueNDRangeKernel", remedy);
}

}  // namespace maxwell_dg::core::opencl
