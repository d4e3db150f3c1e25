#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "rtcg/array/argument_code.hpp"
#include "rtcg/compile/compiler.hpp"

/// The text of scans.
namespace maxwell_dg::rtcg {

/// item(i) = scan(item(i - 1), input(i)), or input(i) where a segment starts; then the output statements at each i.
struct Scan {
  std::string name;
  std::vector<Argument> arguments;
  std::vector<bool> is_element;  ///< of each argument, see ElementText
  std::string input;             ///< an expression of the elements `x_i` and the index `i`
  std::string segment_start;     ///< the same, true where a segment starts; empty: there is but one
  std::string output;            ///< statements, also of `item`, `prev_item`, `last_item`
  std::string scan;              ///< an associative expression of `a` and `b`
  std::string neutral;           ///< an expression
  std::string type;              ///< of the values
  std::string preamble;
  std::size_t state_bytes{};  ///< of a value, with the mark of its segment
  bool uses_last{};           ///< `last_item` occurs in the output
};

/// The ways to do it.
enum class ScanMethod {
  automatic,  ///< runs on a CPU, chained tiles on CUDA, tiles else
  runs,       ///< a work-item takes whole runs of elements, in two passes
  tiles,      ///< a group takes tile after tile of its part, in two passes
  /// One pass: a group takes the next tile and looks back at what the groups before it have found (Merrill, Garland,
  /// "Single-pass parallel prefix scan with decoupled look-back", NVIDIA NVR-2016-002). It needs a device on which a
  /// group that has begun goes on while others wait for it. Not with `last_item`.
  chained
};

struct ScanShape {
  ScanMethod method = ScanMethod::tiles;
  std::size_t items = 1;  ///< elements of a work-item in a tile; odd, so that they lie in different banks
  bool is_next{};         ///< elements follow each other in memory, for all arrays
};

inline constexpr std::size_t scan_group_size = 256;  ///< with runs 1
inline constexpr std::size_t scan_lanes = 4;         ///< runs that one work-item takes side by side

/// Two passes: the kernels `scan_totals` and `scan_parts` take int64 size and part_size, the arguments, with one stride
/// for element arrays, the values of the parts, the second before them int64 parts; part p begins at p * part_size.
/// Chained: `scan_chained` takes int64 size, the arguments; uint64 progress, 0 to begin with: a ticket, then for each
/// tile 2 words for every 4 bytes of its state.
[[nodiscard]] KernelSource scan_source(const Scan& scan, const ScanShape& shape);

/// Whether `name` stands in the text, alone.
[[nodiscard]] bool mentions(std::string_view text, std::string_view name);

}  // namespace maxwell_dg::rtcg
