#include "dg/variants/variants.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/tiles/mirror_tiles.hpp"
#include "dg/lowering/contraction.hpp"
#include "dg/lowering/element_basis.hpp"
#include "dg/reference/reference_element.hpp"
#include "dg/variants/stage_generator.hpp"
#include "rtcg/tune/wisdom.hpp"

namespace maxwell_dg::dg {

namespace {

using rtcg::Configuration;
using rtcg::SearchSpace;
using rtcg::Value;

constexpr int space_version = 8;
// At order 3 the text no longer fits in the cache of instructions: 106 GDOF/s (acoustics, single, H200) where tiles
// reach 121.
constexpr int last_order_of_elements = 2;
constexpr int driver_bytes = 1024;  // of each group's memory on the chip, that CUDA keeps to itself

bool has_tensor_cores(const core::DeviceInfo& device, Dtype precision) {
  return device.cuda_architecture() >= (precision == Dtype::float32 ? 80 : 90);
}

int bytes_of(Dtype precision) {
  return static_cast<int>(size_of(precision));
}

int fields(const VariantQuestion& question) {
  return static_cast<int>(question.lowered.volume.size());
}

std::vector<Value> from_one_to(int last) {
  std::vector<Value> values;
  for (int i = 1; i <= last; ++i) values.emplace_back(i);
  return values;
}

rtcg::Value word_of(Schedule::Basis basis) {
  return configuration_of({Schedule::Elements{.basis = basis}}).at("basis");
}

/// Memory on the chip of a group, of a stage in one kernel.
int bytes_of_a_group(const Schedule& schedule, const VariantQuestion& q) {
  return static_cast<int>(make_stage_generator(q.lowered, {q.system, q.N, q.precision, schedule})->on_chip_bytes());
}

/// When matrices are fetched. On an H200 two steps at a time gain nothing at order 3 in double precision, and all three
/// lose 5 % in single. There LIFT's alone ahead gain nothing that all of them do not, and from order 6 on mirror sums,
/// whose matrices come in turn, are 9 to 40 % faster than either.
std::vector<Value> ways_to_fetch(const VariantQuestion& q) {
  std::vector<Value> ways{"turn"};
  if (q.N >= 4) ways.emplace_back("twos");
  if (q.precision == Dtype::float64) ways.emplace_back("lift");
  if (q.precision == Dtype::float64 || q.N <= 5) ways.emplace_back("ahead");
  return ways;
}

/// Bytes on the chip of a stage by tiles, whoever multiplies them: of an element, by its operands, and of a group
/// besides.
struct TileBytes {
  int with_warp, with_chip, with_mirror, with_mirrorfirst, a_group;
};

TileBytes bytes_of_tiles(Schedule::Basis basis, const VariantQuestion& q) {
  using Operands = Schedule::Tiles::Operands;
  const auto bytes = [&](int elements, Operands operands) {
    return bytes_of_a_group({Schedule::Tiles{.elements = elements, .warps = 4, .operands = operands, .basis = basis}},
                            q);
  };
  const auto of_an_element = [&](Operands operands) { return (bytes(32, operands) - bytes(16, operands)) / 16; };
  const int sixteen = bytes(16, Operands::of_each_warp), with_warp = of_an_element(Operands::of_each_warp);
  return {.with_warp = with_warp,
          .with_chip = of_an_element(Operands::on_chip),
          .with_mirror = of_an_element(Operands::mirrored),
          .with_mirrorfirst = of_an_element(Operands::mirrored_first),
          .a_group = sixteen - 16 * with_warp + driver_bytes};
}

/// A stage in one kernel. Left out is what cannot be launched, what has more sums than registers, and warps that would
/// share the tiles unevenly: 8 warps take as long for 9 tiles as 5.
SearchSpace space_of_tiles(Schedule::Tiles::Products products, const std::string& rows, Schedule::Basis basis,
                           const TileBytes& bytes, const core::DeviceInfo& device, const VariantQuestion& q) {
  const ContractedSystem contracted = contract(q.lowered);
  const auto part_count = static_cast<int>(contracted.parts.size());
  const auto fields_of_a_part = std::ranges::max(contracted.parts, {}, &std::vector<int>::size).size();
  // At most, of the matrices of as many nodes as a tile has.
  const auto bytes_of_matrices_a_tile = [&](int elements) {
    Schedule::Tiles tiles{.products = products, .elements = elements, .basis = basis};
    const int without = bytes_of_a_group({tiles}, q);
    tiles.operators = Schedule::Operators::shared;
    const int all = bytes_of_a_group({tiles}, q) - without;
    return ceil_divide(all, ceil_divide(node_count(q.N), elements == 8 ? 16 : 8));
  };
  const ReferenceElement reference = ReferenceElement::make(q.N);
  const MirrorColumns mirrored_nodes = MirrorColumns::of_nodes(reference),
                      mirrored_face_nodes = MirrorColumns::of_face_nodes(reference);
  const auto tiles_by_mirror = [&](int tile_nodes) {
    return static_cast<int>(mirror_tiles(mirrored_nodes, mirrored_face_nodes, tile_nodes).size());
  };

  // In blocks the state has another layout for each number of elements: 16 alone are tried, 8 where they do not fit.
  const bool is_blocked = rows == "blocked";
  const bool sixteen_fit =
      16 * bytes.with_warp + bytes.a_group <= static_cast<int>(device.shared_memory_bytes) + driver_bytes;
  using Values = std::vector<Value>;

  const std::string is_mirrored = "(operands == 'mirror' or operands == 'mirrorfirst')";
  const std::string in_turn = "(matrices == 'turn' or matrices == 'twos')";
  const std::string bytes_an_element =
      "(bytes_with_chip if operands == 'chip' else bytes_with_mirror if operands == 'mirror' else "
      "bytes_with_mirrorfirst if operands == 'mirrorfirst' else bytes_with_warp)";
  const std::string rows_and_parts = "(ceil_div(elements, 16) * (part_count if parts == 'apart' else 1))";
  const std::string warps_a_row = "(warps // " + rows_and_parts + ")";
  const std::string node_tiles = "((tiles_of_16 if elements == 8 else tiles_of_8) if " + is_mirrored +
                                 " else ceil_div(nodes, 16 if elements == 8 else 8))";
  const std::string tiles_a_warp = "ceil_div(" + node_tiles + ", " + warps_a_row + ")";
  const std::string bytes_of_matrices =
      "(" + tiles_a_warp + " * " + warps_a_row + " * (matrices_of_16 if elements == 8 else matrices_of_8))";
  SearchSpace space;
  space.add("slicing", {Schedule{Schedule::Tiles{.products = products}}.slicing_name()})
      .add("rows", {rows})
      .add("basis", {word_of(basis)})
      .add("elements", is_blocked ? Values{sixteen_fit ? 16 : 8} : Values{8, 16, 32, 64})
      .add("parts", part_count == 1 ? Values{"together"} : Values{"together", "apart"})
      .add("warps", from_one_to(32))
      .add("operands", is_blocked ? Values{"warp", "chip"} : Values{"warp", "chip", "mirror", "mirrorfirst"})
      .add("fluxes", {"node", "face"})
      .add("matrices", ways_to_fetch(q))
      .add("resident", {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16})
      .add("operators", is_blocked ? Values{"streamed"} : Values{"streamed", "shared", "constant"})
      .add("connectivity", is_blocked ? Values{"face"} : Values{"face", "node"})
      .constant("part_count", part_count)
      .constant("nodes", node_count(q.N))
      .constant("bytes_with_warp", bytes.with_warp)
      .constant("bytes_with_chip", bytes.with_chip)
      .constant("bytes_with_mirror", bytes.with_mirror)
      .constant("bytes_with_mirrorfirst", bytes.with_mirrorfirst)
      .constant("tiles_of_8", tiles_by_mirror(8))
      .constant("tiles_of_16", tiles_by_mirror(16))
      .constant("bytes_a_group", bytes.a_group)
      .constant("matrices_of_8", bytes_of_matrices_a_tile(16))
      .constant("matrices_of_16", bytes_of_matrices_a_tile(8))
      .constant("bytes_on_chip", device.shared_memory_bytes + driver_bytes)
      .constant("bytes_of_tables", most_table_bytes)
      .constant("registers_a_sum", bytes_of(q.precision) / 4)
      .constant("fields_together", fields(q))
      .constant("fields_apart", fields_of_a_part)
      .require("resident * (elements * " + bytes_an_element + " + bytes_a_group) <= bytes_on_chip")
      .require("resident * warps <= 64")
      // Two steps at a time gain where an item computes a node's flux and, in single precision, not between mirror
      // sums, where registers are few (6 % slower at orders 5 and 6).
      .require("matrices != 'twos' or fluxes == 'node'" +
               (q.precision == Dtype::float32 ? " and not " + is_mirrored : std::string()))
      .require("operands != 'chip' or " + in_turn)  // these are for want of registers
      // Mirror sums are for high orders, where few elements fit; faces at a time are for low ones.
      .require("not " + is_mirrored + " or " + in_turn + " and fluxes == 'node' and elements <= 16")
      // A place of their own for a group that is alone, and has it; else several groups.
      .require("operands != 'mirror' or resident == 1")
      .require(
          "operands != 'mirrorfirst' or resident > 1 or elements * bytes_with_mirror + bytes_a_group > bytes_on_chip")
      .require("fluxes == 'node' or elements >= 4 * warps")  // half of the items, at least, have a face
      .require("warps >= " + rows_and_parts + " and warps % " + rows_and_parts + " == 0")
      .require(warps_a_row + " <= 4 or ceil_div(" + node_tiles + ", " + tiles_a_warp + ") == " + warps_a_row +
               // or the next even number, for what is no product
               " or " + is_mirrored + " and " + warps_a_row + " == " + node_tiles + " // 2 * 2 + 2")
      .require("4 * " + tiles_a_warp +
               " * registers_a_sum * (fields_apart if parts == 'apart' else fields_together) < " +
               "min(255, 2048 // (resident * warps))")
      // Each of these by itself, and where the rest is plain: whether it gains anything shows there.
      .require(
          "operators == 'streamed' and connectivity == 'face' or "
          "matrices == 'turn' and fluxes == 'node' and operands == 'warp' and elements == 16")
      .require("operators == 'streamed' or connectivity == 'face'")
      .require("operators != 'shared' or resident * (elements * " + bytes_an_element + " + bytes_a_group + " +
               bytes_of_matrices + ") <= bytes_on_chip")
      .require("operators != 'constant' or " + bytes_of_matrices + " <= bytes_of_tables");
  return space;
}

/// Where an item has an element: its fields, and sums of half as many.
int registers_of_values(const VariantQuestion& q) {
  return fields(q) * node_count(q.N) * bytes_of(q.precision) / 4 * 3 / 2;
}

/// A stage in one kernel, an element an item. Left out is what cannot be launched, and more values than registers.
SearchSpace space_of_elements(Schedule::Basis basis, const core::DeviceInfo& device, const VariantQuestion& q) {
  const auto part_count = static_cast<int>(contract(q.lowered).parts.size());
  const auto bytes_of_elements = [&](int elements) {
    return bytes_of_a_group({Schedule::Elements{.elements = elements, .basis = basis}}, q);
  };
  const int an_element = (bytes_of_elements(64) - bytes_of_elements(32)) / 32;
  SearchSpace space;
  space.add("slicing", {"elements"})
      .add("basis", {word_of(basis)})
      .add("elements", {32, 64, 96, 128, 192, 256})
      .add("parts", part_count == 1 ? std::vector<Value>{"together"} : std::vector<Value>{"together", "apart"})
      .add("resident", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16})
      .constant("part_count", part_count)
      .constant("bytes_an_element", an_element)
      .constant("bytes_a_group", bytes_of_elements(32) - 32 * an_element + driver_bytes)
      .constant("bytes_on_chip", device.shared_memory_bytes + driver_bytes)
      .constant("registers_of_values", registers_of_values(q))
      .require("resident * (elements * bytes_an_element + bytes_a_group) <= bytes_on_chip")
      .require("resident * elements * (part_count if parts == 'apart' else 1) <= 2048")
      .require(
          "registers_of_values < min(255, 65536 // (resident * elements * (part_count if parts == 'apart' else 1)))");
  return space;
}

/// Adds how an operation with a kernel of its own is sliced, and from where it reads its matrices. A group has two
/// warps at least, and only what it keeps of matrices is worth more turns.
void add_slices(SearchSpace& space, const std::string& operation, const std::string& matrices) {
  const std::string parallel = operation + "_parallel", inlined = operation + "_inlined",
                    sequence = operation + "_sequence", bytes_of_matrices = "bytes_of_" + matrices;
  space.add(parallel, {1, 2, 4, 8, 16, 32, 64})
      .add(inlined, {1, 2, 4})
      .add(sequence, {1, 4})
      .add(matrices, {"streamed", "shared", "constant", "registers"})
      .require(parallel + " * nodes >= 64 and " + parallel + " * nodes <= 512")
      .require(sequence + " == 1 or " + matrices + " == 'shared' or " + matrices + " == 'registers'")
      .require(matrices + " != 'constant' or " + bytes_of_matrices + " <= bytes_of_tables")
      .require(parallel + " * " + inlined + " * bytes_in_" + operation + " + (" + bytes_of_matrices + " if " +
               matrices + " == 'shared' else 0) <= bytes_on_chip")
      .require(inlined + " * registers_in_" + operation + " + (" + bytes_of_matrices + " // nodes // 4 if " + matrices +
               " == 'registers' else 0) <= 128");
}

/// Of a state where work-items have nodes.
struct NodeLayout {
  int padding, block;
  const char* fields;
};

/// Three kernels a stage, a work-item a node; fields and fluxes are staged on chip.
SearchSpace space_of_nodes(const NodeLayout& layout, const core::DeviceInfo& device, const VariantQuestion& q) {
  const int bytes = bytes_of(q.precision), nodes = node_count(q.N), face_nodes = 4 * face_node_count(q.N);
  SearchSpace space;
  space.add("slicing", {"nodes"})
      .add("padding", {layout.padding})
      .add("block", {layout.block})
      .add("fields", {layout.fields})
      .constant("nodes", nodes)
      .constant("bytes_in_volume", fields(q) * nodes * bytes)
      .constant("bytes_in_surface", fields(q) * face_nodes * bytes)
      .constant("bytes_of_D", 3 * nodes * nodes * bytes)
      .constant("bytes_of_LIFT", face_nodes * nodes * bytes)
      .constant("registers_in_volume", 3 * static_cast<int>(q.lowered.differentiated.size()) * bytes / 4)
      .constant("registers_in_surface", fields(q) * bytes / 4)
      .constant("bytes_of_tables", most_table_bytes)
      .constant("bytes_on_chip", device.shared_memory_bytes);
  add_slices(space, "volume", "D");
  add_slices(space, "surface", "LIFT");
  space.add("connectivity", {"face", "node"})
      .add("updated", {1, 4})
      .require("D != 'constant' or LIFT != 'constant' or bytes_of_D + bytes_of_LIFT <= bytes_of_tables")
      .operation("volume", {"volume_parallel", "volume_inlined", "volume_sequence", "D"})
      .operation("surface", {"surface_parallel", "surface_inlined", "surface_sequence", "LIFT", "connectivity"})
      .operation("update", {"updated"});
  return space;
}

/// How many elements side by side a CPU may have.
struct Lanes {
  int least;       ///< what 16 bytes hold
  int bytes_each;  ///< of a work-group's memory
  int usual;       ///< as many as a vector register holds, fewer where the memory of a work-group is too small
};

Lanes lanes_on(const core::DeviceInfo& device, const VariantQuestion& q) {
  const int least = 16 / bytes_of(q.precision);
  const Schedule narrow{Schedule::Lanes{.lanes = least}};
  const auto stage = make_stage_generator(q.lowered, {q.system, q.N, q.precision, narrow});
  const std::size_t bytes_each = stage->on_chip_bytes() / static_cast<std::size_t>(least);
  int usual = std::max(device.vector_bytes, 16) / bytes_of(q.precision);
  while (usual > least && static_cast<std::size_t>(usual) * bytes_each > device.shared_memory_bytes) usual /= 2;
  return {.least = least, .bytes_each = static_cast<int>(bytes_each), .usual = usual};
}

/// A stage in one kernel, an element a SIMD lane.
SearchSpace space_of_lanes(int lanes, int bytes_each, const core::DeviceInfo& device, const VariantQuestion& q) {
  const auto part_count = static_cast<int>(contract(q.lowered).parts.size());
  SearchSpace space;
  space.add("slicing", {"lanes"})
      .add("lanes", {lanes})
      .add("nodes", {1, 2, 3, 4, 5, 6, 7, 8})
      .add("parts", part_count == 1 ? std::vector<Value>{"together"} : std::vector<Value>{"together", "apart"})
      .constant("nodes_of_an_element", node_count(q.N))
      .constant("bytes_of_a_lane", bytes_each)
      .constant("bytes_on_chip", device.shared_memory_bytes)
      .require("nodes <= nodes_of_an_element")
      .require("lanes * bytes_of_a_lane <= bytes_on_chip");
  return space;
}

Schedule rule_of_thumb(const core::DeviceInfo& device, const VariantQuestion& q) {
  if (device.is_cpu) {
    // Sums of four nodes fill a register file of 32; more than four fields by their parts.
    const bool apart = fields(q) > 4 && contract(q.lowered).parts.size() > 1;
    return {Schedule::Lanes{.lanes = lanes_on(device, q).usual,
                            .nodes_at_once = 4,
                            .parts = apart ? Schedule::Parts::apart : Schedule::Parts::together}};
  }
  // 64 to 128 work-items a group, as long as the staged fluxes leave room for several groups a multiprocessor.
  const int flux_bytes = fields(q) * 4 * face_node_count(q.N) * bytes_of(q.precision);
  const int most = std::clamp(128 / node_count(q.N), 1, std::max(1, 24 * 1024 / flux_bytes));
  const auto elements = static_cast<int>(std::bit_floor(static_cast<unsigned>(most)));
  return {Schedule::Nodes{.volume = {elements}, .surface = {elements}}};
}

}  // namespace

