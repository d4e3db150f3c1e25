#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/config/config.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::simulation {

/// The density of a current, real or imaginary, in the middle of some elements of its regions: what can be known of an
/// expression.
class CurrentSamples {
 public:
  static constexpr std::size_t most_points = 64;

  /// `key`: of the source; `density`: one of its two.
  CurrentSamples(const config::Config& config, const std::string& key, const config::Current& source,
                 const std::vector<config::Formula>& density, const dg::Discretization& discretization);

  /// The largest component there at a time inside, by its size; a value that is no finite number where there is one.
  [[nodiscard]] double largest_at(double t) const;

 private:
  std::vector<dg::symbolic::Program> density_;
  std::vector<dg::Point> points_;
};

}  // namespace maxwell_dg::simulation
