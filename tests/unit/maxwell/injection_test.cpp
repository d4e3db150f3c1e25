#include "dg/maxwell/injection.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dg/maxwell/dispersion.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/sheet.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg::maxwell {
namespace {

/// The cube |x| < 2 in vacuum, ends of open space all around.
class Injection : public ::testing::Test {
 protected:
  [[nodiscard]] std::vector<bool> where(const std::function<bool(const Point&)>& is_there) const {
    std::vector<bool> chosen;
    for (const auto& cell : d_.mesh.cells) chosen.push_back(is_there(centroid(d_.mesh, cell)));
    return chosen;
  }
  [[nodiscard]] Scene scene() const { return {d_, problem_, std::vector<bool>(d_.K()), nullptr, wave_.medium}; }
  [[nodiscard]] static Problem vacuum(const Discretization& d) {
    Problem problem{.system = system()};
    for (const System::Parameter& parameter : problem.system.parameters) {
      problem.parameters.emplace_back(d.K(), parameter.default_value);
    }
    problem.boundary.assign(d.connectivity.boundary_faces.size(), problem.system.find_boundary("absorbing"));
    return problem;
  }
  [[nodiscard]] const FaceTerm* face_term(const std::string& name) const {
    const auto found = std::ranges::find(problem_.face_terms, name, &FaceTerm::name);
    return found == problem_.face_terms.end() ? nullptr : &*found;
  }
  [[nodiscard]] std::size_t first_of(const std::vector<bool>& chosen) const {
    return static_cast<std::size_t>(std::ranges::find(chosen, true) - chosen.begin());
  }

