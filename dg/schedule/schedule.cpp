#include "dg/schedule/schedule.hpp"

#include <charconv>
#include <optional>
#include <string_view>

#include "core/round_up.hpp"
#include "dg/schedule/choice.hpp"

namespace maxwell_dg::dg {

namespace {

/// Reads a name from left to right.
struct NameReader {
  std::string_view rest;

  bool take(std::string_view text) {
    if (!rest.starts_with(text)) return false;
    rest.remove_prefix(text.size());
    return true;
  }
  /// A number of at least 1 that follows these letters. If there is none, nothing is read.
  std::optional<int> take_number(std::string_view letters, int digits) {
    const std::string_view before = rest;
    int number = 0;
    if (take(letters) && !rest.starts_with('0')) {
      const std::string_view some = rest.substr(0, static_cast<std::size_t>(digits));
      const auto [end, error] = std::from_chars(some.data(), some.data() + some.size(), number);
      if (error == std::errc() && number > 0) {
        rest.remove_prefix(static_cast<std::size_t>(end - some.data()));
        return number;
      }
    }
    rest = before;
    return std::nullopt;
  }
  /// The way whose text comes next; of several, the one with the longest text.
  std::optional<int> take_way(const std::vector<Choice::Way>& ways) {
    std::optional<int> longest;
    std::string_view text;
    for (std::size_t i = 0; i < ways.size(); ++i) {
      if (!rest.starts_with(ways[i].in_name) || (longest && ways[i].in_name.size() <= text.size())) continue;
      longest = static_cast<int>(i);
      text = ways[i].in_name;
    }
    if (longest) rest.remove_prefix(text.size());
    return longest;
  }
};

bool is_usual(const Choice& choice, const Schedule& schedule, const Schedule& usual) {
  return choice.value(schedule) == choice.value(usual);
}

/// The schedule that has this name; `usual` is the default schedule of its slicing. None if it is no name of the
/// slicing.
std::optional<Schedule> read(std::string_view name, const Schedule& usual) {
  Schedule schedule = usual;
  NameReader reader{name};
  const std::span<const Choice> choices = choices_of(usual);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const Choice& choice = choices[i];
    const std::optional<int> value =
        choice.is_number() ? reader.take_number(choice.letters, choice.digits) : reader.take_way(choice.ways);
    if (value) {
      choice.choose(schedule, *value);
    } else if (choice.written == Choice::Written::with_next) {
      ++i;
    } else if (choice.written != Choice::Written::unless_default) {
      return std::nullopt;
    }
  }
  if (!reader.rest.empty()) return std::nullopt;
  return schedule;
}

}  // namespace

Schedule::Basis Schedule::basis() const {
  return std::visit(
      [](const auto& s) {
        if constexpr (requires { s.basis; }) return s.basis;
        return Basis::cartesian;
      },
      slicing);
}

Schedule::Parts Schedule::parts() const {
  return std::visit(
      [](const auto& s) {
        if constexpr (requires { s.parts; }) return s.parts;
        return Parts::together;
      },
      slicing);
}

int Schedule::resident_groups() const {
  return std::visit(
      [](const auto& s) {
        if constexpr (requires { s.resident_groups; }) return s.resident_groups;
        return 1;
      },
      slicing);
}

bool Schedule::connects_nodes() const {
  return std::visit(
      [](const auto& s) {
        if constexpr (requires { s.connectivity; }) return s.connectivity == Connectivity::by_node;
        return false;
      },
      slicing);
}

slicings::Traits Schedule::traits() const {
  return std::visit([](const auto& s) { return traits_of(s); }, slicing);
}

int Schedule::side_by_side(int of_fields) const {
  if (traits().joins_fields) return of_fields;
  return basis() == Basis::element_interleaved ? 2 : 1;
}

int Schedule::block_values(int values, Dtype precision) const {
  using Distance = slicings::Traits::Distance;
  switch (traits().distance) {
    case Distance::least: return values;
    case Distance::whole_vectors: return round_up(values, 16 / static_cast<int>(size_of(precision)));
    case Distance::without_conflicts: return round_up(values - 4, 8) + 4;
  }
  return values;
}

std::string Schedule::slicing_name() const {
  return std::string(choices_of(*this).front().way_of(*this).in_name);
}

std::string Schedule::name() const {
  const Schedule usual = std::visit([]<class S>(const S&) { return Schedule{S{}}; }, slicing);
  const std::span<const Choice> choices = choices_of(*this);
  std::string text;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const Choice& choice = choices[i];
    if (!choice.is_number()) {
      text += choice.way_of(*this).in_name;
      continue;
    }
    const bool usual_here = is_usual(choice, *this, usual);
    if (choice.written == Choice::Written::with_next && usual_here && is_usual(choices[i + 1], *this, usual)) {
      ++i;
      continue;
    }
    if (choice.written == Choice::Written::unless_default && usual_here) continue;
    text += std::string(choice.letters) + std::to_string(choice.value(*this));
  }
  return text;
}

Schedule Schedule::named(const std::string& name) {
  for (const Schedule& usual : every_slicing()) {
    if (const std::optional<Schedule> schedule = read(name, usual)) return *schedule;
  }
  throw std::invalid_argument("'" + name + "' is no variant; they look like " +
                              "tensor_e16_w4_r3, tiles_e32_w8_r2_apart_group, tensor_e8_w6_r4_mirrorfirst, "
                              "tensor_e16_w2_r6_faces_tight, tensor_e8_w8_r2_ahead_basis, elements_e64_r6_basis, "
                              "elements_e64_r4_apart_interleaved, nodes_pad1_v4_s4 or lanes16_n3");
}

}  // namespace maxwell_dg::dg
