// dg_bench: how fast the generated kernels are on a device, beside what the device can do.

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include <CLI/CLI.hpp>

#include "apps/dg_bench/bench.hpp"
#include "apps/dg_bench/report.hpp"
#include "apps/dg_bench/tune.hpp"
#include "core/error.hpp"
#include "dg/acoustics/acoustics.hpp"
#include "dg/maxwell/maxwell.hpp"

using namespace maxwell_dg;

namespace {

struct Arguments {
  std::string device = "auto";
  std::string orders = "1-8";
  std::string precision = "both";
  std::string system = "maxwell";
  std::size_t elements = 0;
  std::vector<std::string> variants;
  std::optional<double> tune;
  std::string wisdom;
  std::string json;
};

/// "4" or "1-8". Throws ConfigError.
std::vector<int> parse_orders(const std::string& text) {
  int first = 0, last = 0;
  char rest = 0;
  const int found = std::sscanf(text.c_str(), "%d-%d%c", &first, &last, &rest);
  if (found == 1 && text == std::to_string(first))
    last = first;
  else if (found != 2)
    first = 0;
  if (first < 1 || last > 9 || first > last) {
    throw ConfigError("--orders " + text + ": expected one order or a range like 1-8, within 1 to 9");
  }
  std::vector<int> orders;
  for (int order = first; order <= last; ++order) orders.push_back(order);
  return orders;
}

std::vector<Dtype> precisions(const std::string& name) {
  if (name == "single") return {Dtype::float32};
  if (name == "double") return {Dtype::float64};
  return {Dtype::float32, Dtype::float64};
}

std::vector<dg::System> systems(const std::string& name) {
  if (name == "maxwell") return {dg::maxwell::system()};
  if (name == "acoustics") return {dg::acoustics::system()};
  return {dg::maxwell::system(), dg::acoustics::system()};
}

std::vector<bench::Answer> measure(rtcg::Compiler& compiler, const rtcg::Ceilings& ceilings, bench::Boxes& boxes,
                                   const Arguments& arguments) {
  bench::print_header();
  std::vector<bench::Answer> answers;
  for (const dg::System& system : systems(arguments.system)) {
    for (const Dtype precision : precisions(arguments.precision)) {
      std::vector<dg::Schedule> schedules;
      for (const std::string& name : arguments.variants) schedules.push_back(bench::parse_variant(name, precision));
      for (const int order : parse_orders(arguments.orders)) {
        for (const bench::Answer& answer :
             bench::run(compiler, ceilings, boxes, {system, order, precision, schedules})) {
          answers.push_back(answer);
          bench::print(answer);
        }
      }
    }
  }
  return answers;
}

/// Figures are compared with what the device can do in the same run; to tune, what it could do once is good enough.
rtcg::Ceilings ceilings_of(rtcg::Compiler& compiler, bool known_are_enough) {
  const std::filesystem::path wisdom = rtcg::default_cache_directory() / "wisdom";
  if (known_are_enough) return rtcg::known_ceilings(compiler, wisdom);
  const rtcg::Ceilings ceilings = rtcg::measure_ceilings(compiler);
  rtcg::keep_ceilings(compiler.device(), ceilings, wisdom);
  return ceilings;
}

void run(const Arguments& arguments) {
  const std::vector<int> orders = parse_orders(arguments.orders);
  for (const std::string& name : arguments.variants) (void)bench::parse_variant(name, Dtype::float32);
  if (!arguments.wisdom.empty() && !arguments.tune) throw ConfigError("--wisdom is for what --tune finds");
  rtcg::Compiler compiler(core::Device::open(arguments.device));
  const core::DeviceInfo& device = compiler.device().info();
  const rtcg::Ceilings ceilings = ceilings_of(compiler, arguments.tune.has_value());
  bench::print_ceilings(device, ceilings);
  bench::Boxes boxes(device, arguments.elements);
  std::vector<bench::Answer> answers;
  std::vector<bench::TuningGain> gains;
  if (arguments.tune) {
    gains = bench::tune(compiler, ceilings, boxes,
                        {.systems = systems(arguments.system),
                         .precisions = precisions(arguments.precision),
                         .orders = orders,
                         .seconds = *arguments.tune,
                         .wisdom = arguments.wisdom,
                         .variants = arguments.variants});
  } else {
    answers = measure(compiler, ceilings, boxes, arguments);
  }
  if (!arguments.json.empty()) bench::write_json(arguments.json, device, ceilings, answers, gains);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("Measures the generated discontinuous Galerkin kernels on one device.");
  app.add_option("--device", arguments.device, "auto | cuda | cuda:N | opencl | opencl:N | cpu")
      ->envname("MAXWELL_DG_DEVICE");
  app.add_option("--orders", arguments.orders, "one order or a range, 1 to 9")->capture_default_str();
  app.add_option("--precision", arguments.precision)->check(CLI::IsMember({"single", "double", "both"}));
  app.add_option("--system", arguments.system)->check(CLI::IsMember({"maxwell", "acoustics", "both"}));
  app.add_option("--elements", arguments.elements, "about this many; default: the standard number of each order")
      ->check(CLI::Range(std::size_t{1}, std::size_t{400'000'000}));
  app.add_option("--variants", arguments.variants, "instead of the one that a run takes, these: tensor_e16_w4_r3 ...")
      ->delimiter(',');
  app.add_option("--tune", arguments.tune, "measure nothing, look for the fastest variants: at most so long in all")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.0, 1e6));
  app.add_option("--wisdom", arguments.wisdom, "keep what --tune finds in this folder, not in the cache")
      ->type_name("DIR");
  app.add_option("--json", arguments.json, "write the results to a file");
  try {
    app.parse(argc, argv);
    run(arguments);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    std::fprintf(stderr, "error: %s\n", error.what());
    return static_cast<int>(ExitCode::config);
  } catch (const Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return static_cast<int>(error.code());
  }
  return 0;
}
