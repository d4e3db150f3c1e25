#include "dg/maxwell/pml.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/pml_layer.hpp"
#include "dg/time/spectrum.hpp"
#include "tests/support/random_problem.hpp"

namespace maxwell_dg::dg::maxwell {
namespace {

/// The largest real part of an eigenvalue, over the largest modulus.
double growth(const Discretization& d, const Problem& problem) {
  double growth = -1e300, largest = 0;
  for (const std::complex<double>& value : all_eigenvalues(d, problem)) {
    growth = std::max(growth, value.real());
    largest = std::max(largest, std::abs(value));
  }
  return growth / largest;
}

/// A corner of cubes of length 1, of which the first is free and the others are a PML one element across, towards the
/// far ends. Vertices of the PML are moved at random, but stay on the outer boundary.
struct Corner {
  std::array<int, 3> cells{2, 2, 1};
  double moved = 0.2;
  bool round = false;  ///< about the z axis

  [[nodiscard]] Mesh mesh() const {
    const Point far{1.0 * cells[0], 1.0 * cells[1], 1.0 * cells[2]};
    Mesh mesh = make_box({.min = {0, 0, 0}, .max = far, .cells = cells});
    std::mt19937 random(1);
    std::uniform_real_distribution<double> shift(-moved, moved);
    for (Point& x : mesh.vertices) {
      const double largest = *std::ranges::max_element(x);
      for (std::size_t i = 0; i < 3; ++i) {
        if (largest > 1 && x.at(i) > 0 && x.at(i) < far.at(i)) x.at(i) += shift(random);
      }
      const double size = std::hypot(x[0], x[1]), by = round && size > 0 ? std::max(x[0], x[1]) / size : 1;
      for (const std::size_t i : {0U, 1U}) x.at(i) *= by;
    }
    return mesh;
  }
};

struct Case {
  Corner corner;
  int N;
  double flux, alpha;
  double sigma = 0;           ///< everywhere
  std::vector<Pole> poles{};  ///< the same
};

double growth(const Case& c) {
  const Discretization d(c.corner.mesh(), c.N);
  Problem problem = testing::plain_problem(system({.alpha = c.flux}), d);
  std::vector<std::int32_t> layer;
  for (std::size_t k = 0; k < d.K(); ++k) {
    const auto is_far = [&](std::int32_t v) {
      const Point& x = d.mesh.vertices[index(v)];
      return (c.corner.round ? std::hypot(x[0], x[1]) : *std::ranges::max_element(x)) > 1.3;
    };
    if (std::ranges::any_of(d.mesh.cells[k], is_far)) layer.push_back(static_cast<std::int32_t>(k));
  }
  const PmlLayer geometry(d, layer, 1.0, 1e-8);
  std::ranges::fill(problem.parameters[2], c.sigma);
  DispersiveMedium elsewhere{.poles = c.poles, .elements = {}};
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(d.K()); ++k) {
    if (!std::ranges::binary_search(layer, k)) elsewhere.elements.push_back(k);
  }
  problem.element_terms = pml_terms(problem, d, layer, c.alpha, geometry, {{.poles = c.poles, .elements = layer}});
  for (ElementTerm& term : dispersion_terms(problem.system, {elsewhere})) problem.element_terms.push_back(term);
  EXPECT_FALSE(problem.element_terms.empty());
  if (auto term = pml_flux_term(problem, d, layer)) problem.face_terms.push_back(std::move(*term));
  return growth(d, problem);
}

TEST(PmlTerms, let_no_mode_grow) {
  for (const double flux : {0.0, 1.0}) {
    EXPECT_LT(growth({{.cells = {2, 1, 1}}, 1, flux, 0.1}), 1e-13) << flux;
    EXPECT_LT(growth({{.cells = {2, 1, 1}}, 2, flux, 0.1}), 1e-13) << flux;
    EXPECT_LT(growth({{.cells = {2, 2, 1}}, 1, flux, 0.1}), 1e-13) << flux;
  }
  EXPECT_LT(growth({{.cells = {2, 2, 1}, .round = true}, 1, 1, 0.1}), 1e-13);
}

TEST(PmlTerms, let_no_mode_grow_in_media_that_go_on_into_them) {
  using Model = Pole::Model;
  for (const Pole& pole : {Pole{Model::debye, 2.0, 1.5}, {Model::drude, 3.0, 0.2}, {Model::lorentz, 1.5, 0.3, 2.0}}) {
    EXPECT_LT(growth({.corner = {.cells = {2, 1, 1}}, .N = 1, .flux = 1, .alpha = 0.1, .sigma = 0.3, .poles = {pole}}),
              1e-13);
  }
}

}  // namespace
}  // namespace maxwell_dg::dg::maxwell
