#include "dg/observe/far_field_table.hpp"

#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>
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

std::optional<PortTransforms> port_transforms(const Operator& op, const FarFieldTable::Options& options) {
  if (options.ports.empty()) return std::nullopt;
  return PortTransforms(op, {.ports = options.ports,
                             .frequencies = options.frequencies,
                             .sampling = options.sampling,
                             .voltage = options.reference.value(),
                             .name = "far_field_ports",
                             .resumed = options.resumed});
}

/// "_000"
std::string with_three_digits(std::size_t i) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "_%03zu", i);
  return text.data();
}

/// Every theta with every phi.
class Directions {
 public:
  explicit Directions(const FarFieldTable::Options& options) {
    for (const double phi : options.phi_deg) {
      for (const double theta : options.theta_deg) {
        radians_.push_back({theta * pi / 180, phi * pi / 180});
        degrees_.push_back({theta, phi});
      }
    }
  }
  [[nodiscard]] const std::vector<maxwell::Direction>& radians() const { return radians_; }
  /// The first columns of a row.
  [[nodiscard]] std::vector<double> begin_row(double frequency, std::size_t i) const {
    return {frequency, degrees_[i][0], degrees_[i][1]};
  }

 private:
  std::vector<maxwell::Direction> radians_;
  std::vector<std::array<double, 2>> degrees_;
};

void add_field_rows(Rows& rows, const Directions& directions, double frequency,
                    const std::vector<maxwell::FarField>& far, double quantity_factor, double field_factor) {
  for (std::size_t i = 0; i < far.size(); ++i) {
    const std::complex<double> E_theta = field_factor * far[i].E_theta, E_phi = field_factor * far[i].E_phi;
    const double quantity = quantity_factor * (std::norm(far[i].E_theta) + std::norm(far[i].E_phi));
    std::vector<double> row = directions.begin_row(frequency, i);
    row.insert(row.end(),
               {quantity, 10 * std::log10(quantity), E_theta.real(), E_theta.imag(), E_phi.real(), E_phi.imag()});
    rows.add_row(row);
  }
}

void add_pattern_rows(Rows& rows, const Directions& directions, double frequency,
                      const std::vector<maxwell::FarField>& far, const FarFieldPattern& pattern) {
  for (std::size_t i = 0; i < far.size(); ++i) {
    std::vector<double> row = directions.begin_row(frequency, i);
    const std::vector<double> values = pattern.values(far[i], directions.radians()[i]);
    row.insert(row.end(), values.begin(), values.end());
    rows.add_row(row);
  }
}

}  // namespace

FarFieldTable::FarFieldTable(const Operator& op, Options options)
    : options_(std::move(options)), transforms_(op, of_surface()), at_ports_(port_transforms(op, options_)) {}

TransformsInTurn::Options FarFieldTable::of_surface() const {
  TransformsInTurn::Options all{
      .selection = {.frequencies = options_.frequencies, .fields = {0, 1, 2, 3, 4, 5}, .faces = options_.faces},
      .sampling = options_.sampling,
      .turns = {},
      .resumed = options_.resumed};
  for (const std::size_t port : driven_in_turn(options_.ports)) {
    const std::string turn = all.turns.empty() ? "" : "." + std::to_string(all.turns.size());
    all.turns.push_back({"far_field" + turn, in_turn_of(options_.ports[port], options_.reference.value())});
  }
  if (all.turns.empty()) all.turns.push_back({"far_field", options_.reference});
  return all;
}

void FarFieldTable::observe(Operator&, const Moment& now) {
  transforms_.observe(now);
  if (at_ports_) at_ports_->observe(now);
}

void FarFieldTable::complete() {
  transforms_.complete();
  if (at_ports_) at_ports_->complete();
}

void FarFieldTable::save(Operator&, const Moment&, Archive& archive) {
  transforms_.save(archive);
  if (at_ports_) at_ports_->save(archive);
}

double FarFieldTable::frequency_in_file(std::size_t j) const {
  return core::rounded(options_.frequencies[j] * options_.frequency_factor);
}

void FarFieldTable::finish(Operator& op, const Moment&) {
  if (!transforms_.is_complete()) {
    log_warning("far_field: " + name() + ".csv is not written, because the run ended early");
    return;
  }
  for (std::size_t turn = 0; turn < transforms_.size(); ++turn) write_turn(op, turn);
  if (options_.of == Of::antenna && op.ranks().is_first()) write_antenna();
}

