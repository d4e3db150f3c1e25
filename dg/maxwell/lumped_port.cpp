#include "dg/maxwell/lumped_port.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include <Eigen/Dense>

#include "dg/maxwell/face_edges.hpp"
#include "dg/maxwell/face_elements.hpp"
#include "dg/maxwell/film_power.hpp"
#include "dg/maxwell/medium.hpp"
#include "dg/maxwell/static_field.hpp"

namespace maxwell_dg::dg::maxwell {
namespace {

std::set<Edge> all_edges_of(const Mesh& mesh, const std::vector<ElementFace>& faces) {
  std::set<Edge> edges;
  for (const ElementFace& f : faces) {
    for (const Edge& edge : edges_of(mesh, f)) edges.insert(edge);
  }
  return edges;
}

/// The face that is the other side of it; none on the outside of the mesh.
std::optional<ElementFace> other_side(const Discretization& d, const ElementFace& f) {
  const std::int32_t n = d.connectivity.neighbours[f.element].at(static_cast<std::size_t>(f.face));
  if (n < 0) return std::nullopt;
  return ElementFace{index(n / 4), n % 4};
}

/// Each face once, from one side of it.
std::vector<ElementFace> one_side(const Discretization& d, const std::vector<ElementFace>& faces) {
  std::vector<ElementFace> result;
  std::size_t inside = 0;
  for (const ElementFace& f : faces) {
    const std::optional<ElementFace> other = other_side(d, f);
    if (other) ++inside;
    if (!other || f < *other) result.push_back(f);
  }
  if (inside > 0 && inside < faces.size()) {
    throw std::invalid_argument(
        "has faces between elements and others on the outside of the mesh; give each kind a name of its own");
  }
  return result;
}

/// Throws unless every connected part of the faces meets both conductors.
void require_span(const Mesh& mesh, const std::vector<ElementFace>& faces, const std::set<Edge>& from,
                  const std::set<Edge>& to) {
  std::map<std::int32_t, std::int32_t> joined;  // [vertex] a vertex of the same part
  const auto root = [&](std::int32_t v) {
    while (joined.try_emplace(v, v).first->second != v) v = joined.at(v);
    return v;
  };
  std::map<std::int32_t, std::array<bool, 2>> meets;  // [root]
  for (const ElementFace& f : faces) {
    for (const auto& [a, b] : edges_of(mesh, f)) joined[root(a)] = root(b);
  }
  for (const ElementFace& f : faces) {
    for (const Edge& edge : edges_of(mesh, f)) {
      std::array<bool, 2>& of_part = meets[root(edge[0])];
      of_part[0] = of_part[0] || from.contains(edge);
      of_part[1] = of_part[1] || to.contains(edge);
    }
  }
  for (const auto& [vertex, met] : meets) {
    if (met[0] && met[1]) continue;
    const std::string where = " near " + text_of(mesh.vertices[index(vertex)]);
    if (!met[0] && !met[1]) throw std::invalid_argument("has faces" + where + " that no edge of a conductor meets");
    throw std::invalid_argument(std::string("meets the conductor `") + (met[0] ? "from" : "to") + "` along an edge" +
                                where + ", but not `" + (met[0] ? "to" : "from") +
                                "`: its faces must span the gap from one to the other");
  }
}

/// The potential, NaN where it is not held.
Eigen::VectorXd held_by(const Mesh& mesh, const FaceElements& elements, const std::vector<ElementFace>& faces,
                        const std::set<Edge>& from, const std::set<Edge>& to) {
  Eigen::VectorXd values = Eigen::VectorXd::Constant(elements.size(), std::numeric_limits<double>::quiet_NaN());
  for (const Edge& edge : all_edges_of(mesh, faces)) {
    for (const auto& [conductor, potential] : {std::pair{&from, 1.0}, std::pair{&to, 0.0}}) {
      if (!conductor->contains(edge)) continue;
      for (const int n : elements.on_edge(edge[0], edge[1])) {
        if (!std::isnan(values(n)) && values(n) != potential) {
          throw std::invalid_argument("has its two conductors touch each other at " +
                                      text_of(elements.positions()[static_cast<std::size_t>(n)]) +
                                      ", which is a short circuit");
        }
        values(n) = potential;
      }
    }
  }
  return values;
}

/// Throws where an edge of the faces lies on metal of neither conductor: there tangential E vanishes, while the mode's
/// field runs along each edge that is not one of a conductor. Metal that touches the faces at a vertex does no harm.
void require_free_sides(const Discretization& d, const Problem& problem, const std::vector<ElementFace>& faces,
                        const std::set<Edge>& from, const std::set<Edge>& to, std::span<const SymmetryPlane> symmetry) {
  const auto joined = [&](const Edge& edge) {
    if (d.mesh.identity.empty()) return edge;
    const auto [least, most] = std::minmax(d.mesh.identity[index(edge[0])], d.mesh.identity[index(edge[1])]);
    return Edge{least, most};
  };
  std::map<Edge, Edge> free;  // as periodic surfaces join its vertices, and as the faces have it
  for (const Edge& edge : all_edges_of(d.mesh, faces)) {
    if (!from.contains(edge) && !to.contains(edge)) free.emplace(joined(edge), edge);
  }
  const std::set<ElementFace> own(faces.begin(), faces.end());
  for (std::size_t b = 0; b < d.connectivity.boundary_faces.size(); ++b) {
    const Connectivity::BoundaryFace& at = d.connectivity.boundary_faces[b];
    const System::Boundary& condition = condition_at(problem, b);
    const ElementFace face{index(at.cell), at.face};
    if ((!condition.traits.conducts && condition.traits.no_tangential != "E") || own.contains(face)) continue;
    for (const Edge& edge : edges_of(d.mesh, face)) {
      const auto found = free.find(joined(edge));
      if (found == free.end()) continue;
      const std::string where = text_of(centroid(d.mesh, found->second));
      if (condition.traits.is_symmetry) {
        const SymmetryPlane* plane = plane_of_edge(d.mesh, symmetry, found->second[0], found->second[1]);
        throw std::invalid_argument("has an edge near " + where + " in the electric plane of symmetry" +
                                    (plane == nullptr ? "" : " " + name_of(*plane)) +
                                    ", which shorts the field along it: only a magnetic plane may cut it");
      }
      throw std::invalid_argument(
          "has an edge near " + where + " on " +
          (at.surface < 0 ? "a surface without a name" : "'" + d.mesh.surfaces[index(at.surface)] + "'") +
          ", metal that is neither `from` nor `to` and shorts the field along it: leave a gap between them, let a "
          "magnetic wall (pmc) end it there, or give the metal the name of the conductor whose part it is");
    }
  }
}

/// The same mode on both sides of its faces, whose nodes have the same order on both.
PortMode on_both_sides(const Discretization& d, const PortMode& mode) {
  std::vector<std::pair<ElementFace, std::size_t>> sides;
  for (std::size_t f = 0; f < mode.faces.size(); ++f) {
    sides.emplace_back(mode.faces[f], f);
    sides.emplace_back(other_side(d, mode.faces[f]).value(), f);
  }
  std::ranges::sort(sides);
  PortMode result{.faces = {}, .e = {}, .weight = {}, .weight_of_H = {}, .of_interpolated = mode.of_interpolated};
  const auto Nfp = static_cast<std::size_t>(d.Nfp());
  for (const auto& [face, f] : sides) {
    const bool is_other = face != mode.faces[f];
    result.faces.push_back(face);
    for (std::size_t i = f * Nfp; i < (f + 1) * Nfp; ++i) {
      result.e.push_back(mode.e[i]);
      result.weight.push_back(mode.weight[i]);
      result.weight_of_H.push_back(is_other ? minus({}, mode.weight_of_H[i]) : mode.weight_of_H[i]);
    }
  }
  return result;
}

/// sqrt(epsilon/mu) at each face of the mode and on the other side of it.
void find_admittances(const Discretization& d, const Problem& problem, PortMode& mode) {
  const std::vector<double> Z = in_each_element(problem, impedance(problem.system, symbolic::Side::inside), d.K());
  const auto of_element = [&](std::size_t k) {
    if (problem.varying.find(k) >= 0) throw std::invalid_argument("touches a medium that varies within elements");
    return 1 / Z[k];
  };
  for (const ElementFace& f : mode.faces) {
    const std::optional<ElementFace> other = other_side(d, f);
    mode.film->admittances.push_back(of_element(f.element));
    mode.film->beyond.push_back(other ? of_element(other->element) : 0.0);
  }
}

}  // namespace

PortMode lumped_mode(const Discretization& d, const Problem& problem, Gap gap, double resistance,
                     std::span<const SymmetryPlane> symmetry) {
  if (gap.faces.empty()) throw std::invalid_argument("has no faces");
  std::ranges::sort(gap.faces);
  const std::vector<ElementFace> faces = one_side(d, gap.faces);
  const std::set<Edge> from = all_edges_of(d.mesh, gap.from), to = all_edges_of(d.mesh, gap.to);
  require_span(d.mesh, faces, from, to);
  const FaceElements elements(d, faces);
  const auto stiffness = elements.stiffness();
  Eigen::VectorXd potential = held_by(d.mesh, elements, faces, from, to);
  require_free_sides(d, problem, gap.faces, from, to, symmetry);
  make_harmonic(stiffness, potential);
  const double parts = parts_of_whole(symmetry);
  const double squares = parts * potential.dot(stiffness * potential);
  const bool is_inside = faces.size() < gap.faces.size();
  PortMode mode = mode_of_form(d, faces, {}, elements.gradient(-potential), parts);
  if (is_inside) mode = on_both_sides(d, mode);
  mode.line_impedance = resistance;
  mode.film = LumpedFilm{.resistance = resistance * squares, .squares = squares, .is_inside = is_inside};
  find_admittances(d, problem, mode);
  mode.film->quadrature = film_quadrature(d, mode, parts);
  return mode;
}

}  // namespace maxwell_dg::dg::maxwell
