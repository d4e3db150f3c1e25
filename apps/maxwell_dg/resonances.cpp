#include "apps/maxwell_dg/resonances.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <stdexcept>

#include "core/atomic_file.hpp"
#include "core/log.hpp"
#include "dg/observe/csv_file.hpp"
#include "dg/observe/csv_table.hpp"
#include "dg/observe/harmonic_inversion.hpp"

namespace maxwell_dg {

std::vector<std::string> write_resonances(const Plan& plan) {
  if (!plan.config.outputs.resonances) return {};
  const config::ResonanceOutput& asked = *plan.config.outputs.resonances;
  const auto& directory = plan.config.outputs.directory;
  const dg::CsvTable table(directory / "probes.csv");
  const std::vector<double>& time = table.column("time");
  const auto first = static_cast<std::size_t>(std::ranges::lower_bound(time, asked.start) - time.begin());
  const double dt = time.size() > 1 ? (time.back() - time.front()) / static_cast<double>(time.size() - 1) : 0.0;

  std::string text = "probe,field,frequency,q,amplitude,error\n";
  for (const std::string& probe : asked.probes) {
    // In its strongest field, each in its own unit: E in V/m, H as the E that goes with it.
    std::span<const double> strongest;
    std::string field;
    double largest = -1;
    for (std::size_t f = 0; f < plan.problem.system.fields.size(); ++f) {
      const std::string& name = plan.problem.system.fields[f];
      const auto signal = std::span<const double>(table.column(probe + "." + name)).subspan(first);
      double size = 0;
      for (const double q : signal) size = std::max(size, std::abs(q));
      size /= plan.file_scaling.fields[f];
      if (size > largest) {
        largest = size;
        strongest = signal;
        field = name;
      }
    }
    try {
      for (const dg::Resonance& r :
           dg::harmonic_inversion(strongest, dt, 2 * std::numbers::pi * asked.from, 2 * std::numbers::pi * asked.to)) {
        text += probe + "," + field + "," + dg::shortest(r.frequency()) + "," + dg::shortest(r.Q()) + "," +
                dg::shortest(2 * std::abs(r.amplitude)) + "," + dg::shortest(r.error) + "\n";
      }
    } catch (const std::invalid_argument& error) {
      log_warning(plan.config.blame("outputs.resonances", "probe " + probe + ": " + error.what() +
                                                              "; let the run last longer, or widen the band"));
    }
  }
  write_file_atomically(directory / "resonances.csv", text);
  return {"resonances.csv"};
}

}  // namespace maxwell_dg