std::unique_ptr<Rows> FarFieldTable::begin_table(const std::string& name, std::vector<std::string> columns) {
  files_.push_back(name + ".csv");
  return options_.sink.begin_table(name, std::move(columns), nullptr);
}

void FarFieldTable::write_turn(const Operator& op, std::size_t turn) {
  const std::string suffix = transforms_.size() > 1 ? "_" + std::to_string(at_ports_->driven()[turn] + 1) : "";
  const bool is_antenna = options_.of == Of::antenna;
  const std::unique_ptr<Rows> rows = begin_table(name() + suffix, far_field_columns(options_.of));
  std::unique_ptr<Rows> patterns;
  if (is_antenna) {
    std::vector<std::string> columns{"frequency", "theta_deg", "phi_deg"};
    const std::vector<std::string> more = FarFieldPattern::columns(at_ports_ ? "gain" : "directivity");
    columns.insert(columns.end(), more.begin(), more.end());
    patterns = begin_table("pattern" + suffix, std::move(columns));
  }
  const Directions directions(options_);
  const std::vector<ElementFace> faces = own_faces(op, options_.faces);  // each rank sums up those of its elements
  for (std::size_t j = 0; j < options_.frequencies.size(); ++j) {
    const std::vector<std::complex<double>> traces = transforms_[turn].get_own(j);
    const maxwell::RadiatingSurface surface(op.part(), faces, 2 * pi * options_.frequencies[j], traces, options_.around,
                                            op.ranks());
    const std::vector<maxwell::FarField> far = surface.far_field(directions.radians());
    const double frequency = frequency_in_file(j);
    if (!is_antenna) {
      add_field_rows(*rows, directions, frequency, far, 4 * pi, options_.field_factor);
      continue;
    }
    const auto [pattern, radiated] = look_at_antenna(op, surface, turn, j);
    const double directivity = 2 * pi / options_.around.medium.impedance() / radiated;  // 4 pi (|E|^2 / 2 Z) / power
    add_field_rows(*rows, directions, frequency, far, directivity, options_.field_factor);
    add_pattern_rows(*patterns, directions, frequency, far, pattern);
    if (!options_.surface_step_deg) continue;
    files_.push_back("pattern" + suffix + with_three_digits(j) + ".vtp");
    const std::string text = pattern.vtp(*options_.surface_step_deg);
    if (op.ranks().is_first()) options_.sink.put_text(files_.back(), text);
  }
  rows->flush();
  if (patterns) patterns->flush();
}

FarFieldTable::AtFrequency FarFieldTable::look_at_antenna(const Operator& op, const maxwell::RadiatingSurface& surface,
                                                          std::size_t turn, std::size_t j) {
  const maxwell::FarSphere sphere = surface.sphere();
  const double radiated = surface.radiated_power(sphere);
  std::optional<FeedFigures> feed;
  AntennaFigures figures{{"frequency", frequency_in_file(j)}};
  if (at_ports_) {
    feed = feed_figures(*at_ports_, at_ports_->amplitudes(op, j), turn, j);
    figures.emplace_back("port", static_cast<double>(at_ports_->driven()[turn] + 1));
  }
  const AntennaFigures more =
      antenna_figures(maxwell::main_lobe(surface, sphere), radiated, feed, options_.antenna_units);
  figures.insert(figures.end(), more.begin(), more.end());
  antenna_.push_back(std::move(figures));
  return {.pattern = {.surface = surface,
                      .quantity = feed ? "gain" : "directivity",
                      .power = feed ? feed->accepted : radiated,
                      .reference = options_.polarization},
          .radiated = radiated};
}

void FarFieldTable::write_antenna() {
  std::vector<std::string> columns;
  for (const auto& figure : antenna_.front()) columns.push_back(figure.first);
  Table table("antenna", columns);
  for (const AntennaFigures& figures : antenna_) {
    std::vector<double> row;
    for (const auto& figure : figures) row.push_back(figure.second);
    table.add_row(row);
  }
  options_.sink.put_table("antenna", table);
  files_.emplace_back("antenna.csv");
}

}  // namespace maxwell_dg::dg
