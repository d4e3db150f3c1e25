#include "dg/observe/port_waves.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "core/log.hpp"
#include "core/quantity.hpp"
#include "dg/observe/complex_solve.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg {
namespace {

const std::vector<std::string> wave_columns{"frequency", "driven", "port", "a_re", "a_im", "b_re", "b_im", "impedance"};

std::string name_of_turn(std::size_t turn) {
  return "port_waves." + std::to_string(turn);
}

}  // namespace

PortWaves::PortWaves(const Operator& op, Options options) : options_(std::move(options)) {
  const std::vector<maxwell::Port>& ports = options_.ports;
  std::vector<ElementFace> faces;
  for (std::size_t p = 0; p < ports.size(); ++p) {
    if (ports[p].driven_from) driven_.push_back(p);
    faces.insert(faces.end(), ports[p].mode.faces.begin(), ports[p].mode.faces.end());
  }
  std::ranges::sort(driven_, {}, [&](std::size_t p) { return *ports[p].driven_from; });
  for (const std::size_t p : driven_) {
    const symbolic::Expr voltage = symbolic::substitute(options_.voltage, [&](const symbolic::Symbol& s) {
      const symbolic::Expr symbol(s);
      return s.kind == symbolic::Symbol::Kind::time ? symbol - *ports[p].driven_from : symbol;
    });
    transforms_.emplace_back(op, RunningTransform::Options{.selection = {.frequencies = options_.frequencies,
                                                                         .fields = {0, 1, 2, 3, 4, 5},
                                                                         .faces = faces,
                                                                         .lists_all = true},
                                                           .sampling = options_.sampling,
                                                           .reference = voltage});
    if (options_.resumed != nullptr) transforms_.back().load(name_of_turn(transforms_.size() - 1), *options_.resumed);
  }
}

void PortWaves::observe(Operator&, const Moment& now) {
  const auto turns = static_cast<long>(transforms_.size());
  const long turn = std::min(now.step * turns / options_.sampling.steps, turns - 1);
  transforms_[static_cast<std::size_t>(turn)].observe(now);
}

void PortWaves::save(Operator&, const Moment&, Archive& archive) {
  for (std::size_t i = 0; i < transforms_.size(); ++i) transforms_[i].save(name_of_turn(i), archive);
}

PortWaves::Waves PortWaves::waves(const Operator& op, std::size_t frequency) const {
  const std::vector<maxwell::Port>& ports = options_.ports;
  const auto values_of_a_face = static_cast<std::size_t>(6 * op.discretization().Nfp());
  Waves waves{.a = Eigen::MatrixXcd(ports.size(), driven_.size()), .b = waves.a};
  for (std::size_t i = 0; i < driven_.size(); ++i) {
    const std::vector<std::complex<double>> traces = transforms_[i].get(frequency);
    if (!op.ranks().is_first()) continue;
    std::span<const std::complex<double>> rest(traces);
    for (std::size_t p = 0; p < ports.size(); ++p) {
      const std::size_t size = ports[p].mode.faces.size() * values_of_a_face;
      const auto [V, I] = maxwell::modal_amplitudes(ports[p], driven_[i] == p, rest.first(size));
      const double Z = ports[p].mode.impedance(options_.frequencies[frequency]);
      waves.a(p, i) = (V + Z * I) / (2 * std::sqrt(Z));
      waves.b(p, i) = (V - Z * I) / (2 * std::sqrt(Z));
      rest = rest.subspan(size);
    }
  }
  return waves;
}

void PortWaves::finish(Operator& op, const Moment&) {
  if (!transforms_.back().is_complete()) {
    log_warning("s_parameters: port_waves.csv is not written, because the run ended early");
    return;
  }
  const std::unique_ptr<Rows> table = options_.sink.begin_table("port_waves", wave_columns, nullptr);
  files_.emplace_back("port_waves.csv");
  std::vector<Eigen::MatrixXcd> S;
  double largest_power = 0;
  for (std::size_t f = 0; f < options_.frequencies.size(); ++f) {
    const auto [a, b] = waves(op, f);
    if (!op.ranks().is_first()) continue;
    for (std::size_t i = 0; i < driven_.size(); ++i) {
      const std::complex<double> unit = a(driven_[i], i);
      for (std::size_t p = 0; p < options_.ports.size(); ++p) {
        const std::complex<double> in = a(p, i) / unit, out = b(p, i) / unit;
        table->add_row(
            std::array{options_.names[f], static_cast<double>(driven_[i] + 1), static_cast<double>(p + 1), in.real(),
                       in.imag(), out.real(), out.imag(),
                       options_.ports[p].mode.impedance(options_.frequencies[f]) * options_.impedance_factor});
      }
    }
    if (driven_.size() < options_.ports.size()) continue;
    S.emplace_back(complex_solve(a.transpose(), b.transpose()).transpose());
    largest_power = std::max(largest_power, S.back().colwise().squaredNorm().maxCoeff());
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

Network PortWaves::network_of(std::vector<Eigen::MatrixXcd> S) const {
  Network network{
      .comments =
          {"scattering parameters; the reference of each port is its own impedance, at a guide's end that of its mode"},
      .frequencies = options_.names,
      .S = std::move(S)};
  std::vector<double> lines;
  for (std::size_t p = 0; p < options_.ports.size(); ++p) {
    network.comments.push_back("port " + std::to_string(p + 1) + ": " + options_.descriptions[p]);
    const std::optional<double>& line = options_.ports[p].mode.line_impedance;
    if (line) lines.push_back(core::rounded(*line * options_.impedance_factor));
  }
  const bool one_line =
      lines.size() == options_.ports.size() && std::ranges::max(lines) < std::ranges::min(lines) * (1 + 1e-6);
  if (one_line) {
    network.reference_ohm = lines.front();
  } else {
    network.comments.emplace_back("the format requires a number below; the 50 has no meaning");
  }
  return network;
}

}  // namespace maxwell_dg::dg
