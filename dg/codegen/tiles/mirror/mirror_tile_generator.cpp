#include "dg/codegen/tiles/mirror/mirror_tile_generator.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "core/round_up.hpp"
#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/tiles/bank_order.hpp"
#include "dg/codegen/tiles/mirror/kernel_texts.hpp"
#include "dg/codegen/tiles/tile_factors.hpp"
#include "dg/lowering/affine_map.hpp"
#include "dg/lowering/lifting.hpp"
#include "dg/mesh/mesh.hpp"
#include "rtcg/source/substitute.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using Lowered = LoweredSymbol::Kind;
using namespace rtcg::syntax;

MirrorTileGenerator::MirrorTileGenerator(const LoweredSystem& lowered, const Options& options,
                                         const MirrorTiling& tiling)
    : TileGenerator(lowered, options, &tiling),
      nodes_(tiling.nodes),
      face_nodes_(tiling.face_nodes),
      tiles_(tiling.tiles(sizes_.tile_nodes)) {}

std::string MirrorTileGenerator::definitions() const {
  const auto columns = [](const MirrorColumns& c) {
    std::string list;
    for (std::size_t kind = 0; kind < 2 * MirrorSums::kinds; ++kind) {
      list += kind > 0 ? ", " : "";
      list += kind >= MirrorSums::kinds ? "{0, 0, 0, 0}"
                                        : "{" + number(c.first.at(kind)) + ", " + number(c.sums.count.at(kind)) + ", " +
                                              number(round_up(c.sums.count.at(kind), step_columns)) + ", " +
                                              number(c.steps_of(static_cast<int>(kind))) + "}";
    }
    return list;
  };
  std::string tiles;
  const int all = sizes_.tiles_a_warp * sizes_.warps_a_tile_row;
  for (int t = 0; t < all; ++t) {
    tiles += t > 0 ? ", " : "";
    if (t >= static_cast<int>(tiles_.size())) {
      tiles += "{" + number(MirrorSums::kinds) + ", 0, 0, 0, 0}";  // no rows, no columns
      continue;
    }
    const MirrorTile& tile = tiles_[index(t)];
    tiles += "{" + number(tile.kind) + ", " + number(nodes_.first.at(index(tile.kind)) + tile.first) + ", " +
             number(tile.rows) + ", " + number(tile.first_D) + ", " + number(tile.first_LIFT) + "}";
  }
  Block sizes;
  const MirrorSums &nodes = nodes_.sums, &fluxes = face_nodes_.sums;
  const std::pair<const char*, int> definitions[] = {
      {"MIRROR_TILES", all},
      {"ORBITS", nodes_.orbits()},
      {"ORBITS_AN_ITEM", ceil_divide(elements_per_group() * round_up(nodes_.orbits(), 4), group_items())},
      {"FLUX_WORDS", 5 * Nfp_ + nodes_.orbits()},
      {"FOURS", nodes.fours},
      {"SECONDS", nodes.seconds},
      {"FIRSTS", nodes.firsts},
      {"FLUX_ORBITS", face_nodes_.orbits()},
      {"FLUX_FOURS", fluxes.fours},
      {"FLUX_SECONDS", fluxes.seconds}};
  for (const auto& [name, value] : definitions) sizes += Line(std::string("#define ") + name + " " + number(value));
  return rtcg::syntax::print(sizes) +
         rtcg::substitute(
             kernels::mirror_sums,
             {{"kind_columns", columns(nodes_)}, {"flux_columns", columns(face_nodes_)}, {"tiles", tiles}}) +
         std::string(kernels::mirror_squares);
}

std::string MirrorTileGenerator::padding() const {
  return std::string(kernels::mirror_padding);
}

Block MirrorTileGenerator::load_invariants(std::span<const Expr> expressions) const {
  Block block;
  for (const LoweredSymbol& s : symbols_of(expressions, Lowered::invariant)) {
    block += declare_symbol(s, "of_element[e * INVARIANT_ROW + " + number(s.number) + "]", "real");
  }
  return block;
}

