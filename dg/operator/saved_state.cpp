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
#include "dg/lowering/lowering.hpp"
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

/// Values at the operator's nodes of what an archive holds at those of some order, [any][node].
std::vector<double> at_nodes_of(const Operator& op, const Archive& archive, const std::string& name) {
  const ReferenceElement& to = op.discretization().reference;
  const std::size_t nodes = archive.array(name).shape.back();
  std::vector<double> values = archive.reals(name);
  if (nodes == static_cast<std::size_t>(to.Np)) return values;
  const Eigen::MatrixXd matrix = interpolation(ReferenceElement::make(order_with(nodes)), to);
  const auto columns = static_cast<Eigen::Index>(values.size() / nodes);
  std::vector<double> result(static_cast<std::size_t>(columns * to.Np));
  Eigen::Map<Eigen::MatrixXd>(result.data(), to.Np, columns).noalias() =
      matrix * Eigen::Map<const Eigen::MatrixXd>(values.data(), matrix.cols(), columns);
  return result;
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
    metric = metric_values(d.geometry.metric[k]);
    for (std::size_t n = 0; n < Np; ++n, ++node) {
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
  const auto Np = static_cast<std::size_t>(op.discretization().Np());
  archive.put("unknowns",
              array_of(op.precision(), {values.size() / Np, Np},
                       op.precision() == Dtype::float32 ? bytes_as<float>(values) : bytes_as<double>(values)));
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
  const std::vector<double> auxiliary = at_nodes_of(op, archive, "unknowns");
  if (auxiliary.size() != op.auxiliary_count()) {
    throw ConfigError(
        "the checkpoint's state has other auxiliary variables, of layers, dispersive media or"
        " sources, than this program; resume with the one that wrote it");
  }
  op.set_auxiliary(auxiliary);
}

}  // namespace maxwell_dg::dg
