#include "dg/operator/element_basis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <stdexcept>

#include "dg/operator/affine_map.hpp"
#include "dg/operator/invariant_hoister.hpp"
#include "dg/symbolic/code_printer.hpp"
#include "dg/symbolic/differentiate.hpp"
#include "dg/symbolic/fields.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using Variance = ElementBasis::Variance;
using Quantity = ElementBasis::Quantity;

namespace {

constexpr int samples = 6;
constexpr double rounding = 1e-9;  // of a coefficient, relative to the largest of its flux

Symbol field(int i, Side side = Side::inside) {
  return {.kind = Kind::field, .index = i, .side = side};
}

Expr contraction(int i) {
  return Expr(Symbol{.kind = Kind::contraction, .index = i});
}

Vector part_of(const std::vector<Expr>& of_fields, int first) {
  const auto f = static_cast<std::size_t>(first);
  return {of_fields[f], of_fields[f + 1], of_fields[f + 2]};
}

int components(Variance variance) {
  return variance == Variance::scalar ? 1 : 3;
}

bool is_derivative(const Symbol& s) {
  return s.kind == Kind::curl || s.kind == Kind::divergence || s.kind == Kind::derivative;
}

std::vector<Symbol> symbols_in(const Expr& e) {
  return Program({e}).symbols();
}

bool has_fields(const Expr& e) {
  return std::ranges::any_of(symbols_in(e), [](const Symbol& s) { return s.kind == Kind::field || is_derivative(s); });
}

/// dq/dt = factor derivative + loss q; a curl's, divergence's or gradient's first field is `source`.
struct Equation {
  Expr factor, loss;
  int source{};
};

std::optional<Equation> equation_of(const std::vector<Expr>& volume, const Quantity& quantity) {
  std::optional<Equation> equation;
  for (int axis = 0; axis < components(quantity.variance); ++axis) {
    const Symbol own = field(quantity.first + axis);
    const Expr& e = volume[static_cast<std::size_t>(own.index)];
    std::vector<Symbol> derivatives = symbols_in(e);
    std::erase_if(derivatives, [](const Symbol& s) { return !is_derivative(s); });
    if (derivatives.size() != 1) return std::nullopt;
    const Symbol& d = derivatives[0];
    const Kind expected = quantity.variance == Variance::covariant       ? Kind::curl
                          : quantity.variance == Variance::contravariant ? Kind::derivative
                                                                         : Kind::divergence;
    if (d.kind != expected || (d.kind != Kind::divergence && d.axis != axis)) return std::nullopt;
    const Expr rest = substitute(e, [&](const Symbol& s) { return s == d ? Expr(0.0) : Expr(s); });
    const Expr of_nothing =
        substitute(rest, [&](const Symbol& s) { return s == own ? Expr(0.0) : Expr(s); });  // rest - loss q
    const Equation found{.factor = differentiate(e, d), .loss = differentiate(rest, own), .source = d.index};
    if (has_fields(found.factor) || has_fields(found.loss) || !of_nothing.is_constant(0.0)) return std::nullopt;
    if (!equation) equation = found;
    if (!are_same(equation->factor, found.factor) || !are_same(equation->loss, found.loss) ||
        equation->source != found.source) {
      return std::nullopt;
    }
  }
  return equation;
}

/// An element and one of its faces at random, and parameters of the system on both sides: numbers for all symbols that
/// coefficients of fluxes have.
class Sample {
 public:
  Sample(unsigned seed, const LoweredSystem& lowered) : lowered_(lowered), random_(seed) {
    std::array<double, 9> frame{};
    for (double& g : frame) g = signed_value_(random_);
    metric_ = metric_values(frame);
    for (std::size_t axis = 0; axis < 3; ++axis) {  // the face across from node (-1, -1, -1), or another one
      n_.at(axis) = seed % 2 == 0 ? frame.at(axis) + frame.at(3 + axis) + frame.at(6 + axis)
                                  : (seed % 4 == 1 ? -1 : 1) * frame.at(6 + axis);
    }
    Fscale_ = std::hypot(n_[0], n_[1], n_[2]);
    for (double& n : n_) n /= Fscale_;
  }

