#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "core/atomic_file.hpp"
#include "core/device/several_devices.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/observe/checkpoint_file.hpp"
#include "tests/must_fail/app/program.hpp"
#include "tests/simulation/boxes.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

/// `cuda:all` and `opencl:all`: the program starts itself once for each device. PoCL offers a CPU as several devices.
namespace maxwell_dg::testing {
namespace {

namespace fs = std::filesystem;

class AllDevices : public ::testing::Test {
 protected:
  void SetUp() override { write_file_atomically(directory_ / "config.yaml", cavity_config()); }

  [[nodiscard]] std::vector<std::string> arguments(const std::string& device = "opencl:all") const {
    return {(directory_ / "config.yaml").string(), "--output", (directory_ / "out").string(), "--device", device};
  }
  /// A PATH whose mpirun says how it was started.
  [[nodiscard]] std::string path_of_fake() const {
    fs::create_directories(directory_ / "bin");
    write_file_atomically(directory_ / "bin/mpirun",
                          "#!/bin/sh\nfor word in \"$@\"; do printf '%s\\n' \"$word\"; done\n"
                          "env | grep -E '_MCA_|RUN_AS_ROOT'\n");
    fs::permissions(directory_ / "bin/mpirun", fs::perms::owner_all);
    return (directory_ / "bin").string() + ":/usr/bin:/bin";
  }
  [[nodiscard]] static Conditions with_devices(int count) {
    std::string devices;
    for (int i = 0; i < count; ++i) devices += i == 0 ? "pthread" : " pthread";
    return {.environment = {{"POCL_DEVICES", devices}}};
  }
  const TemporaryDirectory directory_;
};

TEST_F(AllDevices, are_given_a_rank_each_by_mpirun) {
  Conditions conditions = with_devices(3);
  conditions.environment["PATH"] = path_of_fake();
  const Outcome run = run_program(arguments(), directory_.path(), conditions);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  std::string expected = "-n\n3\n--host\nlocalhost:3\n" + fs::canonical(program_path()).string() + "\n";
  for (const std::string& argument : arguments()) expected += argument + "\n";
  EXPECT_TRUE(run.out.starts_with(expected)) << run.out;
  EXPECT_TRUE(::geteuid() != 0 || run.out.find("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1\n") != std::string::npos) << run.out;
}

TEST_F(AllDevices, are_asked_for_by_the_config_or_for_a_check_as_well) {
  Conditions conditions = with_devices(2);
  conditions.environment["PATH"] = path_of_fake();
  const Outcome check = run_program({"--check", (directory_ / "config.yaml").string(), "--set", "device=opencl:all"},
                                    directory_.path(), conditions);
  EXPECT_EQ(check.exit_code, 0) << check.err;
  EXPECT_TRUE(check.out.starts_with("-n\n2\n")) << check.out;
}

TEST_F(AllDevices, compute_a_run_together) {
  const Outcome run = run_program(arguments(), directory_.path(), with_devices(2));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto summary = nlohmann::json::parse(content_of(directory_ / "out/summary.json"));
  EXPECT_EQ(summary["outcome"], "done");
  EXPECT_EQ(summary["ranks"].size(), 2U);
}

TEST_F(AllDevices, of_which_there_is_one_are_one_process) {
  Conditions conditions = with_devices(1);
  conditions.environment["PATH"] = path_of_fake();
  const Outcome run = run_program(arguments(), directory_.path(), conditions);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_FALSE(nlohmann::json::parse(content_of(directory_ / "out/summary.json")).contains("ranks"));
}

TEST_F(AllDevices, without_mpirun_are_an_error_that_says_what_to_install) {
  Conditions conditions = with_devices(2);
  conditions.environment["PATH"] = directory_.path().string();
  const Outcome run = run_program(arguments(), directory_.path(), conditions);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.err,
            "error: device 'opencl:all' starts a process for each of 2 devices by mpirun, which cannot be started (No "
            "such file or directory); install openmpi-bin or put it into PATH, or name one device\n");
}

TEST_F(AllDevices, fit_the_ranks_that_mpirun_was_asked_for) {
  std::vector<std::string> words{"-n", "3", program_path()};
  for (const std::string& argument : arguments()) words.push_back(argument);
  Conditions conditions = with_devices(2);
  conditions.program = MAXWELL_DG_MPIEXEC;
  const Outcome run = run_program(words, directory_.path(), conditions);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("device 'opencl:all' stands for 2 devices on "), std::string::npos) << run.err;
  EXPECT_NE(run.err.find(", and 3 ranks are there; start one for each"), std::string::npos) << run.err;
}

