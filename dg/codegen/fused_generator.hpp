#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dg/codegen/face_traces.hpp"
#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/kernel_generator.hpp"
#include "dg/codegen/shared_rows.hpp"
#include "dg/codegen/term_of_stage.hpp"
#include "dg/lowering/contraction.hpp"
#include "dg/lowering/element_basis.hpp"
#include "dg/reference/reference_element.hpp"
#include "dg/schedule/schedule.hpp"
#include "dg/schedule/state_layout.hpp"
#include "dg/symbolic/code_printer.hpp"
#include "rtcg/compile/compiler.hpp"
#include "rtcg/source/value.hpp"

namespace maxwell_dg::dg {

/// Prints a whole Runge-Kutta stage as one kernel, for a system, an order, a precision and a schedule. This base class
/// has what all such slicings share: the contracted equations, their invariants, and the update at the end.
class FusedGenerator {
 public:
  using Options = KernelGenerator::Options;

  virtual ~FusedGenerator() = default;

  /// The text of all kernels. FusedStage (dg/operator/fused_stage.cpp) launches them and says their arguments: `stage`;
  /// `prepare`, once before the first stage (prepare.kernel); in the basis of the element also `to_cartesian` and
  /// `from_cartesian` (basis.kernel). `stage` has the arguments
  ///
  ///   Q, Q_new, RES, invariants, [metric], neighbours, [outside_nodes], [terms], material, constants, [D, LIFT],
  ///   Fmask, boundary_kind, boundary_nodes, a, b, dt, t, elements, is_backwards, [range_begin, range_end]
  ///
  /// of which some are left out: metric unless Schedule::constants_by_material, outside_nodes unless
  /// Schedule::connects_nodes, D and LIFT if lift_factors is empty, the range unless Options::has_ranges. Of each term
  /// of `compute_terms` there are five arrays (term_of_stage.kernel). `a`, `b` and
  /// `dt` are reals, `t` is a float64. `is_backwards` asks to go through the elements from the last to the first.
  [[nodiscard]] virtual rtcg::KernelSource stage() const = 0;
  /// Lets the stage compute these terms as well; of schedules for which StageTerms has any.
  void compute_terms(std::vector<TermOfStage> terms) { terms_ = std::move(terms); }
  [[nodiscard]] virtual int group_items() const = 0;
  [[nodiscard]] virtual int elements_per_group() const = 0;
  /// The dynamic shared memory of a group, in bytes.
  [[nodiscard]] virtual std::size_t shared_bytes() const = 0;
  /// How many invariants the kernel `prepare` computes for each element, once for all stages, and how many elements a
  /// block has in their array, [block][invariant][element of the block]. `prepare` is launched with a work-item for
  /// each element, in groups of `prepare_items`.
  [[nodiscard]] virtual int invariant_row() const = 0;
  [[nodiscard]] virtual int invariant_block() const { return options_.schedule.lanes(); }
  static constexpr int prepare_items = 128;
  /// Dr, Ds and Dt, and LIFT, in the order in which the kernel reads them; empty if they are part of its text.
  [[nodiscard]] virtual std::vector<double> derivative_factors(const ReferenceElement& reference) const = 0;
  [[nodiscard]] virtual std::vector<double> lift_factors(const ReferenceElement& reference) const = 0;
  /// The kernel's argument Fmask: [face][node of the face] the numbers of the element's nodes. A derived class may
  /// append more integers.
  [[nodiscard]] virtual std::vector<std::int32_t> node_words(const ReferenceElement& reference) const;

 protected:
  /// `metric_is_at_hand`: see ContractedSystem; an element's invariants then begin with the gradients of r, s and t,
  /// and have no normals. In the basis of the element they have neither. Throws std::invalid_argument if the schedule
  /// needs a basis of the element and the system has none.
  FusedGenerator(const LoweredSystem& lowered, Options options, bool metric_is_at_hand = false);

  /// A part of the equations (Schedule::Parts): its fields, and the contractions and operands of its volume terms.
  struct Part {
    std::vector<int> fields, contractions, operands;
    std::vector<symbolic::Expr> volume;  ///< [index into fields]
  };
  [[nodiscard]] Part part(std::size_t number) const;
  [[nodiscard]] int most_fields_of_a_part() const;

