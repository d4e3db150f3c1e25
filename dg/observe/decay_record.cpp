#include "dg/observe/decay_record.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace maxwell_dg::dg {

std::size_t turn_at(double time, double end, std::size_t turns) {
  const double length = end / static_cast<double>(turns);
  return static_cast<std::size_t>(
      std::clamp(std::floor(time / length * (1 + 1e-12)), 0.0, static_cast<double>(turns - 1)));
}

DecayRecord::DecayRecord(Options options)
    : options_(std::move(options)), turns_(std::max<std::size_t>(options_.turns, 1)) {}

void DecayRecord::add(double time, double value) {
  const std::size_t at = turn_at(time, options_.end, turns_.size());
  if (at != turn_) window_.clear();
  turn_ = at;
  while (!window_.empty() && window_.back().value <= value) window_.pop_back();
  window_.push_back({time, value});
  while (window_.front().time < time - options_.window) window_.pop_front();
  Turn& turn = turns_[at];
  turn.peak = std::max(turn.peak, value);
  turn.last = window_.front().value;
}

std::optional<double> DecayRecord::ratio(std::size_t turn) const {
  const auto& [peak, last] = turns_.at(turn);
  if (!(peak > 0)) return std::nullopt;
  return last / peak;
}

void DecayRecord::save(Archive& archive) const {
  std::vector<double> turns, window{static_cast<double>(turn_)};
  for (const Turn& turn : turns_) turns.insert(turns.end(), {turn.peak, turn.last});
  for (const Sample& sample : window_) window.insert(window.end(), {sample.time, sample.value});
  archive.put(options_.name, turns);
  archive.put(options_.name + ".window", window);
}

void DecayRecord::load(const Archive& archive) {
  if (!archive.has(options_.name + ".window")) return;  // saved by an earlier program, too
  const std::vector<double> turns = archive.reals(options_.name), window = archive.reals(options_.name + ".window");
  if (turns.size() != 2 * turns_.size()) return;  // of a run with another number of turns
  if (window.size() % 2 == 0 || !(window[0] >= 0 && window[0] < static_cast<double>(turns_.size()))) return;
  for (std::size_t i = 0; i < turns_.size(); ++i) turns_[i] = {turns[2 * i], turns[2 * i + 1]};
  turn_ = static_cast<std::size_t>(window[0]);
  window_.clear();
  for (std::size_t i = 1; i < window.size(); i += 2) window_.push_back({window[i], window[i + 1]});
}

}  // namespace maxwell_dg::dg
