#include "dg/operator/range_progress.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "dg/lowering/lowered_term.hpp"

namespace maxwell_dg::dg {

RangeProgress::RangeProgress(const Discretization& discretization, const Problem& problem)
    : read_(discretization.ranges.neighbours()), stages_(discretization.ranges.size()) {
  if (stages_.size() == 1) return;
  for (const FaceTerm& term : problem.face_terms) {
    for (std::size_t i = 0; i < term.faces.size(); ++i) {
      const std::size_t here = discretization.ranges.of(static_cast<std::size_t>(term.faces[i].element));
      const std::size_t there =
          discretization.ranges.of(static_cast<std::size_t>(other_side(discretization, term, i) / 4));
      if (here == there) continue;
      read_[here].push_back(there);
      read_[there].push_back(here);
    }
  }
  for (std::vector<std::size_t>& others : read_) {
    std::ranges::sort(others);
    others.erase(std::unique(others.begin(), others.end()), others.end());
  }
}

bool RangeProgress::are_level() const {
  return std::ranges::all_of(stages_, [&](std::size_t stages) { return stages == stages_.front(); });
}

int RangeProgress::copy() const {
  if (!are_level()) {
    throw std::logic_error("the state is read or written while some ranges of elements have computed more stages");
  }
  return copy_of(0);
}

void RangeProgress::check_turn(std::size_t range) const {
  for (const std::size_t other : read_.at(range)) {
    const bool is_there = stages_[other] == stages_[range] || stages_[other] == stages_[range] + 1;
    if (is_there) continue;
    throw std::logic_error("range " + std::to_string(range) + " of elements has computed " +
                           std::to_string(stages_[range]) + " stages, and range " + std::to_string(other) +
                           ", which it reads, " + std::to_string(stages_[other]) + ": it is not its turn");
  }
}

void RangeProgress::advance(std::size_t range) {
  check_turn(range);
  ++stages_[range];
}

void RangeProgress::advance_all() {
  for (std::size_t& stages : stages_) ++stages;
}

}  // namespace maxwell_dg::dg