std::string VariantQuestion::text() const {
  return "stage " + std::to_string(space_version) + " " + system + " N" + std::to_string(N) + " " +
         std::string(name_of(precision)) + (has_additions ? " with additions" : "");
}

bool has_additions(const Problem& problem, bool powers) {
  return problem.has_terms() || powers;
}

VariantQuestion question_of(const LoweredSystem& lowered, const Problem& problem, int N, Dtype precision, bool powers,
                            const core::DeviceInfo& device) {
  return {.lowered = lowered,
          .system = problem.system.name,
          .N = N,
          .precision = precision,
          .has_additions = !device.is_cpu && has_additions(problem, powers)};
}

std::vector<SearchSpace> variant_spaces(const core::DeviceInfo& device, const VariantQuestion& question) {
  if (device.is_cpu) {
    const Lanes lanes = lanes_on(device, question);
    std::vector<SearchSpace> spaces;
    const auto add = [&](int count) { spaces.push_back(space_of_lanes(count, lanes.bytes_each, device, question)); };
    add(lanes.usual);
    if (2 * lanes.usual <= 16) add(2 * lanes.usual);  // OpenCL's vectors end there
    if (lanes.usual > lanes.least) add(lanes.usual / 2);
    return spaces;
  }
  std::vector<SearchSpace> spaces;
  std::vector<Schedule::Basis> bases{Schedule::Basis::cartesian};
  const std::optional<ElementBasis> basis_of_element = element_basis(question.lowered);
  if (!question.has_additions && basis_of_element) bases.insert(bases.begin(), Schedule::Basis::element);
  std::map<Schedule::Basis, TileBytes> bytes;
  for (const Schedule::Basis basis : bases) bytes.emplace(basis, bytes_of_tiles(basis, question));
  for (const Schedule::Basis basis : bases) {
    if (question.N <= last_order_of_elements) {
      // On an H200 the same kernels are 1 to 7 % faster where two vectors of a kind lie side by side.
      const bool interleaved = basis == Schedule::Basis::element && basis_of_element->has_two_of_each_kind();
      spaces.push_back(space_of_elements(interleaved ? Schedule::Basis::element_interleaved : basis, device, question));
    }
    if (!has_tensor_cores(device, question.precision)) continue;
    for (const char* rows : {"apart", "tight", "blocked"}) {
      spaces.push_back(
          space_of_tiles(Schedule::Tiles::Products::tensor_cores, rows, basis, bytes.at(basis), device, question));
    }
  }
  for (const Schedule::Basis basis : bases) {
    spaces.push_back(
        space_of_tiles(Schedule::Tiles::Products::multiply_add, "apart", basis, bytes.at(basis), device, question));
  }
  for (const NodeLayout& layout : {NodeLayout{1, 1, "apart"}, NodeLayout{4, 1, "apart"}, NodeLayout{4, 4, "apart"},
                                   NodeLayout{4, 16, "apart"}, NodeLayout{1, 1, "together"}}) {
    spaces.push_back(space_of_nodes(layout, device, question));
  }
  return spaces;
}

