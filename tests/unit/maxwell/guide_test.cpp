#include "dg/maxwell/guide.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dg/maxwell/current.hpp"
#include "dg/maxwell/maxwell.hpp"

namespace maxwell_dg::dg::maxwell {
namespace {

/// A guide of 2 x 1 along z between conducting walls, whose end is at z = 0.
class Guide : public ::testing::Test {
 protected:
  Guide() {
    for (const System::Parameter& parameter : problem_.system.parameters) {
      problem_.parameters.emplace_back(d_.K(), parameter.default_value);
    }
    for (const Connectivity::BoundaryFace& face : d_.connectivity.boundary_faces) {
      problem_.boundary.push_back(problem_.system.find_boundary("pec"));
      if (d_.mesh.surfaces[index(face.surface)] == "z_min") end_.push_back({index(face.cell), face.face});
    }
  }
  [[nodiscard]] std::string refusal_of_filling() const {
    try {
      (void)filling_of(problem_, end_);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  }
  [[nodiscard]] std::string refusal_of_rim(const std::vector<ElementFace>& faces) const {
    try {
      require_conducting_rim(d_, problem_, faces);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  }
  double& parameter(const std::string& name, const ElementFace& face) {
    std::size_t p = 0;
    while (problem_.system.parameters.at(p).name != name) ++p;
    return problem_.parameters[p][face.element];
  }

  const Discretization d_{make_box({.min = {0, 0, 0}, .max = {2, 1, 2}, .cells = {2, 1, 2}}), 1};
  Problem problem_{.system = system()};
  std::vector<ElementFace> end_;
};

TEST_F(Guide, filling_is_the_medium_at_the_port) {
  for (const ElementFace& face : end_) parameter("epsilon_r", face) = 2.5;
  const HomogeneousMedium filling = filling_of(problem_, end_);
  EXPECT_EQ(filling.epsilon_r, 2.5);
  EXPECT_EQ(filling.mu_r, 1);
}

TEST_F(Guide, filling_that_varies_loses_energy_or_has_a_term_is_refused) {
  double& one = parameter("epsilon_r", end_.front());
  one = 2;
  EXPECT_EQ(
      refusal_of_filling(),
      "lies in more than one medium (epsilon_r 2, mu_r 1; vacuum), and the mode of a guide's end needs a single "
      "one; feed a microstrip, or another line between media, by a port of type lumped across the gap between its "
      "conductors");
  one = 1;
  parameter("sigma", end_.back()) = 0.1;
  EXPECT_EQ(refusal_of_filling(), "lies in a medium with losses; its guide must have none");
  problem_.element_terms.push_back(
      current_term(problem_.system, {static_cast<std::int32_t>(end_.front().element)}, {1.0, 0.0, 0.0}));
  EXPECT_EQ(refusal_of_filling(),
            "touches elements with current; a port needs a piece of empty or uniformly filled guide behind it");
}

TEST_F(Guide, rim_has_conducting_walls_on_all_sides) {
  const std::string remedy = ": the guide behind a port must have conducting walls (pec)";
  EXPECT_EQ(refusal_of_rim(end_), "");
  std::set<std::string> refusals;  // of faces of an element, some of which have the diagonal of the cube that it is in
  for (int face = 0; face < 4; ++face) refusals.insert(refusal_of_rim({{0, face}}));
  EXPECT_TRUE(refusals.contains("does not end at walls of the mesh on all sides" + remedy));
  for (std::size_t b = 0; b < problem_.boundary.size(); ++b) {
    if (d_.mesh.surfaces[index(d_.connectivity.boundary_faces[b].surface)] != "x_max") continue;
    problem_.boundary[b] = problem_.system.find_boundary("pmc");
  }
  EXPECT_EQ(refusal_of_rim(end_), "meets 'x_max', of type pmc" + remedy);
}

TEST_F(Guide, matched_port_reflects_as_much_at_both_ends_of_the_band) {
  const PortMode mode = rectangular_mode(d_, end_, {}, ModeKind::te, 1, 0);
  const double from = 1.2 * mode.cutoff_frequency(), to = 1.9 * mode.cutoff_frequency();
  const double Z = matched_impedance(mode, from, to);
  const auto reflection = [&](double f) { return std::abs(mode.impedance(f) - Z) / (mode.impedance(f) + Z); };
  EXPECT_NEAR(reflection(from), reflection(to), 1e-12);
  EXPECT_GT(reflection(from), 0.01);
}

TEST_F(Guide, tm_modes_of_a_rectangle_have_half_waves_along_both_sides) {
  const PortMode mode = rectangular_mode(d_, end_, {.epsilon_r = 4}, ModeKind::tm, 1, 1);
  const double k_c = std::numbers::pi * std::hypot(1 / 2.0, 1.0);
  EXPECT_NEAR(mode.cutoff_wavenumber, k_c, 1e-12);
  const double f = 1.2 * mode.cutoff_frequency(), k = 2 * std::numbers::pi * f * 2;
  EXPECT_NEAR(mode.impedance(f), std::sqrt(k * k - k_c * k_c) / k / 2, 1e-12);  // k_z / (omega epsilon)
  EXPECT_THROW((void)rectangular_mode(d_, end_, {}, ModeKind::tm, 1, 0), std::domain_error);
  EXPECT_THROW((void)rectangular_mode(d_, end_, {}, ModeKind::te, 0, 0), std::domain_error);
}

TEST_F(Guide, ports_that_share_faces_make_a_term_each_where_they_are_driven) {
  const auto port = [&](int m, int n, int rank, std::optional<double> driven_from) {
    return Port{.mode = rectangular_mode(d_, end_, {}, ModeKind::te, m, n),
                .impedance = 1.5,
                .driven_from = driven_from,
                .rank = rank};
  };
  const auto terms = port_terms(problem_.system, {port(1, 0, 0, 0.0), port(0, 1, 1, 2.0), port(2, 0, 2, {})}, 1.0);
  ASSERT_EQ(terms.size(), 2U);
  const double reflected = 0, of_first = (1.5 - 1) / (1.5 + 1);
  EXPECT_NEAR(terms[0].parameters[1].at(0), of_first, 1e-12);
  EXPECT_NEAR(terms[1].parameters[1].at(0), reflected, 1e-12);  // the surface reflects once
  EXPECT_NEAR(terms[1].parameters[3].at(0), 2, 1e-12);
}

}  // namespace
}  // namespace maxwell_dg::dg::maxwell
