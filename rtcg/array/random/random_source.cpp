#include "rtcg/array/random/random_source.hpp"

#include <bit>

#include "rtcg/array/kernel_headers.hpp"
#include "rtcg/array/kernel_types.hpp"
#include "rtcg/source/substitute.hpp"

namespace maxwell_dg::rtcg {

namespace {

// A GPU's work-items take blocks in turn and store each in one piece; a CPU's takes a run of them.
constexpr const char* kernel_text = R"(#include "array_types.h"
#include "random.h"
#ifdef CUDA_DIALECT
#define UPPER_PRODUCT(a, b) __umul64hi(a, b)
#else
#define UPPER_PRODUCT(a, b) mul_hi(a, b)
#endif
typedef struct ALIGNED(${bytes}) { ${element} lane[${lanes}]; } pack;
DEVICE_FUNCTION pack random_pack(random_words w, uint64 low, uint64 count) {
  pack p;
  ${statements}
  ${values}
  return p;
}
KERNEL void GROUP_LIMIT(${group}, 1, 1) random_numbers(GLOBAL ${element}* data, int64 offset, int64 size, int64 run,
    uint64 seed, uint64 stream, uint64 first, uint64 low, uint64 count) {
  GLOBAL ${element}* out = data + offset;
  const int64 blocks = size / ${lanes};
  ${loop} {
    ((GLOBAL pack*)out)[block] = random_pack(random_block(seed, stream, first + (uint64)block), low, count);
  }
  if (GLOBAL_ID(0) == 0 && blocks * ${lanes} < size) {
    const pack last = random_pack(random_block(seed, stream, first + (uint64)blocks), low, count);
    for (int64 at = blocks * ${lanes}; at < size; ++at) out[at] = last.lane[at - blocks * ${lanes}];
  }
}
)";
constexpr const char* cpu_loop =
    "EACH_ALONE for (int64 block = GROUP_ID(0) * run; block < min((GROUP_ID(0) + 1) * run, blocks); ++block)";
constexpr const char* gpu_loop =
    "for (int64 block = GLOBAL_ID(0); block < blocks; block += (int64)GROUP_COUNT(0) * GROUP_SIZE(0))";

// A work-item makes its first point from the Gray code of its number, each further one from the one before: where it
// goes on by 2^b points, n -> n + 2^b, the code changes in bit b - 1, and in bit b + k where k is the lowest one of
// n / 2^b + 1.
constexpr const char* sobol_text = R"(#ifdef CUDA_DIALECT
#define LOWEST_ONE(x) (__ffs((int32)(x)) - 1)
#else
#define LOWEST_ONE(x) (31 - (int32)clz((x) & (0u - (x))))
#endif
KERNEL void GROUP_LIMIT(${group}, 1, 1) sobol_points(GLOBAL const uint32* words, GLOBAL ${element}* points, int64 count,
    int64 first, int64 run) {
  GLOBAL const uint32* v = words + ${words} * GROUP_ID(1);
  GLOBAL ${element}* row = points + count * GROUP_ID(1);
  const int64 end = min((GROUP_ID(0) + 1) * run, count);
  int64 i = GROUP_ID(0) * run + LOCAL_ID(0);
  uint32 n = (uint32)(first + i), x = v[${words} - 1];
  for (uint32 code = n ^ n >> 1, bit = 0; code != 0; code >>= 1, ++bit) {
    if (code & 1) x ^= v[bit];
  }
  for (; i < end; i += ${group}, n += ${group}) {
    row[i] = ${value};
    const uint32 ones = (n >> ${stride_bits}) + 1;
    if (i + ${group} < end) x ^= ${also}v[${stride_bits} + LOWEST_ONE(ones)];
  }
}
)";

std::vector<std::string> each_word(const std::string& before, const std::string& after) {
  std::vector<std::string> values;
  for (const char* word : {"w.x", "w.y", "w.z", "w.w"}) values.push_back(before + word + after);
  return values;
}

