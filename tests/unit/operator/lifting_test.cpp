#include "dg/lowering/lifting.hpp"

#include <cstddef>

#include <gtest/gtest.h>

#include "dg/acoustics/acoustics.hpp"
#include "dg/maxwell/maxwell.hpp"

namespace maxwell_dg::dg {
namespace {

struct LiftingCount {
  std::size_t terms = 0, values = 0;
  auto operator<=>(const LiftingCount&) const = default;
};

LiftingCount lifting_of(const System& system) {
  const LoweredSystem lowered = lower(system);
  ContractedSystem contracted = contract(lowered);
  const Lifting lifting = lift_by_components(lowered, contracted);
  LiftingCount count;
  for (const auto& sum : lifting.sums) count.terms += sum.size();
  for (const auto& values : lifting.values) count.values += values.size();
  return count;
}

TEST(Lifting, tangential_fluxes_have_eight_values_for_twelve_components) {
  EXPECT_EQ(lifting_of(maxwell::system()), (LiftingCount{.terms = 2 * (3 * 2 + 4), .values = 2 * 8}));
}

TEST(Lifting, fluxes_along_the_normal_are_one_value_a_face) {
  EXPECT_EQ(lifting_of(acoustics::system()), (LiftingCount{.terms = 6 + 4, .values = 4 + 4}));
}

TEST(Lifting, fluxes_in_other_directions_are_lifted_field_by_field) {
  EXPECT_EQ(lifting_of(maxwell::system({.anisotropic = true})), (LiftingCount{.terms = 24, .values = 24}));
}

}  // namespace
}  // namespace maxwell_dg::dg
