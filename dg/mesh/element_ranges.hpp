#pragma once

#include <cstddef>
#include <vector>

#include "dg/mesh/connectivity.hpp"

namespace maxwell_dg::dg {

/// Elements that follow one another in the order of the mesh and are treated alike. A stage is computed for one range
/// at a time.
struct ElementRange {
  /// How elements are mapped from the reference element.
  enum class Shape { affine, curved };
  /// What other processes have to do with them. At the edge of a partition are elements that read traces of elements of
  /// other processes, or whose traces others read. Ghosts are elements of other processes: nothing is computed for
  /// them, and of their state only the traces are known that elements at the edge read (dg/mesh/halo.hpp).
  enum class Place { interior, partition_edge, ghost };

  std::size_t begin{}, end{};  ///< elements begin, begin + 1 ... end - 1
  Shape shape = Shape::affine;
  Place place = Place::interior;
  int rate = 0;  ///< their time step is 2^-rate of the longest

  [[nodiscard]] std::size_t size() const { return end - begin; }
};

/// All elements of a mesh, divided into ranges.
class ElementRanges {
 public:
  /// One range of all `elements`.
  explicit ElementRanges(std::size_t elements);
  /// Throws std::invalid_argument unless ranges follow one another from element 0 to the last, none is empty, and
  /// those of ghosts are the last ones and not all.
  ElementRanges(std::vector<ElementRange> ranges, const Connectivity& connectivity);

  [[nodiscard]] std::size_t size() const { return ranges_.size(); }
  [[nodiscard]] const ElementRange& operator[](std::size_t range) const { return ranges_[range]; }
  /// How many ranges there are before those of ghosts.
  [[nodiscard]] std::size_t own() const;
  /// How many elements there are before ghosts.
  [[nodiscard]] std::size_t own_elements() const { return own() == 0 ? 0 : ranges_[own() - 1].end; }
  /// Which range an element is in.
  [[nodiscard]] std::size_t of(std::size_t element) const;
  /// [range] the other ranges that share a face with it, ascending.
  [[nodiscard]] const std::vector<std::vector<std::size_t>>& neighbours() const { return neighbours_; }

 private:
  std::vector<ElementRange> ranges_;
  std::vector<std::vector<std::size_t>> neighbours_;
};

}  // namespace maxwell_dg::dg
