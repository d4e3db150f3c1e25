#include "dg/codegen/vectors/lane_rows.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <set>
#include <utility>

#include "core/round_up.hpp"
#include "dg/codegen/kernel_values.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

namespace {

/// Appends the entries of a matrix, [column][row].
void append_columns(std::vector<double>& factors, const Eigen::MatrixXd& of_some_rows) {
  factors.insert(factors.end(), of_some_rows.data(), of_some_rows.data() + of_some_rows.size());
}

}  // namespace

std::vector<LaneStep> lane_steps(int rows, int multiplied_rows, int most_at_once) {
  std::vector<LaneStep> all;
  const int count = ceil_divide(rows, most_at_once);
  int first = 0;
  for (int i = 0; i < count; ++i) {
    const int at_once = rows / count + (i < rows % count ? 1 : 0);
    const int multiplied = std::clamp(multiplied_rows - first, 0, at_once);
    const bool is_mixed = multiplied > 0 && multiplied < at_once;
    if (!all.empty() && !is_mixed && all.back().at_once == at_once && all.back().multiplied == multiplied) {
      all.back().end += at_once;
    } else {
      all.push_back({first, first + at_once, at_once, multiplied});
    }
    first += at_once;
  }
  return all;
}

std::vector<LaneStep> shapes_of(const std::vector<std::vector<LaneStep>>& steps_of_kinds) {
  // Of a kind, rows that are multiplied out come first, and larger passes before smaller ones.
  const auto place = [](const LaneStep& step) {
    const int is_interpolated = step.multiplied == 0 ? 2 : step.multiplied < step.at_once ? 1 : 0;
    return std::array{is_interpolated, -step.at_once, -step.multiplied};
  };
  std::vector<LaneStep> shapes;
  for (const std::vector<LaneStep>& steps : steps_of_kinds) {
    for (const LaneStep& step : steps) {
      if (std::ranges::find(shapes, place(step), place) != shapes.end()) continue;
      shapes.push_back({0, 0, step.at_once, step.multiplied});
    }
  }
  std::ranges::sort(shapes, {}, place);
  return shapes;
}

std::vector<int> ends_of(const std::vector<LaneStep>& shapes, const std::vector<LaneStep>& steps) {
  std::vector<int> ends;
  for (const LaneStep& shape : shapes) {
    const auto step = std::ranges::find_if(
        steps, [&](const LaneStep& s) { return s.at_once == shape.at_once && s.multiplied == shape.multiplied; });
    ends.push_back(step != steps.end() ? step->end : ends.empty() ? 0 : ends.back());
  }
  return ends;
}

LaneRows::LaneRows(const ReferenceElement& reference, MirrorSums lifted, int at_once)
    : at_once_(at_once),
      nodes_(MirrorSums::of_nodes(reference)),
      lifted_(std::move(lifted)),
      derivatives_(DerivativeNodes::of_mirror_sums(reference)),
      rows_(sorted_rows()) {}

std::vector<LaneRows::Rows> LaneRows::sorted_rows() const {
  std::vector<Rows> all;
  Rows rows{};  // so far
  for (int kind = 0; kind < MirrorSums::kinds; ++kind) {
    const DerivativeNodes& derivatives = derivatives_[index(kind)];
    rows.kind = kind;
    rows.multiplied = static_cast<int>(derivatives.multiplied.size());
    rows.interpolated = static_cast<int>(derivatives.interpolated.size());
    rows.columns_of_d = 0;
    for (int axis = 0; axis < 3; ++axis) rows.columns_of_d += nodes_.count.at(index(kind ^ axis));
    rows.columns_of_lift = lifted_.count.at(index(kind));
    all.push_back(rows);
    rows.first += rows.count();
    rows.first_d += rows.multiplied * (rows.columns_of_d + rows.interpolated);
    rows.first_lift += rows.count() * rows.columns_of_lift;
  }
  return all;
}

std::vector<int> LaneRows::slots(const Rows& rows, int first, int end) const {
  const DerivativeNodes& derivatives = derivatives_[index(rows.kind)];
  std::vector<int> all = derivatives.multiplied;
  all.insert(all.end(), derivatives.interpolated.begin(), derivatives.interpolated.end());
  return {all.begin() + first, all.begin() + end};
}

