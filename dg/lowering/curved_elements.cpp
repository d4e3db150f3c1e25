#include "dg/lowering/curved_elements.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "dg/lowering/linear_map.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using Lowered = LoweredSymbol::Kind;
using Variance = ElementBasis::Variance;

namespace {

using Nodal = Eigen::Map<const Eigen::MatrixXd>;  // [node, field] of one element

std::vector<double> run(const Program& program, const Program::Lookup& lookup) {
  std::vector<double> work(program.size()), values(program.outputs().size());
  program.run(lookup, work, values);
  return values;
}

double no_symbol(const Symbol&) {
  throw std::logic_error("an equation of curved elements holds a symbol that has no value there");
}
double no_lowered(const LoweredSymbol&) {
  throw std::logic_error("an equation of curved elements holds a quantity of the lowering that has no value there");
}

}  // namespace

CurvedElements::CurvedElements(const Discretization& discretization, const Problem& problem,
                               const LoweredSystem& lowered, const VaryingMedia& media)
    : discretization_(discretization),
      geometry_(discretization.curved.value()),
      problem_(problem),
      media_(media),
      system_(CurvedSystem::of(lowered, problem.system.name)),
      stored_(system_.basis.stored),
      cartesian_(system_.basis.cartesian),
      operands_(system_.contracted.operands),
      sums_(system_.sums),
      equations_(system_.contracted.equations),
      invariants_(discretization, system_, media) {
  require_integrated_losses(problem, discretization);
  for (const auto& values : system_.lifting.values) flux_.emplace_back(values);
  for (const auto& outside : lowered.outside) outside_.emplace_back(outside);
  find_maps();
}

void CurvedElements::find_maps() {
  for (const Gradients& gradients : geometry_.at_nodes) {
    stored_at_nodes_.push_back(linear_map(stored_, gradients));
    cartesian_at_nodes_.push_back(linear_map(cartesian_, gradients));
  }
  const int points = geometry_.quadrature.face_points();
  for (const auto& boundary_face : discretization_.connectivity.boundary_faces) {
    const bool is_curved = discretization_.mesh.curved.is_curved(index(boundary_face.cell));
    for (int i = 0; i < points; ++i) {
      const auto map = [&](const Program& program) {
        return is_curved ? linear_map(program, face_point(index(boundary_face.cell), boundary_face.face, i).gradients)
                         : Matrix();
      };
      stored_at_boundary_.push_back(map(stored_));
      cartesian_at_boundary_.push_back(map(cartesian_));
    }
  }
}

const CurvedGeometry::FacePoint& CurvedElements::face_point(std::size_t k, int face, int i) const {
  return geometry_.at_face_points[place(k, face, i)];
}

CurvedElements::Matrix CurvedElements::stored(std::size_t k, std::span<const double> q) const {
  const int Np = discretization_.Np(), fields = problem_.system.field_count();
  const Nodal u(q.data() + k * index(Np * fields), Np, fields);
  Matrix result(Np, fields);
  for (int n = 0; n < Np; ++n) {
    result.row(n) = (stored_at_nodes_[number(k) * index(Np) + index(n)] * u.row(n).transpose()).transpose();
  }
  return result;
}

CurvedElements::Matrix CurvedElements::stored_outside(std::size_t k, int face, std::int32_t other,
                                                      std::span<const double> q) const {
  const int Np = discretization_.Np(), Nfp = discretization_.Nfp(), fields = problem_.system.field_count();
  const auto& Fmask = discretization_.reference.Fmask;
  const Nodal u(q.data() + index(other / 4) * index(Np * fields), Np, fields);
  Matrix nodal(Nfp, fields);
  for (int i = 0; i < Nfp; ++i) {
    const Matrix& to_stored = stored_at_nodes_[number(k) * index(Np) + index(Fmask(i, face))];
    nodal.row(i) = (to_stored * u.row(Fmask(i, other % 4)).transpose()).transpose();
  }
  return nodal;
}

void CurvedElements::add_stored(std::size_t k, const Matrix& changes, std::span<double> rhs) const {
  const int Np = discretization_.Np(), fields = problem_.system.field_count();
  Eigen::Map<Matrix> out(rhs.data() + k * index(Np * fields), Np, fields);
  for (int n = 0; n < Np; ++n) {
    out.row(n) += (cartesian_at_nodes_[number(k) * index(Np) + index(n)] * changes.row(n).transpose()).transpose();
  }
}

CurvedElements::Matrix CurvedElements::traces(int face, const Matrix& at_points, Side side) const {
  Matrix result = Matrix::Zero(at_points.rows(), at_points.cols());
  for (const auto& [number, through, terms] : system_.traces(face)) {
    const double out = through && side == Side::outside ? -1 : 1;
    for (const auto& [field, negative] : terms) result.col(number) += (negative ? -out : out) * at_points.col(field);
  }
  return result;
}