std::string MirrorTileGenerator::make_operands() const {
  const std::vector<Expr>& operands = contracted_.operands;
  Block at_node;
  for (const Symbol& s : symbols_of(operands, Kind::field)) {
    at_node += declare_symbol(s, "q[" + number(s.index) + " * NP]", "real");
  }
  const PrintedCode code = print(operands);
  append(at_node, code.lines);
  for (std::size_t g = 0; g < operands.size(); ++g) {
    at_node += Assign("x[" + number(g) + "][p]", code.results[g]);
  }
  return rtcg::substitute(kernels::mirror_operands,
                          {{"load_invariants", text_of(load_invariants(operands))}, {"operands", text_of(at_node)}});
}

Block MirrorTileGenerator::products(const Part& part) const {
  Block block;
  for (int axis = 0; axis < 3; ++axis) {
    const std::string kind = "kind_columns[kind ^ " + number(axis) + "]";
    Block step{Line("next += RIGHT_LANES * RIGHT;"), Declare("const right_matrix", "following", "load_right(next)")};
    for (const int g : part.operands) {
      Block products;
      for (std::size_t w = 0; w < part.contractions.size(); ++w) {
        for (const auto& term : contracted_.contractions[index(part.contractions[w])].terms) {
          if (term.operand != g || term.axis != axis) continue;
          const std::string minus = "minus" + number(w);
          if (term.negative) products += Declare("const right_matrix", minus, "negative(&matrix)");
          products += Line("multiply_add(" + at("w[i]", static_cast<int>(w)) + ", &operand, &" +
                           (term.negative ? minus : "matrix") + ");");
        }
      }
      if (products.empty()) continue;
      Block of_operand{Line("left_matrix operand;"), Line("load_left(&operand, column + " + number(g) +
                                                          " * OPERAND_NODES + step * 8, OPERAND_ROW, lane);")};
      of_operand += products;
      step += Scope(std::move(of_operand));
    }
    step += Line("matrix = following;");
    block += Scope(
        {Declare("SHARED_PART const real* const", "column", "operands + first_row * OPERAND_ROW + " + kind + ".first"),
         Declare("const int32", "steps", kind + ".steps"), Line("UNROLL_BY(STEPS_UNROLLED)"),
         For("step", "0", "steps", std::move(step))});
  }
  return block;
}

std::string MirrorTileGenerator::volume_of(const Part& part) const {
  return rtcg::substitute(kernels::mirror_volume,
                          {{"fields", part.names},
                           {"memory", operators().memory()},
                           {"D", operators().of("D")},
                           {"contractions", number(std::max<std::size_t>(part.contractions.size(), 1))},
                           {"products", text_of(products(part))}}) +
         volume_terms(part, of_contractions(part));
}

std::string MirrorTileGenerator::gather_first(const std::string& gather) const {
  return sizes_.multiplies_first() ? "" : gather;
}

std::string MirrorTileGenerator::gather_last(const std::string& gather) const {
  return sizes_.multiplies_first() ? rtcg::substitute(kernels::mirror_gather, {{"gather", gather}}) : "";
}

std::string MirrorTileGenerator::before_fluxes(const std::string& wall) const {
  Block load_normal;
  if (rows_have_normals()) {
    load_normal += Line(
        "SHARED_PART const real* const of_face = of_element + e * INVARIANT_ROW + FACE_INVARIANTS + face * A_FACE;");
    load_normal += Line("const real nx = of_face[0], ny = of_face[1], nz = of_face[2];");
  }
  return rtcg::substitute(kernels::mirror_boundaries, {{"load_normal", text_of(load_normal)}, {"wall", wall}});
}

std::string MirrorTileGenerator::look_up_flux() const {
  return text_of({Declare("const uint32", "flux_word", "(uint32)Fmask[FLUX_WORDS + SQUARE_COLUMN(number)]"),
                  Line("if (e >= present || (int32)flux_word < 0) continue;")});
}

