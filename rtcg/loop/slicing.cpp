#include "rtcg/loop/slicing.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace maxwell_dg::rtcg {

namespace {

std::int64_t parameter(const Configuration& configuration, const std::string& name, std::int64_t otherwise) {
  const auto found = configuration.find(name);
  return found == configuration.end() ? otherwise : found->second.integer();
}

bool same_coefficients(const ArrayAccess& a, const ArrayAccess& b) {
  if (a.array != b.array) return false;
  for (std::size_t axis = 0; axis < a.index.size(); ++axis) {
    if (a.index[axis].coefficients != b.index[axis].coefficients) return false;
  }
  return true;
}

}  // namespace

std::int64_t Stage::loads() const {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies()) / width;
}

Slicing::Slicing(const LoopNest& nest, const Configuration& configuration) {
  slice_dimensions(nest, configuration);
  stage_of.resize(nest.assignment.accesses.size());
  if (!refusal.empty()) return;
  // What is read behind the sum is read once: not worth a stage.
  const auto outside =
      nest.assignment.has_sum() ? Assignment::accesses_of(nest.assignment.value) : std::set<std::size_t>{};
  for (std::size_t i = 0; i < nest.assignment.accesses.size(); ++i) {
    const std::string& array = nest.assignment.accesses[i].array;
    const bool wanted = parameter(configuration, "stage_" + array, 0) != 0;
    if (wanted && array != nest.assignment.target.array && !outside.contains(i)) add_stage(nest, i);
  }
  for (Stage& stage : stages) lay_out(nest, stage);
  prefetch = parameter(configuration, "prefetch", 0) != 0;
  reversed = parameter(configuration, "order", 0) != 0;
  fold = parameter(configuration, "fold", 0);
  if (fold != 0 && (output.size() < 2 || warp_items % fold != 0 || output[1].threads % fold != 0 ||
                    output[0].threads % (warp_items / fold) != 0)) {
    refusal = "a warp does not fold into the work-items of the first two dimensions";
  }
  if (prefetch && (stages.empty() || steps() == 1)) refusal = "nothing to load ahead";
}

void Slicing::slice_dimensions(const LoopNest& nest, const Configuration& configuration) {
  const Affine target = nest.offset(nest.assignment.target);
  const std::int64_t lanes = parameter(configuration, "lanes", 1);
  for (auto dimension = nest.output.rbegin(); dimension != nest.output.rend(); ++dimension) {
    OutputSlice slice{.name = dimension->name, .extent = dimension->extent};
    slice.threads = parameter(configuration, "threads_" + slice.name, 1);
    slice.registers = parameter(configuration, "registers_" + slice.name, 1);
    const bool is_fast = target.of(slice.name) == 1;
    output.insert(is_fast ? output.begin() : output.end(), slice);
  }
  output.front().lanes = lanes;
  for (OutputSlice& slice : output) {
    if (lanes == 1 && threads() > 1) {
      for (std::int64_t width = widest_load(nest.dtype); slice.chunk == 1 && width > 1; width /= 2) {
        if (slice.registers % width == 0) slice.chunk = width;
      }
    }
    if (slice.tile() > slice.extent) refusal = "the tile is larger than dimension '" + slice.name + "'";
    if (nest.is_in_place() && slice.extent % slice.tile() != 0) {
      refusal = "the result is also read, so that tiles must fill dimension '" + slice.name + "'";
    }
  }
  for (const LoopDimension& dimension : nest.reduction) {
    reduction.push_back({dimension.name, dimension.extent, parameter(configuration, "tile_" + dimension.name, 1)});
    if (dimension.extent % reduction.back().tile != 0) {
      refusal = "the tile does not divide dimension '" + dimension.name + "'";
    }
  }
  if (lanes == 1) return;
  const auto check_lanes = [&](const ArrayAccess& access, std::int64_t least) {
    const std::int64_t step = nest.offset(access).of(output.front().name);
    if (step != 1 && step != least) refusal = "lanes need neighbours in memory, '" + access.array + "' has none";
  };
  check_lanes(nest.assignment.target, 1);
  for (const ArrayAccess& access : nest.assignment.accesses) check_lanes(access, 0);
}

std::int64_t Slicing::tile_of(const std::string& dimension) const {
  if (const OutputSlice* slice = find_output(dimension)) return slice->tile();
  return std::ranges::find(reduction, dimension, &ReductionSlice::name)->tile;
}

