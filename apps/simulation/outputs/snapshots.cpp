#include "apps/simulation/outputs/snapshots.hpp"

#include "apps/simulation/outputs/observers.hpp"
#include "core/mpi/of_all.hpp"
#include "dg/observe/files/field_groups.hpp"

namespace maxwell_dg::simulation {
namespace {

/// Fields hardly shrink, and base64 makes four bytes of three. Coordinates and connectivity do.
constexpr double base64 = 4.0 / 3;
constexpr double of_coordinates = 0.4, of_connectivity = 0.25;  // 0.25 in boxes, more in other meshes

struct Grid {
  double points{};
  std::size_t reals{};  ///< a point, beside its coordinates
};

double bytes_of(const Plan& plan, const Grid& grid) {
  const double real = plan.config.solver.precision == Dtype::float32 ? 4 : 8;
  const double connectivity = 4;
  return base64 * grid.points *
         (static_cast<double>(grid.reals) * real + of_coordinates * 3 * real + of_connectivity * connectivity);
}

std::size_t reals_of(const Plan& plan, const std::vector<std::string>& quantities) {
  std::size_t reals = 0;
  std::vector<std::string> fields = quantities;
  reals += 3 * std::erase(fields, dg::surface_current);
  if (fields.empty() && !quantities.empty()) return reals;
  for (const dg::FieldGroup& group : dg::select_field_groups(plan.problem.system.fields, fields)) {
    reals += group.fields.size();
  }
  return reals;
}

}  // namespace

std::vector<Snapshots> snapshots(const Plan& plan) {
  const config::Outputs& outputs = plan.config.outputs;
  const dg::Discretization& d = *plan.discretization;
  const double points = static_cast<double>(plan.whole.elements) * d.Np();
  std::vector<Snapshots> result;
  if (outputs.fields) {
    result.push_back({"fields", snapshot_steps(plan, *outputs.fields).size(),
                      bytes_of(plan, {points, reals_of(plan, outputs.fields->quantities)})});
  }
  if (outputs.surface_fields) {
    const auto mine = static_cast<double>(plan.surface_faces.faces.size());
    const double on_faces = core::sum_of(plan.ranks_with_parts(), mine) * d.Nfp();
    result.push_back({"surface_fields", snapshot_steps(plan, *outputs.surface_fields).size(),
                      bytes_of(plan, {on_faces, reals_of(plan, outputs.surface_fields->quantities)})});
  }
  if (outputs.frequency_fields) {
    result.push_back({"frequency_fields", outputs.frequency_fields->frequencies.size(),
                      bytes_of(plan, {points, 2 * reals_of(plan, outputs.frequency_fields->quantities)})});
  }
  return result;
}

}  // namespace maxwell_dg::simulation
