#include "apps/config/checkpoint_keys.hpp"

namespace maxwell_dg::config {

Object checkpoint_keys(Checkpoint& checkpoint) {
  const auto every = [](double& seconds) {
    return number(seconds,
                  {.dimension = core::Dimension::time, .min = 0.0, .above_min = true, .is_of_the_clock = true});
  };
  return {.keys = {{"every", optional(checkpoint.every, every), "wall-clock time between two checkpoints"},
                   {"steps", optional(checkpoint.steps, [](int& n) { return integer(n, {1}); }),
                    "instead of `every`: steps between two checkpoints"},
                   {"keep", integer(checkpoint.keep, {1}), "number of checkpoints to keep, the latest ones"}},
          .exactly_one = {"every", "steps"}};
}

}  // namespace maxwell_dg::config
