#include "dg/lowering/lifting.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "dg/lowering/affine_map.hpp"
#include "dg/lowering/invariant_hoister.hpp"
#include "dg/symbolic/code_printer.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;

namespace {

/// The first field of each vector whose curl or divergence the equations take.
std::set<int> vectors_of(const LoweredSystem& lowered) {
  std::set<int> first;
  for (const AnySymbol& s : Program(lowered.physical_volume).symbols()) {
    for (const Kind kind : {Kind::curl, Kind::divergence}) {
      if (const Symbol* derivative = of_kind(s, kind)) first.insert(derivative->index);
    }
  }
  return first;
}

/// A product without one of its factors; none if it has no such factor. `take_out` returns what replaces a factor, or
/// none for a factor that stays.
std::optional<Expr> without(const Expr& e, const std::function<std::optional<Expr>(const Expr&)>& take_out) {
  if (const std::optional<Expr> rest = take_out(e)) return rest;
  if (e.op() != Op::multiply && e.op() != Op::divide && e.op() != Op::negate) return std::nullopt;
  const std::vector<Expr>& a = e.arguments();
  const std::optional<Expr> first = without(a[0], take_out);
  if (first) return a.size() == 1 ? -*first : combine(e.op(), {*first, a[1]});
  if (e.op() != Op::multiply) return std::nullopt;
  const std::optional<Expr> second = without(a[1], take_out);
  return second ? std::optional(a[0] * *second) : std::nullopt;
}

bool is_normal(const Expr& e, int axis) {
  return e.op() == Op::symbol && e.symbol() == normal()[axis].symbol();
}

/// e / n_axis
std::optional<Expr> over_normal(const Expr& e, int axis) {
  return without(e,
                 [&](const Expr& factor) { return is_normal(factor, axis) ? std::optional<Expr>(1.0) : std::nullopt; });
}

/// f, if F is written as f n.
std::optional<Expr> along_normal(const Vector& F) {
  const std::optional<Expr> x = over_normal(F[0], 0), y = over_normal(F[1], 1), z = over_normal(F[2], 2);
  return x && y && z && are_same(*x, *y) && are_same(*x, *z) ? x : std::nullopt;
}

/// f and A, if F is written as f n x A.
struct Across {
  Expr f;
  Vector A;
};
std::optional<Across> across_normal(const Vector& F) {
  std::array<std::optional<Expr>, 3> f, A, A_again;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    f.at(static_cast<std::size_t>(i)) = without(F[i], [&](const Expr& factor) -> std::optional<Expr> {
      if (factor.op() != Op::subtract) return std::nullopt;
      const std::optional<Expr> A_k = over_normal(factor.arguments()[0], j),
                                A_j = over_normal(factor.arguments()[1], k);
      if (!A_j || !A_k) return std::nullopt;
      A.at(static_cast<std::size_t>(k)) = A_k;
      A_again.at(static_cast<std::size_t>(j)) = A_j;
      return 1.0;
    });
    if (!f.at(static_cast<std::size_t>(i))) return std::nullopt;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (!are_same(*f.at(i), *f[0]) || !are_same(*A.at(i), *A_again.at(i))) return std::nullopt;
  }
  return Across{*f[0], {*A[0], *A[1], *A[2]}};
}

/// Fscale n of a face: minus one of the gradients of r, s, t, or the sum of all three.
Vector scaled_normal_of(int face) {
  if (const std::optional<int> axis = axis_of_face(face)) return -gradient_of(*axis);
  return gradient_of(0) + gradient_of(1) + gradient_of(2);
}

bool has_normal(const Expr& e) {
  return std::ranges::any_of(Program({e}).symbols(),
                             [](const AnySymbol& s) { return of_kind(s, Kind::normal) != nullptr; });
}

/// Fscale e. If each product in e has at most one factor n, Fscale n is the scaled normal, which needs no square root.
Expr times_Fscale(const Expr& e, int face) {
  const std::vector<Expr>& a = e.arguments();
  if (e.op() == Op::symbol) {
    if (const Symbol* n = of_kind(e.symbol(), Kind::normal)) return scaled_normal_of(face)[n->axis];
  }
  if (has_normal(e)) {
    switch (e.op()) {
      case Op::add:
      case Op::subtract: return combine(e.op(), {times_Fscale(a[0], face), times_Fscale(a[1], face)});
      case Op::negate: return -times_Fscale(a[0], face);
      case Op::multiply: return has_normal(a[0]) ? times_Fscale(a[0], face) * a[1] : a[0] * times_Fscale(a[1], face);
      case Op::divide:
        if (!has_normal(a[1])) return times_Fscale(a[0], face) / a[1];
        break;
      default: break;
    }
  }
  return face_scale() * e;
}

}  // namespace

