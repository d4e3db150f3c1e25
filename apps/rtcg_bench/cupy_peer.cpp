#include "apps/rtcg_bench/cupy_peer.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"

namespace maxwell_dg::bench {

namespace {

constexpr const char* script = R"(import json
import sys

import cupy

cupy.cuda.Device(int(sys.argv[1])).use()
n = int(sys.argv[2])


def seconds(run):
    """Median device time of a call."""
    times = []
    for _ in range(12):
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        begin.record()
        run()
        end.record()
        end.synchronize()
        times.append(1e-3 * cupy.cuda.get_elapsed_time(begin, end))
    return sorted(times[3:])[4]


x, y, z = (cupy.ones(n, "float32") for _ in range(3))
combine = cupy.ElementwiseKernel("float32 a, float32 x, float32 b, float32 y", "float32 z", "z = a * x + b * y")
half = z[: (n + 1) // 2]
print(json.dumps({
    "linear combination": seconds(lambda: combine(2, x, 3, y, z)),
    "fill": seconds(lambda: z.fill(1.5)),
    "copy, stride 2": seconds(lambda: cupy.copyto(half, x[::2])),
    "sum": seconds(lambda: x.sum()),
    "dot": seconds(lambda: cupy.dot(x, y)),
}))
)";

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return text;
  char part[256];
  while (std::fgets(part, sizeof part, pipe) != nullptr) text += part;
  return pclose(pipe) == 0 ? text : "";
}

}  // namespace

std::map<std::string, double> cupy_seconds(const rtcg::Context& context, std::int64_t elements) {
  const core::DeviceInfo& info = context.device().info();
  if (info.backend != core::Backend::cuda) return {};
  std::string pattern = (std::filesystem::temp_directory_path() / "rtcg_bench_XXXXXX").string();
  const std::filesystem::path folder = mkdtemp(pattern.data()), file = folder / "cupy_peer.py";
  write_file_atomically(file, std::string_view(script));
  const std::string answer = output_of("python3 '" + file.string() + "' " + std::to_string(info.index) + " " +
                                       std::to_string(elements) + " 2>/dev/null");
  std::filesystem::remove_all(folder);
  if (answer.empty()) return {};
  return nlohmann::json::parse(answer).get<std::map<std::string, double>>();
}

}  // namespace maxwell_dg::bench