// Two words of 64 bits.
std::vector<std::string> each_pair(const std::string& before, const std::string& after) {
  return {before + "((uint64)w.x << 32 | w.y)" + after, before + "((uint64)w.z << 32 | w.w)" + after};
}

}  // namespace

RandomRecipe uniform_recipe(Dtype dtype) {
  switch (real_part_of(dtype)) {
    case Dtype::float64:
      return {.name = "uniform", .values = {"uniform_float64(w.x, w.y)", "uniform_float64(w.z, w.w)"}};
    case Dtype::float16:  // 11 bits, so that nothing is rounded up to 1
      return {.name = "uniform", .values = each_word("(float32)(", " >> 21) * 4.8828125e-04f")};
    default: return {.name = "uniform", .values = each_word("uniform_float32(", ")")};
  }
}

RandomRecipe normal_recipe(Dtype dtype) {
  if (real_part_of(dtype) == Dtype::float64) {
    return {.name = "normal",
            .statements = "float64 z[2];\nnormal_float64(w.x, w.y, w.z, w.w, z);",
            .values = {"z[0]", "z[1]"}};
  }
  return {.name = "normal",
          .statements = "float32 z[4];\nnormal_float32(w.x, w.y, z);\nnormal_float32(w.z, w.w, z + 2);",
          .values = {"z[0]", "z[1]", "z[2]", "z[3]"}};
}

// The upper 64 bits of the product with a random number spread it over [0, count); Lemire, ACM TOMACS 29 (2019) 3.
RandomRecipe integer_recipe(Dtype dtype) {
  return {.name = "integers", .values = each_pair("(" + value_type(dtype) + ")(low + UPPER_PRODUCT(", ", count))")};
}

RandomRecipe bit_recipe(Dtype dtype) {
  const std::string type = "(" + value_type(dtype) + ")";
  if (dtype == Dtype::boolean) return {.name = "bits", .values = each_word("(", " >> 31)")};
  if (size_of(dtype) == 8) return {.name = "bits", .values = each_pair(type, "")};
  return {.name = "bits", .values = each_word(type, "")};
}

KernelSource random_source(const RandomRecipe& recipe, Dtype dtype, bool is_cpu) {
  std::string values;
  for (std::size_t k = 0; k < recipe.values.size(); ++k) {
    values += (k > 0 ? "\n" : "") + ("p.lane[" + std::to_string(k) + "] = ") + stored(recipe.values[k], dtype) + ";";
  }
  return {.name = "random_" + recipe.name + ".kernel",
          .text = substitute(kernel_text, {{"bytes", std::to_string(recipe.values.size() * size_of(dtype))},
                                           {"element", storage_type(dtype)},
                                           {"lanes", std::to_string(recipe.values.size())},
                                           {"statements", recipe.statements},
                                           {"values", values},
                                           {"group", std::to_string(is_cpu ? 1 : random_group_size)},
                                           {"loop", is_cpu ? cpu_loop : gpu_loop}}),
          .headers = array_headers()};
}

KernelSource sobol_source(Dtype dtype, bool is_cpu) {
  const std::size_t group = is_cpu ? 1 : random_group_size;
  const int stride_bits = std::countr_zero(group);
  const std::string value = dtype == Dtype::float32   ? "(float32)(x >> 8) * 5.9604644775390625e-08f"
                            : dtype == Dtype::float64 ? "(float64)x * 2.3283064365386963e-10"
                                                      : "x";
  return {.name = "sobol.kernel",
          .text = substitute(sobol_text, {{"group", std::to_string(group)},
                                          {"words", std::to_string(sobol_words)},
                                          {"element", std::string(name_of(dtype))},
                                          {"value", value},
                                          {"stride_bits", std::to_string(stride_bits)},
                                          {"also", is_cpu ? "" : "v[" + std::to_string(stride_bits - 1) + "] ^ "}})};
}

}  // namespace maxwell_dg::rtcg
