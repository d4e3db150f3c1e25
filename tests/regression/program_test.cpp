#include "tests/must_fail/app/program.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/json_text.hpp"
#include "core/quantity.hpp"
#include "core/utf8.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class ProgramTest : public ::testing::Test {
 protected:
  Outcome run(std::vector<std::string> arguments) { return run_program(std::move(arguments), directory_.path()); }
  const TemporaryDirectory directory_;
};

TEST_F(ProgramTest, version_help_devices_and_schema_go_to_stdout) {
  EXPECT_TRUE(run({"--version"}).out.starts_with("maxwell_dg "));
  EXPECT_NE(run({"--help"}).out.find("--convert"), std::string::npos);
  EXPECT_FALSE(run({"--devices"}).out.empty());
  const Outcome schema = run({"--schema"});
  EXPECT_EQ(schema.exit_code, 0);
  EXPECT_TRUE(Json::parse(schema.out).contains("$schema"));
}

TEST_F(ProgramTest, quiet_says_nothing_and_writes_the_same) {
  const Outcome outcome = run_cavity(directory_.path(), {"--quiet"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
  EXPECT_TRUE(fs::exists(directory_ / "out/summary.json"));
  EXPECT_NE(content_of(directory_ / "out/run.log").find("done: "), std::string::npos);
}

TEST_F(ProgramTest, what_is_said_goes_to_stderr_and_to_the_log) {
  const Outcome outcome = run_cavity(directory_.path());
  EXPECT_EQ(outcome.out, "");
  for (const char* text : {"device: ", "24 elements of order 2", "done: ", "error of E: "}) {
    EXPECT_NE(outcome.err.find(text), std::string::npos) << text << "\n" << outcome.err;
    EXPECT_NE(content_of(directory_ / "out/run.log").find(text), std::string::npos) << text;
  }
}

// A probe every step, energies every 5 and the health check every 20 steps are looked at when they have arrived.
TEST_F(ProgramTest, no_step_waits_for_the_device) {
  struct Count {
    double steps, waits;
  };
  const auto count_until = [&](const std::string& end) {
    const Outcome outcome =
        run_cavity(directory_.path(), {"--set", "time.end=" + end}, {.environment = {{"MAXWELL_DG_TRACE", "lines"}}});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    Count count{.steps = Json::parse(content_of(directory_ / "out/summary.json"))["steps"], .waits = 0};
    for (const std::string call :
         {"clFinish(", "clWaitForEvents(", "cuStreamSynchronize(", "cuEventSynchronize(", "cuCtxSynchronize("}) {
      for (std::size_t at = outcome.err.find(call); at != std::string::npos; at = outcome.err.find(call, at + 1)) {
        ++count.waits;
      }
    }
    return count;
  };
  const Count few = count_until("10"), many = count_until("30");
  EXPECT_GT(few.waits, 0) << "is the trace read right?";
  EXPECT_GT(many.steps - few.steps, 50);
  EXPECT_LT(many.waits - few.waits, 0.3 * (many.steps - few.steps));
}

TEST_F(ProgramTest, a_trace_is_a_timeline_of_calls_and_kernels) {
  const fs::path file = directory_ / "trace.json";
  const fs::path elsewhere = directory_ / "elsewhere.json";
  const Outcome outcome = run_cavity(directory_.path(), {"--trace", file.string()},
                                     {.environment = {{"MAXWELL_DG_TRACE", elsewhere.string()}}});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_FALSE(fs::exists(elsewhere)) << "the option goes before the environment";
  const Json events = Json::parse(content_of(file));
  std::map<std::string, std::map<std::string, int>> counts;  // by process and name
  std::map<int, std::string> processes;
  for (const Json& event : events) {
    if (event["name"] == "process_name") processes[event["pid"]] = event["args"]["name"];
    if (event["ph"] == "X") ++counts[processes.at(event["pid"])][event["name"]];
  }
  const Json summary = Json::parse(content_of(directory_ / "out/summary.json"));
  const auto& kernels = counts["device"];
  const auto most = std::ranges::max_element(kernels, {}, [](const auto& entry) { return entry.second; });
  ASSERT_NE(most, kernels.end()) << "no kernel is in the timeline";
  EXPECT_GE(most->second, summary["steps"].get<int>()) << "every step launches the operator's kernels";
  EXPECT_TRUE(counts["host"].contains("clEnqueueNDRangeKernel") || counts["host"].contains("cuLaunchKernelEx"));
}

TEST_F(ProgramTest, a_trace_that_cannot_be_written_is_an_output_error) {
  const Outcome outcome = run_cavity(directory_.path(), {"--trace", (directory_ / "gone/trace.json").string()});
  EXPECT_EQ(outcome.exit_code, 6);
  EXPECT_EQ(outcome.err, "error: " + (directory_ / "gone/trace.json").string() +
                             ": cannot write the trace: No such file or directory\n");
  EXPECT_FALSE(fs::exists(directory_ / "out"));
}

TEST_F(ProgramTest, a_trace_on_a_full_disk_is_an_output_error_after_the_results) {
  const Outcome outcome = run_cavity(directory_.path(), {"--trace", "/dev/full"});
  EXPECT_EQ(outcome.exit_code, 6) << outcome.err;
  EXPECT_NE(outcome.err.find("error: /dev/full: cannot write the trace: No space left on device"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(Json::parse(content_of(directory_ / "out/summary.json"))["outcome"], "done");
}

TEST_F(ProgramTest, output_replaces_the_directory_of_the_config) {
  ASSERT_EQ(run_cavity(directory_.path(), {"--output", (directory_ / "a/b/c").string()}).exit_code, 0);
  EXPECT_TRUE(fs::exists(directory_ / "a/b/c/summary.json"));
  EXPECT_FALSE(fs::exists(directory_ / "out"));
}

/// Expects all texts of a run to be UTF-8, and its summary to be there.
void expect_utf_8(const fs::path& output) {
  for (const char* name : {"run.log", "config.resolved.yaml", "probes.csv", "summary.json"}) {
    const std::string text = content_of(output / name);
    EXPECT_FALSE(text.empty()) << name;
    EXPECT_TRUE(is_utf8(text)) << name << ":\n" << text;
  }
  EXPECT_EQ(Json::parse(content_of(output / "summary.json"))["outcome"], "done");
}

TEST_F(ProgramTest, bytes_of_a_path_that_are_no_utf_8_lose_no_result) {
  const fs::path folder = directory_ / "R\xe4ume";
  fs::create_directory(folder);
  // A warning names the config: the pulse peaks after the run ends.
  const Outcome outcome =
      run_config(folder, cavity_config() +
                             "sources: [{type: dipole, at: [0.1, 0.2, -0.3], moment: [0, 0, 1], waveform: "
                             "{type: ricker, frequency: 0.2, delay: 9}}]\n");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  expect_utf_8(folder / "out");
  const Json warnings = Json::parse(content_of(folder / "out/summary.json"))["warnings"];
  EXPECT_NE(json_text(warnings).find("R\xef\xbf\xbdume/config.yaml"), std::string::npos) << warnings;
  EXPECT_NE(outcome.err.find("the output directory's path is no UTF-8"), std::string::npos) << outcome.err;
}

TEST_F(ProgramTest, names_of_a_mesh_in_latin_1_are_those_of_a_config_in_utf_8) {
  if (!has_gmsh) GTEST_SKIP() << "this build has no Gmsh";
  write_file_atomically(directory_ / "named.msh",
                        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"R\xe4ume\"\n$EndPhysicalNames\n"
                        "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n$EndNodes\n"
                        "$Elements\n2\n1 4 2 1 1 1 2 3 4\n2 4 2 1 1 2 5 3 4\n$EndElements\n");
  const auto run_with = [&](const std::string& region) {
    return run_config(directory_.path(), R"yaml(
mesh: {file: named.msh}
solver: {order: 2}
time: {end: "1 ns"}
materials: [{region: )yaml" + region + R"yaml(}]
boundaries: [{region: "*", type: absorbing}]
sources:
  - {type: dipole, at: [0.2, 0.2, 0.2], moment: [0, 0, 1e-12], waveform: {type: ricker, frequency: "0.4 GHz"}}
outputs: {probes: [{name: p, at: [0.5, 0.5, 0.5]}]}
)yaml");
  };
  for (const char* region : {"\"*\"", "R\xc3\xa4ume"}) {
    const Outcome outcome = run_with(region);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    expect_utf_8(directory_ / "out");
  }
  const Outcome refused = run_with("R\xe4ume");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("materials.0.region: must be one line of UTF-8"), std::string::npos) << refused.err;
}

TEST_F(ProgramTest, the_resolved_config_gives_the_same_run_again) {
  ASSERT_EQ(run_cavity(directory_.path(), {"--set", "solver.order=3", "--set", "solver.flux=0.5"}).exit_code, 0);
  const Outcome again =
      run({(directory_ / "out/config.resolved.yaml").string(), "--output", (directory_ / "2").string()});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(content_of(directory_ / "2/probes.csv"), content_of(directory_ / "out/probes.csv"));
  EXPECT_EQ(content_of(directory_ / "2/energy.csv"), content_of(directory_ / "out/energy.csv"));
}

TEST_F(ProgramTest, check_prints_a_config_that_runs_and_a_forecast_that_comes_true) {
  const Outcome check = run_cavity(directory_.path(), {"--check"});
  ASSERT_EQ(check.exit_code, 0) << check.err;
  EXPECT_FALSE(fs::exists(directory_ / "out"));
  write_file_atomically(directory_ / "checked.yaml", check.out);
  ASSERT_EQ(run({(directory_ / "checked.yaml").string()}).exit_code, 0);
  const Json summary = Json::parse(content_of(directory_ / "out/summary.json"));
  EXPECT_NE(check.out.find("# elements: " + summary["elements"].dump() + "\n"), std::string::npos) << check.out;
  EXPECT_NE(check.out.find("# dofs: " + summary["dofs"].dump() + "\n"), std::string::npos) << check.out;
  EXPECT_NE(check.out.find("# steps: " + summary["steps"].dump() + "\n"), std::string::npos) << check.out;
}

TEST_F(ProgramTest, check_says_what_the_mesh_and_the_files_are_and_how_long_a_run_takes) {
  write_file_atomically(directory_ / "open.yaml",
                        R"yaml(mesh: {box: {min: [0, 0, 0], max: [1, 2, "50 cm"], cells: [4, 8, 2]}}
solver: {order: 2}
time: {end: "20 ns"}
materials: [{region: "*"}]
boundaries: [{region: "*", type: absorbing}]
sources:
  - {type: dipole, at: [0.5, 0.5, 0.2], moment: [0, 0, 1], waveform: {type: ricker, frequency: "150 MHz"}}
  - {type: dipole, at: [0.5, 0.5, 0.2], moment: [1, 0, 0], waveform: {type: ricker, frequency: "100 MHz", delay: "9 ns"}}
outputs: {surface_fields: {surfaces: x_min, count: 10}}
)yaml");
  const Outcome check = run({"--check", (directory_ / "open.yaml").string()});
  ASSERT_EQ(check.exit_code, 0) << check.err;
  for (const char* line :
       {"# elements: 384\n", "# elements by region: 384 in 'interior'\n",
        "# faces by surface: 32 in 'x_min', 32 in 'x_max', 16 in 'y_min', 16 in 'y_max', 64 in 'z_min', 64 in 'z_max'",
        "# edges: 250 mm to 433 mm\n",
        "# mesh: 1 m x 2 m x 500 mm, 1.106 x 2.213 x 0.5532 wavelengths in vacuum at 331.7 MHz\n",
        "# source 0: a ricker that peaks at t = 7.503 ns (delay is automatic)\n",
        "# source 1: a ricker that peaks at t = 9 ns\n", "# surface_fields: 11 files of about ", "# time: "}) {
    EXPECT_NE(check.out.find(line), std::string::npos) << line << "\n" << check.out;
  }
  EXPECT_EQ(check.out.find("divide"), std::string::npos);
}

TEST_F(ProgramTest, the_size_of_snapshots_is_within_a_fifth_of_the_forecast) {
  const std::vector<std::string> larger = with_set({"mesh.box.cells=[8, 8, 4]", "solver.order=3", "time.end=0.1"});
  std::vector<std::string> arguments = with_fields();
  arguments.insert(arguments.end(), larger.begin(), larger.end());
  ASSERT_EQ(run_cavity(directory_.path(), arguments).exit_code, 0);
  arguments.emplace_back("--check");
  const Outcome check = run_cavity(directory_.path(), arguments);
  const std::string line = "# fields: 3 files of about ";
  const std::size_t at = check.out.find(line);
  ASSERT_NE(at, std::string::npos) << check.out;
  const double size = static_cast<double>(fs::file_size(directory_ / "out/fields_000001.vtu"));
  EXPECT_NEAR(std::stod(check.out.substr(at + line.size())) * 1024 * 1024 / size, 1, 0.2) << check.out;  // MiB
}

TEST_F(ProgramTest, a_run_tells_the_next_check_how_long_such_a_run_takes) {
  const Conditions conditions{.environment = {{"MAXWELL_DG_CACHE", (directory_ / "cache").string()}}};
  const auto line = [&](const std::vector<std::string>& changes) {
    std::vector<std::string> arguments = with_set(changes);
    arguments.emplace_back("--check");
    const Outcome check = run_cavity(directory_.path(), arguments, conditions);
    EXPECT_EQ(check.exit_code, 0) << check.err;
    const std::size_t at = check.out.find("# time: ");
    return at == std::string::npos ? check.out : check.out.substr(at);
  };
  EXPECT_TRUE(line({}).starts_with("# time: very roughly ")) << line({});
  EXPECT_FALSE(fs::exists(directory_ / "cache/wisdom")) << "a check writes nothing";
  // Long enough to be worth noting: half a second.
  const Outcome outcome =
      run_cavity(directory_.path(), with_set({"mesh.box.cells=[8, 8, 8]", "time.end=20"}), conditions);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json summary = Json::parse(content_of(directory_ / "out/summary.json"));
  if (summary["loop_seconds"] < 0.5) GTEST_SKIP() << "this device is too fast";
  const std::string known = line({"mesh.box.cells=[8, 8, 8]"});
  EXPECT_TRUE(known.starts_with("# time: about 0:0")) << known;
  EXPECT_NE(known.find(", by a run like this one, of 3072 elements, on this device"), std::string::npos) << known;
  EXPECT_TRUE(line({"mesh.box.cells=[8, 8, 8]", "solver.order=1"}).starts_with("# time: very roughly "));
  // What it said then comes true: the rate is that of the run.
  const std::size_t at = known.find(" at ");
  EXPECT_NEAR(std::stod(known.substr(at + 4)) / summary["gdof_per_second"].get<double>(), 1, 1e-3) << known;
}

TEST_F(ProgramTest, a_first_forecast_counts_less_time_for_the_compiler_at_a_low_order) {
  const Conditions conditions{.environment = {{"MAXWELL_DG_CACHE", (directory_ / "cache").string()}}};
  std::vector<double> seconds;
  for (const char* order : {"solver.order=1", "solver.order=9"}) {
    const Outcome check = run_cavity(directory_.path(), {"--check", "--device", "cpu", "--set", order}, conditions);
    if (check.exit_code == 4) GTEST_SKIP() << check.err;
    const std::string before = "(set-up 0:";
    const std::size_t at = check.out.find(before);
    ASSERT_NE(at, std::string::npos) << check.out;
    seconds.push_back(std::stod(check.out.substr(at + before.size())));
  }
  EXPECT_GE(seconds[0], 2);
  EXPECT_GT(seconds[1], seconds[0] + 3);
}

TEST_F(ProgramTest, a_first_forecast_counts_what_curved_elements_and_a_pml_cost) {
  const Conditions conditions{.environment = {{"MAXWELL_DG_CACHE", (directory_ / "cache").string()}}};
  const auto rate = [&](const std::vector<std::string>& changes) {
    std::vector<std::string> arguments = with_set(changes);
    arguments.emplace_back("--check");
    const Outcome check = run_cavity(directory_.path(), arguments, conditions);
    EXPECT_EQ(check.exit_code, 0) << check.err;
    const std::size_t at = check.out.find(" GDOF/s), by ");
    return std::stod(check.out.substr(check.out.rfind(" at ", at) + 4));
  };
  const std::string cells = "mesh.box.cells=[8, 8, 8]";
  const double plain = rate({cells, "solver.order=4"}),
               with_pml = rate({cells, "solver.order=4", "boundaries=[{region: '*', type: pml, thickness: 0.13}]"}),
               varying = rate({cells, "solver.order=4", "materials.0.epsilon_r=1 + x^2", "materials.0.profile=smooth"});
  EXPECT_GT(plain / with_pml, 1.1) << plain << ", " << with_pml;
  EXPECT_GT(plain / varying, 2) << plain << ", " << varying;
}

TEST_F(ProgramTest, a_link_in_the_place_of_the_rates_of_runs_is_replaced_and_not_followed) {
  const fs::path cache = directory_ / "cache", elsewhere = directory_ / "elsewhere";
  const Conditions conditions{.environment = {{"MAXWELL_DG_CACHE", cache.string()}}};
  const auto run = [&] {
    return run_cavity(directory_.path(), with_set({"mesh.box.cells=[8, 8, 8]", "time.end=20"}), conditions);
  };
  const Outcome first = run();
  ASSERT_EQ(first.exit_code, 0) << first.err;
  fs::path rates;
  std::error_code absent;  // the folder, where no rate was kept
  for (const auto& entry : fs::directory_iterator(cache / "wisdom", absent)) {
    if (entry.path().filename().string().starts_with("runs_")) rates = entry.path();
  }
  if (rates.empty()) GTEST_SKIP() << "this device is too fast";
  std::ofstream(elsewhere) << "not ours";
  fs::remove(rates);
  fs::create_symlink(elsewhere, rates);
  const Outcome second = run();
  ASSERT_EQ(second.exit_code, 0) << second.err;
  EXPECT_EQ(content_of(elsewhere), "not ours");
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(rates)));
}

TEST_F(ProgramTest, times_add_up_and_are_the_same_in_the_log_and_in_the_summary) {
  const Outcome outcome = run_cavity(directory_.path());
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json summary = Json::parse(content_of(directory_ / "out/summary.json"));
  double setup = 0;
  for (const auto& [part, seconds] : summary["setup"].items()) setup += seconds.get<double>();
  EXPECT_NEAR(setup, summary["setup_seconds"].get<double>(), 1e-9);
  EXPECT_GE(summary["wall_seconds"].get<double>() * (1 + 1e-12),
            summary["setup_seconds"].get<double>() + summary["loop_seconds"].get<double>());
  const auto text = [&](const char* key) { return core::brief(summary[key].get<double>()); };
  EXPECT_NE(outcome.err.find(", in " + text("wall_seconds") + " s: set-up " + text("setup_seconds") + " s, time loop " +
                             text("loop_seconds") + " s with "),
            std::string::npos)
      << outcome.err;
}

TEST_F(ProgramTest, help_has_examples_exit_codes_and_nothing_of_the_parser) {
  for (const std::string program : {"maxwell_dg", "dg_bench", "rtcg_bench"}) {
    const Outcome outcome = run_program({"--help"}, directory_.path(), {.program = program});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_NE(outcome.out.find("usage: " + program), std::string::npos) << outcome.out;
    for (const char* noise : {"TEXT", "OPTION", "UINT", "Env:", ":{", "FLOAT", "Positionals"}) {
      EXPECT_EQ(outcome.out.find(noise), std::string::npos) << noise << "\n" << outcome.out;
    }
  }
  const std::string help = run({"--help"}).out;
  for (const char* text : {"maxwell_dg --check cavity.yaml", "exit codes:", "5 the solution diverged",
                           "docs/user_guide.md", "--device SPEC", "$MAXWELL_DG_DEVICE", "--set KEY.PATH=VALUE"}) {
    EXPECT_NE(help.find(text), std::string::npos) << text << "\n" << help;
  }
}

TEST_F(ProgramTest, without_an_integrator_the_cheaper_one_runs_and_is_written_down) {
  const auto steps_of = [&](const std::string& flux, const std::string& method) {
    const Outcome check =
        run_cavity(directory_.path(), {"--check", "--set", "solver.flux=" + flux, "--set", "solver.integrator=null"});
    EXPECT_EQ(check.exit_code, 0) << check.err;
    EXPECT_NE(check.out.find("  integrator: " + method + "\n"), std::string::npos) << check.out;
    return std::stol(check.out.substr(check.out.find("# steps: ") + 9));
  };
  EXPECT_LT(steps_of("upwind", "lsrk144"), steps_of("central", "lsrk54"));
}

TEST_F(ProgramTest, device_memory_is_within_ten_percent_of_the_forecast) {
  // No initial fields and no reference: to evaluate them borrows memory, at most 32 MiB, which shows on small meshes.
  write_file_atomically(directory_ / "empty.yaml", R"yaml(
units: normalized
mesh: {box: {min: [-1, -1, -1], max: [1, 1, 1], cells: [10, 10, 10]}}
solver: {order: 3, precision: double}
time: {end: 0.01}
materials: [{region: interior, epsilon_r: 1}]
boundaries: [{region: "*", type: pec}]
outputs: {surface_fields: {surfaces: ["*"], count: 1}}
)yaml");
  const Outcome outcome = run({(directory_ / "empty.yaml").string(), "--output", (directory_ / "out").string()});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json bytes = Json::parse(content_of(directory_ / "out/summary.json"))["device_bytes"];
  EXPECT_NEAR(bytes["allocated"].get<double>() / bytes["forecast"].get<double>(), 1.0, 0.1) << bytes;
}

TEST_F(ProgramTest, acoustics_runs_by_the_same_program) {
  write_file_atomically(directory_ / "acoustics.yaml", R"yaml(
system: acoustics
units: normalized
mesh: {box: {min: [0, 0, 0], max: [1, 1, 1], cells: [2, 2, 2]}}
solver: {order: 3, precision: double}
time: {end: 1}
materials: [{region: interior, rho: 1, c: 1}]
boundaries: [{region: "*", type: rigid}]
initial_fields: {p: "cos(pi*x)"}
reference_solution: {p: "cos(pi*x)*cos(pi*t)", u: ["sin(pi*x)*sin(pi*t)", "0", "0"]}
outputs: {probes: [{name: a, at: [0.3, 0.3, 0.3]}]}
)yaml");
  const Outcome outcome = run({(directory_ / "acoustics.yaml").string(), "--output", (directory_ / "out").string()});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json summary = Json::parse(content_of(directory_ / "out/summary.json"));
  EXPECT_LT(summary["error"]["p"]["l2"], 0.02);
  EXPECT_LT(summary["error"]["u"]["l2"], 0.02);
  EXPECT_TRUE(content_of(directory_ / "out/probes.csv").starts_with("time,a.p,a.ux,a.uy,a.uz\n"));
}

TEST_F(ProgramTest, waves_in_a_graded_medium_converge_with_the_square_of_the_element) {
  // epsilon_r = (omega^-2)(b^2 + 1/4) / x^2 between conducting walls at 1 and e: E_z = sqrt(x) sin(b log x) cos(omega
  // t) solves E_z'' + omega^2 epsilon_r E_z = 0 for b = pi, and H_y = E_z' sin(omega t) / omega. Constant in each
  // element, epsilon_r is first-order, and so is E, which jumps where epsilon_r does; the wave, and H, are
  // second-order, because the means are exact.
  std::vector<double> E, H;
  for (const std::string cells : {"4, 1, 1", "8, 2, 2"}) {
    write_file_atomically(directory_ / "graded.yaml", R"yaml(
units: normalized
mesh: {box: {min: [1, 0, 0], max: [2.718281828459045, 0.2, 0.2], cells: [)yaml" +
                                                          cells + R"yaml(]}}
solver: {order: 3, precision: double}
time: {end: 1.5}
constants: {w: 2, b: pi}
materials: [{region: interior, epsilon_r: "(b^2 + 1/4) / (w*x)^2"}]
boundaries: [{region: [y_min, y_max], type: pmc}, {region: "*", type: pec}]
initial_fields: {E: ["0", "0", "sqrt(x)*sin(b*log(x))"]}
reference_solution:
  E: ["0", "0", "sqrt(x)*sin(b*log(x))*cos(w*t)"]
  H: ["0", "(0.5*sin(b*log(x)) + b*cos(b*log(x)))/sqrt(x)*sin(w*t)/w", "0"]
)yaml");
    const Outcome outcome = run({(directory_ / "graded.yaml").string(), "--output", (directory_ / "out").string()});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Json error = Json::parse(content_of(directory_ / "out/summary.json"))["error"];
    E.push_back(error["E"]["l2"]);
    H.push_back(error["H"]["l2"]);
  }
  EXPECT_GT(std::log2(H[0] / H[1]), 1.9) << H[0] << " and " << H[1];
  EXPECT_GT(std::log2(E[0] / E[1]), 0.9) << E[0] << " and " << E[1];
}

TEST_F(ProgramTest, an_active_medium_may_gain_energy) {
  const Outcome outcome = run_cavity(directory_.path(), {"--set", "materials.0.active=true", "--set",
                                                         "materials.0.sigma=-0.5", "--set", "reference_solution=null"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json energy = Json::parse(content_of(directory_ / "out/summary.json"))["energy"];
  EXPECT_GT(energy["final"].get<double>(), 2 * energy["initial"].get<double>());
}

TEST_F(ProgramTest, si_units_give_the_same_physics) {
  // The cavity with its lengths in metres: t_si = t / c, H_si = H / Z_0, energies times epsilon_0.
  write_file_atomically(directory_ / "si.yaml", R"yaml(
mesh:
  box: {min: [-1, -1, -1], max: [1, 1, 0], cells: [2, 2, 1]}
solver: {order: 2, precision: double, integrator: lsrk54}
time: {end: 6.671281903963041 ns}
materials: [{region: interior, epsilon_r: 1}]
boundaries: [{region: "*", type: pec}]
initial_fields: {E: ["0", "0", "cos(pi*x/2)*cos(pi*y/2)"]}
outputs: {probes: [{name: p1, at: [0, 0, -0.1]}], energy: {every: 5}}
)yaml");
  const Outcome outcome = run({(directory_ / "si.yaml").string(), "--output", (directory_ / "si").string()});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  ASSERT_EQ(run_cavity(directory_.path()).exit_code, 0);
  const Json si = Json::parse(content_of(directory_ / "si/summary.json"));
  const Json normalized = Json::parse(content_of(directory_ / "out/summary.json"));
  const auto ratio = [&](const char* key) { return si[key].get<double>() / normalized[key].get<double>(); };
  EXPECT_EQ(si["steps"], normalized["steps"]);
  EXPECT_NEAR(ratio("dt") * 299792458.0, 1, 1e-12);
  EXPECT_NEAR(si["energy"]["final"].get<double>() / normalized["energy"]["final"].get<double>() / 8.8541878128e-12, 1,
              1e-9);
}

}  // namespace
}  // namespace maxwell_dg::testing
