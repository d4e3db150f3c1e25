#include "dg/codegen/vectors/lane_products.hpp"

#include <utility>

#include "dg/codegen/kernel_values.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

LaneProducts::LaneProducts(const MirrorSums& rows, const MirrorSums& columns, int at_once) : at_once_(at_once) {
  int first_factor = 0;
  for (std::size_t kind = 0; kind < MirrorSums::kinds; ++kind) {
    if (rows.count.at(kind) == 0) continue;
    kinds_.push_back({rows.first_slot.at(kind), rows.count.at(kind), columns.first_slot.at(kind),
                      columns.count.at(kind), first_factor});
    first_factor += rows.count.at(kind) * columns.count.at(kind);
  }
}

std::vector<std::vector<LaneStep>> LaneProducts::steps_of_kinds() const {
  std::vector<std::vector<LaneStep>> all;
  for (const Kind& kind : kinds_) all.push_back(lane_steps(kind.rows, 0, at_once_));
  return all;
}

rtcg::Value::List LaneProducts::values() const {
  rtcg::Value::List kinds;
  for (const Kind& kind : kinds_) {
    rtcg::Value::List steps, numbers;
    for (const LaneStep& step : lane_steps(kind.rows, 0, at_once_)) {
      steps.emplace_back(rtcg::Record{{"first", step.first}, {"end", step.end}, {"at_once", step.at_once}});
    }
    for (int i = 0; i < at_once_; ++i) numbers.emplace_back(kind.first_row + i);
    kinds.emplace_back(rtcg::Record{{"is_loop", false},
                                    {"numbers", std::move(numbers)},
                                    {"first_column", kind.first_column},
                                    {"columns", kind.columns},
                                    {"first_factor", kind.first_factor},
                                    {"steps", std::move(steps)}});
  }
  return kinds;
}

rtcg::Value::List LaneProducts::loop_values(const std::string& table) const {
  std::vector<std::string> names{"first_row", "first_column", "columns", "first_factor"};
  rtcg::Value::List steps, numbers;
  rtcg::Value end = 0;
  for (const LaneStep& shape : shapes_of(steps_of_kinds())) {
    names.push_back("end_" + std::to_string(steps.size()));
    rtcg::Value first = std::exchange(end, names.back());
    steps.emplace_back(rtcg::Record{{"first", std::move(first)}, {"end", end}, {"at_once", shape.at_once}});
  }
  for (int i = 0; i < at_once_; ++i) numbers.emplace_back("first_row + " + std::to_string(i));
  rtcg::Record kinds{{"is_loop", true},           {"count", kinds_.size()},         {"table", table},
                     {"names", values_of(names)}, {"numbers", std::move(numbers)},  {"first_column", "first_column"},
                     {"columns", "columns"},      {"first_factor", "first_factor"}, {"steps", std::move(steps)}};
  return {std::move(kinds)};
}

std::vector<int> LaneProducts::loop_table() const {
  const std::vector<LaneStep> shapes = shapes_of(steps_of_kinds());
  std::vector<int> table;
  for (const Kind& kind : kinds_) {
    table.insert(table.end(), {kind.first_row, kind.first_column, kind.columns, kind.first_factor});
    const std::vector<int> ends = ends_of(shapes, lane_steps(kind.rows, 0, at_once_));
    table.insert(table.end(), ends.begin(), ends.end());
  }
  return table;
}

std::vector<double> LaneProducts::factors(const Eigen::MatrixXd& matrix) const {
  std::vector<double> factors;
  for (const Kind& kind : kinds_) {
    for (const LaneStep& step : lane_steps(kind.rows, 0, at_once_)) {
      for (int first = step.first; first < step.end; first += step.at_once) {
        const Eigen::MatrixXd of_some_rows =
            matrix.block(kind.first_row + first, kind.first_column, step.at_once, kind.columns);
        factors.insert(factors.end(), of_some_rows.data(), of_some_rows.data() + of_some_rows.size());
      }
    }
  }
  return factors;
}

}  // namespace maxwell_dg::dg
