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
#include "dg/reference/face_interpolation.hpp"
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

/// Auxiliary variables of one kind of place: a row for each variable of each element (or face) of each term, with a
/// value at each node of a straight element, or at each point of a curved one.
struct AuxiliaryRows {
  std::size_t of_whole{};            ///< rows of the whole mesh
  std::vector<std::size_t> numbers;  ///< [own row] its number among them
  std::vector<double> values;        ///< [own row][place]

  [[nodiscard]] Archive::Array::Part own() const {
    return {.rows = numbers.size(), .number = [this](std::size_t row) { return numbers[row]; }};
  }
};
/// The kinds: of elements and of faces, straight and curved.
struct Auxiliary {
  AuxiliaryRows straight, curved, straight_faces, curved_faces;

  [[nodiscard]] AuxiliaryRows& of(bool on_faces, bool is_curved) {
    return on_faces ? is_curved ? curved_faces : straight_faces : is_curved ? curved : straight;
  }
  [[nodiscard]] const AuxiliaryRows& of(bool on_faces, bool is_curved) const {
    return on_faces ? is_curved ? curved_faces : straight_faces : is_curved ? curved : straight;
  }
};

/// Whether some term has auxiliary variables, on whichever rank.
bool has_auxiliary(const Operator& op) {
  const auto has = [](const auto& term) { return !term.auxiliary.empty(); };
  return std::ranges::any_of(op.problem().element_terms, has) || std::ranges::any_of(op.problem().face_terms, has);
}

/// Adds the rows of a term with so many variables, in elements or at faces whose numbers in the whole these are.
/// Collective.
void add_rows(const Operator& op, std::size_t variables, const std::vector<std::int32_t>& numbers,
              AuxiliaryRows& rows) {
  const core::Standing standing = core::standing_of(op.ranks(), numbers);
  for (const std::size_t at : standing.at) {
    for (std::size_t v = 0; v < variables; ++v) rows.numbers.push_back(rows.of_whole + at * variables + v);
  }
  rows.of_whole += standing.count * variables;
}

/// Which rows there are, without values; own ones in the order of Operator::own_auxiliary. Collective.
Auxiliary auxiliary_rows(const Operator& op) {
  Auxiliary all;
  const Discretization& part = op.part();
  const auto in_whole = [&](std::int32_t k) { return part.whole_numbers.empty() ? k : part.whole_numbers[index(k)]; };
  for (const bool is_curved : {false, true}) {
    for (const ElementTerm& term : op.problem_of_part().element_terms) {
      if (term.auxiliary.empty()) continue;
      std::vector<std::int32_t> numbers;
      for (const std::int32_t k : term.elements) {
        if (part.mesh.curved.is_curved(index(k)) == is_curved) numbers.push_back(in_whole(k));
      }
      add_rows(op, term.auxiliary.size(), numbers, all.of(false, is_curved));
    }
    for (const FaceTerm& term : op.problem_of_part().face_terms) {
      if (term.auxiliary.empty()) continue;
      std::vector<std::int32_t> numbers;
      for (const auto& [k, face] : term.faces) {
        if (part.mesh.curved.is_curved(index(k)) == is_curved) numbers.push_back(4 * in_whole(k) + face);
      }
      add_rows(op, term.auxiliary.size(), numbers, all.of(true, is_curved));
    }
  }
  return all;
}

/// visit(on_faces, is_curved, first, places) for each variable of each own element or face of each term, in the order
/// of Operator::own_auxiliary.
template <class Visit>
void for_each_variable(const Operator& op, const Visit& visit) {
  std::size_t first = 0;
  const auto visit_all = [&](bool on_faces, std::size_t variables, std::int32_t k, std::size_t places) {
    for (std::size_t variable = 0; variable < variables; ++variable, first += places) {
      visit(on_faces, op.part().mesh.curved.is_curved(index(k)), first, places);
    }
  };
  for (const ElementTerm& term : op.problem_of_part().element_terms) {
    for (const std::int32_t k : term.elements) {
      visit_all(false, term.auxiliary.size(), k, auxiliary_places(op.part(), index(k)));
    }
  }
  for (const FaceTerm& term : op.problem_of_part().face_terms) {
    for (const FaceTerm::Face& face : term.faces) {
      visit_all(true, term.auxiliary.size(), face.element, auxiliary_places(op.part(), face));
    }
  }
}