int LaneRows::most_multiplied() const {
  return std::ranges::max(rows_, {}, &Rows::multiplied).multiplied;
}

std::vector<int> LaneRows::row_slots() const {
  std::vector<int> all;
  for (const Rows& rows : rows_) {
    for (const int slot : slots(rows, 0, rows.count())) all.push_back(slot);
  }
  return all;
}

namespace {

/// A pass of a loop over rows, from `first` to `end`, numbers or names of variables. `before`: [axis] factors of
/// differentiation matrices of the axes before.
rtcg::Record step_values(const LaneStep& step, const rtcg::Value& first, const rtcg::Value& end,
                         rtcg::Value::List before) {
  return {{"first", first},
          {"end", end},
          {"at_once", step.at_once},
          {"multiplied", step.multiplied},
          {"before", std::move(before)}};
}

}  // namespace

rtcg::Record LaneRows::row_values(const Rows& rows) const {
  std::array<int, 3> columns{}, first_slots{};
  for (int axis = 0; axis < 3; ++axis) {
    columns.at(index(axis)) = nodes_.count.at(index(rows.kind ^ axis));
    first_slots.at(index(axis)) = nodes_.first_slot.at(index(rows.kind ^ axis));
  }
  rtcg::Value::List all_steps, numbers, has_columns;
  for (const LaneStep& step : steps(rows)) {
    all_steps.emplace_back(step_values(step, step.first, step.end,
                                       {0, columns[0] * step.multiplied, (columns[0] + columns[1]) * step.multiplied}));
  }
  for (int i = 0; i < at_once_; ++i) numbers.emplace_back(rows.first + i);
  for (const int count : columns) has_columns.emplace_back(count > 0);
  return {{"is_loop", false},
          {"kind", rows.kind},
          {"numbers", std::move(numbers)},
          {"multiplied", rows.multiplied},
          {"multiplies", rows.multiplied > 0},
          {"interpolates", rows.interpolated > 0},
          {"lifts", rows.columns_of_lift > 0},
          {"first_d", rows.first_d},
          {"first_p", rows.first_d + rows.multiplied * rows.columns_of_d},
          {"first_lift", rows.first_lift},
          {"columns_of_d", rows.columns_of_d},
          {"columns_of_lift", rows.columns_of_lift},
          {"columns", values_of(std::vector<int>(columns.begin(), columns.end()))},
          {"has_columns", std::move(has_columns)},
          {"first_slot", values_of(std::vector<int>(first_slots.begin(), first_slots.end()))},
          {"first_flux_slot", lifted_.first_slot.at(index(rows.kind))},
          {"steps", std::move(all_steps)}};
}

std::vector<std::vector<LaneStep>> LaneRows::steps_of_kinds() const {
  std::vector<std::vector<LaneStep>> all;
  for (const Rows& rows : rows_) all.push_back(steps(rows));
  return all;
}

rtcg::Value::List LaneRows::loop_values(const std::string& table) const {
  const std::vector<LaneStep> shapes = shapes_of(steps_of_kinds());
  std::vector<std::string> names{"first_row", "multiplied_rows", "first_d",   "first_p",   "first_lift",
                                 "columns_d", "columns_lift",    "columns_u", "columns_v", "columns_w",
                                 "slot_u",    "slot_v",          "slot_w",    "flux_slot"};
  rtcg::Value::List all_steps, numbers;
  rtcg::Value end = 0;
  for (const LaneStep& shape : shapes) {
    const rtcg::Value first = std::exchange(end, "end_" + std::to_string(all_steps.size()));
    names.push_back("end_" + std::to_string(all_steps.size()));
    const std::string times = " * " + std::to_string(shape.multiplied);
    all_steps.emplace_back(step_values(shape, first, end, {0, "columns_u" + times, "(columns_u + columns_v)" + times}));
  }
  for (int i = 0; i < at_once_; ++i) numbers.emplace_back("first_row + " + std::to_string(i));
  rtcg::Record rows{{"is_loop", true},
                    {"count", rows_.size()},
                    {"table", table},
                    {"kind", "kind"},
                    {"numbers", std::move(numbers)},
                    {"multiplied", "multiplied_rows"},
                    {"multiplies", true},
                    {"interpolates", true},
                    {"lifts", true},
                    {"first_d", "first_d"},
                    {"first_p", "first_p"},
                    {"first_lift", "first_lift"},
                    {"columns_of_d", "columns_d"},
                    {"columns_of_lift", "columns_lift"},
                    {"columns", rtcg::Value::List{"columns_u", "columns_v", "columns_w"}},
                    {"has_columns", rtcg::Value::List{true, true, true}},
                    {"first_slot", rtcg::Value::List{"slot_u", "slot_v", "slot_w"}},
                    {"first_flux_slot", "flux_slot"},
                    {"steps", std::move(all_steps)},
                    {"names", values_of(names)}};
  return {std::move(rows)};
}

