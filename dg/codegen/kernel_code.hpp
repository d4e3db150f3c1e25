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

/// Functions that generators of kernels share: the names of symbols in kernels, and how expressions are printed.
namespace maxwell_dg::dg {

/// The name of a symbol in kernels: q0_m, c2_p, nx, rx, dr0, x, t, w3 (a contraction), h1 (an invariant), Fscale.
[[nodiscard]] std::string name_in_kernel(const symbolic::AnySymbol& symbol);

/// The symbols of one kind that occur in some expressions, each once.
[[nodiscard]] std::set<symbolic::Symbol> symbols_of(std::span<const symbolic::Expr> expressions,
                                                    symbolic::Symbol::Kind kind);
[[nodiscard]] std::set<symbolic::LoweredSymbol> symbols_of(std::span<const symbolic::Expr> expressions,
                                                           symbolic::LoweredSymbol::Kind kind);

/// A program as code with the kernel's type `real`. Names of symbols are those of name_in_kernel, or of `name_of`.
[[nodiscard]] symbolic::PrintedCode print_reals(const symbolic::Program& program, Dtype precision,
                                                std::function<std::string(const symbolic::AnySymbol&)> name_of = {});

/// The bytes of shared memory that DECLARE_ARRIVAL (copies.kernel) takes, for a barrier that counts arrived copies.
inline constexpr std::size_t arrival_bytes = 16;

/// The distance between two fields of an element in kernels of a stage: NP, or FIELD_STRIDE if elements are stored in
/// blocks.
[[nodiscard]] std::string field_stride(const StateLayout& layout);

/// The components of a vector in kernels.
inline constexpr std::array<const char*, 4> vector_components{"x", "y", "z", "w"};

/// The most bytes of all tables in constant memory of a module (constant_table.kernel). CUDA has 64 KB of constant
/// memory, of which kernels need some themselves.
inline constexpr std::size_t most_table_bytes = std::size_t{62} * 1024;

/// The text of a number.
[[nodiscard]] inline std::string number(int i) {
  return std::to_string(i);
}
[[nodiscard]] inline std::string number(std::size_t i) {
  return std::to_string(i);
}

}  // namespace maxwell_dg::dg
