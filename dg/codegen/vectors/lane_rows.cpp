#include "dg/codegen/vectors/lane_rows.hpp"

#include <algorithm>
#include <array>
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

rtcg::Record LaneRows::row_values(const Rows& rows) const {
  rtcg::Value::List all_steps, columns, first_slot;
  for (const LaneStep& step : steps(rows)) {
    all_steps.emplace_back(rtcg::Record{
        {"first", step.first}, {"end", step.end}, {"at_once", step.at_once}, {"multiplied", step.multiplied}});
  }
  for (int axis = 0; axis < 3; ++axis) {
    columns.emplace_back(nodes_.count.at(index(rows.kind ^ axis)));
    first_slot.emplace_back(nodes_.first_slot.at(index(rows.kind ^ axis)));
  }
  return {{"kind", rows.kind},
          {"multiplied", rows.multiplied},
          {"interpolated", rows.interpolated},
          {"first", rows.first},
          {"first_d", rows.first_d},
          {"first_lift", rows.first_lift},
          {"columns_of_d", rows.columns_of_d},
          {"columns_of_lift", rows.columns_of_lift},
          {"columns", std::move(columns)},
          {"first_slot", std::move(first_slot)},
          {"first_flux_slot", lifted_.first_slot.at(index(rows.kind))},
          {"steps", std::move(all_steps)}};
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

LaneProducts::LaneProducts(const MirrorSums& rows, const MirrorSums& columns, int at_once) : at_once_(at_once) {
  int first_factor = 0;
  for (std::size_t kind = 0; kind < MirrorSums::kinds; ++kind) {
    if (rows.count.at(kind) == 0) continue;
    kinds_.push_back({rows.first_slot.at(kind), rows.count.at(kind), columns.first_slot.at(kind),
                      columns.count.at(kind), first_factor});
    first_factor += rows.count.at(kind) * columns.count.at(kind);
  }
}

rtcg::Value::List LaneProducts::values() const {
  rtcg::Value::List kinds;
  for (const Kind& kind : kinds_) {
    rtcg::Value::List steps;
    for (const LaneStep& step : lane_steps(kind.rows, 0, at_once_)) {
      steps.emplace_back(rtcg::Record{{"first", step.first}, {"end", step.end}, {"at_once", step.at_once}});
    }
    kinds.emplace_back(rtcg::Record{{"first_row", kind.first_row},
                                    {"first_column", kind.first_column},
                                    {"columns", kind.columns},
                                    {"first_factor", kind.first_factor},
                                    {"steps", std::move(steps)}});
  }
  return kinds;
}

std::vector<double> LaneProducts::factors(const Eigen::MatrixXd& matrix) const {
  std::vector<double> factors;
  for (const Kind& kind : kinds_) {
    for (const LaneStep& step : lane_steps(kind.rows, 0, at_once_)) {
      for (int first = step.first; first < step.end; first += step.at_once) {
        append_columns(factors, matrix.block(kind.first_row + first, kind.first_column, step.at_once, kind.columns));
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
