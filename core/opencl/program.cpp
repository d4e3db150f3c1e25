#include <algorithm>
#include <array>
#include <cstring>

#include "core/opencl/brief_builtins.hpp"
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

std::vector<Owned<cl_kernel>> kernels_of(cl_program program) {
  cl_uint count = 0;
  check(clCreateKernelsInProgram(program, 0, nullptr, &count), "clCreateKernelsInProgram");
  std::vector<cl_kernel> raw(count);
  if (count != 0) check(clCreateKernelsInProgram(program, count, raw.data(), nullptr), "clCreateKernelsInProgram");
  return {raw.begin(), raw.end()};
}

std::string kernel_name(cl_kernel kernel) {
  std::size_t size = 0;
  check(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 0, nullptr, &size), "clGetKernelInfo");
  std::string name(size, '\0');
  check(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, size, name.data(), nullptr), "clGetKernelInfo");
  return name.substr(0, name.find('\0'));
}

RequiredSizes required_sizes(const std::vector<Owned<cl_kernel>>& kernels, cl_device_id id) {
  RequiredSizes sizes;
  for (const auto& kernel : kernels) {
    std::array<std::size_t, 3> size{};
    check(clGetKernelWorkGroupInfo(kernel.get(), id, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof size, size.data(),
                                   nullptr),
          "clGetKernelWorkGroupInfo");
    if (size[0] != 0) sizes[kernel_name(kernel.get())] = size;
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
  std::string line = "-cl-kernel-arg-info";  // so that a launch can tell a pointer from a number
  if (!has_language) line += " -cl-std=" + language;
  for (const std::string& option : options) line += " " + option;
  return line;
}

}  // namespace

BuildResult OpenclDevice::build(const BuildRequest& request) {
  const std::string text = inline_headers(request), options = joined_options(request.options, language_);
  if (reads_long_header_ && !needs_more_builtins(text)) {
    static const std::string declarations = brief_builtins();
    BuildResult result = build(request.name, declarations + text, options + " " + without_builtins);
    if (result.ok) return result;
  }
  return build(request.name, text, options);
}

BuildResult OpenclDevice::build(const std::string& name, const std::string& text, const std::string& options) {
  const char* data = text.data();
  const std::size_t size = text.size();
  cl_int code = CL_SUCCESS;
  const Owned<cl_program> program(clCreateProgramWithSource(context_.get(), 1, &data, &size, &code));
  check(code, "clCreateProgramWithSource");
  PoclBuild pocl(info().driver);
  code = clBuildProgram(program.get(), 1, &found_.id, options.c_str(), nullptr, nullptr);
  if (code == CL_COMPILER_NOT_AVAILABLE) check(code, "clBuildProgram", "install the compiler of this OpenCL driver");
  BuildResult result;
  result.log = build_log(program.get(), found_.id);
  if (code == CL_SUCCESS) {
    result.ok = true;
    Signatures signatures;
    {
      const std::vector<Owned<cl_kernel>> kernels = kernels_of(program.get());
      pocl.require(required_sizes(kernels, found_.id));
      for (const auto& kernel : kernels) signatures[kernel_name(kernel.get())] = signature_of(kernel.get());
    }
    result.binary = with_signatures(signatures, program_binary(program.get()));
  } else if (code == CL_INVALID_BUILD_OPTIONS) {
    result.log += "the compiler does not accept the options '" + options + "'\n";
  } else if (code != CL_BUILD_PROGRAM_FAILURE && result.log.empty()) {
    check(code, "clBuildProgram", "kernel '" + name + "'");
  }
  return result;
}

std::shared_ptr<ModuleState> OpenclDevice::load(std::span<const std::byte> binary, const std::string& name) {
  SignedBinary image = split_signatures(binary);
  const auto* data = reinterpret_cast<const unsigned char*>(image.binary.data());
  const std::size_t size = image.binary.size();
  cl_int status = CL_SUCCESS;
  cl_int code = CL_SUCCESS;
  const std::string remedy = "module '" + name + "' is not a binary for '" + info().name + "'";
  Owned<cl_program> program(clCreateProgramWithBinary(context_.get(), 1, &found_.id, &size, &data, &status, &code));
  check(code, "clCreateProgramWithBinary", remedy);
  check(status, "clCreateProgramWithBinary", remedy);
  check(clBuildProgram(program.get(), 1, &found_.id, "", nullptr, nullptr), "clBuildProgram", remedy);
  return std::make_shared<OpenclModule>(std::static_pointer_cast<OpenclDevice>(shared_from_this()), name,
                                        std::move(program), std::move(image.signatures));
}

OpenclModule::OpenclModule(std::shared_ptr<OpenclDevice> device, std::string name, Owned<cl_program> program,
                           Signatures signatures)
    : device_(std::move(device)),
      name_(std::move(name)),
      program_(std::move(program)),
      signatures_(std::move(signatures)) {}

Owned<cl_kernel> OpenclModule::create_kernel(const std::string& name) const {
  cl_int code = CL_SUCCESS;
  Owned<cl_kernel> kernel(clCreateKernel(program_.get(), name.c_str(), &code));
  if (code == CL_INVALID_KERNEL_NAME) throw DeviceError("module '" + name_ + "' has no kernel '" + name + "'");
  check(code, "clCreateKernel", "kernel '" + name + "' of module '" + name_ + "'");
  return kernel;
}

std::shared_ptr<KernelState> OpenclModule::kernel(const std::string& name) {
  Owned<cl_kernel> kernel = create_kernel(name);
  Signature signature = signature_of(kernel.get());
  const auto noted = signatures_.find(name);
  if (noted != signatures_.end() && noted->second.size() == signature.size()) signature = noted->second;
  return std::make_shared<OpenclKernel>(shared_from_this(), name, std::move(kernel), std::move(signature));
}

std::shared_ptr<BufferState> OpenclModule::global(const std::string& name) {
  throw lacks(Backend::opencl, "access from the host to a module's variables ('" + name + "' of '" + name_ + "')",
              "give the kernel a buffer");
}

}  // namespace maxwell_dg::core::opencl
