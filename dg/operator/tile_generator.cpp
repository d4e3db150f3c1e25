#include "dg/operator/tile_generator.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <set>
#include <stdexcept>

#include "dg/kernels/kernel_texts.hpp"
#include "dg/operator/kernel_code.hpp"
#include "dg/operator/outside_state.hpp"
#include "dg/symbolic/code_printer.hpp"
#include "rtcg/source/substitute.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using namespace rtcg::syntax;

namespace {

constexpr int tile_rows = 16, tile_columns = 8;

/// Steps of 8 columns, or tiles of 8 nodes.
int steps(int count) {
  return round_up(count, tile_columns) / tile_columns;
}

/// x rounded to the 11 bits of TF32.
double tf32(double x) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(x));
  return std::bit_cast<float>((bits + 0xfffU + ((bits >> 13) & 1U)) & ~0x1fffU);
}

}  // namespace

TileGenerator::TileGenerator(const LoweredSystem& lowered, Options options)
    : FusedGenerator(lowered, std::move(options)), trace_row_(row_apart(fields_ * 4 * Nfp_)) {
  const Schedule& s = options_.schedule;
  const int rows = (s.elements_per_group + tile_rows - 1) / tile_rows,
            parts = static_cast<int>(contracted_.parts.size());
  if (s.slicing != Schedule::Slicing::element_tiles ||
      (s.elements_per_group % tile_rows != 0 && s.elements_per_group != tile_rows / 2) || rows < 1 ||
      s.warps % (rows * parts) != 0) {
    throw std::invalid_argument("schedule " + s.name() +
                                ": element_tiles needs 8 or a multiple of 16 elements a group, and warps a multiple of "
                                "elements / 16 x parts computed apart");
  }
  warps_a_tile_row_ = s.warps / (rows * parts);
  tiles_a_warp_ = (steps(Np_) + warps_a_tile_row_ - 1) / warps_a_tile_row_;
}

std::size_t TileGenerator::on_chip_bytes() const {
  const int an_element =
      row_ + trace_row_ + count_of(contracted_.element_invariants) + 4 * count_of(contracted_.face_invariants) + 12 + 4;
  return static_cast<std::size_t>(elements_per_group() * an_element + 16) * real_bytes();
}

/// Of both rows of elements that an item reads for the left factor.
Block TileGenerator::load_operand_invariants(const Part& part) const {
  std::vector<Expr> operands;
  for (const int g : part.operands) operands.push_back(contracted_.operands[static_cast<std::size_t>(g)]);
  Block block;
  for (const Symbol& s : symbols_of(operands, Kind::invariant)) {
    const std::string i = std::to_string(s.index);
    block += Line("const real " + name_in_kernel(s) + "[2] = {of_element[row * ELEMENT_INVARIANTS + " + i +
                  "], of_element[(row + SECOND_ROW) * ELEMENT_INVARIANTS + " + i + "]};");
  }
  return block;
}

/// Operand by operand, so that few registers hold operands at a time.
Block TileGenerator::volume_products(const Part& part) const {
  Block block;
  for (const int g : part.operands) {
    const std::span operand(&contracted_.operands[static_cast<std::size_t>(g)], 1);
    Block load{
        Line("SHARED_PART const real* const q = q_step + LEFT_ROW(i) * SECOND_ROW * ROW + LEFT_COLUMN(i, lane);")};
    for (const Symbol& s : symbols_of(operand, Kind::field)) {
      load += declare_symbol(s, "q[" + std::to_string(s.index) + " * NP]", "real");
    }
    const PrintedCode code = print(operand, [](const Symbol& s) {
      return name_in_kernel(s) + (s.kind == Kind::invariant ? "[LEFT_ROW(i)]" : "");
    });
    append(load, code.lines);
    load += Line("set_left(&operand, i, " + code.results[0] + ");");
    Block multiply;
    for (std::size_t w = 0; w < part.contractions.size(); ++w) {
      const Contraction& contraction = contracted_.contractions[static_cast<std::size_t>(part.contractions[w])];
      for (const Contraction::Term& term : contraction.terms) {
        if (term.operand != g) continue;
        const std::string matrix = at("matrices[i]", term.axis), sum = at("w[i]", static_cast<int>(w));
        const std::string minus = "minus" + std::to_string(w);
        if (term.negative) multiply += Declare("const right_matrix", minus, "negative(&" + matrix + ")");
        multiply += Line("multiply_add(" + sum + ", &operand, &" + (term.negative ? minus : matrix) + ");");
      }
    }
    block += Scope({Line("left_matrix operand;"), For("i", "0", "LEFT", load, For::Unrolling::full),
                    For("i", "0", "TILES", multiply, For::Unrolling::full)});
  }
  return block;
}

