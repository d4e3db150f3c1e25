#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dg/maxwell/port.hpp"
#include "dg/mesh/discretization.hpp"
#include "tests/support/named_faces.hpp"

/// Ports of lines with strips of metal without thickness, which end within the port's faces.
namespace maxwell_dg::dg::maxwell {
namespace {

/// A piece of a shield of 4 by 1, with strips at half its height, each between two places along x.
class StripLine {
 public:
  StripLine(const std::vector<std::array<double, 2>>& strips, int cells_a_half, int order)
      : d_(mesh(strips, cells_a_half), order) {
    for (const Connectivity::BoundaryFace& face : d_.connectivity.boundary_faces) {
      if (face.surface >= 0 && d_.mesh.surfaces[index(face.surface)] == "z_min") {
        end_.push_back({index(face.cell), face.face});
      }
    }
  }
  [[nodiscard]] PortMode tem() const { return coaxial_mode(d_, end_, {}); }
  [[nodiscard]] PortMode te10() const { return guide_mode(d_, end_, {}, ModeKind::te, 1, 0); }

 private:
  static Mesh mesh(const std::vector<std::array<double, 2>>& strips, int cells_a_half) {
    Mesh mesh = make_box({.min = {0, 0, 0}, .max = {4, 1, 0.5}, .cells = {8 * cells_a_half, 2 * cells_a_half, 1}});
    for (const auto& strip : strips) {
      maxwell_dg::testing::name_faces(mesh, "strip", [&](const Point& x) {
        return std::abs(x[1] - 0.5) < 1e-9 && x[0] > strip[0] - 1e-9 && x[0] < strip[1] + 1e-9;
      });
    }
    prepare(mesh, "strip line", Orientation::any);
    for (const std::string& surface : mesh.surfaces) mesh.walls.push_back(surface == "strip");
    return mesh;
  }

  Discretization d_;
  std::vector<ElementFace> end_;
};

/// Between planes alone, by a conformal map (S. B. Cohn, Trans. IRE MTT-2, 1954); the shield's sides are so far away
/// that they take exp(-3 pi) of the field.
double impedance_of_strip(double width_over_height) {
  const double k = 1 / std::cosh(M_PI / 2 * width_over_height), other = std::tanh(M_PI / 2 * width_over_height);
  return std::comp_ellint_1(k) / std::comp_ellint_1(other) / 4;
}

TEST(StripLine, impedance_converges_with_the_mesh_as_the_strips_edges_let_it) {
  for (const int order : {1, 3}) {
    double before = 0;
    for (const int cells : {1, 2, 4}) {
      const double error = *StripLine({{1.5, 2.5}}, cells, order).tem().line_impedance / impedance_of_strip(1) - 1;
      RecordProperty("order_" + std::to_string(order) + "_cells_" + std::to_string(cells), std::to_string(1e6 * error));
      EXPECT_LT(error, 0) << "the energy of an approximate potential is larger";
      // The potential goes as r^(1/2) at an edge, so that its energy converges with h at any order.
      if (before != 0) {
        EXPECT_NEAR(std::log2(before / error), 1, 0.15) << "order " << order;
      }
      before = error;
    }
    EXPECT_LT(std::abs(before), 0.1 / (order * order)) << "order " << order;
  }
}

TEST(StripLine, field_is_turned_round_on_the_other_side_of_the_strip) {
  const StripLine line({{1.5, 2.5}}, 1, 2);
  const PortMode mode = line.tem();
  double up = 0, down = 0, across = 0;
  for (const auto& e : mode.e) {
    up = std::max(up, e[1]);
    down = std::min(down, e[1]);
    across = std::max(across, std::abs(e[2]));
  }
  EXPECT_NEAR(up, -down, 1e-9);
  EXPECT_GT(up, 0.5);
  EXPECT_LT(across, 1e-12);
}

/// The message with which a mode is refused.
template <class Mode>
std::string reason_against(const Mode& mode) {
  try {
    (void)mode();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

TEST(StripLine, of_another_number_of_conductors_is_refused) {
  EXPECT_EQ(reason_against([] {
              return StripLine({{0.5, 1}, {2, 3}}, 1, 1).tem();
            }),
            "is no line of two conductors: it has 3 conductors");
  EXPECT_EQ(reason_against([] {
              return StripLine({{0, 4}}, 1, 1).tem();
            }),
            "is no line of two conductors: it has 1 conductor");
  EXPECT_EQ(reason_against([] {
              return StripLine({{0, 1}}, 1, 1).tem();
            }),
            "is no line of two conductors: it has 1 conductor");
  EXPECT_EQ(reason_against([] { return StripLine({}, 1, 1).tem(); }), "is not a ring: it has 1 outline");
}

TEST(StripLine, has_no_mode_of_a_rectangle) {
  EXPECT_EQ(reason_against([] { return StripLine({{1.5, 2.5}}, 1, 1).te10(); }), "is divided by metal that ends on it");
  EXPECT_EQ(reason_against([] { return StripLine({}, 1, 1).te10(); }), "none");
}

}  // namespace
}  // namespace maxwell_dg::dg::maxwell
