#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "dg/maxwell/port.hpp"
#include "tests/support/round_guide.hpp"

/// Modes at the ends of round guides and coaxial lines, on straight and on curved faces.
namespace maxwell_dg::dg::maxwell {
namespace {

using maxwell_dg::testing::make_round_guide;
using maxwell_dg::testing::RoundGuide;
using std::numbers::pi;

class RoundEnds {
 public:
  RoundEnds(const RoundGuide& shape, int order) : d_(make_round_guide(shape), order) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      if (!shape.whole.at(axis)) cut_axes_.push_back(axis);
    }
  }
  [[nodiscard]] const Discretization& discretization() const { return d_; }
  [[nodiscard]] std::vector<ElementFace> end(const std::string& surface) const {
    std::vector<ElementFace> faces;
    for (const Connectivity::BoundaryFace& face : d_.connectivity.boundary_faces) {
      if (face.surface >= 0 && d_.mesh.surfaces[index(face.surface)] == surface) {
        faces.push_back({index(face.cell), face.face});
      }
    }
    return faces;
  }
  [[nodiscard]] PortMode tem(const HomogeneousMedium& filling = {}) const {
    std::vector<SymmetryPlane> planes;
    for (const std::size_t axis : cut_axes_) planes.push_back({axis, SymmetryPlane::Kind::magnetic});
    return coaxial_mode(d_, end("z_min"), filling, planes);
  }
  [[nodiscard]] PortMode te(int m, int n, const std::vector<SymmetryPlane>& planes = {},
                            const std::optional<Point>& polarization = {}, const std::string& surface = "z_min") const {
    return guide_mode(d_, end(surface), {}, ModeKind::te, m, n, planes, polarization);
  }
  [[nodiscard]] PortMode tm(int m, int n, const std::vector<SymmetryPlane>& planes = {},
                            const std::optional<Point>& polarization = {}) const {
    return guide_mode(d_, end("z_min"), {}, ModeKind::tm, m, n, planes, polarization);
  }
  /// The largest deviation of the mode's field at its nodes from a field of any size, over the largest value.
  template <class Exact>
  [[nodiscard]] double deviation(const PortMode& mode, const Exact& exact) const {
    const auto Nfp = static_cast<std::size_t>(d_.Nfp());
    std::vector<Point> wanted;
    double product = 0, square = 0, largest = 0;
    for (std::size_t i = 0; i < mode.e.size(); ++i) {
      const ElementFace& face = mode.faces[i / Nfp];
      wanted.push_back(exact(d_.node(face.element, d_.reference.Fmask(static_cast<int>(i % Nfp), face.face))));
      product += dot(wanted.back(), mode.e[i]);
      square += dot(wanted.back(), wanted.back());
    }
    double off = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const Point& w = wanted[i];
      const double s = product / square;
      off = std::max(off, length(minus(mode.e[i], {s * w[0], s * w[1], s * w[2]})));
      largest = std::max(largest, length(mode.e[i]));
    }
    return off / largest;
  }

 private:
  Discretization d_;
  std::vector<std::size_t> cut_axes_;
};

/// Of a coaxial line of radii 1 and 2 over the impedance of vacuum.
const double line = std::log(2.0) / (2 * pi);

TEST(RoundPort, coaxial_line_has_its_impedance_to_1e_minus_6_at_order_5) {
  double last = 1;
  for (const int N : {2, 3, 4, 5}) {
    const double error = std::abs(*RoundEnds({.inner = 1, .outer = 2, .order = N}, N).tem().line_impedance / line - 1);
    RecordProperty("order_" + std::to_string(N), std::to_string(error));
    EXPECT_LT(error, last / 4) << "order " << N;
    last = error;
  }
  EXPECT_LT(last, 1e-6);
}

TEST(RoundPort, coaxial_line_of_low_order_profits_from_geometry_of_high_order) {
  const PortMode mode = RoundEnds({.inner = 1, .outer = 2, .order = 6}, 1).tem({.epsilon_r = 2.25});
  EXPECT_NEAR(*mode.line_impedance / (line / 1.5), 1, 1e-6);
}

TEST(RoundPort, half_and_quarter_of_a_coaxial_line_have_the_impedance_of_the_whole) {
  const auto impedance = [](bool x, bool y) {
    return *RoundEnds({.inner = 1, .outer = 2, .order = 4, .whole = {x, y}}, 3).tem().line_impedance;
  };
  const double whole = impedance(true, true);
  EXPECT_NEAR(impedance(false, true) / whole, 1, 1e-9);
  EXPECT_NEAR(impedance(true, false) / whole, 1, 1e-9);
  EXPECT_NEAR(impedance(false, false) / whole, 1, 1e-9);
}

