#include "dg/observe/decay_record.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace maxwell_dg::dg {

DecayRecord::DecayRecord(Options options)
    : options_(std::move(options)), turns_(std::max<std::size_t>(options_.turns, 1)) {}

void DecayRecord::add(double time, double value) {
  const double length = options_.end / static_cast<double>(turns_.size());
  const double at = std::clamp(std::floor(time / length * (1 + 1e-12)), 0.0, static_cast<double>(turns_.size() - 1));
  Turn& turn = turns_[static_cast<std::size_t>(at)];
  turn.peak = std::max(turn.peak, value);
  turn.last = turn.in_window ? std::max(turn.last, value) : value;
  turn.in_window = time >= (at + 1) * length - options_.window;
}

std::optional<double> DecayRecord::ratio(std::size_t turn) const {
  const auto& [peak, last, in_window] = turns_.at(turn);
  if (!(peak > 0)) return std::nullopt;
  return last / peak;
}

void DecayRecord::save(Archive& archive) const {
  std::vector<double> values;
  for (const Turn& turn : turns_) values.insert(values.end(), {turn.peak, turn.last, turn.in_window ? 1.0 : 0.0});
  archive.put(options_.name, values);
}

void DecayRecord::load(const Archive& archive) {
  if (!archive.has(options_.name)) return;
  const std::vector<double> values = archive.reals(options_.name);
  if (values.size() != 3 * turns_.size()) return;  // saved by a run with another number of turns
  for (std::size_t i = 0; i < turns_.size(); ++i) turns_[i] = {values[3 * i], values[3 * i + 1], values[3 * i + 2] > 0};
}

}  // namespace maxwell_dg::dg