std::vector<int> LaneRows::loop_table() const {
  const std::vector<LaneStep> shapes = shapes_of(steps_of_kinds());
  std::vector<int> table;
  for (const Rows& rows : rows_) {
    const auto add = [&](std::initializer_list<int> numbers) { table.insert(table.end(), numbers); };
    add({rows.first, rows.multiplied, rows.first_d, rows.first_d + rows.multiplied * rows.columns_of_d, rows.first_lift,
         rows.columns_of_d, rows.columns_of_lift});
    for (int axis = 0; axis < 3; ++axis) add({nodes_.count.at(index(rows.kind ^ axis))});
    for (int axis = 0; axis < 3; ++axis) add({nodes_.first_slot.at(index(rows.kind ^ axis))});
    add({lifted_.first_slot.at(index(rows.kind))});
    const std::vector<int> ends = ends_of(shapes, steps(rows));
    table.insert(table.end(), ends.begin(), ends.end());
  }
  return table;
}

rtcg::Value::List LaneRows::values() const {
  rtcg::Value::List kinds;
  for (const Rows& rows : rows_) kinds.emplace_back(row_values(rows));
  return kinds;
}

std::vector<double> LaneRows::derivative_factors(const ReferenceElement& reference) const {
  const std::array<Eigen::MatrixXd, 3> D = MirrorSums::derivatives(reference, nodes_);
  std::vector<double> factors;
  for (const Rows& rows : rows_) {
    std::vector<double> interpolation;  // follows the other factors of this kind
    for (const LaneStep& step : steps(rows)) {
      for (int first = step.first; first < step.end; first += step.at_once) {
        const int end_of_multiplied = first + step.multiplied;
        for (int axis = 0; axis < 3; ++axis) {
          const std::size_t kind = index(rows.kind ^ axis);
          append_columns(factors, D.at(index(axis))(slots(rows, first, end_of_multiplied),
                                                    Eigen::seqN(nodes_.first_slot.at(kind), nodes_.count.at(kind))));
        }
        append_columns(interpolation,
                       derivatives_[index(rows.kind)].interpolation.middleRows(
                           std::max(0, end_of_multiplied - rows.multiplied), step.at_once - step.multiplied));
      }
    }
    factors.insert(factors.end(), interpolation.begin(), interpolation.end());
  }
  return factors;
}

std::vector<double> LaneRows::lift_factors(const Eigen::MatrixXd& lift) const {
  const Eigen::MatrixXd LIFT = between_mirror_sums(lift, nodes_, lifted_);
  std::vector<double> factors;
  for (const Rows& rows : rows_) {
    for (const LaneStep& step : steps(rows)) {
      for (int first = step.first; first < step.end; first += step.at_once) {
        append_columns(factors, LIFT(slots(rows, first, first + step.at_once),
                                     Eigen::seqN(lifted_.first_slot.at(index(rows.kind)), rows.columns_of_lift)));
      }
    }
  }
  return factors;
}

rtcg::Value::List mirrored_values(const MirrorSums& sums) {
  std::vector<int> list{sums.fours, sums.seconds, sums.firsts};
  list.insert(list.end(), sums.first_slot.begin() + 1, sums.first_slot.end());
  return values_of(list);
}