  double operator()(const Symbol& s) {
    const auto index = static_cast<std::size_t>(s.index);
    switch (s.kind) {
      case Kind::normal: return n_.at(index);
      case Kind::face_scale: return Fscale_;
      case Kind::metric: return metric_.at(index);
      case Kind::field: return values_.try_emplace(s, signed_value_(random_)).first->second;
      case Kind::parameter: return constant(index, s.side);
      default: throw std::logic_error("a flux is of fields, parameters and the normal");
    }
  }
  /// The value of a field, from now on.
  void set(const Symbol& s, double value) { values_[s] = value; }

  [[nodiscard]] double value_of(const Expr& e) {
    const Program program({e});
    std::vector<double> work(program.size()), result(1);
    program.run([this](const Symbol& s) { return (*this)(s); }, work, result);
    return result[0];
  }

 private:
  double constant(std::size_t number, Side side) {
    return value_of(substitute(lowered_.constants[number], [&](Symbol s) {
      s.side = side;
      return Expr(parameters_.try_emplace(s, 1.5 + signed_value_(random_)).first->second);
    }));
  }

  const LoweredSystem& lowered_;
  std::mt19937 random_;
  std::uniform_real_distribution<double> signed_value_{-1.0, 1.0};
  std::array<double, 18> metric_{};
  std::array<double, 3> n_{};
  double Fscale_{};
  std::map<Symbol, double> values_;      ///< of fields
  std::map<Symbol, double> parameters_;  ///< of the system
};

/// Fluxes are of the traces alone: at faces at random, what is across a face of covariant vectors, and along it of
/// contravariant ones, changes nothing and does not come about.
bool are_of_traces(const LoweredSystem& lowered, const std::vector<Quantity>& quantities) {
  const std::vector<Expr>& flux = lowered.flux;
  const Vector n = normal();
  for (unsigned seed = 0; seed < samples; ++seed) {
    Sample sample(seed, lowered);
    const auto value = [&](const Expr& e) { return sample.value_of(e); };
    const auto close = [](double a, double b) { return std::abs(a - b) <= rounding * (1 + std::abs(a)); };
    std::vector<double> before;
    for (const Expr& e : flux) before.push_back(value(e));
    for (const Quantity& q : quantities) {
      if (q.variance == Variance::scalar) continue;
      const Vector F = part_of(flux, q.first);
      const double across = value(dot(n, F));
      for (int axis = 0; axis < 3; ++axis) {
        const double component = value(F[axis]), of_across = across * value(n[axis]);
        if (!close(q.variance == Variance::covariant ? of_across : component - of_across, 0)) return false;
      }
      for (const Side side : {Side::inside, Side::outside}) {
        double part[3], along_n = 0;
        for (int axis = 0; axis < 3; ++axis) along_n += value(n[axis]) * sample(field(q.first + axis, side));
        for (int axis = 0; axis < 3; ++axis) {
          const double old = sample(field(q.first + axis, side)), of_n = along_n * value(n[axis]);
          part[axis] = q.variance == Variance::covariant ? old - of_n : of_n;
        }
        for (int axis = 0; axis < 3; ++axis) sample.set(field(q.first + axis, side), part[axis]);
      }
    }
    for (std::size_t i = 0; i < flux.size(); ++i) {
      if (!close(value(flux[i]), before[i])) return false;
    }
  }
  return true;
}

/// The fluxes by the traces, in coefficients that are invariants of the face.
class FluxOfTraces {
 public:
  FluxOfTraces(const LoweredSystem& lowered, const ElementBasis& basis, const MadeOnFaces& made,
               ContractedSystem& system)
      : basis_(basis), system_(system), traces_(traces_of(basis)) {
    for (unsigned seed = 0; seed < samples; ++seed) samples_.emplace_back(seed, lowered);
    if (made.edges) {
      // tau_1 = -J Fscale grad r_b x n and tau_2 = J Fscale grad r_a x n, or both of opposite sign
      const Vector along_1 = cross(gradient_of(1), normal()), along_2 = cross(gradient_of(0), normal());
      for (const Expr& e : {dot(along_1, along_1), -dot(along_1, along_2), dot(along_2, along_2)}) {
        edges_.push_back(jacobian() * Fscale() * Fscale() * e);
        values_of_edges_.push_back(values_of(edges_.back()));
      }
    }
    if (made.complements) {
      const Expr orientation = jacobian() * Fscale() * dot(tangent_over_J(2), normal());
      ones_ = {{1.0, values_of(1.0)}, {edges(3), values_of(orientation)}};
    }
    for (const Expr& e : lowered.flux) {
      of_traces_.push_back(
          substitute(e, [&](const Symbol& s) { return s.kind == Kind::field ? by_trace(s) : Expr(s); }));
    }
    system_.flux.assign(lowered.flux.size(), 0.0);
    for (const Quantity& q : basis.quantities) {
      const auto f = static_cast<std::size_t>(q.first);
      const Expr factor = equation_of(lowered.physical_volume, q)->factor;
      if (q.variance == Variance::scalar) {
        system_.flux[f] = collected(abs(jacobian()) * Fscale() / factor * of_traces_[f]);
      } else if (q.variance == Variance::contravariant) {
        system_.flux[f] = collected(dot(normal(), part_of(of_traces_, q.first)) / factor);
      } else {
        for (int i = 0; i < 2; ++i) {
          const Expr along = dot(gradient_of(i), part_of(of_traces_, q.first));
          system_.flux[f + static_cast<std::size_t>(i)] = collected(jacobian() * Fscale() / factor * along);
        }
      }
    }
  }

