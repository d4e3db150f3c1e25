#include "dg/observe/element_signals.hpp"

#include <cmath>
#include <numeric>

#include "dg/operator/operator.hpp"

namespace maxwell_dg::dg {
namespace {

constexpr std::size_t fields = 6;

std::vector<PointLocation> nodes_of(const Discretization& d, const ElementSignals::Options& options) {
  const ReferenceElement& reference = d.reference;
  std::vector<PointLocation> points;
  for (const ElementSignals::Element& element : options.elements) {
    for (const ElementFace& face : element.mode.faces) {
      for (int i = 0; i < d.Nfp(); ++i) {
        const int node = reference.Fmask(i, face.face);
        points.push_back({face.element, {reference.r(node), reference.s(node), reference.t(node)}});
      }
    }
  }
  return points;
}

std::size_t width_of(const Discretization& d, const ElementSignals::Options& options) {
  std::size_t faces = 0;
  for (const ElementSignals::Element& element : options.elements) faces += element.mode.faces.size();
  return faces * index(d.Nfp()) * fields;
}

std::vector<std::string> columns_of(const ElementSignals::Options& options) {
  std::vector<std::string> columns{"time"};
  for (const ElementSignals::Element& element : options.elements) {
    for (const char* signal : {".V", ".I"}) columns.push_back(element.name + signal);
  }
  return columns;
}

}  // namespace

ElementSignals::ElementSignals(const Operator& op, const Options& options)
    : RecordedRows(op.record_points(nodes_of(op.discretization(), options), batch),
                   {.name = "elements",
                    .sink = &options.sink,
                    .columns = columns_of(options),
                    .every = options.every,
                    .width = width_of(op.discretization(), options),
                    .resumed = options.resumed}),
      time_factor_(options.time_factor) {
  for (const Element& element : options.elements) {
    const maxwell::LumpedFilm& film = element.mode.film.value();
    // The integral of e . e is 1 of the mode, and root^2 of the field of a voltage of 1. The mode's I comes into the
    // mesh.
    const double root = std::sqrt(film.squares);
    const double to_voltage = (film.is_inside ? 0.5 : 1.0) / root, to_current = -root * options.current_factor;
    std::vector<double>& of_voltage = of_voltage_.emplace_back();
    std::vector<double>& of_current = of_current_.emplace_back();
    for (std::size_t i = 0; i < element.mode.weight.size(); ++i) {
      for (const double component : element.mode.weight[i]) of_voltage.push_back(to_voltage * component);
      of_voltage.insert(of_voltage.end(), 3, 0.0);
      of_current.insert(of_current.end(), 3, 0.0);
      for (const double component : element.mode.weight_of_H[i]) of_current.push_back(to_current * component);
    }
  }
}

std::vector<double> ElementSignals::row_of(double time, std::span<const double> record) {
  std::vector<double> row{time * time_factor_};
  for (std::size_t e = 0; e < of_voltage_.size(); ++e) {
    for (const std::vector<double>* weights : {&of_voltage_[e], &of_current_[e]}) {
      row.push_back(std::transform_reduce(weights->begin(), weights->end(), record.begin(), 0.0));
    }
    record = record.subspan(of_voltage_[e].size());
  }
  return row;
}

}  // namespace maxwell_dg::dg
