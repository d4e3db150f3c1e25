#include "dg/observe/port_waves.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <memory>
#include <optional>
#include <utility>

#include "core/log.hpp"
#include "core/quantity.hpp"
#include "dg/observe/complex_solve.hpp"
#include "dg/observe/network_changes.hpp"

namespace maxwell_dg::dg {
namespace {

const std::vector<std::string> wave_columns{"frequency", "driven", "port", "a_re", "a_im", "b_re", "b_im", "impedance"};

}  // namespace

PortWaves::PortWaves(const Operator& op, Options options)
    : options_(std::move(options)),
      transforms_(op, {.ports = options_.ports,
                       .frequencies = options_.frequencies,
                       .sampling = options_.sampling,
                       .voltage = options_.voltage,
                       .name = "port_waves",
                       .resumed = options_.resumed}) {}

void PortWaves::observe(Operator&, const Moment& now) {
  transforms_.observe(now);
}

void PortWaves::save(Operator&, const Moment&, Archive& archive) {
  transforms_.save(archive);
}

PortWaves::Waves PortWaves::waves(const Operator& op, std::size_t frequency) const {
  const auto [V, I, uneven] = transforms_.amplitudes(op, frequency);
  Waves waves{.a = V, .b = V};
  for (std::size_t p = 0; p < options_.ports.size(); ++p) {
    const auto row = static_cast<Eigen::Index>(p);
    const double Z = options_.ports[p].mode.impedance(options_.frequencies[frequency]);
    waves.a.row(row) = (V.row(row) + Z * I.row(row)) / (2 * std::sqrt(Z));
    waves.b.row(row) = (V.row(row) - Z * I.row(row)) / (2 * std::sqrt(Z));
  }
  return waves;
}

void PortWaves::finish(Operator& op, const Moment&) {
  if (!transforms_.is_complete()) {
    log_warning("s_parameters: port_waves.csv is not written, because the run ended early");
    return;
  }
  const std::unique_ptr<Rows> table = options_.sink.begin_table("port_waves", wave_columns, nullptr);
  files_.emplace_back("port_waves.csv");
  const std::vector<std::size_t>& driven = transforms_.driven();
  std::vector<Eigen::MatrixXcd> S;
  double largest_power = 0;
  for (std::size_t f = 0; f < options_.frequencies.size(); ++f) {
    const auto [a, b] = waves(op, f);
    if (!op.ranks().is_first()) continue;
    for (std::size_t i = 0; i < driven.size(); ++i) {
      const std::complex<double> unit = a(driven[i], i);
      for (std::size_t p = 0; p < options_.ports.size(); ++p) {
        const std::complex<double> in = a(p, i) / unit, out = b(p, i) / unit;
        table->add_row(std::array{
            options_.names[f], static_cast<double>(driven[i] + 1), static_cast<double>(p + 1), in.real(), in.imag(),
            out.real(), out.imag(),
            options_.ports[p].mode.reference_impedance(options_.frequencies[f]) * options_.impedance_factor});
      }
    }
    if (driven.size() < options_.ports.size()) continue;
    const Eigen::MatrixXcd own = complex_solve(a.transpose(), b.transpose()).transpose();
    largest_power = std::max(largest_power, own.colwise().squaredNorm().maxCoeff());
    S.push_back(as_asked(own, options_.frequencies[f]));
  }
  table->flush();
  if (!op.ranks().is_first()) return;
  if (S.empty()) {
    log_info("s_parameters: not every port was driven, so there is no Touchstone file; see port_waves.csv");
    return;
  }
  if (largest_power > 1.05) {
    log_warning("s_parameters: up to " + core::brief(largest_power) +
                " times the incident power comes out, which no passive device does: the fields have not decayed before "
                "the next port is driven or the run ends; simulate a longer time, or ask for a lower time.until.decay");
  }
  network_ = network_of(std::move(S));
  files_.push_back("s_parameters.s" + std::to_string(options_.ports.size()) + "p");
  options_.sink.put_text(files_.back(), touchstone(*network_));
}

Eigen::MatrixXcd PortWaves::as_asked(Eigen::MatrixXcd S, double frequency) const {
  if (!options_.planes.empty()) {
    std::vector<double> radians;
    for (std::size_t p = 0; p < options_.ports.size(); ++p) {
      radians.push_back(options_.planes[p] * options_.ports[p].mode.propagation_constant(frequency));
    }
    S = with_planes_shifted(S, radians);
  }
  if (!options_.reference) return S;
  std::vector<double> own;
  for (const maxwell::Port& port : options_.ports) own.push_back(port.mode.line_impedance.value());
  return with_reference(S, own, *options_.reference);
}

Network PortWaves::network_of(std::vector<Eigen::MatrixXcd> S) const {
  const std::string whose = options_.reference ? "the reference of all ports is one impedance, below"
                                               : "the reference of each port is its own impedance, at a guide's end "
                                                 "that of its mode";
  Network network{.comments = {"scattering parameters; " + whose}, .frequencies = options_.names, .S = std::move(S)};
  std::vector<double> lines;
  for (std::size_t p = 0; p < options_.ports.size(); ++p) {
    network.comments.push_back("port " + std::to_string(p + 1) + ": " + options_.descriptions[p]);
    const std::optional<double>& line = options_.ports[p].mode.line_impedance;
    if (line) lines.push_back(core::rounded(*line * options_.impedance_factor));
  }
  const bool one_line =
      lines.size() == options_.ports.size() && std::ranges::max(lines) < std::ranges::min(lines) * (1 + 1e-6);
  if (options_.reference) {
    network.reference_ohm = core::rounded(*options_.reference * options_.impedance_factor);
  } else if (one_line) {
    network.reference_ohm = lines.front();
  } else {
    network.comments.emplace_back("the format requires a number below; the 50 has no meaning");
  }
  return network;
}

}  // namespace maxwell_dg::dg
