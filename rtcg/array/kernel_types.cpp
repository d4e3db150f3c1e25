#include "rtcg/array/kernel_types.hpp"

namespace maxwell_dg::rtcg {

std::string storage_type(Dtype dtype) {
  return dtype == Dtype::boolean ? "bool8" : std::string(name_of(dtype));
}

std::string value_type(Dtype dtype) {
  return dtype == Dtype::float16 ? "float32" : storage_type(dtype);
}

std::string loaded(const std::string& text, Dtype dtype) {
  return dtype == Dtype::float16 ? "float16_value(" + text + ")" : text;
}

std::string stored(const std::string& value, Dtype dtype) {
  if (dtype == Dtype::float16) return "float16_of(" + value + ")";
  return dtype == Dtype::boolean ? "(" + value + ") != 0" : value;
}

std::string converted(const std::string& value, Dtype from, Dtype to) {
  if (from == to) return value;
  if (is_complex(from)) {
    if (to == Dtype::boolean) return "((" + value + ").re != 0 || (" + value + ").im != 0)";
    if (!is_complex(to)) return converted("(" + value + ").re", real_part_of(from), to);
    const std::string real(name_of(real_part_of(to)));
    return std::string(name_of(to)) + "_of((" + real + ")(" + value + ").re, (" + real + ")(" + value + ").im)";
  }
  if (is_complex(to)) {
    const std::string real(name_of(real_part_of(to)));
    return std::string(name_of(to)) + "_of((" + real + ")(" + value + "), 0)";
  }
  if (to == Dtype::boolean) return "((" + value + ") != 0)";
  return "((" + value_type(to) + ")(" + value + "))";
}

}  // namespace maxwell_dg::rtcg
