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
  HostReals host(precision, size);
  for (std::size_t i = 0; i < size; ++i) host.set(i, value_at(i));
  return upload(device, stream, host.bytes());
}

}  // namespace maxwell_dg::dg
