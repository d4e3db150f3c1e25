#include "dg/operator/saved_state.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Dense>

#include "core/error.hpp"
#include "core/mpi/standing.hpp"
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

/// Values at the operator's nodes of rows of what an archive holds at those of some order, [row][any][node].
std::vector<double> at_nodes_of(const Operator& op, const Archive& archive, const std::string& name,
                                const Archive::Array::Part& rows) {
  const ReferenceElement& to = op.discretization().reference;
  const std::size_t nodes = archive.array(name).shape.back();
  std::vector<double> values = archive.reals(name, rows);
  if (nodes == static_cast<std::size_t>(to.Np)) return values;
  return mapped(interpolation(ReferenceElement::make(order_with(nodes)), to), values);
}

/// Auxiliary variables of elements of one shape: a row for each variable of each element of each term, with a value at
/// each node of a straight element, or at each volume point of a curved one.
struct AuxiliaryRows {
  std::size_t of_whole{};            ///< rows of the whole mesh
  std::vector<std::size_t> numbers;  ///< [own row] its number among them
  std::vector<double> values;        ///< [own row][place]

  [[nodiscard]] Archive::Array::Part own() const {
    return {.rows = numbers.size(), .number = [this](std::size_t row) { return numbers[row]; }};
  }
};
struct Auxiliary {
  AuxiliaryRows straight, curved;
};

/// Whether some term has auxiliary variables, on whichever rank.
bool has_auxiliary(const Operator& op) {
  return std::ranges::any_of(op.problem().element_terms,
                             [](const ElementTerm& term) { return !term.auxiliary.empty(); });
}

/// Which rows there are, without values; own ones in the order of Operator::own_auxiliary. Collective.
Auxiliary auxiliary_rows(const Operator& op) {
  Auxiliary all;
  const Discretization& part = op.part();
  for (const ElementTerm& term : op.problem_of_part().element_terms) {
    const std::size_t variables = term.auxiliary.size();
    if (variables == 0) continue;
    for (AuxiliaryRows* rows : {&all.straight, &all.curved}) {
      std::vector<std::int32_t> numbers;  // in the whole
      for (const std::int32_t k : term.elements) {
        if (part.mesh.curved.is_curved(index(k)) != (rows == &all.curved)) continue;
        numbers.push_back(part.whole_numbers.empty() ? k : part.whole_numbers[index(k)]);
      }
      const core::Standing standing = core::standing_of(op.ranks(), numbers);
      for (const std::size_t at : standing.at) {
        for (std::size_t v = 0; v < variables; ++v) rows->numbers.push_back(rows->of_whole + at * variables + v);
      }
      rows->of_whole += standing.count * variables;
    }
  }
  return all;
}

/// visit(is_curved, first, places) for each variable of each own element of each term, in the order of
/// Operator::own_auxiliary.
template <class Visit>
void for_each_variable(const Operator& op, const Visit& visit) {
  std::size_t first = 0;
  for (const ElementTerm& term : op.problem_of_part().element_terms) {
    for (const std::int32_t k : term.elements) {
      const std::size_t places = auxiliary_places(op.part(), index(k));
      for (std::size_t variable = 0; variable < term.auxiliary.size(); ++variable, first += places) {
        visit(op.part().mesh.curved.is_curved(index(k)), first, places);
      }
    }
  }
}

/// Takes the values of an array like Operator::own_auxiliary.
void divide(const Operator& op, std::span<const double> values, Auxiliary& parts) {
  for_each_variable(op, [&](bool is_curved, std::size_t first, std::size_t places) {
    const auto part = values.subspan(first, places);
    std::vector<double>& to = (is_curved ? parts.curved : parts.straight).values;
    to.insert(to.end(), part.begin(), part.end());
  });
}

/// The inverse.
std::vector<double> joined(const Operator& op, const Auxiliary& parts) {
  std::vector<double> values;
  std::span<const double> of_straight = parts.straight.values, of_curved = parts.curved.values;
  for_each_variable(op, [&](bool is_curved, std::size_t, std::size_t places) {
    std::span<const double>& from = is_curved ? of_curved : of_straight;
    values.insert(values.end(), from.begin(), from.begin() + static_cast<std::ptrdiff_t>(places));
    from = from.subspan(places);
  });
  return values;
}

/// Values at the operator's volume points of rows of what an archive holds at those of some order, by the polynomials
/// of that order next to them.
std::vector<double> at_points_of(const Operator& op, const Archive& archive, const std::string& name,
                                 const Archive::Array::Part& rows) {
  std::vector<double> values = archive.reals(name, rows);
  const ReferenceElement from = ReferenceElement::make(order_with(archive.array("q").shape.back()));
  const std::vector<Point> points = ElementQuadrature::make(op.discretization().reference).points_in_volume();
  if (from.N == op.discretization().N()) return values;
  Eigen::MatrixXd at_points(static_cast<Eigen::Index>(points.size()), from.Np);
  for (std::size_t i = 0; i < points.size(); ++i) {
    at_points.row(static_cast<Eigen::Index>(i)) = from.lagrange(points[i][0], points[i][1], points[i][2]);
  }
  return mapped(at_points * ElementQuadrature::make(from).from_volume, values);
}

