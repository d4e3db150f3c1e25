#pragma once

#include <string>
#include <vector>

#include "apps/config/config.hpp"

namespace maxwell_dg::config {

/// An output that is a Fourier transform of the run, over that of the first source's waveform.
struct Transform {
  std::string name;            ///< its key is "outputs.NAME"
  double lowest{}, highest{};  ///< of its frequencies, in the config's units
  std::string highest_key;     ///< under which the highest stands
  bool sums_up = true;  ///< while the run goes on, of a sine over the last periods alone; else a file is transformed
};

/// All that the config asks for.
[[nodiscard]] std::vector<Transform> transforms(const Config& config);

}  // namespace maxwell_dg::config
