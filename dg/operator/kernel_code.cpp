#include "dg/operator/kernel_code.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace maxwell_dg::dg {

using symbolic::Symbol;
using Kind = Symbol::Kind;

std::string name_in_kernel(const Symbol& s) {
  static const char* const axes[] = {"x", "y", "z"};
  static const char* const reference_axes[] = {"r", "s", "t"};
  const std::string index = std::to_string(s.index);
  const std::string side = s.side == symbolic::Side::outside ? "_p" : "_m";
  switch (s.kind) {
    case Kind::field: return "q" + index + side;
    case Kind::parameter: return "c" + index + side;
    case Kind::normal: return std::string("n") + axes[s.index];
    case Kind::coordinate: return axes[s.index];
    case Kind::time: return "t";
    case Kind::profile: return "p" + index;
    case Kind::reference_derivative: return std::string("d") + reference_axes[s.axis] + index;
    case Kind::metric:
      if (s.index < 9) return std::string(reference_axes[s.index / 3]) + axes[s.index % 3];
      return std::string(axes[s.index % 3]) + "_" + reference_axes[s.index / 3 - 3];
    case Kind::face_scale: return "Fscale";
    case Kind::contraction: return "w" + index;
    case Kind::invariant: return "h" + index;
    case Kind::edges:
      return std::array{"tau_11", "tau_12", "tau_22", "orientation"}.at(static_cast<std::size_t>(s.index));
    case Kind::derivative:
    case Kind::curl:
    case Kind::divergence: break;
  }
  throw std::logic_error("name_in_kernel: a physical derivative must be lowered before code is made of it");
}

void append(rtcg::syntax::Block& block, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) block += rtcg::syntax::Line(line);
}

std::string text_of(const rtcg::syntax::Block& block) {
  std::string text = rtcg::syntax::print(block);
  if (!text.empty()) text.pop_back();
  return text;
}

rtcg::syntax::Declare declare_symbol(const Symbol& symbol, const std::string& value, const std::string& type) {
  return {"const " + type, name_in_kernel(symbol), value};
}

int place_in(const std::vector<int>& list, int index) {
  return static_cast<int>(std::lower_bound(list.begin(), list.end(), index) - list.begin());
}

}  // namespace maxwell_dg::dg
