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
  return std::ranges::any_of(boundaries_of<Periodic>(*this), [](const auto& pair) { return pair.value.phase != 0; });
}

double Config::end_time() const {
  if (time.end) return *time.end;
  if (time.at_most) return *time.at_most;
  return *time.periods / waveform_of(sources.front())->frequency;  // both checked when the config was read
}

std::string Config::end_key() const {
  if (time.end) return "time.end";
  return time.at_most ? "time.at_most" : "time.periods";
}

const Waveform* waveform_of(const Source& source) {
  return std::visit(
      []<class Kind>(const Kind& kind) -> const Waveform* {
        if constexpr (requires { kind.waveform; }) return &kind.waveform;
        return nullptr;
      },
      source);
}

std::vector<Entry<Waveform>> waveforms_of(const Config& config) {
  std::vector<Entry<Waveform>> entries;
  for (std::size_t i = 0; i < config.sources.size(); ++i) {
    if (const Waveform* waveform = waveform_of(config.sources[i])) {
      entries.push_back({"sources." + std::to_string(i), *waveform});
    }
  }
  return entries;
}

Config empty_config(std::shared_ptr<const Systems> systems) {
  Config config;
  config.systems = std::move(systems);
  config.system = config.systems->front().name;
  return config;
}

}  // namespace maxwell_dg::config
