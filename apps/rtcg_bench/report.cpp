#include "apps/rtcg_bench/report.hpp"

#include <cstdio>

#include <nlohmann/json.hpp>

#include "apps/rtcg_bench/host_loops.hpp"
#include "core/atomic_file.hpp"
#include "core/json_text.hpp"

namespace maxwell_dg::bench {

void print_ceilings(const core::DeviceInfo& device, const rtcg::Ceilings& c) {
  std::printf("%s (%s)\n", device.name.c_str(), device.driver.c_str());
  std::printf("copy %.1f GB/s; host: %d threads\n", c.copy_gb_s, host::threads());
}

void print_header() {
  std::printf("%-26s %11s %12s %9s %6s %12s %12s %12s %9s  %s\n", "", "size", "us", "GB/s", "copy", "limit us",
              "peer us", "host us", "host/ours", "");
}

void print(const Answer& a, const rtcg::Ceilings& c) {
  const auto number = [](bool is_there, const char* format, double value) {
    char text[32] = "";
    if (is_there) std::snprintf(text, sizeof(text), format, value);
    return std::string(text);
  };
  const bool has_bytes = a.gb_per_second > 0;
  std::printf("%-26s %11lld %12.3f %9s %6s %12s %12s %12s %9s  %s\n", a.name.c_str(), static_cast<long long>(a.size),
              1e6 * a.seconds, number(has_bytes, "%.1f", a.gb_per_second).c_str(),
              number(has_bytes && c.copy_gb_s > 0, "%.2f", a.gb_per_second / c.copy_gb_s).c_str(),
              number(a.limit.has_value(), "%.3f", 1e6 * a.limit.value_or(0)).c_str(),
              number(a.peer.has_value(), "%.1f", 1e6 * a.peer.value_or(0)).c_str(),
              number(a.host.has_value(), "%.1f", 1e6 * a.host.value_or(0)).c_str(),
              number(a.host.has_value(), "%.2f", a.host.value_or(0) / a.seconds).c_str(), a.remark.c_str());
  std::fflush(stdout);
}

void write_json(const std::filesystem::path& file, const core::DeviceInfo& device, const rtcg::Ceilings& c,
                const std::vector<Answer>& answers) {
  const auto or_null = [](const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
  };
  nlohmann::ordered_json json;
  json["device"] = device.name;
  json["ceilings"] = {{"copy_gb_s", c.copy_gb_s},
                      {"fma_gflops_single", c.fma_gflops_single},
                      {"fma_gflops_double", c.fma_gflops_double}};
  json["host_threads"] = host::threads();
  json["results"] = nlohmann::ordered_json::array();
  for (const Answer& a : answers) {
    const bool has_bytes = a.gb_per_second > 0;
    const auto where = [](bool is_there, double value) { return is_there ? std::optional(value) : std::nullopt; };
    json["results"].push_back(
        {{"name", a.name},
         {"size", a.size},
         {"seconds", a.seconds},
         {"gb_per_second", or_null(where(has_bytes, a.gb_per_second))},
         {"copy_fraction", or_null(where(has_bytes && c.copy_gb_s > 0, a.gb_per_second / c.copy_gb_s))},
         {"elements_per_second", or_null(where(a.rate > 0, a.rate))},
         {"limit_seconds", or_null(a.limit)},
         {"peer_seconds", or_null(a.peer)},
         {"host_seconds", or_null(a.host)},
         {"speed_up_over_host", or_null(where(a.host.has_value(), a.host.value_or(0) / a.seconds))},
         {"remark", a.remark}});
  }
  write_file_atomically(file, std::string_view(json_text(json) + "\n"));
}

}  // namespace maxwell_dg::bench
