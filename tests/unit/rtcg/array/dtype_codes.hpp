#pragma once

#include <map>
#include <string>

#include "core/dtype.hpp"

namespace maxwell_dg::rtcg {

/// NumPy's short codes, as the tables of expected dtypes use them.
[[nodiscard]] inline Dtype of_code(const std::string& code) {
  static const std::map<std::string, Dtype> codes{
      {"b", Dtype::boolean},    {"i1", Dtype::int8},       {"i2", Dtype::int16},   {"i4", Dtype::int32},
      {"i8", Dtype::int64},     {"u1", Dtype::uint8},      {"u2", Dtype::uint16},  {"u4", Dtype::uint32},
      {"u8", Dtype::uint64},    {"f2", Dtype::float16},    {"f4", Dtype::float32}, {"f8", Dtype::float64},
      {"c8", Dtype::complex64}, {"c16", Dtype::complex128}};
  return codes.at(code);
}

[[nodiscard]] inline std::string code_of(Dtype dtype) {
  if (dtype == Dtype::boolean) return "b";
  const DtypeKind kind = kind_of(dtype);
  const char letter = kind == DtypeKind::signed_integer     ? 'i'
                      : kind == DtypeKind::unsigned_integer ? 'u'
                      : kind == DtypeKind::real             ? 'f'
                                                            : 'c';
  return letter + std::to_string(size_of(dtype));
}

}  // namespace maxwell_dg::rtcg
