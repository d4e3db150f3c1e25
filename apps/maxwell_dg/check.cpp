#include "apps/maxwell_dg/check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "apps/config/load.hpp"
#include "apps/maxwell_dg/frequency_outputs.hpp"
#include "apps/maxwell_dg/physics.hpp"
#include "apps/maxwell_dg/plan.hpp"
#include "apps/maxwell_dg/text.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg {
namespace {

double longest_edge(const dg::Mesh& mesh, std::size_t cell) {
  double longest = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const dg::Point& a = mesh.vertices[static_cast<std::size_t>(mesh.cells[cell][i])];
      const dg::Point& b = mesh.vertices[static_cast<std::size_t>(mesh.cells[cell][j])];
      longest = std::max(longest, std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
    }
  }
  return longest;
}

/// N nodes along the longest edge of the element that resolves the highest frequency worst.
double fewest_points_per_wavelength(const Plan& plan, double frequency) {
  const dg::Discretization& d = *plan.discretization;
  const dg::symbolic::Program speed{plan.problem.system.max_speed};
  std::vector<double> work(speed.size());
  double fewest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < d.K(); ++k) {
    double c = 0;
    speed.run(
        [&](const dg::symbolic::Symbol& s) { return plan.problem.parameters[static_cast<std::size_t>(s.index)][k]; },
        work, std::span(&c, 1));
    fewest = std::min(fewest, d.N() * c / (frequency * plan.scaling.frequency) / longest_edge(d.mesh, k));
  }
  return fewest;
}

}  // namespace

std::string check(const CommandLine& command) {
  const Plan plan = make_plan(load_config(command));
  const dg::Discretization& d = *plan.discretization;
  const std::string time_unit = plan.config.units == config::Units::si ? "s" : "";
  const double end = plan.config.end_time();
  const double frequency = highest_frequency(plan.config);

  std::string text = config::resolved_yaml(plan.config);
  if (!text.ends_with('\n')) text += '\n';
  const auto line = [&](const std::string& name, const std::string& value) {
    text += "# " + name + ": " + value + "\n";
  };
  text += "\n# forecast\n";
  line("device", plan.device.info().name + (plan.device_reason.empty() ? "" : " (" + plan.device_reason + ")"));
  line("elements", std::to_string(d.K()));
  line("dofs", std::to_string(std::llround(plan.dofs())));
  line("device memory", bytes_text(plan.device_bytes) + ", free are " + bytes_text(plan.device.free_bytes()) + " of " +
                            bytes_text(plan.device.info().memory_bytes));
  line("dt", with_prefix(end / static_cast<double>(plan.steps), time_unit));
  line("steps", std::to_string(plan.steps));
  if (frequency > 0) {
    line("points per wavelength", "at least " + brief(fewest_points_per_wavelength(plan, frequency)) + " at " +
                                      with_prefix(frequency, time_unit.empty() ? "" : "Hz"));
  }
  if (const auto sampling = fourier_sampling(plan)) {
    line("Fourier sums",
         "a sample every " + std::to_string(sampling->every) + (sampling->every == 1 ? " step" : " steps"));
  }
  line("time", std::to_string(plan.steps * plan.method->stages()) + " stages of " + brief(plan.dofs() / 1e9) +
                   " GDOF each: divide by the GDOF/s of this device (dg_bench)");
  return text;
}

}  // namespace maxwell_dg
