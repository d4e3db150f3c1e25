#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/mpi/communicator.hpp"
#include "dg/maxwell/pml.hpp"
#include "dg/mesh/curved/outer_round.hpp"

namespace maxwell_dg::dg::maxwell {

/// A PML of some thickness against the outer boundary of a mesh: where it moves a point. The displacement grows from 0
/// to c ln(1/reflection) / 2 at the outer boundary, so that a wave which meets it head on comes back with `reflection`
/// on an infinitely fine mesh. It grows with the depth, so the damping, its gradient, is the same everywhere; in round
/// shapes with curved elements with the square of the depth, so that the damping does not jump within elements that lie
/// on both sides of its beginning, where fields would grow.
/// Where a wave decays by more in an element than the order can follow, the mesh reflects it. So by default it decays
/// by at most 2 + 1.1 N nepers in any element of a box, 1.6 + 0.4 N in round shapes of straight elements; with curved
/// ones 2 + 1.1 N over the part of the thickness that an element spans, in the mean, so that with m across the
/// outermost takes 2 - 1/m times as much. `reflection` is at least 1e-8 (docs/theory.md has the measurements).
///
/// - A box damps along x, y and z, towards those sides of the mesh's bounding box on which it lies: where all boundary
///   faces belong to its elements, or where it has an inner face parallel to the side, at most its thickness away. So a
///   PML that stands on a conducting ground does not damp towards it, and one through which a feed leads does.
/// - A sphere damps along the radius, and as a longer radius stretches lengths across, along these, too. Its centre is
///   that of the sphere through the corners of its outer faces and the nodes of their curved maps, so it may be a part
///   of one over a conducting ground, between symmetry planes.
/// - A cylinder along z damps along its radius likewise, and towards its ends by the rule for a box.
/// Boundary faces that lie on a round from outside, those of a rod that leads through the PML, tell nothing of its
/// shape.
class PmlLayer {
 public:
  enum class Shape { box, sphere, cylinder };

  /// `reflection` left out: as low as the elements can follow.
  /// `shape` left out: a sphere or a cylinder by the rule for sides of a box, if some outer faces of the PML lie on one
  /// from within (`outer_rounds`) and all boundary faces on it are the PML's, or an inner face of the PML is parallel
  /// to it, at most its thickness away; else a box. Throws std::invalid_argument, with what to do, for a PML that is
  /// none of these or could be several, does not reach an outer boundary, or is thicker than its radius.
  /// `ranks`: those that have parts of the mesh, each with the PML's elements in its own part; all throw the same.
  /// Here and below what takes them is collective.
  PmlLayer(const Discretization& discretization, const std::vector<std::int32_t>& elements, double thickness,
           std::optional<double> reflection = {}, std::optional<Shape> shape = {},
           const core::Communicator& ranks = {});

  [[nodiscard]] double reflection() const { return reflection_; }
  /// Of waves of speed 1 that go outwards, in nepers a length, where it is largest: at the outer boundary.
  [[nodiscard]] double largest_damping() const { return slope(1, 1); }
  /// Is it a sphere or a cylinder?
  [[nodiscard]] bool is_round() const { return shape_ != Shape::box; }
  /// For waves of speed c, the fastest in the PML.
  [[nodiscard]] PmlMotion motion(double c) const;
  /// Where a point comes to lie when lengths along the depth are stretched by 1 + (kappa - 1) d / thickness; points
  /// outside of the PML stay.
  [[nodiscard]] Point stretched(const Point& x, double kappa) const;
  /// Of a point, over the thickness: at most 0 where nothing damps, 1 at the outer boundary.
  [[nodiscard]] double depth(const Point& x) const;
  /// Does it damp at x along n? So it does at the outer boundary with normal n, but not at a wall that leads through.
  [[nodiscard]] bool damps_along(const Point& x, const Point& n) const;

  /// The largest part of the thickness that one of these elements spans, in a direction in which it damps.
  [[nodiscard]] double largest_span(const Discretization& discretization, const std::vector<std::int32_t>& elements,
                                    const core::Communicator& ranks = {}) const;