std::vector<SearchSpace> variant_spaces(const core::DeviceInfo& device, const VariantQuestion& question,
                                        const std::string& slicing) {
  std::vector<SearchSpace> spaces = variant_spaces(device, question);
  if (slicing.empty()) return spaces;
  std::string others;
  std::erase_if(spaces, [&](const SearchSpace& space) {
    const std::string other = space.parameters().front().second.front().text();  // the first, with one value
    if (other == slicing) return false;
    if (others.find(other) == std::string::npos) others += (others.empty() ? "" : ", ") + other;
    return true;
  });
  if (spaces.empty()) {
    throw std::invalid_argument("no variants of slicing '" + slicing + "' on " + device.name + "; it has " + others);
  }
  return spaces;
}

Schedule default_schedule(const core::DeviceInfo& device, const VariantQuestion& question) {
  const std::vector<SearchSpace> spaces = variant_spaces(device, question);
  const auto fits = [&](const Configuration& c) {
    return std::ranges::any_of(spaces, [&](const SearchSpace& space) { return space.contains(c); });
  };
  const std::string kind = rtcg::device_kind(device);
  const std::string of_any_system = question.text().substr(question.text().rfind(" N"));
  // Smaller is better: this system or another, this device, one of its kind (of its maker first), or another GPU.
  using Distance = std::pair<bool, rtcg::DeviceDistance>;
  std::optional<std::pair<Distance, Configuration>> best;
  for (const rtcg::WisdomEntry& entry : rtcg::parse_wisdom(shipped_wisdom())) {
    if (!entry.question.ends_with(of_any_system) || (device.is_cpu && entry.kind != kind)) continue;
    const Distance distance{entry.question != question.text(), rtcg::device_distance(entry, device)};
    if ((!best || distance < best->first) && fits(entry.configuration)) best = {distance, entry.configuration};
  }
  return best ? schedule_of(best->second) : rule_of_thumb(device, question);
}

bool is_offered(const Schedule& schedule, const core::DeviceInfo& device, const VariantQuestion& question) {
  const Configuration configuration = configuration_of(schedule);
  return std::ranges::any_of(variant_spaces(device, question),
                             [&](const SearchSpace& space) { return space.contains(configuration); }) ||
         schedule == default_schedule(device, question);
}

}  // namespace maxwell_dg::dg
