#include "rtcg/loop/loop_space.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "rtcg/loop/slicing.hpp"

namespace maxwell_dg::rtcg {

namespace {

std::vector<Value> values_of(const std::set<std::int64_t>& numbers) {
  return {numbers.begin(), numbers.end()};
}

std::set<std::int64_t> up_to(std::int64_t limit, std::initializer_list<std::int64_t> numbers) {
  std::set<std::int64_t> chosen;
  for (const std::int64_t n : numbers) {
    if (n <= limit) chosen.insert(n);
  }
  return chosen;
}

std::set<std::int64_t> divisors(std::int64_t n, std::int64_t most) {
  std::set<std::int64_t> all;
  for (std::int64_t d = 1; d <= std::min(n, most); ++d) {
    if (n % d == 0) all.insert(d);
  }
  return all;
}

// "threads_i * threads_j"
std::string product(const std::string& prefix, const std::vector<LoopDimension>& dimensions) {
  std::string text;
  for (const LoopDimension& each : dimensions) text += (text.empty() ? "" : " * ") + prefix + each.name;
  return text.empty() ? "1" : text;
}

// Dimensions of the result, the one whose neighbours are neighbours in memory first, then by extent.
std::vector<LoopDimension> main_dimensions(const LoopNest& nest) {
  std::vector<LoopDimension> sorted = nest.output;
  const Affine target = nest.offset(nest.assignment.target);
  std::ranges::stable_sort(sorted, [&](const LoopDimension& a, const LoopDimension& b) {
    const bool a_is_fast = target.of(a.name) == 1;
    const bool b_is_fast = target.of(b.name) == 1;
    return a_is_fast != b_is_fast ? a_is_fast : a.extent > b.extent;
  });
  return sorted;
}

// Dimensions in the order in which a slicing has them.
std::vector<LoopDimension> slicing_order(const LoopNest& nest) {
  std::vector<LoopDimension> order;
  for (const OutputSlice& slice : Slicing(nest, {}).output) order.push_back({slice.name, slice.extent});
  return order;
}

std::vector<std::string> inputs(const LoopNest& nest) {
  std::set<std::string> names;
  for (const ArrayAccess& access : nest.assignment.accesses) names.insert(access.array);
  names.erase(nest.assignment.target.array);
  return {names.begin(), names.end()};
}

std::int64_t widest_vector(const LoopNest& nest, const core::DeviceInfo& device) {
  return std::max(device.vector_bytes, 16) / static_cast<std::int64_t>(size_of(nest.dtype));
}

bool can_use_lanes(const LoopNest& nest, std::int64_t lanes) {
  Configuration configuration{{"lanes", lanes}};
  return Slicing(nest, configuration).refusal.empty();
}

void add_tiles(SearchSpace& space, const LoopNest& nest, std::int64_t most) {
  for (const LoopDimension& dimension : nest.reduction) {
    space.add("tile_" + dimension.name, values_of(divisors(dimension.extent, most)));
  }
}

SearchSpace cpu_space(const LoopNest& nest, const core::DeviceInfo& device) {
  SearchSpace space;
  std::set<std::int64_t> lanes{1};
  for (std::int64_t n = widest_vector(nest, device); n >= widest_load(nest.dtype); n /= 2) {
    if (can_use_lanes(nest, n)) lanes.insert(n);
  }
  space.add("lanes", values_of(lanes));
  for (const LoopDimension& dimension : nest.output) {
    space.add("registers_" + dimension.name, values_of(up_to(dimension.extent, {1, 2, 3, 4, 5, 6, 7, 8, 12})));
  }
  const std::string registers = product("registers_", nest.output);
  space.require(registers + " <= 32");
  add_tiles(space, nest, 16);
  space.require(registers + " * " + product("tile_", nest.reduction) + " <= 256");
  space.add("order", {0, 1});
  return space;
}

SearchSpace gpu_space(const LoopNest& nest, const core::DeviceInfo& device) {
  SearchSpace space;
  const std::int64_t most_items = std::min<std::int64_t>(512, static_cast<std::int64_t>(device.max_group_size));
  for (const LoopDimension& dimension : nest.output) {
    std::set<std::int64_t> threads = up_to(dimension.extent, {1, 2, 4, 8, 16, 32, 64, 128, 256});
    if (dimension.extent <= 64) threads.insert(dimension.extent);
    space.add("threads_" + dimension.name, values_of(threads));
    std::set<std::int64_t> registers = up_to(dimension.extent, {1, 2, 4, 8, 16});
    registers.merge(divisors(dimension.extent, 10));
    space.add("registers_" + dimension.name, values_of(registers));
    space.require("threads_" + dimension.name + " * registers_" + dimension.name +
                  " <= " + std::to_string(dimension.extent));
  }
  const std::string threads = product("threads_", nest.output);
  const std::string registers = product("registers_", nest.output);
  space.require(threads + " <= " + std::to_string(most_items));
  space.require(threads + " >= " + std::to_string(std::min<std::int64_t>(32, nest.output_points())));
  space.require(registers + " <= " + (nest.dtype == Dtype::float32 ? "128" : "64"));
  add_tiles(space, nest, 64);
  space.require(registers + " * " + product("tile_", nest.reduction) + " <= 2048");
  std::string stages;
  for (const std::string& array : inputs(nest)) {
    space.add("stage_" + array, {0, 1});
    stages += (stages.empty() ? "stage_" : " + stage_") + array;
  }
  space.add("prefetch", {0, 1});
  space.require("prefetch == 0 or " + (stages.empty() ? "false" : stages + " > 0"));
  space.add("order", {0, 1});
  space.add("fold", nest.output.size() > 1 ? std::vector<Value>{0, 2, 4, 8} : std::vector<Value>{0});
  if (nest.output.size() > 1) {
    const std::vector<LoopDimension> dimensions = slicing_order(nest);
    space.require("fold == 0 or (threads_" + dimensions[0].name + " % (32 // fold) == 0 and threads_" +
                  dimensions[1].name + " % fold == 0)");
  }
  return space;
}

Configuration beginning(const LoopNest& nest) {
  Configuration all;
  for (const LoopDimension& dimension : nest.output) all["registers_" + dimension.name] = 1;
  for (const LoopDimension& dimension : nest.reduction) all["tile_" + dimension.name] = 1;
  all["order"] = 0;
  return all;
}

// The summed dimension that is read in neighbours last gets the deepest tile that divides it.
void deepen(Configuration& configuration, const LoopNest& nest, std::int64_t most) {
  if (nest.reduction.empty()) return;
  const LoopDimension& last = nest.reduction.back();
  configuration["tile_" + last.name] = *divisors(last.extent, most).rbegin();
}

std::vector<Configuration> cpu_beginnings(const LoopNest& nest, const core::DeviceInfo& device) {
  const std::vector<LoopDimension> dimensions = main_dimensions(nest);
  constexpr std::array<std::array<std::int64_t, 2>, 6> blocks{{{8, 3}, {12, 2}, {8, 2}, {4, 4}, {4, 2}, {1, 4}}};
  std::vector<Configuration> found;
  for (const auto& [second, fast] : blocks) {
    for (const std::int64_t tile : {1, 4}) {
      Configuration configuration = beginning(nest);
      configuration["lanes"] = widest_vector(nest, device);
      configuration["registers_" + dimensions[0].name] = fast;
      if (dimensions.size() > 1) configuration["registers_" + dimensions[1].name] = second;
      configuration["order"] = 1;
      deepen(configuration, nest, tile);
      found.push_back(std::move(configuration));
    }
  }
  return found;
}

struct Blocking {
  std::int64_t threads_fast, threads_second, registers_fast, registers_second, fold;
};

std::vector<Configuration> gpu_beginnings(const LoopNest& nest) {
  const std::vector<LoopDimension> dimensions = main_dimensions(nest);
  constexpr std::array<Blocking, 9> blockings{{{16, 16, 8, 8, 4},
                                               {16, 16, 8, 8, 0},
                                               {16, 8, 8, 16, 4},
                                               {16, 8, 8, 8, 4},
                                               {8, 16, 8, 8, 4},
                                               {16, 16, 4, 4, 4},
                                               {16, 16, 8, 4, 4},
                                               {128, 1, 1, 4, 0},
                                               {32, 4, 1, 1, 0}}};
  std::vector<Configuration> found;
  for (const Blocking& blocking : blockings) {
    for (const auto& [tile, prefetch] : {std::pair{8, 1}, std::pair{16, 1}, std::pair{16, 0}}) {
      Configuration configuration = beginning(nest);
      for (const LoopDimension& dimension : nest.output) configuration["threads_" + dimension.name] = 1;
      configuration["threads_" + dimensions[0].name] = blocking.threads_fast;
      configuration["registers_" + dimensions[0].name] = blocking.registers_fast;
      if (dimensions.size() > 1) {
        configuration["threads_" + dimensions[1].name] = blocking.threads_second;
        configuration["registers_" + dimensions[1].name] = blocking.registers_second;
      }
      for (const std::string& array : inputs(nest)) configuration["stage_" + array] = 1;
      configuration["prefetch"] = prefetch;
      const bool can_fold = dimensions.size() > 1 && slicing_order(nest)[1].name == dimensions[1].name;
      configuration["fold"] = can_fold ? blocking.fold : 0;
      deepen(configuration, nest, tile);
      found.push_back(std::move(configuration));
    }
  }
  return found;
}

}  // namespace

SearchSpace loop_space(const LoopNest& nest, const core::DeviceInfo& device) {
  return device.is_cpu ? cpu_space(nest, device) : gpu_space(nest, device);
}

std::vector<Configuration> loop_beginnings(const LoopNest& nest, const core::DeviceInfo& device) {
  return device.is_cpu ? cpu_beginnings(nest, device) : gpu_beginnings(nest);
}

}  // namespace maxwell_dg::rtcg
