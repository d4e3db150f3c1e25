#include "core/device/argument.hpp"

namespace maxwell_dg::core {
namespace {

template <class T>
constexpr const char* scalar_name = nullptr;
template <>
constexpr const char* scalar_name<bool> = "a bool";
template <>
constexpr const char* scalar_name<std::int8_t> = "an int8";
template <>
constexpr const char* scalar_name<std::uint8_t> = "a uint8";
template <>
constexpr const char* scalar_name<std::int16_t> = "an int16";
template <>
constexpr const char* scalar_name<std::uint16_t> = "a uint16";
template <>
constexpr const char* scalar_name<std::int32_t> = "an int32";
template <>
constexpr const char* scalar_name<std::uint32_t> = "a uint32";
template <>
constexpr const char* scalar_name<std::int64_t> = "an int64";
template <>
constexpr const char* scalar_name<std::uint64_t> = "a uint64";
template <>
constexpr const char* scalar_name<float> = "a float32";
template <>
constexpr const char* scalar_name<double> = "a float64";
template <>
constexpr const char* scalar_name<std::complex<float>> = "a complex64";
template <>
constexpr const char* scalar_name<std::complex<double>> = "a complex128";

struct Size {
  std::size_t operator()(const Buffer&) const { return sizeof(void*); }
  std::size_t operator()(const StructArgument& value) const { return value.bytes().size(); }
  template <class Scalar>
  std::size_t operator()(const Scalar&) const {
    return sizeof(Scalar);
  }
};

struct Description {
  std::string operator()(const Buffer&) const { return "a buffer"; }
  std::string operator()(const StructArgument& value) const {
    return "a struct of " + std::to_string(value.bytes().size()) + " bytes";
  }
  template <class Scalar>
  std::string operator()(const Scalar&) const {
    return scalar_name<Scalar>;
  }
};

}  // namespace

std::size_t size_of(const KernelArgument& argument) {
  return std::visit(Size{}, argument);
}

std::string describe(const KernelArgument& argument) {
  return std::visit(Description{}, argument);
}

}  // namespace maxwell_dg::core
