// The CUDA texts of random numbers, scans, sorts and sparse products compile without a warning, for the oldest and the
// newest architecture that NVRTC knows.
#include "rtcg/array/kernel_types.hpp"
#include "rtcg/array/random/random_source.hpp"
#include "rtcg/array/scan_source.hpp"
#include "rtcg/array/sort_source.hpp"
#include "rtcg/sparse/sparse_source.hpp"
#include "tests/unit/rtcg/nvrtc_fixture.hpp"

namespace maxwell_dg::rtcg {
namespace {

class AlgorithmsNvrtcTest : public NvrtcFixture {};

TEST_F(AlgorithmsNvrtcTest, random_numbers_of_all_dtypes_compile) {
  for (const Dtype dtype : all_dtypes) {
    if (is_real(dtype)) {
      expect_compiles(random_source(uniform_recipe(dtype), dtype, false));
      expect_compiles(random_source(normal_recipe(dtype), dtype, false));
    } else if (!is_complex(dtype)) {
      expect_compiles(random_source(bit_recipe(dtype), dtype, false));
      if (is_integer(dtype)) expect_compiles(random_source(integer_recipe(dtype), dtype, false));
    }
  }
}

TEST_F(AlgorithmsNvrtcTest, quasi_random_points_compile) {
  for (const Dtype dtype : {Dtype::uint32, Dtype::float32, Dtype::float64}) expect_compiles(sobol_source(dtype, false));
}

TEST_F(AlgorithmsNvrtcTest, scans_of_every_method_compile) {
  for (const Dtype dtype : {Dtype::int8, Dtype::float16, Dtype::uint64, Dtype::float64, Dtype::complex128}) {
    const std::string type = value_type(dtype);
    const std::string zero = is_complex(dtype) ? type + "_of(0, 0)" : "0";
    for (const std::string segment : {"", "i % 3 == 0"}) {
      for (const ScanMethod method : {ScanMethod::tiles, ScanMethod::chained}) {
        const bool has_last = method == ScanMethod::tiles;
        const Scan scan{
            .name = "test",
            .arguments = {{.name = "x", .dtype = dtype, .kind = Argument::Kind::input},
                          {.name = "y", .dtype = dtype, .kind = Argument::Kind::output},
                          {.name = "z", .dtype = dtype, .kind = Argument::Kind::output}},
            .is_element = {true, true, false},
            .input = "x_i",
            .segment_start = segment,
            .output = std::string("y_i = item; z[i] = ") + stored(has_last ? "last_item" : "prev_item", dtype),
            .scan = is_complex(dtype) ? type + "_add(a, b)" : "a + b",
            .neutral = zero,
            .type = type,
            .preamble = "",
            .uses_last = has_last};
        expect_compiles(scan_source(scan, {.method = method, .items = 3, .is_next = has_last}));
      }
    }
  }
}

TEST_F(AlgorithmsNvrtcTest, sorts_of_all_dtypes_compile) {
  for (const Dtype dtype : all_dtypes) {
    if (is_complex(dtype)) continue;
    expect_compiles(sort_source({.key = dtype}));
    expect_compiles(sort_source({.key = dtype, .value = Dtype::complex128, .order = SortOrder::descending}));
  }
}

TEST_F(AlgorithmsNvrtcTest, sparse_products_compile) {
  for (const Dtype dtype : {Dtype::float32, Dtype::float64, Dtype::complex64, Dtype::complex128}) {
    for (const bool has_long_offsets : {false, true}) {
      const SparseShape shape{.dtype = dtype,
                              .has_long_offsets = has_long_offsets,
                              .lanes = has_long_offsets ? 1u : 8u,
                              .at_once = 4,
                              .is_sorted = has_long_offsets};
      expect_compiles(csr_source(shape));
      expect_compiles(csr_stream_source(shape));
      expect_compiles(sliced_ell_source(shape));
      expect_compiles(packeted_source(shape));
    }
  }
}

}  // namespace
}  // namespace maxwell_dg::rtcg
