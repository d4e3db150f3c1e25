#include "dg/lowering/element_basis.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <Eigen/Dense>

#include "core/round_up.hpp"
#include "dg/lowering/affine_map.hpp"
#include "dg/lowering/face_sample.hpp"
#include "dg/lowering/flux_of_traces.hpp"
#include "dg/lowering/invariant_hoister.hpp"
#include "dg/lowering/tensor_weights.hpp"
#include "dg/reference/mirror_sums.hpp"
#include "dg/symbolic/code_printer.hpp"
#include "dg/symbolic/differentiate.hpp"
#include "dg/symbolic/fields.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using Variance = ElementBasis::Variance;
using Quantity = ElementBasis::Quantity;

namespace {

Symbol field(int i, Side side = Side::inside) {
  return {.kind = Kind::field, .index = i, .side = side};
}

Vector part_of(const std::vector<Expr>& of_fields, int first) {
  const auto f = static_cast<std::size_t>(first);
  return {of_fields[f], of_fields[f + 1], of_fields[f + 2]};
}

int components(Variance variance) {
  return variance == Variance::scalar ? 1 : 3;
}

/// The symbols of physics (no lowered ones) in some expressions.
std::vector<Symbol> symbols_in(std::span<const Expr> expressions) {
  std::vector<Symbol> found;
  for (const AnySymbol& any : Program(expressions).symbols()) {
    if (const auto* s = std::get_if<Symbol>(&any)) found.push_back(*s);
  }
  return found;
}

bool has_fields(const Expr& e) {
  return std::ranges::any_of(symbols_in({&e, 1}),
                             [](const Symbol& s) { return s.kind == Kind::field || is_derivative(s); });
}

/// dq/dt = factor derivative + loss q, where `source` is the first field of the vector or scalar whose curl, divergence
/// or gradient is the derivative. If the factor is a tensor, `loss` is left out.
struct Equation {
  Factor factor;
  Expr loss;
  int source{};
};

Kind derivative_of(Variance variance) {
  return variance == Variance::covariant       ? Kind::curl
         : variance == Variance::contravariant ? Kind::derivative
                                               : Kind::divergence;
}

std::vector<Symbol> derivatives_in(const Expr& e) {
  std::vector<Symbol> derivatives = symbols_in({&e, 1});
  std::erase_if(derivatives, [](const Symbol& s) { return !is_derivative(s); });
  return derivatives;
}

std::optional<Equation> equation_of(const std::vector<Expr>& volume, const Quantity& quantity) {
  std::optional<Equation> equation;
  for (int axis = 0; axis < components(quantity.variance); ++axis) {
    const Symbol own = field(quantity.first + axis);
    const Expr& e = volume[static_cast<std::size_t>(own.index)];
    const std::vector<Symbol> derivatives = derivatives_in(e);
    if (derivatives.size() != 1) return std::nullopt;
    const Symbol& d = derivatives[0];
    if (d.kind != derivative_of(quantity.variance) || (d.kind != Kind::divergence && d.axis != axis)) {
      return std::nullopt;
    }
    const Expr rest = substitute(e, [&](const Symbol& s) { return s == d ? Expr(0.0) : Expr(s); });
    const Expr remainder =
        substitute(rest, [&](const Symbol& s) { return s == own ? Expr(0.0) : Expr(s); });  // rest - loss q
    const Equation found{.factor = {differentiate(e, d)}, .loss = differentiate(rest, own), .source = d.index};
    if (has_fields(found.factor.number) || has_fields(found.loss) || !remainder.is_constant(0.0)) return std::nullopt;
    if (!equation) equation = found;
    if (!are_same(equation->factor.number, found.factor.number) || !are_same(equation->loss, found.loss) ||
        equation->source != found.source) {
      return std::nullopt;
    }
  }
  return equation;
}

/// The same with a tensor as factor.
std::optional<Equation> tensor_equation_of(const std::vector<Expr>& volume, const Quantity& quantity) {
  if (quantity.variance == Variance::scalar) return std::nullopt;
  const auto row = [&](int a) -> const Expr& { return volume[static_cast<std::size_t>(quantity.first + a)]; };
  std::optional<int> source;
  for (int a = 0; a < 3; ++a) {
    for (const Symbol& d : derivatives_in(row(a))) {
      if (d.kind != derivative_of(quantity.variance) || d.index != source.value_or(d.index)) return std::nullopt;
      source = d.index;
    }
    const Expr rest = substitute(row(a), [&](const Symbol& s) {
      const bool is_own = s.kind == Kind::field && s.index >= quantity.first && s.index < quantity.first + 3;
      return is_own || is_derivative(s) ? Expr(0.0) : Expr(s);
    });
    if (!rest.is_constant(0.0)) return std::nullopt;
  }
  if (!source) return std::nullopt;
  const auto entry = [&](int a, int b) {
    return differentiate(row(a), {.kind = derivative_of(quantity.variance), .index = *source, .axis = b});
  };
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      if (has_fields(entry(a, b)) || !are_same(entry(a, b), entry(b, a))) return std::nullopt;
    }
  }
  const Tensor tensor(entry(0, 0), entry(1, 1), entry(2, 2), entry(1, 2), entry(0, 2), entry(0, 1));
  return Equation{.factor = {.tensor = tensor}, .loss = 0.0, .source = *source};
}

