#include "dg/operator/element_generator.hpp"

#include <array>
#include <cmath>
#include <stdexcept>

#include "dg/kernels/kernel_texts.hpp"
#include "dg/operator/kernel_code.hpp"
#include "dg/operator/outside_state.hpp"
#include "rtcg/array/ceil_divide.hpp"
#include "rtcg/source/literal.hpp"
#include "rtcg/source/substitute.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using namespace rtcg::syntax;

namespace {

constexpr int warp = 32;
constexpr double zero_entry = 1e-13;  // of a matrix: zero but for rounding

/// The outward normal of a face, times what areas are scaled by: minus grad t, minus grad s, the sum, minus grad r.
std::string scaled_normal(int face, int axis) {
  const auto G = [&](int gradient) { return at("G", 3 * gradient + axis); };
  const std::array<std::string, 4> normals{"-" + G(2), "-" + G(1), G(0) + " + " + G(1) + " + " + G(2), "-" + G(0)};
  return normals.at(static_cast<std::size_t>(face));
}

}  // namespace

ElementGenerator::ElementGenerator(const LoweredSystem& lowered, Options options)
    : FusedGenerator(lowered, std::move(options)),
      reference_(ReferenceElement::make(options_.N)),
      exchange_(round_up(Nfp_, vector_size())) {
  if (options_.schedule.slicing != Schedule::Slicing::elements_in_parallel || elements_per_group() < warp ||
      elements_per_group() % warp != 0) {
    throw std::invalid_argument("schedule " + options_.schedule.name() +
                                ": elements_in_parallel needs a multiple of 32 elements a group");
  }
  // An odd number of vectors between rows: eight items that read a vector each meet all banks.
  row_ = round_up(element_size_ - vector_size(), 2 * vector_size()) + vector_size();
}

std::size_t ElementGenerator::on_chip_bytes() const {
  const auto values = static_cast<std::size_t>(5 * elements_per_group() * row_);
  const auto numbers = static_cast<std::size_t>(4 * elements_per_group() + round_up(4 * Nfp_, 4));
  return values * real_bytes() + numbers * sizeof(std::int32_t);
}

std::string ElementGenerator::real(double value) const {
  return rtcg::literal(value, options_.precision);
}

template <class F>
Block ElementGenerator::each_part(F body) const {
  Block block;
  for (int p = 0; p < parts(); ++p) {
    Block of_part = body(part(static_cast<std::size_t>(p)), p);
    block += parts() == 1 ? Statement(Scope(std::move(of_part))) : If("part == " + std::to_string(p), of_part);
  }
  return block;
}

template <class F>
Block ElementGenerator::fluxes(int face, F use) const {
  const std::string f = std::to_string(face);
  Block block{Declare("const int32", "neighbour", at("face_neighbour", face / parts())),
              Declare("const int32", "in_group", "neighbour / 4 - first"),
              Declare("const bool", "is_here", "neighbour >= 0 && in_group >= 0 && in_group < present"),
              Declare("SHARED_PART const real* const", "outside",
                      "is_here ? own_rows + in_group * ROW : rows + (" + f + " * ELEMENTS + slot) * ROW"),
              Declare("SHARED_PART const int32* const", "outside_node",
                      "face_node + (neighbour >= 0 ? neighbour & 3 : " + f + ") * NFP")};
  const std::array<std::string, 3> axes{"x", "y", "z"};
  for (int axis = 0; axis < 3; ++axis) {
    block += Declare("const real", "scaled_" + axes.at(static_cast<std::size_t>(axis)), scaled_normal(face, axis));
  }
  block += Declare("const real", "Fscale", "sqrt(scaled_x * scaled_x + scaled_y * scaled_y + scaled_z * scaled_z)");
  for (const std::string& axis : axes) block += Declare("const real", "n" + axis, "scaled_" + axis + " / Fscale");
  const std::string outside_constants = at("constants_p", face / parts());
  block += face_invariants("constants_m", outside_constants, [](int i, const std::string& value) -> Statement {
    return Declare("const real", "h" + std::to_string(i), value);
  });
  for (int j = 0; j < Nfp_; ++j) {
    Block node{Declare("const int32", "place", at("outside_node", j))};
    for (const Symbol& s : symbols_of(contracted_.flux, Kind::field)) {
      const std::string first = std::to_string(s.index * Np_);
      node += declare_symbol(s,
                             s.side == Side::inside ? at("q", s.index * Np_ + reference_.Fmask(j, face))
                                                    : "outside[" + first + " + place]",
                             "real");
    }
    const PrintedCode code = print(contracted_.flux);
    append(node, code.lines);
    for (int field = 0; field < fields_; ++field) node += use(field, j, code.results[static_cast<std::size_t>(field)]);
    block += Scope(std::move(node));
  }
  return block;
}

