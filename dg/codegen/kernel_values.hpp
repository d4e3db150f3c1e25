#pragma once

#include <span>
#include <string>
#include <vector>

#include "dg/schedule/field_order.hpp"
#include "dg/symbolic/code_printer.hpp"
#include "dg/symbolic/program.hpp"
#include "rtcg/source/value.hpp"

/// Values that templates of kernels are given (rtcg::Template).
namespace maxwell_dg::dg {

/// Of symbols, in their order: {kind, name, number, side}. `kind` is 'field', 'normal', 'coordinate', 'time',
/// 'profile', 'constant', 'metric', 'derivative', 'face_scale', 'contraction', 'invariant' or 'edges', `name` what
/// kernels call it (name_in_kernel), `number` its index or axis, `side` 'inside' or 'outside'.
[[nodiscard]] rtcg::Value::List values_of(const std::vector<symbolic::AnySymbol>& symbols);

/// Of expressions that a kernel computes: {symbols, lines, results}. The symbols that occur, in the order of first use;
/// lines that compute what occurs more than once; the text of each expression.
[[nodiscard]] rtcg::Record values_of(const symbolic::Program& program, const symbolic::PrintedCode& code);

/// The symbols that occur in some expressions, by kind, then by number.
[[nodiscard]] std::vector<symbolic::AnySymbol> symbols_by_kind(std::span<const symbolic::Expr> expressions);
/// The same as values_of, with symbols by kind.
[[nodiscard]] rtcg::Record values_by_kind(const symbolic::Program& program, const symbolic::PrintedCode& code);

[[nodiscard]] rtcg::Value::List values_of(const std::vector<int>& numbers);
[[nodiscard]] rtcg::Value::List values_of(const std::vector<std::string>& texts);

/// {rows, side_by_side}
[[nodiscard]] rtcg::Record values_of(const FieldOrder& order);

}  // namespace maxwell_dg::dg
