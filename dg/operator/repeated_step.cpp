#include "dg/operator/repeated_step.hpp"

#include <algorithm>
#include <utility>

#include "core/device/trace.hpp"

namespace maxwell_dg::dg {

RepeatedStep::RepeatedStep(StageKernels& stages, core::Stream stream, bool depends_on_time)
    : stages_(stages), stream_(std::move(stream)), depends_on_time_(depends_on_time) {}

void RepeatedStep::run(const Operator::Stages& coefficients, double dt, double t) {
  // A timeline shows kernels one by one, so they are launched one by one.
  if (depends_on_time_ || stages_.exchanges() || !core::Recording::is_possible(stream_) || core::trace::is_active()) {
    launch(coefficients, dt, t);
    return;
  }
  keep_only(coefficients, dt);
  const std::uintptr_t state = stages_.stored_state().raw();
  const auto found = std::ranges::find(entries_, state, &Entry::state);
  if (found == entries_.end()) {
    entries_.push_back({.state = state});
    launch(coefficients, dt, t);
  } else if (!found->recording) {
    found->recording.emplace(stream_, [&] { launch(coefficients, dt, t); });
    found->recording->replay(stream_);
  } else {
    found->recording->replay(stream_);
    for (std::size_t i = 0; i < coefficients.a.size(); ++i) stages_.count_stage();
  }
}

void RepeatedStep::launch(const Operator::Stages& s, double dt, double t) {
  for (std::size_t i = 0; i < s.a.size(); ++i) {
    stages_.advance(s.a[i], s.b[i], dt, t + s.c[i] * dt,
                    i == 0 ? StageKernels::Since::anything : StageKernels::Since::stage);
  }
}

void RepeatedStep::keep_only(const Operator::Stages& s, double dt) {
  const std::size_t count = s.a.size();
  if (numbers_.size() == 2 * count + 1 && std::ranges::equal(s.a, std::span(numbers_).first(count)) &&
      std::ranges::equal(s.b, std::span(numbers_).subspan(count, count)) && numbers_.back() == dt) {
    return;
  }
  entries_.clear();
  numbers_.assign(s.a.begin(), s.a.end());
  numbers_.insert(numbers_.end(), s.b.begin(), s.b.end());
  numbers_.push_back(dt);
}

}  // namespace maxwell_dg::dg
