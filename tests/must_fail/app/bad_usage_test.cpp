#include <filesystem>
#include <string_view>

#include "core/atomic_file.hpp"
#include "tests/must_fail/app/expectations.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

class BadUsage : public ::testing::Test {
 protected:
  Outcome run(std::vector<std::string> arguments) { return run_program(std::move(arguments), directory_.path()); }
  const TemporaryDirectory directory_;
};

TEST_F(BadUsage, no_config_is_asked_for) {
  expect_error(run({}), 2, "error: no CONFIG given; see maxwell_dg --help");
}

TEST_F(BadUsage, an_option_of_another_program_is_unknown) {
  expect_error(run({"--restart", "c.yaml"}), 2, "error: --restart: unknown option; see maxwell_dg --help");
  expect_error(run({"c.yaml", "--variants=fused"}), 2, "error: --variants=fused: unknown option");
}

TEST_F(BadUsage, two_configs_are_one_too_many) {
  expect_error(run({"a.yaml", "b.yaml"}), 2, "error: b.yaml: one config is run at a time");
}

TEST_F(BadUsage, actions_exclude_each_other) {
  expect_error(run({"--check", "--devices", "a.yaml"}), 2, "error: --check and --devices exclude each other");
}

TEST_F(BadUsage, tuning_needs_a_config_and_time) {
  expect_error(run({"--tune"}), 2, "error: no CONFIG given; see maxwell_dg --help");
  expect_error(run({"--tune", "--check", "a.yaml"}), 2, "error: --check and --tune exclude each other");
  expect_error(run_cavity(directory_.path(), {"--tune", "--set", "solver.tuning_seconds=0"}), 2,
               "solver.tuning_seconds: 0 leaves --tune no time; 60 is the default");
  expect_error(run_cavity(directory_.path(), {"--set", "solver.tuning_seconds=-1"}), 2,
               "solver.tuning_seconds: found '-1'; allowed: a number of at least 0");
}

TEST_F(BadUsage, kernels_need_a_config_and_a_directory_of_their_own) {
  expect_error(run({"--kernels", "folder"}), 2, "error: no CONFIG given; see maxwell_dg --help");
  expect_error(run({"--kernels"}), 2, "error: --kernels: ");
  expect_error(run({"--kernels", "", "a.yaml"}), 2, "error: --kernels: the directory has no name");
  expect_error(run({"--kernels", "folder", "--check", "a.yaml"}), 2, "error: --check and --kernels exclude each other");
  const std::filesystem::path folder = directory_ / "mine", file = folder / "notes.txt";
  std::filesystem::create_directory(folder);
  write_file_atomically(file, std::string_view("mine"));
  expect_error(run_cavity(directory_.path(), {"--kernels", folder.string()}), 6,
               "mine: --kernels takes an empty directory, a new one, or one that it wrote before, and does not know "
               "'notes.txt' in there; name another directory");
  EXPECT_TRUE(std::filesystem::exists(file));
  expect_error(run_cavity(directory_.path(), {"--kernels", file.string()}), 6,
               "notes.txt: cannot be made a directory for kernels: ");
}

TEST_F(BadUsage, of_dg_bench) {
  const auto bench = [&](std::vector<std::string> arguments) {
    return run_program(std::move(arguments), directory_.path(), {.program = "dg_bench"});
  };
  expect_error(bench({"--orders", "0-3"}), 2, "error: --orders 0-3: expected one order or a range like 1-8");
  expect_error(bench({"--variants", "fastest"}), 2, "error: --variants: 'fastest' is no variant; they look like ");
  for (const char* variant : {"nodes_pad1_v0_s4", "nodes_pad0_v4_s4", "tiles_e16_w0_r1", "lanes16_n0"}) {
    expect_error(bench({"--variants", variant}), 2,
                 "error: --variants: '" + std::string(variant) + "' is no variant; ");
  }
  expect_error(bench({"--tune"}), 2, "error: --tune: ");
  expect_error(bench({"--tune", "-1"}), 2, "error: --tune: ");
  expect_error(bench({"--wisdom", "folder"}), 2, "error: --wisdom is for what --tune finds");
  expect_error(bench({"--tune", "1", "--wisdom", "folder", "--variants", "lanes8_n2"}), 2,
               "error: --wisdom keeps the fastest of all variants; leave out --variants");
  expect_error(bench({"--slicing", "lanes"}), 2, "error: --slicing is for --tune, in place of --variants");
  expect_error(bench({"--tune", "1", "--slicing", "lanes", "--wisdom", "folder"}), 2,
               "error: --wisdom keeps the fastest of all variants; leave out --slicing");
  expect_error(bench({"--device", "cpu", "--orders", "1", "--elements", "6", "--tune", "1", "--slicing", "nodes"}), 2,
               "error: --slicing: order 1: no variants of slicing 'nodes' on ");
  expect_error(bench({"--turns", "5", "--tune", "5"}), 2, "error: --turns is for stages of known variants, without ");
  expect_error(bench({"--sustained", "5", "--turns", "5"}), 2,
               "error: --sustained is for stages of known variants, without ");
  expect_error(bench({"--fourier", "0"}), 2, "error: --fourier: ");
  expect_error(bench({"--fourier", "10", "--json", "a.json"}), 2, "error: --fourier prints a table alone; --tune, ");
  expect_error(bench({"--kernels", "folder", "--json", "a.json"}), 2, "error: --kernels measures nothing; leave out ");
  expect_error(bench({"--device", "opencl:99"}), 4, "error: device 'opencl:99' is not there: ");
  expect_error(bench({"--device", "cpu", "--json", "no/such/folder.json"}), 6, "error: no/such/folder.json: ");
  expect_error(bench({"--device", "cpu", "--tune", "1", "--wisdom", "/dev/null/folder"}), 6,
               "error: /dev/null/folder/probe: ");
}

