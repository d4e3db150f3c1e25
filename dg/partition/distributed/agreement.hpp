#pragma once

#include <string>

#include "core/error.hpp"
#include "core/mpi/communicator.hpp"

namespace maxwell_dg::dg {

/// Calls what a rank does by itself. Where that throws MeshError on some rank, all throw the first one's. Collective.
template <class Work>
void on_all_ranks(const core::Communicator& ranks, const Work& work) {
  std::string mine;
  try {
    work();
  } catch (const MeshError& error) {
    mine = error.what();
  }
  const std::string reason = ranks.first_reason(mine);
  if (!reason.empty()) throw MeshError(reason);
}

}  // namespace maxwell_dg::dg