  /// The template value `stage` of Elements and Tiles, for stage_sizes.kernel and stage_update.kernel. `more`: names
  /// and values of macros to define besides the common ones.
  [[nodiscard]] rtcg::Record stage_values(const std::vector<std::pair<std::string, int>>& more) const;
  [[nodiscard]] std::string name() const;  ///< the name of the kernel's text
  [[nodiscard]] symbolic::PrintedCode print(std::span<const symbolic::Expr> outputs,
                                            std::function<std::string(const symbolic::AnySymbol&)> name_of = {}) const;
  /// The template value of some expressions (values_by_kind).
  [[nodiscard]] rtcg::Record printed(std::span<const symbolic::Expr> expressions) const;
  /// The template value `prepare` of prepare.kernel. An element has `values_of_an_element` invariants of its own, then
  /// `values_of_a_face` for each face: the normal (if rows_have_normals) and the face's invariants. The kernel must
  /// define CONSTANT_OFFSET.
  [[nodiscard]] rtcg::Record prepare_values(int values_of_an_element, int values_of_a_face) const;
  /// The two parts of volume terms, which are linear: [field of the part] that of contractions, which is the same for
  /// mirror sums and for nodes; and [field] that of the fields at a node.
  [[nodiscard]] std::vector<symbolic::Expr> of_contractions(const Part& part) const;
  [[nodiscard]] std::vector<symbolic::Expr> of_node() const;
  [[nodiscard]] bool rows_have_normals() const { return !basis_ && !contracted_.metric_is_at_hand; }
  [[nodiscard]] bool rows_have_metric() const { return !basis_ && contracted_.metric_is_at_hand; }

  using Print = std::function<symbolic::PrintedCode(std::span<const symbolic::Expr>)>;
  /// The template value `terms` of term_of_stage.kernel.
  [[nodiscard]] rtcg::Value::List term_values(const Print& print) const;

  /// The gradients of u, v and w (MirrorSums), [3 * coordinate + axis], as expressions of those of r, s and t.
  [[nodiscard]] rtcg::Value::List mirror_axes() const;

  // The layout of the state: with blocked rows, a group's elements are one block.
  [[nodiscard]] bool is_blocked() const { return options_.schedule.is_blocked(); }
  /// The template value `basis_changes` of basis.kernel: the kernels `to_cartesian` and `from_cartesian`, if the state
  /// is in the basis of the element. They are launched with a work-item for each node, in groups of `prepare_items`.
  [[nodiscard]] rtcg::Record basis_changes() const;

  [[nodiscard]] std::size_t real_bytes() const { return size_of(options_.precision); }
  /// Reals in a vector of 16 bytes.
  [[nodiscard]] int vector_size() const { return 16 / static_cast<int>(real_bytes()); }

  const LoweredSystem& lowered_;
  Options options_;
  std::optional<ElementBasis> basis_;  ///< of the state's vectors; none: components along x, y, z
  ContractedSystem contracted_;        ///< with all parts joined to one, for Schedule::Parts::together
  int Np_, Nfp_, fields_;
  StateLayout layout_;  ///< of one element
  int element_size_;    ///< values from one element to the next; in a block, the mean
  FaceTraces traces_;   ///< how neighbours' traces are copied to shared memory
  std::vector<TermOfStage> terms_{};
  SharedRows rows_;  ///< the elements' state in shared memory, if a group copies it there
};

/// The equations in the form that a schedule's kernels compute. `basis`: of the state's vectors; none: components along
/// x, y, z. `metric_is_at_hand`: see ContractedSystem.
[[nodiscard]] ContractedSystem contract_for(const Schedule& schedule, const LoweredSystem& lowered,
                                            const std::optional<ElementBasis>& basis, bool metric_is_at_hand = false);

/// The least distance between rows of `values` values in shared memory that avoids bank conflicts of a warp: 4 more
/// than a multiple of 8.
[[nodiscard]] int row_apart(int values);

/// The length of a list, but at least 1: the length of an array must not be 0.
[[nodiscard]] int count_of(std::span<const symbolic::Expr> list);

}  // namespace maxwell_dg::dg
