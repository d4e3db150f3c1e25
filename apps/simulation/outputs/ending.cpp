#include "apps/simulation/outputs/ending.hpp"

#include <cmath>
#include <string>

#include "apps/simulation/blame.hpp"
#include "apps/simulation/outputs/decay.hpp"
#include "apps/simulation/ports.hpp"
#include "apps/simulation/text.hpp"
#include "core/counted.hpp"
#include "core/log.hpp"
#include "dg/observe/decay_record.hpp"

namespace maxwell_dg::simulation {
namespace {

constexpr const char* ends_name = "ending.ends";
constexpr const char* wanted_name = "ending.wanted_db";
constexpr const char* skipped_name = "ending.skipped";
constexpr double not_yet = -1;
constexpr std::size_t looks_to_remember = 16;

std::vector<double> saved_ends(const dg::Archive& archive) {
  return archive.has(ends_name) ? archive.reals(ends_name) : std::vector<double>{};
}

}  // namespace

Ending::Ending(const Plan& plan, const dg::Archive* resumed)
    : plan_(plan), rule_(plan.end_rule.value()), ends_(turns_of(plan.config)) {
  if (resumed == nullptr) return;
  const std::vector<double> saved = saved_ends(*resumed);
  if (saved.size() != ends_.size()) return;  // of a run without time.until
  for (std::size_t i = 0; i < saved.size(); ++i) {
    if (saved[i] != not_yet) ends_[i] = saved[i];
  }
  if (!is_of_end(*resumed, plan)) ends_.back().reset();
  skipped_ = static_cast<long>(resumed->integer(skipped_name));
}

void Ending::save(dg::Operator& /*op*/, const dg::Moment& /*now*/, dg::Archive& archive) {
  std::vector<double> ends;
  for (const std::optional<double>& end : ends_) ends.push_back(end.value_or(not_yet));
  archive.put(ends_name, ends);
  archive.put_number(wanted_name, rule_.wanted_db);
  archive.put_integer(skipped_name, skipped_);
}

bool Ending::is_of_end(const dg::Archive& archive, const Plan& plan) {
  if (!plan.end_rule) return false;
  const std::vector<double> ends = saved_ends(archive);
  return !ends.empty() && ends.back() != not_yet && archive.number(wanted_name) <= plan.end_rule->wanted_db;
}

std::size_t Ending::turn_at(double time) const {
  return dg::turn_at(time, plan_.end(), ends_.size());
}

bool Ending::is_due(const dg::Moment& now) const {
  const std::size_t turn = turn_at(now.time);
  if (ends_[turn] || now.step % rule_.every != 0) return false;
  return now.time - static_cast<double>(turn) * length() >= rule_.earliest();
}

dg::Moment Ending::look(const dg::Moment& now, double level_db) {
  const std::size_t turn = turn_at(now.time);
  const double begin = static_cast<double>(turn) * length(), time = now.time - begin;
  if (!looks_.empty() && turn_at(looks_.back().time) != turn) looks_.clear();
  looks_.push_back({now.time, level_db});
  if (looks_.size() > looks_to_remember) looks_.pop_front();
  if (rule_.undamped_after) {
    if (time < rule_.sources_end + *rule_.undamped_after) return now;
    const auto text = [&](double t) { return time_text(t / plan_.scaling.time, plan_.config.units); };
    const bool is_low = level_db <= rule_.wanted_db;
    refuse(plan_.config, "time.until.decay",
           "will not come: " + text(time - rule_.sources_end) + " after the sources' end, at t = " + text(now.time) +
               ", the energy is at " + brief(level_db) + " dB of its peak, and nothing in the model takes any" +
               (is_low ? " but the upwind flux, from waves that the mesh does not resolve" : "") +
               ": no absorbing boundary, impedance, PML, port or loss of a medium or a lumped element; add what does, "
               "or give time.end in place of time.until");
  }
  if (!rule_.has_ended(time, level_db)) return now;
  ends_[turn] = now.time;
  if (is_over()) return now;
  // The step before the first one of the next turn.
  const double next = static_cast<double>(turn + 1) * length();
  const auto first =
      plan_.origin.step + static_cast<long>(std::ceil((next - plan_.origin.time) / plan_.dt * (1 - 1e-12)));
  if (first - 1 <= now.step) return now;
  const dg::Moment then{.step = first - 1, .time = plan_.time(first - 1)};
  skipped_ += then.step - now.step;
  log_info("port " + driven_in_turn(plan_).at(turn) + ": the fields have died away by step " +
           std::to_string(now.step) + "; " + core::counted(then.step - now.step, "step", "steps") + " are left out");
  return then;
}

std::optional<double> Ending::time_left() const {
  if (looks_.size() < 2) return std::nullopt;
  const auto& [first, latest] = std::pair(looks_.front(), looks_.back());
  const double fall = (first.level_db - latest.level_db) / (latest.time - first.time);
  const double left = (latest.level_db - rule_.wanted_db) / fall;
  if (!std::isfinite(left) || fall <= 0) return std::nullopt;
  return std::max(left, 0.0);
}

}  // namespace maxwell_dg::simulation
