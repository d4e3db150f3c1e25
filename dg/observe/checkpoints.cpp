#include "dg/observe/checkpoints.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "dg/observe/files/snapshot_files.hpp"
#include "dg/operator/saved_state.hpp"

namespace maxwell_dg::dg {
namespace fs = std::filesystem;

namespace {

constexpr int written_tag = 3;  // of messages that say whether a rank has written its part

template <class T>
bool is_ready(const std::future<T>& future) {
  return future.valid() && future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace

Checkpoints::Checkpoints(const Operator& op, Options options)
    : options_(std::move(options)), ranks_(op.ranks()), copy_(op.copy_state()) {
  saved_step_ = options_.resumed_from.value_or(-1);
  if (!ranks_.is_first()) return;
  remove_abandoned_files(options_.directory, "checkpoint_");
  if (!options_.resumed_from) return;
  own_ = checkpoints_in(options_.directory);
  std::erase_if(own_, [&](const CheckpointName& name) { return name.step > *options_.resumed_from; });
}

/// Messages that are on their way have their memory here.
Checkpoints::~Checkpoints() {
  try {
    if (ranks_.is_first()) ranks_.cancel(messages_);
  } catch (const Error& error) {
    log_warning(error.what());
  }
}

bool Checkpoints::is_due(const Moment& now) const {
  if (now.step == 0 || now.step == saved_step_) return false;
  if (options_.every_steps) return now.step % *options_.every_steps == 0;
  return options_.every_seconds &&
         std::chrono::duration<double>(Clock::now() - begun_).count() >= *options_.every_seconds;
}

void Checkpoints::observe(Operator& op, const Moment& now) {
  look_after_writing();
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
  writer_.emplace(archive_, checkpoint_path(options_.directory, now.step), ranks_);
  if (ranks_.size() == 1) return finish_file();
  part_ = std::async(std::launch::async, [this] { writer_->write_part(); });
  if (!ranks_.is_first()) return;
  have_written_.assign(static_cast<std::size_t>(ranks_.size() - 1), 0);
  for (int rank = 1; rank < ranks_.size(); ++rank) {
    const auto said = std::span(have_written_).subspan(static_cast<std::size_t>(rank - 1), 1);
    messages_.push_back(ranks_.receive(std::as_writable_bytes(said), rank, written_tag));
  }
}

void Checkpoints::tell_first(bool has_written) {
  if (ranks_.is_first()) return;
  have_written_.assign(1, has_written ? 1 : 0);
  messages_.push_back(ranks_.send(std::as_bytes(std::span(have_written_)), 0, written_tag));
}

void Checkpoints::look_after_writing() {
  if (is_ready(part_)) {
    part_.get();  // throws on this rank alone, which ends all of them
    tell_first(true);
  }
  const bool is_next = ranks_.is_first() && writer_ && !part_.valid() && !writing_.valid();
  if (is_next && std::ranges::all_of(messages_, [&](const auto& message) { return ranks_.has_arrived(message); }) &&
      all_have_written()) {
    messages_.clear();
    finish_file();
  }
  if (!is_ready(writing_)) return;
  std::future<Warnings> written = std::move(writing_);
  writer_.reset();
  for (const std::string& warning : written.get()) log_warning(warning);
}

bool Checkpoints::all_have_written() const {
  return std::ranges::find(have_written_, 0) == have_written_.end();
}

/// On the first rank: starts the thread that does the rest.
void Checkpoints::finish_file() {
  writing_ = std::async(std::launch::async, [this] {
    writer_->finish();
    own_.push_back({checkpoint_path(options_.directory, saved_step_), saved_step_});
    return drop_old();
  });
}

void Checkpoints::finish_writing() {
  std::string failure;
  const auto attempt = [&](const auto& action) {
    try {
      action();
    } catch (const OutputError& error) {
      failure = error.what();
    }
  };
  if (part_.valid()) {
    attempt([&] { part_.get(); });
    tell_first(failure.empty());
  }
  ranks_.wait_for(messages_);
  messages_.clear();
  if (ranks_.is_first() && writer_ && !writing_.valid() && failure.empty() && all_have_written()) finish_file();
  if (writing_.valid()) {
    attempt([&] {
      for (const std::string& warning : writing_.get()) log_warning(warning);
    });
  }
  writer_.reset();
  throw_on_all(ranks_, failure);
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
