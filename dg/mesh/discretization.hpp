#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dg/mesh/complex_view.hpp"
#include "dg/mesh/connectivity.hpp"
#include "dg/mesh/curved/curved_geometry.hpp"
#include "dg/mesh/element_ranges.hpp"
#include "dg/mesh/geometry.hpp"
#include "dg/mesh/halo.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/reference/reference_element.hpp"

namespace maxwell_dg::dg {

/// Physical position of node i of a cell.
[[nodiscard]] Point node(const Mesh& mesh, const ReferenceElement& reference, std::size_t cell, int i);

/// Nodal values by pieces, of elements from `first` on, one piece after the other: what a device holds may be more than
/// the host wants to.
using FillElements = std::function<void(std::size_t first, std::span<double> q)>;
using TakeElements = std::function<void(std::size_t first, std::span<const double> q)>;

/// The pieces of an array of all values, which must outlive them.
[[nodiscard]] FillElements pieces_of(std::span<const double> q, std::size_t values_of_element);

/// A mesh with polynomials of order N on it: all that does not depend on the equations or the device.
/// Nodal values on the host are always ordered [element][field][node], in double.
///
/// Where several processes share a mesh, each has a part of it: own elements, whose state it advances, and behind them
/// ghosts, elements of others whose traces it reads (dg/partition/mesh_part.hpp).
class Discretization {
 public:
  /// What a discretization is made of, where it is not computed from a mesh.
  struct Pieces {
    Mesh mesh;
    FieldNumbers numbers{};  ///< complex: the own elements are real parts, then as many imaginary ones; and so ghosts
    ReferenceElement reference;
    Geometry geometry;
    std::optional<CurvedGeometry> curved;
    Connectivity connectivity;
    std::vector<ElementRange> ranges;
    Halo halo;
    std::vector<std::int32_t> whole_numbers;
  };

  /// All elements are one range. Of complex fields the mesh is for the real part: a copy of it is appended for the
  /// imaginary part.
  Discretization(Mesh mesh, int order, FieldNumbers numbers = FieldNumbers::real);
  /// Real fields. Throws std::invalid_argument as ElementRanges does.
  Discretization(Mesh mesh, int order, std::vector<ElementRange> ranges);
  /// A part of a mesh. Throws std::invalid_argument as ElementRanges does.
  explicit Discretization(Pieces pieces);

  [[nodiscard]] int N() const { return reference.N; }
  [[nodiscard]] int Np() const { return reference.Np; }
  [[nodiscard]] int Nfp() const { return reference.Nfp; }
  /// All elements, ghosts included.
  [[nodiscard]] std::size_t K() const { return mesh.cells.size(); }
  /// The elements that this process advances are 0, 1 ... own() - 1, the others are ghosts. Of a whole mesh that is
  /// K().
  [[nodiscard]] std::size_t own() const { return ranges.own_elements(); }
  /// Physical position of node i of element k.
  [[nodiscard]] Point node(std::size_t k, int i) const;
  /// [element][node] Of all nodes.
  [[nodiscard]] std::vector<Point> nodes() const;
  /// Volume over the points of curved element k's quadrature: its weights times |J|, [volume point].
  [[nodiscard]] std::vector<double> volume_weights(std::size_t k) const;
  /// The inscribed radius of element k; of a curved one the least that straight elements have with the metric at one of
  /// the points of its quadrature. It limits the time step.
  [[nodiscard]] double inscribed_radius(std::size_t k) const;

  const Mesh mesh;  ///< with the copy for imaginary parts
  const ComplexView complex_view;
  const ReferenceElement reference;
  const Geometry geometry;                     ///< of a curved cell that of its vertices
  const std::optional<CurvedGeometry> curved;  ///< none where all cells are straight
  const Connectivity connectivity;
  const ElementRanges ranges;
  const Halo halo;  ///< empty where the mesh is whole
  /// [element] its number in the mesh of which this is a part; empty where the mesh is whole.
  const std::vector<std::int32_t> whole_numbers;
};

}  // namespace maxwell_dg::dg
