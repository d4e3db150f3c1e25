#include "dg/maxwell/pml.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include <Eigen/Dense>
#include <Eigen/Eigenvalues>

#include "core/mpi/of_all.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/pml_stretch.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg::maxwell {

using namespace symbolic;

namespace {

/// Along which axes an element stretches, and no lengths are sheared; or along a radius, and across it all alike, and
/// less; also the number of its name.
enum Stretch { along_x, along_y, along_z, along_several, along_radius, along_any };

/// What elements of one term have in common.
struct Kind {
  Stretch stretch{};
  bool varies{};  ///< G within an element: it is a profile
  bool is_shifted{}, is_lossy{};
  std::vector<Pole::Model> poles;
  auto operator<=>(const Kind&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 sees a 0 in it
  [[nodiscard]] bool has_losses() const { return is_lossy || !poles.empty(); }
  [[nodiscard]] bool is_along_one() const { return stretch <= along_z; }
  /// Of G: g, or its diagonal, or g and m of G = g (1 - m.m) + g m m^T, or its rows.
  [[nodiscard]] int numbers() const {
    if (is_along_one()) return 1;
    return stretch == along_several ? 3 : stretch == along_radius ? 4 : 9;
  }
};

ParameterField sigma_of(const System& system) {
  const auto sigma = std::ranges::find(system.parameters, "sigma", &System::Parameter::name);
  return {static_cast<int>(sigma - system.parameters.begin())};
}

/// A PML's equations for one field: q with what it has on the moved mesh, v = q + moved.
struct FieldEquations {
  Vector added;  ///< to dq/dt
  Vector moved;  ///< (Lambda - 1) q, Lambda the medium of the moved mesh; only if asked for
};

/// Writes the term of one kind of elements.
class Writer {
 public:
  Writer(const System& system, const Kind& kind) : system_(system), kind_(kind) {
    static const std::array<const char*, 6> names{"pmlx", "pmly", "pmlz", "pml", "pmlround", "pmlany"};
    term_.name = names.at(static_cast<std::size_t>(kind.stretch));
    const auto own = [&](int i) { return inside(ParameterField{static_cast<int>(system.parameters.size()) + i}); };
    const int count = kind.numbers();
    for (int i = 0; i < count; ++i) numbers_.push_back(kind.varies ? profile(i) : own(i));
    if (kind.is_shifted) alpha_ = own(kind.varies ? 0 : count);
  }

  ElementTerm write() {
    const FieldEquations e = write_field(E, kind_.is_shifted || kind_.has_losses());
    const FieldEquations h = write_field(H, kind_.is_shifted);
    set(term_.added, E, e.added);
    set(term_.added, H, h.added);
    term_.fastest_rate = alpha_ + fastest_rate();
    if (kind_.is_lossy) add_losses(e.moved);
    if (!kind_.poles.empty()) add_poles(e.moved);
    return term_;
  }

 private:
  FieldEquations write_field(const VectorField& field, bool with_moved) {
    if (kind_.stretch == along_radius) return along_a_radius(field, with_moved);
    return kind_.is_along_one() ? along_one(field, with_moved) : along_all(field, with_moved);
  }

  /// G is g along axis i. With p' = p + alpha, y = q_i / (p' + g) and w_j = q_j / p',
  ///   v_i = q_i - g y,   v_j = q_j + g w_j.
  FieldEquations along_one(const VectorField& field, bool with_moved) {
    const int i = static_cast<int>(kind_.stretch);
    const Vector q = inside(field);
    const Expr g = numbers_[0];
    const auto [y, dy] = memory(field[i], [&](const Expr& self) { return q[i] - (alpha_ + g) * self; });
    FieldEquations result;
    result.added.component.at(index(i)) = g * dy;
    result.moved.component.at(index(i)) = -g * y;
    for (const int j : {(i + 1) % 3, (i + 2) % 3}) {
      Expr rate = q[j];
      if (with_moved) {
        const auto [w, dw] = memory(field[j], [&](const Expr& self) { return q[j] - alpha_ * self; });
        result.moved.component.at(index(j)) = g * w;
        rate = dw;
      }
      result.added.component.at(index(j)) = -g * rate;
    }
    return result;
  }