 private:
  static Expr Fscale() { return Expr(Symbol{.kind = Kind::face_scale}); }

  static std::vector<int> traces_of(const ElementBasis& basis) {
    std::vector<int> traces;
    for (const Quantity& q : basis.quantities) {
      traces.push_back(q.first);
      if (q.variance == Variance::covariant) traces.push_back(q.first + 1);
    }
    return traces;
  }

  /// A field along x, y or z, by the traces; what fluxes do not depend on is left out.
  [[nodiscard]] Expr by_trace(const Symbol& s) const {
    const auto after = std::ranges::find_if(basis_.quantities, [&](const Quantity& q) { return q.first > s.index; });
    const Quantity& q = *std::prev(after);
    const int axis = s.index - q.first;
    const Expr first(field(q.first, s.side));
    switch (q.variance) {
      case Variance::covariant:
        return first * gradient_of(0)[axis] + Expr(field(q.first + 1, s.side)) * gradient_of(1)[axis];
      case Variance::contravariant: {
        const Expr through = first * normal()[axis] / (Fscale() * abs(jacobian()));
        return s.side == Side::inside ? through : -through;  // each side's own normal is meant
      }
      default: return first;
    }
  }

  using Values = std::array<double, samples>;
  [[nodiscard]] Values values_of(const Expr& e) {
    Values values{};
    std::ranges::transform(samples_, values.begin(), [&](Sample& sample) { return sample.value_of(e); });
    return values;
  }
  [[nodiscard]] static double largest(const Values& values) {
    double most = 0;
    for (const double v : values) most = std::max(most, std::abs(v));
    return most;
  }
  /// a = sign b, as far as rounding lets one see
  [[nodiscard]] static bool equal(const Values& a, double sign, const Values& b, double scale) {
    Values difference{};
    std::ranges::transform(a, b, difference.begin(), [&](double x, double y) { return x - sign * y; });
    return largest(difference) <= rounding * scale;
  }

  /// Of one trace in a linear expression of them.
  [[nodiscard]] static Expr coefficient(const Expr& e, const Symbol& trace) {
    return substitute(e,
                      [&](const Symbol& s) { return s.kind == Kind::field ? Expr(s == trace ? 1.0 : 0.0) : Expr(s); });
  }

