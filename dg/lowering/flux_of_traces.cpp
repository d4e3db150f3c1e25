#include "dg/lowering/flux_of_traces.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "dg/lowering/affine_map.hpp"
#include "dg/lowering/face_sample.hpp"
#include "dg/symbolic/fields.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using Lowered = LoweredSymbol::Kind;
using Variance = ElementBasis::Variance;
using Quantity = ElementBasis::Quantity;

namespace {

/// Writes fluxes as sums of traces times coefficients, which are invariants of the face.
class FluxOfTraces {
 public:
  FluxOfTraces(const LoweredSystem& lowered, const ElementBasis& basis, const ComputedOnFaces& computed,
               std::vector<Expr>& invariants)
      : basis_(basis), invariants_(invariants), traces_(traces_of(basis)) {
    for (unsigned seed = 0; seed < FaceSample::enough; ++seed) samples_.emplace_back(seed, lowered);
    if (computed.edges) {
      edges_ = edge_products(computed);
      for (const Expr& e : edges_) values_of_edges_.push_back(values_of(e));
    }
    if (computed.complements) {
      const Expr orientation = jacobian() * face_scale() * dot(tangent_over_J(2), normal());
      ones_ = {{1.0, values_of(1.0)}, {edges(3), values_of(orientation)}};
    }
    for (const Expr& e : lowered.flux) {
      of_traces_.push_back(
          substitute(e, [&](const Symbol& s) { return s.kind == Kind::field ? by_trace(s) : Expr(s); }));
    }
  }

  /// The flux of a quantity that is lifted: one number, or two along the face for a covariant vector.
  [[nodiscard]] std::vector<Expr> of(const Quantity& q, const Factor& by) {
    const auto f = static_cast<std::size_t>(q.first);
    const Expr& factor = by.number;
    if (q.variance == Variance::scalar) return {collected(abs(jacobian()) * face_scale() / factor * of_traces_[f])};
    Vector flux{of_traces_[f], of_traces_[f + 1], of_traces_[f + 2]};
    if (by.tensor) flux = by.tensor->inverse().times(flux);
    if (q.variance == Variance::contravariant) return {collected(dot(normal(), flux) / factor)};
    const auto along = [&](int i) { return collected(jacobian() * face_scale() / factor * dot(gradient_of(i), flux)); };
    return {along(0), along(1)};
  }

 private:
  static std::vector<int> traces_of(const ElementBasis& basis) {
    std::vector<int> traces;
    for (const Quantity& q : basis.quantities) {
      traces.push_back(q.first);
      if (q.variance == Variance::covariant) traces.push_back(q.first + 1);
    }
    return traces;
  }

  /// A field along x, y or z, from the traces; the components on which no flux depends are left out.
  [[nodiscard]] Expr by_trace(const Symbol& s) const {
    const auto after = std::ranges::find_if(basis_.quantities, [&](const Quantity& q) { return q.first > s.index; });
    const Quantity& q = *std::prev(after);
    const int axis = s.index - q.first;
    const Expr first = ScalarField{q.first}.at(s.side);
    switch (q.variance) {
      case Variance::covariant:
        return first * gradient_of(0)[axis] + ScalarField{q.first + 1}.at(s.side) * gradient_of(1)[axis];
      case Variance::contravariant: {
        const Expr through = first * normal()[axis] / (face_scale() * abs(jacobian()));
        return s.side == Side::inside ? through : -through;  // each side has its own outward normal
      }
      default: return first;
    }
  }

  using Values = std::array<double, FaceSample::enough>;
  [[nodiscard]] Values values_of(const Expr& e) {
    Values values{};
    std::ranges::transform(samples_, values.begin(), [&](FaceSample& sample) { return sample.value_of(e); });
    return values;
  }
  [[nodiscard]] static double largest(const Values& values) {
    double most = 0;
    for (const double v : values) most = std::max(most, std::abs(v));
    return most;
  }
  /// Whether a = sign b, up to rounding.
  [[nodiscard]] static bool equal(const Values& a, double sign, const Values& b, double scale) {
    Values difference{};
    std::ranges::transform(a, b, difference.begin(), [&](double x, double y) { return x - sign * y; });
    return largest(difference) <= FaceSample::rounding * scale;
  }

  /// The coefficient of one trace in an expression that is linear in the traces.
  [[nodiscard]] static Expr coefficient(const Expr& e, int trace, Side side) {
    return substitute(e, [&](const Symbol& s) {
      return s.kind == Kind::field ? Expr(s.index == trace && s.side == side ? 1.0 : 0.0) : Expr(s);
    });
  }

