#include "dg/operator/saved_state.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Dense>

#include "core/error.hpp"
#include "dg/lowering/affine_map.hpp"
#include "dg/lowering/element_basis.hpp"
#include "dg/lowering/lowered_term.hpp"
#include "dg/lowering/lowering.hpp"
#include "dg/reference/element_quadrature.hpp"
#include "dg/reference/reference_element.hpp"

namespace maxwell_dg::dg {
namespace {

int order_with(std::size_t nodes) {
  for (int N = 1; N <= ReferenceElement::max_order; ++N) {
    if (static_cast<std::size_t>(node_count(N)) == nodes) return N;
  }
  throw ConfigError("the checkpoint's state has " + std::to_string(nodes) + " nodes an element, as no order has");
}

/// [to.Np, from.Np]: values at the nodes of `to` of the polynomials that nodal values of `from` stand for.
Eigen::MatrixXd interpolation(const ReferenceElement& from, const ReferenceElement& to) {
  Eigen::MatrixXd matrix(to.Np, from.Np);
  for (int i = 0; i < to.Np; ++i) matrix.row(i) = from.lagrange(to.r(i), to.s(i), to.t(i));
  return matrix;
}

/// [any][row] the products of a matrix and values [any][column].
std::vector<double> mapped(const Eigen::MatrixXd& matrix, std::span<const double> values) {
  const auto columns = static_cast<Eigen::Index>(values.size()) / matrix.cols();
  std::vector<double> result(static_cast<std::size_t>(columns * matrix.rows()));
  Eigen::Map<Eigen::MatrixXd>(result.data(), matrix.rows(), columns).noalias() =
      matrix * Eigen::Map<const Eigen::MatrixXd>(values.data(), matrix.cols(), columns);
  return result;
}

/// Values at the operator's nodes of what an archive holds at those of some order, [any][node].
std::vector<double> at_nodes_of(const Operator& op, const Archive& archive, const std::string& name) {
  const ReferenceElement& to = op.discretization().reference;
  const std::size_t nodes = archive.array(name).shape.back();
  std::vector<double> values = archive.reals(name);
  if (nodes == static_cast<std::size_t>(to.Np)) return values;
  return mapped(interpolation(ReferenceElement::make(order_with(nodes)), to), values);
}

/// The auxiliary variables of a state: those of straight elements at nodes, those of curved ones at volume points.
struct Auxiliary {
  std::vector<double> at_nodes, at_points;  ///< [term][element][variable][place]
};

/// visit(is_curved, first, places) for each variable of each element of each term, in their order.
template <class Visit>
void for_each_variable(const Operator& op, const Visit& visit) {
  std::size_t first = 0;
  for (const ElementTerm& term : op.problem().element_terms) {
    for (const std::int32_t k : term.elements) {
      const std::size_t places = auxiliary_places(op.discretization(), index(k));
      for (std::size_t variable = 0; variable < term.auxiliary.size(); ++variable, first += places) {
        visit(op.discretization().mesh.curved.is_curved(index(k)), first, places);
      }
    }
  }
}

Auxiliary divided(const Operator& op, std::span<const double> values) {
  Auxiliary parts;
  for_each_variable(op, [&](bool is_curved, std::size_t first, std::size_t places) {
    const auto part = values.subspan(first, places);
    std::vector<double>& to = is_curved ? parts.at_points : parts.at_nodes;
    to.insert(to.end(), part.begin(), part.end());
  });
  return parts;
}

/// The inverse; nothing where there are more or fewer values than that.
std::vector<double> joined(const Operator& op, const Auxiliary& parts) {
  std::vector<double> values;
  std::span<const double> of_straight = parts.at_nodes, of_curved = parts.at_points;
  bool fits = true;
  for_each_variable(op, [&](bool is_curved, std::size_t, std::size_t places) {
    std::span<const double>& from = is_curved ? of_curved : of_straight;
    fits = fits && from.size() >= places;
    if (!fits) return;
    values.insert(values.end(), from.begin(), from.begin() + static_cast<std::ptrdiff_t>(places));
    from = from.subspan(places);
  });
  return fits && of_straight.empty() && of_curved.empty() ? values : std::vector<double>();
}

/// Values at the operator's volume points of what an archive holds at those of some order, by the polynomials of that
/// order next to them.
std::vector<double> at_points_of(const Operator& op, const Archive& archive, const std::string& name) {
  std::vector<double> values = archive.reals(name);
  const ReferenceElement from = ReferenceElement::make(order_with(archive.array("q").shape.back()));
  const std::vector<Point> points = op.discretization().curved.value().quadrature.points_in_volume();
  if (from.N == op.discretization().N()) return values;
  Eigen::MatrixXd at_points(static_cast<Eigen::Index>(points.size()), from.Np);
  for (std::size_t i = 0; i < points.size(); ++i) {
    at_points.row(static_cast<Eigen::Index>(i)) = from.lagrange(points[i][0], points[i][1], points[i][2]);
  }
  return mapped(at_points * ElementQuadrature::make(from).from_volume, values);
}

/// The components along x, y and z of a state in the basis of each element, [element][field][node].
std::vector<double> cartesian(const Operator& op, std::vector<double> q) {
  using symbolic::Symbol, symbolic::LoweredSymbol;
  const std::optional<ElementBasis> basis = element_basis(lower(op.problem().system));
  if (!basis) {
    throw ConfigError(
        "the checkpoint's state is in a basis that this program does not know for such materials; resume with the one"
        " that wrote it");
  }
  const symbolic::Program program(basis->cartesian);
  std::vector<double> work(program.size()), along_axes(basis->cartesian.size());
  const Discretization& d = op.discretization();
  const auto Np = static_cast<std::size_t>(d.Np());
  double* node = q.data();
  std::array<double, 18> metric{};
  const symbolic::Program::Lookup value_of{
      .symbol = [&](const Symbol& s) { return node[static_cast<std::size_t>(s.index) * Np]; },
      .lowered = [&](const LoweredSymbol& s) { return metric.at(static_cast<std::size_t>(s.number)); }};
  for (std::size_t k = 0; k < d.K(); ++k, node += (along_axes.size() - 1) * Np) {
    const bool is_curved = d.mesh.curved.is_curved(k);
    metric = metric_values(d.geometry.metric[k]);
    for (std::size_t n = 0; n < Np; ++n, ++node) {
      if (is_curved) metric = metric_values(d.curved->at_nodes[index(d.mesh.curved.number[k]) * Np + n]);
      program.run(value_of, work, along_axes);
      for (std::size_t f = 0; f < along_axes.size(); ++f) node[f * Np] = along_axes[f];
    }
  }
  return q;
}

template <class T>
std::vector<std::byte> bytes_as(std::span<const double> values) {
  const std::vector<T> converted(values.begin(), values.end());
  const auto bytes = std::as_bytes(std::span(converted));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

void save_auxiliary(const Operator& op, Archive& archive) {
  if (!op.power_names().empty()) archive.put("put_in", op.injected_energies());
  if (op.auxiliary_count() == 0) return;
  std::vector<double> values(op.auxiliary_count());
  op.get_auxiliary(values);
  const auto put = [&](const std::string& name, std::span<const double> part, std::size_t places) {
    if (part.empty()) return;
    archive.put(name, array_of(op.precision(), {part.size() / places, places},
                               op.precision() == Dtype::float32 ? bytes_as<float>(part) : bytes_as<double>(part)));
  };
  const auto Np = static_cast<std::size_t>(op.discretization().Np());
  if (!op.discretization().curved) return put("unknowns", values, Np);
  const Auxiliary parts = divided(op, values);
  put("unknowns", parts.at_nodes, Np);
  put("unknowns.curved", parts.at_points, op.discretization().curved->quadrature.volume.size());
}

void load_state(Operator& op, const Archive& archive) {
  const Discretization& d = op.discretization();
  const std::vector<std::size_t>& shape = archive.array("q").shape;
  const auto fields = static_cast<std::size_t>(op.problem().system.field_count());
  if (shape.size() != 3 || shape[0] != d.K() || shape[1] != fields) {
    throw ConfigError("the checkpoint's state is not one of " + std::to_string(d.K()) + " elements with " +
                      std::to_string(fields) + " fields");
  }
  std::vector<double> q = at_nodes_of(op, archive, "q");
  if (!archive.has("q.basis")) {
    op.set_state(q);
  } else if (op.schedule().in_basis_of_element()) {
    op.set_stored_state(q);
  } else {
    op.set_state(cartesian(op, std::move(q)));
  }
  if (!op.power_names().empty() && archive.has("put_in")) {
    const std::vector<double> put_in = archive.reals("put_in");
    if (put_in.size() != op.power_names().size()) {
      throw ConfigError("the checkpoint has injected energies ('put_in') of " + std::to_string(put_in.size()) +
                        " powers, but this run integrates " + std::to_string(op.power_names().size()));
    }
    op.set_injected_energies(put_in);
  }
  if (op.auxiliary_count() == 0) return;
  std::vector<double> auxiliary;
  if (d.curved) {
    Auxiliary parts;
    if (archive.has("unknowns")) parts.at_nodes = at_nodes_of(op, archive, "unknowns");
    if (archive.has("unknowns.curved")) parts.at_points = at_points_of(op, archive, "unknowns.curved");
    auxiliary = joined(op, parts);
  } else {
    auxiliary = at_nodes_of(op, archive, "unknowns");
  }
  if (auxiliary.size() != op.auxiliary_count()) {
    throw ConfigError(
        "the checkpoint's state has other auxiliary variables, of layers, dispersive media or"
        " sources, than this program; resume with the one that wrote it");
  }
  op.set_auxiliary(auxiliary);
}

}  // namespace maxwell_dg::dg
