#include "dg/observe/energy_balance.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

namespace maxwell_dg::dg {

EnergyBalance::EnergyBalance(const Operator& op, Options options)
    : options_(std::move(options)),
      recorder_(op.record_balance()),
      energies_(op.problem().system.energies.size()),
      powers_(op.power_names().size()) {
  options_.every = std::max(options_.every, 1L);
  std::vector<std::string> columns{"time", "total"};
  for (const std::string& name : op.power_names()) columns.insert(columns.end(), {name + ".power", name + ".energy"});
  columns.emplace_back("unaccounted");
  std::optional<std::size_t> keep;
  const Archive* resumed = options_.resumed;
  if (resumed != nullptr && resumed->has("balance.bytes")) {  // else the balance begins here
    keep = static_cast<std::size_t>(resumed->integer("balance.bytes"));
    noted_step_ = static_cast<long>(resumed->integer("balance.noted_step"));
    initial_ = resumed->number("balance.initial");
    unaccounted_ = resumed->number("balance.unaccounted");
    before_ = resumed->reals("balance.before");
  }
  file_ = std::make_unique<CsvFile>(options_.file, columns, keep);
}

void EnergyBalance::save(Operator&, const Moment&, Archive& archive) {
  write(recorder_->take());
  archive.put_integer("balance.bytes", static_cast<std::int64_t>(file_->secure()));
  archive.put_integer("balance.noted_step", noted_step_);
  archive.put_number("balance.initial", initial_);
  archive.put_number("balance.unaccounted", unaccounted_);
  archive.put("balance.before", before_);
}

void EnergyBalance::observe(Operator&, const Moment& now) {
  if (noted_step_ < 0 || now.step % options_.every == 0) note(now);
}

void EnergyBalance::finish(Operator&, const Moment& now) {
  file_->flush();  // first: what follows may fail with the device
  if (now.step != noted_step_) note(now);
  write(recorder_->take());
  file_->flush();
}

void EnergyBalance::note(const Moment& now) {
  recorder_->record();
  times_.push_back(now.time);
  noted_step_ = now.step;
  write(recorder_->take_arrived());
}

void EnergyBalance::write(std::span<const double> records) {
  for (; !records.empty(); records = records.subspan(energies_ + powers_)) {
    std::vector<double> now{times_.front() * options_.scaling.time, 0.0};
    times_.pop_front();
    for (const double energy : records.first(energies_)) now[1] += energy * options_.scaling.energy;
    for (const double energy : records.subspan(energies_, powers_)) now.push_back(energy * options_.scaling.energy);
    const double rest = now[1] - std::accumulate(now.begin() + 2, now.end(), 0.0);
    if (before_.empty()) {
      before_ = now;
      initial_ = rest;
    }
    unaccounted_ = rest - initial_;
    const double duration = now[0] - before_[0];
    std::vector<double> row{now[0], now[1]};
    for (std::size_t p = 2; p < now.size(); ++p) {
      row.push_back(duration > 0 ? (now[p] - before_[p]) / duration : 0.0);
      row.push_back(now[p]);
    }
    row.push_back(unaccounted_);
    before_ = std::move(now);
    file_->add_row(row);
    file_->flush_if_many();
  }
}

}  // namespace maxwell_dg::dg