Lifting lift_by_components(const LoweredSystem& lowered, ContractedSystem& contracted) {
  Lifting lifting;
  InvariantHoister of_element =
      InvariantHoister::of_element(contracted.element_invariants, contracted.metric_is_at_hand);
  InvariantHoister of_face = InvariantHoister::of_face(contracted.face_invariants);
  const Expr Fscale = face_scale();
  const auto value = [&](int face, const Expr& e) {
    std::vector<Expr>& values = lifting.values.at(static_cast<std::size_t>(face));
    values.push_back(of_face(e));
    return Lifting::Term{.face = face, .value = static_cast<int>(values.size()) - 1};
  };
  const auto lifted = [&](std::vector<Lifting::Term> terms) {
    lifting.sums.push_back(std::move(terms));
    const auto number = contracted.contractions.size() + lifting.sums.size() - 1;
    return contraction(static_cast<int>(number));
  };
  const std::vector<Expr>& flux = lowered.flux;
  lifting.rhs.assign(flux.size(), 0.0);
  std::set<std::size_t> by_components;

  for (const int first : vectors_of(lowered)) {
    const auto f = static_cast<std::size_t>(first);
    const Vector F{flux[f], flux[f + 1], flux[f + 2]};
    const std::optional<Expr> along = along_normal(F);
    const std::optional<Across> across = across_normal(F);
    if (!along && !across) continue;
    std::array<std::vector<Lifting::Term>, 3> terms;  // [component]
    const auto add = [&](int a, const Lifting::Term& term) {
      terms.at(static_cast<std::size_t>(a % 3)).push_back(term);
    };
    for (int face = 0; face < 4; ++face) {
      const std::optional<int> c = axis_of_face(face);
      if (along) {  // Fscale n is minus grad r_c, or grad r + grad s + grad t
        const Expr along_n = times_Fscale(*along, face) / Fscale;
        const Lifting::Term term = value(face, c ? -along_n : along_n);
        for (int a = 0; a < 3; ++a) {
          if (!c || a == *c) add(a, term);
        }
        continue;
      }
      // grad r_a . (n x A) = (grad r_a x n) . A, and cross products of gradients are tangents over J.
      const Vector A{times_Fscale(across->A[0], face), times_Fscale(across->A[1], face),
                     times_Fscale(across->A[2], face)};
      const Expr factor = across->f / Fscale;
      const auto tangent = [&](int a) { return dot(tangent_over_J(a % 3), A); };
      if (c) {
        add(*c + 1, value(face, factor * tangent(*c + 2)));
        add(*c + 2, value(face, -factor * tangent(*c + 1)));
      } else {
        for (int a = 0; a < 2; ++a) {
          Lifting::Term term = value(face, factor * (tangent(a + 2) - tangent(a + 1)));
          add(a, term);
          term.negative = true;
          add(2, term);
        }
      }
    }
    std::array<Expr, 3> sums;
    for (std::size_t a = 0; a < 3; ++a) sums.at(a) = lifted(std::move(terms.at(a)));
    for (int axis = 0; axis < 3; ++axis) {
      Expr sum = 0.0;
      for (int a = 0; a < 3; ++a) {
        sum = sum + (along ? gradient_of(a) : tangent_over_J(a))[axis] * sums.at(static_cast<std::size_t>(a));
      }
      const auto field = f + static_cast<std::size_t>(axis);
      lifting.rhs[field] = of_element(along ? sum : jacobian() * sum);
      by_components.insert(field);
    }
  }
  for (std::size_t f = 0; f < flux.size(); ++f) {
    if (by_components.contains(f)) continue;
    std::vector<Lifting::Term> terms;
    for (int face = 0; face < 4; ++face) terms.push_back(value(face, times_Fscale(flux[f], face)));
    lifting.rhs[f] = lifted(std::move(terms));
  }
  return lifting;
}

}  // namespace maxwell_dg::dg
