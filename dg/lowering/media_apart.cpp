#include "dg/lowering/media_apart.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <utility>
#include <variant>
#include <vector>

#include "dg/lowering/affine_map.hpp"
#include "dg/lowering/face_sample.hpp"
#include "dg/lowering/flux_of_traces.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Lowered = LoweredSymbol::Kind;

namespace {

Expr invariant(std::size_t number) {
  return Expr(LoweredSymbol{.kind = Lowered::invariant, .number = static_cast<int>(number)});
}

bool has_metric(const Expr& e) {
  return std::ranges::any_of(Program({e}).symbols(), [](const AnySymbol& s) {
    const auto* const lowered = std::get_if<LoweredSymbol>(&s);
    return lowered == nullptr || lowered->kind != Lowered::element_constant;
  });
}

/// Whether an invariant of a face differs, but for its sign, between elements of the same media. (The sign of one that
/// does not is that of the orientations of element and face, which are the same at all points.) An expression may hold
/// the metric and not depend on it, so this is found by trying.
bool differs_on_face(const Expr& e, const LoweredSystem& lowered) {
  for (unsigned seed = 0; seed < FaceSample::enough; ++seed) {
    FaceSample one(seed, lowered), other(seed + FaceSample::enough, lowered);
    const double value = std::abs(one.value_of(e));
    other.take_parameters_of(one);
    if (std::abs(std::abs(other.value_of(e)) - value) > FaceSample::rounding * value) return true;
  }
  return false;
}

/// Puts those that differ first, also in expressions that hold them. Their number.
template <class Differs>
int order(std::vector<Expr>& invariants, std::vector<Expr>& expressions, const Differs& differs) {
  std::vector<std::size_t> before(invariants.size());
  std::iota(before.begin(), before.end(), std::size_t{0});
  const auto rest =
      std::stable_partition(before.begin(), before.end(), [&](std::size_t i) { return differs(invariants[i]); });
  std::vector<std::size_t> now(before.size());
  std::vector<Expr> ordered;
  for (std::size_t i = 0; i < before.size(); ++i) {
    now[before[i]] = i;
    ordered.push_back(invariants[before[i]]);
  }
  invariants = std::move(ordered);
  for (Expr& e : expressions) {
    e = substitute(e, [&](const LoweredSymbol& s) {
      return s.kind == Lowered::invariant ? invariant(now[static_cast<std::size_t>(s.number)]) : Expr(AnySymbol(s));
    });
  }
  return static_cast<int>(rest - before.begin());
}

}  // namespace

CountsAtPoints order_invariants(ContractedSystem& system, const LoweredSystem& lowered, const MediaApart& apart) {
  CountsAtPoints counts{.of_element = static_cast<int>(system.element_invariants.size()),
                        .of_face = static_cast<int>(system.face_invariants.size())};
  if (apart.in_elements) counts.of_element = order(system.element_invariants, system.equations, has_metric);
  if (!apart.on_faces) return counts;
  const std::vector<Expr> products = edge_products(apart.computed_on_faces());
  std::map<int, Expr> number_of;  // of those products that a flux holds
  for (Expr& e : system.flux) {
    e = substitute(e, [&](const LoweredSymbol& s) {
      if (s.kind != Lowered::edges) return Expr(AnySymbol(s));
      const auto [place, is_new] = number_of.try_emplace(s.number, invariant(system.face_invariants.size()));
      if (is_new) system.face_invariants.push_back(products[static_cast<std::size_t>(s.number)]);
      return place->second;
    });
  }
  counts.of_face =
      order(system.face_invariants, system.flux, [&](const Expr& e) { return differs_on_face(e, lowered); });
  return counts;
}

}  // namespace maxwell_dg::dg
