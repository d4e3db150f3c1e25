#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <vector>

#include "rtcg/tune/search_space.hpp"

namespace maxwell_dg::rtcg {

/// In which order the points of a space are tried.
///   exhaustive   all, in order
///   random       all, in an order of chance
///   local        some of chance, then always the neighbours (one parameter differs) of the best so far; where it has
///                none left, some of chance again
///   automatic    exhaustive for a small space, else local
enum class SearchKind { automatic, exhaustive, random, local };

/// Walks through a space, each point at most once.
class Search {
 public:
  Search(SearchKind kind, SearchPoints points, std::uint64_t seed);

  /// Up to `count` points to be tried next, as indices; none when all have been given out.
  [[nodiscard]] std::vector<std::size_t> next(std::size_t count);
  /// What came of a point: seconds, or infinity for one that was rejected.
  void report(std::size_t point, double seconds);
  /// A local search goes on with the neighbours of the best so far, without points of chance before.
  void begin_at_best() { explored_ = true; }
  /// Takes a point out of what `next` will give, because it is tried anyway; its index, or nothing if it is not there.
  [[nodiscard]] std::optional<std::size_t> take(const Configuration& configuration);

  [[nodiscard]] const SearchPoints& points() const { return points_; }

 private:
  static constexpr std::size_t small_space = 64;
  [[nodiscard]] std::vector<std::size_t> neighbours_of_best() const;

  SearchKind kind_;
  SearchPoints points_;
  std::vector<bool> taken_;
  std::vector<std::size_t> order_;  ///< what has not been looked at, the next at the end
  std::mt19937_64 random_;
  std::optional<std::size_t> best_;
  double best_seconds_ = std::numeric_limits<double>::infinity();
  bool explored_ = false;
};

}  // namespace maxwell_dg::rtcg
