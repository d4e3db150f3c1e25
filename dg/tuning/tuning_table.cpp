#include "dg/tuning/tuning_table.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>

#include "dg/operator/work.hpp"

namespace maxwell_dg::dg {

std::vector<VariantReport> variant_reports(const StageTuner& tuner, const rtcg::TuningResult& result) {
  const Dtype precision = tuner.options().precision;
  const Discretization& d = tuner.discretization();
  const StageWork work = stage_work(tuner.stage_problem().system, d.N(), precision);
  std::vector<VariantReport> reports;
  for (const rtcg::CandidateReport& row : result.table) {
    VariantReport report{.variant = schedule_of(row.configuration, precision).name(),
                         .registers = row.attributes.registers,
                         .rejection = row.rejection};
    if (row.rejection.empty()) {
      const double stages = static_cast<double>(d.K()) / row.seconds;
      report.seconds = row.seconds;
      report.gdof_per_second = work.dofs * stages / 1e9;
      if (tuner.options().ceilings) {
        report.roofline_fraction = roofline(work, stages, *tuner.options().ceilings, precision).larger();
      }
    }
    reports.push_back(report);
  }
  std::ranges::stable_sort(reports, {}, [](const VariantReport& r) {
    return r.rejection.empty() ? r.seconds : std::numeric_limits<double>::infinity();
  });
  return reports;
}

std::string variant_table(const std::vector<VariantReport>& reports) {
  std::string text = "  GDOF/s  roofline  registers  variant\n";
  for (const VariantReport& r : reports) {
    std::array<char, 64> numbers{};
    if (r.rejection.empty()) {
      std::snprintf(numbers.data(), numbers.size(), "%8.3f  %8.3f  %9d  ", r.gdof_per_second, r.roofline_fraction,
                    r.registers);
    } else {
      std::snprintf(numbers.data(), numbers.size(), "%29s  ", "rejected");
    }
    text += numbers.data() + r.variant + (r.rejection.empty() ? "" : ": " + r.rejection) + "\n";
  }
  return text;
}

}  // namespace maxwell_dg::dg
