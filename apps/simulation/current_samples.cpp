#include "apps/simulation/current_samples.hpp"

#include <algorithm>
#include <cmath>

#include "apps/config/named_parts.hpp"
#include "apps/config/resolve.hpp"

namespace maxwell_dg::simulation {

CurrentSamples::CurrentSamples(const config::Config& config, const std::string& key, const config::Current& source,
                               const std::vector<config::Formula>& density, const dg::Discretization& d) {
  const std::vector<bool> chosen = config::region_cells(config, key + ".region", source.region, d.mesh);
  const auto count = static_cast<std::size_t>(std::ranges::count(chosen, true));
  const std::size_t every = std::max<std::size_t>(1, count / most_points);
  for (std::size_t k = 0, n = 0; k < chosen.size(); ++k) {
    if (chosen[k] && n++ % every == 0) points_.push_back(dg::centroid(d.mesh, d.mesh.cells[k]));
  }
  for (const config::Formula& formula : density)
    density_.emplace_back(std::vector{config::expression(config, formula)});
}

double CurrentSamples::largest_at(double t) const {
  double largest = 0;
  std::vector<double> work;
  for (const dg::symbolic::Program& component : density_) {
    work.resize(component.size());
    for (const dg::Point& x : points_) {
      double value{};
      component.run(
          [&](const dg::symbolic::Symbol& s) {
            return s.kind == dg::symbolic::Symbol::Kind::time ? t : x.at(static_cast<std::size_t>(s.axis));
          },
          work, {&value, 1});
      if (!std::isfinite(value)) return value;
      largest = std::max(largest, std::abs(value));
    }
  }
  return largest;
}

}  // namespace maxwell_dg::simulation