  /// How elements fit the PML that they make up.
  struct Fit {
    std::size_t inner_faces{};   ///< between them and others,
    std::size_t abrupt_faces{};  ///< of these, the ones inside of the PML, where its damping begins with a jump,
    double deepest{};            ///< and the depth of the deepest,
    Point deepest_at{};          ///< which is there
    std::size_t undamped{};      ///< elements farther from the outer boundary than the thickness
  };
  [[nodiscard]] Fit fit_of(const Discretization& discretization, const std::vector<std::int32_t>& elements,
                           const core::Communicator& ranks = {}) const;

 private:
  struct Sides {
    std::array<bool, 3> low{}, high{};
  };
  struct AlongAxis {
    double depth{};      ///< over the thickness
    double direction{};  ///< in which it grows: 1 or -1
  };
  /// `outer`: the PML's boundary faces that tell of its shape; `encloses`: does a round enclose all of the PML;
  /// `is_its_end`: does the PML end there?
  void find_round_shape(const RoundFaces& outer, double margin, std::optional<Shape> shape,
                        const std::function<bool(const OuterRound&)>& encloses,
                        const std::function<bool(const OuterRound&)>& is_its_end);
  [[nodiscard]] Point displacement(const Point& x, double c) const;
  [[nodiscard]] std::array<Point, 3> gradient(const Point& x, double c) const;
  /// With the square of the depth?
  [[nodiscard]] bool begins_gently() const { return is_round() && has_curved_; }
  /// How far points at a depth over the thickness move.
  [[nodiscard]] double push(double depth, double c) const;
  /// How much farther points move the deeper they lie: the derivative of `push` by the length.
  [[nodiscard]] double slope(double depth, double c) const;
  [[nodiscard]] AlongAxis along(std::size_t axis, const Point& x) const;
  [[nodiscard]] double radius(const Point& x) const;
  [[nodiscard]] double radial_depth(const Point& x) const;
  [[nodiscard]] double default_reflection(const Discretization& d, const std::vector<std::int32_t>& elements,
                                          const core::Communicator& ranks) const;

  Shape shape_;
  double thickness_;
  bool has_curved_{};  ///< elements
  double reflection_{};
  double attenuation_{};  ///< one way, of a wave that meets the PML head on, in nepers
  Point low_{}, high_{};  ///< of the mesh
  Point centre_{};        ///< of a sphere or a cylinder
  double outer_radius_{};
  Sides sides_;
};

/// pml_terms with the displacement of such a PML, for the fastest waves in its elements: where several media go on into
/// it, it is the same in all of them, and damps slower waves more.
[[nodiscard]] std::vector<ElementTerm> pml_terms(const Problem& problem, const Discretization& discretization,
                                                 const std::vector<std::int32_t>& elements, double alpha,
                                                 const PmlLayer& layer, const std::vector<DispersiveMedium>& media = {},
                                                 const core::Communicator& ranks = {});

/// How thick a PML becomes by `stretch_layer`.
[[nodiscard]] constexpr double stretched_thickness(double thickness, double kappa) {
  return thickness * (1 + kappa) / 2;
}

/// Stretches a PML of a prepared mesh by real factors, from 1 at its inner face to kappa at the outer boundary: the
/// kappa of s = kappa + sigma / (i w + alpha) (Roden & Gedney 2000, Microw. Opt. Technol. Lett. 27, 334). As
/// coordinates are what that stretches, vertices move, and nothing is to be computed: fields that decay along the depth
/// without a wave fade out in as many elements as before. Throws like PmlLayer.
void stretch_layer(Mesh& mesh, const std::vector<std::int32_t>& elements, double thickness, double kappa,
                   std::optional<PmlLayer::Shape> shape = {});
/// The same of a rank's part of a mesh, of which `unmoved` is a discretization of any order. Collective.
void stretch_layer(Mesh& mesh, const Discretization& unmoved, const std::vector<std::int32_t>& elements,
                   double thickness, double kappa, std::optional<PmlLayer::Shape> shape,
                   const core::Communicator& ranks);

}  // namespace maxwell_dg::dg::maxwell
