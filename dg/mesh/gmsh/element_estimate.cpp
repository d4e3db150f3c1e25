#include "dg/mesh/gmsh/element_estimate.hpp"

#include <array>
#include <cstdio>

#include <gmsh.h>

#include "core/error.hpp"
#include "dg/mesh/point.hpp"

namespace maxwell_dg::dg {
namespace {

/// Two digits are all that an estimate has.
std::string rounded(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2g", number);
  return text.data();
}

/// 0 of what Gmsh's own kernel has drawn.
double volume_of_open_cascade() {
  gmsh::vectorpair volumes;
  gmsh::model::occ::getEntities(volumes, 3);
  double sum = 0;
  for (const auto& [dimension, tag] : volumes) {
    double volume = 0;
    gmsh::model::occ::getMass(dimension, tag, volume);
    sum += volume;
  }
  return sum;
}

double diagonal() {
  Point low{}, high{};
  gmsh::model::getBoundingBox(-1, -1, low[0], low[1], low[2], high[0], high[1], high[2]);
  return distance(low, high);
}

std::string other_unit(MeshFileKind kind) {
  if (kind == MeshFileKind::step || kind == MeshFileKind::iges)
    return ", or mesh.scale, if the file's own unit is wrong";
  return std::string(", or mesh.scale: ") + (is_cad(kind) ? "a BREP file has no unit, and its" : "a script's") +
         " numbers are metres unless that says otherwise (0.001: millimetres)";
}

}  // namespace

std::string estimate_elements(const GmshRequest& request) {
  constexpr double many = 1e6;
  const double size = request.meshing.size;
  if (size == 0) return "";
  if (size > diagonal()) {
    return "mesh.size is longer than the whole geometry, so that it bounds no edge: take a smaller one, and look at "
           "its unit";
  }
  const double elements = estimated_elements(volume_of_open_cascade(), size);
  if (elements < many) return "";
  const std::string estimate = "about " + rounded(elements) + " tetrahedra";
  if (elements <= most_estimated_elements) {
    return "Gmsh will make " + estimate + ", by the volume and mesh.size; that may take minutes";
  }
  throw MeshError("mesh.size is " + rounded(size / diagonal()) +
                  " times the diagonal of the geometry, whose volume then has " + estimate + ", more than the " +
                  rounded(most_estimated_elements) + " that the program lets Gmsh make: take a larger mesh.size" +
                  other_unit(request.kind()));
}

}  // namespace maxwell_dg::dg
