#include "dg/observe/far_field_pattern.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/maxwell/radiating_dipoles.hpp"

namespace maxwell_dg::dg::testing {
namespace {

using dg::maxwell::RadiatingSurface;
using std::numbers::pi;

constexpr double power_of_a_dipole(double k) {
  return k * k * k * k / (12 * pi);
}

/// The numbers of a DataArray as text.
std::vector<double> array_of(const std::string& vtp, const std::string& name) {
  const std::size_t named = vtp.find("Name=\"" + name + "\"");
  if (named == std::string::npos) throw std::runtime_error("no array " + name);
  const std::size_t begin = vtp.find('>', named) + 1;
  std::istringstream text(vtp.substr(begin, vtp.find('<', begin) - begin));
  std::vector<double> numbers;
  for (double number = 0; text >> number;) numbers.push_back(number);
  EXPECT_TRUE(text.eof()) << name << " has a word that is no number";
  return numbers;
}

/// Are its tags closed in the order in which they were opened?
void expect_well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at + 1)) {
    const std::string tag = xml.substr(at + 1, xml.find('>', at) - at - 1);
    if (tag.starts_with("?")) continue;
    if (!tag.starts_with("/")) {
      open.push_back(tag.substr(0, tag.find(' ')));
      continue;
    }
    ASSERT_FALSE(open.empty()) << tag;
    EXPECT_EQ("/" + open.back(), tag);
    open.pop_back();
  }
  EXPECT_TRUE(open.empty()) << open.back();
}

/// Of a dipole along z: 1.5 sin^2, all of it E_theta.
TEST(FarFieldPattern, as_a_surface_is_that_of_a_dipole) {
  constexpr double k = 3;
  const DipoleSurface s = dipole_surface(8, {{{0, 0, 0}, {0, 0, 1}, k}});
  const RadiatingSurface surface(s.d, s.faces, k, s.traces);
  const FarFieldPattern pattern{.surface = surface, .quantity = "directivity", .power = power_of_a_dipole(k)};
  const std::string vtp = pattern.vtp(30);
  expect_well_formed(vtp);
  EXPECT_NE(vtp.find("<Piece NumberOfPoints=\"91\" NumberOfPolys=\"72\">"), std::string::npos) << vtp.substr(0, 300);

  const std::vector<double> points = array_of(vtp, "points"), directivity = array_of(vtp, "directivity_dbi"),
                            co = array_of(vtp, "co_directivity_dbi"), cross = array_of(vtp, "cross_directivity_dbi"),
                            right = array_of(vtp, "right_directivity_dbi"), ratio = array_of(vtp, "axial_ratio_db");
  ASSERT_EQ(points.size(), 3 * 91U);
  ASSERT_EQ(directivity.size(), 91U);
  for (std::size_t i = 0; i <= 6; ++i) {
    for (std::size_t j = 0; j <= 12; ++j) {
      const std::size_t at = i * 13 + j;
      const double theta = static_cast<double>(i) * pi / 6, phi = static_cast<double>(j) * pi / 6;
      const double sine = std::sin(theta), r = surface.radius() * sine * sine;
      EXPECT_NEAR(points[3 * at], r * sine * std::cos(phi), 1e-4);
      EXPECT_NEAR(points[3 * at + 1], r * sine * std::sin(phi), 1e-4);
      EXPECT_NEAR(points[3 * at + 2], r * std::cos(theta), 1e-4);
      if (i == 0 || i == 6) {
        EXPECT_LT(directivity[at], -60) << "nothing along the dipole";
        continue;
      }
      EXPECT_NEAR(directivity[at], 10 * std::log10(1.5 * sine * sine), 1e-3);
      EXPECT_NEAR(right[at], directivity[at] - 10 * std::log10(2), 1e-2)
          << "a linear wave has half of its power in each";
      EXPECT_GT(ratio[at], 60);
      EXPECT_LE(ratio[at], 200) << "VTK reads no infinities";
      // Ludwig's third definition, E along x: E_theta is co where phi is 0 and cross at a right angle.
      if (j % 3 == 0) {
        EXPECT_NEAR(j % 6 == 0 ? co[at] : cross[at], directivity[at], 1e-3);
      }
    }
  }

  // Each polygon has four corners, among them neighbours alone.
  const std::vector<double> corners = array_of(vtp, "connectivity"), ends = array_of(vtp, "offsets");
  ASSERT_EQ(corners.size(), 4 * 72U);
  ASSERT_EQ(ends.size(), 72U);
  for (std::size_t p = 0; p < ends.size(); ++p) {
    EXPECT_EQ(ends[p], static_cast<double>(4 * (p + 1)));
    const double first = corners[4 * p];
    EXPECT_EQ(std::vector<double>(&corners[4 * p], &corners[4 * p] + 4),
              (std::vector<double>{first, first + 13, first + 14, first + 1}));
    EXPECT_LT(first + 14, 91);
  }
}

}  // namespace
}  // namespace maxwell_dg::dg::testing
