#include "dg/operator/device_arrays.hpp"

#include <algorithm>
#include <cstring>

namespace maxwell_dg::dg {

HostReals::HostReals(Dtype precision, std::size_t size)
    : single_(precision == Dtype::float32), bytes_(size * size_of(precision)) {}

void HostReals::set(std::size_t i, double value) {
  if (single_) {
    const auto narrow = static_cast<float>(value);
    std::memcpy(&bytes_[i * sizeof narrow], &narrow, sizeof narrow);
  } else {
    std::memcpy(&bytes_[i * sizeof value], &value, sizeof value);
  }
}

double HostReals::get(std::size_t i) const {
  if (single_) {
    float narrow = 0;
    std::memcpy(&narrow, &bytes_[i * sizeof narrow], sizeof narrow);
    return narrow;
  }
  double value = 0;
  std::memcpy(&value, &bytes_[i * sizeof value], sizeof value);
  return value;
}

core::Buffer upload(const core::Device& device, const core::Stream& stream, std::span<const std::byte> bytes) {
  core::Buffer buffer = device.allocate(std::max<std::size_t>(bytes.size(), 1));
  if (!bytes.empty()) stream.write(buffer, 0, bytes);
  stream.synchronize();  // the host array may go away
  return buffer;
}

core::Buffer upload_reals(const core::Device& device, const core::Stream& stream, Dtype precision, std::size_t size,
                          const std::function<double(std::size_t)>& value_at) {
  const std::size_t real = size_of(precision), at_once = std::min(size, piece_values);
  const core::Buffer buffer = device.allocate(std::max<std::size_t>(size, 1) * real);
  HostReals host(precision, at_once);
  for (std::size_t first = 0; first < size; first += at_once) {
    const std::size_t count = std::min(at_once, size - first);
    for (std::size_t i = 0; i < count; ++i) host.set(i, value_at(first + i));
    stream.write(buffer, first * real, std::span<const std::byte>(host.bytes()).first(count * real));
    stream.synchronize();
  }
  return buffer;
}

}  // namespace maxwell_dg::dg
