#include <algorithm>
#include <cstdio>
#include <limits>
#include <tuple>

#include "rtcg/tune/tuner.hpp"

namespace maxwell_dg::rtcg {

std::string table_text(const TuningResult& result) {
  std::vector<CandidateReport> rows = result.table;
  std::ranges::stable_sort(rows, {}, [](const CandidateReport& row) {
    return std::tuple(!row.rejection.empty(),
                      row.sustained > 0 ? row.sustained : std::numeric_limits<double>::infinity(), row.seconds);
  });
  std::string text;
  for (const CandidateReport& row : rows) {
    char time[48];
    std::snprintf(time, sizeof time, "%12.4g us  ", 1e6 * row.seconds);
    text += row.rejection.empty() ? time : "    rejected    ";
    text += written(row.configuration);
    if (row.sustained > 0) {
      std::snprintf(time, sizeof time, "  (sustained %.4g us)", 1e6 * row.sustained);
      text += time;
    }
    if (row.attributes.registers != 0) text += "  (" + std::to_string(row.attributes.registers) + " registers)";
    text += row.rejection.empty() ? "\n" : ": " + row.rejection + "\n";
  }
  return text;
}

}  // namespace maxwell_dg::rtcg