Block TileGenerator::equations(const Part& part) const {
  Block block;
  const std::set<Symbol> fields = symbols_of(part.volume, Kind::field);
  if (!fields.empty()) {
    block += Declare("const int32", "n", "(first_tile + i * WARPS_A_TILE_ROW) * 8 + lane % 4 * 2 + j % 2");
  }
  for (const Symbol& s : fields) {
    block += declare_symbol(s, "fields[e * ROW + " + std::to_string(s.index) + " * NP + n]", "real");
  }
  for (std::size_t w = 0; w < part.contractions.size(); ++w) {
    const Symbol contraction{.kind = Kind::contraction, .index = part.contractions[w]};
    block += declare_symbol(contraction, at("w[i]", static_cast<int>(w)) + "[j]", "real");
  }
  const PrintedCode code = print(part.volume);
  append(block, code.lines);
  for (std::size_t f = 0; f < code.results.size(); ++f) {
    block += Assign(at("rhs[i]", static_cast<int>(f)) + "[j]", code.results[f]);
  }
  return block;
}

std::string TileGenerator::volume_of(const Part& part) const {
  Block load_invariants;
  for (const Symbol& s : symbols_of(part.volume, Kind::invariant)) {
    load_invariants += declare_symbol(s, at("h", s.index), "real");
  }
  return rtcg::substitute(kernels::stage_volume,
                          {{"fields", part.names},
                           {"contractions", std::to_string(std::max<std::size_t>(part.contractions.size(), 1))},
                           {"load_operand_invariants", text_of(load_operand_invariants(part))},
                           {"products", text_of(volume_products(part))},
                           {"load_invariants", text_of(load_invariants)},
                           {"equations", text_of(equations(part))}});
}

std::string TileGenerator::lift_of(const Part& part) const {
  Block products;
  for (std::size_t l = 0; l < part.fields.size(); ++l) {
    const std::string f = std::to_string(part.fields[l]);
    const Block load{Line("set_left(&flux, i, trace[LEFT_ROW(i) * SECOND_ROW * TRACE_ROW + LEFT_COLUMN(i, lane) + " +
                          f + " * 4 * NFP]);")};
    const Block multiply{Line("multiply_add(" + at("rhs[i]", static_cast<int>(l)) + ", &flux, &lift[i]);")};
    products += Scope({Line("left_matrix flux;"), For("i", "0", "LEFT", load, For::Unrolling::full),
                       For("i", "0", "TILES", multiply, For::Unrolling::full)});
  }
  return rtcg::substitute(kernels::stage_lift, {{"fields", part.names}, {"products", text_of(products)}});
}

std::string TileGenerator::store_of(const Part& part) const {
  Block block;
  for (std::size_t l = 0; l < part.fields.size(); ++l) {
    block += Assign("result[" + std::to_string(part.fields[l]) + " * NP]", at("rhs[i]", static_cast<int>(l)) + "[j]");
  }
  return rtcg::syntax::print(block);
}

std::string TileGenerator::each_part(std::string (TileGenerator::*text_of_part)(const Part&) const) const {
  std::string text;
  for (std::size_t p = 0; p < contracted_.parts.size(); ++p) {
    const std::string body = rtcg::substitute("  ${body}", {{"body", (this->*text_of_part)(part(p))}});
    text += (p == 0 ? "" : "\n") + ("if (part == " + std::to_string(p) + ") {\n" + body) + "}";
  }
  return text;
}

Block TileGenerator::fluxes() const {
  Block block;
  for (const Symbol& s : symbols_of(contracted_.flux, Kind::invariant)) {
    block += declare_symbol(s, at("h", s.index), "real");
  }
  const PrintedCode code = print(contracted_.flux);
  append(block, code.lines);
  for (int f = 0; f < fields_; ++f) {
    block += Assign("trace[" + std::to_string(f) + " * 4 * NFP]", code.results[static_cast<std::size_t>(f)]);
  }
  return block;
}

