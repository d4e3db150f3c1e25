#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <string>

#include "dg/checkpoint/archive.hpp"
#include "dg/operator/recorder.hpp"
#include "dg/time/time_loop.hpp"

namespace maxwell_dg::dg {

/// What the device records every few steps and at the end of a run. The run does not wait for it: the host takes
/// records when they have arrived. A derived class says what happens to them.
class RecordedSteps : public Observer {
 public:
  void observe(Operator& op, const Moment& now) override;
  void finish(Operator& op, const Moment& now) override;
  void flush(Operator& op, const Moment& now) override;
  void save(Operator& op, const Moment& now, Archive& archive) override;

 protected:
  struct Records {
    std::string name;          ///< prefix of the names in an archive
    long every{};              ///< steps
    std::size_t width{};       ///< numbers of a record
    const Archive* resumed{};  ///< of a resumed run: what `save` stored; only read by the constructor
  };
  RecordedSteps(std::unique_ptr<Recorder> recorder, const Records& records);

  /// Called once for each record, in their order, at the latest by `finish` or `save`.
  virtual void take(double time, std::span<const double> record) = 0;

 private:
  void record(const Moment& now);
  void hand_out(std::span<const double> records);

  std::unique_ptr<Recorder> recorder_;
  std::string name_;
  long every_;
  std::size_t width_;
  std::deque<double> times_;  ///< of records that were not taken yet
  long recorded_step_ = -1;
};

}  // namespace maxwell_dg::dg