TEST_F(BadUsage, of_dg_bench_by_a_variant_that_is_none_for_the_question) {
  const auto bench = [&](const std::string& variant) {
    return run_program(
        {"--device", "cpu", "--orders", "2", "--elements", "48", "--precision", "single", "--variants", variant},
        directory_.path(), {.program = "dg_bench"});
  };
  expect_error(bench("lanes3_n4"), 2, "error: --variants: order 2: schedule lanes3_n4: lanes have 2 ");
  expect_error(bench("elements_e33_r4"), 2,
               "error: --variants: order 2: schedule elements_e33_r4: elements need a multiple of 32 of them a group");
  expect_error(bench("tensor_e16_w4_r3"), 2,
               "error: --variants: order 2: schedule tensor_e16_w4_r3: tensor cores need CUDA");
}

TEST_F(BadUsage, of_dg_bench_by_a_variant_that_is_none_beside_curved_elements) {
  expect_error(run_program({"--device", "cpu", "--orders", "2", "--elements", "48", "--precision", "single", "--curved",
                            "50", "--variants", "nodes_pad1_v3_s2"},
                           directory_.path(), {.program = "dg_bench"}),
               2, "error: --variants: nodes_pad1_v3_s2 is none for --curved: a stage must be one kernel");
}

TEST_F(BadUsage, an_action_without_a_config_takes_none) {
  expect_error(run({"--devices", "a.yaml"}), 2, "error: --devices takes no CONFIG");
}

TEST_F(BadUsage, convert_needs_two_files_the_second_of_them_hdf5) {
  expect_error(run({"--convert", "a.msh"}), 2, "error: --convert: ");
  expect_error(run({"--convert", "a.msh", "a.vtk"}), 2, "error: --convert: a.vtk: the new mesh must be a .h5 file");
}

TEST_F(BadUsage, convert_takes_keys_of_the_mesh_that_fit_the_file) {
  expect_error(run({"--convert", "a.msh", "a.h5", "--set", "mesh.order=3"}), 2,
               "error: --set: mesh.order: is for files that the program meshes");
  expect_error(run({"--convert", "a.step", "a.h5", "--set", "mesh.order=10"}), 2,
               "error: --set: mesh.order: found '10'");
  expect_error(run({"--convert", "a.step", "a.h5", "--set", "solver.order=3"}), 2,
               "error: --set: solver: unknown key; allowed: mesh");
  expect_error(run({"--convert", "a.step", "a.h5"}), 3, "a.step: no such mesh file");
}

TEST_F(BadUsage, cache_knows_only_clear) {
  expect_error(run({"--cache", "burn"}), 2, "error: --cache: burn");
}

TEST_F(BadUsage, an_absent_device_is_not_replaced_by_another) {
  expect_error(run_cavity(directory_.path(), {"--device", "opencl:99"}), 4, "error: device 'opencl:99' is not there: ");
  expect_error(run_cavity(directory_.path(), {}, {.environment = {{"MAXWELL_DG_DEVICE", "cuda:99"}}}), 4,
               "error: device 'cuda:99' is not there: ");
}

TEST_F(BadUsage, a_device_that_makes_no_sense_is_a_usage_error) {
  expect_error(run_cavity(directory_.path(), {"--device", "tpu"}), 2, "error: device 'tpu' is not understood");
}

}  // namespace
}  // namespace maxwell_dg::testing
