#include "rtcg/array/scan.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "tests/unit/rtcg/array/array_fixture.hpp"

namespace maxwell_dg::rtcg {
namespace {

const std::vector<ScanMethod> scan_methods{ScanMethod::runs, ScanMethod::tiles, ScanMethod::chained};

std::vector<std::int32_t> random_integers(std::int64_t n) {
  std::mt19937 engine(static_cast<unsigned>(n));
  std::uniform_int_distribution<std::int32_t> small(-9, 9);
  std::vector<std::int32_t> values(static_cast<std::size_t>(n));
  std::ranges::generate(values, [&] { return small(engine); });
  return values;
}

class ScanTest : public ArrayTest {
 protected:
  [[nodiscard]] DeviceArray integers(std::int64_t n) const { return to_device(context(), random_integers(n), {n}); }
};

TEST_F(ScanTest, inclusive_and_exclusive_sums_are_those_of_the_host) {
  const ScanKernel kernel({.arguments = "const int32* x, int32* inclusive, int32* exclusive",
                           .input = "x[i]",
                           .scan = "a + b",
                           .neutral = "0",
                           .output = "inclusive[i] = item; exclusive[i] = prev_item",
                           .dtype = Dtype::int32});
  for (const ScanMethod method : scan_methods) {
    for (const std::int64_t n : {0, 1, 2, 3, 31, 257, 3840, 3841, 99991}) {
      const std::vector<std::int32_t> values = random_integers(n);
      const DeviceArray x = to_device(context(), values, {n});
      const DeviceArray inclusive = empty(context(), {n}, Dtype::int32),
                        exclusive = empty(context(), {n}, Dtype::int32);
      kernel.launch({x, inclusive, exclusive}, {.method = method});
      std::vector<std::int32_t> expected(values.size());
      std::inclusive_scan(values.begin(), values.end(), expected.begin());
      ASSERT_EQ(inclusive.to_vector<std::int32_t>(), expected) << n << " method " << static_cast<int>(method);
      std::exclusive_scan(values.begin(), values.end(), expected.begin(), 0);
      ASSERT_EQ(exclusive.to_vector<std::int32_t>(), expected) << n << " method " << static_cast<int>(method);
    }
  }
}

// Affine maps do not commute: what stands on the wrong side, or is left out, shows.
TEST_F(ScanTest, structs_and_operations_that_do_not_commute_keep_their_order) {
  struct Map {
    std::uint32_t factor, term;
  };
  const ScanKernel kernel({.arguments = "const uint32* x, uint32* z",
                           .input = "map_of(2 * x[i] + 1, i)",
                           .scan = "map_of(b.factor * a.factor, b.factor * a.term + b.term)",
                           .neutral = "map_of(1, 0)",
                           .output = "z[i] = item.factor ^ item.term ^ prev_item.term",
                           .type = "map",
                           .type_bytes = sizeof(Map),
                           .name = "affine",
                           .preamble = "typedef struct { uint32 factor, term; } map;\n"
                                       "DEVICE_FUNCTION map map_of(uint32 factor, uint32 term) {\n"
                                       "  map m; m.factor = factor; m.term = term; return m;\n}"});
  for (const ScanMethod method : scan_methods) {
    for (const std::int64_t n : {1, 1791, 1792, 1793, 65537}) {
      std::vector<std::uint32_t> values(static_cast<std::size_t>(n)), expected;
      std::iota(values.begin(), values.end(), 12345u);
      Map all{1, 0};
      for (std::size_t i = 0; i < values.size(); ++i) {
        const Map b{2 * values[i] + 1, static_cast<std::uint32_t>(i)}, before = all;
        all = {b.factor * all.factor, b.factor * all.term + b.term};
        expected.push_back(all.factor ^ all.term ^ before.term);
      }
      const DeviceArray x = to_device(context(), values, {n});
      kernel.launch({x, x}, {.method = method});
      ASSERT_EQ(x.to_vector<std::uint32_t>(), expected) << n << " method " << static_cast<int>(method);
    }
  }
}

// Tiles that never say what lies before their end, but for one in 70: all others must be looked at one by one.
TEST_F(ScanTest, chained_tiles_look_back_beyond_those_that_know_only_themselves) {
  constexpr std::size_t tiles = 200;
  const auto n = static_cast<std::int64_t>(tiles * scan_group_size);
  const Scan scan{.name = "affine",
                  .arguments = {{.name = "x", .dtype = Dtype::uint32, .kind = Argument::Kind::input},
                                {.name = "z", .dtype = Dtype::uint32, .kind = Argument::Kind::output}},
                  .is_element = {true, true},
                  .input = "map_of(2 * x_i + 1, i)",
                  .segment_start = "",
                  .output = "z_i = item.term",
                  .scan = "map_of(b.factor * a.factor, b.factor * a.term + b.term)",
                  .neutral = "map_of(1, 0)",
                  .type = "map",
                  .preamble =
                      "typedef struct { uint32 factor, term; } map;\n"
                      "DEVICE_FUNCTION map map_of(uint32 factor, uint32 term) {\n"
                      "  map m; m.factor = factor; m.term = term; return m;\n}",
                  .state_bytes = 8};
  KernelSource source = scan_source(scan, {.method = ScanMethod::chained, .items = 1, .is_next = true});
  const std::string known = "tell(told_of_this + STATE_WORDS, ";
  ASSERT_NE(source.text.find(known), std::string::npos);
  source.text.replace(source.text.find(known), known.size(), "if (number % 70 == 0) " + known);
  std::vector<std::uint32_t> values(static_cast<std::size_t>(n)), expected;
  std::iota(values.begin(), values.end(), 777u);
  std::uint32_t term = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    term = (2 * values[i] + 1) * term + static_cast<std::uint32_t>(i);
    expected.push_back(term);
  }
  const DeviceArray x = to_device(context(), values), z = empty(context(), {n}, Dtype::uint32);
  const DeviceArray progress = zeros(context(), {1 + 2 * 2 * tiles}, Dtype::uint64);
  const std::int64_t begin = 0, stride = 1;
  context()
      .compiler()
      .compile(source)
      .kernel("scan_chained")
      .launch(context().stream(), {.groups = {tiles, 1, 1}, .group_size = {scan_group_size, 1, 1}},
              {n, x.buffer(), begin, stride, z.buffer(), begin, stride, progress.buffer()});
  EXPECT_EQ(z.to_vector<std::uint32_t>(), expected);
}

TEST_F(ScanTest, starts_anew_where_segments_do) {
  const ScanKernel kernel({.arguments = "const int32* x, const uint8* starts, int32* inclusive, int32* exclusive",
                           .input = "x[i]",
                           .scan = "max(a, b)",
                           .neutral = "-1000",
                           .output = "inclusive[i] = item; exclusive[i] = prev_item",
                           .segment_start = "starts[i]",
                           .dtype = Dtype::int32});
  for (const ScanMethod method : scan_methods) {
    for (const std::int64_t every : {1, 7, 5000, 1000000}) {
      const std::int64_t n = 30011;
      const std::vector<std::int32_t> values = random_integers(n);
      std::vector<std::uint8_t> starts(values.size());
      std::vector<std::int32_t> inclusive(values.size()), exclusive(values.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        starts[i] = static_cast<std::int64_t>(i) % every == every / 2 ? 1 : 0;
        exclusive[i] = i == 0 || starts[i] != 0 ? -1000 : inclusive[i - 1];
        inclusive[i] = std::max(exclusive[i], values[i]);
      }
      const DeviceArray x = to_device(context(), values, {n}), s = to_device(context(), starts, {n});
      const DeviceArray z = empty(context(), {n}, Dtype::int32), y = empty(context(), {n}, Dtype::int32);
      kernel.launch({x, s, z, y}, {.method = method});
      ASSERT_EQ(z.to_vector<std::int32_t>(), inclusive) << every << " method " << static_cast<int>(method);
      ASSERT_EQ(y.to_vector<std::int32_t>(), exclusive) << every << " method " << static_cast<int>(method);
    }
  }
}

TEST_F(ScanTest, outputs_go_anywhere_and_know_the_last_item) {
  const ScanKernel kernel({.arguments = "const int32* x, int32* picked, int32* count",
                           .input = "x[i] > 0",
                           .scan = "a + b",
                           .neutral = "0",
                           .output = "if (item != prev_item) picked[last_item - item] = x[i]; if (i == 0) count[0] = "
                                     "last_item",
                           .dtype = Dtype::int32});
  for (const ScanMethod method : {ScanMethod::automatic, ScanMethod::runs, ScanMethod::tiles}) {
    for (const std::int64_t n : {5, 20011}) {
      std::vector<std::int32_t> expected;
      for (const std::int32_t value : random_integers(n)) {
        if (value > 0) expected.insert(expected.begin(), value);
      }
      const DeviceArray picked = zeros(context(), {n}, Dtype::int32), count = zeros(context(), {1}, Dtype::int32);
      kernel.launch({integers(n), picked, count}, {.method = method});
      ASSERT_EQ(count.item<std::int32_t>(), static_cast<std::int32_t>(expected.size()));
      expected.resize(static_cast<std::size_t>(n));
      ASSERT_EQ(picked.to_vector<std::int32_t>(), expected) << n << " method " << static_cast<int>(method);
    }
  }
  EXPECT_EQ(message_of<ArrayError>([&] {
              const DeviceArray x = integers(3);
              kernel.launch({x, x, x}, {.method = ScanMethod::chained});
            }),
            "kernel 'scan': last_item is not known in a chained scan; take another method");
}

TEST_F(ScanTest, takes_strides_numbers_and_a_count) {
  const ScanKernel kernel({.arguments = "const int16* x, int32 size, int64* z",
                           .input = "size * x[i]",
                           .scan = "a + b",
                           .neutral = "0",
                           .output = "z[i] += item",
                           .dtype = Dtype::int64});
  for (const ScanMethod method : scan_methods) {
    const DeviceArray x = arange(context(), {.stop = 20}, Dtype::int16), z = full(context(), {30}, 100, Dtype::int64);
    kernel.launch({x(Slice{.step = -2}), 3, z(Slice{1, 30, 3})}, {.count = 4, .method = method});
    std::vector<std::int64_t> expected(30, 100);
    expected[1] += 57, expected[4] += 57 + 51, expected[7] += 57 + 51 + 45, expected[10] += 57 + 51 + 45 + 39;
    EXPECT_EQ(z.to_vector<std::int64_t>(), expected) << static_cast<int>(method);
  }
}

TEST_F(ScanTest, counts_beyond_32_bits) {
  if (context().device().info().is_cpu) GTEST_SKIP() << "takes a GPU's speed";
  const std::int64_t n = (std::int64_t{1} << 31) + 4099;
  const ScanKernel kernel({.arguments = "int64 size, int64* z",
                           .input = "i & 1",
                           .scan = "a + b",
                           .neutral = "0",
                           .output = "if (i == size - 1) { z[0] = i; z[1] = item; }",
                           .dtype = Dtype::int64});
  for (const ScanMethod method : scan_methods) {
    const DeviceArray z = zeros(context(), {2}, Dtype::int64);
    kernel.launch({n, z}, {.count = n, .method = method});
    EXPECT_EQ(z.to_vector<std::int64_t>(), (std::vector<std::int64_t>{n - 1, n / 2})) << static_cast<int>(method);
  }
}

TEST_F(ScanTest, cumulative_sums_have_the_dtypes_of_sums) {
  const DeviceArray small = to_device(context(), std::vector<std::int8_t>{100, 100, 100, -1}, {2, 2});
  EXPECT_EQ(cumsum(small).to_vector<std::int64_t>(), (std::vector<std::int64_t>{100, 200, 300, 299}));
  EXPECT_EQ(cumsum(small.transpose()).shape(), (Shape{2, 2}));
  EXPECT_EQ(cumprod(small).to_vector<std::int64_t>(), (std::vector<std::int64_t>{100, 10000, 1000000, -1000000}));
  using Complex = std::complex<float>;
  const DeviceArray pair = to_device(context(), std::vector<Complex>{{0, 1}, {0, 1}}, {2});
  EXPECT_EQ(cumprod(pair).to_vector<Complex>(), (std::vector<Complex>{{0, 1}, {-1, 0}}));
  EXPECT_EQ(cumsum(zeros(context(), {0}, Dtype::float32)).size(), 0);
}

TEST_F(ScanTest, what_makes_no_sense_is_refused) {
  const auto make = [](const char* arguments, const char* output) {
    return ScanKernel({.arguments = arguments,
                       .input = "x[i]",
                       .scan = "a + b",
                       .neutral = "0",
                       .output = output,
                       .dtype = Dtype::int32});
  };
  EXPECT_EQ(message_of<ArrayError>([&] { (void)make("const int32* x", ""); }),
            "kernel 'scan': no argument is written; one must be an array that is not const");
  const ScanKernel kernel = make("const int32* x, int32* z", "z[i] = item");
  const DeviceArray x = zeros(context(), {4, 6}, Dtype::int32);
  EXPECT_EQ(message_of<ShapeError>([&] {
              kernel(x(whole, Slice{0, 5}), x(whole, Slice{0, 5}));
            }),
            "kernel 'scan': argument 'const int32* x' has elements that lie in no evenly spaced run; use contiguous()");
  EXPECT_EQ(message_of<ShapeError>([&] { kernel(x, x(0)); }),
            "kernel 'scan': argument 'int32* z' has shape (6,), but the elements have (4, 6)");
  EXPECT_THROW(kernel(x, zeros(context(), {4, 6}, Dtype::int64)), DtypeError);
  EXPECT_THROW(kernel(x), ArrayError);
  EXPECT_THROW(kernel.launch({x, x}, {.count = 25}), ShapeError);
  EXPECT_THROW((void)make("const int32* x, int32* z", "z[i] = itme")(x, x), CompileError);
}

}  // namespace
}  // namespace maxwell_dg::rtcg
