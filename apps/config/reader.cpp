#include "apps/config/reader.hpp"

#include <algorithm>
#include <tuple>

#include "core/error.hpp"

namespace maxwell_dg::config {

Reader::Step::Step(Reader& reader, const std::string& name, const Place& place)
    : reader_(reader), length_(reader.path_.size()) {
  if (!reader.path_.empty()) reader.path_ += '.';
  reader.path_ += name;
  reader.config_.places.insert_or_assign(reader.path_, place);
}

Reader::Step::~Step() {
  reader_.path_.resize(length_);
}

void Reader::error(const Place& place, const std::string& message, const std::string& below) {
  std::string key = path_;
  if (!below.empty()) key += (key.empty() ? "" : ".") + below;
  findings_.push_back({place, to_string(place) + ": " + (key.empty() ? "" : key + ": ") + message});
  if (findings_.size() == most_findings) throw_findings();
}

void Reader::wrong(const Value& value, const std::string& allowed, const std::string& hint) {
  error(value.place, "found " + describe(value) + "; allowed: " + allowed + hint);
}

void Reader::throw_findings() const {
  if (findings_.empty()) return;
  std::vector<Finding> sorted = findings_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Finding& a, const Finding& b) {
    return std::tuple(a.place.line == 0, a.place.line, a.place.column) <
           std::tuple(b.place.line == 0, b.place.line, b.place.column);
  });
  std::string all;
  for (const Finding& finding : sorted) all += (all.empty() ? "" : "\n") + finding.text;
  if (sorted.size() == most_findings)
    all += "\n" + config_.file.string() + ": there may be more; only the first " + std::to_string(most_findings) +
           " errors are shown";
  throw ConfigError(all);
}

const Reader::Names& Reader::names(bool coordinates, bool time) {
  NamesSoFar& known = names_[{coordinates, time}];
  if (known.names.empty()) {
    if (time) known.names.emplace("t", dg::symbolic::time());
    for (int axis = 0; coordinates && axis < 3; ++axis) {
      known.names.emplace(std::string(1, "xyz"[axis]), dg::symbolic::coordinate(axis));
    }
  }
  for (; known.constants < config_.constants.size(); ++known.constants) {
    const auto& [name, value] = config_.constants[known.constants];
    known.names.emplace(name, value);
  }
  return known.names;
}

Place Reader::place_of(const std::string& below) const {
  std::string key = path_;
  if (!below.empty()) key += (key.empty() ? "" : ".") + below;
  const auto found = config_.places.find(key);
  return found == config_.places.end() ? Place{.source = config_.file.string()} : found->second;
}

}  // namespace maxwell_dg::config
