#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "core/device/device.hpp"
#include "core/dtype.hpp"

/// Conversions between doubles on the host and numbers of a precision chosen at run time on the device.
namespace maxwell_dg::dg {

/// Host arrays of more values than this are built and uploaded in pieces.
constexpr std::size_t piece_values = std::size_t{1} << 22;

/// A host array of reals of a precision known at run time, filled and read as doubles.
class HostReals {
 public:
  HostReals(Dtype precision, std::size_t size);
  void set(std::size_t i, double value);
  [[nodiscard]] double get(std::size_t i) const;
  [[nodiscard]] std::span<std::byte> bytes() { return bytes_; }

 private:
  bool single_;
  std::vector<std::byte> bytes_;
};

/// A new buffer that holds `bytes`; of at least one byte, so that a kernel can be given an empty array.
[[nodiscard]] core::Buffer upload(const core::Device& device, const core::Stream& stream,
                                  std::span<const std::byte> bytes);
template <class T>
[[nodiscard]] core::Buffer upload(const core::Device& device, const core::Stream& stream,
                                  const std::vector<T>& values) {
  return upload(device, stream, std::as_bytes(std::span(values)));
}
/// A new buffer of `size` reals, value_at(i) each.
[[nodiscard]] core::Buffer upload_reals(const core::Device& device, const core::Stream& stream, Dtype precision,
                                        std::size_t size, const std::function<double(std::size_t)>& value_at);

}  // namespace maxwell_dg::dg
