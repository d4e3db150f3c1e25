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

std::string joined(const std::vector<std::string>& options) {
  std::string line;
  for (const std::string& option : options) line += (line.empty() ? "" : " ") + option;
  return line;
}

std::string joined_options(const std::vector<std::string>& options, const std::string& language) {
  const bool has_language =
      std::ranges::any_of(options, [](const std::string& option) { return option.starts_with("-cl-std="); });
  std::string line = "-cl-kernel-arg-info";  // so that a launch can tell a pointer from a number
  if (!has_language) line += " -cl-std=" + language;
  return line + " " + joined(options);
}

Owned<cl_program> program_of(cl_context context, const std::string& text) {
  const char* data = text.data();
  const std::size_t size = text.size();
  cl_int code = CL_SUCCESS;
  Owned<cl_program> program(clCreateProgramWithSource(context, 1, &data, &size, &code));
  check(code, "clCreateProgramWithSource");
  return program;
}

/// A program that `call` has compiled, or not; null where nothing came of it.
struct Made {
  cl_program program;
  cl_device_id id;
  const char* call;
  const std::string& name;
};

BuildResult failure_of(const Made& made, cl_int code, const std::string& options) {
  if (code == CL_COMPILER_NOT_AVAILABLE) check(code, made.call, "install the compiler of this OpenCL driver");
  BuildResult result;
  if (made.program != nullptr) result.log = build_log(made.program, made.id);
  // NVIDIA's compiler has this name for every text, whatever #line says.
  constexpr std::string_view nameless = "<kernel>:";
  for (std::size_t at = 0; (at = result.log.find(nameless, at)) != std::string::npos;) {
    result.log.replace(at, nameless.size(), made.name + ":");
  }
  if (code == CL_INVALID_BUILD_OPTIONS || code == CL_INVALID_COMPILER_OPTIONS || code == CL_INVALID_LINKER_OPTIONS) {
    result.log += "the compiler does not accept the options '" + options + "'\n";
  } else if (code != CL_BUILD_PROGRAM_FAILURE && result.log.empty()) {
    check(code, made.call, "kernel '" + made.name + "'");
  }
  return result;
}

/// The binary with the signatures of its kernels, or the log.
BuildResult result_of(const Made& made, cl_int code, const std::string& options, PoclBuild& pocl) {
  if (code != CL_SUCCESS) return failure_of(made, code, options);
  BuildResult result{.ok = true, .binary = {}, .log = build_log(made.program, made.id)};
  Signatures signatures;
  {
    const std::vector<Owned<cl_kernel>> kernels = kernels_of(made.program);
    pocl.require(required_sizes(kernels, made.id));
    for (const auto& kernel : kernels) signatures[kernel_name(kernel.get())] = signature_of(kernel.get());
  }
  result.binary = with_signatures(signatures, program_binary(made.program));
  return result;
}

}  // namespace

BuildResult OpenclDevice::build(const BuildRequest& request) {
  std::string text = inline_headers(request);
  const std::string options = joined_options(request.options, language_);
  if (info().is_cpu && is_pocl(info().driver)) text.insert(0, one_copy_of_kernels(text));
  if (reads_long_header_ && !needs_more_builtins(text)) {
    static const std::string declarations = brief_builtins();
    BuildResult result = build(request.name, declarations + text, options + " " + without_builtins);
    if (result.ok) return result;
  }
  return build(request.name, text, options);
}

BuildResult OpenclDevice::build(const std::string& name, const std::string& text, const std::string& options) {
  const Owned<cl_program> program = program_of(context_.get(), text);
  PoclBuild pocl(info().driver);
  const cl_int code = clBuildProgram(program.get(), 1, &found_.id, options.c_str(), nullptr, nullptr);
  return result_of({.program = program.get(), .id = found_.id, .call = "clBuildProgram", .name = name}, code, options,
                   pocl);
}

BuildResult OpenclDevice::link(std::span<const BuildRequest> units, const std::vector<std::string>& options) {
  PoclBuild pocl(info().driver);
  std::vector<Owned<cl_program>> compiled;
  std::vector<cl_program> parts;
  std::string name;
  for (const BuildRequest& unit : units) {
    name += (name.empty() ? "" : " + ") + unit.name;
    const std::string line = joined_options(unit.options, language_);
    compiled.push_back(program_of(context_.get(), inline_headers(unit)));
    parts.push_back(compiled.back().get());
    const cl_int code =
        clCompileProgram(parts.back(), 1, &found_.id, line.c_str(), 0, nullptr, nullptr, nullptr, nullptr);
    if (code == CL_SUCCESS) continue;
    return failure_of({.program = parts.back(), .id = found_.id, .call = "clCompileProgram", .name = unit.name}, code,
                      line);
  }
  const std::string line = joined(options);
  cl_int code = CL_SUCCESS;
  const Owned<cl_program> program(clLinkProgram(context_.get(), 1, &found_.id, line.c_str(),
                                                static_cast<cl_uint>(parts.size()), parts.data(), nullptr, nullptr,
                                                &code));
  return result_of({.program = program.get(), .id = found_.id, .call = "clLinkProgram", .name = name}, code, line,
                   pocl);
}

BuildResult OpenclDevice::build_spirv(std::span<const std::byte> words, const std::string& name,
                                      const std::vector<std::string>& options) {
  std::size_t size = 0;  // of the names of languages that the device takes; older devices do not know the question
  if (clGetDeviceInfo(found_.id, CL_DEVICE_IL_VERSION, 0, nullptr, &size) != CL_SUCCESS || size <= 1) {
    throw UnsupportedFeature("OpenCL device '" + info().name +
                             "' takes no SPIR-V (its CL_DEVICE_IL_VERSION is empty); " + "build '" + name +
                             "' from OpenCL C");
  }
  cl_int code = CL_SUCCESS;
  const Owned<cl_program> program(clCreateProgramWithIL(context_.get(), words.data(), words.size(), &code));
  check(code, "clCreateProgramWithIL", "'" + name + "' is no SPIR-V that this device takes");
  PoclBuild pocl(info().driver);
  const std::string line = joined(options);
  code = clBuildProgram(program.get(), 1, &found_.id, line.c_str(), nullptr, nullptr);
  return result_of({.program = program.get(), .id = found_.id, .call = "clBuildProgram", .name = name}, code, line,
                   pocl);
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
