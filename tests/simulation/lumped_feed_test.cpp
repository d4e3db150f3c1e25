#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include "dg/mesh/face_map.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/reference/face_interpolation.hpp"
#include "dg/reference/triangle_quadrature.hpp"
#include "tests/simulation/boxes.hpp"
#include "tests/simulation/fixture.hpp"
#include "tests/support/named_faces.hpp"

/// What a lumped port says that an antenna accepts, against what is radiated and lost.
namespace maxwell_dg::testing {
namespace {

using simulation::Simulation;

constexpr double cell = 0.125, e = 1e-9;

/// Is it on the side of the block `wet` that looks along x?
bool is_beside_wet(const dg::Point& x) {
  return std::abs(x[0] - 2 * cell) < e && x[1] < 2 * cell + e && x[2] < 2 * cell + e;
}

/// A quarter of a block on a ground plane, fed across the gap below it by a film around that gap, with a block of
/// another region beside it: `wet` in `near` in `air` in a layer. With loads the upper half of its sides is another
/// film, `load`, between `arm` and `cap`, and the faces of is_beside_wet are `film`.
dg::Mesh monopole(bool has_loads = false) {
  constexpr double end = 1;
  const int across = static_cast<int>(std::lround(end / cell));
  const auto within = [](const dg::Point& x, double side, double from, double to) {
    return x[0] < side && x[1] < side && x[2] > from && x[2] < to;
  };
  dg::Mesh mesh = box_of_regions({.min = {0, 0, 0}, .max = {end, end, end}, .cells = {across, across, across}},
                                 [&](const dg::Point& x) -> std::string {
                                   if (within(x, cell, cell, 3 * cell)) return "";
                                   if (within(x, 2 * cell, 0, 2 * cell) && x[0] > cell) return "wet";
                                   const double largest = std::max({x[0], x[1], x[2]});
                                   return largest < 4 * cell ? "near" : largest < 5 * cell ? "air" : "layer";
                                 });
  for (const std::size_t axis : {0U, 1U}) {
    const auto beside_axis = [axis](const dg::Point& x) {
      return std::abs(x.at(axis) - cell) < e && x.at(1 - axis) < cell + e;
    };
    const auto between = [&](double from, double to) {
      return [=](const dg::Point& x) { return beside_axis(x) && x[2] > from - e && x[2] < to + e; };
    };
    name_faces(mesh, "gap", between(0, cell));
    name_faces(mesh, "arm", between(cell, 2 * cell));
    name_faces(mesh, has_loads ? "load" : "arm", between(2 * cell, 3 * cell));
  }
  for (const double z : {cell, 3 * cell}) {
    name_faces(mesh, has_loads && z > cell ? "cap" : "arm",
               [&](const dg::Point& x) { return std::abs(x[2] - z) < e && x[0] < cell + e && x[1] < cell + e; });
  }
  if (has_loads) name_faces(mesh, "film", is_beside_wet);
  dg::prepare(mesh, "monopole", dg::Orientation::any);
  return mesh;
}

constexpr const char* over_ground = R"yaml(units: normalized
mesh: {file: monopole.h5}
solver: {order: 4}
time: {until: {decay: "-60 dB"}, at_most: 60}
materials: [{region: "*"}]
boundaries: [{region: [arm, x_max, y_max, z_min, z_max], type: pec}]
pml: {region: layer, thickness: 0.375, shape: box}
symmetry: [{plane: x, kind: magnetic}, {plane: y, kind: magnetic}]
ports: [{name: feed, type: lumped, boundary: gap, impedance: 0.2, from: arm, to: z_min}]
sources: [{type: port, waveform: {type: gaussian_pulse, frequency: 0.9, bandwidth: 0.8}}]
outputs:
  far_field: {enclosing: [near, wet], frequencies: [0.7, 0.9, 1.1], theta: {step: 30}, phi: [0], ground: {}}
)yaml";

class LumpedFeeds : public SimulationTest {
 protected:
  LumpedFeeds() { dg::write_mesh(monopole(), folder() / "monopole.h5"); }
};

/// Of what V and I exchange the film takes a part, because the field in the gap is not even (docs/theory.md, Lumped
/// ports).
TEST_F(LumpedFeeds, radiate_what_they_accept) {
  Simulation run(load(over_ground));
  run.run();
  const dg::Table antenna = run.table("antenna");
  for (std::size_t i = 0; i < antenna.rows(); ++i) {
    const auto at = [&](const char* column) { return antenna.column(column)[i]; };
    EXPECT_NEAR(at("radiated_power") / at("accepted_power"), 1, 1e-3) << at("frequency");
    const double exchanged = at("incident_power") * (1 - std::pow(10, at("s11_db") / 10));
    EXPECT_GT(exchanged, 1.005 * at("accepted_power")) << at("frequency");
  }
}

/// sigma |E|^2 / 2 over a region, of the whole, by the fields at a frequency.
double loss_in(const dg::Discretization& d, const std::string& region, double sigma, const dg::Snapshot& fields,
               double parts) {
  const auto number = std::ranges::find(d.mesh.regions, region) - d.mesh.regions.begin();
  const auto Np = static_cast<Eigen::Index>(d.Np());
  double sum = 0;
  for (std::size_t k = 0; k < d.K(); ++k) {
    if (d.mesh.cell_region[k] != number) continue;
    for (const dg::Snapshot::Quantity& quantity : fields.quantities) {
      for (const std::vector<double>& component : quantity.components) {
        const Eigen::Map<const Eigen::VectorXd> nodal(component.data() + k * dg::index(d.Np()), Np);
        sum += std::abs(d.geometry.J[k]) * nodal.dot(d.reference.M * nodal);
      }
    }
  }
  return parts * sigma * sum / 2;
}

/// |E_t|^2 / (2 R) over the faces of is_beside_wet, of the whole: the mean of what both sides have.
double loss_beside_wet(const dg::Discretization& d, double resistance, const dg::Snapshot& fields, double parts) {
  const auto points = dg::TriangleQuadrature::exact_to(2 * d.N());
  const Eigen::MatrixXd to_points = dg::face_interpolation(d.reference, points);
  const dg::FaceMap map(d.mesh, points);
  const std::vector<std::int32_t> nodes = d.reference.face_nodes();
  const auto Nfp = static_cast<std::size_t>(d.Nfp());
  double sum = 0;
  for (std::size_t k = 0; k < d.K(); ++k) {
    for (std::size_t f = 0; f < 4; ++f) {
      const bool is_there = std::ranges::all_of(dg::face_vertices.at(f), [&](std::size_t corner) {
        return is_beside_wet(d.mesh.vertices[dg::index(d.mesh.cells[k].at(corner))]);
      });
      if (!is_there) continue;
      const std::vector<double> weights = dg::area_weights(map.at({k, static_cast<int>(f)}), points);
      const Eigen::Map<const Eigen::VectorXd> weight(weights.data(), static_cast<Eigen::Index>(weights.size()));
      for (const dg::Snapshot::Quantity& quantity : fields.quantities) {
        for (const std::size_t tangential : {1U, 2U}) {
          Eigen::VectorXd nodal(d.Nfp());
          for (std::size_t i = 0; i < Nfp; ++i) {
            nodal[static_cast<Eigen::Index>(i)] =
                quantity.components[tangential][k * dg::index(d.Np()) + dg::index(nodes[f * Nfp + i])];
          }
          sum += weight.dot((to_points * nodal).cwiseAbs2());
        }
      }
    }
  }
  return parts * sum / (2 * resistance) / 2;
}

/// In a conductivity and a pole, in a thin film and in a resistor: each takes so much that the balance would miss it.
TEST_F(LumpedFeeds, lose_what_they_accept_and_do_not_radiate) {
  constexpr double sigma = 0.5, delta_epsilon = 2, tau = 0.2, resistance = 2;
  dg::write_mesh(monopole(true), folder() / "monopole.h5");
  std::map<double, dg::Snapshot> fields;
  Simulation run(
      load(over_ground,
           {("materials=[{region: wet, epsilon_r: 2, sigma: 0.5, dispersion: [{model: debye, delta_epsilon: 2, tau: "
             "0.2}]}, {region: \"*\"}]"),
            ("boundaries=[{region: [arm, cap, x_max, y_max, z_min, z_max], type: pec}, {region: film, type: sheet, "
             "resistance: 2}]"),
            ("ports=[{name: feed, type: lumped, boundary: gap, impedance: 0.2, from: arm, to: z_min}, {name: load, "
             "type: lumped, boundary: load, impedance: 0.5, from: cap, to: arm}]"),
            "sources.0.ports=feed", "outputs.frequency_fields={frequencies: [0.7, 0.9, 1.1], quantities: [E]}"}),
      {.on_snapshot = [&](const dg::Snapshot& s) { fields[s.at] = s; }});
  run.run();
  const dg::Discretization& d = *run.plan().discretization;
  const dg::Table antenna = run.table("antenna");
  ASSERT_EQ(antenna.rows(), 3U);
  for (std::size_t i = 0; i < antenna.rows(); ++i) {
    const auto at = [&](const char* column) { return antenna.column(column)[i]; };
    const double omega = 2 * std::numbers::pi * at("frequency"), accepted = at("accepted_power");
    const dg::Snapshot& E = fields.at(at("frequency"));
    const double of_pole = omega * delta_epsilon * omega * tau / (1 + std::pow(omega * tau, 2));
    const double in_wet = loss_in(d, "wet", sigma + of_pole, E, 4), in_film = loss_beside_wet(d, resistance, E, 4);
    const double in_load = at("coupled_power");
    for (const double share : {in_wet * of_pole / (sigma + of_pole), in_film, in_load, at("radiated_power")}) {
      EXPECT_GT(share, 0.02 * accepted) << at("frequency");
    }
    EXPECT_NEAR((at("radiated_power") + in_wet + in_film + in_load) / accepted, 1, 1e-3) << at("frequency");
    EXPECT_NEAR(at("lost_power") / accepted, (in_wet + in_film) / accepted, 1e-3) << at("frequency");
  }
}

}  // namespace
}  // namespace maxwell_dg::testing
