#include "dg/mesh/point.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace maxwell_dg::dg {

/// Without what is rounding beside the largest coordinate.
std::string text_of(const Point& p) {
  constexpr double rounding = 1e-12;
  const double size = std::max({std::abs(p[0]), std::abs(p[1]), std::abs(p[2])});
  const auto shown = [&](double x) { return std::abs(x) < rounding * size ? 0.0 : x; };
  std::ostringstream text;
  text << '(' << shown(p[0]) << ", " << shown(p[1]) << ", " << shown(p[2]) << ')';
  return text.str();
}

}  // namespace maxwell_dg::dg
