#include "apps/dg_bench/report.hpp"

#include <cstdio>

#include <nlohmann/json.hpp>

#include "core/json_text.hpp"

namespace maxwell_dg::bench {

namespace {
const char* name_of_precision(Dtype precision) {
  return precision == Dtype::float32 ? "single" : "double";
}
}  // namespace

void print_ceilings(const core::DeviceInfo& device, const rtcg::Ceilings& c) {
  std::printf("%s (%s)\n", device.name.c_str(), device.driver.c_str());
  std::printf("copy %.1f GB/s, FMA single %.0f, double %.0f, tensor TF32 %.0f, double %.0f GFLOP/s\n", c.copy_gb_s,
              c.fma_gflops_single, c.fma_gflops_double, c.tensor_gflops_tf32, c.tensor_gflops_double);
}

void print_header() {
  std::printf("%-9s %-6s %2s %9s %10s %8s %9s %8s  %9s %8s %8s  %8s  %s\n", "system", "real", "N", "elements",
              "ns/el/stg", "GDOF/s", "GFLOP/s", "GB/s", "bandwidth", "compute", "roofline", "error", "variant");
}

void print(const Answer& a) {
  std::printf("%-9s %-6s %2d %9zu %10.3f %8.3f %9.1f %8.1f  %9.3f %8.3f %8.3f  %8.1e  %s\n", a.system.c_str(),
              name_of_precision(a.precision), a.order, a.elements, a.ns_per_element_stage, a.gdof_per_second, a.gflops,
              a.gb_per_second, a.bandwidth_fraction, a.compute_fraction, a.roofline_fraction, a.max_relative_error,
              a.variant.c_str());
  std::fflush(stdout);
}

void print_sums_header() {
  std::printf("%-9s %-6s %2s %9s %11s %9s %10s %8s %15s\n", "system", "real", "N", "elements", "frequencies", "ms/step",
              "ms/sample", "GB", "over least time");
}

void print(const SumsAnswer& a) {
  std::printf("%-9s %-6s %2d %9zu %11zu %9.3f %10.3f %8.3f %15.3f\n", a.system.c_str(), name_of_precision(a.precision),
              a.order, a.elements, a.frequencies, a.step_ms, a.sample_ms, a.gb, a.over_least_time);
  std::fflush(stdout);
}

void print_header_of_ranks(const core::DeviceInfo& device) {
  std::printf("%s (%s), of the first rank\n", device.name.c_str(), device.driver.c_str());
  std::printf("%-9s %-6s %2s %6s %9s %9s %10s %10s %8s  %8s  %-11s  %s\n", "system", "real", "N", "ranks", "elements",
              "a rank", "us/stage", "ns/el/stg", "GDOF/s", "error", "transport", "variant");
}

void print(const AnswerOfRanks& a) {
  std::printf("%-9s %-6s %2d %6d %9zu %9zu %10.2f %10.3f %8.3f  %8.1e  %-11s  %s\n", a.system.c_str(),
              name_of_precision(a.precision), a.order, a.ranks, a.elements, a.most_elements, a.us_per_stage,
              a.ns_per_element_stage, a.gdof_per_second, a.max_relative_error, a.transport.c_str(), a.variant.c_str());
  std::fflush(stdout);
}

void print_tuning_header() {
  std::printf("%-9s %-6s %2s %9s %7s %5s  %8s %8s  %8s %8s  %8s %6s  %s\n", "system", "real", "N", "elements",
              "seconds", "tried", "best", "roofline", "median", "worst", "by hand", "loses",
              "best variant (GDOF/s of each)");
}

void print(const TuningGain& g) {
  char by_hand[32] = "       -      -";
  if (const auto fixed = g.fixed()) {
    std::snprintf(by_hand, sizeof by_hand, "%8.3f %5.1f%%", fixed->gdof_per_second, 100 * g.loss_of(*fixed));
  }
  std::printf("%-9s %-6s %2d %9zu %7.1f %5zu  %8.3f %8.3f  %8.3f %8.3f  %s  %s\n", g.system.c_str(),
              name_of_precision(g.precision), g.order, g.elements, g.seconds, g.candidates.size(),
              g.best().gdof_per_second, g.best().roofline_fraction, g.median().gdof_per_second,
              g.worst().gdof_per_second, by_hand, g.best().variant.c_str());
  std::printf("%s", g.operations.c_str());
  if (!g.best_of_curved.empty()) {
    std::printf("%sthe fastest of curved elements: %s\n", g.table_of_curved.c_str(), g.best_of_curved.c_str());
  }
  std::fflush(stdout);
}

void write_json(AtomicFile& file, const core::DeviceInfo& device, const rtcg::Ceilings& c,
                const std::vector<Answer>& answers, const std::vector<TuningGain>& gains) {
  nlohmann::ordered_json json;
  json["device"] = device.name;
  json["ceilings"] = {{"copy_gb_s", c.copy_gb_s},
                      {"fma_gflops_single", c.fma_gflops_single},
                      {"fma_gflops_double", c.fma_gflops_double},
                      {"tensor_gflops_tf32", c.tensor_gflops_tf32},
                      {"tensor_gflops_double", c.tensor_gflops_double}};
  json["results"] = nlohmann::ordered_json::array();
  for (const Answer& a : answers) {
    json["results"].push_back({{"system", a.system},
                               {"order", a.order},
                               {"precision", name_of_precision(a.precision)},
                               {"elements", a.elements},
                               {"curved_elements", a.curved},
                               {"ns_per_element_stage", a.ns_per_element_stage},
                               {"gdof_per_second", a.gdof_per_second},
                               {"gflops", a.gflops},
                               {"gb_per_second", a.gb_per_second},
                               {"bandwidth_fraction", a.bandwidth_fraction},
                               {"compute_fraction", a.compute_fraction},
                               {"roofline_fraction", a.roofline_fraction},
                               {"variant", a.variant},
                               {"max_relative_error", a.max_relative_error}});
  }
  for (const TuningGain& g : gains) {
    nlohmann::ordered_json candidates = nlohmann::ordered_json::array();
    for (const dg::VariantReport& r : g.candidates) {
      nlohmann::ordered_json candidate{{"variant", r.variant}};
      if (r.rejection.empty()) {
        candidate["gdof_per_second"] = r.gdof_per_second;
        if (r.sustained_gdof_per_second > 0) candidate["sustained_gdof_per_second"] = r.sustained_gdof_per_second;
        candidate["roofline_fraction"] = r.roofline_fraction;
      } else {
        candidate["rejection"] = r.rejection;
      }
      candidates.push_back(candidate);
    }
    json["tuning"].push_back({{"system", g.system},
                              {"order", g.order},
                              {"precision", name_of_precision(g.precision)},
                              {"elements", g.elements},
                              {"seconds", g.seconds},
                              {"best", g.best().variant},
                              {"by_hand", g.by_hand},
                              {"candidates", candidates}});
    if (!g.best_of_curved.empty()) json["tuning"].back()["best_of_curved"] = g.best_of_curved;
  }
  file.stream() << json_text(json) << "\n";
  file.commit();
}

void write_json(AtomicFile& file, const core::DeviceInfo& device, const std::vector<AnswerOfRanks>& answers) {
  nlohmann::ordered_json json;
  json["device"] = device.name;
  json["on_ranks"] = nlohmann::ordered_json::array();
  for (const AnswerOfRanks& a : answers) {
    json["on_ranks"].push_back({{"system", a.system},
                                {"order", a.order},
                                {"precision", name_of_precision(a.precision)},
                                {"ranks", a.ranks},
                                {"elements", a.elements},
                                {"most_elements_a_rank", a.most_elements},
                                {"us_per_stage", a.us_per_stage},
                                {"ns_per_element_stage", a.ns_per_element_stage},
                                {"gdof_per_second", a.gdof_per_second},
                                {"transport", a.transport},
                                {"variant", a.variant},
                                {"max_relative_error", a.max_relative_error}});
  }
  file.stream() << json_text(json) << "\n";
  file.commit();
}

}  // namespace maxwell_dg::bench