/// The components along x, y and z of a state in the basis of each element, [own element][field][node].
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
  const Discretization& d = op.part();
  const auto Np = static_cast<std::size_t>(d.Np());
  double* node = q.data();
  std::array<double, 18> metric{};
  const symbolic::Program::Lookup value_of{
      .symbol = [&](const Symbol& s) { return node[static_cast<std::size_t>(s.index) * Np]; },
      .lowered = [&](const LoweredSymbol& s) { return metric.at(static_cast<std::size_t>(s.number)); }};
  for (std::size_t k = 0; k < d.own(); ++k, node += (along_axes.size() - 1) * Np) {
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

/// Puts rows in as they are now.
void put_rows(const Operator& op, const std::string& name, const AuxiliaryRows& rows, std::size_t places,
              Archive& archive) {
  if (rows.of_whole == 0) return;
  Archive::Array array =
      array_of(op.precision(), {rows.numbers.size(), places},
               op.precision() == Dtype::float32 ? bytes_as<float>(rows.values) : bytes_as<double>(rows.values));
  if (op.ranks().size() > 1) {
    array.row_axes = 1;
    array.part = {.rows = rows.numbers.size(),
                  .number = [numbers = rows.numbers](std::size_t row) { return numbers[row]; }};
    array.shape.front() = rows.of_whole;
    // Whole rows, in place of single values.
    array.rows = [values = array.rows, places](std::size_t first, std::span<std::byte> to) {
      values(first * places, to);
    };
  }
  archive.put(name, std::move(array));
}

}  // namespace

void save_auxiliary(const Operator& op, Archive& archive) {
  if (!op.power_names().empty()) archive.put("put_in", op.injected_energies());
  if (!has_auxiliary(op)) return;
  Auxiliary parts = auxiliary_rows(op);
  divide(op, op.own_auxiliary(), parts);
  put_rows(op, "unknowns", parts.straight, static_cast<std::size_t>(op.discretization().Np()), archive);
  if (parts.curved.of_whole == 0) return;
  const std::size_t points = ElementQuadrature::make(op.discretization().reference).volume.size();
  put_rows(op, "unknowns.curved", parts.curved, points, archive);
}

void load_state(Operator& op, const Archive& archive) {
  const std::size_t elements = op.elements_of_all();
  const std::vector<std::size_t>& shape = archive.array("q").shape;
  const auto fields = static_cast<std::size_t>(op.problem().system.field_count());
  if (shape.size() != 3 || shape[0] != elements || shape[1] != fields) {
    throw ConfigError("the checkpoint's state is not one of " + std::to_string(elements) + " elements with " +
                      std::to_string(fields) + " fields");
  }
  const Discretization& part = op.part();
  std::vector<double> q =
      at_nodes_of(op, archive, "q", {.rows = part.own(), .number = [&part](std::size_t k) {
                                       return part.whole_numbers.empty() ? k : index(part.whole_numbers[k]);
                                     }});
  if (!archive.has("q.basis")) {
    op.set_own_state(q);
  } else if (op.schedule().in_basis_of_element()) {
    op.set_own_stored_state(q);
  } else {
    op.set_own_state(cartesian(op, std::move(q)));
  }
  if (!op.power_names().empty() && archive.has("put_in")) {
    const std::vector<double> put_in = archive.reals("put_in");
    if (put_in.size() != op.power_names().size()) {
      throw ConfigError("the checkpoint has injected energies ('put_in') of " + std::to_string(put_in.size()) +
                        " powers, but this run integrates " + std::to_string(op.power_names().size()));
    }
    op.set_injected_energies(put_in);
  }
  if (!has_auxiliary(op)) return;
  Auxiliary parts = auxiliary_rows(op);
  const auto rows_in = [&](const std::string& name) {
    return archive.has(name) ? archive.array(name).shape.front() : 0;
  };
  if (rows_in("unknowns") != parts.straight.of_whole || rows_in("unknowns.curved") != parts.curved.of_whole) {
    throw ConfigError(
        "the checkpoint's state has other auxiliary variables, of layers, dispersive media or"
        " sources, than this program; resume with the one that wrote it");
  }
  if (parts.straight.of_whole > 0) {
    parts.straight.values = at_nodes_of(op, archive, "unknowns", parts.straight.own());
  }
  if (parts.curved.of_whole > 0) {
    parts.curved.values = at_points_of(op, archive, "unknowns.curved", parts.curved.own());
  }
  op.set_own_auxiliary(joined(op, parts));
}

}  // namespace maxwell_dg::dg