CurvedElements::Matrix CurvedElements::outside_traces(std::size_t k, int face, const Matrix& at_points,
                                                      std::span<const double> q, double t) const {
  const std::int32_t neighbour = discretization_.connectivity.neighbours[k][index(face)];
  if (neighbour >= 0) {
    return traces(face, geometry_.quadrature.at_face * stored_outside(k, face, neighbour, q), Side::outside);
  }
  const std::size_t boundary_face = index(-1 - neighbour);
  const Program& outside = outside_[index(problem_.boundary[boundary_face])];
  const auto points = static_cast<int>(at_points.rows());
  const int fields = problem_.system.field_count();
  Matrix outside_stored(points, fields);
  for (int i = 0; i < points; ++i) {
    const CurvedGeometry::FacePoint& point = face_point(k, face, i);
    const std::size_t at = boundary_face * index(points) + index(i);
    const double n[3] = {point.face.nx, point.face.ny, point.face.nz};
    const Eigen::VectorXd own = cartesian_at_boundary_[at] * at_points.row(i).transpose();
    const auto value_of = [&](const Symbol& s) {
      switch (s.kind) {
        case Kind::field: return own(s.index);
        case Kind::normal: return n[s.axis];
        case Kind::coordinate: return point.x[index(s.axis)];
        case Kind::time: return t;
        default: return no_symbol(s);
      }
    };
    const auto constant = [&](const LoweredSymbol& s) {
      return s.kind == Lowered::element_constant ? media_.of_element(k)[index(s.number)] : no_lowered(s);
    };
    const std::vector<double> state = run(outside, {value_of, constant});
    outside_stored.row(i) =
        (stored_at_boundary_[at] * Eigen::Map<const Eigen::VectorXd>(state.data(), fields)).transpose();
  }
  return traces(face, outside_stored, Side::outside);
}

void CurvedElements::add_flux(std::size_t k, int face, const Matrix& own, std::span<const double> q, double t,
                              Matrix& lifted) const {
  const ElementQuadrature& quadrature = geometry_.quadrature;
  const int points = quadrature.face_points();
  Matrix on_face(discretization_.Nfp(), own.cols());
  for (int i = 0; i < discretization_.Nfp(); ++i) on_face.row(i) = own.row(discretization_.reference.Fmask(i, face));
  const Matrix at_points = quadrature.at_face * on_face;
  const Matrix q_m = traces(face, at_points, Side::inside), q_p = outside_traces(k, face, at_points, q, t);
  const Program& flux = flux_[index(face)];
  Matrix values(points, static_cast<Eigen::Index>(flux.outputs().size()));
  for (int i = 0; i < points; ++i) {
    const auto& invariants = invariants_.of_faces()[place(k, face, i)];
    const auto trace = [&](const Symbol& s) {
      return s.kind == Kind::field ? (s.side == Side::inside ? q_m : q_p)(i, s.index) : no_symbol(s);
    };
    const auto invariant = [&](const LoweredSymbol& s) {
      return s.kind == Lowered::invariant ? invariants[index(s.number)] : no_lowered(s);
    };
    const std::vector<double> at_point = run(flux, {trace, invariant});
    values.row(i) = Eigen::Map<const Eigen::RowVectorXd>(at_point.data(), values.cols());
  }
  const Matrix products = quadrature.lift.middleCols(face * points, points) * values;
  for (std::size_t sum = 0; sum < system_.lifting.sums.size(); ++sum) {
    for (const Lifting::Term& term : system_.lifting.sums[sum]) {
      if (term.face != face) continue;
      lifted.col(static_cast<Eigen::Index>(sum)) += (term.negative ? -1 : 1) * products.col(term.value);
    }
  }
}