/// Open MPI kills ranks a second after it has asked them to end, if nobody tells it otherwise.
TEST_F(AllDevices, write_one_checkpoint_when_they_are_asked_to_end) {
  for (const int signal : {SIGTERM, SIGINT}) {
    fs::remove_all(directory_ / "out");
    std::vector<std::string> endless = arguments();
    for (const std::string& more : with_set({"time.end=1e6", "checkpoint={every: 1 h}"})) endless.push_back(more);
    Program program(endless, directory_.path(), with_devices(2));
    const auto has_begun = [&] {
      const std::string energies = content_of(directory_ / "out/energy.csv");
      return std::count(energies.begin(), energies.end(), '\n') > 1;
    };
    for (int i = 0; i < 600 && !has_begun(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    program.send(signal);
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.exit_code, 128 + signal);
    const auto summary = nlohmann::json::parse(content_of(directory_ / "out/summary.json"));
    EXPECT_EQ(summary["outcome"], "interrupted") << outcome.err;
    EXPECT_EQ(dg::checkpoints_in(directory_ / "out").size(), 1U) << outcome.err;
  }
}

constexpr const char* scatterer = R"yaml(units: normalized
mesh: {file: scatterer.h5}
solver: {order: 2}
time: {end: 8}
materials: [{region: body, epsilon_r: 3}, {region: "*", epsilon_r: 1}]
boundaries: [{region: "*", type: absorbing}]
sources:
  - {type: plane_wave, direction: [0, 0, 1], polarization: [1, 0, 0], injection: {type: scattered_field},
     waveform: {type: gaussian_pulse, frequency: 0.7, bandwidth: 0.7}}
outputs:
  far_field: {enclosing: [body, near], frequencies: [0.6, 0.8]}
sweep: {plane_wave: {theta: {from: 0, to: 60, step: 30}, phi: [0, 40]}}
)yaml";

class SweepOnAllDevices : public AllDevices {
 protected:
  /// An mpirun that is started would leave words in what the program prints.
  [[nodiscard]] Program start(dg::Mesh mesh, std::vector<std::string> more, int devices) const {
    dg::prepare(mesh, "scatterer.h5", dg::Orientation::any);
    dg::write_mesh(mesh, directory_ / "scatterer.h5");
    write_file_atomically(directory_ / "sweep.yaml", scatterer);
    more.insert(more.begin(), (directory_ / "sweep.yaml").string());
    Conditions conditions = with_devices(devices);
    conditions.environment["PATH"] = path_of_fake();
    return {more, directory_.path(), conditions};
  }
  [[nodiscard]] Outcome sweep_over(dg::Mesh mesh, std::vector<std::string> more, int devices) const {
    return start(std::move(mesh), std::move(more), devices).wait();
  }
  [[nodiscard]] std::string out(const std::string& name) const { return (directory_ / name).string(); }
  [[nodiscard]] std::string monostatic(const std::string& name) const {
    return content_of(directory_ / name / "monostatic.csv");
  }
};

TEST_F(SweepOnAllDevices, shares_out_its_angles_and_has_the_numbers_of_a_single_one_to_the_bit) {
  const dg::Mesh mesh = box_around_near({-0.9, -0.9, -0.9});
  const Outcome alone = sweep_over(mesh, {"--output", out("alone"), "--device", "opencl:0"}, 1);
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  const Outcome all = sweep_over(mesh, {"--output", out("all"), "--device", "opencl:all"}, 3);
  ASSERT_EQ(all.exit_code, 0) << all.err;
  EXPECT_EQ(all.out, "");
  EXPECT_EQ(monostatic("all"), monostatic("alone"));
  EXPECT_EQ(std::ranges::count(monostatic("all"), '\n'), 1 + 2 * 6);
  EXPECT_NE(all.err.find("angle 6/6: "), std::string::npos) << all.err;
  for (const char* device : {"opencl:0", "opencl:1", "opencl:2"}) {
    EXPECT_NE(all.err.find(std::string(", on ") + device), std::string::npos) << all.err;
  }
  EXPECT_NE(all.err.find("set-ups: meshes read: 1; kernels compiled: 0, "), std::string::npos) << all.err;
}

