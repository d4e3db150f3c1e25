#pragma once

#include <functional>
#include <string>

#include "rtcg/source/syntax.hpp"

namespace maxwell_dg::dg {

/// The matrices (right factors) that the steps of a product of tiles multiply by, as a warp fetches them to its
/// registers: text for stage_tiles.kernel, which knows the address `next` of the step that is next.
struct StepMatrices {
  std::string name;   ///< of the array in the kernel: [set][tile][matrix of a step]
  std::string steps;  ///< what the kernel calls the number of all steps
  int a_step{};       ///< matrices of a step
  bool are_ahead{};   ///< fetched before the products of the step before, into a set of their own

  /// The first or the other set.
  [[nodiscard]] std::string set(int number) const;
  /// Fetches those at `next` into a set.
  [[nodiscard]] rtcg::syntax::Block fetch(int to_set) const;
  /// The loop over the steps `begin` to `end`, whose first matrices are in the first set. `products(set)` is what a
  /// step multiplies by those of a set; it knows `step`.
  [[nodiscard]] std::string loop(const std::function<rtcg::syntax::Block(const std::string& set)>& products) const;

 private:
  [[nodiscard]] rtcg::syntax::Block assign(int to_set, const std::string& value) const;
};

}  // namespace maxwell_dg::dg
