#include "dg/mesh/curved/determinant.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <queue>
#include <stdexcept>
#include <string>
#include <utility>

namespace maxwell_dg::dg {
namespace {

constexpr std::size_t most_halvings = 20000;

/// n! / (a! b! c! d!): how much of each product of powers is in a Bernstein polynomial.
double multinomial(const GeometryNode& exponents) {
  double result = 1;
  int n = 0;
  for (const int exponent : exponents) {
    for (int i = 1; i <= exponent; ++i) result *= static_cast<double>(++n) / i;
  }
  return result;
}

double power(double x, int n) {
  return n == 0 ? 1 : x * power(x, n - 1);
}

/// Values of the Bernstein polynomials of a degree at the equidistant nodes of the same degree.
Eigen::MatrixXd bernstein_at_nodes(int order) {
  const auto nodes = geometry_nodes(order);
  const auto size = static_cast<Eigen::Index>(nodes.size());
  Eigen::MatrixXd values(size, size);
  for (Eigen::Index row = 0; row < size; ++row) {
    for (Eigen::Index column = 0; column < size; ++column) {
      const GeometryNode &at = nodes[static_cast<std::size_t>(row)], &of = nodes[static_cast<std::size_t>(column)];
      double value = multinomial(of);
      for (std::size_t a = 0; a < 4; ++a) value *= power(static_cast<double>(at[a]) / order, of[a]);
      values(row, column) = value;
    }
  }
  return values;
}

GeometryNode sum(const GeometryNode& a, const GeometryNode& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]};
}

int degree_of(const std::vector<GeometryNode>& exponents) {
  return exponents.front()[0];
}

/// Adds, for all pairs of terms, what `multiply` makes of them to the term that their product belongs to.
template <class A, class B, class C, class Multiply>
void add_products(const std::vector<GeometryNode>& of_a, const std::vector<A>& a, const std::vector<GeometryNode>& of_b,
                  const std::vector<B>& b, std::vector<C>& product, const Multiply& multiply) {
  const int degree = degree_of(of_a) + degree_of(of_b);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      multiply(a[i], b[j], product[number_of_node(degree, sum(of_a[i], of_b[j]))]);
    }
  }
}

/// A polynomial on a part of the reference tetrahedron.
struct Piece {
  std::array<Point, 4> corners;  ///< (r, s, t)
  std::vector<double> coefficients;
  double lowest{};

  [[nodiscard]] bool operator<(const Piece& other) const { return lowest > other.lowest; }  // the lowest comes first
};

double lowest_of(const std::vector<double>& coefficients) {
  return *std::ranges::min_element(coefficients);
}

std::pair<std::size_t, std::size_t> longest_edge_of(const std::array<Point, 4>& corners) {
  std::pair<std::size_t, std::size_t> longest{0, 1};
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t b = a + 1; b < 4; ++b) {
      if (distance(corners[a], corners[b]) > distance(corners[longest.first], corners[longest.second]))
        longest = {a, b};
    }
  }
  return longest;
}

/// The two halves of a piece, cut in the middle of its longest edge: de Casteljau's algorithm along each line of
/// coefficients in the direction of that edge.
std::pair<Piece, Piece> halves(const Piece& piece, const std::vector<GeometryNode>& exponents) {
  const auto [a, b] = longest_edge_of(piece.corners);
  const int degree = degree_of(exponents);
  std::pair<Piece, Piece> result{piece, piece};
  for (std::size_t d = 0; d < 3; ++d) {
    result.first.corners[b][d] = result.second.corners[a][d] = 0.5 * (piece.corners[a][d] + piece.corners[b][d]);
  }
  std::vector<double> line;
  for (const GeometryNode& start : exponents) {
    if (start[b] != 0) continue;
    const int length = start[a];
    const auto number_after = [&, a = a, b = b](int steps) {
      GeometryNode at = start;
      at[a] -= steps;
      at[b] += steps;
      return number_of_node(degree, at);
    };
    line.clear();
    for (int i = 0; i <= length; ++i) line.push_back(piece.coefficients[number_after(i)]);
    for (int level = 0; level <= length; ++level) {
      result.first.coefficients[number_after(level)] = line.front();
      result.second.coefficients[number_after(length - level)] = line[static_cast<std::size_t>(length - level)];
      for (int i = 0; i < length - level; ++i) {
        const auto at = static_cast<std::size_t>(i);
        line[at] = 0.5 * (line[at] + line[at + 1]);
      }
    }
  }
  for (Piece* half : {&result.first, &result.second}) half->lowest = lowest_of(half->coefficients);
  return result;
}

