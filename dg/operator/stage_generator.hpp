#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "dg/operator/contraction.hpp"
#include "dg/operator/kernel_generator.hpp"
#include "dg/operator/schedule.hpp"
#include "dg/symbolic/code_printer.hpp"
#include "rtcg/compile/compiler.hpp"
#include "rtcg/source/syntax.hpp"

namespace maxwell_dg::dg {

/// Prints dg/kernels/stage.kernel, a whole Runge-Kutta stage in one kernel (Schedule::Slicing::element_tiles), for a
/// system, an order and a precision; and arranges matrices the way that kernel reads them.
class StageGenerator {
 public:
  using Options = KernelGenerator::Options;

  /// Throws std::invalid_argument on a schedule that is none of element_tiles.
  StageGenerator(const LoweredSystem& lowered, Options options);

  [[nodiscard]] rtcg::KernelSource stage() const;

  [[nodiscard]] int group_items() const { return options_.schedule.warps * 32; }
  [[nodiscard]] int elements_per_group() const { return options_.schedule.elements_per_group; }
  /// Memory on the chip that a group asks for at its launch.
  [[nodiscard]] std::size_t on_chip_bytes() const;

  /// A matrix [node, column] as right-hand factors, [node tile][step of 8 columns][of `matrices`][item][entry]: what
  /// one item reads is adjacent. On tensor cores a single-precision entry is split in two TF32 numbers.
  [[nodiscard]] std::vector<double> right_factors(const std::vector<const Eigen::MatrixXd*>& matrices) const;

 private:
  [[nodiscard]] std::string prologue() const;
  [[nodiscard]] symbolic::PrintedCode print(std::span<const symbolic::Expr> outputs,
                                            std::function<std::string(const symbolic::Symbol&)> name_of = {}) const;
  [[nodiscard]] rtcg::syntax::Block element_invariants() const;
  [[nodiscard]] rtcg::syntax::Block face_invariants() const;
  /// A part of the equations, with the numbers of what its volume term needs.
  struct Part {
    std::vector<int> fields, contractions, operands;
    std::vector<symbolic::Expr> volume;  ///< of `fields`
    std::string names;                   ///< for comments
  };
  [[nodiscard]] Part part(std::size_t number) const;
  [[nodiscard]] rtcg::syntax::Block load_operand_invariants(const Part& part) const;
  [[nodiscard]] rtcg::syntax::Block volume_products(const Part& part) const;
  [[nodiscard]] rtcg::syntax::Block equations(const Part& part) const;
  [[nodiscard]] std::string volume_of(const Part& part) const;
  [[nodiscard]] std::string lift_of(const Part& part) const;
  [[nodiscard]] std::string store_of(const Part& part) const;
  /// `if (part == 0) {...}` and so on.
  [[nodiscard]] std::string each_part(std::string (StageGenerator::*text_of_part)(const Part&) const) const;
  [[nodiscard]] rtcg::syntax::Block fluxes() const;
  [[nodiscard]] bool tensor_cores() const { return options_.schedule.products == Schedule::Products::tensor_cores; }

  const LoweredSystem& lowered_;
  ContractedSystem contracted_;
  Options options_;
  int Np_, Nfp_, fields_;
  int row_, trace_row_, element_size_, warps_a_tile_row_, tiles_a_warp_;
};

}  // namespace maxwell_dg::dg
