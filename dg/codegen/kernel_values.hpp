#pragma once

#include <span>
#include <string>
#include <vector>

#include "dg/schedule/field_order.hpp"
#include "dg/symbolic/code_printer.hpp"
#include "dg/symbolic/program.hpp"
#include "rtcg/source/value.hpp"

/// C++ objects as values of kernel templates (rtcg::Template).
namespace maxwell_dg::dg {

/// A list of symbols, each a record {kind, name, number, side}. `kind` is 'field', 'normal', 'coordinate', 'time',
/// 'profile', 'constant', 'metric', 'derivative', 'face_scale', 'contraction', 'invariant' or 'edges'; `name` the name
/// in kernels (name_in_kernel); `number` the index or the axis; `side` 'inside' or 'outside'.
[[nodiscard]] rtcg::Value::List values_of(const std::vector<symbolic::AnySymbol>& symbols);

/// A program as a record {symbols, lines, results}: the symbols that occur, in the order of first use; lines that
/// compute subexpressions which occur more than once; the text of each output.
[[nodiscard]] rtcg::Record values_of(const symbolic::Program& program, const symbolic::PrintedCode& code);

/// The symbols that occur in some expressions, sorted by kind, then by number.
[[nodiscard]] std::vector<symbolic::AnySymbol> symbols_by_kind(std::span<const symbolic::Expr> expressions);
/// The same as values_of(program, code), with symbols sorted by kind.
[[nodiscard]] rtcg::Record values_by_kind(const symbolic::Program& program, const symbolic::PrintedCode& code);

[[nodiscard]] rtcg::Value::List values_of(const std::vector<int>& numbers);
[[nodiscard]] rtcg::Value::List values_of(const std::vector<double>& numbers);
[[nodiscard]] rtcg::Value::List values_of(const std::vector<std::string>& texts);

/// An order of fields as a record {rows, side_by_side}.
[[nodiscard]] rtcg::Record values_of(const FieldOrder& order);

}  // namespace maxwell_dg::dg
