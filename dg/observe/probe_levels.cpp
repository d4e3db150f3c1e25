#include "dg/observe/probe_levels.hpp"

#include <cmath>
#include <numeric>

#include "dg/operator/operator.hpp"

namespace maxwell_dg::dg {

ProbeLevels::ProbeLevels(const Operator& op, const Options& options)
    : DecayLevels(op.record_points(options.points, batch), "probe_levels",
                  options.points.size() * static_cast<std::size_t>(op.problem().system.field_count()),
                  options.points.size() / options.parts, options.levels),
      numbers_(options.parts * static_cast<std::size_t>(op.problem().system.field_count())) {}

void ProbeLevels::take(double time, std::span<const double> record) {
  for (std::size_t p = 0; p < levels().size(); ++p) {
    const std::span<const double> fields = record.subspan(p * numbers_, numbers_);
    add(p, time, std::sqrt(std::inner_product(fields.begin(), fields.end(), fields.begin(), 0.0)));
  }
}

}  // namespace maxwell_dg::dg
