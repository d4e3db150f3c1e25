#include "rtcg/array/operators.hpp"

#include "rtcg/array/elementwise_kernel.hpp"
#include "rtcg/array/error.hpp"
#include "rtcg/array/kernel_types.hpp"

namespace maxwell_dg::rtcg {

namespace {

// The real dtype to compute in.
Dtype checked_real(const DeviceArray& a, const char* function) {
  if (is_complex(a.dtype())) {
    throw DtypeError(std::string(function) + " is not defined for " + std::string(name_of(a.dtype())));
  }
  return real_for(a.dtype());
}

// "y[i]" and "z[i]" from a[i], by text with the value `x` of type `T`.
void split(const DeviceArray& a, const DeviceArray& first, const DeviceArray& second, const std::string& text) {
  const std::string type = value_type(first.dtype());
  ElementwiseKernel(
      {{.name = "a", .dtype = a.dtype(), .kind = Argument::Kind::input},
       {.name = "y", .dtype = first.dtype(), .kind = Argument::Kind::output},
       {.name = "z", .dtype = second.dtype(), .kind = Argument::Kind::output}},
      {.operation = "const T x = (T)a[i];\n" + text, .name = "split", .preamble = "typedef " + type + " T;"})(a, first,
                                                                                                              second);
}

}  // namespace

FractionAndWhole modf(const DeviceArray& a) {
  const Dtype dtype = checked_real(a, "modf");
  FractionAndWhole parts{empty(a.context(), a.shape(), dtype), empty(a.context(), a.shape(), dtype)};
  split(a, parts.fraction, parts.whole, "T whole;\ny[i] = modf(x, &whole);\nz[i] = whole;");
  return parts;
}

FractionAndExponent frexp(const DeviceArray& a) {
  const Dtype dtype = checked_real(a, "frexp");
  FractionAndExponent parts{empty(a.context(), a.shape(), dtype), empty(a.context(), a.shape(), Dtype::int32)};
  split(a, parts.fraction, parts.exponent, "int32 exponent;\ny[i] = frexp(x, &exponent);\nz[i] = exponent;");
  return parts;
}

}  // namespace maxwell_dg::rtcg