Block ElementGenerator::lifted(std::size_t l, int j, const std::string& value) const {
  Block block{Declare("const real", "F", value)};
  for (int n = 0; n < Np_; ++n) {
    const double entry = reference_.LIFT(n, j);
    if (std::abs(entry) < zero_entry) continue;
    block += Assign("rhs[" + std::to_string(l) + "][" + std::to_string(n) + "]", real(entry) + " * F", "+=");
  }
  return {Scope(std::move(block))};
}

Block ElementGenerator::volume(const Part& part) const {
  const std::array<const Eigen::MatrixXd*, 3> D{&reference_.Dr, &reference_.Ds, &reference_.Dt};
  const std::string contractions = std::to_string(std::max<std::size_t>(part.contractions.size(), 1));
  std::vector<Expr> terms = part.volume;
  for (const int g : part.operands) terms.push_back(contracted_.operands[static_cast<std::size_t>(g)]);
  std::vector<int> invariants;
  for (const Symbol& s : symbols_of(terms, Kind::invariant)) invariants.push_back(s.index);
  Block block = element_invariants(invariants, "G", "constants_m", [](int i, const std::string& value) -> Statement {
    return Declare("const real", "h" + std::to_string(i), value);
  });
  block += Line("real w[" + contractions + "][NP];");
  block += For("c", "0", contractions, {For("n", "0", "NP", {Assign("w[c][n]", "0")}, For::Unrolling::full)},
               For::Unrolling::full);
  for (int m = 0; m < Np_; ++m) {
    for (const int g : part.operands) {
      const std::span operand(&contracted_.operands[static_cast<std::size_t>(g)], 1);
      Block sums;
      bool is_used = false;  // not where all entries of the column are zero
      for (std::size_t w = 0; w < part.contractions.size(); ++w) {
        const Contraction& contraction = contracted_.contractions[static_cast<std::size_t>(part.contractions[w])];
        for (const Contraction::Term& term : contraction.terms) {
          for (int n = 0; term.operand == g && n < Np_; ++n) {
            const double entry = (*D.at(static_cast<std::size_t>(term.axis)))(n, m);
            if (std::abs(entry) < zero_entry) continue;
            sums += Assign("w[" + std::to_string(w) + "][" + std::to_string(n) + "]",
                           real(term.negative ? -entry : entry) + " * operand", "+=");
            is_used = true;
          }
        }
      }
      if (!is_used) continue;
      Block product;
      for (const Symbol& s : symbols_of(operand, Kind::field)) {
        product += declare_symbol(s, at("q", s.index * Np_ + m), "real");
      }
      const PrintedCode code = print(operand);
      append(product, code.lines);
      product += Declare("const real", "operand", code.results[0]);
      product += sums;
      block += Scope(std::move(product));
    }
  }
  Block node;
  for (const Symbol& s : symbols_of(part.volume, Kind::field)) {
    node += declare_symbol(s, "q[" + std::to_string(s.index * Np_) + " + n]", "real");
  }
  for (std::size_t w = 0; w < part.contractions.size(); ++w) {
    const Symbol contraction{.kind = Kind::contraction, .index = part.contractions[w]};
    node += declare_symbol(contraction, at("w", static_cast<int>(w)) + "[n]", "real");
  }
  const PrintedCode code = print(part.volume);
  append(node, code.lines);
  for (std::size_t l = 0; l < code.results.size(); ++l) {
    node += Assign(at("rhs", static_cast<int>(l)) + "[n]", code.results[l], "+=");
  }
  block += For("n", "0", "NP", std::move(node), For::Unrolling::full);
  return block;
}

Block ElementGenerator::lift(const Part& part) const {
  Block block;
  for (int face = 0; face < ReferenceElement::Nfaces; ++face) {
    Block of_face{
        Declare("SHARED_PART const real* const", "flux", "rows + (" + std::to_string(face) + " * ELEMENTS + e) * ROW")};
    for (std::size_t l = 0; l < part.fields.size(); ++l) {
      for (int j = 0; j < Nfp_; ++j) of_face += lifted(l, face * Nfp_ + j, at("flux", part.fields[l] * exchange_ + j));
    }
    block += Scope(std::move(of_face));
  }
  return block;
}

