#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "dg/schedule/field_order.hpp"
#include "dg/schedule/state_layout.hpp"
#include "dg/symbolic/code_printer.hpp"
#include "dg/symbolic/expression.hpp"
#include "dg/symbolic/program.hpp"
#include "rtcg/source/syntax.hpp"

/// What the generators of kernels share: how a kernel calls a symbol, and small steps between trees and text.
namespace maxwell_dg::dg {

/// What kernels call a symbol: q0_m, c2_p, nx, rx, dr0, x, t, w3 (a contraction), h1 (an invariant), Fscale.
[[nodiscard]] std::string name_in_kernel(const symbolic::AnySymbol& symbol);

void append(rtcg::syntax::Block& block, const std::vector<std::string>& lines);

/// As it stands in the place of a `${name}`: without the last line's end.
[[nodiscard]] std::string text_of(const rtcg::syntax::Block& block);

/// `const type NAME = value;` with the symbol's name.
[[nodiscard]] rtcg::syntax::Declare declare_symbol(const symbolic::AnySymbol& symbol, const std::string& value,
                                                   const std::string& type = "real");

/// Declares the metric and the inside constants among some symbols, of the element k.
[[nodiscard]] rtcg::syntax::Block load_of_element(std::span<const symbolic::AnySymbol> symbols);

/// The symbols of one kind that some expressions hold, each once.
[[nodiscard]] std::set<symbolic::Symbol> symbols_of(std::span<const symbolic::Expr> expressions,
                                                    symbolic::Symbol::Kind kind);
[[nodiscard]] std::set<symbolic::LoweredSymbol> symbols_of(std::span<const symbolic::Expr> expressions,
                                                           symbolic::LoweredSymbol::Kind kind);

/// Declares the symbols of the metric that some expressions have, from an array of the nine gradients' components.
[[nodiscard]] rtcg::syntax::Block declare_metric(std::span<const symbolic::Expr> expressions, const std::string& G);

/// What computes a program in the kernel's reals; symbols are called as in name_in_kernel, or by `name_of`.
[[nodiscard]] symbolic::PrintedCode print_reals(const symbolic::Program& program, Dtype precision,
                                                std::function<std::string(const symbolic::AnySymbol&)> name_of = {});

/// What DECLARE_ARRIVAL (kernels/shared_memory.kernel) takes of shared memory: what counts the copies that have
/// arrived.
inline constexpr std::size_t arrival_bytes = 16;

using TextOf = std::function<std::string(const std::string&)>;  ///< of a number, or what the kernel calls it

/// Puts values of all fields, by the numbers they have in `from`, and of the metric G, which the kernel knows, to `to`.
[[nodiscard]] rtcg::syntax::Block put_fields(std::span<const symbolic::Expr> values, Dtype precision,
                                             const TextOf& from, const TextOf& to);

/// What kernels of a stage call the distance between two fields of an element: NP, or FIELD_STRIDE where elements are
/// stored in blocks.
[[nodiscard]] std::string field_stride(const StateLayout& layout);

/// Of a vector of the kernel.
inline constexpr std::array<const char*, 4> vector_components{"x", "y", "z", "w"};

/// A table of reals in constant memory, aligned as memory is: it may be read by whole vectors.
[[nodiscard]] std::string constant_table(const std::string& name, std::span<const double> values, Dtype precision);
/// Of all tables of a module: of 64 KB on CUDA some are left for what else a kernel has there.
inline constexpr std::size_t most_table_bytes = std::size_t{62} * 1024;

/// array[i]
[[nodiscard]] std::string at(const std::string& array, int i);

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
