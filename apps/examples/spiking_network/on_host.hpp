#pragma once

#include <cstddef>
#include <utility>
#include <vector>

/// The ring of neurons without a device, its equations written in C++.
namespace maxwell_dg::examples {

struct Neurons {
  /// A drive of about 1.05 is just enough to fire.
  explicit Neurons(std::vector<float> noise)
      : drives(std::move(noise)), v(drives.size()), current(drives.size()), fired(drives.size()) {
    for (float& drive : drives) drive = 1.05F + 0.2F * drive;
  }
  std::vector<float> drives, v, current, fired;
};

inline void step_on_host(Neurons& neurons, float step) {
  float kick = neurons.fired.back();
  for (std::size_t i = 0; i < neurons.v.size(); ++i) {
    float &v = neurons.v[i], &current = neurons.current[i];
    v += step * (neurons.drives[i] + current - v) / 20;
    current += 0.4F * kick - step * current / 5;
    kick = neurons.fired[i];
    neurons.fired[i] = v > 1 ? 1.0F : 0.0F;
    if (v > 1) v = 0;
  }
}

}  // namespace maxwell_dg::examples
