#include "rtcg/array/random_source.hpp"

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

}  // namespace maxwell_dg::rtcg
