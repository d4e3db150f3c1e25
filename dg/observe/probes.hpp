#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dg/checkpoint/archive.hpp"
#include "dg/observe/files/file_scaling.hpp"
#include "dg/observe/files/sink.hpp"
#include "dg/operator/recorder.hpp"
#include "dg/time/time_loop.hpp"

namespace maxwell_dg::dg {

/// Fields at points after every step: `time`, then `NAME.FIELD` for every field of the system.
/// The device records by itself; rows come to the host and are written a batch at a time, while it goes on.
class Probes final : public Observer {
 public:
  struct Probe {
    std::string name;
    PointLocation location;
  };
  struct Options {
    Sink& sink;  ///< of the table "probes"
    std::vector<Probe> probes;
    FileScaling scaling{};
    std::size_t batch = 256;   ///< steps
    const Archive* resumed{};  ///< what was saved, of a run that goes on; read at once
  };

  /// The operator must outlive the observer. Throws OutputError.
  Probes(const Operator& op, Options options);

  void observe(Operator& op, const Moment& now) override;
  void finish(Operator& op, const Moment& now) override;
  void flush(Operator& op, const Moment& now) override;
  void save(Operator& op, const Moment& now, Archive& archive) override;

 private:
  void write(std::span<const double> values);  // [record][point][field]

  Options options_;
  std::vector<double> factors_;  ///< [field]
  std::unique_ptr<Recorder> recorder_;
  std::deque<double> times_;  ///< of what was recorded and not yet written
  std::unique_ptr<Rows> rows_;
};

}  // namespace maxwell_dg::dg
