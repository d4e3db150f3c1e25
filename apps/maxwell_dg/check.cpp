#include "apps/maxwell_dg/check.hpp"

#include <cmath>

#include "apps/config/load.hpp"
#include "apps/maxwell_dg/frequency_outputs.hpp"
#include "apps/maxwell_dg/mesh_warnings.hpp"
#include "apps/maxwell_dg/physics.hpp"
#include "apps/maxwell_dg/plan.hpp"
#include "apps/maxwell_dg/ports.hpp"
#include "apps/maxwell_dg/text.hpp"

namespace maxwell_dg {

std::string check(const CommandLine& command) {
  const Plan plan = make_plan(load_config(command));
  warn_of_mesh(plan);
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
    line("points per wavelength", "at least " + brief(worst_resolution(plan, frequency).points_per_wavelength) +
                                      " at " + with_prefix(frequency, time_unit.empty() ? "" : "Hz"));
  }
  for (std::size_t p = 0; p < plan.ports.size(); ++p) line("port " + plan.config.ports[p].name, describe_port(plan, p));
  if (const auto sampling = fourier_sampling(plan)) {
    line("Fourier sums",
         "a sample every " + std::to_string(sampling->every) + (sampling->every == 1 ? " step" : " steps"));
  }
  line("time", std::to_string(plan.steps * plan.method->stages()) + " stages of " + brief(plan.dofs() / 1e9) +
                   " GDOF each: divide by the GDOF/s of this device (dg_bench)");
  return text;
}

}  // namespace maxwell_dg
