#include "dg/observe/energy.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

namespace maxwell_dg::dg {

EnergyHistory::EnergyHistory(const Operator& op, Options options)
    : options_(std::move(options)), recorder_(op.record_energies()), count_(op.problem().system.energies.size()) {
  options_.every = std::max(options_.every, 1L);
  if (options_.resumed != nullptr) resume(*options_.resumed);
  if (!options_.file) return;
  std::vector<std::string> columns{"time"};
  for (const System::Energy& energy : op.problem().system.energies) columns.push_back(energy.name);
  columns.emplace_back("total");
  std::optional<std::size_t> keep;
  if (options_.resumed != nullptr && options_.resumed->has("energy.bytes")) {  // else there was no file before
    keep = static_cast<std::size_t>(options_.resumed->integer("energy.bytes"));
  }
  file_.emplace(*options_.file, columns, keep);
}

void EnergyHistory::resume(const Archive& archive) {
  initial_ = archive.number("energy.initial");
  latest_ = archive.number("energy.latest");
  noted_step_ = static_cast<long>(archive.integer("energy.noted_step"));
}

void EnergyHistory::save(Operator&, const Moment&, Archive& archive) {
  write(recorder_->take());
  archive.put_number("energy.initial", initial());
  archive.put_number("energy.latest", latest_);
  archive.put_integer("energy.noted_step", noted_step_);
  if (file_) archive.put_integer("energy.bytes", static_cast<std::int64_t>(file_->secure()));
}

void EnergyHistory::observe(Operator&, const Moment& now) {
  if (noted_step_ < 0 || now.step % options_.every == 0) note(now);
}

void EnergyHistory::finish(Operator&, const Moment& now) {
  if (file_) file_->flush();  // first: what follows may fail with the device
  if (now.step != noted_step_) note(now);
  write(recorder_->take());
  if (file_) file_->flush();
}

void EnergyHistory::note(const Moment& now) {
  recorder_->record();
  times_.push_back(now.time);
  noted_step_ = now.step;
  write(recorder_->take_arrived());
}

void EnergyHistory::write(std::span<const double> energies) {
  for (; !energies.empty(); energies = energies.subspan(count_)) {
    std::vector<double> row{times_.front() * options_.scaling.time};
    times_.pop_front();
    for (const double energy : energies.first(count_)) row.push_back(energy * options_.scaling.energy);
    latest_ = std::accumulate(row.begin() + 1, row.end(), 0.0);
    row.push_back(latest_);
    if (!initial_) initial_ = latest_;
    if (!file_) continue;
    file_->add_row(row);
    file_->flush_if_many();
  }
}

}  // namespace maxwell_dg::dg
