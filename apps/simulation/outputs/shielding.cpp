#include "apps/simulation/outputs/shielding.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "apps/config/named_parts.hpp"
#include "apps/simulation/blame.hpp"
#include "apps/simulation/checks/incident_checks.hpp"
#include "apps/simulation/physics.hpp"
#include "apps/simulation/wave_terms.hpp"
#include "core/error.hpp"
#include "core/mpi/first_error.hpp"
#include "dg/maxwell/plane_wave.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::simulation {
namespace {

namespace maxwell = dg::maxwell;

constexpr const char* shielding_key = "outputs.probe_spectra.shielding";

bool is_asked_for(const Plan& plan) {
  return plan.config.outputs.probe_spectra && plan.config.outputs.probe_spectra->shielding;
}

/// That is asked for.
bool is_chosen(const Plan& plan, const std::string& name) {
  return std::ranges::count(plan.config.outputs.probe_spectra->probes, name) > 0;
}

/// [Ex Ey Ez Hx Hy Hz] of a wave of amplitude 1 and phase 0 at the origin, in the units of files.
std::array<std::complex<double>, 6> incident_phasors(const Plan& plan, const config::PlaneWave& source,
                                                     const dg::Point& x, double frequency) {
  const double omega = 2 * std::numbers::pi * frequency * plan.scaling.frequency;
  maxwell::PlaneWave wave = direction_of_wave(source);
  wave.medium = plan.wave_medium.value();
  std::array<std::complex<double>, 6> phasors{};
  for (const bool is_real : {true, false}) {
    const dg::symbolic::Expr angle = omega * dg::symbolic::time();
    wave.waveform = {.kind = maxwell::Waveform::Kind::expression, .expression = is_real ? cos(angle) : sin(angle)};
    const std::vector<dg::symbolic::Expr> fields = maxwell::fields(wave);
    for (std::size_t i = 0; i < 6; ++i) {
      const double value = dg::symbolic::evaluate(fields[i], x, 0) * plan.file_scaling.field(static_cast<int>(i));
      phasors.at(i) += is_real ? std::complex<double>(value, 0) : std::complex<double>(0, value);
    }
  }
  return phasors;
}

/// Of three components from one on.
double size(const std::array<std::complex<double>, 6>& fields, std::size_t first) {
  return std::sqrt(std::norm(fields.at(first)) + std::norm(fields.at(first + 1)) + std::norm(fields.at(first + 2)));
}

/// Throws where a probe sees the scattered field of a wave that enters by a total-field surface.
void require_total_field(const Plan& plan, const std::string& key, const config::PlaneWave& wave) {
  if (wave.injection.type != config::Injection::Type::total_field) return;
  const std::vector<bool> total =
      config::region_cells(plan.config, key + ".injection.regions", wave.injection.regions, plan.discretization->mesh);
  for (std::size_t i = 0; i < plan.probes.size(); ++i) {
    const std::string& name = plan.config.outputs.probes[i].name;
    const std::size_t k = plan.probes[i].cell;
    if (!is_chosen(plan, name) || k == dg::PointLocation::elsewhere || total[k]) continue;
    refuse(plan.config, shielding_key,
           "probe '" + name + "' lies outside of the total-field regions, where there is the scattered field alone: " +
               "name others under `probes`, or let `regions` reach further");
  }
}

}  // namespace

void plan_shielding(Plan& plan) {
  if (!is_asked_for(plan)) return;
  const auto waves = config::sources_of<config::PlaneWave>(plan.config);
  if (waves.size() != 1 || plan.config.sources.size() != 1) {
    refuse(plan.config, shielding_key, "compares with the field of an incident plane wave: let one be the only source");
  }
  const std::string key = waves.front().key;
  const config::PlaneWave& wave = waves.front().value;
  core::on_all_ranks<ConfigError>(plan.ranks_with_parts(), [&] { require_total_field(plan, key, wave); });
  plan.wave_medium = background_of(plan.config, *plan.discretization, plan.problem,
                                   elements_of_terms(plan.problem, plan.discretization->K(), "pml"), key, wave,
                                   plan.ranks_with_parts());
}

std::optional<dg::Table> shielding(const Plan& plan, const dg::Table& spectra) {
  if (!is_asked_for(plan)) return std::nullopt;
  const config::PlaneWave& wave = config::sources_of<config::PlaneWave>(plan.config).front().value;
  const bool is_scattered = wave.injection.type == config::Injection::Type::scattered_field;
  std::vector<std::string> columns{"frequency"};
  std::vector<const config::Probe*> chosen;
  for (const config::Probe& probe : plan.config.outputs.probes) {
    if (!is_chosen(plan, probe.name)) continue;
    chosen.push_back(&probe);
    columns.insert(columns.end(), {probe.name + ".electric_db", probe.name + ".magnetic_db"});
  }
  dg::Table table("shielding", std::move(columns));
  for (std::size_t row = 0; row < spectra.rows(); ++row) {
    std::vector<double> values{spectra.column("frequency")[row]};
    for (const config::Probe* probe : chosen) {
      const auto incident = incident_phasors(plan, wave, probe->at, values.front());
      auto fields = is_scattered ? incident : std::array<std::complex<double>, 6>{};
      for (std::size_t i = 0; i < 6; ++i) {
        const std::string name = probe->name + "." + plan.problem.system.fields[i];
        fields.at(i) += std::complex<double>(spectra.column(name + "_re")[row], spectra.column(name + "_im")[row]);
      }
      for (const std::size_t first : {0, 3}) {
        values.push_back(20 * std::log10(size(incident, first) / size(fields, first)));
      }
    }
    table.add_row(values);
  }
  return table;
}

}  // namespace maxwell_dg::simulation
