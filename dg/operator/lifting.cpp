#include "dg/operator/lifting.hpp"

#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "dg/operator/affine_map.hpp"
#include "dg/operator/invariant_hoister.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;

namespace {

enum class Direction { any, tangential, normal };

/// On faces 0 to 3, t, s, r + s + t and r are -1.
constexpr int slope = 2;
constexpr std::array<int, 4> axis_of_face{2, 1, -1, 0};

/// The first fields of what the equations treat as vectors.
std::set<int> vectors_of(const LoweredSystem& lowered) {
  std::set<int> first;
  for (const Symbol& s : Program(lowered.physical_volume).symbols()) {
    if (s.kind == Kind::curl || s.kind == Kind::divergence) first.insert(s.index);
  }
  return first;
}

/// Which way a flux points whatever the states on both sides and the normal are: seen at a few random ones.
Direction direction_of(const Vector& flux) {
  const Program program({flux[0], flux[1], flux[2]});
  std::mt19937 random(1);
  std::uniform_real_distribution<double> between(0.5, 1.5);
  bool is_tangential = true, is_normal = true;
  for (int sample = 0; sample < 4; ++sample) {
    std::array<double, 3> n{between(random), -between(random), between(random)}, F{};
    const double length = std::hypot(n[0], n[1], n[2]);
    for (double& component : n) component /= length;
    std::map<Symbol, double> values;
    std::vector<double> work(program.size());
    program.run(
        [&](const Symbol& s) {
          return s.kind == Kind::normal ? n.at(static_cast<std::size_t>(s.index))
                                        : values.try_emplace(s, between(random)).first->second;
        },
        work, F);
    const double along = F[0] * n[0] + F[1] * n[1] + F[2] * n[2], all = std::hypot(F[0], F[1], F[2]);
    const double across = std::hypot(F[0] - along * n[0], F[1] - along * n[1], F[2] - along * n[2]);
    is_tangential = is_tangential && std::abs(along) <= 1e-12 * all;
    is_normal = is_normal && across <= 1e-12 * all;
  }
  return is_tangential ? Direction::tangential : is_normal ? Direction::normal : Direction::any;
}

}  // namespace

Lifting lift_by_components(const LoweredSystem& lowered, ContractedSystem& contracted) {
  Lifting lifting;
  InvariantHoister of_element = InvariantHoister::of_element(contracted.element_invariants);
  InvariantHoister of_face = InvariantHoister::of_face(contracted.face_invariants);
  const Expr Fscale(Symbol{.kind = Kind::face_scale});
  const auto value = [&](int face, const Expr& e) {
    std::vector<Expr>& values = lifting.values.at(static_cast<std::size_t>(face));
    values.push_back(of_face(e));
    return Lifting::Term{.face = face, .value = static_cast<int>(values.size()) - 1};
  };
  const auto lifted = [&](std::vector<Lifting::Term> terms) {
    lifting.sums.push_back(std::move(terms));
    const auto place = contracted.contractions.size() + lifting.sums.size() - 1;
    return Expr(Symbol{.kind = Kind::contraction, .index = static_cast<int>(place)});
  };
  const std::vector<Expr>& flux = lowered.flux;
  lifting.rhs.assign(flux.size(), 0.0);
  std::set<std::size_t> by_components;

  for (const int first : vectors_of(lowered)) {
    const auto f = static_cast<std::size_t>(first);
    const Vector F{flux[f], flux[f + 1], flux[f + 2]};
    const Direction direction = direction_of(F);
    if (direction == Direction::any) continue;
    std::array<std::vector<Lifting::Term>, 3> terms;  // [component]
    for (int face = 0; face < 4; ++face) {
      std::optional<Lifting::Term> along;
      if (direction == Direction::normal) {
        const Expr n_F = dot(normal(), F);  // Fscale n is one of -grad t, -grad s, grad r + grad s + grad t, -grad r
        along = value(face, face == slope ? n_F : -n_F);
      }
      for (int a = 0; a < 3; ++a) {
        const bool across = axis_of_face.at(static_cast<std::size_t>(face)) == a;
        if (direction == Direction::normal && (across || face == slope)) {
          terms.at(static_cast<std::size_t>(a)).push_back(*along);
        } else if (direction == Direction::tangential && !across) {
          terms.at(static_cast<std::size_t>(a)).push_back(value(face, Fscale * dot(gradient_of(a), F)));
        }
      }
    }
    std::array<Expr, 3> sums;
    for (std::size_t a = 0; a < 3; ++a) sums.at(a) = lifted(std::move(terms.at(a)));
    for (int axis = 0; axis < 3; ++axis) {
      Expr sum = 0.0;
      for (int a = 0; a < 3; ++a) {
        const Vector basis = direction == Direction::tangential ? tangent_over_J(a) : gradient_of(a);
        sum = sum + basis[axis] * sums.at(static_cast<std::size_t>(a));
      }
      const auto field = f + static_cast<std::size_t>(axis);
      lifting.rhs[field] = of_element(direction == Direction::tangential ? jacobian() * sum : sum);
      by_components.insert(field);
    }
  }
  for (std::size_t f = 0; f < flux.size(); ++f) {
    if (by_components.contains(f)) continue;
    std::vector<Lifting::Term> terms;
    for (int face = 0; face < 4; ++face) terms.push_back(value(face, Fscale * flux[f]));
    lifting.rhs[f] = lifted(std::move(terms));
  }
  return lifting;
}

}  // namespace maxwell_dg::dg
