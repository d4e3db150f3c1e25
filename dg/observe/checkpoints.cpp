#include "dg/observe/checkpoints.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <system_error>
#include <utility>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "dg/operator/saved_state.hpp"

namespace maxwell_dg::dg {
namespace fs = std::filesystem;

Checkpoints::Checkpoints(const Operator& op, Options options) : options_(std::move(options)), copy_(op.copy_state()) {
  saved_step_ = options_.resumed_from.value_or(-1);
  if (!options_.writes) return;
  remove_abandoned_files(options_.directory, "checkpoint_");
  if (!options_.resumed_from) return;
  own_ = checkpoints_in(options_.directory);
  std::erase_if(own_, [&](const CheckpointName& name) { return name.step > *options_.resumed_from; });
}

Checkpoints::~Checkpoints() = default;

bool Checkpoints::is_due(const Moment& now) const {
  if (now.step == 0 || now.step == saved_step_) return false;
  if (options_.every_steps) return now.step % *options_.every_steps == 0;
  return options_.every_seconds &&
         std::chrono::duration<double>(Clock::now() - begun_).count() >= *options_.every_seconds;
}

void Checkpoints::observe(Operator& op, const Moment& now) {
  if (writing_.valid() && writing_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) finish_writing();
  double due = is_due(now) ? 1 : 0;
  if (options_.every_seconds) op.ranks().max({&due, 1});  // each has a clock of its own
  if (due != 0) begin(op, now);
}

void Checkpoints::finish(Operator& op, const Moment& now) {
  if (now.step != saved_step_) begin(op, now);
  finish_writing();
}

void Checkpoints::begin(Operator& op, const Moment& now) {
  finish_writing();
  begun_ = Clock::now();
  archive_ = options_.description;
  archive_.put_integer("step", now.step);
  archive_.put_number("time", now.time);
  for (Observer* observer : options_.observers) observer->save(op, now, archive_);
  save_auxiliary(op, archive_);
  copy_->save(archive_);
  saved_step_ = now.step;
  if (!options_.writes) return;
  writing_ = std::async(std::launch::async, [this, step = now.step] { return write(archive_, step); });
}

void Checkpoints::finish_writing() {
  if (!writing_.valid()) return;
  for (const std::string& warning : writing_.get()) log_warning(warning);
}

Checkpoints::Warnings Checkpoints::write(const Archive& archive, long step) {
  const fs::path path = checkpoint_path(options_.directory, step);
  write_checkpoint(archive, path);
  own_.push_back({path, step});
  return drop_old();
}

/// Called after the new file is complete. Also removes checkpoints of other runs in this directory: --resume must not
/// find them.
Checkpoints::Warnings Checkpoints::drop_old() {
  Warnings warnings;
  if (own_.size() > options_.keep) {
    own_.erase(own_.begin(), own_.end() - static_cast<std::ptrdiff_t>(options_.keep));
  }
  for (const CheckpointName& name : checkpoints_in(options_.directory)) {
    if (std::ranges::find(own_, name.step, &CheckpointName::step) != own_.end()) continue;
    std::error_code error;
    fs::remove(name.path, error);
    if (error) warnings.push_back(name.path.string() + ": cannot be removed: " + error.message());
  }
  return warnings;
}

}  // namespace maxwell_dg::dg
