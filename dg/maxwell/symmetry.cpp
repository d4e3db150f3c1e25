#include "dg/maxwell/symmetry.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "dg/mesh/box_tree.hpp"

namespace maxwell_dg::dg::maxwell {
namespace {

MirrorImage mirrored(MirrorImage image, const SymmetryPlane& plane) {
  const bool is_electric = plane.kind == SymmetryPlane::Kind::electric;
  for (std::size_t i = 0; i < 3; ++i) {
    const double reflection = i == plane.axis ? -1 : 1;
    image.position.at(i) *= reflection;
    image.E.at(i) *= is_electric ? -reflection : reflection;
    image.H.at(i) *= is_electric ? reflection : -reflection;
  }
  return image;
}

}  // namespace

std::string name_of(const SymmetryPlane& plane) {
  return std::string(1, "xyz"[plane.axis]) + " = 0";
}

std::vector<MirrorImage> mirror_images(std::span<const SymmetryPlane> planes) {
  std::vector<MirrorImage> images(1);
  for (const SymmetryPlane& plane : planes) {
    const std::size_t count = images.size();
    for (std::size_t i = 0; i < count; ++i) images.push_back(mirrored(images[i], plane));
  }
  return images;
}

double parts_of_whole(std::span<const SymmetryPlane> planes) {
  return static_cast<double>(mirror_images(planes).size());
}

int add_symmetry(System& system, SymmetryPlane::Kind kind) {
  const bool is_electric = kind == SymmetryPlane::Kind::electric;
  const std::string name = is_electric ? "symmetry_electric" : "symmetry_magnetic";
  if (const int present = system.find_boundary(name); present >= 0) return present;
  const System::Condition* wall = system.find_condition(is_electric ? "pec" : "pmc");
  if (wall == nullptr) throw std::invalid_argument("add_symmetry: " + system.name + " has no pec and pmc");
  system.boundaries.push_back({.name = name,
                               .outside = wall->outside({}),
                               .traits = {.is_symmetry = true, .no_tangential = wall->traits.no_tangential}});
  return static_cast<int>(system.boundaries.size()) - 1;
}

double symmetry_tolerance(const Mesh& mesh) {
  return symmetry_tolerance(bounding_box(mesh.vertices));
}

double symmetry_tolerance(const BoundingBox& box) {
  return 1e-6 * box.diagonal();
}

bool lies_in(const SymmetryPlane& plane, const Mesh& mesh, std::size_t element, int face, double tolerance) {
  return std::ranges::all_of(face_vertices.at(index(face)), [&](std::size_t corner) {
    return std::abs(mesh.vertices[index(mesh.cells[element].at(corner))].at(plane.axis)) < tolerance;
  });
}

const SymmetryPlane* plane_of_edge(const Mesh& mesh, std::span<const SymmetryPlane> planes, std::int32_t from,
                                   std::int32_t to) {
  const double tolerance = planes.empty() ? 0 : symmetry_tolerance(mesh);
  const auto found = std::ranges::find_if(planes, [&](const SymmetryPlane& plane) {
    return std::abs(mesh.vertices[index(from)].at(plane.axis)) < tolerance &&
           std::abs(mesh.vertices[index(to)].at(plane.axis)) < tolerance;
  });
  return found == planes.end() ? nullptr : &*found;
}

}  // namespace maxwell_dg::dg::maxwell
