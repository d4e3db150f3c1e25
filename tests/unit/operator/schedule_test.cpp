#include "dg/schedule/schedule.hpp"

#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "dg/schedule/choice.hpp"
#include "dg/schedule/configuration.hpp"
#include "dg/variants/variants.hpp"
#include "rtcg/tune/wisdom.hpp"

namespace maxwell_dg::dg {
namespace {

/// As wisdom files, checkpoints and summaries have them: their spelling must not change.
const std::map<std::string, Schedule> known_names{
    {"nodes_pad1_v4_s4", {Schedule::Nodes{.volume = {4}, .surface = {4}}}},
    {"nodes_pad4_b16_v4x2x4_s2_u1_Dshared_LIFTregs_nodemap_together",
     {Schedule::Nodes{.node_padding = 4,
                      .block_elements = 16,
                      .volume = {.parallel = 4, .inlined = 2, .sequence = 4, .operators = Schedule::Operators::shared},
                      .surface = {.parallel = 2, .operators = Schedule::Operators::registers},
                      .updated_at_once = 1,
                      .connectivity = Schedule::Connectivity::by_node,
                      .fields = Schedule::Nodes::Fields::together}}},
    {"nodes_pad1_v1x1x4_s2x4x1_Dconst_LIFTconst",
     {Schedule::Nodes{.volume = {.sequence = 4, .operators = Schedule::Operators::constant},
                      .surface = {.parallel = 2, .inlined = 4, .operators = Schedule::Operators::constant}}}},
    {"tiles_e32_w4_r1_apart_group_faces_twos",
     {Schedule::Tiles{.elements = 32,
                      .warps = 4,
                      .parts = Schedule::Parts::apart,
                      .operands = Schedule::Tiles::Operands::shared_memory,
                      .fluxes = Schedule::Tiles::Fluxes::by_face,
                      .matrices = Schedule::Tiles::Matrices::by_twos}}},
    {"tensor_e8_w6_r4_mirrorfirst_shared_nodemap_tight_basis",
     {Schedule::Tiles{.products = Schedule::Tiles::Products::tensor_cores,
                      .elements = 8,
                      .warps = 6,
                      .resident_groups = 4,
                      .operands = Schedule::Tiles::Operands::mirrored_first,
                      .operators = Schedule::Operators::shared,
                      .connectivity = Schedule::Connectivity::by_node,
                      .rows = Schedule::Tiles::Rows::tight,
                      .basis = Schedule::Basis::element}}},
    {"tensor_e16_w3_r12_mirror_constant_blocked",
     {Schedule::Tiles{.products = Schedule::Tiles::Products::tensor_cores,
                      .warps = 3,
                      .resident_groups = 12,
                      .operands = Schedule::Tiles::Operands::mirrored,
                      .operators = Schedule::Operators::constant,
                      .rows = Schedule::Tiles::Rows::blocked}}},
    {"tiles_e16_w1_r1_liftahead", {Schedule::Tiles{.matrices = Schedule::Tiles::Matrices::lift_ahead}}},
    {"tiles_e16_w1_r1_ahead", {Schedule::Tiles{.matrices = Schedule::Tiles::Matrices::ahead}}},
    {"elements_e64_r6_apart_interleaved",
     {Schedule::Elements{.elements = 64,
                         .resident_groups = 6,
                         .parts = Schedule::Parts::apart,
                         .basis = Schedule::Basis::element_interleaved}}},
    {"lanes16_n3_apart", {Schedule::Lanes{.lanes = 16, .nodes_at_once = 3, .parts = Schedule::Parts::apart}}}};

TEST(ScheduleNames, keep_their_spelling) {
  for (const auto& [name, schedule] : known_names) {
    EXPECT_EQ(schedule.name(), name);
    EXPECT_EQ(Schedule::named(name), schedule) << name;
    EXPECT_EQ(schedule_of(configuration_of(schedule)), schedule) << name;
  }
}

TEST(ScheduleNames, may_say_what_is_usual) {
  EXPECT_EQ(Schedule::named("nodes_pad1_b1_v4x1x1_s4_u4"), Schedule::named("nodes_pad1_v4_s4"));
}

TEST(ScheduleNames, of_all_that_ships_are_read_back) {
  std::set<std::string> names;
  for (const rtcg::WisdomEntry& entry : rtcg::parse_wisdom(shipped_wisdom())) {
    const Schedule schedule = schedule_of(entry.configuration);
    EXPECT_EQ(configuration_of(schedule), entry.configuration) << rtcg::written(entry.configuration);
    EXPECT_EQ(Schedule::named(schedule.name()), schedule) << schedule.name();
    names.insert(schedule.name());
  }
  EXPECT_GT(names.size(), 20U);
}

TEST(Choices, of_every_slicing_are_named_told_apart_and_explained) {
  for (const Schedule& usual : every_slicing()) {
    const std::span<const Choice> choices = choices_of(usual);
    EXPECT_EQ(choices.front().key, "slicing");
    std::set<std::string_view> keys;
    for (const Choice& choice : choices) {
      EXPECT_TRUE(keys.insert(choice.key).second) << choice.key << " stands for two";
      const int ways = choice.is_number() ? 8 : static_cast<int>(choice.ways.size());
      std::set<std::string> names;
      for (int way = choice.is_number() ? 1 : 0; way < ways; ++way) {
        Schedule schedule = usual;
        choice.choose(schedule, way);
        EXPECT_EQ(choice.value(schedule), way) << choice.key;
        EXPECT_TRUE(names.insert(schedule.name()).second) << schedule.name() << " stands for two";
        EXPECT_EQ(Schedule::named(schedule.name()), schedule) << schedule.name();
        EXPECT_EQ(schedule_of(configuration_of(schedule)), schedule) << schedule.name();
      }
    }
    EXPECT_GE(in_words(usual).size(), 3U) << usual.name();
  }
}

TEST(Schedule, of_another_slicing_has_not_its_choices) {
  try {
    (void)Schedule::named("tiles_e16_w2_r1").as<Schedule::Lanes>();
    FAIL() << "no error";
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "schedule tiles_e16_w2_r1: one of slicing 'lanes' is needed");
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
