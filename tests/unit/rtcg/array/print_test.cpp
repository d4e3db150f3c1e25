#include "rtcg/array/print.hpp"

#include <limits>
#include <sstream>

#include "rtcg/array/operators.hpp"
#include "tests/unit/rtcg/array/array_fixture.hpp"

namespace maxwell_dg::rtcg {
namespace {

class PrintTest : public ArrayTest {
 protected:
  [[nodiscard]] DeviceArray counted(const Shape& shape) const {
    return arange(context(), {.stop = element_count(shape)}, Dtype::int32).reshape(shape);
  }
  template <class T>
  [[nodiscard]] DeviceArray array(const std::vector<T>& values) const {
    return to_device(context(), values);
  }
};

// The texts are what NumPy prints.
TEST_F(PrintTest, looks_like_numpy) {
  constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(to_string(array<float>({1, 2.5F, -0.125F})), R"([ 1.     2.5   -0.125])");
  EXPECT_EQ(to_string(array<double>({1e10, 1.25, -3})), R"([ 1.00e+10  1.25e+00 -3.00e+00])");
  EXPECT_EQ(to_string(array<float>({1e-5F, 0, 2})), R"([1.e-05 0.e+00 2.e+00])");
  EXPECT_EQ(to_string(array<double>({1.0 / 3, 2.0 / 3, 100})), R"([  0.33333333   0.66666667 100.        ])");
  EXPECT_EQ(to_string(array<float>({0.1F, 1.0F / 3})), R"([0.1        0.33333334])");
  EXPECT_EQ(to_string(array<float>({nan, -inf, 1.5F})), R"([ nan -inf  1.5])");
  EXPECT_EQ(to_string(array<float>({inf, 22.25F})), R"([  inf 22.25])");
  EXPECT_EQ(to_string(array<Half>({Half(0.1F), Half(2), Half(100.5F)})), R"([9.998e-02 2.000e+00 1.005e+02])");
  EXPECT_EQ(to_string(array<float>({3333333333.0F, 0.1F})), "[3.3333332e+09 1.0000000e-01]");
  EXPECT_EQ(to_string(array<int>({-5, 100, 7})), R"([ -5 100   7])");
  EXPECT_EQ(to_string(array<bool>({true, false})), R"([ True False])");
  EXPECT_EQ(to_string(array<std::complex<float>>({{1, -2}, {0.5F, 10}})), R"([1.  -2.j 0.5+10.j])");
  EXPECT_EQ(to_string(array<std::complex<double>>({{1, 0.25}, {-20.5, 1}})), R"([  1. +0.25j -20.5+1.j  ])");
  EXPECT_EQ(to_string(counted({2, 3})), R"([[0 1 2]
 [3 4 5]])");
  EXPECT_EQ(to_string(counted({2, 2, 3})), R"([[[ 0  1  2]
  [ 3  4  5]]

 [[ 6  7  8]
  [ 9 10 11]]])");
  EXPECT_EQ(to_string(counted({40})), R"([ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39])");
  EXPECT_EQ(to_string(counted({1001})), R"([   0    1    2 ...  998  999 1000])");
  EXPECT_EQ(to_string(counted({50, 4, 30})), R"([[[   0    1    2 ...   27   28   29]
  [  30   31   32 ...   57   58   59]
  [  60   61   62 ...   87   88   89]
  [  90   91   92 ...  117  118  119]]

 [[ 120  121  122 ...  147  148  149]
  [ 150  151  152 ...  177  178  179]
  [ 180  181  182 ...  207  208  209]
  [ 210  211  212 ...  237  238  239]]

 [[ 240  241  242 ...  267  268  269]
  [ 270  271  272 ...  297  298  299]
  [ 300  301  302 ...  327  328  329]
  [ 330  331  332 ...  357  358  359]]

 ...

 [[5640 5641 5642 ... 5667 5668 5669]
  [5670 5671 5672 ... 5697 5698 5699]
  [5700 5701 5702 ... 5727 5728 5729]
  [5730 5731 5732 ... 5757 5758 5759]]

 [[5760 5761 5762 ... 5787 5788 5789]
  [5790 5791 5792 ... 5817 5818 5819]
  [5820 5821 5822 ... 5847 5848 5849]
  [5850 5851 5852 ... 5877 5878 5879]]

 [[5880 5881 5882 ... 5907 5908 5909]
  [5910 5911 5912 ... 5937 5938 5939]
  [5940 5941 5942 ... 5967 5968 5969]
  [5970 5971 5972 ... 5997 5998 5999]]])");
  EXPECT_EQ(to_string(counted({20}).astype(Dtype::float32) / 8),
            R"([0.    0.125 0.25  0.375 0.5   0.625 0.75  0.875 1.    1.125 1.25  1.375
 1.5   1.625 1.75  1.875 2.    2.125 2.25  2.375])");
  EXPECT_EQ(to_string(array<float>({1.5F})(0)), R"(1.5)");
  EXPECT_EQ(to_string(counted({1, 1})), R"([[0]])");
  EXPECT_EQ(to_string(counted({2, 30})), R"([[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
  24 25 26 27 28 29]
 [30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53
  54 55 56 57 58 59]])");
  EXPECT_EQ(to_string(zeros(context(), {0, 3}, Dtype::int8)), "[]");
}

TEST_F(PrintTest, takes_options_and_streams) {
  EXPECT_EQ(to_string(array<double>({1.0 / 3, 2}), {.precision = 3}), "[0.333 2.   ]");
  EXPECT_EQ(to_string(counted({9}), {.threshold = 5, .edge_items = 1}), "[0 ... 8]");
  std::ostringstream out;
  out << counted({2});
  EXPECT_EQ(out.str(), "[0 1]");
}

}  // namespace
}  // namespace maxwell_dg::rtcg
