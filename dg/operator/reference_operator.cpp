#include "dg/operator/reference_operator.hpp"

#include <cmath>

#include <Eigen/Dense>

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using Nodal = Eigen::Map<const Eigen::MatrixXd>;  // [node, field] of one element
using NodalOut = Eigen::Map<Eigen::MatrixXd>;

namespace {
std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}
}  // namespace

ReferenceOperator::ReferenceOperator(const Discretization& discretization, const Problem& problem)
    : discretization_(discretization),
      problem_(problem),
      lowered_(lower(problem.system)),
      volume_(lowered_.volume),
      flux_(lowered_.flux) {
  for (const auto& outside : lowered_.outside) outside_.emplace_back(outside);
  for (std::size_t k = 0; k < discretization.K(); ++k) {
    constants_.push_back(lowered_.constants_of(problem.parameters, k));
  }
}

std::size_t ReferenceOperator::size() const {
  return discretization_.K() * index(problem_.system.field_count() * discretization_.Np());
}

void ReferenceOperator::rhs(std::span<const double> q, double t, std::span<double> rhs) const {
  for (std::size_t k = 0; k < discretization_.K(); ++k) {
    add_volume(k, q, rhs);  // overwrites
    add_surface(k, q, t, rhs);
  }
}

void ReferenceOperator::add_volume(std::size_t k, std::span<const double> q, std::span<double> rhs) const {
  const int Np = discretization_.Np(), fields = problem_.system.field_count();
  const std::size_t start = k * index(Np * fields);
  const Nodal u(q.data() + start, Np, fields);
  NodalOut out(rhs.data() + start, Np, fields);
  const ReferenceElement& ref = discretization_.reference;
  const Eigen::MatrixXd derivative[3] = {ref.Dr * u, ref.Ds * u, ref.Dt * u};
  std::vector<double> work(volume_.size()), values(index(fields));
  for (int n = 0; n < Np; ++n) {
    volume_.run(
        [&](const Symbol& s) {
          switch (s.kind) {
            case Kind::field: return u(n, s.index);
            case Kind::reference_derivative: return derivative[s.axis](n, s.index);
            case Kind::metric: return discretization_.geometry.metric[k][index(s.index)];
            case Kind::parameter: return constants_[k][index(s.index)];
            default: throw std::logic_error("a volume term holds a face quantity");
          }
        },
        work, values);
    for (int f = 0; f < fields; ++f) out(n, f) = values[index(f)];
  }
}

void ReferenceOperator::outside_trace(std::size_t k, int face, int i, std::span<const double> q, double t,
                                      std::span<double> q_p) const {
  const int Np = discretization_.Np(), fields = problem_.system.field_count();
  const auto& Fmask = discretization_.reference.Fmask;
  const std::int32_t neighbour = discretization_.connectivity.neighbours[k][index(face)];
  if (neighbour >= 0) {
    const Nodal other(q.data() + index(neighbour / 4) * index(Np * fields), Np, fields);
    for (int f = 0; f < fields; ++f) q_p[index(f)] = other(Fmask(i, neighbour % 4), f);
    return;
  }
  const Nodal own(q.data() + k * index(Np * fields), Np, fields);
  const int node = Fmask(i, face);
  const Point x = discretization_.node(k, node);
  const Geometry::Face& geometry = discretization_.geometry.faces[k][index(face)];
  const double normal[3] = {geometry.nx, geometry.ny, geometry.nz};
  const Program& outside = outside_[index(problem_.boundary[index(-1 - neighbour)])];
  std::vector<double> work(outside.size());
  outside.run(
      [&](const Symbol& s) {
        switch (s.kind) {
          case Kind::field: return own(node, s.index);
          case Kind::parameter: return constants_[k][index(s.index)];
          case Kind::normal: return normal[s.index];
          case Kind::coordinate: return x[index(s.index)];
          case Kind::time: return t;
          default: throw std::logic_error("an outside state holds a derivative");
        }
      },
      work, q_p);
}

void ReferenceOperator::add_surface(std::size_t k, std::span<const double> q, double t, std::span<double> rhs) const {
  const int Np = discretization_.Np(), Nfp = discretization_.Nfp(), fields = problem_.system.field_count();
  const ReferenceElement& ref = discretization_.reference;
  const Nodal u(q.data() + k * index(Np * fields), Np, fields);
  Eigen::MatrixXd flux(4 * Nfp, fields);
  std::vector<double> work(flux_.size()), q_p(index(fields)), values(index(fields));
  for (int face = 0; face < 4; ++face) {
    const Geometry::Face& geometry = discretization_.geometry.faces[k][index(face)];
    const double normal[3] = {geometry.nx, geometry.ny, geometry.nz};
    const std::int32_t neighbour = discretization_.connectivity.neighbours[k][index(face)];
    const std::vector<double>& constants_p = neighbour < 0 ? constants_[k] : constants_[index(neighbour / 4)];
    for (int i = 0; i < Nfp; ++i) {
      outside_trace(k, face, i, q, t, q_p);
      flux_.run(
          [&](const Symbol& s) {
            const bool inside = s.side == Side::inside;
            switch (s.kind) {
              case Kind::field: return inside ? u(ref.Fmask(i, face), s.index) : q_p[index(s.index)];
              case Kind::parameter: return (inside ? constants_[k] : constants_p)[index(s.index)];
              case Kind::normal: return normal[s.index];
              default: throw std::logic_error("a flux holds a volume quantity");
            }
          },
          work, values);
      for (int f = 0; f < fields; ++f) flux(face * Nfp + i, f) = geometry.Fscale * values[index(f)];
    }
  }
  NodalOut(rhs.data() + k * index(Np * fields), Np, fields) += ref.LIFT * flux;
}

void ReferenceOperator::apply_energy_matrix(std::span<const double> q, std::span<double> result) const {
  const int Np = discretization_.Np(), fields = problem_.system.field_count();
  for (std::size_t k = 0; k < discretization_.K(); ++k) {
    const std::size_t start = k * index(Np * fields);
    NodalOut out(result.data() + start, Np, fields);
    out = std::abs(discretization_.geometry.J[k]) * (discretization_.reference.M * Nodal(q.data() + start, Np, fields));
    for (int f = 0; f < fields; ++f) {
      Expr weight = 0.0;
      for (const auto& weights : lowered_.weights) weight = weight + weights[index(f)];
      const Program program({weight});
      std::vector<double> work(program.size());
      double w = 0.0;
      program.run([&](const Symbol& s) { return constants_[k][index(s.index)]; }, work, {&w, 1});
      out.col(f) *= w;
    }
  }
}

std::vector<double> ReferenceOperator::energies(std::span<const double> q) const {
  const int Np = discretization_.Np(), fields = problem_.system.field_count();
  std::vector<double> sums;
  for (const auto& weights : lowered_.weights) {
    const Program program(weights);
    std::vector<double> work(program.size()), w(index(fields));
    double sum = 0.0;
    for (std::size_t k = 0; k < discretization_.K(); ++k) {
      program.run([&](const Symbol& s) { return constants_[k][index(s.index)]; }, work, w);
      const Nodal u(q.data() + k * index(Np * fields), Np, fields);
      const double J = std::abs(discretization_.geometry.J[k]);
      for (int f = 0; f < fields; ++f) sum += w[index(f)] * J * u.col(f).dot(discretization_.reference.M * u.col(f));
    }
    sums.push_back(sum);
  }
  return sums;
}

}  // namespace maxwell_dg::dg
