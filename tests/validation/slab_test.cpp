#include <cmath>
#include <complex>
#include <functional>
#include <map>

#include <gtest/gtest.h>

#include "dg/maxwell/dispersion.hpp"
#include "dg/maxwell/sheet.hpp"
#include "tests/validation/duct.hpp"

/// A slab or a thin sheet across a duct, against what Fresnel's coefficients and the interference of the two faces give
/// for a plane wave at any angle (Born & Wolf 1999, section 1.6.4, with time dependence e^{+i w t}).
namespace maxwell_dg::dg {
namespace {

using Complex = std::complex<double>;
constexpr double thickness = 0.5;

struct Medium {
  double epsilon_r = 1, sigma = 0;
  std::vector<maxwell::Pole> poles{};

  [[nodiscard]] Complex epsilon(double w) const {
    const Complex i(0, 1);
    Complex sum = epsilon_r - i * sigma / w;
    for (const maxwell::Pole& p : poles) {
      switch (p.model) {
        case maxwell::Pole::Model::debye: sum += p.strength / (1.0 + i * w / p.rate); break;
        case maxwell::Pole::Model::drude: sum -= p.strength * p.strength / (w * w - i * w * p.rate); break;
        case maxwell::Pole::Model::lorentz:
          sum += p.strength * p.frequency * p.frequency / (p.frequency * p.frequency - w * w + i * w * p.rate);
          break;
      }
    }
    return sum;
  }
};

struct Coefficients {
  Complex reflected, transmitted;
};

/// Of the field across the plane of incidence.
Coefficients exact(const Medium& medium, Duct::Mode mode, double w, double k_x) {
  const Complex epsilon = medium.epsilon(w), i(0, 1);
  const double outside = std::sqrt(w * w - k_x * k_x);
  Complex inside = std::sqrt(w * w * epsilon - k_x * k_x);
  if (inside.imag() > 0) inside = -inside;
  const bool has_E_across = mode == Duct::Mode::te || mode == Duct::Mode::bloch;
  const Complex a = has_E_across ? Complex(outside) : epsilon * outside;
  const Complex face = (a - inside) / (a + inside), phase = std::exp(-i * inside * thickness);
  const Complex rest = 1.0 - face * face * phase * phase;
  return {face * (1.0 - phase * phase) / rest, (1.0 - face * face) * phase / rest};
}

/// Of a sheet of conductance Y_s: continuous tangential E, and J_s = Y_s E, between two halves of vacuum.
Coefficients exact_sheet(double Y_s, Duct::Mode mode, double w, double k_x) {
  const double cosine = std::sqrt(1 - k_x * k_x / (w * w));
  const bool has_E_across = mode == Duct::Mode::te || mode == Duct::Mode::bloch;
  const double Y = has_E_across ? cosine : 1 / cosine;  // tangential H over tangential E of the wave
  const double reflected = -Y_s / (2 * Y + Y_s);
  return {has_E_across ? reflected : -reflected, 1 + reflected};
}

struct Obstacle {
  double front{}, thickness{};
  TestRun::Materials materials{};
  std::function<void(const Discretization&, Problem&)> extend{};
  std::function<Coefficients(double w, double k_x)> exact;
};

/// Where obstacles begin.
double front(Duct::Mode mode) {
  return mode == Duct::Mode::tem ? 3.0 : 5.25;
}

void expect_exact(const std::string& name, const Obstacle& obstacle, Duct::Options options, double bound) {
  SCOPED_TRACE(name);
  const bool head_on = options.mode == Duct::Mode::tem;
  const std::vector<double> heights{obstacle.front - 0.2, obstacle.front + 0.8};
  const double duration = head_on ? 13 : 24;
  options.precision = Dtype::float32;
  if (!head_on) {  // a longer pulse, so that little is near the cut-off frequency and lingers
    options.length = 8;
    options.pulse_at = 2.9;
    options.pulse_width = 0.8;
    options.wavelength = 1.15;
  }
  static std::map<Duct::Mode, Duct::Record> empty;  // the same for every medium
  if (!empty.contains(options.mode)) empty[options.mode] = Duct(options).record(heights, duration);
  const Duct::Record& without = empty[options.mode];
  options.materials = obstacle.materials;
  options.extend = obstacle.extend;
  Duct filled(options);
  const double k_x = filled.k_x();
  const Duct::Record with = filled.record(heights, duration);
  const Complex i(0, 1);
  double worst = 0;
  for (double f = 0.8; f < 1.25; f += 0.05) {
    const double w = 2 * M_PI * f, k_z = std::sqrt(w * w - k_x * k_x);
    const Coefficients expected = obstacle.exact(w, k_x);
    const Complex before = without.spectrum(0, w), after = without.spectrum(1, w);
    const Complex reflected =
        (with.spectrum(0, w) - before) / before * std::exp(2.0 * i * k_z * (obstacle.front - heights[0]));
    const Complex transmitted = with.spectrum(1, w) / after * std::exp(-i * k_z * obstacle.thickness);
    worst = std::max({worst, std::abs(reflected - expected.reflected), std::abs(transmitted - expected.transmitted)});
    EXPECT_LT(std::abs(reflected - expected.reflected), bound) << f << ": " << reflected << expected.reflected;
    EXPECT_LT(std::abs(transmitted - expected.transmitted), bound) << f << ": " << transmitted << expected.transmitted;
  }
  report_rate(name, 0, worst);
}

void expect_exact(const std::string& name, const Medium& medium, const Duct::Options& options, double bound) {
  const double from = front(options.mode);
  const auto in_slab = [from](const Point& c) { return c[2] > from && c[2] < from + thickness; };
  expect_exact(
      name,
      {.front = from,
       .thickness = thickness,
       .materials =
           [&](const Point& c) {
             return in_slab(c) ? std::vector<double>{medium.epsilon_r, 1, medium.sigma} : std::vector<double>{1, 1, 0};
           },
       .extend =
           [&](const Discretization& d, Problem& problem) {
             maxwell::DispersiveMedium slab{.poles = medium.poles, .elements = {}};
             for (std::size_t k = 0; k < d.K(); ++k) {
               if (in_slab(centroid(d.mesh, d.mesh.cells[k]))) {
                 slab.elements.push_back(static_cast<std::int32_t>(k));
               }
             }
             for (auto& term : maxwell::dispersion_terms(problem.system, {slab})) {
               problem.element_terms.push_back(term);
             }
           },
       .exact = [&](double w, double k_x) { return exact(medium, options.mode, w, k_x); }},
      options, bound);
}

void expect_exact_sheet(const std::string& name, double Y_s, const Duct::Options& options, double bound) {
  const double at = front(options.mode);
  const auto add_sheet = [=](const Discretization& d, Problem& problem) {
    std::vector<FaceTerm::Face> faces;
    for (std::int32_t k = 0; k < static_cast<std::int32_t>(d.K()); ++k) {
      for (std::int32_t face = 0; face < 4; ++face) {
        const std::int32_t other =
            d.connectivity.neighbours[static_cast<std::size_t>(k)][static_cast<std::size_t>(face)];
        const auto is_behind = [&](std::int32_t e) {
          return centroid(d.mesh, d.mesh.cells[static_cast<std::size_t>(e)])[2] > at;
        };
        if (other >= 0 && is_behind(k) != is_behind(other / 4)) faces.push_back({k, face});
      }
    }
    std::vector<double> conductances(faces.size(), Y_s);
    problem.face_terms.push_back(maxwell::sheet_term(problem.system, std::move(faces), std::move(conductances)));
  };
  expect_exact(name,
               {.front = at,
                .extend = add_sheet,
                .exact = [&](double w, double k_x) { return exact_sheet(Y_s, options.mode, w, k_x); }},
               options, bound);
}

using Model = maxwell::Pole::Model;

// In one test: they share the run without a slab.
TEST(Slab, and_sheet_of_every_medium_head_on) {
  const Duct::Options head_on{.mode = Duct::Mode::tem};
  const std::vector<std::pair<std::string, Medium>> media{
      {"dielectric", {.epsilon_r = 4}},
      {"lossy", {.epsilon_r = 2, .sigma = 3}},
      {"debye", {.epsilon_r = 2, .poles = {{Model::debye, 2.0, 5.0}}}},
      {"drude", {.poles = {{Model::drude, 5.0, 0.5}}}},
      {"lorentz", {.epsilon_r = 1.5, .poles = {{Model::lorentz, 1.0, 2.0, 9.0}}}}};
  for (const auto& [name, medium] : media) expect_exact(name, medium, head_on, 1e-3);
  expect_exact_sheet("sheet", 2.0, head_on, 1e-3);
}
TEST(Slab, and_sheet_at_an_angle_te) {
  const Duct::Options te{.mode = Duct::Mode::te};
  expect_exact("te", Medium{.epsilon_r = 2.5, .sigma = 0.5}, te, 1e-3);
  expect_exact_sheet("sheet_te", 1.5, te, 1e-3);
}
TEST(Slab, and_sheet_at_an_angle_tm) {
  const Duct::Options tm{.mode = Duct::Mode::tm};
  expect_exact("tm", Medium{.epsilon_r = 1.5, .poles = {{Model::lorentz, 0.5, 2.0, 9.0}}}, tm, 1e-3);
  expect_exact_sheet("sheet_tm", 1.5, tm, 1e-3);
}
TEST(Slab, at_an_angle_by_a_phase) {
  expect_exact("bloch", Medium{.epsilon_r = 2.5, .sigma = 0.5}, {.mode = Duct::Mode::bloch, .k_x = 2.5}, 1e-3);
}

}  // namespace
}  // namespace maxwell_dg::dg