std::string MirrorTileGenerator::load_neighbour() const {
  return basis_ ? TileGenerator::load_neighbour() : "";
}

/// Others are added to it: 0 where there is none.
Statement MirrorTileGenerator::store_on_slanted(const std::string& place, const std::string& value) const {
  return Assign(place, "is_slanted ? " + value + " : 0");
}

std::string MirrorTileGenerator::after_fluxes() const {
  // Fields that are turned together: vectors in the basis of the element, to the axes of mirror sums; else each alone.
  std::vector<ElementBasis::Quantity> sets;
  if (basis_) {
    sets = basis_->quantities;
  } else {
    for (int f = 0; f < fields_; ++f) sets.push_back({ElementBasis::Variance::scalar, f});
  }
  Block turn;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (sets[i].variance == ElementBasis::Variance::scalar) continue;
    const auto turned = lifted_along_mirror_axes(sets[i].variance);
    Block of_point{Line("const real r = x[0][p], s = x[1][p], t = x[2][p];")};
    for (std::size_t a = 0; a < 3; ++a) {
      const Expr sum = combination(turned.at(a), coordinate);
      const PrintedCode code =
          print(std::span(&sum, 1), [](const AnySymbol& s) { return std::string(1, "rst"[std::get<Symbol>(s).axis]); });
      append(of_point, code.lines);
      of_point += Assign("x[" + number(a) + "][p]", code.results.front());
    }
    turn += If("set == " + number(i), {For("p", "0", "4", of_point, For::Unrolling::full)});
  }
  const auto by_set = [&](const std::function<int(const ElementBasis::Quantity&)>& number_of) {
    std::string text;
    for (std::size_t i = 0; i + 1 < sets.size(); ++i) {
      text += "set == " + number(i) + " ? " + number(number_of(sets[i])) + " : ";
    }
    return text + number(number_of(sets.back()));
  };
  const auto count = [](const ElementBasis::Quantity& q) {
    return q.variance == ElementBasis::Variance::scalar ? 1 : 3;
  };
  return rtcg::substitute(kernels::mirror_fluxes,
                          {{"sets", number(sets.size())},
                           {"most", number(count(*std::ranges::max_element(sets, {}, count)))},
                           {"first_field", by_set([](const ElementBasis::Quantity& q) { return q.first; })},
                           {"count", by_set(count)},
                           {"turn", text_of(turn)}});
}

Block MirrorTileGenerator::lift_products(const Part& part) const {
  Block block;
  for (std::size_t l = 0; l < part.fields.size(); ++l) {
    block +=
        Scope({Line("left_matrix flux;"),
               Line("load_left(&flux, fluxes + " + number(part.fields[l]) + " * FLUXES + step * 8, TRACE_ROW, lane);"),
               Line("multiply_add(" + at("rhs[i]", static_cast<int>(l)) + ", &flux, &matrix);")});
  }
  return block;
}

std::string MirrorTileGenerator::lift_of(const Part& part) const {
  return rtcg::substitute(kernels::mirror_lift, {{"fields", part.names},
                                                 {"memory", operators().memory()},
                                                 {"LIFT", operators().of("LIFT")},
                                                 {"products", text_of(lift_products(part))}});
}

/// What it has of the fields at a node comes when there are nodes again.
Expr MirrorTileGenerator::equation_of_sums(int field) const {
  return without_fields(TileGenerator::equation_of_sums(field));
}

std::string MirrorTileGenerator::store_results() const {
  const std::vector<Expr> local = of_node();
  Block add;
  for (const Symbol& s : symbols_of(local, Kind::field)) {
    add += declare_symbol(s, "fields[ROW_OFFSET(e) + " + number(s.index) + " * NP + n]", "real");
  }
  const PrintedCode code = print(local);
  append(add, code.lines);
  for (std::size_t f = 0; f < local.size(); ++f) {
    if (!local[f].is_constant(0)) add += Assign("x[round][" + number(f) + "][p]", code.results[f], "+=");
  }
  return rtcg::substitute(kernels::mirror_results,
                          {{"store_parts", each_part([this](const Part& p) { return store_of(p); })},
                           {"load_local_invariants", text_of(load_invariants(local))},
                           {"add_local", text_of(add)}});
}

