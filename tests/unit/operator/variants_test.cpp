#include "dg/variants/variants.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include <gtest/gtest.h>

#include "dg/acoustics/acoustics.hpp"
#include "dg/codegen/nodes/split_generator.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/variants/stage_generator.hpp"
#include "rtcg/tune/wisdom.hpp"

namespace maxwell_dg::dg {
namespace {

const core::DeviceInfo h200{.backend = core::Backend::cuda,
                            .name = "NVIDIA H200",
                            .architecture = "sm_90",
                            .shared_memory_bytes = 232448,
                            .has_float64 = true};
const core::DeviceInfo cpu{.backend = core::Backend::opencl,
                           .name = "Intel(R) CPU",
                           .vector_bytes = 64,
                           .shared_memory_bytes = 1 << 20,
                           .is_cpu = true};

/// Calls `each` with every question: system, order, precision.
template <class Each>
void for_every_question(const Each& each) {
  for (const System& system : {maxwell::system(), acoustics::system()}) {
    const LoweredSystem lowered = lower(system);
    for (int N = 1; N <= 9; ++N) {
      for (const Dtype precision : {Dtype::float32, Dtype::float64}) {
        each(VariantQuestion{lowered, system.name, N, precision});
      }
    }
  }
}

bool contains(const std::vector<rtcg::SearchSpace>& spaces, const rtcg::Configuration& configuration) {
  return std::ranges::any_of(spaces, [&](const rtcg::SearchSpace& space) { return space.contains(configuration); });
}

TEST(Variants, configurations_schedules_and_names_say_the_same) {
  const LoweredSystem lowered = lower(maxwell::system());
  const VariantQuestion q{lowered, "maxwell", 3, Dtype::float64};
  for (const core::DeviceInfo& device : {h200, cpu}) {
    std::set<std::string> names;
    for (const rtcg::SearchSpace& space : variant_spaces(device, q)) {
      const rtcg::SearchPoints points = space.points();
      for (std::size_t i = 0; i < points.size(); ++i) {
        const Schedule schedule = schedule_of(points[i]);
        EXPECT_EQ(configuration_of(schedule), points[i]);
        EXPECT_EQ(Schedule::named(schedule.name()), schedule) << schedule.name();
        EXPECT_TRUE(names.insert(schedule.name()).second) << schedule.name() << " stands for two";
      }
    }
  }
}

TEST(Variants, in_the_basis_of_the_element_are_told_from_others) {
  for (const std::string name :
       {"tensor_e16_w2_r5_apart_faces", "tensor_e8_w6_r4_group_liftahead_tight", "tensor_e8_w8_r2_ahead",
        "tiles_e16_w4_r1", "tensor_e16_w3_r4_faces_blocked", "elements_e32_r4_apart", "elements_e64_r2"}) {
    const Schedule cartesian = Schedule::named(name), schedule = Schedule::named(name + "_basis");
    EXPECT_EQ(cartesian.basis(), Schedule::Basis::cartesian);
    EXPECT_EQ(schedule.basis(), Schedule::Basis::element);
    EXPECT_EQ(schedule.name(), name + "_basis");
    EXPECT_NE(configuration_of(schedule), configuration_of(cartesian));
    EXPECT_EQ(schedule_of(configuration_of(schedule)), schedule);
    EXPECT_EQ(schedule_of(configuration_of(cartesian)), cartesian);
    const Schedule interleaved = Schedule::named(name + "_interleaved");
    EXPECT_EQ(interleaved.basis(), Schedule::Basis::element_interleaved);
    EXPECT_EQ(interleaved.name(), name + "_interleaved");
    EXPECT_NE(configuration_of(interleaved), configuration_of(schedule));
    EXPECT_EQ(schedule_of(configuration_of(interleaved)), interleaved);
  }
}

TEST(Variants, of_another_form_are_no_names) {
  for (const char* name : {"",
                           "fast",
                           "tensor_e16_w3",
                           "tensor_e16_w3_r4_",
                           "lanes16",
                           "lanes999_n2",
                           "nodes_pad3",
                           "nodes_pad1_v4x2_s4",
                           "nodes_pad1_v4_s4_shared",
                           "lanes16_n2_basis",
                           "nodes_pad1_v4_s4_basis",
                           "tiles_e16_w4_r1_basis_tight",
                           "tiles_e16_w4_r1_basis_blocked",
                           "tiles_e16_w4_r1_tight_blocked",
                           "elements_e32_r1_blocked",
                           "elements_e32_r1_basis_apart",
                           "elements_e32_r1_basis_basis",
                           "elements_e32_r1_group",
                           "tensor_e16_w3_r4_tight_ahead",
                           "tensor_e16_w3_r4_liftahead_ahead",
                           "tensor_e16_w3_r4_twos_liftahead",
                           "tensor_e16_w3_r4_liftahead_twos",
                           "tiles_e8_w8_r1_ahead_twos"}) {
    EXPECT_THROW((void)Schedule::named(name), std::invalid_argument) << name;
  }
}

TEST(Variants, of_a_configuration_with_a_word_that_means_nothing_are_refused) {
  rtcg::Configuration c = configuration_of(Schedule::named("tensor_e8_w8_r2_ahead_basis"));
  EXPECT_EQ(c.at("matrices"), rtcg::Value("ahead"));
  c.at("matrices") = "behind";
  try {
    (void)schedule_of(c);
    FAIL() << "no error";
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "'behind' is no way to choose matrices");
  }
  for (const auto& [key, value] : rtcg::Configuration{{"slicing", "rows"}, {"warps", 0}, {"elements", "8"}}) {
    rtcg::Configuration wrong = configuration_of(Schedule::named("tensor_e8_w8_r2"));
    wrong.at(key) = value;
    EXPECT_THROW((void)schedule_of(wrong), std::invalid_argument) << key;
  }
  c.erase("matrices");
  EXPECT_THROW((void)schedule_of(c), std::out_of_range);
}

TEST(Variants, there_are_some_of_each_kind_and_all_can_be_made) {
  for_every_question([](const VariantQuestion& q) {
    const std::vector<rtcg::SearchSpace> on_gpu = variant_spaces(h200, q);
    // Tensor cores in three layouts, plain arithmetic and, at low orders, elements, all in two bases; three kernels in
    // five layouts.
    ASSERT_EQ(on_gpu.size(), q.N <= 2 ? 15U : 13U);
    const std::size_t count = on_gpu[0].points().size();
    EXPECT_GT(count, 10U) << q.text();
    EXPECT_LT(count, 2000U) << q.text();  // up to a third with other operators, or by nodes
    // To make each of them takes long; some far apart.
    for (const rtcg::SearchSpace& space : on_gpu) {
      const rtcg::SearchPoints points = space.points();
      EXPECT_GT(points.size(), 0U) << q.text();
      for (const std::size_t i : {std::size_t{0}, points.size() / 2, points.size() - 1}) {
        const Schedule schedule = schedule_of(points[i]);
        const KernelGenerator::Options options{q.system, q.N, q.precision, schedule};
        if (schedule.is_fused()) {
          const auto generator = make_stage_generator(q.lowered, options);
          const auto groups = static_cast<std::size_t>(schedule.resident_groups());
          EXPECT_LE(groups * (generator->shared_bytes() + 1024), h200.shared_memory_bytes + 1024) << schedule.name();
          EXPECT_LE(generator->group_items(), 1024) << schedule.name();
        } else {
          EXPECT_FALSE(SplitGenerator(q.lowered, options).stage().text.empty());
        }
      }
    }
  });
}

std::ptrdiff_t count_in_basis(const std::vector<rtcg::SearchSpace>& spaces) {
  return std::ranges::count_if(spaces, [](const rtcg::SearchSpace& space) {
    const rtcg::Configuration first = space.points()[0];
    return first.contains("basis") && first.at("basis") != rtcg::Value("cartesian");
  });
}

TEST(Variants, with_additions_keep_components_along_x_y_and_z) {
  const LoweredSystem lowered = lower(maxwell::system());
  for (const int N : {2, 3}) {
    VariantQuestion q{lowered, "maxwell", N, Dtype::float32};
    const std::vector<rtcg::SearchSpace> all = variant_spaces(h200, q);
    const rtcg::Configuration in_basis = configuration_of(Schedule::named("tensor_e16_w2_r5_apart_faces_basis"));
    const rtcg::Configuration cartesian = configuration_of(Schedule::named("tensor_e16_w2_r5_apart_faces"));
    EXPECT_EQ(count_in_basis(all), N == 2 ? 5 : 4);
    EXPECT_EQ(all[0].points()[0].at("basis"), rtcg::Value(N == 2 ? "interleaved" : "element"))
        << "the most promising are not the first";
    EXPECT_TRUE(contains(all, in_basis));
    EXPECT_TRUE(contains(all, cartesian));
    const std::string without = q.text();
    EXPECT_FALSE(without.ends_with(" with additions"));
    q.has_additions = true;
    EXPECT_EQ(q.text(), without + " with additions");
    const std::vector<rtcg::SearchSpace> some = variant_spaces(h200, q);
    EXPECT_EQ(some.size(), N == 2 ? 10U : 9U);
    EXPECT_EQ(count_in_basis(some), 0);
    EXPECT_FALSE(contains(some, in_basis));
    EXPECT_TRUE(contains(some, cartesian));
    EXPECT_EQ(default_schedule(h200, q).basis(), Schedule::Basis::cartesian);
  }
}

TEST(Variants, of_systems_that_have_no_basis_keep_components_along_x_y_and_z) {
  const System system = maxwell::system({.anisotropic = true});
  const LoweredSystem lowered = lower(system);
  const VariantQuestion q{lowered, system.name, 3, Dtype::float32};
  const std::vector<rtcg::SearchSpace> spaces = variant_spaces(h200, q);
  EXPECT_EQ(spaces.size(), 9U);
  EXPECT_EQ(count_in_basis(spaces), 0);
  EXPECT_EQ(default_schedule(h200, q).basis(), Schedule::Basis::cartesian);
}

TEST(Variants, of_systems_without_two_vectors_of_a_kind_are_not_interleaved) {
  const System system = acoustics::system();
  const LoweredSystem lowered = lower(system);
  for (const rtcg::SearchSpace& space : variant_spaces(h200, {lowered, system.name, 2, Dtype::float32})) {
    const rtcg::Configuration first = space.points()[0];
    EXPECT_TRUE(!first.contains("basis") || first.at("basis") != rtcg::Value("interleaved"));
  }
  const auto expect_refused = [](const LoweredSystem& of, int N, const std::string& name, const std::string& why) {
    try {
      (void)make_stage_generator(of, {"some", N, Dtype::float32, Schedule::named(name)});
      ADD_FAILURE() << name << ": no error";
    } catch (const std::invalid_argument& e) {
      EXPECT_EQ(e.what(), "schedule " + name + ": " + why);
    }
  };
  const std::string two = "interleaved are vectors of which there are two of a kind, with a work-item an element";
  expect_refused(lowered, 2, "elements_e32_r1_interleaved", two);
  const LoweredSystem maxwell = lower(maxwell::system());
  expect_refused(maxwell, 2, "tiles_e16_w2_r1_interleaved", two);
  expect_refused(maxwell, 4, "elements_e64_r1_interleaved", "rows of interleaved fields need an even number of nodes");
}

TEST(Variants, in_blocks_have_a_layout_for_each_number_of_elements) {
  const LoweredSystem lowered = lower(maxwell::system());
  const auto layout = [](const std::string& name) {
    return StateLayout(Schedule::named(name), Dtype::float32, 37, 6, 35);
  };
  const StateLayout by_sixteen = layout("tensor_e16_w5_r2_blocked");
  EXPECT_EQ(by_sixteen, layout("tiles_e16_w2_r4_group_faces_blocked"));
  EXPECT_NE(by_sixteen, layout("tensor_e8_w5_r2_blocked"));
  EXPECT_NE(by_sixteen, layout("tensor_e16_w5_r2_tight"));
  EXPECT_EQ(by_sixteen.size(), 48U * 6 * 35);
  EXPECT_EQ(by_sixteen.index(17, 2, 3), (16U * 6 + 2 * 16 + 1) * 35 + 3);
  rtcg::Configuration words = configuration_of(Schedule::named("tensor_e16_w5_r2_blocked"));
  EXPECT_EQ(std::exchange(words.at("rows"), "tight"), rtcg::Value("blocked"));
  EXPECT_EQ(schedule_of(words), Schedule::named("tensor_e16_w5_r2_tight"));
  for (const std::string name : {"tiles_e16_w6_r1_mirror_blocked", "tensor_e8_w8_r1_mirrorfirst_blocked"}) {
    try {
      (void)make_stage_generator(lowered, {"maxwell", 3, Dtype::float32, Schedule::named(name)});
      ADD_FAILURE() << name << ": no error";
    } catch (const std::invalid_argument& e) {
      EXPECT_EQ(e.what(),
                "schedule " + name + ": only the elements of a group are stored as a block, and not for mirror sums");
    }
  }
}

TEST(VariantQuestion, is_of_a_problem_with_additions_where_it_has_terms_or_powers_but_on_cpus) {
  const System system = maxwell::system();
  const LoweredSystem lowered = lower(system);
  const Problem plain{.system = system};
  Problem with_term = plain;
  with_term.element_terms.emplace_back();
  const auto has_additions = [&](const core::DeviceInfo& device, const Problem& problem, bool powers) {
    const VariantQuestion q =
        question_of(lowered, problem, {.N = 3, .precision = Dtype::float32, .powers = powers}, device);
    EXPECT_EQ(&q.lowered, &lowered);
    return q.has_additions;
  };
  EXPECT_FALSE(has_additions(h200, plain, false));
  EXPECT_TRUE(has_additions(h200, plain, true));
  EXPECT_TRUE(has_additions(h200, with_term, false));
  EXPECT_FALSE(has_additions(cpu, plain, true));
  EXPECT_FALSE(has_additions(cpu, with_term, false));
  const StagesOfProblem curved{.N = 3, .precision = Dtype::float32, .has_curved = true};
  EXPECT_TRUE(question_of(lowered, plain, curved, h200).has_curved);
  EXPECT_FALSE(question_of(lowered, plain, curved, cpu).has_curved);
}

TEST(Variants, beside_curved_elements_are_one_kernel_and_as_without_them_otherwise) {
  core::DeviceInfo older = h200;
  older.architecture = "sm_75";
  for_every_question([&](VariantQuestion q) {
    for (const bool has_additions : {false, true}) {
      if (has_additions && q.N != 4) continue;  // of an order alone: to make spaces takes long
      q.has_additions = has_additions;
      q.has_curved = true;
      EXPECT_NE(q.text().find(" with curved elements"), std::string::npos) << q.text();
      for (const core::DeviceInfo& device : {h200, older, cpu}) {
        for (const rtcg::SearchSpace& space : variant_spaces(device, q)) {
          const Schedule schedule = schedule_of(space.points()[0]);
          EXPECT_TRUE(schedule.is_fused()) << schedule.name();
          EXPECT_FALSE(schedule.in_basis_of_element() && q.has_additions) << schedule.name();
        }
        const Schedule schedule = default_schedule(device, q);
        EXPECT_TRUE(is_offered(schedule, device, q)) << schedule.name();
        EXPECT_TRUE(schedule.is_fused()) << schedule.name();
        if (device.name != h200.name || device.architecture != h200.architecture) continue;
        VariantQuestion of_straight = q;
        of_straight.has_curved = false;
        EXPECT_EQ(schedule.name(), default_schedule(device, of_straight).name()) << q.text();
      }
    }
  });
}

TEST(Variants, without_tensor_cores_use_none) {
  core::DeviceInfo older = h200;
  older.architecture = "sm_75";
  const LoweredSystem lowered = lower(maxwell::system());
  for (const rtcg::SearchSpace& space : variant_spaces(older, {lowered, "maxwell", 3, Dtype::float32})) {
    EXPECT_NE(space.points()[0].at("slicing"), rtcg::Value("tensor"));
  }
}

TEST(ShippedWisdom, is_readable_whole_and_names_what_there_is) {
  const auto lines = static_cast<std::size_t>(std::ranges::count(shipped_wisdom(), '\n'));
  const std::vector<rtcg::WisdomEntry> entries = rtcg::parse_wisdom(shipped_wisdom());
  EXPECT_GT(lines, 0U);
  EXPECT_EQ(entries.size(), lines);
  std::set<std::tuple<std::string, std::string, std::string, std::string>> questions;
  for (const rtcg::WisdomEntry& entry : entries) {
    EXPECT_TRUE(questions.emplace(entry.question, entry.device, entry.kind, entry.processor).second)
        << entry.question << ": two answers";
  }
  const auto check = [&](const VariantQuestion& q) {
    std::size_t answers = 0;
    for (const rtcg::WisdomEntry& entry : entries) {
      if (entry.question != q.text()) continue;
      ++answers;
      core::DeviceInfo device = entry.kind.starts_with("CPU") ? cpu : h200;
      for (const int bytes : {16, 32, 64}) {
        if (entry.kind.find(" " + std::to_string(bytes) + " ") != std::string::npos) device.vector_bytes = bytes;
      }
      EXPECT_EQ(entry.kind, rtcg::device_kind(device));
      EXPECT_TRUE(contains(variant_spaces(device, q), entry.configuration))
          << q.text() << ": " << rtcg::written(entry.configuration) << " is in no space of " << entry.device;
    }
    EXPECT_GT(answers, 0U) << q.text() << ": nothing ships; is it another version?";
  };
  for_every_question([&](VariantQuestion q) {
    check(q);
    q.has_additions = true;
    check(q);
  });
}

TEST(DefaultSchedule, is_what_ships_for_the_device_or_one_like_it_or_a_rule_of_thumb) {
  const LoweredSystem lowered = lower(maxwell::system());
  const VariantQuestion q{lowered, "maxwell", 4, Dtype::float32};
  const Schedule shipped = default_schedule(h200, q);
  EXPECT_EQ(shipped.slicing_name(), "tensor");
  core::DeviceInfo relative = h200;
  relative.name = "another GPU";
  EXPECT_EQ(default_schedule(relative, q), shipped);
  EXPECT_EQ(default_schedule(h200, {lowered, "own equations", 4, Dtype::float32}), shipped);
  relative.architecture = "sm_75";
  EXPECT_TRUE(default_schedule(relative, q).is<Schedule::Nodes>());
  EXPECT_EQ(default_schedule(cpu, q).lanes(), 16);
  core::DeviceInfo amd = cpu;
  amd.name = "cpu-znver4-AMD Ryzen 9 7950X 16-Core Processor";
  amd.processor = "AMD family 25";
  EXPECT_EQ(default_schedule(amd, q).lanes(), 8);
  amd.processor = "AMD family 26";
  EXPECT_EQ(default_schedule(amd, q).lanes(), 16);
  EXPECT_TRUE(std::ranges::any_of(rtcg::parse_wisdom(shipped_wisdom()), [&](const rtcg::WisdomEntry& entry) {
    return entry.question == q.text() && entry.kind == rtcg::device_kind(cpu) &&
           entry.configuration == configuration_of(default_schedule(cpu, q));
  }));
  core::DeviceInfo old_cpu = cpu;
  old_cpu.vector_bytes = 16;
  EXPECT_EQ(default_schedule(old_cpu, q).name(), "lanes4_n4_apart");
}

TEST(DefaultSchedule, has_fewer_lanes_where_the_memory_of_a_group_is_small) {
  const LoweredSystem lowered = lower(maxwell::system());
  for (const Dtype precision : {Dtype::float32, Dtype::float64}) {
    const VariantQuestion q{lowered, "maxwell", 9, precision};
    const FusedGenerator::Options usual{"maxwell", 9, precision, default_schedule(cpu, q)};
    core::DeviceInfo small = cpu;
    small.shared_memory_bytes = make_stage_generator(lowered, usual)->shared_bytes() * 2 / 3;
    const Schedule schedule = default_schedule(small, q);
    EXPECT_EQ(schedule.lanes(), (precision == Dtype::float32 ? 16 : 8) / 2);
    const auto stage = make_stage_generator(lowered, {"maxwell", 9, precision, schedule});
    EXPECT_LE(stage->shared_bytes(), small.shared_memory_bytes);
    EXPECT_TRUE(contains(variant_spaces(small, q), configuration_of(schedule)));
    EXPECT_FALSE(contains(variant_spaces(small, q), configuration_of(default_schedule(cpu, q))));
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