namespace {

struct LaneTerm {
  std::size_t w;
  int operand;
  bool negative;
  auto operator<=>(const LaneTerm&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 sees a 0 in it
};

std::vector<LaneTerm> terms_along(int axis, const ContractedSystem& contracted, const std::vector<int>& contractions) {
  std::vector<LaneTerm> terms;
  for (std::size_t w = 0; w < contractions.size(); ++w) {
    for (const Contraction::Term& term : contracted.contractions[index(contractions[w])].terms) {
      if (term.axis == axis) terms.push_back({w, term.operand, term.negative});
    }
  }
  return terms;
}

/// By how much numbers of fields and operands of one part are larger than those of another, if that is all.
struct Apart {
  int fields{}, operands{};
};
std::optional<Apart> apart(const ContractedSystem& contracted, const LanePart& from, const LanePart& to) {
  std::optional<int> operands;
  if (from.fields.size() != to.fields.size() || from.contractions.size() != to.contractions.size()) return std::nullopt;
  const int fields = to.fields.front() - from.fields.front();
  for (std::size_t f = 0; f < from.fields.size(); ++f) {
    if (to.fields[f] - from.fields[f] != fields) return std::nullopt;
  }
  for (int axis = 0; axis < 3; ++axis) {
    const std::vector<LaneTerm> a = terms_along(axis, contracted, from.contractions),
                                b = terms_along(axis, contracted, to.contractions);
    if (a.size() != b.size()) return std::nullopt;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!operands) operands = b[i].operand - a[i].operand;
      if (LaneTerm{a[i].w, a[i].operand + *operands, a[i].negative} != b[i]) return std::nullopt;
    }
  }
  return Apart{fields, operands.value_or(0)};
}

/// The distance of each part from the one before it, if that is the same for all.
std::optional<Apart> apart(const ContractedSystem& contracted, const std::vector<LanePart>& parts) {
  std::optional<Apart> distance;
  for (std::size_t p = 1; p < parts.size(); ++p) {
    const std::optional<Apart> here = apart(contracted, parts[p - 1], parts[p]);
    if (!here) return std::nullopt;
    if (!distance) distance = here;
    if (here->fields != distance->fields || here->operands != distance->operands) return std::nullopt;
  }
  return distance;
}

rtcg::Value::List axes_of(const ContractedSystem& contracted, const std::vector<int>& contractions) {
  rtcg::Value::List axes;
  for (int axis = 0; axis < 3; ++axis) {
    std::set<int> operands;
    rtcg::Value::List terms;
    for (const auto& [w, operand, negative] : terms_along(axis, contracted, contractions)) {
      operands.insert(operand);
      terms.emplace_back(rtcg::Record{{"w", w}, {"operand", operand}, {"sign", negative ? "-" : "+"}});
    }
    axes.emplace_back(
        rtcg::Record{{"operands", rtcg::Value::List(operands.begin(), operands.end())}, {"terms", std::move(terms)}});
  }
  return axes;
}

}  // namespace

rtcg::Value::List lane_parts(const ContractedSystem& contracted, const std::vector<LanePart>& parts, bool in_a_loop) {
  const std::optional<Apart> distance = in_a_loop ? apart(contracted, parts) : std::nullopt;
  rtcg::Value::List list, alternatives;
  std::vector<int> invariants;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    alternatives.emplace_back(
        rtcg::Record{{"contractions", values_of(parts[p].contractions)}, {"equations", parts[p].equations}});
    for (const int number : parts[p].invariants) {
      if (std::ranges::find(invariants, number) == invariants.end()) invariants.push_back(number);
    }
    if (distance && p + 1 < parts.size()) continue;
    const LanePart& first = distance ? parts.front() : parts[p];
    list.emplace_back(rtcg::Record{{"fields", values_of(first.fields)},
                                   {"invariants", values_of(std::exchange(invariants, {}))},
                                   {"axes", axes_of(contracted, first.contractions)},
                                   {"alternatives", std::exchange(alternatives, {})},
                                   {"fields_apart", distance ? distance->fields : 0},
                                   {"operands_apart", distance ? distance->operands : 0}});
  }
  return list;
}

}  // namespace maxwell_dg::dg