std::string MirrorTileGenerator::store_of(const Part& part) const {
  Block block;
  for (std::size_t l = 0; l < part.fields.size(); ++l) {
    block +=
        Assign("result[" + number(part.fields[l]) + " * OPERAND_NODES]", at("rhs[i]", static_cast<int>(l)) + "[j]");
  }
  return rtcg::syntax::print(block);
}

std::vector<double> MirrorTileGenerator::factors_of_tiles(const std::vector<Eigen::MatrixXd>& matrices,
                                                          const MirrorColumns& columns) const {
  std::vector<double> all;
  std::size_t a_step = 0;
  for (const MirrorTile& tile : tiles_) {
    for (std::size_t axis = 0; axis < matrices.size(); ++axis) {
      const auto kind = index(tile.kind) ^ axis;
      if (columns.sums.count.at(kind) == 0) continue;
      const Eigen::MatrixXd block =
          matrices[axis].block(nodes_.sums.first_slot.at(index(tile.kind)) + tile.first,
                               columns.sums.first_slot.at(kind), tile.rows, columns.sums.count.at(kind));
      const std::vector<double> of_block =
          tile_factors({&block}, sizes_.tile_nodes, 1, factor_form(), order_of_nodes());
      a_step = of_block.size() / index(steps(static_cast<int>(block.cols())) + 1);
      all.insert(all.end(), of_block.begin(), of_block.end() - static_cast<std::ptrdiff_t>(a_step));
    }
  }
  all.resize(all.size() + a_step, 0.0);  // kernels fetch one step ahead
  return all;
}

std::vector<double> MirrorTileGenerator::derivative_factors(const ReferenceElement& reference) const {
  // Kernels count a node as often as it stands in its orbit's four places.
  const std::array<Eigen::MatrixXd, 3> along = MirrorSums::derivatives(reference, nodes_.sums);
  const Eigen::VectorXd nodes_of_sum = nodes_.sums.sums().cwiseAbs().rowwise().sum();
  std::vector<Eigen::MatrixXd> D;
  for (const Eigen::MatrixXd& d : along) D.emplace_back(d * (nodes_of_sum / 4).asDiagonal());
  return factors_of_tiles(D, nodes_);
}

std::vector<double> MirrorTileGenerator::lift_factors(const ReferenceElement& reference) const {
  return factors_of_tiles({between_mirror_sums(reference.LIFT, nodes_.sums, face_nodes_.sums)}, face_nodes_);
}

std::vector<std::int32_t> MirrorTileGenerator::node_words(const ReferenceElement& reference) const {
  std::vector<std::int32_t> words = reference.face_nodes();
  const auto add = [&](const std::vector<std::int32_t>& more) { words.insert(words.end(), more.begin(), more.end()); };
  add(mirror_words(nodes_, face_nodes_));
  add(flux_words(reference));
  return words;
}

std::vector<std::int32_t> MirrorTileGenerator::flux_words(const ReferenceElement& reference) const {
  const std::vector<int> places = face_nodes_.places();
  std::vector<std::int32_t> words;
  for (int face = 0; face < 4; ++face) {
    SquareAccess inside, flux{.weight = 2};  // outside traces are read there, then fluxes are written
    for (int node = 0; node < Nfp_; ++node) {
      inside.places.push_back(reference.Fmask(node, face));
      flux.places.push_back(places[index(face * Nfp_ + node)]);
    }
    for (const int node : order_by_squares({inside, flux}, {Nfp_})) {
      words.push_back(word_of({inside.places[index(node)], flux.places[index(node)], 0, 0}));
    }
    words.resize(index((face + 1) * round_up(Nfp_, 4)), -1);
  }
  return words;
}

}  // namespace maxwell_dg::dg
