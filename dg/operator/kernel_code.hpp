#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dg/symbolic/expression.hpp"
#include "rtcg/source/syntax.hpp"

/// What the generators of kernels share: how a kernel calls a symbol, and small steps between trees and text.
namespace maxwell_dg::dg {

/// What kernels call a symbol: q0_m, c2_p, nx, rx, dr0, x, t, w3 (a contraction), h1 (an invariant), Fscale.
[[nodiscard]] std::string name_in_kernel(const symbolic::Symbol& symbol);

void append(rtcg::syntax::Block& block, const std::vector<std::string>& lines);

/// As it stands in the place of a `${name}`: without the last line's end.
[[nodiscard]] std::string text_of(const rtcg::syntax::Block& block);

/// `const type NAME = value;` with the symbol's name.
[[nodiscard]] rtcg::syntax::Declare declare_symbol(const symbolic::Symbol& symbol, const std::string& value,
                                                   const std::string& type = "real");

/// Position of a number in a sorted list of fields or constants.
[[nodiscard]] int place_in(const std::vector<int>& list, int index);

/// A number as a kernel has it.
[[nodiscard]] inline std::string number(int i) {
  return std::to_string(i);
}
[[nodiscard]] inline std::string number(std::size_t i) {
  return std::to_string(i);
}

}  // namespace maxwell_dg::dg