  /// G is g along a direction e and h <= g across it. With w = q / p', y = m.q / (p' + g) and m = e sqrt(1 - h / g),
  ///   v = q + g w - m ((g + h) m.w + (g - h) y).
  FieldEquations along_a_radius(const VectorField& field, bool with_moved) {
    const Vector q = inside(field), m{numbers_[1], numbers_[2], numbers_[3]};
    const Expr g = numbers_[0], square = dot(m, m);
    const auto [y, dy] = memory(field[0], [&](const Expr& self) { return dot(m, q) - (alpha_ + g) * self; });
    Vector w, dw = q;
    for (int i = 0; with_moved && i < 3; ++i) {
      std::tie(w.component.at(index(i)), dw.component.at(index(i))) =
          memory(field[i], [&](const Expr& self) { return q[i] - alpha_ * self; });
    }
    const auto moved = [&](const Vector& of_w, const Expr& of_y) {
      return g * (of_w - ((2.0 - square) * dot(m, of_w) + square * of_y) * m);
    };
    FieldEquations result{.added = -moved(dw, dy), .moved = {}};
    if (with_moved) result.moved = moved(w, y);
    return result;
  }

  /// With B = p' + G and y = B^-T q,
  ///   p' (Lambda - 1) q = adj(B) y - p' q = (tr G - G - G^T) q + K y,   K = (G + G^T - tr G) G^T + adj G.
  FieldEquations along_all(const VectorField& field, bool with_moved) {
    const Vector q = inside(field);
    const auto adjugate = [&](int a, int b) {
      const int a1 = (a + 1) % 3, a2 = (a + 2) % 3, b1 = (b + 1) % 3, b2 = (b + 2) % 3;
      return G(b1, a1) * G(b2, a2) - G(b1, a2) * G(b2, a1);
    };
    const Expr trace = G(0, 0) + G(1, 1) + G(2, 2);
    Vector y;
    for (int a = 0; a < 3; ++a) y.component.at(index(a)) = next_memory(a);
    for (int a = 0; a < 3; ++a) {
      const Expr rate = q[a] - alpha_ * y[a] - G(0, a) * y[0] - G(1, a) * y[1] - G(2, a) * y[2];
      (void)memory(field[a], [&](const Expr&) { return Expr(rate); });
    }
    FieldEquations result;
    for (int a = 0; a < 3; ++a) {
      Expr rate = trace * q[a];
      for (int b = 0; b < 3; ++b) {
        Expr K = adjugate(a, b) - trace * G(b, a);
        for (int c = 0; c < 3; ++c) K = K + (G(a, c) + G(c, a)) * G(b, c);
        rate = rate - (G(a, b) + G(b, a)) * q[b] + K * y[b];
      }
      if (with_moved) {
        const auto [x, dx] = memory(field[a], [&](const Expr& self) { return rate - alpha_ * self; });
        result.moved.component.at(index(a)) = x;
        rate = dx;
      }
      result.added.component.at(index(a)) = -rate;
    }
    return result;
  }

  /// An entry of G where it is along several axes.
  [[nodiscard]] Expr G(int a, int b) const {
    if (kind_.stretch == along_several) return a == b ? numbers_[index(a)] : Expr(0.0);
    return numbers_[index(3 * a + b)];
  }

  /// A bound on moduli of the eigenvalues of G, whose symmetric part is positive.
  [[nodiscard]] Expr fastest_rate() const {
    if (kind_.is_along_one()) return numbers_[0];
    if (kind_.stretch == along_radius) {
      const Vector m{numbers_[1], numbers_[2], numbers_[3]};
      return numbers_[0] * (3.0 - 2.0 * dot(m, m));  // the trace, as of others
    }
    Expr trace = G(0, 0) + G(1, 1) + G(2, 2);
    if (kind_.stretch == along_several) return trace;
    const Expr x = G(2, 1) - G(1, 2), y = G(0, 2) - G(2, 0), z = G(1, 0) - G(0, 1);
    return trace + 0.5 * sqrt(x * x + y * y + z * z);
  }

  void add_losses(const Vector& moved) { add(response(system_, inside(sigma_of(system_)) * moved, {})); }

  /// Appends the poles' own term, with the field of the moved mesh in the place of E.
  void add_poles(const Vector& moved) {
    DispersiveMedium medium{.poles = {}, .elements = {0}};
    for (const Pole::Model model : kind_.poles) medium.poles.push_back({.model = model});
    const ElementTerm poles = dispersion_terms(system_, {medium}).front();
    const auto fields = system_.field_count(), shared = static_cast<int>(system_.parameters.size());
    const auto auxiliary = static_cast<int>(term_.auxiliary.size());
    const int own = (kind_.varies ? 0 : kind_.numbers()) + (kind_.is_shifted ? 1 : 0);
    const auto here = [&](const Expr& e) {
      return substitute(e, [&](const Symbol& s) {
        Symbol moved_symbol = s;
        if (s.kind == Symbol::Kind::field && s.index < fields) return Expr(s) + moved[s.index - E.first];
        if (s.kind == Symbol::Kind::field) moved_symbol.index += auxiliary;
        if (s.kind == Symbol::Kind::parameter && s.index >= shared) moved_symbol.index += own;
        return Expr(moved_symbol);
      });
    };
    std::vector<Expr> added;
    for (const Expr& e : poles.added) added.push_back(here(e));
    add(added);
    for (const Expr& e : poles.rates) term_.rates.push_back(here(e));
    term_.auxiliary.insert(term_.auxiliary.end(), poles.auxiliary.begin(), poles.auxiliary.end());
    term_.fastest_rate = term_.fastest_rate + here(poles.fastest_rate);
    term_.name += "_" + poles.name;
  }

