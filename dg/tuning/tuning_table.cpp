#include "dg/tuning/tuning_table.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <tuple>

#include "dg/variants/work.hpp"

namespace maxwell_dg::dg {

std::vector<VariantReport> variant_reports(const StageTuner& tuner, const rtcg::TuningResult& result) {
  const Dtype precision = tuner.options().precision;
  const Discretization& d = tuner.discretization();
  const StageWork work = stage_work(tuner.stage_problem().system, d.N(), precision);
  std::vector<VariantReport> reports;
  for (const rtcg::CandidateReport& row : result.table) {
    VariantReport report{.variant = schedule_of(row.configuration).name(),
                         .registers = row.attributes.registers,
                         .rejection = row.rejection};
    if (row.rejection.empty()) {
      const auto K = static_cast<double>(d.K());
      const double stages = K / row.seconds;
      report.seconds = row.seconds;
      report.gdof_per_second = work.dofs * stages / 1e9;
      if (row.sustained > 0) report.sustained_gdof_per_second = work.dofs * K / row.sustained / 1e9;
      if (tuner.options().ceilings) {
        report.roofline_fraction = roofline(work, stages, *tuner.options().ceilings, precision).larger();
      }
    }
    reports.push_back(report);
  }
  std::ranges::stable_sort(reports, {}, [](const VariantReport& r) {
    return std::tuple(!r.rejection.empty(), -r.sustained_gdof_per_second, r.seconds);
  });
  return reports;
}

std::string variant_table(const std::vector<VariantReport>& reports) {
  std::string text = "  GDOF/s  sustained  roofline  registers  variant\n";
  for (const VariantReport& r : reports) {
    std::array<char, 64> numbers{};
    std::array<char, 16> sustained{}, registers{'-'};  // a CPU's compiler does not say
    if (r.registers > 0) std::snprintf(registers.data(), registers.size(), "%d", r.registers);
    if (r.sustained_gdof_per_second > 0) {
      std::snprintf(sustained.data(), sustained.size(), "%.3f", r.sustained_gdof_per_second);
    }
    if (r.rejection.empty()) {
      std::snprintf(numbers.data(), numbers.size(), "%8.3f  %9s  %8.3f  %9s  ", r.gdof_per_second, sustained.data(),
                    r.roofline_fraction, registers.data());
    } else {
      std::snprintf(numbers.data(), numbers.size(), "%40s  ", "rejected");
    }
    text += numbers.data() + r.variant + (r.rejection.empty() ? "" : ": " + r.rejection) + "\n";
  }
  return text;
}

}  // namespace maxwell_dg::dg
