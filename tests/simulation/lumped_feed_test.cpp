#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include "dg/mesh/mesh.hpp"
#include "tests/simulation/boxes.hpp"
#include "tests/simulation/fixture.hpp"
#include "tests/support/named_faces.hpp"

/// What a lumped port says that an antenna accepts, against what is radiated and lost.
namespace maxwell_dg::testing {
namespace {

using simulation::Simulation;

constexpr double cell = 0.125;

/// A quarter of a block on a ground plane, fed across the gap below it by a film around that gap, with a block of
/// another region beside it: `wet` in `near` in `air` in a layer.
dg::Mesh monopole() {
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
  constexpr double e = 1e-9;
  for (const std::size_t axis : {0U, 1U}) {
    const auto beside_axis = [axis](const dg::Point& x) {
      return std::abs(x.at(axis) - cell) < e && x.at(1 - axis) < cell + e;
    };
    name_faces(mesh, "gap", [&](const dg::Point& x) { return beside_axis(x) && x[2] < cell + e; });
    name_faces(mesh, "arm",
               [&](const dg::Point& x) { return beside_axis(x) && x[2] > cell - e && x[2] < 3 * cell + e; });
  }
  for (const double z : {cell, 3 * cell}) {
    name_faces(mesh, "arm",
               [&](const dg::Point& x) { return std::abs(x[2] - z) < e && x[0] < cell + e && x[1] < cell + e; });
  }
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

TEST_F(LumpedFeeds, lose_what_they_accept_and_do_not_radiate) {
  constexpr double sigma = 1;
  std::map<double, dg::Snapshot> fields;
  Simulation run(load(over_ground, {"materials=[{region: wet, epsilon_r: 2, sigma: 1}, {region: \"*\"}]",
                                    "outputs.frequency_fields={frequencies: [0.7, 0.9, 1.1], quantities: [E]}"}),
                 {.on_snapshot = [&](const dg::Snapshot& s) { fields[s.at] = s; }});
  run.run();
  const dg::Table antenna = run.table("antenna");
  for (std::size_t i = 0; i < antenna.rows(); ++i) {
    const auto at = [&](const char* column) { return antenna.column(column)[i]; };
    const double lost = loss_in(*run.plan().discretization, "wet", sigma, fields.at(at("frequency")), 4);
    EXPECT_GT(lost, 0.05 * at("accepted_power"));
    EXPECT_NEAR((at("radiated_power") + lost) / at("accepted_power"), 1, 1e-3) << at("frequency");
    EXPECT_NEAR(at("lost_power") / at("accepted_power"), lost / at("accepted_power"), 1e-3);
  }
}

}  // namespace
}  // namespace maxwell_dg::testing
