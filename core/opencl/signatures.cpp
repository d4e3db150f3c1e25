#include "core/opencl/signatures.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace maxwell_dg::core::opencl {
namespace {

constexpr std::string_view kMark = "maxwell_dg kernel signatures\n";

ParameterKind kind_of(cl_kernel kernel, cl_uint index) {
  cl_kernel_arg_address_qualifier address = CL_KERNEL_ARG_ADDRESS_PRIVATE;
  if (clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof address, &address, nullptr) !=
      CL_SUCCESS) {
    return ParameterKind::unknown;
  }
  if (address != CL_KERNEL_ARG_ADDRESS_PRIVATE) return ParameterKind::pointer;
  std::array<char, 64> name{};
  if (clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME, name.size(), name.data(), nullptr) != CL_SUCCESS) {
    return ParameterKind::value;
  }
  // A name of the program's own, from a typedef, may mean anything.
  constexpr std::array<std::string_view, 2> reals{"float", "double"};
  constexpr std::array<std::string_view, 12> integers{
      "char", "uchar", "short",         "ushort",       "int",           "uint",
      "long", "ulong", "unsigned char", "unsigned int", "unsigned long", "unsigned short"};
  const std::string_view type(name.data());
  if (std::ranges::find(reals, type) != reals.end()) return ParameterKind::real;
  if (std::ranges::find(integers, type) != integers.end()) return ParameterKind::integer;
  return ParameterKind::value;
}

}  // namespace

const char* words_of(ParameterKind kind) {
  switch (kind) {
    case ParameterKind::pointer: return "a pointer";
    case ParameterKind::integer: return "an integer";
    case ParameterKind::real: return "a floating-point number";
    case ParameterKind::value: return "a value";
    case ParameterKind::unknown: break;
  }
  return "another type";
}

Signature signature_of(cl_kernel kernel) {
  cl_uint count = 0;
  check(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr), "clGetKernelInfo");
  Signature signature;
  for (cl_uint i = 0; i < count; ++i) signature.push_back(kind_of(kernel, i));
  return signature;
}

std::vector<std::byte> with_signatures(const Signatures& signatures, std::span<const std::byte> binary) {
  std::string text(kMark);
  for (const auto& [kernel, signature] : signatures) {
    text += kernel + " ";
    for (const ParameterKind kind : signature) text += static_cast<char>(kind);
    text += "\n";
  }
  text += "\n";  // an empty line ends them
  const auto head = std::as_bytes(std::span(text));
  std::vector<std::byte> all(head.begin(), head.end());
  all.insert(all.end(), binary.begin(), binary.end());
  return all;
}

SignedBinary split_signatures(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::size_t end = text.find("\n\n");
  if (!text.starts_with(kMark) || end == std::string_view::npos) return {.signatures = {}, .binary = bytes};
  Signatures signatures;
  for (std::size_t at = kMark.size(); at < end + 1;) {
    const std::size_t stop = text.find('\n', at);
    const std::string_view line = text.substr(at, stop - at);
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) return {.signatures = {}, .binary = bytes};
    Signature& signature = signatures[std::string(line.substr(0, space))];
    for (const char kind : line.substr(space + 1)) signature.push_back(static_cast<ParameterKind>(kind));
    at = stop + 1;
  }
  return {.signatures = std::move(signatures), .binary = bytes.subspan(end + 2)};
}

}  // namespace maxwell_dg::core::opencl
