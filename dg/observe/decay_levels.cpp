#include "dg/observe/decay_levels.hpp"

#include <utility>

namespace maxwell_dg::dg {

DecayLevels::DecayLevels(std::unique_ptr<Recorder> recorder, const std::string& name, std::size_t width,
                         std::size_t quantities, const Options& options)
    : RecordedSteps(std::move(recorder),
                    {.name = name, .every = options.every, .width = width, .resumed = options.resumed}) {
  DecayRecord::Options decay = options.decay;
  for (std::size_t i = 0; i < quantities; ++i) {
    decay.name = name + "." + std::to_string(i);
    levels_.emplace_back(decay);
    if (options.resumed != nullptr) levels_.back().load(*options.resumed);
  }
}

void DecayLevels::save(Operator& op, const Moment& now, Archive& archive) {
  RecordedSteps::save(op, now, archive);
  for (const DecayRecord& level : levels_) level.save(archive);
}

}  // namespace maxwell_dg::dg
