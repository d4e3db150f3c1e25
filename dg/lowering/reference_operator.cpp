#include "dg/lowering/reference_operator.hpp"

#include <cmath>

#include <Eigen/Dense>

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using Lowered = LoweredSymbol::Kind;
using Nodal = Eigen::Map<const Eigen::MatrixXd>;  // [node, field] of one element
using NodalOut = Eigen::Map<Eigen::MatrixXd>;

namespace {

/// Looks up the values of constants; other lowered symbols do not occur in terms and fluxes.
auto values_in(std::span<const double> constants) {
  return [constants](const LoweredSymbol& s) {
    if (s.kind == Lowered::element_constant) return constants[index(s.number)];
    throw std::logic_error("a term of nodes or a flux holds a volume quantity");
  };
}

}  // namespace

ReferenceOperator::ReferenceOperator(const Discretization& discretization, const Problem& problem)
    : discretization_(discretization),
      problem_(problem),
      lowered_(lower(problem.system)),
      materials_(MaterialTable::make(lowered_, problem.parameters, discretization.K())),
      media_(lowered_, problem, materials_),
      volume_(lowered_.volume),
      flux_(lowered_.flux) {
  for (const auto& outside : lowered_.outside) outside_.emplace_back(outside);
  const auto interpreted = [&](const auto& term, const LoweredTerm& lowered_term) {
    return InterpretedTerm{.lowered = lowered_term,
                           .constants = lowered_term.constants_at(discretization, problem, term),
                           .program = Program(lowered_term.outputs())};
  };
  for (const ElementTerm& term : problem.element_terms) {
    element_terms_.push_back(interpreted(term, lower(problem.system, term)));
    if (!discretization.curved) continue;
    InterpretedTerm& added =
        curved_element_terms_.emplace_back(interpreted(term, lower_for_curved(problem.system, term)));
    added.constants_at_points = added.lowered.constants_at_points(problem, term);
  }
  for (const FaceTerm& term : problem.face_terms) {
    face_terms_.push_back(interpreted(term, lower(problem.system, term)));
    if (!discretization.curved) continue;
    curved_face_terms_.push_back(interpreted(term, lower_for_curved(problem.system, term)));
  }
  if (discretization.curved) curved_.emplace(discretization, problem, lowered_, media_);
  if (discretization.curved && problem.has_terms()) curved_terms_.emplace(discretization, problem, *curved_, media_);
}

std::size_t ReferenceOperator::size() const {
  return discretization_.K() * index(problem_.system.field_count() * discretization_.Np());
}

void ReferenceOperator::rhs(std::span<const double> q, double t, std::span<double> rhs, std::span<const double> u,
                            std::span<double> rates) const {
  for (std::size_t k = 0; k < discretization_.own(); ++k) {
    if (is_curved(k)) {
      curved_->evaluate(k, q, t, rhs);
      continue;
    }
    add_volume(k, q, rhs);  // overwrites
    add_surface(k, q, t, rhs);
  }
  const auto take = [](auto& values, std::size_t count) {  // the next ones, of those that there are
    const auto part = values.first(values.empty() ? 0 : count);
    values = values.subspan(part.size());
    return part;
  };
  for (std::size_t number = 0; number < element_terms_.size(); ++number) {
    const ElementTerm& term = problem_.element_terms[number];
    for (std::size_t i = 0; i < term.elements.size(); ++i) {
      const std::size_t k = index(term.elements[i]);
      const std::size_t count = term.auxiliary.size() * auxiliary_places(discretization_, k);
      const std::span<const double> own = take(u, count);
      const std::span<double> own_rates = take(rates, count);
      if (is_curved(k)) {
        curved_terms_->add(term, curved_element_terms_[number], i, q, own, t, rhs, own_rates);
      } else {
        add_term(term, element_terms_[number], i, q, own, t, rhs, own_rates);
      }
    }
  }
  for (std::size_t number = 0; number < face_terms_.size(); ++number) {
    const FaceTerm& term = problem_.face_terms[number];
    for (std::size_t i = 0; i < term.faces.size(); ++i) {
      const std::size_t count = term.auxiliary.size() * auxiliary_places(discretization_, term.faces[i]);
      const std::span<const double> own = take(u, count);
      const std::span<double> own_rates = take(rates, count);
      if (is_curved(index(term.faces[i].element))) {
        curved_terms_->add(term, curved_face_terms_[number], i, q, own, t, rhs, own_rates);
      } else {
        add_term(term, face_terms_[number], i, q, own, t, rhs, own_rates);
      }
    }
  }
}

