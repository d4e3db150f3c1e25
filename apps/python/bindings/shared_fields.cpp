#include "apps/python/bindings/shared_fields.hpp"

#include <utility>

#include "apps/python/bindings/arrays.hpp"
#include "apps/python/bindings/forks.hpp"
#include "apps/python/bindings/tensors.hpp"

namespace nb = nanobind;

namespace maxwell_dg::python {
namespace {

/// What keeps memory alive that a NumPy array looks at. In a forked child it is left alone, as the driver is the
/// parent's.
struct Keeper {
  core::HostBuffer memory;
  int forks_at_start;
};

nb::capsule keeper_of(core::HostBuffer memory, int forks_at_start) {
  return {new Keeper{std::move(memory), forks_at_start}, [](void* p) noexcept {
            auto* const keeper = static_cast<Keeper*>(p);
            if (keeper->forks_at_start == forks()) delete keeper;
          }};
}

}  // namespace

SharedFields::SharedFields(const simulation::Simulation& simulation, std::vector<std::string> names, int forks)
    : names_(std::move(names)),
      forks_(forks),
      elements_(static_cast<std::int64_t>(simulation.plan().discretization->K())),
      nodes_(simulation.plan().discretization->Np()),
      values_(simulation.share_fields(names_)),
      points_(simulation.coordinates()),
      context_(values_->stream(), rtcg::Compiler(values_->device()), core::MemoryPool(values_->device())) {}

void SharedFields::update() const {
  const bool is_cuda = values_->device().info().backend == core::Backend::cuda;
  if (is_cuda) values_->stream().wait(values_->device().wrap_stream(0).record(core::EventKind::order));
  values_->update();
  if (is_on_host()) values_->stream().synchronize();
}

nb::object SharedFields::array(std::size_t first, std::optional<std::size_t> count) const {
  rtcg::Shape shape{elements_, nodes_};
  const std::int64_t a_field = elements_ * nodes_;
  if (count) shape.insert(shape.begin(), static_cast<std::int64_t>(*count));
  if (is_on_host()) {
    std::byte* const data =
        values_->host().bytes().data() + first * static_cast<std::size_t>(a_field) * size_of(values_->dtype());
    return numpy_view(data, shape, values_->dtype(), keeper_of(values_->host(), forks_));
  }
  rtcg::Layout layout = rtcg::contiguous_layout(shape);
  layout.offset = static_cast<std::int64_t>(first) * a_field;
  return nb::cast(rtcg::DeviceArray(context_, values_->buffer(), values_->dtype(), std::move(layout)));
}

nb::object SharedFields::points() const {
  std::vector<double> values;
  values.reserve(3 * points_.size());
  for (const dg::Point& point : points_) values.insert(values.end(), point.begin(), point.end());
  if (!is_on_host()) return nb::cast(rtcg::to_device(context_, values, {elements_, nodes_, 3}));
  return array_of(std::move(values), {static_cast<std::size_t>(elements_), static_cast<std::size_t>(nodes_), 3});
}

}  // namespace maxwell_dg::python
