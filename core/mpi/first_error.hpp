#pragma once

#include <string>

#include "core/mpi/communicator.hpp"

/// What a rank does by itself and may fail in alone, while others wait for it.
namespace maxwell_dg::core {

/// Calls `work`. What the first rank to throw an `Error` says, on all ranks; "" where none does. Collective.
template <class Error, class Work>
[[nodiscard]] std::string first_error(const Communicator& ranks, const Work& work) {
  std::string mine;
  try {
    work();
  } catch (const Error& error) {
    mine = error.what();
  }
  return ranks.first_reason(mine);
}

/// Calls `work`. Where it throws an `Error` on some rank, all throw the first one's. Collective.
template <class Error, class Work>
void on_all_ranks(const Communicator& ranks, const Work& work) {
  const std::string reason = first_error<Error>(ranks, work);
  if (!reason.empty()) throw Error(reason);
}

}  // namespace maxwell_dg::core