void CurvedElements::evaluate(std::size_t k, std::span<const double> q, double t, std::span<double> rhs) const {
  const int Np = discretization_.Np(), fields = problem_.system.field_count();
  const ReferenceElement& ref = discretization_.reference;
  const Matrix own = stored(k, q);
  const auto contractions = static_cast<Eigen::Index>(system_.contracted.contractions.size());
  Matrix operands(Np, operands_.outputs().size());
  for (int n = 0; n < Np; ++n) {
    const auto values = run(operands_, {.symbol = [&](const Symbol& s) { return own(n, s.index); }});
    operands.row(n) = Eigen::Map<const Eigen::RowVectorXd>(values.data(), operands.cols());
  }
  Matrix parts = Matrix::Zero(Np, contractions + static_cast<Eigen::Index>(system_.lifting.sums.size()));
  const Matrix* derivatives[3] = {&ref.Dr, &ref.Ds, &ref.Dt};
  for (Eigen::Index c = 0; c < contractions; ++c) {
    for (const Contraction::Term& term : system_.contracted.contractions[static_cast<std::size_t>(c)].terms) {
      parts.col(c) += (term.negative ? -1 : 1) * *derivatives[term.axis] * operands.col(term.operand);
    }
  }
  Matrix lifted = Matrix::Zero(Np, static_cast<Eigen::Index>(system_.lifting.sums.size()));
  for (int face = 0; face < ReferenceElement::Nfaces; ++face) add_flux(k, face, own, q, t, lifted);
  parts.rightCols(lifted.cols()) = lifted;

  Matrix sums(Np, fields);
  for (int n = 0; n < Np; ++n) {
    const auto part = [&](const LoweredSymbol& s) {
      return s.kind == Lowered::contraction ? parts(n, s.number) : no_lowered(s);
    };
    const auto values = run(sums_, {.lowered = part});
    sums.row(n) = Eigen::Map<const Eigen::RowVectorXd>(values.data(), fields);
  }
  const ElementQuadrature& quadrature = geometry_.quadrature;
  const Matrix sums_at = quadrature.at_volume * sums, own_at = quadrature.at_volume * own;
  Matrix changes(quadrature.volume_points(), fields);
  for (int i = 0; i < quadrature.volume_points(); ++i) {
    const auto& invariants = invariants_.of_elements()[number(k) * index(quadrature.volume_points()) + index(i)];
    const auto of_lowering = [&](const LoweredSymbol& s) {
      switch (s.kind) {
        case Lowered::contraction: return sums_at(i, s.number);
        case Lowered::invariant: return invariants[index(s.number)];
        default: return no_lowered(s);
      }
    };
    const auto values = run(equations_, {[&](const Symbol& s) { return own_at(i, s.index); }, of_lowering});
    changes.row(i) = Eigen::Map<const Eigen::RowVectorXd>(values.data(), fields);
  }
  std::ranges::fill(rhs.subspan(k * index(Np * fields), index(Np * fields)), 0.0);
  add_stored(k, quadrature.from_volume * changes, rhs);
}

CurvedElements::Matrix CurvedElements::weights_at(std::size_t point, const Matrix& weights) const {
  const Gradients& gradients = geometry_.at_volume_points[point];
  const Matrix map = linear_map(cartesian_, gradients);
  return std::abs(determinant(gradients)) * map.transpose() * weights * map;
}

double CurvedElements::energy(std::size_t k, const Weights& weights, std::span<const double> q) const {
  const ElementQuadrature& quadrature = geometry_.quadrature;
  const Matrix at_points = quadrature.at_volume * stored(k, q);
  double sum = 0;
  for (std::size_t i = 0; i < quadrature.volume.size(); ++i) {
    const Eigen::VectorXd u = at_points.row(static_cast<Eigen::Index>(i)).transpose();
    sum += quadrature.volume.weights[i] * u.dot(weights_at(number(k) * quadrature.volume.size() + i, weights(i)) * u);
  }
  return sum;
}

void CurvedElements::apply_energy_matrix(std::size_t k, const Weights& weights, std::span<const double> q,
                                         std::span<double> result) const {
  const int Np = discretization_.Np(), fields = problem_.system.field_count();
  const ElementQuadrature& quadrature = geometry_.quadrature;
  std::vector<Matrix> inverse_weights;  // [volume point], times the weights of the quadrature
  for (std::size_t i = 0; i < quadrature.volume.size(); ++i) {
    inverse_weights.emplace_back(quadrature.volume.weights[i] *
                                 weights_at(number(k) * quadrature.volume.size() + i, weights(i)).inverse());
  }
  const Matrix& M = discretization_.reference.M;
  Matrix applied = M * stored(k, q);
  for (const auto& [variance, first] : system_.basis.quantities) {
    const int components = variance == Variance::scalar ? 1 : 3;
    Matrix mass(components * Np, components * Np);
    for (int a = 0; a < components; ++a) {
      for (int b = 0; b < components; ++b) {
        Eigen::VectorXd entries(quadrature.volume_points());
        for (Eigen::Index i = 0; i < entries.size(); ++i) {
          entries(i) = inverse_weights[static_cast<std::size_t>(i)](first + a, first + b);
        }
        mass.block(a * Np, b * Np, Np, Np) =
            quadrature.at_volume.transpose() * entries.asDiagonal() * quadrature.at_volume;
      }
    }
    Eigen::Map<Eigen::VectorXd> part(applied.data() + first * Np, components * Np);
    part = mass.llt().solve(Eigen::VectorXd(part));
  }
  applied = (M * applied).eval();
  Eigen::Map<Matrix> out(result.data() + k * index(Np * fields), Np, fields);
  for (int n = 0; n < Np; ++n) {
    out.row(n) = applied.row(n) * stored_at_nodes_[number(k) * index(Np) + index(n)];
  }
}

}  // namespace maxwell_dg::dg
