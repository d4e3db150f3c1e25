#include "dg/mesh/point.hpp"

#include <sstream>

namespace maxwell_dg::dg {

std::string text_of(const Point& p) {
  std::ostringstream text;
  text << '(' << p[0] << ", " << p[1] << ", " << p[2] << ')';
  return text.str();
}

}  // namespace maxwell_dg::dg