// Where an item has a whole element, fluxes go from its registers into its sums. Else each part's items compute those
// of some faces, for all parts.
Block ElementGenerator::work() const {
  const Block begin{For("l", "0", "PART_FIELDS",
                        {For("n", "0", "NP", {Assign("rhs[l][n]", "0")}, For::Unrolling::full)}, For::Unrolling::full)};
  Block block;
  if (parts() == 1) {
    block += begin;
    const Part all = part(0);
    for (int face = 0; face < ReferenceElement::Nfaces; ++face) {
      block += Scope(fluxes(face, [&](int field, int j, const std::string& value) {
        const int l = place_in(all.fields, field);
        return lifted(static_cast<std::size_t>(l), face * Nfp_ + j, value);
      }));
    }
    block += Scope(volume(all));
    return block;
  }
  block += each_part([&](const Part&, int p) {
    Block some;
    for (int face = p; face < ReferenceElement::Nfaces; face += parts()) {
      Block of_face{Line("real flux[NFIELDS][NFP];")};
      of_face += fluxes(face, [&](int field, int j, const std::string& value) {
        return Block{Assign(at("flux", field) + "[" + std::to_string(j) + "]", value)};
      });
      const std::string row =
          "rows[(" + std::to_string(face) + " * ELEMENTS + e) * ROW + f * " + std::to_string(exchange_) + " + j]";
      of_face += If("slot < present",
                    {For("f", "0", "NFIELDS", {For("j", "0", "NFP", {Assign(row, "flux[f][j]")}, For::Unrolling::full)},
                         For::Unrolling::full)});
      some += Scope(std::move(of_face));
    }
    return some;
  });
  block += Line("BARRIER();");
  block += begin;
  block += each_part([&](const Part& part, int) {
    Block of_part = lift(part);
    of_part += Scope(volume(part));
    return of_part;
  });
  return block;
}

rtcg::KernelSource ElementGenerator::stage() const {
  Block replace_outside, unpack;
  for (std::size_t i = 0; i < lowered_.outside_fields.size(); ++i) {
    replace_outside += Assign("outside[" + std::to_string(lowered_.outside_fields[i]) + " * NP]",
                              "(real)" + at("q_p", static_cast<int>(i)));
  }
  const std::array<std::string, 4> components{"x", "y", "z", "w"};
  for (int c = 0; c < vector_size(); ++c) {
    unpack += Assign("q[i * VECTOR + " + std::to_string(c) + "]", "some." + components.at(static_cast<std::size_t>(c)));
  }
  const Block store = each_part([&](const Part& part, int p) {
    Block of_part;
    for (std::size_t l = 0; l < part.fields.size(); ++l) {
      of_part += For(
          "n", "0", "NP",
          {Assign("result[" + std::to_string(part.fields[l] * Np_) + " + n]", at("rhs", static_cast<int>(l)) + "[n]")},
          For::Unrolling::full);
    }
    if (p == 0) of_part += For("i", "NFIELDS * NP", "ELEMENT_SIZE", {Assign("result[i]", "0")});
    return of_part;
  });
  const std::string text = rtcg::substitute(kernels::stage_elements,
                                            {{"outside_state", outside_state_function(lowered_, options_.precision)},
                                             {"replace_outside", text_of(replace_outside)},
                                             {"unpack", text_of(unpack)},
                                             {"work", text_of(work())},
                                             {"store", text_of(store)},
                                             {"residuals", std::string(kernels::stage_residuals)},
                                             {"update_rows", update_rows()}});
  // All residuals are under way during the work, if that takes few registers.
  const auto vectors_an_item = static_cast<int>(rtcg::ceil_divide(element_size_ / vector_size(), parts()));
  const auto faces_an_item = static_cast<int>(rtcg::ceil_divide(ReferenceElement::Nfaces, parts()));
  return source(prologue({{"PARTS", parts()},
                          {"FACES_AN_ITEM", faces_an_item},
                          {"UPDATE_BATCH", vectors_an_item <= 6 ? vectors_an_item : 4}}) +
                text);
}

}  // namespace maxwell_dg::dg
