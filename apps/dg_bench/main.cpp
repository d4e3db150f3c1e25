// dg_bench: how fast the generated kernels are on a device, beside what the device can do.

#include <cstdio>
#include <cstdlib>

#include <CLI/CLI.hpp>

#include "apps/dg_bench/bench.hpp"
#include "apps/dg_bench/report.hpp"
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
  std::string json;
};

/// "4" or "1-8". Throws ConfigError.
std::pair<int, int> parse_orders(const std::string& text) {
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
  return {first, last};
}

std::vector<Dtype> precisions(const std::string& name) {
  if (name == "single") return {Dtype::float32};
  if (name == "double") return {Dtype::float64};
  return {Dtype::float32, Dtype::float64};
}

dg::Schedule parse_variant(const std::string& name, Dtype precision) {
  try {
    return dg::Schedule::named(name, precision);
  } catch (const std::invalid_argument& error) {
    throw ConfigError(std::string("--variants: ") + error.what());
  }
}

void run(const Arguments& arguments) {
  const auto [first, last] = parse_orders(arguments.orders);
  rtcg::Compiler compiler(core::Device::open(arguments.device));
  const core::DeviceInfo& device = compiler.device().info();
  const rtcg::Ceilings ceilings = rtcg::measure_ceilings(compiler);
  rtcg::keep_ceilings(compiler.device(), ceilings, rtcg::default_cache_directory() / "wisdom");
  bench::print_ceilings(device, ceilings);
  bench::print_header();
  const dg::System system = arguments.system == "maxwell" ? dg::maxwell::system() : dg::acoustics::system();
  std::vector<bench::Answer> answers;
  for (const Dtype precision : precisions(arguments.precision)) {
    for (int order = first; order <= last; ++order) {
      std::vector<dg::Schedule> schedules;
      for (const std::string& name : arguments.variants) schedules.push_back(parse_variant(name, precision));
      for (const bench::Answer& answer :
           bench::run(compiler, ceilings, {system, order, precision, arguments.elements, schedules})) {
        answers.push_back(answer);
        bench::print(answer);
      }
    }
  }
  if (!arguments.json.empty()) bench::write_json(arguments.json, device, ceilings, answers);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("Measures the generated discontinuous Galerkin kernels on one device.");
  app.add_option("--device", arguments.device, "auto | cuda | cuda:N | opencl | opencl:N | cpu")
      ->envname("MAXWELL_DG_DEVICE");
  app.add_option("--orders", arguments.orders, "one order or a range, 1 to 9")->capture_default_str();
  app.add_option("--precision", arguments.precision)->check(CLI::IsMember({"single", "double", "both"}));
  app.add_option("--system", arguments.system)->check(CLI::IsMember({"maxwell", "acoustics"}));
  app.add_option("--elements", arguments.elements, "about this many; default: the standard number of each order")
      ->check(CLI::Range(std::size_t{1}, std::size_t{400'000'000}));
  app.add_option("--variants", arguments.variants, "instead of the default one, these: tensor_e16_w3_r4 ...")
      ->delimiter(',');
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
