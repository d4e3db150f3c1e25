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

/// Snapshots for ParaView: `fields_000000.vtu` ... and `fields.pvd`, which ties them to times. The series file is
/// replaced atomically after each snapshot: whenever a run is killed, what is there opens. A snapshot is written by a
/// thread of its own while the run goes on; the next one waits for it. What went wrong with it is thrown then, or by
/// `finish`.
class FieldSeries final : public Observer {
 public:
  struct Options {
    Sink& sink;
    std::vector<long> steps;                ///< ascending: after which steps
    std::vector<std::string> quantities{};  ///< E, H ...; empty: all
    FileScaling scaling{};
    const Archive* resumed{};  ///< what was saved, of a run that goes on; read at once
  };

  /// The operator must outlive the observer. Throws ConfigError for a quantity that the system lacks.
  FieldSeries(const Operator& op, Options options);

  /// Throws OutputError; the series written so far stays readable.
  void observe(Operator& op, const Moment& now) override;
  void finish(Operator&, const Moment&) override { finish_writing(); }
  void flush(Operator&, const Moment&) override { finish_writing(); }
  void save(Operator& op, const Moment& now, Archive& archive) override;

  [[nodiscard]] std::size_t snapshots() const { return series_->count(); }  ///< complete; after `finish`, all

 private:
  void finish_writing();
  void write_snapshot(double time);  // by the thread

  Options options_;
  std::vector<VtkWriter::PointData> point_data_;
  VtkWriter writer_;
  std::unique_ptr<StateCopy> copy_;
  std::vector<double> values_;  ///< [element][field][node]
  int field_count_;
  std::unique_ptr<Snapshots> series_;
  std::future<void> writing_;  ///< last: what it uses outlives it
};

/// The steps nearest to the multiples of `interval` from the origin to `end`, each once, where equal steps lead from
/// there to `end`, which is the time of step `steps`.
[[nodiscard]] std::vector<long> steps_every(double interval, double end, long steps, const Moment& origin = {});
/// Step 0 and `count` more, evenly spread over the time up to `end`; those from the origin on.
[[nodiscard]] std::vector<long> steps_evenly(long count, double end, long steps, const Moment& origin = {});

}  // namespace maxwell_dg::dg
