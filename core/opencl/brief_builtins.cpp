#include "core/opencl/brief_builtins.hpp"

#include <algorithm>
#include <initializer_list>

namespace maxwell_dg::core::opencl {
namespace {

using Words = std::initializer_list<const char*>;

constexpr Words work_item{"global_size", "global_id", "local_size",   "local_id",
                          "num_groups",  "group_id",  "global_offset"};
constexpr Words unary{"acos",   "acosh", "asin",   "asinh",  "atan",  "atanh",  "cbrt",  "ceil",  "cos",
                      "cosh",   "erf",   "erfc",   "exp",    "exp2",  "exp10",  "expm1", "fabs",  "floor",
                      "lgamma", "log",   "log2",   "log10",  "log1p", "logb",   "rint",  "round", "rsqrt",
                      "sin",    "sinh",  "sqrt",   "tan",    "tanh",  "tgamma", "trunc", "sign",  "sinpi",
                      "cospi",  "tanpi", "acospi", "asinpi", "atanpi"};
constexpr Words binary{"atan2", "copysign", "fdim",      "fmax", "fmin", "fmod",     "hypot",
                       "max",   "min",      "nextafter", "pow",  "powr", "remainder"};
constexpr Words judging{"isfinite", "isinf", "isnan", "isnormal", "signbit"};
constexpr Words of_vectors{"fabs", "sqrt"}, of_two_vectors{"fmax", "fmin"};

// What is not declared: functions that begin so, and others by their names.
constexpr Words families{"vload",      "vstore",      "convert_",   "atomic_",     "atom_",
                         "async_",     "native_",     "read_image", "get_image",   "write_image",
                         "sub_group_", "work_group_", "get_sub_g",  "get_enqueued"};
constexpr Words others{"abs_diff",
                       "add_sat",
                       "all",
                       "atan2pi",
                       "bitselect",
                       "clz",
                       "cross",
                       "ctz",
                       "degrees",
                       "distance",
                       "dot",
                       "fast_length",
                       "fast_distance",
                       "fract",
                       "frexp",
                       "hadd",
                       "isequal",
                       "fast_normalize",
                       "isgreater",
                       "isgreaterequal",
                       "isless",
                       "isordered",
                       "length",
                       "isnotequal",
                       "islessequal",
                       "islessgreater",
                       "isunordered",
                       "lgamma_r",
                       "mad24",
                       "mad_hi",
                       "mad_sat",
                       "maxmag",
                       "mem_fence",
                       "minmag",
                       "mix",
                       "modf",
                       "mul24",
                       "nan",
                       "normalize",
                       "popcount",
                       "prefetch",
                       "radians",
                       "remquo",
                       "rhadd",
                       "rootn",
                       "rotate",
                       "read_mem_fence",
                       "shuffle",
                       "shuffle2",
                       "sincos",
                       "smoothstep",
                       "step",
                       "sub_sat",
                       "upsample",
                       "write_mem_fence"};

bool is_letter(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

}  // namespace

bool needs_more_builtins(std::string_view text) {
  static const std::string declared = brief_builtins();
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    for (end = begin; end < text.size() && is_letter(text[end]);) ++end;
    if (end == begin || end == text.size() || text[end] != '(') continue;
    const std::string_view word = text.substr(begin, end - begin);
    const auto is_word = [&](const char* other) { return word == other; };
    const auto is_of_family = [&](const char* family) { return word.starts_with(family); };
    if (std::ranges::any_of(others, is_word)) return true;
    if (!std::ranges::any_of(families, is_of_family)) continue;
    if (declared.find(" " + std::string(word) + "(") == std::string::npos) return true;
  }
  return false;
}

std::string brief_builtins() {
  // Functions that kernels wait at must not move into a branch; the others depend on their arguments alone.
  std::string text = R"(#define BRIEF __attribute__((overloadable, const))
void __attribute__((overloadable, convergent)) barrier(cl_mem_fence_flags);
float __attribute__((overloadable, pure)) vload_half(size_t, const __private half*);
void __attribute__((overloadable)) vstore_half_rte(float, size_t, __private half*);
uint BRIEF get_work_dim(void);
)";
  const auto declare = [&](const std::string& result, const std::string& name, const std::string& type, int count) {
    text += result + " BRIEF " + name + "(" + type;
    for (int k = 1; k < count; ++k) text += ", " + type;
    text += ");\n";
  };
  for (const char* name : work_item) declare("size_t", std::string("get_") + name, "uint", 1);
  const auto declare_reals = [&](const std::string& type, const std::string& mask) {
    for (const char* name : unary) declare(type, name, type, 1);
    for (const char* name : binary) declare(type, name, type, 2);
    for (const char* name : {"fma", "mad", "clamp"}) declare(type, name, type, 3);
    for (const char* name : judging) declare("int", name, type, 1);
    declare("int", "ilogb", type, 1);
    text += type + " BRIEF ldexp(" + type + ", int);\n" + type + " BRIEF pown(" + type + ", int);\n";
    for (const char* width : {"2", "4", "8", "16"}) {
      for (const char* name : of_vectors) declare(type + width, name, type + width, 1);
      for (const char* name : of_two_vectors) declare(type + width, name, type + width, 2);
      declare(type + width, "fma", type + width, 3);
      // Of masks, as comparisons of such vectors give them.
      text += "int BRIEF any(" + mask + width + ");\n" + type + width + " BRIEF select(" + type + width + ", " + type +
              width + ", " + mask + width + ");\n";
    }
  };
  declare_reals("float", "int");
  text += "#ifdef cl_khr_fp64\n";
  declare_reals("double", "long");
  text += "#endif\n";
  for (const std::string type : {"char", "short", "int", "long"}) {
    for (const std::string& either : {type, "u" + type}) {
      declare("u" + type, "abs", either, 1);
      for (const char* name : {"max", "min", "mul_hi"}) declare(either, name, either, 2);
      declare(either, "clamp", either, 3);
    }
  }
  for (const std::string type : {"int", "uint"}) {
    for (const char* space : {"__global", "__local"}) {
      const std::string place = "volatile " + std::string(space) + " " + type + "*";
      const auto declare_atomic = [&](const std::string& name, const std::string& operands) {
        text += type + " __attribute__((overloadable)) atomic_" + name + "(" + place + operands + ");\n";
      };
      for (const char* name : {"inc", "dec"}) declare_atomic(name, "");
      for (const char* name : {"add", "sub", "min", "max", "and", "or", "xor", "xchg"})
        declare_atomic(name, ", " + type);
      declare_atomic("cmpxchg", ", " + type + ", " + type);
    }
  }
  return text + "#undef BRIEF\n";
}

}  // namespace maxwell_dg::core::opencl
