#include "dg/observe/energy_balance.hpp"

#include <numeric>
#include <string>
#include <utility>

#include "core/error.hpp"

namespace maxwell_dg::dg {

namespace {

std::vector<std::string> balance_columns(const std::vector<std::string>& powers) {
  std::vector<std::string> columns{"time", "total"};
  for (const std::string& name : powers) columns.insert(columns.end(), {name + ".power", name + ".energy"});
  columns.emplace_back("unaccounted");
  return columns;
}

}  // namespace

EnergyBalance::EnergyBalance(const Operator& op, const Options& options)
    : RecordedRows(op.record_balance(), {.name = "balance",
                                         .sink = &options.sink,
                                         .columns = balance_columns(op.power_names()),
                                         .every = options.every,
                                         .width = op.problem().system.energies.size() + op.power_names().size(),
                                         .resumed = options.resumed}),
      scaling_(options.scaling),
      energies_(op.problem().system.energies.size()) {
  if (options.resumed == nullptr || !options.resumed->has("balance.bytes")) return;  // the balance begins here
  initial_ = options.resumed->number("balance.initial");
  unaccounted_ = options.resumed->number("balance.unaccounted");
  before_ = options.resumed->reals("balance.before");
  const std::size_t width = 2 + op.power_names().size();  // of `now` in row_of
  if (!before_.empty() && before_.size() != width) {
    throw ConfigError("the checkpoint's 'balance.before' is of " + std::to_string(before_.size()) +
                      " numbers, but this run's balance has " + std::to_string(width));
  }
}

void EnergyBalance::save(Operator& op, const Moment& now, Archive& archive) {
  RecordedRows::save(op, now, archive);
  archive.put_number("balance.initial", initial_);
  archive.put_number("balance.unaccounted", unaccounted_);
  archive.put("balance.before", before_);
}

std::vector<double> EnergyBalance::row_of(double time, std::span<const double> record) {
  std::vector<double> now{time * scaling_.time, 0.0};
  for (const double energy : record.first(energies_)) now[1] += energy * scaling_.energy;
  for (const double energy : record.subspan(energies_)) now.push_back(energy * scaling_.energy);
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
  return row;
}

}  // namespace maxwell_dg::dg
