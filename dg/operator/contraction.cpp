#include "dg/operator/contraction.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "dg/symbolic/code_printer.hpp"
#include "dg/symbolic/vector.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;

namespace {

/// grad r, grad s or grad t.
Vector gradient_of(int a) {
  const auto metric = [&](int axis) { return Expr(Symbol{.kind = Kind::metric, .index = 3 * a + axis}); };
  return {metric(0), metric(1), metric(2)};
}

/// x_a / J = grad r_b x grad r_c.
Vector tangent_over_J(int a) {
  return cross(gradient_of((a + 1) % 3), gradient_of((a + 2) % 3));
}

/// The signed determinant of the map, 1 / (grad r . grad s x grad t).
Expr jacobian() {
  return 1.0 / dot(gradient_of(0), tangent_over_J(0));
}

Vector field_vector(int first) {
  const auto field = [&](int i) { return Expr(Symbol{.kind = Kind::field, .index = first + i}); };
  return {field(0), field(1), field(2)};
}

/// Collects operands and contractions while the derivatives of an equation are replaced by them.
class Collector {
 public:
  explicit Collector(ContractedSystem& system) : system_(system) {}

  Expr replace(const Symbol& s) {
    switch (s.kind) {
      case Kind::derivative: {
        const int q = operand(Expr(Symbol{.kind = Kind::field, .index = s.index}));
        Expr sum = 0.0;
        for (int a = 0; a < 3; ++a) sum = sum + gradient_of(a)[s.axis] * contraction({{{.axis = a, .operand = q}}});
        return sum;
      }
      case Kind::curl: {
        std::array<int, 3> q{};  // operands x_a . E / J: the missing J is put back in front of the sum
        for (int a = 0; a < 3; ++a) {
          q.at(static_cast<std::size_t>(a)) = operand(dot(tangent_over_J(a), field_vector(s.index)));
        }
        Expr sum = 0.0;
        for (int a = 0; a < 3; ++a) {
          const int b = (a + 1) % 3, c = (a + 2) % 3;
          const Expr w = contraction({{{.axis = b, .operand = q.at(static_cast<std::size_t>(c))},
                                       {.axis = c, .operand = q.at(static_cast<std::size_t>(b)), .negative = true}}});
          sum = sum + tangent_over_J(a)[s.axis] * w;
        }
        return jacobian() * sum;
      }
      case Kind::divergence: {
        Contraction c;
        for (int a = 0; a < 3; ++a) {
          c.terms.push_back({.axis = a, .operand = operand(dot(gradient_of(a), field_vector(s.index)))});
        }
        return contraction(c);
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

  Expr contraction(const Contraction& c) {
    const auto [place, is_new] = contractions_.try_emplace(c.terms, static_cast<int>(system_.contractions.size()));
    if (is_new) system_.contractions.push_back(c);
    return Expr(Symbol{.kind = Kind::contraction, .index = place->second});
  }

  ContractedSystem& system_;
  std::map<std::string, int> operands_;
  std::map<std::vector<Contraction::Term>, int> contractions_;
};

/// Replaces every largest part of a product, sum or function that is invariant by a numbered symbol; divisions by
/// invariants become products with their reciprocals.
class InvariantHoister {
 public:
  InvariantHoister(std::function<bool(const Symbol&)> is_invariant, std::vector<Expr>& invariants)
      : is_invariant_(std::move(is_invariant)), invariants_(invariants) {}

  Expr operator()(const Expr& e) {
    if (e.op() == Op::constant) return e;
    if (e.op() == Op::symbol && e.symbol().kind == Kind::normal) return e;  // at hand at every node of a face
    if (invariant(e)) return number(e);
    if (e.op() == Op::symbol) return e;
    if (e.op() == Op::multiply || e.op() == Op::divide || e.op() == Op::negate) return product(e);
    const std::vector<Expr>& a = e.arguments();
    return a.size() == 1 ? combine(e.op(), {(*this)(a[0])}) : combine(e.op(), {(*this)(a[0]), (*this)(a[1])});
  }

 private:
  [[nodiscard]] bool invariant(const Expr& e) const {
    const std::vector<Symbol> symbols = Program({e}).symbols();
    return std::all_of(symbols.begin(), symbols.end(), is_invariant_);
  }

  /// coefficient * rest / divisor, the coefficient holding all that is invariant.
  struct Factors {
    Expr coefficient = 1.0, rest = 1.0, divisor = 1.0;
  };

  void collect(const Expr& e, bool inverse, Factors& factors) {
    if (e.op() == Op::negate) {
      factors.coefficient = -factors.coefficient;
      collect(e.arguments()[0], inverse, factors);
    } else if (e.op() == Op::multiply || e.op() == Op::divide) {
      collect(e.arguments()[0], inverse, factors);
      collect(e.arguments()[1], e.op() == Op::divide ? !inverse : inverse, factors);
    } else if (invariant(e)) {
      factors.coefficient = inverse ? factors.coefficient / e : factors.coefficient * e;
    } else {
      Expr& place = inverse ? factors.divisor : factors.rest;
      place = place * (*this)(e);
    }
  }

  Expr product(const Expr& e) {
    Factors f;
    collect(e, false, f);
    const bool negative = f.coefficient.op() == Op::negate;
    if (negative) f.coefficient = f.coefficient.arguments()[0];
    const Expr value = (*this)(f.coefficient) * f.rest / f.divisor;
    return negative ? -value : value;
  }

  Expr number(const Expr& e) {
    const auto [place, is_new] = numbers_.try_emplace(to_string(e), static_cast<int>(invariants_.size()));
    if (is_new) invariants_.push_back(e);
    return Expr(Symbol{.kind = Kind::invariant, .index = place->second});
  }

  std::function<bool(const Symbol&)> is_invariant_;
  std::vector<Expr>& invariants_;
  std::map<std::string, int> numbers_;
};

/// Sets of fields such that those that need a common contraction are in one set, in the order of their first fields.
std::vector<std::vector<int>> parts_of(const std::vector<Expr>& volume) {
  std::vector<std::vector<int>> parts;
  std::vector<std::set<int>> needed;  // [part] contractions
  for (std::size_t f = 0; f < volume.size(); ++f) {
    std::set<int> own;
    for (const Symbol& s : Program({volume[f]}).symbols()) {
      if (s.kind == Kind::contraction) own.insert(s.index);
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

/// Turns the signs of operands and of whole contractions where that leaves fewer negative terms, since kernels have to
/// negate a factor for each: of the six terms of a curl, one of three. In `volume`, contractions stand for the same
/// sums as before.
void turn_signs(ContractedSystem& system, std::vector<Expr>& volume) {
  const auto negatives = [&](const Contraction& c) {
    return std::ranges::count(c.terms, true, &Contraction::Term::negative);
  };
  const auto least = [&] {  // when every contraction has the better sign
    std::ptrdiff_t count = 0;
    for (const Contraction& c : system.contractions) {
      count += std::min(negatives(c), std::ssize(c.terms) - negatives(c));
    }
    return count;
  };
  const auto turn = [&](int operand) {
    for (Contraction& c : system.contractions) {
      for (Contraction::Term& term : c.terms) {
        if (term.operand == operand) term.negative = !term.negative;
      }
    }
  };
  for (std::size_t g = 0; g < system.operands.size(); ++g) {
    const auto before = least();
    turn(static_cast<int>(g));
    if (least() < before) {
      system.operands[g] = -system.operands[g];
    } else {
      turn(static_cast<int>(g));
    }
  }
  std::set<int> turned;
  for (std::size_t i = 0; i < system.contractions.size(); ++i) {
    Contraction& c = system.contractions[i];
    if (2 * negatives(c) <= std::ssize(c.terms)) continue;
    for (Contraction::Term& term : c.terms) term.negative = !term.negative;
    turned.insert(static_cast<int>(i));
  }
  for (Expr& e : volume) {
    e = substitute(e, [&](const Symbol& s) {
      return s.kind == Kind::contraction && turned.contains(s.index) ? -Expr(s) : Expr(s);
    });
  }
}

}  // namespace

ContractedSystem contract(const LoweredSystem& lowered) {
  ContractedSystem system;
  Collector collect(system);
  std::vector<Expr> volume;
  for (const Expr& e : lowered.physical_volume) {
    volume.push_back(substitute(e, [&](const Symbol& s) { return collect.replace(s); }));
  }
  turn_signs(system, volume);
  InvariantHoister of_element(
      [](const Symbol& s) { return s.kind == Kind::metric || (s.kind == Kind::parameter && s.side == Side::inside); },
      system.element_invariants);
  for (Expr& e : system.operands) e = of_element(e);
  for (const Expr& e : volume) system.volume.push_back(of_element(e));
  system.parts = parts_of(system.volume);

  InvariantHoister of_face(
      [](const Symbol& s) { return s.kind == Kind::normal || s.kind == Kind::face_scale || s.kind == Kind::parameter; },
      system.face_invariants);
  const Expr Fscale(Symbol{.kind = Kind::face_scale});
  for (const Expr& e : lowered.flux) system.flux.push_back(of_face(Fscale * e));
  return system;
}

}  // namespace maxwell_dg::dg
