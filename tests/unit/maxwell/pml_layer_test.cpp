#include "dg/maxwell/pml_layer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dg/mesh/fitted_round.hpp"
#include "tests/support/ring.hpp"
#include "tests/support/round_layer.hpp"

namespace maxwell_dg::dg::maxwell {
namespace {

std::vector<std::int32_t> elements_where(const Mesh& mesh, const std::function<bool(const Point&)>& is_there) {
  std::vector<std::int32_t> chosen;
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    if (is_there(centroid(mesh, mesh.cells[k]))) chosen.push_back(static_cast<std::int32_t>(k));
  }
  return chosen;
}

double largest_coordinate(const Point& x, std::size_t axes) {
  double largest = 0;
  for (std::size_t i = 0; i < axes; ++i) largest = std::max(largest, std::abs(x.at(i)));
  return largest;
}

/// A box around the origin whose cubes become spheres (of `axes` 3), or squares across z circles (2): a ball, half a
/// ball ..., a cylinder, by what of it the box holds.
Mesh round_mesh(const Box& box, std::size_t axes) {
  Mesh mesh = make_box(box);
  for (Point& x : mesh.vertices) {
    const double size = axes == 3 ? length(x) : std::hypot(x[0], x[1]);
    const double by = size > 0 ? largest_coordinate(x, axes) / size : 1;
    for (std::size_t i = 0; i < axes; ++i) x.at(i) *= by;
  }
  return mesh;
}

/// The outer quarter of it, of thickness 0.25.
PmlLayer outer_quarter(const Mesh& mesh, std::size_t axes, std::optional<PmlLayer::Shape> shape = {}) {
  const auto is_outer = [&](const Point& x) {
    return (axes == 3 ? length(x) : std::hypot(x[0], x[1])) > 0.7;  // centroids of the outer cells
  };
  return PmlLayer(Discretization(mesh, 1), elements_where(mesh, is_outer), 0.25, 1e-6, shape);
}

TEST(PmlLayer, of_a_part_of_a_ball_is_centred_where_the_ball_is) {
  const std::vector<Box> parts{{{-1, -1, -1}, {1, 1, 1}, {8, 8, 8}},
                               {{-1, -1, 0}, {1, 1, 1}, {8, 8, 4}},
                               {{-1, 0, 0}, {1, 1, 1}, {8, 4, 4}},
                               {{0, 0, -1}, {1, 1, 0}, {4, 4, 4}}};
  for (const Box& part : parts) {
    const PmlLayer layer = outer_quarter(round_mesh(part, 3), 3);
    for (const Point& out : {Point{0.6, 0, 0.8}, Point{0, 0.8, -0.6}, Point{0, 0, 1}}) {
      for (const double r : {0.5, 0.8, 1.0}) {
        const Point x{r * out[0], r * out[1], r * out[2]};
        EXPECT_NEAR(layer.depth(x), std::max(0.0, (r - 0.75) / 0.25), 1e-9);
        const Point moved = layer.motion(2.0).displacement(x);
        EXPECT_NEAR(dot(moved, out), 2 * std::log(1e3) * layer.depth(x), 1e-9) << "along the radius";
        EXPECT_NEAR(length(moved), dot(moved, out), 1e-9);
      }
    }
  }
}

TEST(PmlLayer, of_half_a_cylinder_damps_along_its_radius_and_not_towards_its_flat_side) {
  const PmlLayer layer = outer_quarter(round_mesh({{-1, 0, 0}, {1, 1, 2}, {8, 4, 4}}, 2), 2);
  EXPECT_NEAR(layer.depth({0.48, 0.64, 1}), 0.2, 1e-9);
  EXPECT_EQ(layer.depth({0, 0.01, 0.01}), 0);
  EXPECT_TRUE(layer.damps_along({0, 1, 1}, {0, 1, 0}));
  EXPECT_FALSE(layer.damps_along({0.9, 0, 1}, {0, -1, 0}));
}

std::string complaint_of(const Mesh& mesh, std::optional<PmlLayer::Shape> shape = {}) {
  try {
    (void)outer_quarter(mesh, 3, shape);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

/// Curved elements take it at their points.
TEST(PmlLayer, has_the_gradient_of_its_displacement) {
  const Box ball{{-1, -1, -1}, {1, 1, 1}, {8, 8, 8}};
  const auto outer = [](const Point& x) { return largest_coordinate(x, 3) > 0.75; };
  const Mesh box = make_box(ball);
  const testing::RoundLayer curved = testing::round_layer({.part = testing::PartOfBall::whole});
  const std::vector<PmlLayer> layers{outer_quarter(round_mesh(ball, 3), 3), outer_quarter(round_mesh(ball, 2), 2),
                                     PmlLayer(Discretization(box, 1), elements_where(box, outer), 0.25, 1e-6),
                                     PmlLayer(Discretization(curved.mesh, 1), curved.layer, 1.2, 1e-6)};
  for (const PmlLayer& layer : layers) {
    const PmlMotion motion = layer.motion(0.7);
    for (const Point& x : {Point{0.5, -0.4, 0.62}, Point{0.1, 0.83, 0.2}, Point{-0.6, 0.6, 0.1}, Point{0.1, 0.2, 0.3},
                           Point{0.35, 0.4, -0.8}}) {
      const std::array<Point, 3> G = motion.gradient(x);
      for (std::size_t j = 0; j < 3; ++j) {
        constexpr double step = 1e-6;
        Point before = x, after = x;
        before.at(j) -= step;
        after.at(j) += step;
        const Point change = minus(motion.displacement(after), motion.displacement(before));
        for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(G.at(i).at(j), change.at(i) / (2 * step), 1e-6) << i << j;
      }
    }
  }
}

/// Where elements are curved, surfaces of the mesh deviate from the one where it begins.
TEST(PmlLayer, of_a_round_shape_begins_gently_within_curved_elements) {
  const testing::RoundLayer curved = testing::round_layer({.part = testing::PartOfBall::whole});
  const PmlLayer layer(Discretization(curved.mesh, 1), curved.layer, curved.thickness, 1e-6);
  EXPECT_NEAR(layer.largest_damping(), std::log(1e3) * 2 / 0.6, 1e-8);
  const PmlMotion motion = layer.motion(2.0);
  for (const double depth : {-0.1, 0.0, 0.1, 0.5, 1.0}) {
    const Point x{0, 0, 1 + 0.6 * depth};
    const double within = std::max(0.0, depth);
    EXPECT_NEAR(motion.displacement(x)[2], 2 * std::log(1e3) * within * within, 1e-9);
    EXPECT_NEAR(motion.gradient(x)[2][2], 2 * std::log(1e3) * 2 * within / 0.6, 1e-8) << "the damping, which is 0 at 0";
  }
}

/// Through the three corners of a face there are spheres and cylinders.
TEST(PmlLayer, of_one_outer_face_is_a_sphere_by_the_nodes_of_its_curved_map) {
  testing::RoundLayer round = testing::round_layer({});
  const Discretization d(round.mesh, 1);
  const PmlLayer layer(d, round.layer, round.thickness, 1e-6);
  for (const Point& x : {Point{0, 0, 1.3}, Point{1.3, 0, 0}, Point{0.78, 0, 1.04}})
    EXPECT_NEAR(layer.depth(x), 0.5, 1e-9);
  round.mesh.curved = {};
  EXPECT_NE(complaint_of(round.mesh).find("neither a box, a sphere nor a cylinder along z: "), std::string::npos);
}

/// One element high: its corners are two circles, and so on a sphere, too.
TEST(PmlLayer, of_a_low_cylinder_is_no_sphere) {
  const PmlLayer layer = outer_quarter(round_mesh({{-1, -1, 0}, {1, 1, 0.3}, {8, 8, 1}}, 2), 2);
  EXPECT_NEAR(layer.depth({0.9, 0, 0.1}), 0.6, 1e-9);
  EXPECT_NEAR(layer.depth({0, 0.9, 0.3}), 0.6, 1e-9);
}

/// Straight elements do by at least four corners around it.
bool tells_where_its_axis_is(const testing::Ring& ring) {
  const int arcs = ring.around << ring.images;
  return ring.order > 1 || arcs + (ring.images == 2 ? 0 : 1) > 3;
}

std::vector<std::int32_t> upper_end(const Mesh& mesh) {
  return elements_where(mesh, [](const Point& x) { return x[2] > 0.6; });
}

/// On the four corners of a quarter whose elements span 90 degrees there is a circle, around another axis.
TEST(PmlLayer, at_the_end_of_a_coaxial_line_damps_along_it_alone) {
  for (const int order : {1, 2, 4}) {
    for (const int images : {0, 1, 2}) {
      for (const int around : {1, 2, 6}) {
        if (!tells_where_its_axis_is({around, order, images})) continue;
        for (const int layers : {3, 6}) {
          const Mesh mesh = testing::ring_mesh({around, order, images, 1, layers});
          const PmlLayer layer(Discretization(mesh, 1), upper_end(mesh), 0.3, 1e-6);
          EXPECT_FALSE(layer.is_round()) << order << ' ' << images << ' ' << around;
          EXPECT_NEAR(layer.depth({0.9, 0.1, 0.75}), 0.5, 1e-9) << order << ' ' << images << ' ' << around;
        }
      }
    }
  }
}

TEST(PmlLayer, around_a_rod_is_centred_where_its_outer_boundary_is) {
  for (const int order : {1, 2, 4}) {
    for (const int images : {0, 1, 2}) {
      for (const int around : {1, 2, 6}) {
        if (!tells_where_its_axis_is({around, order, images})) continue;
        const Mesh mesh = testing::ring_mesh({around, order, images, 3, 3});
        constexpr double thickness = 0.7 / 3;
        std::vector<std::int32_t> elements;  // the outer ones, and the upper end
        for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
          const auto is_outer = [&](std::int32_t v) {
            const Point& x = mesh.vertices[index(v)];
            return std::hypot(x[0], x[1]) > 1 - thickness - 1e-9;
          };
          if (centroid(mesh, mesh.cells[k])[2] > 0.6 || std::ranges::all_of(mesh.cells[k], is_outer)) {
            elements.push_back(static_cast<std::int32_t>(k));
          }
        }
        const PmlLayer layer(Discretization(mesh, 1), elements, thickness, 1e-6);
        EXPECT_TRUE(layer.is_round()) << order << ' ' << images << ' ' << around;
        const double r = 1 - 0.4 * thickness;
        for (const Point& x :
             {Point{0.6 * r, 0.8 * r, 0.1}, Point{r, 0, 0.2}, Point{0.2, 0.3, 0.9 - 0.4 * thickness}}) {
          EXPECT_NEAR(layer.depth(x), 0.6, 1e-9) << order << ' ' << images << ' ' << around;
        }
      }
    }
  }
}

/// Through three corners leads a circle anyway.
TEST(PmlLayer, at_the_end_of_a_line_of_few_straight_elements_says_what_to_give) {
  for (const testing::Ring& ring : {testing::Ring{.around = 1}, {.around = 2}, {.around = 1, .images = 1}}) {
    const Mesh mesh = testing::ring_mesh(ring);
    const Discretization d(mesh, 1);
    try {
      (void)PmlLayer(d, upper_end(mesh), 0.3, 1e-6);
      ADD_FAILURE() << "no error";
    } catch (const std::invalid_argument& error) {
      const std::string remedy =
          "make elements smaller there, or curved ones by a higher `mesh.order`; if these are walls that lead through "
          "a PML in a box, `shape: box` takes it as such";
      EXPECT_NE(std::string(error.what()).find(remedy), std::string::npos) << error.what();
    }
    EXPECT_FALSE(PmlLayer(d, upper_end(mesh), 0.3, 1e-6, PmlLayer::Shape::box).is_round());
  }
}

/// Its four vertices on the outer boundary are where those of a box are.
TEST(PmlLayer, of_four_curved_elements_around_is_no_box) {
  Mesh mesh = testing::ring_mesh({.around = 1, .order = 3, .images = 2, .across = 3});
  const double c = std::sqrt(0.5);
  const auto turned = [&](const Point& x) { return Point{c * (x[0] - x[1]), c * (x[0] + x[1]), x[2]}; };
  for (Point& x : mesh.vertices) x = turned(x);
  for (Point& x : mesh.curved.nodes) x = turned(x);
  const auto outer = elements_where(mesh, [](const Point& x) { return std::hypot(x[0], x[1]) > 0.5; });
  const PmlLayer layer(Discretization(mesh, 1), outer, 0.2, 1e-6);
  EXPECT_TRUE(layer.is_round());
  for (const Point& x : {Point{0.9, 0, 0.5}, Point{0, 0.9, 0.5}, Point{c * 0.9, c * 0.9, 0.5}}) {
    EXPECT_NEAR(layer.depth(x), 0.5, 1e-9);
  }
}

/// The upper part of a wall, with inner faces along it at a third of the way to the rod.
TEST(PmlLayer, whose_inner_faces_are_farther_than_its_thickness_says_what_to_give) {
  const Mesh mesh = testing::ring_mesh({.around = 6, .images = 2, .across = 3});
  const Discretization d(mesh, 1);
  const auto outer = elements_where(mesh, [](const Point& x) { return std::hypot(x[0], x[1]) > 0.75 && x[2] > 0.3; });
  EXPECT_TRUE(PmlLayer(d, outer, 0.7 / 3, 1e-6).is_round());
  try {
    (void)PmlLayer(d, outer, 0.15, 1e-6);
    ADD_FAILURE() << "no error";
  } catch (const std::invalid_argument& error) {
    const std::string said = error.what();
    EXPECT_NE(
        said.find("its boundary lies on a cylinder along z around (0, 0, 0) of radius 1, which goes on beside it"),
        std::string::npos)
        << said;
    EXPECT_NE(said.find("are 0.2333 away, not the thickness, 0.15, or less; if the PML ends there, give the thickness "
                        "that it has; if that is the wall of a guide, let `shape: box` damp along the guide alone"),
              std::string::npos)
        << said;
  }
}

/// In a lens each of two cylinders holds all of it.
TEST(PmlLayer, with_two_round_sides_says_which_and_what_to_give) {
  Mesh mesh = make_box({{-0.9, -1, 0}, {0.9, 1, 1}, {8, 8, 2}});
  for (Point& x : mesh.vertices) x[1] *= std::sqrt(1.25 * 1.25 - x[0] * x[0]) - 0.75;
  const auto outer = elements_where(mesh, [](const Point& x) { return std::abs(x[1]) > 0.1; });
  try {
    (void)PmlLayer(Discretization(mesh, 1), outer, 0.1, 1e-6);
    ADD_FAILURE() << "no error";
  } catch (const std::invalid_argument& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("its boundary faces lie on several rounds: a cylinder along z around ("), std::string::npos)
        << said;
    EXPECT_NE(said.find(" of radius 1.25; mesh it with one outer boundary, or let `shape: box` damp towards the sides"),
              std::string::npos)
        << said;
  }
}

TEST(PmlLayer, of_a_rough_ball_says_that_the_shape_may_be_given) {
  Mesh mesh = round_mesh({{-1, -1, -1}, {1, 1, 1}, {8, 8, 8}}, 3);
  for (Point& x : mesh.vertices) x[2] *= 1.05;
  EXPECT_NE(complaint_of(mesh).find("neither a box, a sphere nor a cylinder along z: "), std::string::npos);
  EXPECT_NE(complaint_of(mesh).find("`shape: sphere` takes it as such"), std::string::npos) << complaint_of(mesh);
  EXPECT_EQ(complaint_of(mesh, PmlLayer::Shape::sphere), "");
  for (Point& x : mesh.vertices) x[2] *= 2;
  EXPECT_NE(complaint_of(mesh, PmlLayer::Shape::sphere).find("`shape` does not fit: "), std::string::npos);
}

/// Six cells a side, a PML of one on all sides or on some.
struct BoxOfSix {
  Mesh mesh = make_box({{0, 0, 0}, {6, 6, 6}, {6, 6, 6}});
  Discretization d{mesh, 1};
};

TEST(PmlLayer, damps_at_a_side_through_which_a_feed_leads) {
  const BoxOfSix box;
  const auto in_feed = [](const Point& x) { return std::abs(x[0] - 3) < 1 && std::abs(x[1] - 3) < 1 && x[2] < 1; };
  const auto elements = elements_where(box.mesh, [&](const Point& x) {
    return std::ranges::any_of(x, [](double c) { return c < 1 || c > 5; }) && !in_feed(x);
  });
  const PmlLayer layer(box.d, elements, 1, 1e-6);
  for (const Point& x : {Point{1.5, 1.5, 0.25}, Point{1.5, 1.5, 5.75}, Point{0.25, 3, 3}}) {
    EXPECT_NEAR(layer.depth(x), 0.75, 1e-12);
  }
  const PmlLayer::Fit fit = layer.fit_of(box.d, elements);
  EXPECT_EQ(fit.abrupt_faces, 16U) << "the feed's four sides, two cells wide, two triangles each";
  EXPECT_GT(fit.deepest, 0.6);
  EXPECT_EQ(fit.undamped, 0U);
}

TEST(PmlLayer, that_covers_no_side_or_lies_at_none_says_what_to_give) {
  const BoxOfSix box;
  const auto complaint = [&](const std::function<bool(const Point&)>& is_there) {
    try {
      (void)PmlLayer(box.d, elements_where(box.mesh, is_there), 0.5);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(
      complaint([](const Point& x) { return x[0] < 1 && x[1] < 1; }),
      "the PML covers no side of the mesh: on none do all boundary faces belong to it, and none is parallel to an "
      "inner face of it at most `thickness` away; give it the volumes along the outer boundary, and the thickness "
      "that they have");
  EXPECT_EQ(complaint([](const Point& x) {
              return largest_coordinate({x[0] - 3, x[1] - 3, x[2] - 3}, 3) < 1;
            }),
            "no element of the PML lies at an outer boundary; give it the volumes along one");
}

TEST(PmlLayer, does_not_damp_towards_a_ground_that_it_stands_on) {
  const BoxOfSix box;
  const auto elements =
      elements_where(box.mesh, [](const Point& x) { return x[0] < 1 || x[0] > 5 || x[1] < 1 || x[1] > 5 || x[2] > 5; });
  const PmlLayer layer(box.d, elements, 1, 1e-6);
  EXPECT_EQ(layer.depth({3, 3, 0.1}), 0);
  EXPECT_NEAR(layer.depth({3, 3, 5.9}), 0.9, 1e-12);
  EXPECT_TRUE(layer.damps_along({0, 3, 0.1}, {-1, 0, 0}));
  EXPECT_FALSE(layer.damps_along({0.1, 3, 0}, {0, 0, -1}));
  EXPECT_EQ(layer.fit_of(box.d, elements).abrupt_faces, 0U);
}

/// Nepers that a wave takes in an element of the PML on z_max, `cells` of them across.
double nepers_in_an_element(int N, int cells) {
  const Mesh mesh = make_box({{0, 0, 0}, {6, 6, 6}, {6, 6, 6}});
  const auto elements = elements_where(mesh, [&](const Point& x) { return x[2] > 6 - cells; });
  return -0.5 * std::log(PmlLayer(Discretization(mesh, N), elements, cells).reflection()) / cells;
}

TEST(PmlLayer, by_default_is_as_strong_as_its_elements_can_follow) {
  EXPECT_NEAR(nepers_in_an_element(1, 1), 3.1, 1e-9);
  EXPECT_NEAR(nepers_in_an_element(4, 1), 6.4, 1e-9);
  EXPECT_NEAR(nepers_in_an_element(1, 2), 3.1, 1e-9);
  EXPECT_NEAR(nepers_in_an_element(4, 2), -0.25 * std::log(1e-8), 1e-9) << "more would change nothing";
  const Mesh ball = round_mesh({{-1, -1, -1}, {1, 1, 1}, {8, 8, 8}}, 3);
  const auto elements = elements_where(ball, [](const Point& x) { return length(x) > 0.7; });
  const auto of_ball = [&](std::optional<double> given) {
    return PmlLayer(Discretization(ball, 3), elements, 0.25, given).reflection();
  };
  EXPECT_NEAR(-0.5 * std::log(of_ball({})), 2.8, 1e-9);
  EXPECT_EQ(of_ball(1e-12), 1e-12);
  const testing::RoundLayer curved = testing::round_layer({.part = testing::PartOfBall::whole});
  const PmlLayer follows(Discretization(curved.mesh, 2), curved.layer, curved.thickness);
  EXPECT_NEAR(-0.5 * std::log(follows.reflection()), 4.2, 1e-9);
}

TEST(PmlLayer, tells_which_elements_do_not_damp_and_where_it_begins_with_a_jump) {
  const BoxOfSix box;
  const auto of_thickness = [&](double cells, double thickness) {
    const auto elements = elements_where(box.mesh, [&](const Point& x) { return x[2] > 6 - cells; });
    return PmlLayer(box.d, elements, thickness, 1e-3).fit_of(box.d, elements);
  };
  EXPECT_EQ(of_thickness(2, 2).undamped, 0U);
  EXPECT_EQ(of_thickness(3, 2).undamped, 216U);
  EXPECT_EQ(of_thickness(1, 2).abrupt_faces, 72U) << "it begins half way in";
}

TEST(FittedRound, finds_centre_and_radius_from_any_part_of_a_sphere) {
  std::vector<Point> points;
  for (const double a : {0.1, 0.5, 0.9}) {
    for (const double b : {0.2, 0.7, 1.1}) {
      points.push_back({7 + 2 * std::sin(a) * std::cos(b), -3 + 2 * std::sin(a) * std::sin(b), 2 * std::cos(a)});
    }
  }
  const auto sphere = fit_round(points, 3);
  ASSERT_TRUE(sphere);
  EXPECT_NEAR(distance(sphere->centre, {7, -3, 0}), 0, 1e-9);
  EXPECT_NEAR(sphere->radius, 2, 1e-9);
  EXPECT_LT(sphere->deviation, 1e-9);
  for (Point& x : points) x[2] = 1;
  EXPECT_FALSE(fit_round(points, 3)) << "all in a plane";
}

}  // namespace
}  // namespace maxwell_dg::dg::maxwell
