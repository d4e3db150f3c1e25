#include "dg/lowering/curved_terms.hpp"

#include <stdexcept>

#include "dg/lowering/linear_map.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using Lowered = LoweredSymbol::Kind;

namespace {

/// [place, profile] of profiles at the nodes of an element or face, number i of a term.
Eigen::MatrixXd interpolated(const std::vector<std::vector<double>>& profiles, std::size_t i,
                             const Eigen::MatrixXd& at_places) {
  Eigen::MatrixXd nodal(at_places.cols(), static_cast<Eigen::Index>(profiles.size()));
  const auto nodes = static_cast<std::size_t>(nodal.rows());
  for (std::size_t p = 0; p < profiles.size(); ++p) {
    for (std::size_t n = 0; n < nodes; ++n) {
      nodal(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(p)) = profiles[p][i * nodes + n];
    }
  }
  return at_places * nodal;
}

auto constants_alone(const std::vector<double>& constants) {
  return [&constants](const LoweredSymbol& s) {
    if (s.kind == Lowered::element_constant) return constants[index(s.number)];
    throw std::logic_error("a term of curved elements holds a quantity of the volume");
  };
}

Eigen::Map<const Eigen::VectorXd> over_mean(const VaryingMedia& media, std::size_t k, std::size_t point) {
  const std::span<const double> weights = media.weights(k, point);
  return {weights.data(), static_cast<Eigen::Index>(weights.size())};
}

/// [field] what a term adds, of the values of its program.
Eigen::VectorXd addition(const LoweredTerm& lowered, const std::vector<double>& values, int fields) {
  Eigen::VectorXd added = Eigen::VectorXd::Zero(fields);
  for (std::size_t f = 0; f < lowered.fields.size(); ++f) added(lowered.fields[f]) = values[f];
  return added;
}

}  // namespace

CurvedTerms::CurvedTerms(const Discretization& discretization, const Problem& problem, const CurvedElements& elements,
                         const VaryingMedia& media)
    : discretization_(discretization),
      geometry_(discretization.curved.value()),
      elements_(elements),
      media_(media),
      fields_(problem.system.field_count()),
      at_points_(geometry_.at_volume_points.size()),
      at_face_points_(geometry_.at_face_points.size()) {
  const CurvedSystem& system = elements.system();
  const Program cartesian(system.basis.cartesian), to_sums(system.to_sums), from_sums(system.from_sums);
  const CurvedCells& curved = discretization.mesh.curved;
  const auto add_volume = [&](std::int32_t element) {
    const auto points = index(geometry_.quadrature.volume_points());
    if (!curved.is_curved(index(element))) return;
    const std::size_t first = number(index(element)) * points;
    for (std::size_t i = first; i < first + points; ++i) {
      const auto& gradients = geometry_.at_volume_points[i];
      std::vector<double> inverse;
      if (system.tensors) inverse = system.tensors->inverse(media.at_point(index(element), i - first));
      at_points_[i] = {.cartesian = linear_map(cartesian, gradients),
                       .to_sums = linear_map(to_sums, gradients),
                       .from_sums = linear_map(from_sums, gradients, inverse)};
    }
  };
  for (const ElementTerm& term : problem.element_terms) {
    for (const std::int32_t k : term.elements) add_volume(k);
  }
  for (const FaceTerm& term : problem.face_terms) {
    for (const auto& [element, face] : term.faces) {
      if (!curved.is_curved(index(element))) continue;
      add_volume(element);
      const auto points = index(geometry_.quadrature.face_points());
      for (std::size_t i = (4 * number(index(element)) + index(face)) * points, end = i + points; i < end; ++i) {
        const auto& gradients = geometry_.at_face_points[i].gradients;
        at_face_points_[i] = {
            .cartesian = linear_map(cartesian, gradients), .to_sums = linear_map(to_sums, gradients), .from_sums = {}};
      }
    }
  }
}

void CurvedTerms::add_sums(std::size_t k, const Matrix& sums, std::span<double> rhs) const {
  const ElementQuadrature& quadrature = geometry_.quadrature;
  Matrix changes = quadrature.at_volume * sums;
  const std::size_t first = number(k) * index(quadrature.volume_points());
  for (Eigen::Index i = 0; i < changes.rows(); ++i) {
    const Matrix& from_sums = at_points_[first + static_cast<std::size_t>(i)].from_sums;
    changes.row(i) = (from_sums * changes.row(i).transpose()).eval().transpose();
    if (!elements_.system().tensors) {
      changes.row(i) = changes.row(i).cwiseQuotient(over_mean(media_, k, static_cast<std::size_t>(i)).transpose());
    }
  }
  elements_.add_stored(k, quadrature.from_volume * changes, rhs);
}