  /// Of the trace on either side, over `edges`; what is small beside `scale` is rounding.
  struct Coefficients {
    Expr inside, outside;
    Values of_inside, of_outside;
    double scale{};
    Expr edges = 1.0;

    [[nodiscard]] double largest() const {
      return std::max(FluxOfTraces::largest(of_inside), FluxOfTraces::largest(of_outside));
    }
    [[nodiscard]] bool vanish() const { return largest() <= rounding * scale; }
  };

  [[nodiscard]] Coefficients over_edges(const Coefficients& c, std::size_t k) const {
    const auto divide = [](double a, double b) { return a / b; };
    Coefficients result{
        .inside = c.inside / edges_[k], .outside = c.outside / edges_[k], .edges = edges(static_cast<int>(k))};
    std::ranges::transform(c.of_inside, values_of_edges_[k], result.of_inside.begin(), divide);
    std::ranges::transform(c.of_outside, values_of_edges_[k], result.of_outside.begin(), divide);
    result.scale = result.largest();
    return result;
  }

  /// Divides the coefficients of the two traces of a covariant vector by products of edges, where what is left is the
  /// same for both but for its sign.
  void take_out_edges(std::vector<Coefficients>& all) const {
    if (edges_.empty()) return;
    for (std::size_t i = 0; i < traces_.size(); ++i) {
      const auto quantity = std::ranges::find(basis_.quantities, traces_[i], &Quantity::first);
      if (quantity == basis_.quantities.end() || quantity->variance != Variance::covariant) continue;
      Coefficients &first = all[i], &second = all[i + 1];
      if (first.vanish() || second.vanish()) continue;
      for (const std::size_t k : {0U, 1U}) {  // a row of the matrix of products, in which tau_1 and tau_2 change places
        Coefficients over_1 = over_edges(first, k + 1), over_2 = over_edges(second, k);
        const auto are_same = [&](double sign) {
          return equal(over_1.of_inside, sign, over_2.of_inside, over_1.scale) &&
                 equal(over_1.of_outside, sign, over_2.of_outside, over_1.scale);
        };
        if (!are_same(1) && !are_same(-1)) continue;
        first = std::move(over_1);
        second = std::move(over_2);
        break;
      }
    }
  }

  /// A linear expression of traces as a sum of invariants times traces, or times their sums and differences.
  [[nodiscard]] Expr collected(const Expr& e) {
    std::vector<Coefficients> all;
    double scale = 0;
    for (const int trace : traces_) {
      const Expr inside = coefficient(e, field(trace)), outside = coefficient(e, field(trace, Side::outside));
      all.push_back({inside, outside, values_of(inside), values_of(outside)});
      scale = std::max(scale, all.back().largest());
    }
    for (Coefficients& c : all) c.scale = scale;
    take_out_edges(all);
    Expr sum = 0.0;
    for (std::size_t i = 0; i < traces_.size(); ++i) {
      const Coefficients& c = all[i];
      const Expr q_m(field(traces_[i])), q_p(field(traces_[i], Side::outside));
      if (equal(c.of_inside, -1, c.of_outside, c.scale)) {
        sum = sum + invariant(c.inside, c.of_inside, c.scale) * c.edges * (q_m - q_p);
      } else if (equal(c.of_inside, 1, c.of_outside, c.scale)) {
        sum = sum + invariant(c.inside, c.of_inside, c.scale) * c.edges * (q_m + q_p);
      } else {
        sum = sum + invariant(c.inside, c.of_inside, c.scale) * c.edges * q_m;
        sum = sum + invariant(c.outside, c.of_outside, c.scale) * c.edges * q_p;
      }
    }
    return sum;
  }