/// The corner where a polynomial is at most `bound`; its values there are coefficients.
std::optional<Point> low_corner(const Piece& piece, int degree, double bound) {
  for (std::size_t a = 0; a < 4; ++a) {
    GeometryNode corner{};
    corner[a] = degree;
    if (piece.coefficients[number_of_node(degree, corner)] <= bound) return piece.corners[a];
  }
  return std::nullopt;
}

}  // namespace

Eigen::MatrixXd bernstein_of_nodal(int order) {
  return bernstein_at_nodes(order).inverse();
}

DeterminantCheck::DeterminantCheck(int order) : order_(order) {
  if (order < 1 || order > CurvedCells::highest_order) {
    throw std::invalid_argument("DeterminantCheck: order " + std::to_string(order) + " is not in 1 to 9");
  }
  bernstein_of_nodal_ = bernstein_of_nodal(order);
  slope_ = geometry_nodes(order - 1);
  square_ = geometry_nodes(2 * (order - 1));
  cube_ = geometry_nodes(3 * (order - 1));
}

std::vector<double> DeterminantCheck::coefficients(std::span<const Point> nodes) const {
  using Coordinates = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;
  const Eigen::Map<const Coordinates> x(nodes.data()->data(), static_cast<Eigen::Index>(nodes.size()), 3);
  const Coordinates control = bernstein_of_nodal_ * x;
  // Derivatives by r, s, t are differences of coefficients, times order / 2; each with the factor of its polynomial.
  std::array<std::vector<Point>, 3> slope;
  for (const GeometryNode& of : slope_) {
    const auto at = [&](std::size_t a) {
      GeometryNode raised = of;
      ++raised[a];
      const auto row = static_cast<Eigen::Index>(number_of_node(order_, raised));
      return Point{control(row, 0), control(row, 1), control(row, 2)};
    };
    const double factor = 0.5 * order_ * multinomial(of);
    for (std::size_t d = 0; d < 3; ++d) {
      const Point difference = minus(at(d + 1), at(0));
      slope[d].push_back({factor * difference[0], factor * difference[1], factor * difference[2]});
    }
  }
  std::vector<Point> normal(square_.size(), Point{});
  add_products(slope_, slope[1], slope_, slope[2], normal,
               [](const Point& s, const Point& t, Point& to) { to = plus(to, cross(s, t)); });
  std::vector<double> determinant(cube_.size(), 0.0);
  add_products(slope_, slope[0], square_, normal, determinant,
               [](const Point& r, const Point& n, double& to) { to += dot(r, n); });
  for (std::size_t i = 0; i < cube_.size(); ++i) determinant[i] /= multinomial(cube_[i]);
  return determinant;
}

std::optional<Point> DeterminantCheck::find_not_positive(std::span<const Point> nodes, double sign) const {
  Piece whole{.corners = {{{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}}, .coefficients = coefficients(nodes)};
  for (double& coefficient : whole.coefficients) coefficient *= sign;
  whole.lowest = lowest_of(whole.coefficients);
  const double mean = std::accumulate(whole.coefficients.begin(), whole.coefficients.end(), 0.0) /
                      static_cast<double>(whole.coefficients.size());
  const double bound = std::max(0.0, least_part * mean);
  const int degree = degree_of(cube_);
  if (const auto corner = low_corner(whole, degree, bound)) return corner;
  std::priority_queue<Piece> pieces;
  pieces.push(std::move(whole));
  for (std::size_t n = 0; n < most_halvings; ++n) {
    if (pieces.top().lowest > 0) return std::nullopt;
    const auto [first, second] = halves(pieces.top(), cube_);
    pieces.pop();
    for (const Piece* half : {&first, &second}) {
      if (const auto corner = low_corner(*half, degree, bound)) return corner;
      pieces.push(*half);
    }
  }
  return pieces.top().corners[0];
}

}  // namespace maxwell_dg::dg
