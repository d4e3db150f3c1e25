#pragma once

#include <cstddef>
#include <optional>

namespace maxwell_dg::simulation {

struct Plan;

/// When a run with time.until has nothing more to bring; of several ports that are driven, each one's turn. Times are
/// those inside, from the beginning of a turn (docs/theory.md, "The end of a run by decay").
struct EndRule {
  double wanted_db{};    ///< that all levels must have reached
  double sources_end{};  ///< when sources have ended, and what they sent from outside of the mesh has come in
  double window{};       ///< a level is the largest of the latest such time
  long every = 1;        ///< steps between two looks
  /// Nothing in the model takes energy. Told once the sources have ended for that long, also where the level has been
  /// reached: by the upwind flux, which takes what the mesh does not resolve.
  std::optional<double> undamped_after{};

  /// The first time at which a turn may end.
  [[nodiscard]] double earliest() const { return sources_end + window; }
  [[nodiscard]] bool has_ended(double time, double level_db) const {
    return time >= earliest() && level_db <= wanted_db;
  }
};

/// Of a config with time.until; none of others. Throws ConfigError where a source does not end, or not early enough
/// for the rule to hold before time.at_most. Collective.
[[nodiscard]] std::optional<EndRule> end_rule(const Plan& plan);

}  // namespace maxwell_dg::simulation
