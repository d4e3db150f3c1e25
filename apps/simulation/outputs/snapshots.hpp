#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/simulation/plan.hpp"

namespace maxwell_dg::simulation {

/// VTK files that a run will write.
struct Snapshots {
  std::string output;  ///< "fields"
  std::size_t count{};
  double bytes{};  ///< of one, about
};
[[nodiscard]] std::vector<Snapshots> snapshots(const Plan& plan);

}  // namespace maxwell_dg::simulation
