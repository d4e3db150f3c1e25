#include "dg/observe/energy.hpp"

#include <numeric>
#include <string>
#include <vector>

namespace maxwell_dg::dg {

namespace {

std::vector<std::string> energy_columns(const System& system) {
  std::vector<std::string> columns{"time"};
  for (const System::Energy& energy : system.energies) columns.push_back(energy.name);
  columns.emplace_back("total");
  return columns;
}

}  // namespace

EnergyHistory::EnergyHistory(const Operator& op, const Options& options)
    : RecordedRows(op.record_energies(), {.name = "energy",
                                          .sink = options.sink,
                                          .columns = energy_columns(op.problem().system),
                                          .every = options.every,
                                          .width = op.problem().system.energies.size(),
                                          .resumed = options.resumed}),
      scaling_(options.scaling) {
  if (options.resumed == nullptr) return;
  initial_ = options.resumed->number("energy.initial");
  latest_ = options.resumed->number("energy.latest");
}

void EnergyHistory::save(Operator& op, const Moment& now, Archive& archive) {
  RecordedRows::save(op, now, archive);
  archive.put_number("energy.initial", initial_.value_or(0));
  archive.put_number("energy.latest", latest_.value_or(0));
}

std::vector<double> EnergyHistory::row_of(double time, std::span<const double> energies) {
  std::vector<double> row{time * scaling_.time};
  for (const double energy : energies) row.push_back(energy * scaling_.energy);
  const double total = std::accumulate(row.begin() + 1, row.end(), 0.0);
  row.push_back(total);
  latest_ = total;
  if (!initial_) initial_ = total;
  return row;
}

}  // namespace maxwell_dg::dg