std::optional<Equation> equation_of(const std::vector<Expr>& volume, const Quantity& quantity, Factors factors) {
  std::optional<Equation> equation = equation_of(volume, quantity);
  if (!equation && factors == Factors::tensors) equation = tensor_equation_of(volume, quantity);
  return equation;
}

/// Whether a tensor as factor is the inverse of the energy's weight of its vector, up to a number; at random media.
bool is_of_energy(const Tensor& factor, const LoweredSystem& lowered, int first) {
  for (unsigned seed = 0; seed < FaceSample::enough; ++seed) {
    FaceSample sample(seed, lowered);
    const auto matrix = [&](const Tensor& t) {
      Eigen::Matrix3d m;
      const double yz = sample.value_of(t.yz), xz = sample.value_of(t.xz), xy = sample.value_of(t.xy);
      m << sample.value_of(t.xx), xy, xz, xy, sample.value_of(t.yy), yz, xz, yz, sample.value_of(t.zz);
      return m;
    };
    const Eigen::Matrix3d product = matrix(factor) * matrix(energy_weight(lowered, first));
    const double number = product.trace() / 3, rest = (product - number * Eigen::Matrix3d::Identity()).norm();
    if (number == 0 || rest > FaceSample::rounding * std::abs(number)) return false;
  }
  return true;
}

