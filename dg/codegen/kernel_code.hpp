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

/// What the generators of kernels share: how a kernel calls a symbol, and how expressions are printed.
namespace maxwell_dg::dg {

/// What kernels call a symbol: q0_m, c2_p, nx, rx, dr0, x, t, w3 (a contraction), h1 (an invariant), Fscale.
[[nodiscard]] std::string name_in_kernel(const symbolic::AnySymbol& symbol);

/// The symbols of one kind that some expressions hold, each once.
[[nodiscard]] std::set<symbolic::Symbol> symbols_of(std::span<const symbolic::Expr> expressions,
                                                    symbolic::Symbol::Kind kind);
[[nodiscard]] std::set<symbolic::LoweredSymbol> symbols_of(std::span<const symbolic::Expr> expressions,
                                                           symbolic::LoweredSymbol::Kind kind);

/// What computes a program in the kernel's reals; symbols are called as in name_in_kernel, or by `name_of`.
[[nodiscard]] symbolic::PrintedCode print_reals(const symbolic::Program& program, Dtype precision,
                                                std::function<std::string(const symbolic::AnySymbol&)> name_of = {});

/// What DECLARE_ARRIVAL (kernels/shared_memory.kernel) takes of shared memory: what counts the copies that have
/// arrived.
inline constexpr std::size_t arrival_bytes = 16;

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

/// A number as a kernel has it.
[[nodiscard]] inline std::string number(int i) {
  return std::to_string(i);
}
[[nodiscard]] inline std::string number(std::size_t i) {
  return std::to_string(i);
}

}  // namespace maxwell_dg::dg
