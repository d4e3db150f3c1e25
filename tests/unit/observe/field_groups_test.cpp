#include "dg/observe/files/field_groups.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace maxwell_dg::dg {
namespace {

using Names = std::vector<std::string>;
const Names maxwell{"Ex", "Ey", "Ez", "Hx", "Hy", "Hz"};

TEST(field_groups, components_of_a_vector_are_one_group) {
  const std::vector<FieldGroup> groups = field_groups(maxwell);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].name, "E");
  EXPECT_EQ(groups[1].name, "H");
  EXPECT_EQ(groups[1].fields, (std::vector<int>{3, 4, 5}));
}

TEST(field_groups, a_scalar_stands_alone_even_when_it_ends_in_x) {
  const std::vector<FieldGroup> groups = field_groups(Names{"p", "vx", "vy", "vz", "flux", "x"});
  ASSERT_EQ(groups.size(), 4u);
  EXPECT_EQ(groups[0].name, "p");
  EXPECT_EQ(groups[1].name, "v");
  EXPECT_EQ(groups[2].name, "flux");
  EXPECT_EQ(groups[3].name, "x");
}

TEST(field_groups, selection_keeps_the_order_asked_for) {
  const std::vector<FieldGroup> groups = select_field_groups(maxwell, Names{"H", "E"});
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].name, "H");
}

TEST(field_groups, an_unknown_quantity_names_the_known_ones) {
  try {
    (void)select_field_groups(maxwell, Names{"D"});
    FAIL() << "no error";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "'D' is not a field of this system; its fields are E, H");
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
