#include "apps/config/config.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "apps/config/yaml.hpp"

namespace maxwell_dg::config {

std::string Config::blame(std::string_view key_path, std::string_view message) const {
  const std::string path(key_path);
  Place place{.source = file.string()};
  // The nearest key that the user wrote: defaults stand nowhere.
  for (std::string key = path; !key.empty();
       key.resize(key.find_last_of('.') == std::string::npos ? 0 : key.find_last_of('.'))) {
    if (const auto found = places.find(key); found != places.end()) {
      place = found->second;
      break;
    }
  }
  return to_string(place) + ": " + path + ": " + std::string(message);
}

const KnownSystem& Config::equations() const {
  const auto found = std::ranges::find(*systems, system, &KnownSystem::name);
  if (found == systems->end()) throw std::logic_error("Config: there is no system '" + system + "'");
  return *found;
}

bool Config::has_phases() const {
  return std::ranges::any_of(boundaries, [](const Boundary& b) { return b.phase != 0; });
}

double Config::end_time() const {
  if (time.end) return *time.end;
  return *time.periods / sources.front().waveform.frequency;  // both checked when the config was read
}

Config empty_config(std::shared_ptr<const Systems> systems) {
  Config config;
  config.systems = std::move(systems);
  config.system = config.systems->front().name;
  return config;
}

}  // namespace maxwell_dg::config