  void add(const std::vector<Expr>& more) {
    for (std::size_t f = 0; f < more.size(); ++f) term_.added[f] = term_.added[f] + more[f];
  }

  [[nodiscard]] std::string name_of(const ScalarField& field) const { return system_.fields[index(field.index)]; }
  /// The auxiliary variable that is added after so many others.
  [[nodiscard]] Expr next_memory(int after = 0) const {
    return inside(ScalarField{system_.field_count() + static_cast<int>(term_.auxiliary.size()) + after});
  }
  /// Adds an auxiliary variable, and returns it and its rate, a function of itself.
  template <class Rate>
  std::pair<Expr, Expr> memory(const ScalarField& field, const Rate& rate_of) {
    const Expr self = next_memory(), rate = rate_of(self);
    term_.auxiliary.push_back(name_of(field) + "_w");
    term_.rates.push_back(rate);
    return {self, rate};
  }

  const System& system_;
  const Kind& kind_;
  std::vector<Expr> numbers_;  ///< of G
  Expr alpha_ = 0.0;
  ElementTerm term_{};
};

/// g and m of G = g (1 - m.m) + g m m^T, if it is such a matrix.
std::optional<std::array<double, 4>> radius_of(const Eigen::Matrix3d& G, double largest) {
  constexpr double rounding = 1e-9;
  if ((G - G.transpose()).norm() > rounding * largest) return std::nullopt;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> of(G);
  const Eigen::Vector3d& values = of.eigenvalues();  // ascending
  if (values[1] - values[0] > rounding * largest) return std::nullopt;
  if (values[2] <= rounding * largest) return std::array<double, 4>{};
  const Eigen::Vector3d m = std::sqrt(std::max(0.0, 1 - values[0] / values[2])) * of.eigenvectors().col(2);
  return std::array{values[2], m[0], m[1], m[2]};
}

/// What G, once or at points, is along; nothing where it is zero.
std::optional<Stretch> stretch_of(const std::vector<Eigen::Matrix3d>& stretches, double largest) {
  constexpr double rounding = 1e-9;
  std::array<bool, 3> is_along{};
  bool shears = false;
  for (const Eigen::Matrix3d& G : stretches) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) (i == j ? is_along.at(index(i)) : shears) |= std::abs(G(i, j)) > rounding * largest;
    }
  }
  if (shears) {
    const bool radial =
        std::ranges::all_of(stretches, [&](const auto& G) { return radius_of(G, largest).has_value(); });
    return radial ? along_radius : along_any;
  }
  const auto axes = std::ranges::count(is_along, true);
  if (axes == 0) return std::nullopt;
  if (axes > 1) return along_several;
  return static_cast<Stretch>(std::ranges::find(is_along, true) - is_along.begin());
}

/// The numbers of G for a kind, as Kind::numbers lists them.
std::vector<double> numbers_of(const Kind& kind, const Eigen::Matrix3d& G, double largest) {
  if (kind.stretch == along_radius) {
    const std::array<double, 4> of = radius_of(G, largest).value();
    return {of.begin(), of.end()};
  }
  if (kind.is_along_one()) return {G(kind.stretch, kind.stretch)};
  if (kind.stretch == along_several) return {G(0, 0), G(1, 1), G(2, 2)};
  std::vector<double> rows;
  for (int i = 0; i < 3; ++i) rows.insert(rows.end(), {G(i, 0), G(i, 1), G(i, 2)});
  return rows;
}

/// The term of a kind, in no element yet.
ElementTerm term_of(const System& system, const Kind& kind) {
  ElementTerm term = Writer(system, kind).write();
  const std::size_t of_stretch = index(kind.numbers());
  term.profiles_at_points = kind.varies;
  term.profiles.resize(kind.varies ? of_stretch : 0);
  term.parameters.resize((kind.varies ? 0 : of_stretch) + (kind.is_shifted ? 1 : 0) + 3 * kind.poles.size());
  return term;
}

