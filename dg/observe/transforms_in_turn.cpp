#include "dg/observe/transforms_in_turn.hpp"

#include <algorithm>

namespace maxwell_dg::dg {

TransformsInTurn::TransformsInTurn(const Operator& op, const Options& options) : steps_(options.sampling.steps) {
  for (const Turn& turn : options.turns) {
    names_.push_back(turn.name);
    transforms_.emplace_back(
        op, RunningTransform::Options{
                .selection = options.selection, .sampling = options.sampling, .reference = turn.reference});
    if (options.resumed != nullptr) transforms_.back().load(turn.name, *options.resumed);
  }
}

void TransformsInTurn::observe(const Moment& now) {
  const auto turns = static_cast<long>(transforms_.size());
  const long turn = std::min(now.step * turns / steps_, turns - 1);
  transforms_[static_cast<std::size_t>(turn)].observe(now);
}

void TransformsInTurn::save(Archive& archive) const {
  for (std::size_t i = 0; i < transforms_.size(); ++i) transforms_[i].save(names_[i], archive);
}

}  // namespace maxwell_dg::dg
