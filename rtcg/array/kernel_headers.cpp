#include "rtcg/array/kernel_headers.hpp"

#include "core/dtype.hpp"
#include "rtcg/array/random/philox.hpp"
#include "rtcg/source/substitute.hpp"

namespace maxwell_dg::rtcg {

namespace {

// Clang's vectoriser must know that an in-place update is no recurrence; NVCC's threads are alone anyway.
constexpr const char* types_text = R"text(#ifndef ARRAY_TYPES
#define ARRAY_TYPES
#ifdef CUDA_DIALECT
#define ALIGNED(bytes) __align__(bytes)
#define EACH_ALONE
typedef signed char int8;
typedef short int16;
typedef unsigned char uint8;
typedef unsigned short uint16;
#else
#define ALIGNED(bytes) __attribute__((aligned(bytes)))
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#define EACH_ALONE _Pragma("clang loop vectorize(assume_safety)")
#else
#define EACH_ALONE
#endif
#define int8 char
#define int16 short
#define uint8 uchar
#define uint16 ushort
#define float16 array_float16
#endif
typedef uint8 bool8;
typedef struct {
  uint16 bits;
} float16;
#ifdef CUDA_DIALECT
DEVICE_FUNCTION float32 float16_value(float16 h) {
  float32 value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(h.bits));
  return value;
}
DEVICE_FUNCTION float16 float16_of(float32 value) {
  float16 h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h.bits) : "f"(value));
  return h;
}
#else
DEVICE_FUNCTION float32 float16_value(float16 h) {
  return vload_half(0, (const __private half*)&h.bits);
}
DEVICE_FUNCTION float16 float16_of(float32 value) {
  float16 h;
  vstore_half_rte(value, 0, (__private half*)&h.bits);
  return h;
}
#endif
#endif
)text";

