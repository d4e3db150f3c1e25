#pragma once

#include <future>
#include <memory>
#include <string>
#include <vector>

#include "dg/checkpoint/archive.hpp"
#include "dg/observe/files/file_scaling.hpp"
#include "dg/observe/files/sink.hpp"
#include "dg/observe/files/vtk_writer.hpp"
#include "dg/operator/state_copy.hpp"
#include "dg/time/time_loop.hpp"

namespace maxwell_dg::dg {

/// Snapshots of the fields for ParaView: `fields_000000.vtu` ... and `fields.pvd`, which has their times and is
/// replaced atomically after each snapshot, so that it is valid at any time. A thread writes a snapshot while the run
/// continues; the next snapshot waits for that thread. What the thread threw, the next call throws.
///
/// Of several ranks each writes its own elements (SnapshotFiles). A snapshot is in `fields.pvd` when the next one is
/// due, or at the end, a checkpoint or a flush before that: then ranks tell each other that they have written it.
class FieldSeries final : public Observer {
 public:
  struct Options {
    Sink& sink;
    std::vector<long> steps;                ///< after which steps, ascending
    std::vector<std::string> quantities{};  ///< E, H ...; empty: all
    FileScaling scaling{};
    const Archive* resumed{};  ///< of a resumed run: what `save` stored; only read by the constructor
  };

  /// The operator must outlive the observer. Throws ConfigError for a quantity that the system lacks.
  FieldSeries(const Operator& op, Options options);

  /// Throws OutputError; the series written so far stays readable.
  void observe(Operator& op, const Moment& now) override;
  void finish(Operator&, const Moment&) override { finish_writing(); }
  void flush(Operator&, const Moment&) override { finish_writing(); }
  void save(Operator& op, const Moment& now, Archive& archive) override;

  [[nodiscard]] std::size_t snapshots() const { return series_->count(); }  ///< that are complete; after `finish`, all

 private:
  /// Waits until all ranks have written what is begun.
  void finish_writing();
  void write_snapshot(double time);  // runs in the writing thread, where the sink allows it

  const Operator& op_;
  Options options_;
  std::vector<VtkWriter::PointData> point_data_;
  VtkWriter writer_;
  std::unique_ptr<StateCopy> copy_;
  std::vector<double> values_;  ///< [own element][field][node]
  int field_count_;
  std::unique_ptr<Snapshots> series_;
  std::future<void> writing_;  ///< the last member: its destructor waits for a thread that uses the others
};

/// The steps that are nearest to the multiples of `interval`, ascending, each once, from the step of `origin` on. Time
/// steps are equal; `end` is the time of step number `steps`.
[[nodiscard]] std::vector<long> steps_every(double interval, double end, long steps, const Moment& origin = {});
/// Step 0 and `count` more steps, evenly distributed over the time from 0 to `end`; of these, the steps from that of
/// `origin` on.
[[nodiscard]] std::vector<long> steps_evenly(long count, double end, long steps, const Moment& origin = {});

}  // namespace maxwell_dg::dg
