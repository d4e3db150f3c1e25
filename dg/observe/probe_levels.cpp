#include "dg/observe/probe_levels.hpp"

#include <cmath>
#include <numeric>
#include <string>

#include "dg/operator/operator.hpp"

namespace maxwell_dg::dg {

ProbeLevels::ProbeLevels(const Operator& op, const Options& options)
    : RecordedSteps(op.record_points(options.points, batch),
                    {.name = "probe_levels",
                     .every = options.every,
                     .width = options.points.size() * static_cast<std::size_t>(op.problem().system.field_count()),
                     .resumed = options.resumed}),
      numbers_(options.parts * static_cast<std::size_t>(op.problem().system.field_count())) {
  for (std::size_t p = 0; p < options.points.size() / options.parts; ++p) {
    levels_.emplace_back(DecayRecord::Options{.end = options.end,
                                              .turns = options.turns,
                                              .window = options.window,
                                              .name = "probe_levels." + std::to_string(p)});
    if (options.resumed != nullptr) levels_.back().load(*options.resumed);
  }
}

void ProbeLevels::save(Operator& op, const Moment& now, Archive& archive) {
  RecordedSteps::save(op, now, archive);
  for (const DecayRecord& level : levels_) level.save(archive);
}

void ProbeLevels::take(double time, std::span<const double> record) {
  for (std::size_t p = 0; p < levels_.size(); ++p) {
    const std::span<const double> fields = record.subspan(p * numbers_, numbers_);
    levels_[p].add(time, std::sqrt(std::inner_product(fields.begin(), fields.end(), fields.begin(), 0.0)));
  }
}

}  // namespace maxwell_dg::dg
