#include "rtcg/source/syntax.hpp"

#include <gtest/gtest.h>

namespace maxwell_dg::rtcg::syntax {
namespace {

TEST(Syntax, a_kernel_prints_as_a_person_would_write_it) {
  Block body;
  body += Comment("two lines\nof comment");
  body += Declare("real", "sum", "0");
  body += Declare("real", "b");
  body += Line();
  body += For("i", "0", "Np", {Assign("sum", "a[i]", "+="), If("sum > 3", {Line("break;")}, {Assign("b", "sum")})},
              For::Unrolling::full);
  body += For("i", "LOCAL_ID(0)", "n", {Scope({Assign("a[i]", "b")})}, For::Unrolling::as_compiled, "8");
  EXPECT_EQ(print(Function("KERNEL void f(GLOBAL real* a)", body)),
            R"(KERNEL void f(GLOBAL real* a) {
  // two lines
  // of comment
  real sum = 0;
  real b;

  UNROLL
  for (int32 i = 0; i < Np; ++i) {
    sum += a[i];
    if (sum > 3) {
      break;
    } else {
      b = sum;
    }
  }
  for (int32 i = LOCAL_ID(0); i < n; i += 8) {
    {
      a[i] = b;
    }
  }
}
)");
}

TEST(Syntax, blocks_append_to_blocks_and_to_themselves) {
  Block block{Line("a;")};
  block += block;
  block += Block{Line("b;")};
  EXPECT_EQ(print(block), "a;\na;\nb;\n");
}

}  // namespace
}  // namespace maxwell_dg::rtcg::syntax
