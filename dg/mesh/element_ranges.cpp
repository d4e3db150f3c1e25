#include "dg/mesh/element_ranges.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace maxwell_dg::dg {

namespace {

bool is_ghost(const ElementRange& range) {
  return range.place == ElementRange::Place::ghost;
}

}  // namespace

ElementRanges::ElementRanges(std::size_t elements) : ranges_{{.begin = 0, .end = elements}}, neighbours_(1) {}

ElementRanges::ElementRanges(std::vector<ElementRange> ranges, const Connectivity& connectivity)
    : ranges_(std::move(ranges)) {
  const std::size_t elements = connectivity.neighbours.size();
  std::size_t begin = 0;
  for (const ElementRange& range : ranges_) {
    if (range.begin != begin || range.end <= range.begin) {
      throw std::invalid_argument("ElementRanges: a range from " + std::to_string(range.begin) + " to " +
                                  std::to_string(range.end) + " where one that begins at " + std::to_string(begin) +
                                  " is needed");
    }
    begin = range.end;
  }
  if (begin != elements) {
    throw std::invalid_argument("ElementRanges: ranges hold " + std::to_string(begin) + " of " +
                                std::to_string(elements) + " elements");
  }
  if (std::ranges::all_of(ranges_, is_ghost) || !std::ranges::is_partitioned(ranges_, std::not_fn(is_ghost))) {
    throw std::invalid_argument("ElementRanges: ghosts are not behind own elements");
  }
  if (size() == 1) {  // of all elements: nothing to search
    neighbours_.resize(1);
    return;
  }
  for (std::size_t r = 0; r < size(); ++r) {
    std::set<std::size_t> others;
    for (std::size_t k = ranges_[r].begin; k < ranges_[r].end; ++k) {
      for (const std::int32_t neighbour : connectivity.neighbours[k]) {
        if (neighbour >= 0) others.insert(of(static_cast<std::size_t>(neighbour / 4)));
      }
    }
    others.erase(r);
    neighbours_.emplace_back(others.begin(), others.end());
  }
}

std::size_t ElementRanges::own() const {
  return static_cast<std::size_t>(std::ranges::partition_point(ranges_, std::not_fn(is_ghost)) - ranges_.begin());
}

std::size_t ElementRanges::of(std::size_t element) const {
  const auto behind = std::ranges::upper_bound(ranges_, element, {}, &ElementRange::begin);
  return static_cast<std::size_t>(behind - ranges_.begin()) - 1;
}

}  // namespace maxwell_dg::dg
