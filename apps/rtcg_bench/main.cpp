// rtcg_bench: how fast arrays, scans, sorts, products and launches are on a device, beside what the device can
// do and what the host gets.

#include <CLI/CLI.hpp>

#include "apps/help.hpp"
#include "apps/rtcg_bench/bench.hpp"
#include "apps/rtcg_bench/report.hpp"
#include "apps/run_program.hpp"

using namespace maxwell_dg;

namespace {

struct Arguments {
  std::string device = "auto";
  std::vector<std::string> parts{"elementwise", "algorithms", "sparse", "products", "overhead"};
  std::int64_t elements = 0;
  std::int64_t points = 0;
  std::int64_t rows = 0;
  double tuning = 60;
  std::string json;
};

void run(const Arguments& arguments) {
  const rtcg::Context context = rtcg::Context::open(arguments.device);
  const core::DeviceInfo& device = context.device().info();
  const rtcg::Ceilings ceilings = rtcg::measure_ceilings(context.compiler());
  bench::print_ceilings(device, ceilings);
  bench::print_header();
  bench::Setting setting{.context = context,
                         .ceilings = ceilings,
                         .elements = arguments.elements,
                         .points = arguments.points,
                         .rows = arguments.rows,
                         .tuning_seconds = arguments.tuning};
  // Far beyond the caches.
  if (setting.elements == 0) setting.elements = std::int64_t{1} << (device.is_cpu ? 25 : 28);
  if (setting.points == 0) setting.points = device.is_cpu ? 96 : 160;
  if (setting.rows == 0) setting.rows = device.is_cpu ? 1024 : 4096;
  std::vector<bench::Answer> answers;
  const bench::Report report = [&](const bench::Answer& answer) {
    bench::print(answer, ceilings);
    answers.push_back(answer);
  };
  for (const std::string& part : arguments.parts) {
    if (part == "elementwise") bench::run_elementwise(setting, report);
    if (part == "algorithms") bench::run_algorithms(setting, report);
    if (part == "sparse") bench::run_sparse(setting, report);
    if (part == "formats") bench::run_formats(setting, report);
    if (part == "products") bench::run_products(setting, report);
    if (part == "overhead") bench::run_overhead(setting, report);
  }
  if (!arguments.json.empty()) bench::write_json(arguments.json, device, ceilings, answers);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("Measures arrays, scans, sorts, products and launches on one device.");
  set_help(app, "usage: rtcg_bench [--device SPEC] [--parts NAME...] [--json FILE] ...");
  app.add_option("--device", arguments.device, "auto, cuda, cuda:N, opencl, opencl:N or cpu")
      ->envname("MAXWELL_DG_DEVICE")
      ->type_name("SPEC");
  app.add_option("--parts", arguments.parts,
                 "some of elementwise, algorithms, sparse, products, overhead; default: all these; or formats, of "
                 "sparse matrices")
      ->type_name("NAME...")
      ->check(CLI::IsMember({"elementwise", "algorithms", "sparse", "formats", "products", "overhead"}));
  app.add_option("--elements", arguments.elements, "of arrays; default: 2^28, on a CPU 2^25")
      ->type_name("NUMBER")
      ->check(CLI::Range(std::int64_t{1024}, std::int64_t{1} << 34));
  app.add_option("--points", arguments.points, "of a stencil's grid along each axis; default: 160, on a CPU 96")
      ->type_name("NUMBER")
      ->check(CLI::Range(4, 512));
  app.add_option("--rows", arguments.rows, "of dense matrices; default: 4096, on a CPU 1024")
      ->type_name("NUMBER")
      ->check(CLI::Range(16, 16384));
  app.add_option("--tuning", arguments.tuning,
                 "seconds that a fast dense product is looked for, 0: the first one is taken; default: 60")
      ->type_name("SECONDS")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--json", arguments.json, "write the results to a file")->type_name("FILE");
  return run_program(app, argc, argv, [&] { run(arguments); });
}
