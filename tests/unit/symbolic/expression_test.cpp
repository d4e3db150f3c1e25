#include <cmath>
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

#include "dg/lowering/lowering.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/plane_wave.hpp"
#include "dg/symbolic/code_printer.hpp"
#include "dg/symbolic/fields.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg::symbolic {
namespace {

const Expr x = coordinate(0), y = coordinate(1), z = coordinate(2);

TEST(Expression, constants_fold_and_neutral_elements_vanish) {
  EXPECT_TRUE((Expr(2) * 3 + 4).is_constant(10));
  EXPECT_EQ(to_string(x * 1 + 0), to_string(x));
  EXPECT_TRUE((x * 0).is_constant(0));
  EXPECT_TRUE((x - x).is_constant(0));
  EXPECT_EQ(to_string(-(-x)), to_string(x));
  EXPECT_TRUE(sin(Expr(0)).is_constant(0));
}

TEST(Expression, a_division_by_an_unknown_is_kept_even_of_zero) {
  EXPECT_TRUE(std::isnan(evaluate(Expr(0) / (x - 1), {1, 0, 0}, 0)));
}

TEST(Expression, evaluates_every_function) {
  const std::array<double, 3> p{0.3, -0.6, 2.0};
  EXPECT_DOUBLE_EQ(evaluate(sin(x) + cos(y) * exp(z), p, 0), std::sin(0.3) + std::cos(-0.6) * std::exp(2.0));
  EXPECT_DOUBLE_EQ(evaluate(atan2(y, x) - pow(z, 1.5), p, 0), std::atan2(-0.6, 0.3) - std::pow(2.0, 1.5));
  EXPECT_DOUBLE_EQ(evaluate(min(x, y) + 10 * max(x, y) + abs(y), p, 0), -0.6 + 3.0 + 0.6);
  EXPECT_DOUBLE_EQ(evaluate(time() * z, p, 7), 14);
  for (const Function& f : functions()) {
    if (f.arity == 1) {
      EXPECT_DOUBLE_EQ(evaluate(apply(f.op, x), p, 0), apply_to_numbers(f.op, 0.3, 0)) << f.name;
    }
  }
}

TEST(Expression, fields_have_no_value_outside_an_operator) {
  EXPECT_THROW((void)evaluate(inside(ScalarField{0}), {0, 0, 0}, 0), std::logic_error);
}

TEST(Program, a_subexpression_that_two_outputs_share_is_computed_once) {
  const Expr a = sin(x * y) + z, b = z + sin(y * x);  // the same, written twice
  const Program program({a, b * 2});
  int sines = 0;
  for (const auto& instruction : program.instructions()) sines += instruction.op == Op::sin;
  EXPECT_EQ(sines, 1);
  EXPECT_EQ(program.outputs().size(), 2U);
}

TEST(CodePrinter, names_what_is_shared_and_inlines_the_rest) {
  const Expr shared = x + y;
  const Program program({shared * shared, z * 0.5});
  const PrintedCode code = print(program, {.dtype = Dtype::float32, .type = "real", .name_of = [](const AnySymbol& s) {
                                             return std::string(1, "xyz"[std::get<Symbol>(s).axis]);
                                           }});
  ASSERT_EQ(code.lines.size(), 1U);
  EXPECT_EQ(code.lines[0], "const real v0 = (x + y);");
  EXPECT_EQ(code.results[0], "(v0 * v0)");
  EXPECT_EQ(code.results[1], "(z * 0.5f)");
}

TEST(CodePrinter, every_kind_of_symbol_has_a_text_of_its_own) {
  std::set<std::string> texts;
  constexpr int kinds = static_cast<int>(Symbol::Kind::profile) + 1;
  constexpr int lowered = static_cast<int>(LoweredSymbol::Kind::edges) + 1;
  for (int kind = 0; kind < kinds; ++kind) {
    texts.insert(to_string(Expr(Symbol{.kind = static_cast<Symbol::Kind>(kind), .index = 1, .axis = 2})));
  }
  for (int kind = 0; kind < lowered; ++kind) {
    texts.insert(
        to_string(Expr(LoweredSymbol{.kind = static_cast<LoweredSymbol::Kind>(kind), .number = 1, .field = 1})));
  }
  EXPECT_EQ(texts.size(), static_cast<std::size_t>(kinds + lowered));
}

TEST(CodePrinter, numbers_given_to_functions_of_vectors_are_cast) {
  const Program program({max(x, 0.5)});
  const PrintedCode code =
      print(program, {.dtype = Dtype::float64, .type = "value", .vectors = true, .name_of = [](const AnySymbol&) {
                        return std::string("x");
                      }});
  EXPECT_EQ(code.results[0], "fmax(x, (value)(0.5))");
}

TEST(Vector, products_obey_the_identities_of_vector_algebra) {
  const Vector a{x, y, z}, b{y, 2.0, x * z};
  const std::array<double, 3> p{0.7, -1.3, 0.4};
  EXPECT_NEAR(evaluate(dot(a, cross(a, b)), p, 0), 0, 1e-15);
  const Vector lagrange = cross(a, cross(a, b)) - (dot(a, b) * a - dot(a, a) * b);
  for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(evaluate(lagrange[axis], p, 0), 0, 1e-14);
}

TEST(Lowering, what_one_material_decides_is_computed_once_an_element) {
  const LoweredSystem lowered = lower(maxwell::system());
  const Program flux(lowered.flux);
  for (const auto& instruction : flux.instructions()) EXPECT_NE(instruction.op, Op::sqrt);
  const std::vector<std::vector<double>> parameters{{4.0}, {1.0}, {0.5}};  // epsilon_r, mu_r, sigma of one element
  const std::vector<double> constants = lowered.constants_of(parameters, 0);
  EXPECT_NE(std::find(constants.begin(), constants.end(), 0.5), constants.end());   // Z = sqrt(mu/epsilon)
  EXPECT_NE(std::find(constants.begin(), constants.end(), 0.25), constants.end());  // 1 / epsilon
  EXPECT_FALSE(lowered.boundaries_vary);
  EXPECT_EQ(lowered.outside_fields.size(), 6U);
}

TEST(Lowering, parameters_become_element_constants_of_either_side) {
  const LoweredSystem lowered = lower(maxwell::system());
  std::set<Side> sides;
  for (const AnySymbol& s : Program(lowered.flux).symbols()) {
    EXPECT_EQ(of_kind(s, Symbol::Kind::parameter), nullptr);
    if (const auto* constant = of_kind(s, LoweredSymbol::Kind::element_constant)) {
      EXPECT_LT(static_cast<std::size_t>(constant->number), lowered.constants.size());
      sides.insert(constant->side);
    }
  }
  EXPECT_EQ(sides.size(), 2U);
}

TEST(Lowering, equations_hold_no_symbols_of_it) {
  const Expr constant(LoweredSymbol{.kind = LoweredSymbol::Kind::element_constant});
  EXPECT_THROW((void)evaluate(constant, {0, 0, 0}, 0), std::logic_error);
  System system = maxwell::system();
  system.volume[0] = system.volume[0] + constant;
  try {
    (void)lower(system);
    FAIL() << "an equation was lowered twice";
  } catch (const std::logic_error& e) {
    EXPECT_STREQ(e.what(), "Hoister: an equation holds a symbol of the lowering");
  }
}

}  // namespace
}  // namespace maxwell_dg::dg::symbolic