  const Discretization d_{make_box({.min = {-2, -2, -2}, .max = {2, 2, 2}, .cells = {4, 4, 4}}), 1};
  Problem problem_ = vacuum(d_);
  const PlaneWave wave_{
      .direction = {0, 0, 3}, .polarization = {1, 0, 0}, .waveform = {.frequency = 1, .bandwidth = 1}};
};

bool is_inside(const Point& x) {
  return std::max({std::abs(x[0]), std::abs(x[1]), std::abs(x[2])}) < 1;
}

TEST_F(Injection, surface_of_the_total_field_is_seen_from_both_sides) {
  const std::vector<bool> total = where(is_inside);
  const TotalFieldSurface surface = total_field_surface(d_, total);
  ASSERT_EQ(surface.faces.size(), 2U * 48U);  // two triangles on each of 24 squares
  EXPECT_TRUE(std::ranges::is_sorted(surface.faces));
  for (std::size_t i = 0; i < surface.faces.size(); ++i) {
    const auto& [k, face] = surface.faces[i];
    EXPECT_EQ(surface.sign[i], total[index(k)] ? 1 : -1);
    const std::int32_t other = d_.connectivity.neighbours[index(k)].at(index(face));
    ASSERT_GE(other, 0);
    EXPECT_TRUE(std::ranges::binary_search(surface.faces, FaceTerm::Face{other / 4, other % 4}));
  }
}

TEST_F(Injection, a_wave_in_vacuum_scatters_nowhere) {
  add_scattered_field(scene(), fields(wave_), problem_);
  EXPECT_FALSE(problem_.has_terms());
  const TimesInMesh none = times_at_scatterers(scene(), wave_.direction);
  EXPECT_EQ(none.first, 0);
  EXPECT_EQ(none.last, 0);
}

TEST_F(Injection, media_that_are_no_vacuum_and_walls_radiate_the_scattered_field) {
  const std::vector<bool> medium = where([](const Point& x) { return is_inside(x) && x[2] < 0; });
  for (std::size_t k = 0; k < d_.K(); ++k) {
    if (medium[k]) problem_.parameters[0][k] = 2;
  }
  const std::size_t wall = 5;  // any boundary face
  problem_.boundary[wall] = problem_.system.find_boundary("pec");
  add_scattered_field(scene(), fields(wave_), problem_);
  ASSERT_EQ(problem_.element_terms.size(), 1U);
  EXPECT_EQ(problem_.element_terms[0].name, "scattering_medium");
  EXPECT_EQ(problem_.element_terms[0].elements.size(), static_cast<std::size_t>(std::ranges::count(medium, true)));
  ASSERT_EQ(problem_.face_terms.size(), 1U);
  ASSERT_NE(face_term("scattering_pec"), nullptr);
  const Connectivity::BoundaryFace& at = d_.connectivity.boundary_faces[wall];
  EXPECT_EQ(face_term("scattering_pec")->faces, (std::vector<FaceTerm::Face>{{at.cell, at.face}}));
}

TEST_F(Injection, what_follows_the_whole_field_is_no_vacuum_and_sees_the_wave) {
  const std::size_t k = first_of(where(is_inside));
  problem_.element_terms = dispersion_terms(
      problem_.system, {{.poles = {{Pole::Model::debye, 1, 1}}, .elements = {static_cast<std::int32_t>(k)}}});
  const std::int32_t other = d_.connectivity.neighbours[k][0];
  ASSERT_GE(other, 0);
  std::vector<FaceTerm::Face> sides{{static_cast<std::int32_t>(k), 0}, {other / 4, other % 4}};
  std::ranges::sort(sides);
  problem_.face_terms.push_back(sheet_term(problem_.system, sides, {1, 1}));
  const Scene seen = scene();
  EXPECT_FALSE(seen.in_background(k));
  EXPECT_EQ(seen.sheets(), sides);
  EXPECT_TRUE(seen.is_sheet(sides[0]));
  const auto has_time = [](const symbolic::Expr& e) {
    bool has = false;
    (void)symbolic::substitute(e, [&](const symbolic::Symbol& s) {
      has = has || s.kind == symbolic::Symbol::Kind::time;
      return symbolic::Expr(s);
    });
    return has;
  };
  EXPECT_FALSE(has_time(problem_.element_terms[0].rates[0]));
  EXPECT_FALSE(has_time(problem_.face_terms[0].flux[0]));
  add_scattered_field(seen, fields(wave_), problem_);
  EXPECT_TRUE(has_time(problem_.element_terms[0].rates[0]));
  EXPECT_TRUE(has_time(problem_.face_terms[0].flux[0]));
}

TEST_F(Injection, times_are_those_of_the_first_and_the_last_corner_that_the_wave_passes) {
  const TimesInMesh all = times_in_mesh(scene(), wave_.direction);
  EXPECT_NEAR(all.first, 2, 1e-12);
  EXPECT_NEAR(all.last, -2, 1e-12);
  const std::vector<bool> medium = where([](const Point& x) { return x[2] < -1; });
  for (std::size_t k = 0; k < d_.K(); ++k) {
    if (medium[k]) problem_.parameters[0][k] = 2;
  }
  const TimesInMesh there = times_at_scatterers(scene(), wave_.direction);
  EXPECT_NEAR(there.first, 2, 1e-12);
  EXPECT_NEAR(there.last, 1, 1e-12);
}

TEST_F(Injection, a_wall_obstructs_a_wave_unless_the_wave_runs_along_it) {
  std::size_t checked = 0;
  for (std::size_t b = 0; b < d_.connectivity.boundary_faces.size(); ++b) {
    const Connectivity::BoundaryFace& face = d_.connectivity.boundary_faces[b];
    const std::string& surface = d_.mesh.surfaces[index(face.surface)];
    EXPECT_TRUE(scene().absorbs(b));
    for (const char* condition : {"pec", "pmc"}) {
      problem_.boundary[b] = problem_.system.find_boundary(condition);
      EXPECT_FALSE(scene().absorbs(b));
      EXPECT_TRUE(scene().scatters(b));
      const char* along = condition == std::string("pec") ? "x_" : "y_";  // E is along x, H along y
      EXPECT_EQ(scene().obstructs(b, wave_), !surface.starts_with(along)) << condition << " at " << surface;
      ++checked;
    }
    problem_.boundary[b] = problem_.system.find_boundary("absorbing");
    if (checked > 40) break;
  }
}

}  // namespace
}  // namespace maxwell_dg::dg::maxwell
