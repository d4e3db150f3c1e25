#include "dg/observe/port_levels.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dg/operator/operator.hpp"

namespace maxwell_dg::dg {
namespace {

constexpr std::size_t fields = 6;

/// The nodes of all ports, [port][part of the fields][face][face node].
std::vector<PointLocation> nodes_of(const Discretization& d, const std::vector<maxwell::Port>& ports) {
  const ReferenceElement& reference = d.reference;
  std::vector<PointLocation> points;
  for (const maxwell::Port& port : ports) {
    for (const FieldPart part : d.complex_view.parts()) {
      for (const ElementFace& face : maxwell::on_part(port.mode, d.complex_view, part).faces) {
        for (int i = 0; i < d.Nfp(); ++i) {
          const int node = reference.Fmask(i, face.face);
          points.push_back({face.element, {reference.r(node), reference.s(node), reference.t(node)}});
        }
      }
    }
  }
  return points;
}

std::size_t numbers_of(const Discretization& d, const std::vector<maxwell::Port>& ports) {
  std::size_t faces = 0;
  for (const maxwell::Port& port : ports) faces += port.mode.faces.size();
  return d.complex_view.parts().size() * faces * static_cast<std::size_t>(d.Nfp()) * fields;
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

PortLevels::PortLevels(const Operator& op, const Options& options)
    : DecayLevels(op.record_points(nodes_of(op.discretization(), options.ports), batch), "port_levels",
                  numbers_of(op.discretization(), options.ports), options.ports.size(), options.levels),
      parts_(op.discretization().complex_view.parts().size()) {
  const auto Nfp = static_cast<std::size_t>(op.discretization().Nfp());
  for (const maxwell::Port& port : options.ports) weights_.push_back(by_node(port.outgoing, Nfp));
}

void PortLevels::take(double time, std::span<const double> record) {
  for (std::size_t p = 0; p < weights_.size(); ++p) {
    const std::vector<double>& weights = weights_[p];
    double level = 0;
    for (std::size_t part = 0; part < parts_; ++part) {
      level = std::hypot(level, std::transform_reduce(weights.begin(), weights.end(), record.begin(), 0.0));
      record = record.subspan(weights.size());
    }
    add(p, time, level);
  }
}

}  // namespace maxwell_dg::dg
