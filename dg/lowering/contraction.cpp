#include "dg/lowering/contraction.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "dg/lowering/affine_map.hpp"
#include "dg/lowering/invariant_hoister.hpp"
#include "dg/symbolic/code_printer.hpp"
#include "dg/symbolic/fields.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using Lowered = LoweredSymbol::Kind;

namespace {

/// Replaces the derivatives in equations by contractions, and collects these and their operands.
class Collector {
 public:
  explicit Collector(ContractedSystem& system) : system_(system) {}

  Expr replace(const Symbol& s) {
    switch (s.kind) {
      case Kind::derivative: {
        const int q = operand(Expr(Symbol{.kind = Kind::field, .index = s.index}));
        Expr sum = 0.0;
        for (int a = 0; a < 3; ++a) sum = sum + gradient_of(a)[s.axis] * numbered({{{.axis = a, .operand = q}}});
        return sum;
      }
      case Kind::curl: {
        std::array<int, 3> q{};  // the operands are x_a . E / J: the sum below is multiplied by J
        for (int a = 0; a < 3; ++a) {
          q.at(static_cast<std::size_t>(a)) = operand(dot(tangent_over_J(a), inside(VectorField{s.index})));
        }
        Expr sum = 0.0;
        for (int a = 0; a < 3; ++a) {
          const int b = (a + 1) % 3, c = (a + 2) % 3;
          const Expr w = numbered({{{.axis = b, .operand = q.at(static_cast<std::size_t>(c))},
                                    {.axis = c, .operand = q.at(static_cast<std::size_t>(b)), .negative = true}}});
          sum = sum + tangent_over_J(a)[s.axis] * w;
        }
        return jacobian() * sum;
      }
      case Kind::divergence: {
        Contraction c;
        for (int a = 0; a < 3; ++a) {
          c.terms.push_back({.axis = a, .operand = operand(dot(gradient_of(a), inside(VectorField{s.index})))});
        }
        return numbered(c);
      }
      default: return Expr(s);
    }
  }

 private:
  int operand(const Expr& e) {
    const auto [place, is_new] = operands_.try_emplace(to_string(e), static_cast<int>(system_.operands.size()));
    if (is_new) system_.operands.push_back(e);
    return place->second;
  }

  Expr numbered(const Contraction& c) {
    const auto [place, is_new] = contractions_.try_emplace(c.terms, static_cast<int>(system_.contractions.size()));
    if (is_new) system_.contractions.push_back(c);
    return contraction(place->second);
  }

  ContractedSystem& system_;
  std::map<std::string, int> operands_;
  std::map<std::vector<Contraction::Term>, int> contractions_;
};

}  // namespace

std::optional<SignedField> as_field(const Expr& e) {
  const bool is_negative = e.op() == Op::negate;
  const Expr& inner = is_negative ? e.arguments().front() : e;
  const Symbol* q = inner.op() == Op::symbol ? of_kind(inner.symbol(), Kind::field) : nullptr;
  if (q == nullptr) return std::nullopt;
  return SignedField{.index = q->index, .is_negative = is_negative};
}

Expr without_fields(const Expr& linear) {
  return substitute(linear, [](const Symbol& s) { return s.kind == Kind::field ? Expr(0.0) : Expr(s); });
}

Expr without_contractions(const Expr& linear) {
  return substitute(linear,
                    [](const LoweredSymbol& s) { return s.kind == Lowered::contraction ? Expr(0.0) : Expr(s); });
}

std::vector<std::vector<int>> parts_of(const std::vector<Expr>& right_hand_sides) {
  std::vector<std::vector<int>> parts;
  std::vector<std::set<int>> needed;  // [part] contractions
  for (std::size_t f = 0; f < right_hand_sides.size(); ++f) {
    std::set<int> own;
    for (const AnySymbol& s : Program({right_hand_sides[f]}).symbols()) {
      if (const auto* sum = of_kind(s, Lowered::contraction)) own.insert(sum->number);
    }
    const auto place = std::find_if(needed.begin(), needed.end(), [&](const std::set<int>& other) {
      return std::any_of(own.begin(), own.end(), [&](int c) { return other.contains(c); });
    });
    if (place == needed.end()) {
      parts.push_back({static_cast<int>(f)});
      needed.push_back(own);
    } else {
      parts[static_cast<std::size_t>(place - needed.begin())].push_back(static_cast<int>(f));
      place->insert(own.begin(), own.end());
    }
  }
  return parts;
}

void choose_signs(ContractedSystem& system) {
  const auto negatives = [&](const Contraction& c) {
    return std::ranges::count(c.terms, true, &Contraction::Term::negative);
  };
  const auto least = [&] {  // negative terms, if every contraction gets the better one of its two signs
    std::ptrdiff_t count = 0;
    for (const Contraction& c : system.contractions) {
      count += std::min(negatives(c), std::ssize(c.terms) - negatives(c));
    }
    return count;
  };
  const auto negate = [&](int operand) {
    for (Contraction& c : system.contractions) {
      for (Contraction::Term& term : c.terms) {
        if (term.operand == operand) term.negative = !term.negative;
      }
    }
  };
  for (std::size_t g = 0; g < system.operands.size(); ++g) {
    const auto before = least();
    negate(static_cast<int>(g));
    if (least() < before) {
      system.operands[g] = -system.operands[g];
    } else {
      negate(static_cast<int>(g));
    }
  }
  std::set<int> reversed;
  for (std::size_t i = 0; i < system.contractions.size(); ++i) {
    Contraction& c = system.contractions[i];
    if (2 * negatives(c) <= std::ssize(c.terms)) continue;
    for (Contraction::Term& term : c.terms) term.negative = !term.negative;
    reversed.insert(static_cast<int>(i));
  }
  for (Expr& e : system.volume) {
    e = substitute(e, [&](const LoweredSymbol& s) {
      return s.kind == Lowered::contraction && reversed.contains(s.number) ? -Expr(s) : Expr(s);
    });
  }
}

ContractedSystem contract(const LoweredSystem& lowered, bool metric_is_at_hand) {
  ContractedSystem system;
  system.metric_is_at_hand = metric_is_at_hand;
  Collector collect(system);
  for (const Expr& e : lowered.physical_volume) {
    system.volume.push_back(substitute(e, [&](const Symbol& s) { return collect.replace(s); }));
  }
  choose_signs(system);
  InvariantHoister of_element = InvariantHoister::of_element(system.element_invariants, metric_is_at_hand);
  for (Expr& e : system.operands) e = of_element(e);
  for (Expr& e : system.volume) e = of_element(e);
  system.parts = parts_of(system.volume);
  if (metric_is_at_hand) return system;

  InvariantHoister of_face = InvariantHoister::of_face(system.face_invariants);
  for (const Expr& e : lowered.flux) system.flux.push_back(of_face(face_scale() * e));
  return system;
}

}  // namespace maxwell_dg::dg