/// The waves differ in numbers alone.
TEST_F(SweepOnAllDevices, compiles_its_kernels_for_the_first_angle_alone) {
  for (const std::string injection : {"scattered_field", "total_field, regions: [body, near]"}) {
    std::vector<std::string> first;
    for (const char* angle : {"0", "50"}) {
      const fs::path folder = directory_ / ("kernels" + std::string(angle));
      fs::remove_all(folder);
      const Outcome listed =
          sweep_over(box_around_near({-0.9, -0.9, -0.9}),
                     {"--kernels", folder.string(), "--device", "opencl:0", "--set",
                      "sources.0.injection={type: " + injection + "}", "--set", "sweep.plane_wave.phi=[10]", "--set",
                      "sweep.plane_wave.theta={from: " + std::string(angle) + ", to: " + angle + ", step: 1}"},
                     1);
      ASSERT_EQ(listed.exit_code, 0) << listed.err;
      std::vector<std::string> texts;
      for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".kernel") texts.push_back(content_of(entry.path()));
      }
      std::ranges::sort(texts);
      EXPECT_GT(texts.size(), 3U);
      if (first.empty()) first = texts;
      EXPECT_TRUE(texts == first) << injection;
    }
  }
}

TEST_F(SweepOnAllDevices, that_fails_at_an_angle_keeps_the_others_and_names_it) {
  const Outcome run = sweep_over(box_around_near({0, -0.9, -0.9}),
                                 {"--output", out("out"), "--device", "opencl:all", "--quiet", "--set",
                                  "symmetry=[{plane: x, kind: electric}]", "--set", "sweep.plane_wave.phi=[0]"},
                                 2);
  EXPECT_EQ(run.exit_code, 2);
  const std::size_t error = run.err.find("error: ");
  EXPECT_EQ(run.err.find("error: sweep, theta 30, phi 0: "), error) << run.err;
  EXPECT_NE(run.err.find(": sources.0.direction: breaks the electric symmetry of the plane x = 0", error),
            std::string::npos)
      << run.err;
  EXPECT_EQ(run.err.find('\n', error), run.err.size() - 1) << run.err;
  EXPECT_EQ(std::ranges::count(monostatic("out"), '\n'), 1 + 2);
}

/// Those that compute an angle end it between two steps; its rows are not there, those of others are whole.
TEST_F(SweepOnAllDevices, ends_on_all_of_them_when_it_is_asked_to) {
  for (const int signal : {SIGINT, SIGTERM}) {
    fs::remove_all(directory_ / "out");
    Program program = start(box_around_near({-0.9, -0.9, -0.9}),
                            {"--output", out("out"), "--device", "opencl:all", "--set",
                             "sweep.plane_wave.phi=[0, 10, 20, 30, 40, 50]", "--set", "time.end=20"},
                            2);
    const auto lines = [&] { return std::ranges::count(monostatic("out"), '\n'); };
    for (int i = 0; i < 600 && lines() < 1 + 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    program.send(signal);
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.exit_code, 128 + signal) << outcome.err;
    EXPECT_EQ(lines() % 2, 1) << "two frequencies of each angle";
    EXPECT_GE(lines(), 1 + 2);
    EXPECT_LT(lines(), 1 + 2 * 18);
    const std::string done = std::to_string((lines() - 1) / 2);
    EXPECT_NE(outcome.err.find("interrupted after " + done + " of 18 angles; a sweep cannot be resumed: run it again"),
              std::string::npos)
        << outcome.err;
    EXPECT_EQ(outcome.err.find("error: "), std::string::npos) << outcome.err;
  }
}

using core::shared_out;

TEST(SharedOut, each_process_takes_the_one_of_its_number_where_all_see_all) {
  const std::vector<std::string> all{"a", "b", "c"};
  EXPECT_EQ(shared_out({all, all, all}), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(shared_out({all, all}), (std::vector<std::size_t>{0, 1}));
}

TEST(SharedOut, each_process_takes_the_only_one_that_its_launcher_shows_it) {
  EXPECT_EQ(shared_out({{"c"}, {"a"}, {"b"}}), (std::vector<std::size_t>{0, 0, 0}));
}

TEST(SharedOut, no_two_processes_take_the_same_one) {
  EXPECT_EQ(shared_out({{"a"}, {"a"}}), std::nullopt);
  EXPECT_EQ(shared_out({{"a", "b"}, {"a", "b"}, {"b", "a"}}), std::nullopt);
  EXPECT_EQ(shared_out({{"a"}, {}}), std::nullopt);
}

}  // namespace
}  // namespace maxwell_dg::testing
