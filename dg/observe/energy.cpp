#include "dg/observe/energy.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace maxwell_dg::dg {
namespace {

constexpr std::size_t flush_bytes = 1 << 12;  // a reader sees progress every hundred rows or so

}  // namespace

EnergyHistory::EnergyHistory(const System& system, Options options) : options_(std::move(options)) {
  options_.every = std::max(options_.every, 1L);
  if (!options_.file) return;
  std::vector<std::string> columns{"time"};
  for (const System::Energy& energy : system.energies) columns.push_back(energy.name);
  columns.emplace_back("total");
  file_.emplace(*options_.file, columns);
}

void EnergyHistory::observe(Operator& op, const Moment& now) {
  if (noted_step_ < 0 || now.step % options_.every == 0) note(op, now);
}

void EnergyHistory::finish(Operator& op, const Moment& now) {
  if (file_) file_->flush();  // first: to note may fail with the device
  if (now.step == noted_step_) return;
  note(op, now);
  if (file_) file_->flush();
}

void EnergyHistory::note(const Operator& op, const Moment& now) {
  std::vector<double> row{now.time * options_.scaling.time};
  for (const double energy : op.energies()) row.push_back(energy * options_.scaling.energy);
  row.push_back(std::accumulate(row.begin() + 1, row.end(), 0.0));
  if (noted_step_ < 0) initial_ = row.back();
  latest_ = row.back();
  noted_step_ = now.step;
  if (!file_) return;
  file_->add_row(row);
  if (file_->pending_bytes() >= flush_bytes) file_->flush();
}

}  // namespace maxwell_dg::dg