void ReferenceOperator::add_term(const ElementTerm& term, const InterpretedTerm& interpreted, std::size_t i,
                                 std::span<const double> q, std::span<const double> u, double t, std::span<double> rhs,
                                 std::span<double> rates) const {
  const int Np = discretization_.Np(), fields = problem_.system.field_count();
  const auto& [lowered, constants, constants_at_points, program] = interpreted;
  std::vector<double> work(program.size()), values(program.outputs().size());
  const std::size_t k = index(term.elements[i]), start = k * index(Np * fields);
  for (int n = 0; n < Np; ++n) {
    const auto value_of = [&](const Symbol& s) {
      switch (s.kind) {
        case Kind::field:
          if (s.index < fields) return q[start + index(s.index * Np + n)];
          return u.empty() ? 0.0 : u[index((s.index - fields) * Np + n)];
        case Kind::profile: return term.profiles[index(s.index)][i * index(Np) + index(n)];
        case Kind::coordinate: return discretization_.node(k, n)[index(s.axis)];
        case Kind::time: return t;
        default: throw std::logic_error("a term of elements holds a derivative or a face quantity");
      }
    };
    program.run(Program::Lookup{value_of, values_in(constants[i])}, work, values);
    for (std::size_t f = 0; f < lowered.fields.size(); ++f) {
      rhs[start + index(lowered.fields[f] * Np + n)] += values[f];
    }
    for (std::size_t r = 0; !rates.empty() && r < term.auxiliary.size(); ++r) {
      rates[r * index(Np) + index(n)] = values[lowered.fields.size() + r];
    }
  }
}

void ReferenceOperator::add_term(const FaceTerm& term, const InterpretedTerm& interpreted, std::size_t i,
                                 std::span<const double> q, std::span<const double> u, double t, std::span<double> rhs,
                                 std::span<double> rates) const {
  const int Np = discretization_.Np(), Nfp = discretization_.Nfp(), fields = problem_.system.field_count();
  const ReferenceElement& ref = discretization_.reference;
  const auto& [lowered, constants, constants_at_points, program] = interpreted;
  std::vector<double> work(program.size()), values(program.outputs().size());
  const std::size_t k = index(term.faces[i].element);
  const int face = term.faces[i].face;
  const std::int32_t other = other_side(discretization_, term, i);
  const Geometry::Face& geometry = discretization_.geometry.faces[k][index(face)];
  const double normal[3] = {geometry.nx, geometry.ny, geometry.nz};
  Eigen::MatrixXd flux(Nfp, static_cast<Eigen::Index>(lowered.fields.size()));
  for (int j = 0; j < Nfp; ++j) {
    const int n = ref.Fmask(j, face), n_p = ref.Fmask(j, other % 4);
    const auto trace = [&](std::size_t element, int node, int field) {
      return q[(element * index(fields) + index(field)) * index(Np) + index(node)];
    };
    const auto value_of = [&](const Symbol& s) {
      switch (s.kind) {
        case Kind::field:
          if (s.index >= fields) return u.empty() ? 0.0 : u[index((s.index - fields) * Nfp + j)];
          return s.side == Side::inside ? trace(k, n, s.index) : trace(index(other / 4), n_p, s.index);
        case Kind::profile: return term.profiles[index(s.index)][i * index(Nfp) + index(j)];
        case Kind::normal: return normal[s.axis];
        case Kind::coordinate: return discretization_.node(k, n)[index(s.axis)];
        case Kind::time: return t;
        default: throw std::logic_error("a term of faces holds a derivative");
      }
    };
    program.run(Program::Lookup{value_of, values_in(constants[i])}, work, values);
    for (std::size_t f = 0; f < lowered.fields.size(); ++f) {
      flux(j, static_cast<Eigen::Index>(f)) = geometry.Fscale * values[f];
    }
    for (std::size_t r = 0; !rates.empty() && r < term.auxiliary.size(); ++r) {
      rates[r * index(Nfp) + index(j)] = values[lowered.fields.size() + r];
    }
  }
  const Eigen::MatrixXd lifted = ref.LIFT.middleCols(face * Nfp, Nfp) * flux;
  for (std::size_t f = 0; f < lowered.fields.size(); ++f) {
    for (int n = 0; n < Np; ++n) {
      rhs[(k * index(fields) + index(lowered.fields[f])) * index(Np) + index(n)] +=
          lifted(n, static_cast<Eigen::Index>(f));
    }
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
    const auto value_of = [&](const Symbol& s) {
      if (s.kind == Kind::field) return u(n, s.index);
      throw std::logic_error("a volume term holds a face quantity");
    };
    const auto lowered = [&](const LoweredSymbol& s) {
      switch (s.kind) {
        case Lowered::reference_derivative: return derivative[s.axis](n, s.field);
        case Lowered::metric: return discretization_.geometry.metric[k][index(s.number)];
        default: return values_in(media_.of_element(k))(s);
      }
    };
    volume_.run(Program::Lookup{value_of, lowered}, work, values);
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
  const auto value_of = [&](const Symbol& s) {
    switch (s.kind) {
      case Kind::field: return own(node, s.index);
      case Kind::normal: return normal[s.axis];
      case Kind::coordinate: return x[index(s.axis)];
      case Kind::time: return t;
      default: throw std::logic_error("an outside state holds a derivative");
    }
  };
  outside.run(Program::Lookup{value_of, values_in(media_.of_element(k))}, work, q_p);
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
    const std::size_t other = neighbour < 0 ? k : index(neighbour / 4);
    for (int i = 0; i < Nfp; ++i) {
      outside_trace(k, face, i, q, t, q_p);
      const auto value_of = [&](const Symbol& s) {
        switch (s.kind) {
          case Kind::field: return s.side == Side::inside ? u(ref.Fmask(i, face), s.index) : q_p[index(s.index)];
          case Kind::normal: return normal[s.axis];
          default: throw std::logic_error("a flux holds a volume quantity");
        }
      };
      const auto constant = [&](const LoweredSymbol& s) {
        return values_in(media_.of_element(s.side == Side::inside ? k : other))(s);
      };
      flux_.run(Program::Lookup{value_of, constant}, work, values);
      for (int f = 0; f < fields; ++f) flux(face * Nfp + i, f) = geometry.Fscale * values[index(f)];
    }
  }
  NodalOut(rhs.data() + k * index(Np * fields), Np, fields) += ref.LIFT * flux;
}