/// Whether fluxes depend on nothing but the traces described at ElementBasis, tried at random faces: neither the normal
/// component of a covariant vector nor the tangential one of a contravariant vector changes a flux, and the fluxes of
/// these vectors, [field], have no such components.
bool depend_on_traces_alone(const LoweredSystem& lowered, const std::vector<Quantity>& quantities,
                            const std::vector<Expr>& flux) {
  const Vector n = normal();
  for (unsigned seed = 0; seed < FaceSample::enough; ++seed) {
    FaceSample sample(seed, lowered);
    const auto value = [&](const Expr& e) { return sample.value_of(e); };
    const auto close = [](double a, double b) { return std::abs(a - b) <= FaceSample::rounding * (1 + std::abs(a)); };
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

}  // namespace

bool ElementBasis::has_two_of_each_kind() const {
  const std::size_t half = quantities.size() / 2;
  const int fields = static_cast<int>(stored.size());
  for (std::size_t i = 0; i < half; ++i) {
    const Quantity &first = quantities[i], &second = quantities[half + i];
    if (first.variance != second.variance || second.first - first.first != fields / 2) return false;
  }
  return quantities.size() % 2 == 0;
}

std::optional<ElementBasis> element_basis(const LoweredSystem& lowered, Factors factors) {
  std::set<int> curls, divergences;
  for (const Symbol& s : symbols_in(lowered.physical_volume)) {
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
  std::vector<Expr> flux = lowered.flux;  // over tensors
  const auto fits = [&](const Quantity& q) {
    const std::optional<Equation> equation = equation_of(lowered.physical_volume, q, factors);
    if (!equation) return false;
    if (equation->factor.tensor) {
      set(flux, VectorField{q.first}, equation->factor.tensor->inverse().times(part_of(flux, q.first)));
      if (!is_of_energy(*equation->factor.tensor, lowered, q.first)) return false;
    }
    const auto source = std::ranges::find(basis.quantities, equation->source, &Quantity::first);
    const Variance expected = q.variance == Variance::covariant       ? Variance::covariant  // of a curl
                              : q.variance == Variance::contravariant ? Variance::scalar     // of a gradient
                                                                      : Variance::contravariant;
    return source != basis.quantities.end() && source->variance == expected;
  };
  const bool all_fit = std::ranges::all_of(basis.quantities, fits);
  const bool any_vector = !curls.empty() || !divergences.empty();
  if (!all_fit || !any_vector || !depend_on_traces_alone(lowered, basis.quantities, flux)) return std::nullopt;
  return basis;
}

std::array<std::array<double, 3>, 3> lifted_along_mirror_axes(Variance variance) {
  auto matrix = variance == Variance::covariant ? MirrorSums::gradients : MirrorSums::tangents;
  for (auto& row : matrix) {
    for (double& entry : row) entry *= variance == Variance::covariant ? MirrorSums::volume : 1.0;
  }
  return matrix;
}

namespace {

/// The component of a stored vector along u, v or w, from its components along r, s and t.
Expr along_mirror_axis(const Quantity& q, std::size_t axis) {
  const auto& matrix = q.variance == Variance::covariant ? MirrorSums::tangents : MirrorSums::gradients;
  return combination(matrix.at(axis), [&](int b) { return Expr(field(q.first + b)); });
}

/// The contraction along axis a of r, s, t, from the contractions along u, v, w.
Expr from_mirror_axes(const Quantity& q, std::size_t a) {
  std::array<double, 3> shares{};
  for (std::size_t other = 0; other < 3; ++other) {
    shares.at(other) = q.variance == Variance::covariant ? MirrorSums::tangents.at(other).at(a) / MirrorSums::volume
                                                         : MirrorSums::gradients.at(other).at(a);
  }
  return combination(shares, [&](int other) { return Expr(contraction(q.first + other)); });
}

/// x_a . phi x_b / J, or |J| grad r_a . phi grad r_b.
Expr by_tensor(const Tensor& phi, Variance variance, int a, int b) {
  return variance == Variance::covariant ? jacobian() * dot(tangent_over_J(a), phi.times(tangent_over_J(b)))
                                         : abs(jacobian()) * dot(gradient_of(a), phi.times(gradient_of(b)));
}

}  // namespace

ContractedSystem contract(const LoweredSystem& lowered, const ElementBasis& basis, const ComputedOnFaces& computed,
                          Axes axes) {
  ContractedSystem system;
  InvariantHoister of_element = InvariantHoister::of_element(system.element_invariants, false);
  const auto tangents = [](int a, int b) {  // symmetric: six numbers
    return jacobian() * dot(tangent_over_J(std::min(a, b)), tangent_over_J(std::max(a, b)));
  };
  const auto equation_for = [&](const Quantity& q) {
    return *equation_of(lowered.physical_volume, q, Factors::tensors);
  };
  const auto has_tangents = [&](const Quantity& q) {
    return q.variance == Variance::covariant && !equation_for(q).factor.tensor;
  };
  if (std::ranges::any_of(basis.quantities, has_tangents)) {
    for (int a = 0; a < 3; ++a) {
      for (int b = a; b < 3; ++b) (void)of_element(tangents(a, b));  // come first: see product_of_tangents
    }
  }
  std::vector<Expr> equations;
  std::vector<Factor> factors;
  for (int f = 0; f < static_cast<int>(lowered.volume.size()); ++f) {
    system.operands.emplace_back(field(f));
    system.volume.push_back(contraction(f));
  }
  for (const Quantity& q : basis.quantities) {
    if (axes == Axes::reference || q.variance == Variance::scalar) continue;
    for (std::size_t a = 0; a < 3; ++a)
      system.operands[static_cast<std::size_t>(q.first) + a] = along_mirror_axis(q, a);
  }
  for (const Quantity& q : basis.quantities) {
    const Equation equation = equation_for(q);
    factors.push_back(equation.factor);
    const int source = equation.source;
    const auto with_loss = [&](const Expr& sum, int i) {
      equations.push_back(equation.factor.number * sum + equation.loss * Expr(field(q.first + i)));
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
        const int first = std::min(a, other), second = std::max(a, other);  // g is symmetric
        const Expr g = equation.factor.tensor ? by_tensor(*equation.factor.tensor, q.variance, first, second)
                       : q.variance == Variance::covariant
                           ? tangents(first, second)
                           : abs(jacobian()) * dot(gradient_of(first), gradient_of(second));
        sum = sum + g * (axes == Axes::mirror ? from_mirror_axes(q, static_cast<std::size_t>(other))
                                              : Expr(contraction(q.first + other)));
      }
      with_loss(sum, a);
    }
  }
  choose_signs(system);
  for (const Expr& e : equations) system.equations.push_back(of_element(e));
  system.parts = parts_of(system.equations);
  system.flux = flux_of_traces(lowered, basis, factors, computed, system.face_invariants);
  return system;
}

Lifting lifting_in(const ElementBasis& basis, const ContractedSystem& contracted) {
  Lifting lifting;
  lifting.sums.resize(contracted.contractions.size());
  for (int face = 0; face < ReferenceElement::Nfaces; ++face) {
    const FaceFrame frame = frame_of_face(face);
    const auto add = [&](const Expr& e, const std::vector<int>& sums, const std::vector<int>& less_in = {}) {
      std::vector<Expr>& values = lifting.values.at(static_cast<std::size_t>(face));
      values.push_back(e);
      Lifting::Term term{.face = face, .value = static_cast<int>(values.size()) - 1};
      for (const int sum : sums) lifting.sums[static_cast<std::size_t>(sum)].push_back(term);
      term.negative = true;
      for (const int sum : less_in) lifting.sums[static_cast<std::size_t>(sum)].push_back(term);
    };
    for (const auto& [variance, f] : basis.quantities) {
      const Expr& flux = contracted.flux[static_cast<std::size_t>(f)];
      if (variance == Variance::scalar) {
        add(flux, {f});
      } else if (variance == Variance::contravariant) {
        if (frame.is_slanted) {
          add(flux, {f, f + 1, f + 2});
        } else {
          add(flux, {}, {f + frame.c});
        }
      } else {
        const Expr& second = contracted.flux[static_cast<std::size_t>(f) + 1];
        const std::vector<int> third(frame.is_slanted ? 1 : 0, f + frame.c);
        add(flux, {f + frame.a}, third);
        add(second, {f + frame.b}, third);
      }
    }
  }
  for (std::size_t f = 0; f < contracted.contractions.size(); ++f) {
    lifting.rhs.push_back(contraction(static_cast<int>(contracted.contractions.size() + f)));
  }
  return lifting;
}

}  // namespace maxwell_dg::dg