void CurvedTerms::add(const ElementTerm& term, const InterpretedTerm& interpreted, std::size_t i,
                      std::span<const double> q, std::span<const double> u, double t, std::span<double> rhs,
                      std::span<double> rates) const {
  const ElementQuadrature& quadrature = geometry_.quadrature;
  const auto& [lowered, constants, constants_at_points, program] = interpreted;
  const std::size_t k = index(term.elements[i]), points = index(quadrature.volume_points());
  const Matrix own = quadrature.at_volume * elements_.stored(k, q);
  const Matrix at_places = term.profiles_at_points ? Matrix::Identity(own.rows(), own.rows()) : quadrature.at_volume;
  const Matrix profiles = interpolated(term.profiles, i, at_places);
  Matrix densities(quadrature.volume_points(), fields_);
  std::vector<double> work(program.size()), values(program.outputs().size());
  for (std::size_t p = 0; p < points; ++p) {
    const Maps& maps = at_points_[number(k) * points + p];
    const auto row = static_cast<Eigen::Index>(p);
    const Eigen::VectorXd along_axes = maps.cartesian * own.row(row).transpose();
    const auto value_of = [&](const Symbol& s) {
      switch (s.kind) {
        case Kind::field:
          if (s.index < fields_) return along_axes(s.index);
          return u.empty() ? 0.0 : u[index(s.index - fields_) * points + p];
        case Kind::profile: return profiles(row, s.index);
        case Kind::coordinate: return geometry_.volume_positions[number(k) * points + p][index(s.axis)];
        case Kind::time: return t;
        default: throw std::logic_error("a term of elements holds a derivative or a face quantity");
      }
    };
    const auto& here = media_.any() ? constants_at_points[i * points + p] : constants[i];
    program.run(Program::Lookup{value_of, constants_alone(here)}, work, values);
    Eigen::VectorXd added = addition(lowered, values, fields_);
    if (!elements_.system().tensors) added = added.cwiseProduct(over_mean(media_, k, p));
    densities.row(row) = (maps.to_sums * added).transpose();
    for (std::size_t r = 0; !rates.empty() && r < term.auxiliary.size(); ++r) {
      rates[r * points + p] = values[lowered.fields.size() + r];
    }
  }
  add_sums(k, quadrature.from_volume * densities, rhs);
}

void CurvedTerms::add(const FaceTerm& term, const InterpretedTerm& interpreted, std::size_t i,
                      std::span<const double> q, std::span<const double> u, double t, std::span<double> rhs,
                      std::span<double> rates) const {
  const ElementQuadrature& quadrature = geometry_.quadrature;
  const auto& [lowered, constants, constants_at_points, program] = interpreted;
  const auto& [element, face] = term.faces[i];
  const std::size_t k = index(element), points = index(quadrature.face_points());
  const Matrix stored = elements_.stored(k, q);
  Matrix own(discretization_.Nfp(), fields_);
  for (int j = 0; j < discretization_.Nfp(); ++j) own.row(j) = stored.row(discretization_.reference.Fmask(j, face));
  const Matrix inside = quadrature.at_face * own;
  const Matrix outside =
      quadrature.at_face * elements_.stored_outside(k, face, other_side(discretization_, term, i), q);
  const Matrix profiles = interpolated(term.profiles, i, quadrature.at_face);
  Matrix fluxes(quadrature.face_points(), fields_);
  std::vector<double> work(program.size()), values(program.outputs().size());
  for (std::size_t p = 0; p < points; ++p) {
    const std::size_t place = (4 * number(k) + index(face)) * points + p;
    const Maps& maps = at_face_points_[place];
    const CurvedGeometry::FacePoint& point = geometry_.at_face_points[place];
    const double normal[3] = {point.face.nx, point.face.ny, point.face.nz};
    const auto row = static_cast<Eigen::Index>(p);
    const Eigen::VectorXd q_m = maps.cartesian * inside.row(row).transpose();
    const Eigen::VectorXd q_p = maps.cartesian * outside.row(row).transpose();
    const auto value_of = [&](const Symbol& s) {
      switch (s.kind) {
        case Kind::field:
          if (s.index >= fields_) return u.empty() ? 0.0 : u[index(s.index - fields_) * points + p];
          return s.side == Side::inside ? q_m(s.index) : q_p(s.index);
        case Kind::profile: return profiles(row, s.index);
        case Kind::normal: return normal[s.axis];
        case Kind::coordinate: return point.x[index(s.axis)];
        case Kind::time: return t;
        default: throw std::logic_error("a term of faces holds a derivative");
      }
    };
    program.run(Program::Lookup{value_of, constants_alone(constants[i])}, work, values);
    fluxes.row(row) = point.face.Fscale * (maps.to_sums * addition(lowered, values, fields_)).transpose();
    for (std::size_t r = 0; !rates.empty() && r < term.auxiliary.size(); ++r) {
      rates[r * points + p] = values[lowered.fields.size() + r];
    }
  }
  add_sums(k, quadrature.lift.middleCols(face * quadrature.face_points(), quadrature.face_points()) * fluxes, rhs);
}

}  // namespace maxwell_dg::dg
