// The rules of this slicing, its candidates, and its generator.

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "dg/codegen/slicing.hpp"
#include "dg/codegen/tiles/tile_generator.hpp"
#include "dg/codegen/tiles/tile_sizes.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/schedule/configuration.hpp"

namespace maxwell_dg::dg {

namespace {

using Tiles = Schedule::Tiles;
using rtcg::Configuration;
using rtcg::Value;

/// Sizes of any schedule of a problem: what depends on the problem alone is found once.
class TilesOfProblem {
 public:
  explicit TilesOfProblem(const StageProblem& problem) : problem_(problem), basis_(element_basis(problem.lowered)) {}

  [[nodiscard]] TileSizes sizes(const Tiles& tiles) {
    const MirrorTiling* mirrored = nullptr;
    if (tiles.multiplies_mirror_sums()) {
      if (!tiling_) tiling_ = MirrorTiling::of_order(problem_.N);
      mirrored = &*tiling_;
    }
    return {tiles, counts(tiles), problem_.N, problem_.precision, mirrored};
  }
  [[nodiscard]] Fit fit(const Tiles& tiles, const core::DeviceInfo* device) {
    if (Fit fit = basis_fits({tiles}, basis_); !fit) return fit;
    return fits(sizes(tiles), device);
  }
  [[nodiscard]] int parts() { return counts(Tiles{}).parts; }

 private:
  [[nodiscard]] const EquationCounts& counts(const Tiles& tiles) {
    const bool in_basis = tiles.basis != Schedule::Basis::cartesian;
    const std::array key{in_basis, tiles.fluxes == Tiles::Fluxes::by_face, tiles.multiplies_mirror_sums()};
    const auto known = counts_.find(key);
    if (known != counts_.end()) return known->second;
    const ContractedSystem equations = contract_for({tiles}, problem_.lowered, in_basis ? basis_ : std::nullopt);
    return counts_.emplace(key, EquationCounts::of(equations, problem_.fields(), in_basis)).first->second;
  }