  /// The coefficient as a numbered invariant, or what is left of one, that is known if it can be.
  [[nodiscard]] Expr invariant(const Expr& coefficient, const Values& values, double scale) {
    if (largest(values) <= rounding * scale) return 0.0;
    for (std::size_t i = 0; i < known_.size(); ++i) {
      const Expr known(Symbol{.kind = Kind::invariant, .index = static_cast<int>(i)});
      if (equal(values, 1, known_[i], scale)) return known;
      if (equal(values, -1, known_[i], scale)) return -known;
      for (const auto& [one, values_of_one] : ones_) {
        for (const double sign : {1.0, -1.0}) {
          Values rest{};
          std::ranges::transform(values_of_one, known_[i], rest.begin(),
                                 [&](double u, double k) { return u - sign * k; });
          if (equal(values, 1, rest, scale)) return one - sign * known;
          if (equal(values, -1, rest, scale)) return sign * known - one;
        }
      }
    }
    known_.push_back(values);
    system_.face_invariants.push_back(coefficient);
    return Expr(Symbol{.kind = Kind::invariant, .index = static_cast<int>(known_.size()) - 1});
  }

  const ElementBasis& basis_;
  ContractedSystem& system_;
  std::vector<int> traces_;
  std::vector<Sample> samples_;
  std::vector<Expr> of_traces_;  ///< [field] the flux along x, y, z
  std::vector<Expr> edges_;      ///< [Kind::edges] the products, where they are made
  std::vector<Values> values_of_edges_;
  std::vector<std::pair<Expr, Values>> ones_;  ///< 1 and the orientation, where complements are made
  std::vector<Values> known_;                  ///< [face invariant]
};

}  // namespace

std::optional<ElementBasis> element_basis(const LoweredSystem& lowered) {
  std::set<int> curls, divergences;
  for (const Symbol& s : Program(lowered.physical_volume).symbols()) {
    if (s.kind == Kind::curl) curls.insert(s.index);
    if (s.kind == Kind::divergence) divergences.insert(s.index);
  }
  ElementBasis basis;
  const int fields = static_cast<int>(lowered.physical_volume.size());
  for (int f = 0; f < fields; f += components(basis.quantities.back().variance)) {
    const bool is_covariant = curls.contains(f), is_contravariant = divergences.contains(f);
    if (is_covariant && is_contravariant) return std::nullopt;
    basis.quantities.push_back({is_covariant       ? Variance::covariant
                                : is_contravariant ? Variance::contravariant
                                                   : Variance::scalar,
                                f});
    const Vector v = is_covariant || is_contravariant ? inside(VectorField{f}) : Vector();
    Vector cartesian;
    for (int a = 0; a < components(basis.quantities.back().variance); ++a) {
      const Expr q(field(f + a));
      if (is_covariant) {
        basis.stored.push_back(jacobian() * dot(tangent_over_J(a), v));
        cartesian = cartesian + q * gradient_of(a);
      } else if (is_contravariant) {
        basis.stored.push_back(abs(jacobian()) * dot(gradient_of(a), v));
        cartesian = cartesian + (q * jacobian() / abs(jacobian())) * tangent_over_J(a);
      } else {
        basis.stored.push_back(q);
        cartesian = {q, 0.0, 0.0};
      }
    }
    for (int axis = 0; axis < components(basis.quantities.back().variance); ++axis) {
      basis.cartesian.push_back(cartesian[axis]);
    }
  }
  const auto fits = [&](const Quantity& q) {
    const std::optional<Equation> equation = equation_of(lowered.physical_volume, q);
    if (!equation) return false;
    const auto source = std::ranges::find(basis.quantities, equation->source, &Quantity::first);
    const Variance expected = q.variance == Variance::covariant       ? Variance::covariant  // of a curl
                              : q.variance == Variance::contravariant ? Variance::scalar     // of a gradient
                                                                      : Variance::contravariant;
    return source != basis.quantities.end() && source->variance == expected;
  };
  const bool all_fit = std::ranges::all_of(basis.quantities, fits);
  const bool any_vector = !curls.empty() || !divergences.empty();
  if (!all_fit || !any_vector || !are_of_traces(lowered, basis.quantities)) return std::nullopt;
  return basis;
}

