#include "dg/lowering/contraction.hpp"

#include <algorithm>
#include <cstddef>

#include <gtest/gtest.h>

#include "dg/acoustics/acoustics.hpp"
#include "dg/maxwell/maxwell.hpp"

namespace maxwell_dg::dg {
namespace {

struct Terms {
  std::size_t all = 0;
  std::ptrdiff_t negative = 0;
};

Terms terms_of(const System& system) {
  Terms terms;
  for (const Contraction& c : contract(lower(system)).contractions) {
    terms.all += c.terms.size();
    terms.negative += std::ranges::count(c.terms, true, &Contraction::Term::negative);
  }
  return terms;
}

TEST(Contraction, two_curls_take_twelve_products_of_which_two_are_subtracted) {
  const Terms terms = terms_of(maxwell::system());
  EXPECT_EQ(terms.all, 12U);
  EXPECT_EQ(terms.negative, 2);
}

TEST(Contraction, a_divergence_and_a_gradient_take_six_products) {
  const Terms terms = terms_of(acoustics::system());
  EXPECT_EQ(terms.all, 6U);
  EXPECT_EQ(terms.negative, 0);
}

TEST(Contraction, parts_are_equations_that_share_no_product) {
  const ContractedSystem system = contract(lower(maxwell::system()));
  ASSERT_EQ(system.parts.size(), 2U);
  EXPECT_EQ(system.parts[0], (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(system.parts[1], (std::vector<int>{3, 4, 5}));
}

}  // namespace
}  // namespace maxwell_dg::dg
