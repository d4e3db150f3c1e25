#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "dg/acoustics/acoustics.hpp"
#include "dg/codegen/nodes/node_sizes.hpp"
#include "dg/codegen/nodes/split_generator.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/schedule/choice.hpp"
#include "dg/schedule/configuration.hpp"
#include "dg/variants/slicings.hpp"
#include "dg/variants/stage_generator.hpp"
#include "dg/variants/variants.hpp"

namespace maxwell_dg::dg {
namespace {

const core::DeviceInfo some_gpu{.backend = core::Backend::cuda,
                                .name = "some GPU",
                                .architecture = "sm_80",
                                .shared_memory_bytes = 166912,
                                .has_float64 = true};
const core::DeviceInfo some_cpu{.backend = core::Backend::opencl,
                                .name = "some CPU",
                                .vector_bytes = 32,
                                .shared_memory_bytes = 65536,
                                .is_cpu = true};

struct Refused {
  const char* schedule;
  int N;
  const char* why_not;
  Dtype precision = Dtype::float32;
};

std::string why_not(const LoweredSystem& lowered, const Refused& r, const core::DeviceInfo* device) {
  return fits(Schedule::named(r.schedule), {lowered, r.N, r.precision}, device).why_not;
}

/// What the generator's constructor says, less the schedule's name.
std::string objection_of_generator(const LoweredSystem& lowered, const Schedule& schedule, int N, Dtype precision) {
  const KernelGenerator::Options options{"some", N, precision, schedule};
  try {
    if (schedule.is_fused()) {
      (void)make_stage_generator(lowered, options);
    } else {
      (void)SplitGenerator(lowered, options);
    }
    return "";
  } catch (const std::invalid_argument& e) {
    const std::string text = e.what(), begin = "schedule " + schedule.name() + ": ";
    return text.starts_with(begin) ? text.substr(begin.size()) : "another message: " + text;
  }
}

TEST(Fit, is_refused_where_a_problem_does_not_allow_it_whatever_the_device) {
  const LoweredSystem lowered = lower(maxwell::system());
  const std::string tiles =
      "tiles need 8 or a multiple of 16 elements a group, and warps a multiple of elements / 16 x parts computed apart";
  const std::string two = "interleaved are vectors of which there are two of a kind, with a work-item an element",
                    mirror = "with mirror sums matrices are fetched in turn and fluxes computed by node",
                    lanes = "lanes have 2 (in double precision), 4, 8 or 16 elements, and nodes",
                    many = "groups of more than 1024 items; take fewer elements";
  const Refused all[] = {
      {"tiles_e24_w2_r1", 3, tiles.c_str()},
      {"tiles_e4_w2_r1", 3, tiles.c_str()},
      {"tiles_e32_w3_r1", 3, tiles.c_str()},
      {"tiles_e16_w3_r1_apart", 3, tiles.c_str()},
      {"tiles_e16_w40_r1", 3, many.c_str()},
      {"tiles_e16_w2_r1_interleaved", 3, two.c_str()},
      {"tiles_e16_w6_r1_mirror_blocked", 3,
       "only the elements of a group are stored as a block, and not for mirror sums"},
      {"tiles_e16_w6_r1_mirror_ahead", 3, mirror.c_str()},
      {"tiles_e16_w6_r1_mirrorfirst_faces", 3, mirror.c_str()},
      {"tensor_e8_w5_r1_constant", 4, "matrices of 121856 bytes do not fit in constant memory, 63488 bytes"},
      {"elements_e33_r1", 2, "elements need a multiple of 32 of them a group"},
      {"elements_e16_r1", 2, "elements need a multiple of 32 of them a group"},
      {"elements_e32_r1", 3, "elements need a work-item for each node of four faces, at least"},
      {"elements_e64_r1_interleaved", 4, "rows of interleaved fields need an even number of nodes"},
      {"elements_e768_r1_apart", 1, many.c_str()},
      {"nodes_pad1_v32_s1", 4, many.c_str()},
      {"nodes_pad1_v1_s32", 4, many.c_str()},
      {"nodes_pad1_v1_s1_Dconst", 8, "matrices of 326700 bytes do not fit in constant memory, 63488 bytes"},
      {"lanes1_n1", 1, lanes.c_str()},
      {"lanes3_n1", 1, lanes.c_str()},
      {"lanes2_n1", 1, lanes.c_str()},
      {"lanes32_n1", 1, lanes.c_str()}};
  for (const Refused& r : all) {
    EXPECT_EQ(why_not(lowered, r, nullptr), r.why_not) << r.schedule;
    EXPECT_EQ(objection_of_generator(lowered, Schedule::named(r.schedule), r.N, r.precision), r.why_not) << r.schedule;
  }
  EXPECT_EQ(why_not(lowered, {"lanes2_n1", 1, "", Dtype::float64}, nullptr), "");
  EXPECT_EQ(why_not(lower(maxwell::system({.anisotropic = true})), {"elements_e32_r1_basis", 1, ""}, nullptr),
            "this system's state cannot be kept in the basis of the element");
}

TEST(Fit, is_refused_where_a_device_has_no_room_or_no_such_units) {
  const LoweredSystem lowered = lower(maxwell::system());
  const Refused on_gpu[] = {
      {"lanes8_n4", 2, "lanes are of OpenCL's vectors"},
      {"tensor_e16_w4_r1", 3, "tensor cores multiply in float64 from sm_90 on, and some GPU is sm_80", Dtype::float64},
      {"tiles_e16_w16_r5", 3, "5 groups of 512 items are more than a multiprocessor holds, 2048 items"}};
  for (const Refused& r : on_gpu) EXPECT_EQ(why_not(lowered, r, &some_gpu), r.why_not) << r.schedule;
  EXPECT_EQ(why_not(lowered, {"tensor_e16_w4_r1", 3, ""}, &some_gpu), "");
  EXPECT_EQ(why_not(lowered, {"tensor_e16_w4_r1", 3, ""}, &some_cpu), "tensor cores need CUDA");
  for (const char* name : {"tiles_e64_w4_r1", "nodes_pad1_v8x4x1_s8x4x1", "elements_e256_r1"}) {
    const int N = std::string(name).starts_with("elements") ? 2 : 6;
    const std::string text = why_not(lowered, {name, N, "", Dtype::float64}, &some_gpu);
    EXPECT_TRUE(text.starts_with("a group needs ")) << name << ": " << text;
    EXPECT_TRUE(text.ends_with(" bytes of shared memory, some GPU has 166912")) << name << ": " << text;
  }
  const std::string text = why_not(lowered, {"tiles_e16_w5_r9", 4, ""}, &some_gpu);
  EXPECT_TRUE(text.starts_with("9 groups of 160 items need ")) << text;
  EXPECT_TRUE(text.ends_with(" bytes of shared memory each, a multiprocessor of some GPU has 166912")) << text;
  EXPECT_TRUE(why_not(lowered, {"lanes16_n4", 9, ""}, &some_cpu).starts_with("a group needs "));
  EXPECT_EQ(why_not(lowered, {"lanes8_n4", 1, ""}, &some_cpu), "");
}

/// Schedules far and wide, most of which fit nowhere.
std::vector<Schedule> many_schedules() {
  std::vector<Schedule> all;
  for (const char* size : {"e8_w3", "e8_w8", "e16_w1", "e16_w6", "e20_w2", "e32_w5", "e48_w6", "e64_w24", "e64_w40"}) {
    for (const char* by : {"tiles", "tensor"}) {
      for (const char* end : {"", "_apart", "_group", "_group_faces_tight", "_mirror", "_mirrorfirst_basis",
                              "_apart_mirror_twos", "_mirror_ahead", "_faces_basis", "_ahead_blocked", "_shared",
                              "_constant", "_nodemap_tight_basis", "_mirrorfirst_blocked", "_interleaved"}) {
        all.push_back(Schedule::named(std::string(by) + "_" + size + "_r" + (end[0] == 0 ? "4" : "1") + end));
      }
    }
  }
  for (const char* end : {"", "_apart", "_basis", "_apart_interleaved"}) {
    for (const char* size : {"e16_r1", "e32_r1", "e32_r8", "e64_r4", "e100_r1", "e256_r2", "e1024_r1"}) {
      all.push_back(Schedule::named(std::string("elements_") + size + end));
    }
  }
  for (const char* end : {"", "_Dshared", "_LIFTshared", "_Dconst_LIFTconst", "_Dregs_LIFTconst_nodemap"}) {
    for (const char* size : {"v1_s1", "v4_s4", "v8x4x4_s2", "v64_s2x4x1", "v2_s64"}) {
      all.push_back(Schedule::named(std::string("nodes_pad4_") + size + end));
    }
  }
  for (const char* name : {"lanes2_n1", "lanes4_n3", "lanes5_n1", "lanes8_n4_apart", "lanes16_n8", "lanes32_n2"}) {
    all.push_back(Schedule::named(name));
  }
  return all;
}

TEST(Fit, of_every_slicing_is_what_its_generator_says) {
  int refused = 0, accepted = 0;
  for (const auto& [system, N, precision] : {std::tuple{maxwell::system(), 1, Dtype::float64},
                                             {maxwell::system(), 4, Dtype::float32},
                                             {acoustics::system(), 5, Dtype::float64}}) {
    const LoweredSystem lowered = lower(system);
    std::vector<FitRules> rules;
    for (const Slicing& slicing : all_slicings()) rules.push_back(slicing.rules({lowered, N, precision}));
    for (const Schedule& schedule : many_schedules()) {
      const std::string why_not = rules[schedule.slicing.index()](schedule, nullptr).why_not;
      EXPECT_EQ(why_not, objection_of_generator(lowered, schedule, N, precision)) << schedule.name() << " N" << N;
      ++(why_not.empty() ? accepted : refused);
    }
  }
  EXPECT_GT(refused, 300);
  EXPECT_GT(accepted, 300);
}

TEST(Fit, is_asked_by_every_space_of_candidates) {
  const LoweredSystem lowered = lower(maxwell::system());
  for (const core::DeviceInfo& device : {some_gpu, some_cpu}) {
    for (const auto& [N, precision] : {std::pair{2, Dtype::float32}, {5, Dtype::float64}}) {
      const StageProblem problem{lowered, N, precision};
      const std::vector<rtcg::SearchSpace> spaces = variant_spaces(device, {lowered, "maxwell", N, precision});
      std::vector<FitRules> rules;
      for (const Slicing& slicing : all_slicings()) rules.push_back(slicing.rules(problem));
      for (const Schedule& schedule : many_schedules()) {
        if (rules[schedule.slicing.index()](schedule, &device)) continue;
        EXPECT_TRUE(std::ranges::none_of(spaces, [&](const rtcg::SearchSpace& space) {
          return space.contains(configuration_of(schedule));
        })) << schedule.name();
      }
      for (const rtcg::SearchSpace& space : spaces) {
        const rtcg::SearchPoints points = space.points();
        for (std::size_t i = 0; i < points.size(); ++i) {
          const Schedule schedule = schedule_of(points[i]);
          EXPECT_EQ(rules[schedule.slicing.index()](schedule, &device).why_not, "") << schedule.name();
        }
      }
    }
  }
}

TEST(Slicings, are_registered_in_the_order_of_the_alternatives) {
  const LoweredSystem lowered = lower(maxwell::system());
  const StageProblem problem{lowered, 2, Dtype::float32};
  for (const Schedule& schedule : every_slicing()) {
    EXPECT_NO_THROW((void)slicing_of(schedule).rules(problem)(schedule, nullptr)) << schedule.name();
    std::size_t spaces = 0;
    for (const core::DeviceInfo* device : {&some_gpu, &some_cpu}) {
      for (const auto& candidate :
           slicing_of(schedule).candidates(problem, *device, std::array{Schedule::Basis::cartesian})) {
        EXPECT_EQ(schedule_of(candidate.space.points()[0]).slicing.index(), schedule.slicing.index());
        ++spaces;
      }
    }
    EXPECT_GT(spaces, 0U) << schedule.name();
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
