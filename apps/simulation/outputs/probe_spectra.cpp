#include "apps/simulation/outputs/probe_spectra.hpp"

#include <algorithm>
#include <complex>
#include <cstddef>
#include <numbers>
#include <optional>
#include <utility>

#include <Eigen/Dense>

#include "apps/simulation/blame.hpp"
#include "apps/simulation/checks/plausibility.hpp"
#include "apps/simulation/outputs/frequency_outputs.hpp"
#include "apps/simulation/physics.hpp"
#include "apps/simulation/ports.hpp"
#include "apps/simulation/text.hpp"
#include "core/log.hpp"
#include "dg/maxwell/waveform_band.hpp"
#include "dg/symbolic/expression.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::simulation {
namespace {

using Columns = std::vector<const std::vector<double>*>;

/// One a step: half of the time to the step before and of that to the next, for steps may change where a run is
/// resumed.
Eigen::VectorXd trapezoidal_weights(const std::vector<double>& time) {
  const auto n = static_cast<Eigen::Index>(time.size());
  Eigen::VectorXd weights = Eigen::VectorXd::Zero(n);
  for (Eigen::Index i = 1; i < n; ++i) {
    const double half = (time[static_cast<std::size_t>(i)] - time[static_cast<std::size_t>(i - 1)]) / 2;
    weights[i - 1] += half;
    weights[i] += half;
  }
  return weights;
}

/// [frequencies, columns]: integrals of columns times exp(-2 pi i f t). A few steps at a time, as one product.
Eigen::MatrixXcd transforms(const std::vector<double>& time, const Columns& columns, const Eigen::VectorXd& f) {
  constexpr Eigen::Index batch = 256;
  const Eigen::VectorXd weights = trapezoidal_weights(time);
  const auto steps = weights.size(), width = static_cast<Eigen::Index>(columns.size());
  const Eigen::Map<const Eigen::VectorXd> t(time.data(), steps);
  Eigen::MatrixXcd sums = Eigen::MatrixXcd::Zero(f.size(), width);
  for (Eigen::Index first = 0; first < steps; first += batch) {
    const Eigen::Index n = std::min(batch, steps - first);
    const Eigen::MatrixXd phase = -2 * std::numbers::pi * f * t.segment(first, n).transpose();
    Eigen::MatrixXd values(n, width);
    for (Eigen::Index c = 0; c < width; ++c) {
      const Eigen::Map<const Eigen::VectorXd> column(columns[static_cast<std::size_t>(c)]->data(), steps);
      values.col(c) = weights.segment(first, n).cwiseProduct(column.segment(first, n));
    }
    sums.real() += phase.array().cos().matrix() * values;
    sums.imag() += phase.array().sin().matrix() * values;
  }
  return sums;
}

Eigen::VectorXd frequencies(const config::ProbeSpectraOutput& asked) {
  return Eigen::VectorXd::LinSpaced(asked.count, asked.from, asked.to);
}

/// What the first source sends out, at the times of the file.
std::optional<std::vector<double>> reference_samples(const Plan& plan, const std::vector<double>& time) {
  const std::optional<dg::symbolic::Expr> signal = reference_signal(plan);
  if (!signal) return std::nullopt;
  std::vector<double> samples;
  for (const double t : time) samples.push_back(dg::symbolic::evaluate(*signal, {}, t / plan.file_scaling.time));
  return samples;
}

}  // namespace

void check_probe_spectra(const Plan& plan) {
  if (!plan.config.outputs.probe_spectra) return;
  const config::ProbeSpectraOutput& asked = *plan.config.outputs.probe_spectra;
  const std::vector<dg::maxwell::Waveform> sources = waveforms(plan.config);
  if (sources.empty()) return;
  const auto text_of = [&](double frequency) { return frequency_text(frequency, plan.config.units); };
  if (sources.front().kind == dg::maxwell::Waveform::Kind::sine) {
    refuse(plan.config, "outputs.probe_spectra",
           "needs a pulse as the first source; a sine holds a single frequency, " +
               text_of(sources.front().frequency / plan.scaling.frequency));
  }
  const auto require = [&](const char* end, double frequency) {
    if (dg::maxwell::relative_spectrum(sources.front(), frequency * plan.scaling.frequency) >= least_spectrum) return;
    refuse(plan.config, std::string("outputs.probe_spectra.") + end, not_in_first_source(plan, frequency));
  };
  require("from", asked.from);
  require("to", asked.to);
}

