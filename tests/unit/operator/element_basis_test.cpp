#include "dg/lowering/element_basis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "dg/acoustics/acoustics.hpp"
#include "dg/lowering/affine_map.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/symbolic/fields.hpp"
#include "dg/variants/stage_generator.hpp"

namespace maxwell_dg::dg {
namespace {

using namespace symbolic;
using SymbolKind = Symbol::Kind;
using Lowered = LoweredSymbol::Kind;
using Variance = ElementBasis::Variance;
using Direction = std::array<double, 3>;

double product(const Direction& a, const Direction& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Direction vector_product(const Direction& a, const Direction& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Direction less(const Direction& a, const Direction& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

/// grad r, grad s and grad t.
struct Frame {
  std::array<Direction, 3> gradients{};

  [[nodiscard]] const Direction& gradient(int a) const { return gradients.at(static_cast<std::size_t>(a)); }
  /// x_a / J
  [[nodiscard]] Direction tangent(int a) const { return vector_product(gradient((a + 1) % 3), gradient((a + 2) % 3)); }
  [[nodiscard]] double J() const { return 1 / product(gradient(0), tangent(0)); }
  /// dx/dr_a
  [[nodiscard]] Direction edge(int a) const {
    const Direction t = tangent(a);
    return {J() * t[0], J() * t[1], J() * t[2]};
  }
  /// As metric_values counts them.
  [[nodiscard]] double metric(int i) const {
    return i < 9 ? gradient(i / 3).at(static_cast<std::size_t>(i % 3))
                 : tangent(i / 3 - 3).at(static_cast<std::size_t>(i % 3));
  }
};

Symbol field_symbol(int index, Side side = Side::inside) {
  return {.kind = SymbolKind::field, .index = index, .side = side};
}

double value_of(const Expr& e, const Program::Lookup& lookup) {
  const Program program({e});
  std::vector<double> work(program.size()), result(1);
  program.run(lookup, work, result);
  return result[0];
}

/// A node of an element and one of its faces, with numbers at random: fields of both sides, their derivatives along r,
/// s and t, and constants.
class RandomNode {
 public:
  RandomNode(const LoweredSystem& lowered, unsigned seed, int face)
      : lowered_(lowered), random_(seed), face_(frame_of_face(face)) {
    for (Direction& g : element_.gradients) g = {value_(random_), value_(random_), value_(random_)};
    if ((element_.J() > 0) != (seed % 2 == 0)) std::swap(element_.gradients[0], element_.gradients[1]);
    in_face_.gradients = {element_.gradient(face_.a), element_.gradient(face_.b), element_.gradient(face_.c)};
    if (face_.c == 1) in_face_.gradients[2] = less({}, in_face_.gradients[2]);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      normal_.at(axis) = -element_.gradient(face_.c).at(axis);
      if (face_.is_slanted) {
        normal_.at(axis) =
            element_.gradients[0].at(axis) + element_.gradients[1].at(axis) + element_.gradients[2].at(axis);
      }
    }
    Fscale_ = std::sqrt(product(normal_, normal_));
    for (double& n : normal_) n /= Fscale_;
  }

  [[nodiscard]] const Frame& element() const { return element_; }
  [[nodiscard]] double Fscale() const { return Fscale_; }
  /// What a kernel makes of the edges of the face.
  [[nodiscard]] double edges(int i) const {
    Direction tau_1 = element_.edge(face_.a), tau_2 = element_.edge(face_.b);
    if (face_.is_slanted) {
      tau_1 = less(tau_1, element_.edge(face_.c));
      tau_2 = less(tau_2, element_.edge(face_.c));
    }
    if (i == 3) return product(normal_, in_face_.gradient(2)) > 0 || face_.is_slanted ? 1 : -1;
    return product(i == 2 ? tau_2 : tau_1, i == 0 ? tau_1 : tau_2) / element_.J();
  }

  /// Of the system along x, y and z.
  double operator()(const Symbol& s) {
    if (s.kind == SymbolKind::normal) return normal_.at(static_cast<std::size_t>(s.axis));
    return values_.try_emplace(s, value_(random_)).first->second;
  }
  double operator()(const LoweredSymbol& s) {
    switch (s.kind) {
      case Lowered::metric: return element_.metric(s.number);
      case Lowered::face_scale: return Fscale_;
      case Lowered::element_constant: return constant(s);
      default: return values_.try_emplace(s, value_(random_)).first->second;
    }
  }
  Program::Lookup lookup() { return {.symbol = std::ref(*this), .lowered = std::ref(*this)}; }
  /// Of a face invariant.
  Program::Lookup lookup_in_face() {
    return {.symbol = std::ref(*this), .lowered = [this](const LoweredSymbol& s) {
              return s.kind == Lowered::metric ? in_face_.metric(s.number) : (*this)(s);
            }};
  }

  /// A trace of which the flux is a function, by what its name says.
  double trace(const ElementBasis& basis, const Symbol& s) {
    const auto after = std::ranges::find_if(basis.quantities, [&](const auto& q) { return q.first > s.index; });
    const auto [variance, first] = *std::prev(after);
    if (variance == Variance::scalar) return (*this)(s);
    Direction v{};
    for (int axis = 0; axis < 3; ++axis) {
      v.at(static_cast<std::size_t>(axis)) = (*this)(field_symbol(first + axis, s.side));
    }
    if (variance == Variance::contravariant) {  // each side's own normal
      return (s.side == Side::inside ? 1 : -1) * std::abs(element_.J()) * Fscale_ * product(normal_, v);
    }
    const Direction edge = element_.edge(s.index == first ? face_.a : face_.b);
    return product(face_.is_slanted ? less(edge, element_.edge(face_.c)) : edge, v);
  }

 private:
  /// Of parameters at random: constants depend on each other.
  double constant(const LoweredSymbol& s) {
    const auto of_parameter = [&](Symbol parameter) {
      parameter.side = s.side;
      return parameters_.try_emplace(parameter, 1.5 + value_(random_)).first->second;
    };
    return value_of(lowered_.constants.at(static_cast<std::size_t>(s.number)), {.symbol = of_parameter});
  }

  const LoweredSystem& lowered_;
  std::map<Symbol, double> parameters_;
  std::mt19937 random_;
  std::uniform_real_distribution<double> value_{-1.0, 1.0};
  FaceFrame face_;
  Frame element_, in_face_;
  Direction normal_{};
  double Fscale_{};
  std::map<AnySymbol, double> values_;
};

/// Maxwell, acoustics beside it, and nothing that couples them.
System both_systems() {
  System both = maxwell::system({.alpha = 0.7});
  const System second = acoustics::system({.alpha = 0.7});
  const int fields = both.field_count(), parameters = static_cast<int>(both.parameters.size());
  const auto moved = [&](const Expr& e) {
    return substitute(e, [&](Symbol s) {
      if (s.kind == SymbolKind::parameter) {
        s.index += parameters;
      } else if (s.kind != SymbolKind::normal) {
        s.index += fields;
      }
      return Expr(s);
    });
  };
  both.fields.insert(both.fields.end(), second.fields.begin(), second.fields.end());
  both.parameters.insert(both.parameters.end(), second.parameters.begin(), second.parameters.end());
  for (const Expr& e : second.volume) both.volume.push_back(moved(e));
  for (const Expr& e : second.flux) both.flux.push_back(moved(e));
  both.boundaries.clear();
  return both;
}

std::vector<System> systems_with_a_basis() {
  return {maxwell::system(), maxwell::system({.alpha = 0}), acoustics::system({.alpha = 0.7}), both_systems()};
}

TEST(ElementBasis, what_is_stored_and_components_along_x_y_and_z_are_each_others_inverses) {
  for (const System& system : systems_with_a_basis()) {
    const LoweredSystem lowered = lower(system);
    const ElementBasis basis = element_basis(lowered).value();
    for (unsigned seed = 0; seed < 6; ++seed) {
      RandomNode node(lowered, seed, 0);
      const auto back_from = [&](const std::vector<Expr>& there, const std::vector<Expr>& back, std::size_t f) {
        const auto by_field = [&](const Symbol& s) {
          return value_of(there[static_cast<std::size_t>(s.index)], node.lookup());
        };
        return value_of(back[f], {.symbol = by_field, .lowered = std::ref(node)});
      };
      for (std::size_t f = 0; f < system.fields.size(); ++f) {
        const double q = node(field_symbol(static_cast<int>(f)));
        EXPECT_NEAR(back_from(basis.stored, basis.cartesian, f), q, 1e-10) << system.fields[f];
        EXPECT_NEAR(back_from(basis.cartesian, basis.stored, f), q, 1e-10) << system.fields[f];
      }
    }
  }
}

class MakingOnFaces : public ::testing::TestWithParam<ComputedOnFaces> {};
INSTANTIATE_TEST_SUITE_P(ElementBasis, MakingOnFaces,
                         ::testing::Values(ComputedOnFaces{}, ComputedOnFaces{.edges = true},
                                           ComputedOnFaces{.edges = true, .complements = true}),
                         [](const auto& test) {
                           return test.param.complements ? "edges_and_complements"
                                  : test.param.edges     ? "edges"
                                                         : "nothing";
                         });

TEST_P(MakingOnFaces, leaves_equations_and_fluxes_that_say_the_same_as_those_along_x_y_and_z) {
  for (const System& system : systems_with_a_basis()) {
    const LoweredSystem lowered = lower(system);
    const ElementBasis basis = element_basis(lowered).value();
    const ContractedSystem contracted = contract(lowered, basis, GetParam());
    const Lifting lifting = lifting_in(basis, contracted);
    for (unsigned seed = 0; seed < 8; ++seed) {
      const int face = static_cast<int>(seed / 2);
      RandomNode node(lowered, seed, face);
      const auto stored = [&](int f, const std::function<double(int)>& along_axes) {
        return value_of(basis.stored[static_cast<std::size_t>(f)],
                        {.symbol = [&](const Symbol& s) { return along_axes(s.index); }, .lowered = std::ref(node)});
      };
      const Program::Lookup of_flux{.symbol = [&](const Symbol& s) { return node.trace(basis, s); },
                                    .lowered =
                                        [&](const LoweredSymbol& s) {
                                          if (s.kind == Lowered::edges) return node.edges(s.number);
                                          return value_of(
                                              contracted.face_invariants.at(static_cast<std::size_t>(s.number)),
                                              node.lookup_in_face());
                                        }};
      std::vector<double> sums;  // a number each for what volume and lift put together
      for (std::size_t f = 0; f < system.fields.size(); ++f) {
        const auto of_contraction = [&](const LoweredSymbol& s) {
          double contraction = 0;
          for (const auto& [axis, operand, negative] :
               contracted.contractions.at(static_cast<std::size_t>(s.number)).terms) {
            const Expr& differentiated = contracted.operands.at(static_cast<std::size_t>(operand));
            const auto derivative_of = [&, axis = axis](const Symbol& of) {
              return stored(of.index, [&](int field) {
                return node(LoweredSymbol{.kind = Lowered::reference_derivative, .field = field, .axis = axis});
              });
            };
            const double derivative = value_of(differentiated, {.symbol = derivative_of});
            contraction += negative ? -derivative : derivative;
          }
          return contraction;
        };
        double sum = value_of(contracted.volume[f], {.lowered = of_contraction});
        for (const Lifting::Term& term : lifting.sums[f]) {
          if (term.face != face) continue;
          const auto& values = lifting.values.at(static_cast<std::size_t>(face));
          const double value = value_of(values[static_cast<std::size_t>(term.value)], of_flux);
          sum += term.negative ? -value : value;
        }
        sums.push_back(sum);
      }
      for (int f = 0; f < system.field_count(); ++f) {
        const auto along_axes = [&](int field) { return node(field_symbol(field)); };
        const Program::Lookup of_equation{.symbol = [&](const Symbol& s) { return stored(s.index, along_axes); },
                                          .lowered =
                                              [&](const LoweredSymbol& s) {
                                                const auto i = static_cast<std::size_t>(s.number);
                                                return s.kind == Lowered::contraction
                                                           ? sums[i]
                                                           : value_of(contracted.element_invariants[i], node.lookup());
                                              }};
        const double found = value_of(contracted.equations[static_cast<std::size_t>(f)], of_equation);
        const double expected = stored(f, [&](int field) {
          const auto i = static_cast<std::size_t>(field);
          return value_of(lowered.volume[i], node.lookup()) + node.Fscale() * value_of(lowered.flux[i], node.lookup());
        });
        EXPECT_NEAR(found, expected, 1e-9 * (1 + std::abs(expected)))
            << system.name << ", field " << f << ", face " << face << ", seed " << seed;
      }
    }
  }
}

/// Of an element and of a face.
std::pair<std::size_t, std::size_t> invariants_of(const System& system, const ComputedOnFaces& made = {}) {
  const LoweredSystem lowered = lower(system);
  const ContractedSystem contracted = contract(lowered, element_basis(lowered).value(), made);
  return {contracted.element_invariants.size(), contracted.face_invariants.size()};
}

TEST(ElementBasis, has_few_numbers_of_an_element_and_of_a_face) {
  using Counts = std::pair<std::size_t, std::size_t>;
  // g_ab / J six, 1 / epsilon, 1 / mu and sigma / epsilon; of a face, for E and H each the share of the other's jump,
  // and three of the own one, whose matrix is symmetric: they are not there in central fluxes.
  EXPECT_EQ(invariants_of(maxwell::system()), Counts(9, 8));
  EXPECT_EQ(invariants_of(maxwell::system({.alpha = 0.3})), Counts(9, 8));
  EXPECT_EQ(invariants_of(maxwell::system({.alpha = 0})), Counts(9, 2));
  // |J| g^ab six, 1 / rho and rho c^2 / |J|; of a face, for p and u each the share of either jump.
  EXPECT_EQ(invariants_of(acoustics::system()), Counts(8, 4));
  EXPECT_EQ(invariants_of(acoustics::system({.alpha = 0})), Counts(8, 2));
}

TEST(ElementBasis, has_fewer_where_a_kernel_makes_some_of_them_itself) {
  using Counts = std::pair<std::size_t, std::size_t>;
  const ComputedOnFaces edges{.edges = true}, all{.edges = true, .complements = true};
  // The matrix is a number times products of edges, and the shares of E and H are one together.
  EXPECT_EQ(invariants_of(maxwell::system(), edges), Counts(9, 4));
  EXPECT_EQ(invariants_of(maxwell::system(), all), Counts(9, 3));
  EXPECT_EQ(invariants_of(maxwell::system({.alpha = 0}), all), Counts(9, 1));
  EXPECT_EQ(invariants_of(acoustics::system(), edges), Counts(8, 4));
  EXPECT_EQ(invariants_of(acoustics::system(), all), Counts(8, 3));
}

TEST(ElementBasis, products_of_tangents_are_its_first_invariants_with_covariant_vectors) {
  const LoweredSystem lowered = lower(maxwell::system());
  const ContractedSystem contracted = contract(lowered, element_basis(lowered).value(), {});
  RandomNode node(lowered, 3, 0);
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      const Expr& invariant = contracted.element_invariants.at(static_cast<std::size_t>(product_of_tangents(a, b)));
      const double expected = product(node.element().edge(a), node.element().edge(b)) / node.element().J();
      EXPECT_NEAR(value_of(invariant, node.lookup()), expected, 1e-12 * std::abs(expected)) << a << ", " << b;
    }
  }
}

TEST(ElementBasis, says_which_vectors_are_kept_how) {
  const auto variances = [](const System& system) {
    const ElementBasis basis = element_basis(lower(system)).value();
    std::vector<std::pair<Variance, int>> found;
    for (const auto& [variance, first] : basis.quantities) found.emplace_back(variance, first);
    return found;
  };
  using Found = std::vector<std::pair<Variance, int>>;
  EXPECT_EQ(variances(maxwell::system()), (Found{{Variance::covariant, 0}, {Variance::covariant, 3}}));
  EXPECT_EQ(variances(acoustics::system()), (Found{{Variance::scalar, 0}, {Variance::contravariant, 1}}));
}

/// Maxwell, and a scalar that is carried along x.
System with_advection() {
  System system = maxwell::system();
  system.name = "carried";
  const ScalarField T = add_scalar(system, "T");
  const Expr n_x = normal()[0];
  set(system.volume, T, -T.derivative(0));
  set(system.flux, T, 0.5 * (n_x - abs(n_x)) * jump(T));
  for (System::Boundary& boundary : system.boundaries) set(boundary.outside, T, inside(T));
  for (System::Energy& energy : system.energies) energy.weights.emplace_back(0.0);
  return system;
}

/// Maxwell whose E has a part across the face in its flux: what is stored of a face says nothing of that.
System with_a_flux_across_faces() {
  System system = maxwell::system();
  const Vector n = normal();
  for (int axis = 0; axis < 3; ++axis) {
    Expr& flux = system.flux[static_cast<std::size_t>(axis)];
    flux = flux + dot(n, jump(maxwell::E)) * n[axis];
  }
  return system;
}

/// Maxwell with conductivities that differ by axis.
System with_losses_by_axis() {
  System system = maxwell::system();
  system.volume[2] = system.volume[2] - inside(maxwell::E[2]);
  return system;
}

/// Maxwell, and a sound that E_x drives: the gradient of one component is not that of anything stored.
System with_a_gradient_of_a_component() {
  System system = maxwell::system();
  system.name = "driven";
  const ScalarField p = add_scalar(system, "p");
  const VectorField u = add_vector(system, "u");
  const Vector n = normal();
  set(system.volume, p, -divergence(u));
  set(system.volume, u, -gradient(maxwell::E[0]));
  set(system.flux, p, 0.5 * dot(n, jump(u)));
  set(system.flux, u, (0.5 * jump(p)) * n);
  for (System::Boundary& boundary : system.boundaries) {
    set(boundary.outside, p, inside(p));
    set(boundary.outside, u, inside(u));
  }
  return system;
}

TEST(ElementBasis, is_none_for_systems_of_another_form) {
  for (const System& system : {maxwell::system({.anisotropic = true}), with_advection(), with_a_flux_across_faces(),
                               with_losses_by_axis(), with_a_gradient_of_a_component()}) {
    EXPECT_FALSE(element_basis(lower(system))) << system.name;
  }
}

TEST(ElementBasis, of_a_system_that_has_none_is_refused) {
  const auto message_of = [](const System& system, const std::string& schedule) -> std::string {
    try {
      (void)make_stage_generator(lower(system), {system.name, 1, Dtype::float32, Schedule::named(schedule)});
      return "no message";
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
  };
  for (const std::string schedule :
       {"tiles_e16_w2_r1_basis", "tensor_e16_w2_r5_apart_faces_basis", "elements_e32_r1_basis"}) {
    const std::string text =
        "schedule " + schedule + ": this system's state cannot be kept in the basis of the element";
    EXPECT_EQ(message_of(maxwell::system({.anisotropic = true}), schedule), text);
    EXPECT_EQ(message_of(with_advection(), schedule), text);
    EXPECT_EQ(message_of(maxwell::system(), schedule), "no message");
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
