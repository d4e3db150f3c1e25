#include "dg/operator/point_samples.hpp"

#include <algorithm>

#include "dg/operator/device_arrays.hpp"

namespace maxwell_dg::dg {
namespace {

constexpr std::size_t capacity = 256;  // records that wait on the device

}  // namespace

PointSamples::PointSamples(Source source, const std::vector<PointLocation>& points)
    : source_(std::move(source)), points_(points.size()) {
  const std::size_t Np = static_cast<std::size_t>(source_.reference.Np);
  std::vector<std::int32_t> elements;
  std::vector<double> weights;  // [point][node]
  for (const PointLocation& p : points) {
    elements.push_back(static_cast<std::int32_t>(p.cell));
    const Eigen::VectorXd basis = source_.reference.lagrange(p.rst[0], p.rst[1], p.rst[2]);
    weights.insert(weights.end(), basis.begin(), basis.end());
  }
  elements_ = upload(source_.device, source_.stream, elements);
  weights_ = upload_reals(source_.device, source_.stream, source_.precision, points_ * Np,
                          [&](std::size_t i) { return weights[i]; });
  const std::size_t record_bytes = points_ * static_cast<std::size_t>(source_.fields) * size_of(source_.precision);
  samples_ = source_.device.allocate(std::max<std::size_t>(capacity * record_bytes, 1));
}

void PointSamples::record() {
  if (points_ == 0) return;
  if (on_device_ == capacity) drain();
  const std::size_t items = points_ * static_cast<std::size_t>(source_.fields);
  const core::LaunchShape shape{.groups = {(items + 31) / 32, 1, 1}, .group_size = {32, 1, 1}};
  source_.kernel.launch(source_.stream, shape,
                        {source_.state(), elements_, weights_, samples_, static_cast<std::int32_t>(on_device_),
                         static_cast<std::int32_t>(points_)});
  ++on_device_;
}

void PointSamples::drain() {
  const std::size_t count = on_device_ * points_ * static_cast<std::size_t>(source_.fields);
  HostReals host(source_.precision, count);
  source_.stream.read(samples_, 0, host.bytes());
  source_.stream.synchronize();
  for (std::size_t i = 0; i < count; ++i) on_host_.push_back(host.get(i));
  on_device_ = 0;
}

std::vector<double> PointSamples::take() {
  if (on_device_ > 0) drain();
  return std::exchange(on_host_, {});
}

std::size_t PointSamples::recorded() const {
  const std::size_t a_record = points_ * static_cast<std::size_t>(source_.fields);
  return a_record == 0 ? 0 : on_device_ + on_host_.size() / a_record;
}

}  // namespace maxwell_dg::dg