  StageProblem problem_;
  std::optional<ElementBasis> basis_;
  std::optional<MirrorTiling> tiling_;
  std::map<std::array<bool, 3>, EquationCounts> counts_;  ///< in the basis of the element, by face, by mirror sums
};

FitRules rules_of(std::shared_ptr<TilesOfProblem> all) {
  return [all = std::move(all)](const Schedule& schedule, const core::DeviceInfo* device) {
    return all->fit(schedule.as<Tiles>(), device);
  };
}

FitRules tile_rules(const StageProblem& problem) {
  return rules_of(std::make_shared<TilesOfProblem>(problem));
}

/// When matrices are fetched. On an H200 two steps at a time gain nothing at order 3 in double precision, and all three
/// lose 5 % in single. There, fetching LIFT's matrices alone
/// ahead is no faster than fetching all of them ahead. From order 6 on, mirror sums, which fetch their matrices in
/// turn, are 9 to 40 % faster than either.
std::vector<Value> ways_to_fetch(const StageProblem& p) {
  std::vector<Value> ways{"turn"};
  if (p.N >= 4) ways.emplace_back("twos");
  if (p.precision == Dtype::float64) ways.emplace_back("lift");
  if (p.precision == Dtype::float64 || p.N <= 5) ways.emplace_back("ahead");
  return ways;
}

std::vector<Value> from_one_to(int last) {
  std::vector<Value> values;
  for (int i = 1; i <= last; ++i) values.emplace_back(i);
  return values;
}

/// Whether warps share the tiles evenly: 8 warps take as long for 9 tiles as 5.
bool have_even_shares(const TileSizes& sizes) {
  const int warps = sizes.warps_a_tile_row, tiles = sizes.tiles_of_nodes;
  if (warps <= 4 || ceil_divide(tiles, sizes.tiles_a_warp) == warps) return true;
  return sizes.tiles.multiplies_mirror_sums() && warps == tiles / 2 * 2 + 2;  // an even number, for what is no product
}

/// Whether sums of products fit in registers.
bool sums_fit_in_registers(const TileSizes& sizes) {
  const int sums = 4 * sizes.tiles_a_warp * sizes.fields_of_a_part;
  const int of_an_item = most_resident_items / (sizes.tiles.resident_groups * sizes.tiles.warps);
  return sums * static_cast<int>(size_of(sizes.precision)) / 4 < std::min(most_registers, of_an_item);
}

/// What differs from one space of tiles to another: the layout of the state, and who multiplies.
struct TileSpace {
  Tiles::Products products;
  Tiles::Rows rows;
  Schedule::Basis basis;
};

/// Left out is what does not fit, what has more sums than registers, and warps that would share the tiles unevenly.
rtcg::SearchSpace space_of_tiles(const TileSpace& of, const std::shared_ptr<TilesOfProblem>& all,
                                 const StageProblem& problem, const core::DeviceInfo& device) {
  using Values = std::vector<Value>;
  const Tiles usual{.products = of.products, .rows = of.rows, .basis = of.basis};
  const Configuration words = configuration_of({usual});
  const bool is_blocked = of.rows == Tiles::Rows::blocked;
  // In blocks the state has another layout for each number of elements: 16 alone are tried, 8 where they do not fit.
  const bool sixteen_fit = static_cast<bool>(all->fit({.elements = 16, .basis = of.basis}, &device));
  const std::string is_mirrored = "(operands == 'mirror' or operands == 'mirrorfirst')";
  const auto share_evenly = [all, usual](const Configuration& c) {
    return all->sizes(chosen(c, {usual}).as<Tiles>()).are_shared_evenly;
  };
  const auto is_worth_a_trial = [all, usual](const Configuration& c) {
    const TileSizes sizes = all->sizes(chosen(c, {usual}).as<Tiles>());
    return have_even_shares(sizes) && sums_fit_in_registers(sizes);
  };
  const auto have_no_room_of_their_own = [all, usual, device](const Configuration& c) {
    auto tiles = chosen(c, {usual}).as<Tiles>();
    if (tiles.operands != Tiles::Operands::mirrored_first || tiles.resident_groups > 1) return true;
    tiles.operands = Tiles::Operands::mirrored;
    return !all->fit(tiles, &device);
  };
  rtcg::SearchSpace space;
  space.add("slicing", {words.at("slicing")})
      .add("rows", {words.at("rows")})
      .add("basis", {words.at("basis")})
      .add("elements", is_blocked ? Values{sixteen_fit ? 16 : 8} : Values{8, 16, 32, 64})
      .add("parts", values_of_parts(index(all->parts())))
      .add("warps", from_one_to(32))
      .add("operands", is_blocked ? Values{"warp", "group"} : Values{"warp", "group", "mirror", "mirrorfirst"})
      .add("fluxes", {"node", "face"})
      .add("resident", {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16})
      .add("matrices", ways_to_fetch(problem))
      .add("operators", is_blocked ? Values{"streamed"} : Values{"streamed", "shared", "constant"})
      .add("connectivity", is_blocked ? Values{"face"} : Values{"face", "node"})
      .only_if("all rows of tiles have as many warps", {"elements", "parts", "warps"}, share_evenly)
      // Two steps at a time gain where a work-item computes a node's flux and, in single precision, not between mirror
      // sums, where registers are few (6 % slower at orders 5 and 6).
      .require("matrices != 'twos' or fluxes == 'node'" +
               (problem.precision == Dtype::float32 ? " and not " + is_mirrored : std::string()))
      // These are for want of registers.
      .require("operands != 'group' or matrices == 'turn' or matrices == 'twos'")
      // Mirror sums are for high orders, where few elements fit; faces at a time are for low ones.
      .require("not " + is_mirrored + " or elements <= 16")
      // Operands in shared memory of their own are for one group a multiprocessor, which has room for them.
      .require("operands != 'mirror' or resident == 1")
      .require("fluxes == 'node' or elements >= 4 * warps")  // half of the items, at least, have a face
      .only_if("warps have even shares and registers for their sums", {"warps", "operands", "fluxes", "resident"},
               is_worth_a_trial)
      // Each of these choices is tried by itself, with the plain values of all others: that shows whether it helps.
      .require(
          "operators == 'streamed' and connectivity == 'face' or "
          "matrices == 'turn' and fluxes == 'node' and operands == 'warp' and elements == 16")
      .require("operators == 'streamed' or connectivity == 'face'")
      .only_if("it fits", {"connectivity", "operators"}, fits_on(device, {usual}, rules_of(all)))
      .only_if("operands have no place of their own", {"connectivity"}, have_no_room_of_their_own);
  return space;
}

/// By tensor cores, where there are any, in three layouts; by plain arithmetic in one.
std::vector<CandidateSpace> tile_candidates(const StageProblem& problem, const core::DeviceInfo& device,
                                            std::span<const Schedule::Basis> bases) {
  constexpr int after_tensor_cores = 50;
  std::vector<CandidateSpace> spaces;
  if (device.is_cpu) return spaces;
  const auto all = std::make_shared<TilesOfProblem>(problem);
  const bool has_tensor_cores = static_cast<bool>(tensor_cores_fit(problem.precision, device));
  for (int i = 0; has_tensor_cores && i < static_cast<int>(bases.size()); ++i) {
    for (const Tiles::Rows rows : {Tiles::Rows::apart, Tiles::Rows::tight, Tiles::Rows::blocked}) {
      const TileSpace of{Tiles::Products::tensor_cores, rows, bases[index(i)]};
      spaces.push_back({space_of_tiles(of, all, problem, device), 2 * i + 1});  // after elements
    }
  }
  for (const Schedule::Basis basis : bases) {
    const TileSpace of{Tiles::Products::multiply_add, Tiles::Rows::apart, basis};
    spaces.push_back({space_of_tiles(of, all, problem, device), after_tensor_cores});
  }
  return spaces;
}

std::unique_ptr<FusedGenerator> make_tile_generator(const LoweredSystem& lowered, FusedGenerator::Options options) {
  return std::make_unique<TileGenerator>(lowered, std::move(options));
}

}  // namespace

Slicing slicings::kernels_of(const Tiles& /*tiles*/) {
  return {
      .rules = tile_rules, .candidates = tile_candidates, .rule_of_thumb = nullptr, .make_fused = make_tile_generator};
}

}  // namespace maxwell_dg::dg