TEST(RoundPort, quarter_of_a_line_of_any_order_is_its_own_image_in_magnetic_planes_and_in_no_electric_one) {
  using Kind = SymmetryPlane::Kind;
  for (const auto& [cells, order, N] : {std::array{2, 1, 1}, {2, 1, 3}, {2, 2, 1}, {2, 2, 2}, {4, 1, 2}}) {
    const RoundEnds quarter({.inner = 1, .outer = 2, .cells = cells, .order = order, .whole = {false, false}}, N);
    const PortMode mode = quarter.tem();
    const Discretization& d = quarter.discretization();
    EXPECT_NO_THROW(require_symmetric(d, mode, std::vector<SymmetryPlane>{{0, Kind::magnetic}, {1, Kind::magnetic}}));
    EXPECT_THROW(require_symmetric(d, mode, std::array{SymmetryPlane{1, Kind::electric}}), std::invalid_argument);
  }
}

TEST(RoundPort, tem_field_falls_with_the_radius) {
  const RoundEnds guide({.inner = 1, .outer = 2, .order = 5}, 5);
  const double off = guide.deviation(guide.tem(), [](const Point& x) {
    const double square = x[0] * x[0] + x[1] * x[1];
    return Point{x[0] / square, x[1] / square, 0};
  });
  EXPECT_LT(off, 3e-3);
}

/// Zeros of J'_m (Abramowitz & Stegun, table 9.5).
struct Zero {
  int m, n;
  double value;
};
const std::vector<Zero> zeros{
    {1, 1, 1.8411837813}, {2, 1, 3.0542369282}, {0, 1, 3.8317059702}, {3, 1, 4.2011889412}, {1, 2, 5.3314427735}};

TEST(RoundPort, round_guide_has_the_cut_offs_of_its_modes) {
  const RoundEnds guide({.outer = 2, .cells = 3, .order = 6}, 5);
  for (const auto& [m, n, value] : zeros) {
    const double found = guide.te(m, n).cutoff_wavenumber * 2;
    EXPECT_NEAR(found / value, 1, m == 1 && n == 1 ? 1e-8 : 3e-6) << "te" << m << n;
  }
}

/// Zeros of J_m, from the same table.
const std::vector<Zero> zeros_of_tm{
    {0, 1, 2.4048255577}, {1, 1, 3.8317059702}, {2, 1, 5.1356223018}, {0, 2, 5.5200781103}, {3, 1, 6.3801618959}};

TEST(RoundPort, round_guide_has_the_cut_offs_and_impedances_of_its_tm_modes) {
  const RoundEnds guide({.outer = 2, .cells = 3, .order = 6}, 5);
  for (const auto& [m, n, value] : zeros_of_tm) {
    const PortMode mode = guide.tm(m, n);
    EXPECT_NEAR(mode.cutoff_wavenumber * 2 / value, 1, m == 0 && n == 1 ? 1e-8 : 3e-5) << "tm" << m << n;
    const double f = 1.5 * mode.cutoff_frequency(), k = 2 * pi * f, k_c = mode.cutoff_wavenumber;
    EXPECT_NEAR(mode.impedance(f), std::sqrt(k * k - k_c * k_c) / k, 1e-12);  // k_z / (omega epsilon)
  }
}

TEST(RoundPort, tm01_points_outwards_and_falls_as_j1) {
  const RoundEnds guide({.cells = 3, .order = 5}, 5);
  const auto exact = [](const Point& x) {
    const double r = std::hypot(x[0], x[1]), J = r < 1e-12 ? 0 : std::cyl_bessel_j(1.0, 2.4048255577 * r) / r;
    return Point{J * x[0], J * x[1], 0};
  };
  const PortMode mode = guide.tm(0, 1);
  EXPECT_LT(guide.deviation(mode, exact), 1e-3);
  const auto Nfp = static_cast<std::size_t>(guide.discretization().Nfp());
  for (std::size_t i = 0; i < mode.e.size(); ++i) {
    const ElementFace& face = mode.faces[i / Nfp];
    const int node = guide.discretization().reference.Fmask(static_cast<int>(i % Nfp), face.face);
    EXPECT_GT(dot(mode.e[i], guide.discretization().node(face.element, node)), -1e-3);
  }
}

TEST(RoundPort, tm_modes_of_parts_are_those_that_the_planes_allow) {
  using Kind = SymmetryPlane::Kind;
  const RoundEnds whole({.cells = 3, .order = 5}, 4), part({.cells = 3, .order = 5, .whole = {false, false}}, 4);
  const std::vector<SymmetryPlane> magnetic{{0, Kind::magnetic}, {1, Kind::magnetic}};
  EXPECT_NEAR(part.tm(0, 1, magnetic).cutoff_wavenumber / whole.tm(0, 1).cutoff_wavenumber, 1, 1e-10);
  const PortMode along_x = whole.tm(1, 1), along_y = whole.tm(1, 1, {}, Point{0, 1, 0});
  EXPECT_NEAR(overlap(along_x, along_y), 0, 1e-10);
  EXPECT_NEAR(overlap(along_x, along_x), 1, 1e-10);
  for (const auto& kinds : {std::array{Kind::electric, Kind::magnetic}, {Kind::magnetic, Kind::electric}}) {
    const PortMode mode = part.tm(1, 1, {{0, kinds[0]}, {1, kinds[1]}});
    EXPECT_NEAR(mode.cutoff_wavenumber / along_x.cutoff_wavenumber, 1, 1e-10);
  }
  EXPECT_THROW((void)part.tm(0, 1, {{0, Kind::electric}, {1, Kind::magnetic}}), std::domain_error);
}

