#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/operator/device_problem.hpp"
#include "dg/schedule/curved_variant.hpp"
#include "dg/schedule/schedule.hpp"
#include "dg/symbolic/system.hpp"
#include "rtcg/compile/compiler.hpp"

namespace maxwell_dg::dg {

/// A small problem of a system and an order with nothing special about it (a distorted mesh of 36 elements, random
/// materials, every boundary condition, random fields), and what the reference operator makes of one stage of it: what
/// a kernel must get right before it is timed or used. It may have terms, in some elements, that stages compute
/// themselves.
class Verification {
 public:
  /// In a cube around `where`'s vertices, since boundary conditions may depend on position: in the unit cube without.
  /// Of straight elements, or half of them curved. `terms`: what some of the straight ones have, with the parameters
  /// and profiles of these terms' own elements, of the same order.
  Verification(const System& system, int N, const Mesh* where = nullptr,
               ElementRange::Shape shape = ElementRange::Shape::affine, const std::vector<ElementTerm>& terms = {});

  [[nodiscard]] const std::shared_ptr<const Discretization>& discretization() const { return discretization_; }
  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] bool has_terms() const { return problem_.has_terms(); }

  /// The stage: q = fields(), res = 0; res = dt() rhs(q, time()); q += res.
  [[nodiscard]] std::span<const double> fields() const { return fields_; }
  /// Before the stage, the auxiliary variables of the terms (as ReferenceOperator::rhs has them).
  [[nodiscard]] std::span<const double> auxiliary() const { return auxiliary_; }
  [[nodiscard]] double time() const { return time_; }
  [[nodiscard]] double dt() const { return dt_; }
  /// Does that stage on a device that has problem(), with terms if there are any; these may be stages of another
  /// schedule.
  void run(const DeviceProblem& problem, StageKernels& stages) const;
  /// Of the q that it leaves: the right-hand side's relative error in the Euclidean norm, the larger one of elements
  /// with and without terms. Infinity where that is not finite but the reference is.
  [[nodiscard]] double error_of(std::span<const double> q) const;
  /// The same of the kernels that a schedule and, on curved elements, a variant have on a mesh of so many elements, run
  /// on discretization().
  [[nodiscard]] double error_of(const rtcg::Compiler& compiler, const Schedule& schedule, Dtype precision,
                                std::size_t elements, const CurvedVariant& curved = {}) const;

  /// "", or how large an error is that is beyond what is allowed.
  [[nodiscard]] static std::string objection(double error, double allowed);
  /// What is beyond rounding at any order: a kernel with a larger error is wrong.
  [[nodiscard]] static double bound(Dtype precision) { return precision == Dtype::float64 ? 1e-13 : 1e-5; }

 private:
  std::shared_ptr<const Discretization> discretization_;
  Problem problem_;
  [[nodiscard]] bool has_term(std::size_t value) const {
    return has_term_[value / (fields_.size() / has_term_.size())];
  }

  std::vector<double> fields_, auxiliary_;
  std::vector<double> expected_;  ///< the reference's right-hand side
  std::vector<bool> has_term_;    ///< [element]
  double time_, dt_{1};
};

}  // namespace maxwell_dg::dg