  /// The coefficients of one trace on both sides, divided by `edges`, with their values on the samples. A value that is
  /// small compared with `scale` is a rounding error.
  struct Coefficients {
    Expr inside, outside;
    Values of_inside, of_outside;
    double scale{};
    Expr edges = 1.0;

    [[nodiscard]] double largest() const {
      return std::max(FluxOfTraces::largest(of_inside), FluxOfTraces::largest(of_outside));
    }
    [[nodiscard]] bool vanish() const { return largest() <= FaceSample::rounding * scale; }
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

  /// Divides the coefficients of the two traces of a covariant vector by products of edges, if the quotients then are
  /// the same up to a sign.
  void take_out_edges(std::vector<Coefficients>& all) const {
    if (edges_.empty()) return;
    for (std::size_t i = 0; i < traces_.size(); ++i) {
      const auto quantity = std::ranges::find(basis_.quantities, traces_[i], &Quantity::first);
      if (quantity == basis_.quantities.end() || quantity->variance != Variance::covariant) continue;
      Coefficients &first = all[i], &second = all[i + 1];
      if (first.vanish() || second.vanish()) continue;
      for (const std::size_t k : {0U, 1U}) {  // row k of the matrix tau_i . tau_j, its entries in reverse order
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
      const Expr inside = coefficient(e, trace, Side::inside), outside = coefficient(e, trace, Side::outside);
      all.push_back({inside, outside, values_of(inside), values_of(outside)});
      scale = std::max(scale, all.back().largest());
    }
    for (Coefficients& c : all) c.scale = scale;
    take_out_edges(all);
    Expr sum = 0.0;
    for (std::size_t i = 0; i < traces_.size(); ++i) {
      const Coefficients& c = all[i];
      const Expr q_m = inside(ScalarField{traces_[i]}), q_p = outside(ScalarField{traces_[i]});
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

  /// The coefficient as an invariant: one that is already known, its negative or its complement if any of these has the
  /// same values; otherwise a new one.
  [[nodiscard]] Expr invariant(const Expr& coefficient, const Values& values, double scale) {
    if (largest(values) <= FaceSample::rounding * scale) return 0.0;
    for (std::size_t i = 0; i < known_.size(); ++i) {
      const Expr known(LoweredSymbol{.kind = Lowered::invariant, .number = static_cast<int>(i)});
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
    invariants_.push_back(coefficient);
    return Expr(LoweredSymbol{.kind = Lowered::invariant, .number = static_cast<int>(known_.size()) - 1});
  }

  const ElementBasis& basis_;
  std::vector<Expr>& invariants_;
  std::vector<int> traces_;
  std::vector<FaceSample> samples_;
  std::vector<Expr> of_traces_;  ///< [field] the flux along x, y, z, of traces
  std::vector<Expr> edges_;      ///< [number of `edges`] the products, if kernels compute them
  std::vector<Values> values_of_edges_;
  std::vector<std::pair<Expr, Values>> ones_;  ///< 1 and the orientation, if kernels compute complements
  std::vector<Values> known_;                  ///< [face invariant]
};

}  // namespace

std::vector<Expr> edge_products(const ComputedOnFaces& computed) {
  // tau_1 = -J Fscale grad r_b x n and tau_2 = J Fscale grad r_a x n, up to a common sign
  const Vector along_1 = cross(gradient_of(1), normal()), along_2 = cross(gradient_of(0), normal());
  const Expr scale = jacobian() * face_scale();
  std::vector<Expr> products;
  for (const Expr& e : {dot(along_1, along_1), -dot(along_1, along_2), dot(along_2, along_2)}) {
    products.push_back((computed.over_scale ? scale : scale * face_scale()) * e);
  }
  return products;
}

std::vector<Expr> flux_of_traces(const LoweredSystem& lowered, const ElementBasis& basis,
                                 const std::vector<Factor>& factors, const ComputedOnFaces& computed,
                                 std::vector<Expr>& invariants) {
  FluxOfTraces by_traces(lowered, basis, computed, invariants);
  std::vector<Expr> flux(lowered.flux.size(), 0.0);
  for (std::size_t i = 0; i < basis.quantities.size(); ++i) {
    const std::vector<Expr> values = by_traces.of(basis.quantities[i], factors[i]);
    std::ranges::copy(values, flux.begin() + basis.quantities[i].first);
  }
  return flux;
}

}  // namespace maxwell_dg::dg
