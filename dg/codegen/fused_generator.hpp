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
#include "dg/lowering/contraction.hpp"
#include "dg/lowering/element_basis.hpp"
#include "dg/reference/reference_element.hpp"
#include "dg/schedule/schedule.hpp"
#include "dg/schedule/state_layout.hpp"
#include "dg/symbolic/code_printer.hpp"
#include "rtcg/compile/compiler.hpp"
#include "rtcg/source/value.hpp"

namespace maxwell_dg::dg {

/// Prints a whole Runge-Kutta stage as one kernel, for a system, an order, a precision and a schedule. What the ways to
/// do that have in common: the contracted equations, their invariants, the update at the end.
class FusedGenerator {
 public:
  using Options = KernelGenerator::Options;

  virtual ~FusedGenerator() = default;

  [[nodiscard]] virtual rtcg::KernelSource stage() const = 0;
  [[nodiscard]] virtual int group_items() const = 0;
  [[nodiscard]] virtual int elements_per_group() const = 0;
  /// Shared memory, in bytes, that a group asks for at its launch.
  [[nodiscard]] virtual std::size_t shared_bytes() const = 0;
  /// Values an element, of what the kernel `prepare` computes once for all stages, [block][value][element of the
  /// block]. It is launched in groups of `prepare_items`, an item an element.
  [[nodiscard]] virtual int invariant_row() const = 0;
  [[nodiscard]] virtual int invariant_block() const { return options_.schedule.lanes(); }
  static constexpr int prepare_items = 128;
  /// Dr, Ds and Dt, and LIFT, arranged as the kernel reads them; empty when they are part of its text.
  [[nodiscard]] virtual std::vector<double> derivative_factors(const ReferenceElement& reference) const = 0;
  [[nodiscard]] virtual std::vector<double> lift_factors(const ReferenceElement& reference) const = 0;
  /// What the kernel looks up by nodes, in Fmask: [face][node] the element's nodes on each face, and what it adds.
  [[nodiscard]] virtual std::vector<std::int32_t> node_words(const ReferenceElement& reference) const;

 protected:
  /// `metric_is_at_hand`: rows of invariants begin with the gradients of r, s and t, and have no normals; not in the
  /// basis of the element, where they have neither. Throws std::invalid_argument where the schedule asks for that and
  /// the system has none.
  FusedGenerator(const LoweredSystem& lowered, Options options, bool metric_is_at_hand = false);

  /// A part of the equations, with the numbers of what its volume term needs.
  struct Part {
    std::vector<int> fields, contractions, operands;
    std::vector<symbolic::Expr> volume;  ///< of `fields`
  };
  [[nodiscard]] Part part(std::size_t number) const;
  [[nodiscard]] int most_fields_of_a_part() const;

  /// What kernels by elements and by tiles are given as `stage`: see stage_sizes.kernel, which defines sizes and then
  /// `more` of them, and stage_update.kernel.
  [[nodiscard]] rtcg::Record stage_values(const std::vector<std::pair<std::string, int>>& more) const;
  [[nodiscard]] std::string name() const;  ///< of the source
  [[nodiscard]] symbolic::PrintedCode print(std::span<const symbolic::Expr> outputs,
                                            std::function<std::string(const symbolic::AnySymbol&)> name_of = {}) const;
  /// What a template is given of expressions (values_by_kind).
  [[nodiscard]] rtcg::Record printed(std::span<const symbolic::Expr> expressions) const;
  /// What prepare.kernel, for a kernel that defines CONSTANT_OFFSET, is given as `prepare`: a row of invariants holds
  /// so many values of the element, then for each face its normal, if rows have normals, and its invariants.
  [[nodiscard]] rtcg::Record prepare_values(int values_of_an_element, int values_of_a_face) const;
  /// What volume terms have of contractions, [field of the part]: the same between mirror sums as at nodes; and what
  /// they have of the fields at a node, [field].
  [[nodiscard]] std::vector<symbolic::Expr> of_contractions(const Part& part) const;
  [[nodiscard]] std::vector<symbolic::Expr> of_node() const;
  [[nodiscard]] bool rows_have_normals() const { return !basis_ && !contracted_.metric_is_at_hand; }
  [[nodiscard]] bool rows_have_metric() const { return !basis_ && contracted_.metric_is_at_hand; }

  /// Gradients of coordinates that the reflections keep or turn round, [3 * coordinate + axis], from the gradients G.
  [[nodiscard]] rtcg::Value::List mirror_axes() const;

  // Of the layout of the state, where elements may lie in blocks of a group each.
  [[nodiscard]] bool is_blocked() const { return options_.schedule.is_blocked(); }
  /// What basis.kernel is given for `to_cartesian` and `from_cartesian`, where the state is in the basis of the
  /// element. Launched in groups of `prepare_items`, an item a node.
  [[nodiscard]] rtcg::Value::List basis_changes() const;

  [[nodiscard]] std::size_t real_bytes() const { return size_of(options_.precision); }
  /// Reals that 16 bytes hold.
  [[nodiscard]] int vector_size() const { return 16 / static_cast<int>(real_bytes()); }

  const LoweredSystem& lowered_;
  Options options_;
  std::optional<ElementBasis> basis_;  ///< in which the state's vectors are, unless along x, y, z
  ContractedSystem contracted_;        ///< its parts joined to one where the schedule has them together
  int Np_, Nfp_, fields_;
  StateLayout layout_;  ///< of one element
  int element_size_;    ///< values from one element to the next; in a block, on average
  FaceTraces traces_;   ///< where a group copies neighbours' traces to shared memory
  SharedRows rows_;     ///< the elements' state, where a group keeps it in shared memory
};

/// The equations in the form in which a schedule's kernels have them, in a basis that the state's vectors are in,
/// unless along x, y, z. `metric_is_at_hand`: see ContractedSystem.
[[nodiscard]] ContractedSystem contract_for(const Schedule& schedule, const LoweredSystem& lowered,
                                            const std::optional<ElementBasis>& basis, bool metric_is_at_hand = false);

/// Whether matrices act between mirror sums (dg/reference/mirror_sums.hpp).
[[nodiscard]] bool has_mirror_sums(const Schedule& schedule);

/// The least distance between rows of at least `values` that keeps a warp's items in different banks.
[[nodiscard]] int row_apart(int values);

/// How many there are, but 1 for none: arrays have a length.
[[nodiscard]] int count_of(std::span<const symbolic::Expr> list);

/// The component of the outward normal along an axis, a number or its name in the kernel, times what areas are scaled
/// by, from gradients G of r, s and t.
[[nodiscard]] std::string scaled_normal(int face, const std::string& axis);
/// Where the kernel knows the `face`.
[[nodiscard]] std::string scaled_normal(const std::string& axis);

}  // namespace maxwell_dg::dg
