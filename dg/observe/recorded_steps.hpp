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

/// What the device notes every few steps and at the end. It records and goes on; the host takes the records as they
/// arrive. Who derives from it says what becomes of them.
class RecordedSteps : public Observer {
 public:
  void observe(Operator& op, const Moment& now) override;
  void finish(Operator& op, const Moment& now) override;
  void flush(Operator& op, const Moment& now) override;
  void save(Operator& op, const Moment& now, Archive& archive) override;

 protected:
  struct Records {
    std::string name;          ///< what an archive keeps begins with it
    long every{};              ///< steps
    std::size_t width{};       ///< numbers a record
    const Archive* resumed{};  ///< what was saved, of a run that goes on; read at once
  };
  RecordedSteps(std::unique_ptr<Recorder> recorder, const Records& records);

  /// Called once for each record, in their order: all of them have been by the end of `finish` and `save`.
  virtual void take(double time, std::span<const double> record) = 0;

 private:
  void note(const Moment& now);
  void hand_out(std::span<const double> records);

  std::unique_ptr<Recorder> recorder_;
  std::string name_;
  long every_;
  std::size_t width_;
  std::deque<double> times_;  ///< of what was recorded and not yet taken
  long noted_step_ = -1;
};

}  // namespace maxwell_dg::dg