// Division scales by the larger part of the divisor (R. L. Smith, CACM 5 (1962) 435), so that it overflows only where
// the result does; the square root takes the half-angle formula on the side that does not cancel.
constexpr const char* complex_text = R"(
typedef struct ALIGNED(${alignment}) { ${real} re, im; } ${complex};
DEVICE_FUNCTION ${complex} ${complex}_of(${real} re, ${real} im) {
  ${complex} z;
  z.re = re;
  z.im = im;
  return z;
}
DEVICE_FUNCTION ${complex} ${complex}_add(${complex} a, ${complex} b) {
  return ${complex}_of(a.re + b.re, a.im + b.im);
}
DEVICE_FUNCTION ${complex} ${complex}_sub(${complex} a, ${complex} b) {
  return ${complex}_of(a.re - b.re, a.im - b.im);
}
DEVICE_FUNCTION ${complex} ${complex}_mul(${complex} a, ${complex} b) {
  return ${complex}_of(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
DEVICE_FUNCTION ${complex} ${complex}_div(${complex} a, ${complex} b) {
  if (fabs(b.re) >= fabs(b.im)) {
    if (b.re == 0 && b.im == 0) return ${complex}_of(a.re / fabs(b.re), a.im / fabs(b.re));
    const ${real} ratio = b.im / b.re, scale = 1 / (b.re + b.im * ratio);
    return ${complex}_of((a.re + a.im * ratio) * scale, (a.im - a.re * ratio) * scale);
  }
  const ${real} ratio = b.re / b.im, scale = 1 / (b.im + b.re * ratio);
  return ${complex}_of((a.re * ratio + a.im) * scale, (a.im * ratio - a.re) * scale);
}
DEVICE_FUNCTION ${complex} ${complex}_neg(${complex} z) { return ${complex}_of(-z.re, -z.im); }
DEVICE_FUNCTION ${complex} ${complex}_conj(${complex} z) { return ${complex}_of(z.re, -z.im); }
DEVICE_FUNCTION int32 ${complex}_equal(${complex} a, ${complex} b) { return a.re == b.re && a.im == b.im; }
DEVICE_FUNCTION ${real} ${complex}_abs(${complex} z) { return hypot(z.re, z.im); }
DEVICE_FUNCTION ${real} ${complex}_arg(${complex} z) { return atan2(z.im, z.re); }
DEVICE_FUNCTION ${complex} ${complex}_exp(${complex} z) {
  const ${real} size = exp(z.re);
  if (z.im == 0) return ${complex}_of(size, z.im);
  return ${complex}_of(size * cos(z.im), size * sin(z.im));
}
DEVICE_FUNCTION ${complex} ${complex}_log(${complex} z) {
  return ${complex}_of(log(${complex}_abs(z)), ${complex}_arg(z));
}
DEVICE_FUNCTION ${complex} ${complex}_sqrt(${complex} z) {
  const ${real} size = ${complex}_abs(z);
  if (size == 0) return ${complex}_of(size, z.im);
  const ${real} larger = sqrt(((${real})0.5) * (size + fabs(z.re)));
  const ${real} smaller = fabs(z.im) / (2 * larger);
  return z.re >= 0 ? ${complex}_of(larger, copysign(smaller, z.im)) : ${complex}_of(smaller, copysign(larger, z.im));
}
DEVICE_FUNCTION ${complex} ${complex}_pow(${complex} a, ${complex} b) {
  if (b.re == 0 && b.im == 0) return ${complex}_of(1, 0);
  if (a.re == 0 && a.im == 0 && b.re > 0) return ${complex}_of(0, 0);
  return ${complex}_exp(${complex}_mul(b, ${complex}_log(a)));
}
DEVICE_FUNCTION ${complex} ${complex}_sin(${complex} z) {
  return ${complex}_of(sin(z.re) * cosh(z.im), cos(z.re) * sinh(z.im));
}
DEVICE_FUNCTION ${complex} ${complex}_cos(${complex} z) {
  return ${complex}_of(cos(z.re) * cosh(z.im), -sin(z.re) * sinh(z.im));
}
DEVICE_FUNCTION ${complex} ${complex}_sinh(${complex} z) {
  return ${complex}_of(sinh(z.re) * cos(z.im), cosh(z.re) * sin(z.im));
}
DEVICE_FUNCTION ${complex} ${complex}_cosh(${complex} z) {
  return ${complex}_of(cosh(z.re) * cos(z.im), sinh(z.re) * sin(z.im));
}
DEVICE_FUNCTION ${complex} ${complex}_tanh(${complex} z) {
  // tanh(x + iy) = (t (1 + u^2) + i u (1 - t^2)) / (1 + t^2 u^2) with t = tanh x, u = tan y: bounded for any x.
  const ${real} t = tanh(z.re), u = tan(z.im), sech = 1 / cosh(z.re), scale = 1 / (1 + t * t * u * u);
  return ${complex}_of(t * (1 + u * u) * scale, u * sech * sech * scale);
}
DEVICE_FUNCTION ${complex} ${complex}_tan(${complex} z) {
  const ${complex} w = ${complex}_tanh(${complex}_of(-z.im, z.re));
  return ${complex}_of(w.im, -w.re);
}
)";

std::string complex_functions(Dtype dtype) {
  return substitute(complex_text, {{"complex", std::string(name_of(dtype))},
                                   {"real", std::string(name_of(real_part_of(dtype)))},
                                   {"alignment", std::to_string(size_of(dtype))}});
}

// Division by 0 gives 0, as in NumPy; on a CPU the machine's own would end the program, and so would the most negative
// number by -1. Quotients round down, and remainders have the sign of the divisor.
constexpr const char* signed_functions = R"(
DEVICE_FUNCTION ${T} ${T}_pow(${T} a, ${T} b) {
  if (b < 0) return a == 1 ? 1 : a == -1 ? (b % 2 == 0 ? 1 : -1) : 0;
  return (${T})u${T}_pow((u${T})a, (u${T})b);
}
DEVICE_FUNCTION ${T} ${T}_fmod(${T} a, ${T} b) { return b == 0 || b == -1 ? 0 : a % b; }
DEVICE_FUNCTION ${T} ${T}_mod(${T} a, ${T} b) {
  const ${T} rest = ${T}_fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
DEVICE_FUNCTION ${T} ${T}_floor_divide(${T} a, ${T} b) {
  if (b == 0) return 0;
  if (b == -1) return (${T})((u${T})0 - (u${T})a);
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
DEVICE_FUNCTION ${T} ${T}_shift_left(${T} a, ${T} b) {
  return b >= 0 && b < ${bits} ? (${T})((u${T})a << b) : 0;
}
DEVICE_FUNCTION ${T} ${T}_shift_right(${T} a, ${T} b) {
  return b >= 0 && b < ${bits} ? (${T})(a >> b) : a < 0 ? -1 : 0;
}
)";

constexpr const char* unsigned_functions = R"(
DEVICE_FUNCTION ${T} ${T}_pow(${T} a, ${T} b) {
  ${T} power = 1;
  for (; b != 0; b >>= 1) {
    if (b & 1) power *= a;
    a *= a;
  }
  return power;
}
DEVICE_FUNCTION ${T} ${T}_fmod(${T} a, ${T} b) { return b == 0 ? 0 : a % b; }
DEVICE_FUNCTION ${T} ${T}_mod(${T} a, ${T} b) { return b == 0 ? 0 : a % b; }
DEVICE_FUNCTION ${T} ${T}_floor_divide(${T} a, ${T} b) { return b == 0 ? 0 : a / b; }
DEVICE_FUNCTION ${T} ${T}_shift_left(${T} a, ${T} b) { return b < ${bits} ? (${T})(a << b) : 0; }
DEVICE_FUNCTION ${T} ${T}_shift_right(${T} a, ${T} b) { return b < ${bits} ? (${T})(a >> b) : 0; }
)";

constexpr const char* real_functions = R"(
DEVICE_FUNCTION ${T} ${T}_mod(${T} a, ${T} b) {
  const ${T} rest = fmod(a, b);
  if (rest == 0) return copysign(rest, b);
  return (rest < 0) != (b < 0) ? rest + b : rest;
}
DEVICE_FUNCTION ${T} ${T}_floor_divide(${T} a, ${T} b) {
  if (b == 0) return a / b;
  const ${T} rest = fmod(a, b);
  const ${T} quotient = (a - rest) / b - (rest != 0 && (rest < 0) != (b < 0) ? 1 : 0);
  return quotient == 0 ? copysign(quotient, a / b) : rint(quotient);
}
)";

