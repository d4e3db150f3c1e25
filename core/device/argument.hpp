#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/device/buffer.hpp"

/// What a kernel may be given.
namespace maxwell_dg::core {

/// The bytes of a struct, passed by value; the kernel declares the same layout.
class StructArgument {
 public:
  template <class T>
  requires(std::is_trivially_copyable_v<T>&& std::is_class_v<T>) explicit StructArgument(const T& value)
      : StructArgument(std::as_bytes(std::span(&value, 1))) {}
  explicit StructArgument(std::span<const std::byte> bytes) : bytes_(bytes.begin(), bytes.end()) {}
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// A Buffer is the kernel's pointer (an empty one is null), a scalar its value. A complex number is the kernel's
/// float2 or double2; `bool` is one byte, which OpenCL C spells `uchar`.
using KernelArgument =
    std::variant<Buffer, bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                 std::int64_t, std::uint64_t, float, double, std::complex<float>, std::complex<double>, StructArgument>;

/// Bytes that the kernel takes for it; a Buffer counts as a pointer.
[[nodiscard]] std::size_t size_of(const KernelArgument& argument);

/// For messages: "a buffer", "an int32", "a struct of 12 bytes".
[[nodiscard]] std::string describe(const KernelArgument& argument);

}  // namespace maxwell_dg::core
