#include "tests/support/bloch_problem.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "dg/lowering/phase_terms.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/mesh/periodic.hpp"
#include "tests/support/random_problem.hpp"

namespace maxwell_dg::dg::testing {

Mesh periodic_box() {
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {3, 3, 3}});
  const std::vector<PeriodicPair> pairs{{"x_min", "x_max", "here"}, {"y_min", "y_max", "here"}};
  join_periodic(mesh, pairs);
  return mesh;
}

Problem problem_with_phases(const Discretization& d) {
  Problem problem = random_problem(maxwell::system({.alpha = 0.7}), d);
  std::vector<PhasedFace> faces;
  for (std::size_t k = 0; k < d.complex_view.places(); ++k) {
    for (int face = 0; face < 4; ++face) {
      const std::int32_t n = d.connectivity.neighbours[k].at(index(face));
      if (n < 0) continue;
      const Point there = d.node(index(n / 4), d.reference.Fmask(0, n % 4));
      const double x = there[0] - d.node(k, d.reference.Fmask(0, face))[0];
      if (std::abs(x) > 0.5) faces.push_back({{static_cast<std::int32_t>(k), face}, x > 0 ? 0.7 : -0.7});
    }
  }
  EXPECT_EQ(faces.size(), 36U) << "two triangles on each of nine squares at each end";
  for (FaceTerm& term : phase_terms(d, problem.system, faces)) problem.face_terms.push_back(std::move(term));
  return problem;
}

}  // namespace maxwell_dg::dg::testing
