#include <algorithm>
#include <cstdio>
#include <limits>
#include <tuple>

#include "rtcg/tune/tuner.hpp"

namespace maxwell_dg::rtcg {

namespace {

std::vector<CandidateReport> sorted(std::vector<CandidateReport> rows) {
  std::ranges::stable_sort(rows, {}, [](const CandidateReport& row) {
    return std::tuple(!row.rejection.empty(),
                      row.sustained > 0 ? row.sustained : std::numeric_limits<double>::infinity(), row.seconds);
  });
  return rows;
}

std::string row_text(const CandidateReport& row) {
  char time[48];
  std::snprintf(time, sizeof time, "%12.4g us  ", 1e6 * row.seconds);
  std::string text = row.rejection.empty() ? time : "    rejected    ";
  text += written(row.configuration);
  if (row.sustained > 0) {
    std::snprintf(time, sizeof time, "  (sustained %.4g us)", 1e6 * row.sustained);
    text += time;
  }
  if (row.attributes.registers != 0) text += "  (" + std::to_string(row.attributes.registers) + " registers)";
  return text + (row.rejection.empty() ? "\n" : ": " + row.rejection + "\n");
}

/// The operation's parameters alone in the rows, the others once.
std::string operation_text(const OperationReport& operation) {
  constexpr std::size_t most_shown = 3;
  const auto is_own = [&](const auto& parameter) { return operation.best.contains(parameter.first); };
  Configuration others = operation.base;
  std::erase_if(others, is_own);
  std::string text = operation.name + " alone" + (others.empty() ? "" : ", with " + written(others)) + ":\n";
  const auto working = static_cast<std::size_t>(std::ranges::count(operation.table, "", &CandidateReport::rejection));
  std::size_t shown = 0;
  for (CandidateReport& row : sorted(operation.table)) {
    std::erase_if(row.configuration, [&](const auto& parameter) { return !is_own(parameter); });
    if (!row.rejection.empty() || shown < most_shown) text += row_text(row);
    if (++shown == working && working > most_shown) {
      text += "    and " + std::to_string(working - most_shown) + " slower\n";
    }
  }
  return text;
}

}  // namespace

std::string table_text(const TuningResult& result) {
  std::string text;
  for (const CandidateReport& row : sorted(result.table)) text += row_text(row);
  return text + operations_text(result);
}

std::string operations_text(const TuningResult& result) {
  std::string text;
  for (const OperationReport& operation : result.operations) text += operation_text(operation);
  return text;
}

}  // namespace maxwell_dg::rtcg