ContractedSystem contract(const LoweredSystem& lowered, const ElementBasis& basis, const MadeOnFaces& made) {
  ContractedSystem system;
  InvariantHoister of_element = InvariantHoister::of_element(system.element_invariants, false);
  const auto tangents = [](int a, int b) {  // symmetric: six numbers
    return jacobian() * dot(tangent_over_J(std::min(a, b)), tangent_over_J(std::max(a, b)));
  };
  if (std::ranges::count(basis.quantities, Variance::covariant, &Quantity::variance) > 0) {
    for (int a = 0; a < 3; ++a) {
      for (int b = a; b < 3; ++b) (void)of_element(tangents(a, b));  // the first: see product_of_tangents
    }
  }
  std::vector<Expr> equations;
  for (int f = 0; f < static_cast<int>(lowered.volume.size()); ++f) {
    system.operands.emplace_back(field(f));
    system.volume.push_back(contraction(f));
  }
  for (const Quantity& q : basis.quantities) {
    const Equation equation = *equation_of(lowered.physical_volume, q);
    const int source = equation.source;
    const auto with_loss = [&](const Expr& sum, int i) {
      equations.push_back(equation.factor * sum + equation.loss * Expr(field(q.first + i)));
    };
    if (q.variance == Variance::scalar) {
      system.contractions.push_back({{{0, source, false}, {1, source + 1, false}, {2, source + 2, false}}});
      with_loss(1.0 / abs(jacobian()) * contraction(q.first), 0);
      continue;
    }
    for (int a = 0; a < 3; ++a) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      if (q.variance == Variance::covariant) {
        system.contractions.push_back({{{b, source + c, false}, {c, source + b, true}}});
      } else {
        system.contractions.push_back({{{a, source, false}}});
      }
      Expr sum = 0.0;
      for (int other = 0; other < 3; ++other) {
        const Expr g = q.variance == Variance::covariant
                           ? tangents(a, other)
                           : abs(jacobian()) * dot(gradient_of(std::min(a, other)), gradient_of(std::max(a, other)));
        sum = sum + g * contraction(q.first + other);
      }
      with_loss(sum, a);
    }
  }
  turn_signs(system);
  for (const Expr& e : equations) system.equations.push_back(of_element(e));
  system.parts = parts_of(system.equations);
  const FluxOfTraces make_fluxes(lowered, basis, made, system);
  return system;
}

Lifting lifting_in(const ElementBasis& basis, const ContractedSystem& contracted) {
  Lifting lifting;
  lifting.sums.resize(contracted.contractions.size());
  for (int face = 0; face < ReferenceElement::Nfaces; ++face) {
    const FaceFrame frame = frame_of_face(face);
    const auto add = [&](std::initializer_list<int> sums, const Expr& e) {
      std::vector<Expr>& values = lifting.values.at(static_cast<std::size_t>(face));
      values.push_back(e);
      for (const int sum : sums) {
        lifting.sums[static_cast<std::size_t>(sum)].push_back(
            {.face = face, .value = static_cast<int>(values.size()) - 1});
      }
    };
    for (const auto& [variance, f] : basis.quantities) {
      const Expr& flux = contracted.flux[static_cast<std::size_t>(f)];
      if (variance == Variance::scalar) {
        add({f}, flux);
      } else if (variance == Variance::contravariant) {
        if (frame.is_slanted) {
          add({f, f + 1, f + 2}, flux);
        } else {
          add({f + frame.c}, -flux);
        }
      } else {
        const Expr& second = contracted.flux[static_cast<std::size_t>(f) + 1];
        add({f + frame.a}, flux);
        add({f + frame.b}, second);
        if (frame.is_slanted) add({f + frame.c}, -(flux + second));
      }
    }
  }
  for (std::size_t f = 0; f < contracted.contractions.size(); ++f) {
    lifting.rhs.push_back(contraction(static_cast<int>(contracted.contractions.size() + f)));
  }
  return lifting;
}

}  // namespace maxwell_dg::dg
