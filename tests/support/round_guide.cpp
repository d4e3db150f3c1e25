#include "tests/support/round_guide.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include "dg/mesh/curved/curved_mesh.hpp"

namespace maxwell_dg::testing {
namespace {

double level(const dg::Point& x) {
  return std::max(std::abs(x[0]), std::abs(x[1]));
}

/// From the square around the axis to the circle, each side to a quarter of it by the angle, more and more outwards
/// where there is no conductor in the middle.
dg::Point made_round(const dg::Point& x, const RoundGuide& guide) {
  const double l = level(x);
  if (l == 0) return x;
  const double blend = guide.inner > 0 ? 1 : std::pow(l / guide.outer, 2);
  const bool is_beside_x = std::abs(x[0]) >= std::abs(x[1]);
  const double along = is_beside_x ? x[0] : x[1], across = is_beside_x ? x[1] : x[0];
  const double angle = std::numbers::pi / 4 * across / along;
  const double round_along = along * std::cos(angle), round_across = along * std::sin(angle);
  const dg::Point round =
      is_beside_x ? dg::Point{round_along, round_across, 0} : dg::Point{round_across, round_along, 0};
  return {x[0] + blend * (round[0] - x[0]), x[1] + blend * (round[1] - x[1]), x[2]};
}

}  // namespace

dg::Mesh with_mirror_image(const dg::Mesh& part, std::size_t axis) {
  constexpr double in_plane = 1e-9;
  dg::Mesh whole = part;
  const auto is_in_plane = [&](std::int32_t v) { return std::abs(part.vertices[dg::index(v)][axis]) < in_plane; };
  std::vector<std::int32_t> image;
  for (std::int32_t v = 0; dg::index(v) < part.vertices.size(); ++v) {
    image.push_back(is_in_plane(v) ? v : static_cast<std::int32_t>(whole.vertices.size()));
    if (is_in_plane(v)) continue;
    dg::Point x = part.vertices[dg::index(v)];
    x[axis] = -x[axis];
    whole.vertices.push_back(x);
  }
  for (std::size_t k = 0; k < part.cells.size(); ++k) {
    auto cell = part.cells[k];
    for (std::int32_t& v : cell) v = image[dg::index(v)];
    whole.cells.push_back(cell);
    whole.cell_region.push_back(part.cell_region[k]);
  }
  std::erase_if(whole.surface_faces,
                [&](const dg::Mesh::SurfaceFace& face) { return std::ranges::all_of(face.vertices, is_in_plane); });
  for (dg::Mesh::SurfaceFace face : part.surface_faces) {
    if (std::ranges::all_of(face.vertices, is_in_plane)) continue;
    for (std::int32_t& v : face.vertices) v = image[dg::index(v)];
    std::ranges::sort(face.vertices);
    whole.surface_faces.push_back(face);
  }
  std::ranges::sort(whole.surface_faces, {}, &dg::Mesh::SurfaceFace::vertices);
  return whole;
}

dg::Mesh make_round_guide(const RoundGuide& guide) {
  dg::Mesh mesh = dg::make_box({.min = {0, 0, 0},
                                .max = {guide.outer, guide.outer, guide.length},
                                .cells = {guide.cells, guide.cells, guide.layers}});
  std::vector<std::array<std::int32_t, 4>> cells;
  for (const auto& cell : mesh.cells) {
    if (level(centroid(mesh, cell)) > guide.inner) cells.push_back(cell);
  }
  mesh.cells = cells;
  mesh.cell_region.assign(cells.size(), 0);
  // The faces of the wall have no names in the box where the inner conductor was cut out: all are named anew.
  mesh.surfaces = {"z_min", "z_max", "x_min", "y_min", "wall"};
  mesh.surface_faces.clear();
  std::vector<std::array<std::int32_t, 3>> faces;
  for (const auto& cell : cells) {
    for (const auto& corners : dg::face_vertices) {
      faces.push_back({cell[corners[0]], cell[corners[1]], cell[corners[2]]});
    }
  }
  std::ranges::sort(faces);
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const bool is_inner = (i > 0 && faces[i] == faces[i - 1]) || (i + 1 < faces.size() && faces[i] == faces[i + 1]);
    if (is_inner) continue;
    const auto lies = [&](std::size_t axis, double at) {
      return std::ranges::all_of(faces[i], [&](std::int32_t v) {
        return std::abs(mesh.vertices[dg::index(v)][axis] - at) < 1e-9 * guide.outer;
      });
    };
    const int surface = lies(2, 0) ? 0 : lies(2, guide.length) ? 1 : lies(0, 0) ? 2 : lies(1, 0) ? 3 : 4;
    mesh.surface_faces.push_back({faces[i], surface});
  }
  for (const std::size_t axis : {0U, 1U}) {
    if (guide.whole.at(axis)) mesh = with_mirror_image(mesh, axis);
  }
  dg::prepare(mesh, "round guide", dg::Orientation::any);
  if (guide.order == 1) {
    for (dg::Point& x : mesh.vertices) x = made_round(x, guide);
  } else {
    dg::curve(mesh, guide.order, [&](const dg::Point& x) { return made_round(x, guide); });
  }
  dg::prepare(mesh, "round guide", dg::Orientation::any);
  return mesh;
}

}  // namespace maxwell_dg::testing