// Accesses that differ by constants alone (the neighbours of a stencil) share a stage.
void Slicing::add_stage(const LoopNest& nest, std::size_t access) {
  const auto& accesses = nest.assignment.accesses;
  for (std::size_t other = 0; other < access; ++other) {
    if (stage_of[other] && same_coefficients(accesses[other], accesses[access])) {
      stage_of[access] = stage_of[other];
      return;
    }
  }
  Stage stage{.array = accesses[access].array};
  for (std::size_t axis = 0; axis < accesses[access].index.size(); ++axis) {
    Affine begin = accesses[access].index[axis];
    std::int64_t most = begin.constant;
    for (const ArrayAccess& other : accesses) {
      if (!same_coefficients(other, accesses[access])) continue;
      begin.constant = std::min(begin.constant, other.index[axis].constant);
      most = std::max(most, other.index[axis].constant);
    }
    std::int64_t extent = most - begin.constant + 1;
    for (const auto& [dimension, coefficient] : begin.coefficients) {
      if (coefficient < 0) refusal = "an index of '" + stage.array + "' falls: it cannot be staged";
      extent += coefficient * (tile_of(dimension) - 1);
    }
    stage.axes.push_back(std::move(begin));
    stage.extents.push_back(extent);
  }
  stage_of[access] = stages.size();
  stages.push_back(std::move(stage));
}

// Shared memory is laid out for the reads of the inner loop: what a work-item has in chunks lies side by side.
void Slicing::lay_out(const LoopNest& nest, Stage& stage) const {
  const LoopArray& array = nest.array(stage.array);
  const std::size_t axes = stage.axes.size();
  stage.contiguous = axes - 1;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    if (array.strides[axis] == 1) stage.contiguous = axis;
  }
  const auto is_read_in_chunks = [&](std::size_t axis) {
    return std::ranges::any_of(
        output, [&](const OutputSlice& slice) { return slice.chunk > 1 && stage.axes[axis].of(slice.name) == 1; });
  };
  stage.innermost = stage.contiguous;
  for (std::size_t axis = axes; axis-- > 0 && !is_read_in_chunks(stage.innermost);) {
    if (is_read_in_chunks(axis)) stage.innermost = axis;
  }
  const std::int64_t widest = widest_load(nest.dtype);
  // Four more, where columns are written that are read as rows: else they would all fall into the same banks.
  const std::int64_t pad = stage.innermost == stage.contiguous ? 0 : widest;
  stage.strides.assign(axes, 1);
  stage.size = round_up(stage.extents[stage.innermost], widest) + pad;
  for (std::size_t axis = axes; axis-- > 0;) {
    if (axis == stage.innermost) continue;
    stage.strides[axis] = stage.size;
    stage.size *= stage.extents[axis];
  }
  // Wide loads, where every one begins at a multiple of its width.
  bool aligned = array.strides[stage.contiguous] == 1 && stage.extents[stage.contiguous] % widest == 0;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    if (axis != stage.contiguous) {
      aligned = aligned && array.strides[axis] % widest == 0;
      continue;
    }
    aligned = aligned && stage.axes[axis].constant % widest == 0;
    for (const auto& [dimension, coefficient] : stage.axes[axis].coefficients) {
      const OutputSlice* slice = find_output(dimension);
      aligned = aligned && (coefficient % widest == 0 || (slice != nullptr ? slice->begins_at_multiples_of(widest)
                                                                           : tile_of(dimension) % widest == 0));
    }
  }
  if (aligned) stage.width = widest;
}

std::int64_t Slicing::threads() const {
  std::int64_t all = 1;
  for (const OutputSlice& slice : output) all *= slice.threads;
  return all;
}

std::int64_t Slicing::groups() const {
  std::int64_t all = 1;
  for (const OutputSlice& slice : output) all *= slice.tiles();
  return all;
}

std::int64_t Slicing::steps() const {
  std::int64_t all = 1;
  for (const ReductionSlice& slice : reduction) all *= slice.extent / slice.tile;
  return all;
}

std::int64_t Slicing::shared_elements() const {
  std::int64_t all = 0;
  for (const Stage& stage : stages) all += stage.size;
  return prefetch ? 2 * all : all;
}

const OutputSlice* Slicing::find_output(const std::string& name) const {
  const auto found = std::ranges::find(output, name, &OutputSlice::name);
  return found == output.end() ? nullptr : &*found;
}

}  // namespace maxwell_dg::rtcg