/// Takes the values of an array like Operator::own_auxiliary.
void divide(const Operator& op, std::span<const double> values, Auxiliary& parts) {
  for_each_variable(op, [&](bool on_faces, bool is_curved, std::size_t first, std::size_t places) {
    const auto part = values.subspan(first, places);
    std::vector<double>& to = parts.of(on_faces, is_curved).values;
    to.insert(to.end(), part.begin(), part.end());
  });
}

/// The inverse.
std::vector<double> joined(const Operator& op, const Auxiliary& parts) {
  std::vector<double> values;
  std::array<std::array<std::size_t, 2>, 2> taken{};
  for_each_variable(op, [&](bool on_faces, bool is_curved, std::size_t, std::size_t places) {
    std::size_t& first = taken.at(on_faces).at(is_curved);
    const auto from = parts.of(on_faces, is_curved).values.begin() + static_cast<std::ptrdiff_t>(first);
    values.insert(values.end(), from, from + static_cast<std::ptrdiff_t>(places));
    first += places;
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

/// The same of faces: at their nodes, or at their quadrature points.
std::vector<double> on_faces_of(const Operator& op, const Archive& archive, const std::string& name,
                                const Archive::Array::Part& rows, bool at_points) {
  std::vector<double> values = archive.reals(name, rows);
  const ReferenceElement from = ReferenceElement::make(order_with(archive.array("q").shape.back()));
  const ReferenceElement& to = op.discretization().reference;
  if (from.N == to.N) return values;
  if (!at_points) return mapped(face_interpolation(from, face_nodes_of(to)), values);
  const ElementQuadrature known = ElementQuadrature::make(from);
  const Eigen::VectorXd w = Eigen::Map<const Eigen::VectorXd>(known.face.weights.data(), known.face_points());
  const Eigen::MatrixXd tested = known.at_face.transpose() * w.asDiagonal();
  const Eigen::MatrixXd projection = (tested * known.at_face).ldlt().solve(tested);
  return mapped(face_interpolation(from, ElementQuadrature::make(to).face) * projection, values);
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
  put_rows(op, "unknowns.faces", parts.straight_faces, static_cast<std::size_t>(op.discretization().Nfp()), archive);
  if (parts.curved.of_whole == 0 && parts.curved_faces.of_whole == 0) return;
  const ElementQuadrature quadrature = ElementQuadrature::make(op.discretization().reference);
  put_rows(op, "unknowns.curved", parts.curved, quadrature.volume.size(), archive);
  put_rows(op, "unknowns.curved_faces", parts.curved_faces, index(quadrature.face_points()), archive);
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
  if (rows_in("unknowns") != parts.straight.of_whole || rows_in("unknowns.curved") != parts.curved.of_whole ||
      rows_in("unknowns.faces") != parts.straight_faces.of_whole ||
      rows_in("unknowns.curved_faces") != parts.curved_faces.of_whole) {
    throw ConfigError(
        "the checkpoint's state has other auxiliary variables, of layers, dispersive media, lumped elements or"
        " sources, than this program; resume with the one that wrote it");
  }
  if (parts.straight.of_whole > 0) {
    parts.straight.values = at_nodes_of(op, archive, "unknowns", parts.straight.own());
  }
  if (parts.curved.of_whole > 0) {
    parts.curved.values = at_points_of(op, archive, "unknowns.curved", parts.curved.own());
  }
  for (const bool is_curved : {false, true}) {
    AuxiliaryRows& rows = parts.of(true, is_curved);
    const std::string name = is_curved ? "unknowns.curved_faces" : "unknowns.faces";
    if (rows.of_whole > 0) rows.values = on_faces_of(op, archive, name, rows.own(), is_curved);
  }
  op.set_own_auxiliary(joined(op, parts));
}

}  // namespace maxwell_dg::dg
