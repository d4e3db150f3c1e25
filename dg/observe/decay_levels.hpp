#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "dg/observe/decay_record.hpp"
#include "dg/observe/recorded_steps.hpp"

namespace maxwell_dg::dg {

/// Records every few steps how far several quantities have decayed by the end of each turn of a run. A derived class
/// says what these are.
class DecayLevels : public RecordedSteps {
 public:
  static constexpr std::size_t batch = 8;  ///< records that are copied to the host at a time
  struct Options {
    DecayRecord::Options decay;  ///< of each quantity; its name is found from that of all
    long every = 20;             ///< steps; should be several times per period
    const Archive* resumed{};    ///< of a resumed run: what `save` stored; only read by the constructor
  };

  void save(Operator& op, const Moment& now, Archive& archive) override;

  /// [quantity]
  [[nodiscard]] const std::vector<DecayRecord>& levels() const { return levels_; }

 protected:
  /// Of so many quantities, from records of `width` numbers; `name` is the prefix of the names in an archive.
  DecayLevels(std::unique_ptr<Recorder> recorder, const std::string& name, std::size_t width, std::size_t quantities,
              const Options& options);
  void add(std::size_t quantity, double time, double value) { levels_[quantity].add(time, value); }

 private:
  std::vector<DecayRecord> levels_;
};

}  // namespace maxwell_dg::dg