std::string guarded(const std::string& name, const std::string& text) {
  return "#ifndef " + name + "\n#define " + name + "\n#include \"array_types.h\"\n" + text + "#endif\n";
}

std::string where_float64_is(const std::string& text) {
  return "#if defined(CUDA_DIALECT) || defined(cl_khr_fp64)\n" + text + "#endif\n";
}

std::string functions() {
  std::string text;
  for (const DtypeKind kind : {DtypeKind::unsigned_integer, DtypeKind::signed_integer}) {  // the latter call the former
    for (const Dtype dtype : all_dtypes) {
      if (kind_of(dtype) != kind) continue;
      text += substitute(kind == DtypeKind::signed_integer ? signed_functions : unsigned_functions,
                         {{"T", std::string(name_of(dtype))}, {"bits", std::to_string(8 * size_of(dtype))}});
    }
  }
  return text + substitute(real_functions, {{"T", "float32"}}) +
         where_float64_is(substitute(real_functions, {{"T", "float64"}}));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> array_headers() {
  static const std::string complex_header = guarded(
      "ARRAY_COMPLEX", complex_functions(Dtype::complex64) + where_float64_is(complex_functions(Dtype::complex128)));
  static const std::string functions_header = guarded("ARRAY_FUNCTIONS", functions());
  static const std::string random = random_header();
  return {{"array_types.h", types_text},
          {"array_complex.h", complex_header},
          {"array_functions.h", functions_header},
          {"random.h", random}};
}

}  // namespace maxwell_dg::rtcg
