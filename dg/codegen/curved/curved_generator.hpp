#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <Eigen/Dense>

#include "dg/codegen/kernel_generator.hpp"
#include "dg/lowering/curved_system.hpp"
#include "dg/mesh/curved/curved_geometry.hpp"
#include "dg/reference/element_quadrature.hpp"
#include "dg/reference/reference_element.hpp"
#include "rtcg/compile/compiler.hpp"

namespace maxwell_dg::dg {

/// What a stage of curved elements is generated for. Refers to what must outlive it.
struct CurvedProblem {
  const LoweredSystem& lowered;
  const ReferenceElement& reference;
  const ElementQuadrature& quadrature;
  KernelGenerator::Options options;  ///< with the schedule of straight elements, which says how the state is stored
  bool media_vary = false;           ///< within elements
};

/// Where numbers at points of curved elements (nodes, volume points, or the face points of each face) are in an array:
/// `block` elements are side by side. [block][face][number][point][element of the block] or, if they are `by_point`,
/// [block][face][point][number][element of the block].
struct PointOrder {
  int block = 1;
  bool by_point = false;
  /// Not by_point, `numbers_at_once` numbers of a point follow one another, [block][face][number / numbers_at_once]
  /// [point][number % numbers_at_once][element of the block]; and there are zeros for points up to a multiple of
  /// `points_at_once`.
  int numbers_at_once = 1, points_at_once = 1;
};

/// A stage of curved elements as a kernel, of one kind (CurvedKind). It takes the place of the schedule's own kernel in
/// ranges of curved elements, and reads and writes the same state. Its vectors have components along x, y and z, or
/// those in the basis of the element, at each node by the metric there, as the schedule says.
class CurvedGenerator {
 public:
  virtual ~CurvedGenerator() = default;

  /// The text of the kernel `curved_stage`. CurvedStage (dg/operator/curved_stage.cpp) launches it, with the arguments
  ///
  ///   Q, Q_new, RES, neighbours, material, constants, metric_at_nodes, point_invariants, face_invariants,
  ///   [media], boundary_rows, boundary_metric, boundary_points, boundary_kind, (each of `matrices`), Fmask, a, b, dt,
  ///   t, first_element, first_number, count, [is_backwards]
  ///
  /// for `count` elements from first_element on, which have the numbers from first_number on among the curved ones.
  /// In the order of `point_order` are: metric_at_nodes (numbers_at_node, of the gradients of r, s and t, rx ry rz sx
  /// ... tz); point_invariants at volume points and face_invariants at face points, which are the numbers of
  /// CurvedSystem::contracted that differ from point to point (CurvedSystem::at_points; the others are media, if there
  /// are any: [element] those of the element, then those of each face); boundary_metric and boundary_points, which have
  /// a row of `block` elements for each face of a block with boundary faces: boundary_rows[4 * block + face], -1 if
  /// there are none. Their numbers at a face point are numbers_at_node and the normal; and the position, as float64.
  [[nodiscard]] virtual rtcg::KernelSource stage() const = 0;
  [[nodiscard]] virtual int group_items() const = 0;
  /// A group computes so many elements, whose numbers begin with a multiple of this: a multiple of point_order().block.
  [[nodiscard]] virtual int elements_per_group() const = 0;
  /// Shared memory that a group asks for at its launch, in bytes.
  [[nodiscard]] virtual std::size_t shared_bytes() const = 0;
  /// Whether the kernel has the argument is_backwards, which asks to go through the elements from the last to the
  /// first.
  [[nodiscard]] virtual bool has_directions() const { return false; }
  [[nodiscard]] virtual PointOrder point_order() const { return {}; }
  /// The order of the invariants alone.
  [[nodiscard]] virtual PointOrder invariant_order() const { return point_order(); }
  /// What the kernel reads of the metric at nodes, and at points of boundary faces: by default, the gradients.
  [[nodiscard]] virtual std::vector<double> numbers_at_node(const CurvedGeometry::Gradients& gradients) const {
    return {gradients.begin(), gradients.end()};
  }
  /// The matrices of the reference element, in the order of their arguments and as the kernel reads them.
  [[nodiscard]] virtual std::vector<std::vector<double>> matrices() const = 0;

  /// The equations whose invariants the kernel reads.
  [[nodiscard]] const CurvedSystem& system() const { return system_; }
  [[nodiscard]] const CurvedProblem& problem() const { return problem_; }
  /// Numbers of the media of an element and of its faces: 0 if they are a part of those at points.
  [[nodiscard]] int media_numbers() const;

 protected:
  /// `axes`: of the contractions. Throws ConfigError as CurvedSystem::of does.
  explicit CurvedGenerator(const CurvedProblem& problem, Axes axes = Axes::reference, const MediaApart& apart = {});

  [[nodiscard]] const LoweredSystem& lowered() const { return problem_.lowered; }
  [[nodiscard]] const KernelGenerator::Options& options() const { return problem_.options; }
  /// Whether the state is stored in the basis of the element.
  [[nodiscard]] bool in_basis() const { return options().schedule.in_basis_of_element(); }
  [[nodiscard]] int volume_points() const { return problem_.quadrature.volume_points(); }
  [[nodiscard]] int face_points() const { return problem_.quadrature.face_points(); }
  /// The most values that are computed at a point of a face (Lifting::values).
  [[nodiscard]] int flux_values() const;
  /// The text of a template that includes state.kernel: as KernelGenerator::source.
  [[nodiscard]] rtcg::KernelSource source(const rtcg::Template& text, rtcg::Record values) const;
  /// The template value of some expressions (values_by_kind).
  [[nodiscard]] rtcg::Record printed(const std::vector<symbolic::Expr>& expressions) const;
  /// A list of {number, through, terms: {field, negative}}.
  [[nodiscard]] static rtcg::Value::List values_of_traces(const std::vector<CurvedSystem::Trace>& traces);
  /// Column by column.
  [[nodiscard]] static std::vector<double> columns(const Eigen::MatrixXd& matrix);

 private:
  CurvedProblem problem_;
  CurvedSystem system_;
  KernelGenerator generator_;
};

}  // namespace maxwell_dg::dg
