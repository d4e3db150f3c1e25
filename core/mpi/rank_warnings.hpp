#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "core/mpi/communicator.hpp"

namespace maxwell_dg {

/// What ranks behind the first warn of: the first one says it for them, with their numbers. What it has said itself, or
/// several ranks say, is said once.
class RankWarnings {
 public:
  explicit RankWarnings(core::Communicator ranks) : ranks_(std::move(ranks)) {}

  /// Says, on the first rank, those of other ranks that are new since the last call. `mine`: all warnings of this rank
  /// so far; on the first rank those that this function has logged are among them. Collective.
  void tell(const std::vector<std::string>& mine);

 private:
  core::Communicator ranks_;
  std::size_t told_ = 0;          ///< of those behind the first: how many of its warnings
  std::set<std::string> said_{};  ///< of other ranks, without their numbers
};

}  // namespace maxwell_dg
