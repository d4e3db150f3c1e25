#include "dg/observe/radar_cross_section.hpp"

#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

#include "core/log.hpp"

namespace maxwell_dg::dg {
namespace {

using std::numbers::pi;

const std::array<std::string, 9> columns{"frequency",  "theta_deg",  "phi_deg",  "rcs",     "rcs_dbsm",
                                         "E_theta_re", "E_theta_im", "E_phi_re", "E_phi_im"};

}  // namespace

RadarCrossSection::RadarCrossSection(const Operator& op, Options options)
    : options_(std::move(options)),
      transform_(
          op,
          {.selection = {.frequencies = options_.frequencies, .fields = {0, 1, 2, 3, 4, 5}, .faces = options_.faces},
           .sampling = options_.sampling,
           .reference = options_.incident}),
      file_(options_.file, columns) {
  if (options_.resumed != nullptr) transform_.load("far_field", *options_.resumed);
}

void RadarCrossSection::observe(Operator&, const Moment& now) {
  transform_.observe(now);
}

void RadarCrossSection::save(Operator&, const Moment&, Archive& archive) {
  transform_.save("far_field", archive);
}

void RadarCrossSection::finish(Operator& op, const Moment&) {
  if (!transform_.is_complete()) {
    log_warning("far_field: rcs.csv is empty, because the run ended early");
    return;
  }
  std::vector<maxwell::Direction> directions;
  std::vector<std::array<double, 2>> degrees;
  for (const double phi : options_.phi_deg) {
    for (const double theta : options_.theta_deg) {
      directions.push_back({theta * pi / 180, phi * pi / 180});
      degrees.push_back({theta, phi});
    }
  }
  std::vector<std::complex<double>> traces(transform_.size());
  for (std::size_t j = 0; j < options_.frequencies.size(); ++j) {
    transform_.get(j, traces);
    const double k = 2 * pi * options_.frequencies[j];
    const auto far = maxwell::far_field(op.discretization(), options_.faces, k, traces, directions);
    for (std::size_t i = 0; i < far.size(); ++i) {
      const auto& [E_theta, E_phi] = far[i];
      const double rcs = 4 * pi * (std::norm(E_theta) + std::norm(E_phi));
      file_.add_row(std::array{options_.frequencies[j] * options_.frequency_factor, degrees[i][0], degrees[i][1], rcs,
                               10 * std::log10(rcs), E_theta.real(), E_theta.imag(), E_phi.real(), E_phi.imag()});
    }
  }
  file_.flush();
}

}  // namespace maxwell_dg::dg
