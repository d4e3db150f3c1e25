#include "dg/codegen/tiles/tile_generator.hpp"

#include "dg/codegen/kernel_template.hpp"
#include "dg/codegen/kernel_values.hpp"
#include "dg/codegen/outside_state.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

namespace {

constexpr int first_order_of_sums_apart = 7;

std::optional<MirrorTiling> tiling_for(const FusedGenerator::Options& options) {
  if (!options.schedule.as<Schedule::Tiles>().multiplies_mirror_sums()) return std::nullopt;
  return MirrorTiling::of_order(options.N);
}

}  // namespace

TileGenerator::TileGenerator(const LoweredSystem& lowered, Options options)
    : TileGenerator{lowered, tiling_for(options), std::move(options)} {}  // in this order: the tiling comes first

TileGenerator::TileGenerator(const LoweredSystem& lowered, const std::optional<MirrorTiling>& tiling, Options options)
    : FusedGenerator(lowered, std::move(options)),
      sizes_(slicing(), EquationCounts::of(contracted_, fields_, basis_.has_value()), options_.N, options_.precision,
             tiling ? &*tiling : nullptr) {
  require(fits(sizes_, nullptr), options_.schedule);
  rows_ = sizes_.rows;
  matrices_ = tiling ? matrices_of_mirror_sums(sizes_, *tiling) : matrices_of_nodes(sizes_);
}

bool TileGenerator::sums_apart() const {
  return has_tensor_cores() && options_.precision == Dtype::float32 && options_.N >= first_order_of_sums_apart;
}

rtcg::KernelSource TileGenerator::stage() const {
  static const rtcg::Template text = kernel_template("dg/codegen/tiles/stage_tiles.kernel");
  rtcg::Value::List parts;
  for (std::size_t p = 0; p < contracted_.parts.size(); ++p) parts.emplace_back(part_values(part(p)));
  return kernel_source(name(), text,
                       {{"stage", stage_values(sizes())},
                        {"outside", outside_state_values(lowered_, options_.precision)},
                        {"prepare", prepare_values(sizes_.values_of_an_element, sizes_.values_of_a_face)},
                        {"basis_changes", basis_changes()},
                        {"traces", traces_.values()},
                        {"terms", term_values([&](std::span<const symbolic::Expr> e) { return print(e); })},
                        {"system_fields", fields_},
                        {"tiles", choices()},
                        {"operators", operator_values()},
                        {"mirror", mirror_values()},
                        {"operands", printed(contracted_.operands)},
                        {"flux", printed(contracted_.flux)},
                        {"parts", std::move(parts)}});
}

rtcg::Record TileGenerator::choices() const {
  using Matrices = Schedule::Tiles::Matrices;
  return {{"has_mirror_sums", has_mirror_sums()},
          {"multiplies_first", sizes_.multiplies_first()},
          {"has_tensor_cores", has_tensor_cores()},
          {"tile_elements", sizes_.tile_elements},
          {"nodes_in_halves", sizes_.order_of_nodes() == NodeOrder::in_halves},
          {"stores_pairs", sizes_.tile_elements == 16 && Np_ % 2 == 0},
          {"fluxes_by_face", by_face()},
          {"loads_vectors_of_face", sizes_.numbers_at_once == 4},
          {"connects_nodes", options_.schedule.connects_nodes()},
          {"shares_operands", shares_operands()},
          {"sums_apart", sums_apart()},
          {"volume_is_ahead", slicing().matrices == Matrices::ahead},
          {"lift_is_ahead", !slicing().fetches_in_turn()}};
}

std::vector<std::int32_t> TileGenerator::node_words(const ReferenceElement& reference) const {
  std::vector<std::int32_t> words = reference.face_nodes();
  const std::vector<std::int32_t> more = matrices_->more_node_words(reference);
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace maxwell_dg::dg