/// The kinds that some rank has. Collective.
std::vector<Kind> kinds_of_all(const std::vector<Kind>& mine, const core::Communicator& ranks) {
  std::vector<std::int32_t> numbers;
  for (const Kind& kind : mine) {
    numbers.insert(numbers.end(), {kind.stretch, kind.varies ? 1 : 0, kind.is_shifted ? 1 : 0, kind.is_lossy ? 1 : 0,
                                   static_cast<std::int32_t>(kind.poles.size())});
    for (const Pole::Model model : kind.poles) numbers.push_back(static_cast<std::int32_t>(model));
  }
  const std::vector<std::int32_t> all = core::all_of(ranks, numbers);
  std::vector<Kind> kinds;
  for (auto at = all.begin(); at != all.end();) {
    Kind& kind = kinds.emplace_back(
        Kind{static_cast<Stretch>(at[0]), at[1] != 0, at[2] != 0, at[3] != 0, std::vector<Pole::Model>(index(at[4]))});
    at += 5;
    for (Pole::Model& model : kind.poles) model = static_cast<Pole::Model>(*at++);
  }
  return kinds;
}

/// The numbers of one element for the term of its kind.
void append_element(ElementTerm& term, const Kind& kind, std::int32_t k, const std::vector<Eigen::Matrix3d>& stretches,
                    double largest, double alpha, const DispersiveMedium* medium) {
  std::vector<double> own;
  if (kind.varies) {
    for (const Eigen::Matrix3d& G : stretches) {
      const std::vector<double> numbers = numbers_of(kind, G, largest);
      for (std::size_t i = 0; i < numbers.size(); ++i) term.profiles[i].push_back(numbers[i]);
    }
  } else {
    own = numbers_of(kind, stretches.front(), largest);
  }
  if (kind.is_shifted) own.push_back(alpha);
  for (std::size_t p = 0; p < kind.poles.size(); ++p) {
    const Pole& pole = medium->poles[p];
    own.insert(own.end(), {pole.strength, pole.rate, pole.frequency});
  }
  term.elements.push_back(k);
  for (std::size_t i = 0; i < own.size(); ++i) term.parameters.at(i).push_back(own[i]);
}

/// [element] its medium with poles, or null.
std::map<std::int32_t, const DispersiveMedium*> medium_in(const std::vector<DispersiveMedium>& media) {
  std::map<std::int32_t, const DispersiveMedium*> found;
  for (const DispersiveMedium& medium : media) {
    for (const std::int32_t k : medium.elements) found[k] = &medium;
  }
  return found;
}

}  // namespace

std::vector<ElementTerm> pml_terms(const Problem& problem, const Discretization& discretization,
                                   const std::vector<std::int32_t>& elements, double alpha, const PmlMotion& motion,
                                   const std::vector<DispersiveMedium>& media, const core::Communicator& ranks) {
  const System& system = problem.system;
  const auto medium = medium_in(media);
  const auto medium_at = [&](std::int32_t k) {
    const auto found = medium.find(k);
    return found == medium.end() ? nullptr : found->second;
  };
  std::vector<std::vector<Eigen::Matrix3d>> stretches;  // [element of the PML]
  double largest = 0;
  for (const std::int32_t k : elements) {
    for (const Eigen::Matrix3d& G : stretches.emplace_back(stretches_in(discretization, k, motion))) {
      largest = std::max(largest, G.norm());
    }
  }
  ranks.max({&largest, 1});
  std::map<Kind, std::vector<std::size_t>> of_kind;  // indices into `elements`
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const std::int32_t k = elements[i];
    const auto stretch = stretch_of(stretches[i], largest);
    if (!stretch) continue;
    const DispersiveMedium* const of_element = medium_at(k);
    Kind kind{.stretch = *stretch,
              .varies = discretization.mesh.curved.is_curved(index(k)),
              .is_shifted = alpha != 0,
              .is_lossy = problem.parameters[index(sigma_of(system).index)][index(k)] != 0,
              .poles = {}};
    for (std::size_t p = 0; of_element != nullptr && p < of_element->poles.size(); ++p) {
      kind.poles.push_back(of_element->poles[p].model);
    }
    of_kind[kind].push_back(i);
  }
  std::vector<Kind> mine;
  for (const auto& [kind, places] : of_kind) mine.push_back(kind);
  for (const Kind& kind : kinds_of_all(mine, ranks)) (void)of_kind[kind];
  std::vector<ElementTerm> terms;
  for (const auto& [kind, places] : of_kind) {
    ElementTerm& term = terms.emplace_back(term_of(system, kind));
    for (const std::size_t i : places) {
      append_element(term, kind, elements[i], stretches[i], largest, alpha, medium_at(elements[i]));
    }
  }
  return terms;
}

}  // namespace maxwell_dg::dg::maxwell
