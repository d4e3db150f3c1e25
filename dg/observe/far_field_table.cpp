#include "dg/observe/far_field_table.hpp"

#include <array>
#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

#include "core/log.hpp"
#include "core/quantity.hpp"

namespace maxwell_dg::dg {
namespace {

using std::numbers::pi;

std::vector<std::string> far_field_columns(FarFieldTable::Of of) {
  const std::string quantity = of == FarFieldTable::Of::scatterer ? "rcs" : "directivity";
  return {"frequency",  "theta_deg",  "phi_deg",  quantity,  quantity == "rcs" ? "rcs_dbsm" : "directivity_dbi",
          "E_theta_re", "E_theta_im", "E_phi_re", "E_phi_im"};
}

/// Those of this rank's own elements, numbered as in the part.
std::vector<ElementFace> own_faces(const Operator& op, const std::vector<ElementFace>& faces) {
  std::vector<ElementFace> own;
  for (const auto& [element, face] : faces) {
    if (const std::optional<std::size_t> number = op.number_in_part(element)) own.push_back({*number, face});
  }
  return own;
}

}  // namespace

FarFieldTable::FarFieldTable(const Operator& op, Options options)
    : options_(std::move(options)),
      transform_(
          op,
          {.selection = {.frequencies = options_.frequencies, .fields = {0, 1, 2, 3, 4, 5}, .faces = options_.faces},
           .sampling = options_.sampling,
           .reference = options_.reference}) {
  if (options_.resumed != nullptr) transform_.load("far_field", *options_.resumed);
}

void FarFieldTable::observe(Operator&, const Moment& now) {
  transform_.observe(now);
}

void FarFieldTable::save(Operator&, const Moment&, Archive& archive) {
  transform_.save("far_field", archive);
}

void FarFieldTable::finish(Operator& op, const Moment&) {
  if (!transform_.is_complete()) {
    log_warning("far_field: " + name() + ".csv is not written, because the run ended early");
    return;
  }
  const std::unique_ptr<Rows> rows = options_.sink.begin_table(name(), far_field_columns(options_.of), nullptr);
  files_.push_back(name() + ".csv");
  std::vector<maxwell::Direction> directions;
  std::vector<std::array<double, 2>> degrees;
  for (const double phi : options_.phi_deg) {
    for (const double theta : options_.theta_deg) {
      directions.push_back({theta * pi / 180, phi * pi / 180});
      degrees.push_back({theta, phi});
    }
  }
  const std::vector<ElementFace> faces = own_faces(op, options_.faces);  // each rank sums up those of its elements
  for (std::size_t j = 0; j < options_.frequencies.size(); ++j) {
    const std::vector<std::complex<double>> traces = transform_.get_own(j);
    const double omega = 2 * pi * options_.frequencies[j];
    const auto far = maxwell::far_field(op.part(), faces, omega, traces, directions, options_.around, op.ranks());
    double factor = 4 * pi;
    if (options_.of == Of::antenna) {
      radiated_power_.push_back(maxwell::radiated_power(op.part(), faces, omega, traces, options_.around, op.ranks()));
      factor = 2 * pi / options_.around.medium.impedance() / radiated_power_.back();  // 4 pi (|E|^2 / 2 Z) / power
    }
    for (std::size_t i = 0; i < far.size() && op.ranks().is_first(); ++i) {
      const auto& [E_theta, E_phi] = far[i];
      const double quantity = factor * (std::norm(E_theta) + std::norm(E_phi));
      rows->add_row(std::array{core::rounded(options_.frequencies[j] * options_.frequency_factor), degrees[i][0],
                               degrees[i][1], quantity, 10 * std::log10(quantity), E_theta.real(), E_theta.imag(),
                               E_phi.real(), E_phi.imag()});
    }
  }
  rows->flush();
}

}  // namespace maxwell_dg::dg
