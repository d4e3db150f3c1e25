#include "rtcg/tune/search.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace maxwell_dg::rtcg {

namespace {

// Own loops instead of std::shuffle, whose result differs between libraries: a seed means one order everywhere.
void shuffle(std::vector<std::size_t>& items, std::mt19937_64& random) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random() % i]);
}

}  // namespace

Search::Search(SearchKind kind, SearchPoints points, std::uint64_t seed)
    : kind_(kind), points_(std::move(points)), taken_(points_.size()), order_(points_.size()), random_(seed) {
  if (kind_ == SearchKind::automatic) {
    kind_ = points_.size() <= small_space ? SearchKind::exhaustive : SearchKind::local;
  }
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  if (kind_ == SearchKind::exhaustive) {
    std::ranges::reverse(order_);
  } else {
    shuffle(order_, random_);
  }
}

std::vector<std::size_t> Search::neighbours_of_best() const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (!taken_[i] && points_.are_neighbours(i, *best_)) found.push_back(i);
  }
  return found;
}

std::vector<std::size_t> Search::next(std::size_t count) {
  std::vector<std::size_t> chosen;
  const auto choose = [&](std::size_t point) {
    if (chosen.size() == count || taken_[point]) return;
    taken_[point] = true;
    chosen.push_back(point);
  };
  if (kind_ == SearchKind::local && best_ && explored_) {
    std::vector<std::size_t> near = neighbours_of_best();
    shuffle(near, random_);
    for (const std::size_t point : near) choose(point);
    if (!chosen.empty()) return chosen;
  }
  explored_ = true;
  while (chosen.size() < count && !order_.empty()) {
    choose(order_.back());
    order_.pop_back();
  }
  return chosen;
}

void Search::report(std::size_t point, double seconds) {
  if (!(seconds < best_seconds_)) return;
  best_seconds_ = seconds;
  best_ = point;
}

std::optional<std::size_t> Search::take(const Configuration& configuration) {
  const auto point = points_.find(configuration);
  if (!point || taken_[*point]) return std::nullopt;
  taken_[*point] = true;
  return point;
}

}  // namespace maxwell_dg::rtcg