namespace maxwell_dg::dg::maxwell {
namespace {

double at(const Waveform& w, double t) {
  return symbolic::evaluate(value_at(w, symbolic::time()), {0, 0, 0}, t);
}

TEST(Waveform, a_pulse_is_centred_at_five_widths_and_odd_about_it) {
  const Waveform w{.kind = Waveform::Kind::gaussian_pulse, .frequency = 2.0, .bandwidth = 1.0, .amplitude = 3.0};
  const double tau = pulse_width(1.0), t0 = 5 * tau;
  EXPECT_NEAR(at(w, t0), 0, 1e-14);
  EXPECT_NEAR(at(w, t0 + 0.1), -at(w, t0 - 0.1), 1e-13);
  EXPECT_NEAR(at(w, t0 + 0.1), 3 * std::exp(-0.005 / (tau * tau)) * std::sin(2 * M_PI * 2 * 0.1), 1e-13);
}

TEST(Waveform, the_bandwidth_is_the_full_width_at_minus_twenty_decibels) {
  const double bandwidth = 0.8, tau = pulse_width(bandwidth);
  // Fourier transform of exp(-t^2 / (2 tau^2)) at half the bandwidth, relative to its peak.
  EXPECT_NEAR(std::exp(-std::pow(2 * M_PI * (bandwidth / 2) * tau, 2) / 2), 0.1, 1e-14);
}

TEST(Waveform, a_sine_starts_smoothly_and_is_pure_after_two_periods) {
  const Waveform w{.kind = Waveform::Kind::sine, .frequency = 0.5};
  EXPECT_EQ(at(w, -1), 0);
  EXPECT_NEAR(at(w, 1e-3), 0, 1e-9);
  EXPECT_NEAR(at(w, 4.7), std::sin(M_PI * 4.7), 1e-13);
}

TEST(Waveform, a_ricker_wavelet_peaks_with_its_amplitude) {
  const Waveform w{.kind = Waveform::Kind::ricker, .frequency = 1.0, .amplitude = 2.0, .delay = 1.5};
  EXPECT_DOUBLE_EQ(at(w, 1.5), 2.0);
}

TEST(PlaneWave, travels_along_its_direction_at_the_speed_of_light) {
  const PlaneWave wave{.direction = {0, 0, 2},
                       .polarization = {0, 3, 0},
                       .waveform = {.kind = Waveform::Kind::expression, .expression = symbolic::time()}};
  const symbolic::Vector E = electric_field(wave);
  EXPECT_DOUBLE_EQ(symbolic::evaluate(E[1], {5, 6, 0.25}, 1.0), 0.75);
  EXPECT_TRUE(E[0].is_constant(0));
}

TEST(PlaneWave, refuses_a_longitudinal_polarization) {
  EXPECT_THROW((void)electric_field({.direction = {1, 0, 0}, .polarization = {1, 1, 0}}), std::invalid_argument);
  EXPECT_THROW((void)electric_field({.direction = {0, 0, 0}}), std::invalid_argument);
}

}  // namespace
}  // namespace maxwell_dg::dg::maxwell