TEST(RoundPort, round_guide_of_straight_faces_has_the_cut_off_of_the_polygon) {
  const double found = RoundEnds({.cells = 6, .order = 1}, 3).te(1, 1).cutoff_wavenumber;
  EXPECT_NEAR(found / 1.8411837813, 1, 0.02);
  EXPECT_GT(found, 1.8411837813);  // the polygon lies within its circle
}

/// e of TE_11 along x on the axis, of any size.
Point te11_along_x(const Point& x) {
  constexpr double k = 1.8411837813;
  const double r = std::hypot(x[0], x[1]), phi = std::atan2(x[1], x[0]);
  if (r < 1e-12) return {k / 2, 0, 0};
  const double J = std::cyl_bessel_j(1.0, k * r), slope = k * (std::cyl_bessel_j(0.0, k * r) - J / (k * r));
  const double e_r = J / r * std::cos(phi), e_phi = -slope * std::sin(phi);
  return {e_r * std::cos(phi) - e_phi * std::sin(phi), e_r * std::sin(phi) + e_phi * std::cos(phi), 0};
}

Point turned(const Point& x, double angle) {
  return {std::cos(angle) * x[0] - std::sin(angle) * x[1], std::sin(angle) * x[0] + std::cos(angle) * x[1], x[2]};
}

TEST(RoundPort, te11_points_along_x_or_where_it_is_told_at_both_ends) {
  const RoundEnds guide({.cells = 3, .order = 5}, 5);
  for (const std::string surface : {"z_min", "z_max"}) {
    EXPECT_LT(guide.deviation(guide.te(1, 1, {}, {}, surface), te11_along_x), 2e-4) << surface;
    const double angle = 0.7;
    const PortMode mode = guide.te(1, 1, {}, turned({3, 0, 0}, angle), surface);
    const auto exact = [&](const Point& x) { return turned(te11_along_x(turned(x, -angle)), angle); };
    EXPECT_LT(guide.deviation(mode, exact), 2e-4) << surface;
  }
}

TEST(RoundPort, modes_of_parts_are_those_that_the_planes_allow) {
  using Kind = SymmetryPlane::Kind;
  const RoundGuide quarter{.cells = 3, .order = 5, .whole = {false, false}};
  const RoundEnds whole({.cells = 3, .order = 5}, 4), part(quarter, 4);
  const double k = whole.te(1, 1).cutoff_wavenumber;
  const auto along_y = [](const Point& x) { return turned(te11_along_x(turned(x, -pi / 2)), pi / 2); };
  const PortMode x = part.te(1, 1, {{0, Kind::electric}, {1, Kind::magnetic}});
  const PortMode y = part.te(1, 1, {{0, Kind::magnetic}, {1, Kind::electric}});
  EXPECT_NEAR(x.cutoff_wavenumber / k, 1, 1e-12);
  EXPECT_NEAR(y.cutoff_wavenumber / k, 1, 1e-12);
  EXPECT_LT(part.deviation(x, te11_along_x), 1e-3);
  EXPECT_LT(part.deviation(y, along_y), 1e-3);
}

std::string refusal(const auto& call) {
  try {
    (void)call();
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

TEST(RoundPort, what_a_round_guide_does_not_have_is_refused) {
  const RoundEnds guide({.cells = 2, .order = 3}, 2);
  EXPECT_EQ(refusal([&] { return guide.te(1, 0); }),
            "is a disc: the second number of its modes, te11 and so on, is 1 or more");
  EXPECT_EQ(refusal([&] {
              return guide.te(0, 1, {}, Point{1, 0, 0});
            }),
            "has a polarization, but modes te0n and tm0n of a disc have none");
  EXPECT_EQ(refusal([&] {
              return guide.te(1, 1, {}, Point{1, 0, 1});
            }),
            "has a polarization that does not lie in the plane of the port");
  const RoundEnds quarter({.cells = 2, .order = 3, .whole = {false, false}}, 2);
  using Kind = SymmetryPlane::Kind;
  EXPECT_EQ(refusal([&] {
              return quarter.te(1, 1, {{0, Kind::electric}, {1, Kind::electric}});
            }),
            "has a mode that is not its own mirror image in the planes of symmetry");
  EXPECT_EQ(refusal([&] {
              return quarter.te(1, 1, {{0, Kind::electric}, {1, Kind::magnetic}}, Point{0, 1, 0});
            }),
            "has a mode that is not its own mirror image in the planes of symmetry");
}

}  // namespace
}  // namespace maxwell_dg::dg::maxwell