rtcg::KernelSource TileGenerator::stage() const {
  Block gather_traces, load_inside, load_outside, replace_outside;
  for (std::size_t i = 0; i < lowered_.outside_fields.size(); ++i) {
    const std::string slot = std::to_string(i), f = std::to_string(lowered_.outside_fields[i]);
    const std::string outside = "q" + f + "_p";
    gather_traces += Line("COPY_REAL_ASYNC(traces + e * TRACE_ROW + " + slot + " * 4 * NFP + j, q + " + f + " * NP);");
    load_outside += Declare("real", outside, "trace[" + slot + " * 4 * NFP]");
    replace_outside += Assign(outside, "(real)q_p[" + slot + "]");
  }
  for (const Symbol& s : symbols_of(contracted_.flux, Kind::field)) {
    if (s.side == Side::inside) load_inside += declare_symbol(s, "q[" + std::to_string(s.index) + " * NP]", "real");
  }
  std::vector<int> all(contracted_.element_invariants.size());
  std::iota(all.begin(), all.end(), 0);
  const Block of_element = element_invariants(all, "G", "constants_m", [](int i, const std::string& value) {
    return Assign("of_element[e * ELEMENT_INVARIANTS + " + std::to_string(i) + "]", value);
  });
  const Block of_face = face_invariants("constants_m", "constants_p", [](int i, const std::string& value) {
    return Assign("of_face[i * FACE_INVARIANTS + " + std::to_string(i) + "]", value);
  });
  const std::string text =
      rtcg::substitute(kernels::stage_tiles, {{"outside_state", outside_state_function(lowered_, options_.precision)},
                                              {"gather_traces", text_of(gather_traces)},
                                              {"element_invariants", text_of(of_element)},
                                              {"face_invariants", text_of(of_face)},
                                              {"volume_parts", each_part(&TileGenerator::volume_of)},
                                              {"lift_parts", each_part(&TileGenerator::lift_of)},
                                              {"store_parts", each_part(&TileGenerator::store_of)},
                                              {"load_inside", text_of(load_inside)},
                                              {"load_outside", text_of(load_outside)},
                                              {"replace_outside", text_of(replace_outside)},
                                              {"fluxes", text_of(fluxes())},
                                              {"residuals", std::string(kernels::stage_residuals)},
                                              {"update_rows", update_rows()}});
  const std::string sizes =
      prologue({{"UPDATE_BATCH", 5},
                {"TRACE_ROW", trace_row_},
                {"ELEMENT_INVARIANTS", count_of(contracted_.element_invariants)},
                {"FACE_INVARIANTS", count_of(contracted_.face_invariants)},
                {"WARPS_A_PART", options_.schedule.warps / static_cast<int>(contracted_.parts.size())},
                {"SECOND_ROW", elements_per_group() == tile_rows / 2 ? 0 : tile_rows / 2},
                {"TILES", tiles_a_warp_},
                {"SUM_APART", options_.N >= 7 ? 1 : 0},
                {"WARPS_A_TILE_ROW", warps_a_tile_row_},
                {"VOLUME_STEPS", steps(Np_)},
                {"LIFT_STEPS", steps(4 * Nfp_)}});
  return source(sizes + std::string(tensor_cores() ? kernels::tensor_cores : kernels::multiply_add) + "\n" + text);
}

std::vector<double> TileGenerator::factors(const std::vector<const Eigen::MatrixXd*>& matrices) const {
  const auto columns = static_cast<int>(matrices.front()->cols());
  const bool split = tensor_cores() && options_.precision == Dtype::float32;
  std::vector<double> factors;
  for (int tile = 0; tile < tiles_a_warp_ * warps_a_tile_row_; ++tile) {
    for (int step = 0; step < steps(columns); ++step) {
      for (const Eigen::MatrixXd* matrix : matrices) {
        const auto entry = [&](int node, int column) {
          node += tile * tile_columns;
          column += step * tile_columns;
          return node < Np_ && column < columns ? (*matrix)(node, column) : 0.0;
        };
        for (int item = 0; tensor_cores() && item < 32; ++item) {  // node item / 4, columns item % 4 and item % 4 + 4
          const double values[] = {entry(item / 4, item % 4), entry(item / 4, item % 4 + 4)};
          for (const double x : values) factors.push_back(split ? tf32(x) : x);
          for (const double x : values) {
            if (split) factors.push_back(tf32(x - tf32(x)));
          }
        }
        for (int item = 0; !tensor_cores() && item < 4; ++item) {  // nodes 2 item, 2 item + 1, all eight columns
          for (int k = 0; k < 8; ++k) {
            for (const int node : {2 * item, 2 * item + 1}) factors.push_back(entry(node, k));
          }
        }
      }
    }
  }
  // Kernels fetch one step ahead, and so read, without using it, one step more than there is.
  const std::size_t a_step =
      factors.size() / static_cast<std::size_t>(tiles_a_warp_ * warps_a_tile_row_ * steps(columns));
  factors.resize(factors.size() + a_step, 0.0);
  return factors;
}

}  // namespace maxwell_dg::dg
