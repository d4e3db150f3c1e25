#include "dg/observe/port_levels.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "dg/operator/operator.hpp"

namespace maxwell_dg::dg {
namespace {

constexpr std::size_t fields = 6;

/// The nodes of a port, [face][face node].
void add_nodes(const Discretization& d, const maxwell::PortMode& mode, std::vector<PointLocation>& points) {
  const ReferenceElement& reference = d.reference;
  for (const ElementFace& face : mode.faces) {
    for (int i = 0; i < d.Nfp(); ++i) {
      const int node = reference.Fmask(i, face.face);
      points.push_back({face.element, {reference.r(node), reference.s(node), reference.t(node)}});
    }
  }
}

/// From [face][field][face node] to [face][face node][field].
std::vector<double> by_node(const std::vector<double>& weights, std::size_t Nfp) {
  std::vector<double> result(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::size_t face = i / (fields * Nfp), field = i / Nfp % fields, node = i % Nfp;
    result[(face * Nfp + node) * fields + field] = weights[i];
  }
  return result;
}

}  // namespace

PortLevels::PortLevels(const Operator& op, Options options) : options_(std::move(options)) {
  const Discretization& d = op.discretization();
  std::vector<PointLocation> points;
  for (std::size_t p = 0; p < options_.ports.size(); ++p) {
    const maxwell::PortMode& mode = options_.ports[p].mode;
    add_nodes(d, mode, points);
    weights_.push_back(by_node(maxwell::outgoing_weights(d, mode), static_cast<std::size_t>(d.Nfp())));
    levels_.emplace_back(DecayRecord::Options{.end = options_.end,
                                              .turns = options_.turns,
                                              .window = options_.window,
                                              .name = "port_levels." + std::to_string(p)});
    if (options_.resumed != nullptr) levels_.back().load(*options_.resumed);
  }
  width_ = points.size() * fields;
  recorder_ = op.record_points(points, batch);
}

void PortLevels::observe(Operator&, const Moment& now) {
  if (now.step % options_.every == 0) note(now);
}

void PortLevels::finish(Operator&, const Moment& now) {
  if (now.step != noted_step_) note(now);
  take(recorder_->take());
}

void PortLevels::save(Operator&, const Moment&, Archive& archive) {
  take(recorder_->take());
  for (const DecayRecord& level : levels_) level.save(archive);
}

void PortLevels::note(const Moment& now) {
  recorder_->record();
  times_.push_back(now.time);
  noted_step_ = now.step;
  take(recorder_->take_arrived());
}

void PortLevels::take(std::span<const double> records) {
  for (; !records.empty(); records = records.subspan(width_)) {
    std::span<const double> rest = records.first(width_);
    for (std::size_t p = 0; p < weights_.size(); ++p) {
      const std::vector<double>& weights = weights_[p];
      levels_[p].add(times_.front(),
                     std::abs(std::transform_reduce(weights.begin(), weights.end(), rest.begin(), 0.0)));
      rest = rest.subspan(weights.size());
    }
    times_.pop_front();
  }
}

}  // namespace maxwell_dg::dg