std::optional<dg::Table> probe_spectra(const Plan& plan, const std::string& outcome, const dg::Sink& results) {
  if (!plan.config.outputs.probe_spectra) return std::nullopt;
  if (outcome != "done") {
    log_warning("probe_spectra: not written, because the run ended early");
    return std::nullopt;
  }
  const dg::Table probes = results.table("probes");
  const std::vector<double>& time = probes.column("time");
  const Eigen::VectorXd f = frequencies(*plan.config.outputs.probe_spectra);
  const bool is_complex = plan.discretization->complex_view.is_complex();

  std::vector<std::string> names{"frequency"};
  Columns real, imaginary;
  for (const std::string& probe : plan.config.outputs.probe_spectra->probes) {
    for (const std::string& field : plan.problem.system.fields) {
      const std::string name = probe + "." + field;
      names.insert(names.end(), {name + "_re", name + "_im"});
      real.push_back(&probes.column(name));
      if (is_complex) imaginary.push_back(&probes.column(probe + ".imaginary." + field));
    }
  }
  Eigen::MatrixXcd spectra = transforms(time, real, f);
  if (is_complex) spectra += std::complex<double>(0, 1) * transforms(time, imaginary, f);
  if (const auto reference = reference_samples(plan, time)) {
    const Eigen::VectorXcd of_source = transforms(time, {&*reference}, f).col(0);
    spectra.array().colwise() /= of_source.array();
  }
  dg::Table table("probe_spectra", std::move(names));
  for (Eigen::Index i = 0; i < f.size(); ++i) {
    std::vector<double> row{f[i]};
    for (const std::complex<double>& value : spectra.row(i)) row.insert(row.end(), {value.real(), value.imag()});
    table.add_row(row);
  }
  return table;
}

bool wants_probe_levels(const Plan& plan) {
  return plan.config.outputs.probe_spectra && plan.config.time.until;
}

dg::ProbeLevels::Options probe_level_options(const Plan& plan) {
  const config::Outputs& outputs = plan.config.outputs;
  const dg::ComplexView& view = plan.discretization->complex_view;
  dg::ProbeLevels::Options options{
      .points = {},
      .parts = view.parts().size(),
      .levels = {.decay = {.end = plan.end(), .turns = turns_of(plan.config), .window = plan.end_rule->window}}};
  for (const std::string& name : outputs.probe_spectra->probes) {
    const auto probe = std::ranges::find(outputs.probes, name, &config::Probe::name);
    for (const dg::FieldPart part : view.parts()) {
      dg::PointLocation at = plan.probes[static_cast<std::size_t>(probe - outputs.probes.begin())];
      if (at.cell != dg::PointLocation::elsewhere) at.cell = view.element(at.cell, part);
      options.points.push_back(at);
    }
  }
  constexpr double samples = 5;  // of a period of the highest frequency that is asked for
  const double interval = 1 / (samples * outputs.probe_spectra->to * plan.scaling.frequency);
  options.levels.every = std::clamp(static_cast<long>(interval / plan.dt), 1L, options.levels.every);
  return options;
}

void add_probe_levels(const Plan& plan, dg::Operator::Usage& usage) {
  if (!wants_probe_levels(plan)) return;
  const std::size_t parts = plan.discretization->complex_view.parts().size();
  usage.records.push_back({plan.config.outputs.probe_spectra->probes.size() * parts, plan.problem.system.fields.size(),
                           dg::ProbeLevels::batch});
}

}  // namespace maxwell_dg::simulation