Eigen::MatrixXd ReferenceOperator::energy_weights(const System::Energy& energy,
                                                  std::span<const double> constants) const {
  std::vector<Expr> wanted = energy.weights;
  for (const auto& coupling : energy.couplings) wanted.push_back(0.5 * coupling.weight);
  const Program program(wanted);
  std::vector<double> work(program.size()), values(wanted.size());
  program.run(Program::Lookup{.lowered = values_in(constants)}, work, values);
  const int fields = problem_.system.field_count();
  Eigen::MatrixXd weights = Eigen::Map<const Eigen::VectorXd>(values.data(), fields).asDiagonal();
  for (std::size_t c = 0; c < energy.couplings.size(); ++c) {
    const auto& [f, g, weight] = energy.couplings[c];
    weights(f, g) = weights(g, f) = values[index(fields) + c];
  }
  return weights;
}

void ReferenceOperator::apply_energy_matrix(std::span<const double> q, std::span<double> result) const {
  const int Np = discretization_.Np(), fields = problem_.system.field_count();
  for (std::size_t k = 0; k < discretization_.own(); ++k) {
    const std::size_t start = k * index(Np * fields);
    const auto weights_of = [&](std::span<const double> constants) {
      Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(fields, fields);
      for (const System::Energy& energy : lowered_.energies) weights += energy_weights(energy, constants);
      return weights;
    };
    if (is_curved(k)) {
      curved_->apply_energy_matrix(
          k, [&](std::size_t point) { return weights_of(media_.at_point(k, point)); }, q, result);
      continue;
    }
    NodalOut(result.data() + start, Np, fields) = std::abs(discretization_.geometry.J[k]) *
                                                  discretization_.reference.M * Nodal(q.data() + start, Np, fields) *
                                                  weights_of(media_.of_element(k));
  }
}

std::vector<double> ReferenceOperator::energies(std::span<const double> q) const {
  const int Np = discretization_.Np(), fields = problem_.system.field_count();
  std::vector<double> sums;
  for (const System::Energy& energy : lowered_.energies) {
    double& sum = sums.emplace_back(0.0);
    for (std::size_t k = 0; k < discretization_.own(); ++k) {
      if (is_curved(k)) {
        const auto weights = [&](std::size_t point) { return energy_weights(energy, media_.at_point(k, point)); };
        sum += curved_->energy(k, weights, q);
        continue;
      }
      const Nodal u(q.data() + k * index(Np * fields), Np, fields);
      const Eigen::MatrixXd products = u.transpose() * discretization_.reference.M * u;
      sum += std::abs(discretization_.geometry.J[k]) *
             energy_weights(energy, media_.of_element(k)).cwiseProduct(products).sum();
    }
  }
  return sums;
}

}  // namespace maxwell_dg::dg
