#include "dg/operator/element_generator.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
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
constexpr std::size_t arrival_bytes = 16;  // on the chip, of what counts the copies that have arrived
constexpr double zero_entry = 1e-13;       // of a matrix: zero but for rounding

Statement each_node(Block body) {
  return For("n", "0", "NP", std::move(body), For::Unrolling::full);
}

std::string lifted(int sum) {
  return "lifted" + number(sum);
}

}  // namespace

ElementGenerator::ElementGenerator(const LoweredSystem& lowered, Options options)
    : FusedGenerator(lowered, std::move(options), true),
      reference_(ReferenceElement::make(options_.N)),
      nodes_(DerivativeNodes::sparse(reference_)) {
  if (options_.schedule.slicing != Schedule::Slicing::elements_in_parallel || elements_per_group() < warp ||
      elements_per_group() % warp != 0) {
    throw std::invalid_argument("schedule " + options_.schedule.name() +
                                ": elements_in_parallel needs a multiple of 32 elements a group");
  }
  if (copies().faces == 0) {
    throw std::invalid_argument("schedule " + options_.schedule.name() +
                                ": elements_in_parallel needs an item for each node of four faces, at least");
  }
  contracted_.face_invariants.clear();  // of fluxes field by field
  lifting_ = lift_by_components(lowered, contracted_);
  // Of eight items that read a vector each no more than two meet a bank: rows then are as far apart as in memory.
  row_ = element_size_ / vector_size() % 4 == 0 ? element_size_ + vector_size() : element_size_;
  std::size_t values = lowered.outside_fields.size();
  for (const std::vector<Expr>& of_face : lifting_.values) values = std::max(values, of_face.size());
  values_at_a_node_ = static_cast<int>(values);
}

std::size_t ElementGenerator::on_chip_bytes() const {
  const int rows = elements_per_group() * row_;
  const int values = rows + round_up(std::max(4 * values_at_a_node_ * Nfp_ * trace(), rows), vector_size());
  return static_cast<std::size_t>(values) * real_bytes() +
         static_cast<std::size_t>(4 * elements_per_group()) * sizeof(std::int32_t) + arrival_bytes;
}

ElementGenerator::Copies ElementGenerator::copies() const {
  const auto count = static_cast<int>(lowered_.outside_fields.size());
  const bool all = count > 0 && lowered_.outside_fields.back() + 1 == count;
  Copies best{.faces = 0, .items_a_node = 1};
  for (int items = 1; items <= (all ? count : 1); ++items) {
    const int faces = static_cast<int>(std::bit_floor(static_cast<unsigned>(group_items() / (items * Nfp_))));
    const bool is_busier = faces * items >= best.faces * best.items_a_node;
    if (faces >= 4 && count % items == 0 && is_busier) best = {.faces = faces, .items_a_node = items};
  }
  return best;
}

std::string ElementGenerator::real(double value) const {
  return rtcg::literal(value, options_.precision);
}

template <class F>
Block ElementGenerator::each_part(F body) const {
  Block block;
  for (int p = 0; p < parts(); ++p) {
    Block of_part = body(part(static_cast<std::size_t>(p)), p);
    block += parts() == 1 ? Statement(Scope(std::move(of_part))) : If("part == " + number(p), of_part);
  }
  return block;
}

std::string ElementGenerator::trace_at(int face, int value, int node) const {
  return "trace[" + number((face * values_at_a_node_ + value) * Nfp_ + node) + " * TRACE]";
}

Block ElementGenerator::gather_traces() const {
  Block block;
  const std::vector<int>& fields = lowered_.outside_fields;
  const auto of_an_item = fields.size() / static_cast<std::size_t>(copies().items_a_node);
  for (std::size_t i = 0; i < of_an_item; ++i) {
    block += Line("COPY_REAL_ASYNC(trace + " + number(i) + " * NFP * TRACE, q + " + number(fields[i]) + " * NP);");
  }
  return block;
}

Block ElementGenerator::load_metric(std::span<const Expr> expressions) {
  Block block;
  for (const Symbol& s : symbols_of(expressions, Kind::metric)) {
    block += declare_symbol(s, s.index < 9 ? at("G", s.index) : at("tangents", s.index - 9), "real");
  }
  return block;
}

Block ElementGenerator::fluxes(int face, const UseValue& use) const {
  const std::vector<Expr>& values = lifting_.values.at(static_cast<std::size_t>(face));
  Block block = load_metric(values);
  const std::set<Symbol> normals = symbols_of(values, Kind::normal);
  if (!normals.empty()) {
    std::string squares;
    for (int axis = 0; axis < 3; ++axis) {
      const std::string component = "scaled_" + number(axis);
      block += Declare("const real", component, scaled_normal(face, number(axis)));
      squares += (axis > 0 ? " + " : "") + component + " * " + component;
    }
    for (const Symbol& s : normals)
      block += declare_symbol(s, "scaled_" + number(s.index) + " / sqrt(" + squares + ")", "real");
  }
  const int first = values_of_an_element() + face * values_of_a_face();
  for (const Symbol& s : symbols_of(values, Kind::invariant)) {
    block += declare_symbol(s, "INVARIANT(" + number(first + s.index) + ")", "real");
  }
  for (int j = 0; j < Nfp_; ++j) {
    Block node;
    for (const Symbol& s : symbols_of(values, Kind::field)) {
      node += declare_symbol(s,
                             s.side == Side::inside ? at("q", s.index * Np_ + reference_.Fmask(j, face))
                                                    : trace_at(face, place_in(lowered_.outside_fields, s.index), j),
                             "real");
    }
    const PrintedCode code = print(values);
    append(node, code.lines);
    for (std::size_t v = 0; v < code.results.size(); ++v) node += use(static_cast<int>(v), j, code.results[v]);
    block += Scope(std::move(node));
  }
  return block;
}

std::set<int> ElementGenerator::sums_of(const Part& part) const {
  std::vector<Expr> rhs;
  for (const int f : part.fields) rhs.push_back(lifting_.rhs[static_cast<std::size_t>(f)]);
  std::set<int> sums;
  for (const Symbol& s : symbols_of(rhs, Kind::contraction)) {
    sums.insert(s.index - static_cast<int>(contracted_.contractions.size()));
  }
  return sums;
}

Block ElementGenerator::begin_sums(const Part& part) const {
  Block block, zero;
  for (const int s : sums_of(part)) {
    block += Line("real " + lifted(s) + "[NP];");
    zero += Assign(lifted(s) + "[n]", "0");
  }
  block += each_node(std::move(zero));
  return block;
}

Block ElementGenerator::lift(const Part& part, int face, const std::function<Block(const UseValue&)>& values) const {
  std::map<int, std::vector<int>> sums;  // of a value
  for (const int s : sums_of(part)) {
    for (const Lifting::Term& term : lifting_.sums[static_cast<std::size_t>(s)]) {
      if (term.face == face) sums[term.value].push_back(s);
    }
  }
  Block block, add;
  std::map<int, std::string> target;
  for (const auto& [value, of_value] : sums) {
    if (of_value.size() == 1) {
      target[value] = lifted(of_value[0]);
      continue;
    }
    const std::string shared = target[value] = "shared" + number(value);  // multiplied out once, for all of them
    block += Line("real " + shared + "[NP];");
    block += each_node({Assign(shared + "[n]", "0")});
    Block each;
    for (const int s : of_value) each += Assign(lifted(s) + "[n]", shared + "[n]", "+=");
    add += each_node(std::move(each));
  }
  block += values([&](int value, int j, const std::string& text) -> Block {
    if (!target.contains(value)) return {};
    Block product{Declare("const real", "F", text)};
    for (int n = 0; n < Np_; ++n) {
      const double entry = reference_.LIFT(n, face * Nfp_ + j);
      if (std::abs(entry) < zero_entry) continue;
      product += Assign(at(target.at(value), n), real(entry) + " * F", "+=");
    }
    return {Scope(std::move(product))};
  });
  block += add;
  return {Scope(std::move(block))};
}

Block ElementGenerator::contractions(const Part& part) const {
  const std::array<const Eigen::MatrixXd*, 3> D{&reference_.Dr, &reference_.Ds, &reference_.Dt};
  Block block;
  for (const int w : part.contractions) {
    block += Line("real w" + number(w) + "_at[" + number(nodes_.multiplied.size()) + "];");
    for (std::size_t i = 0; i < nodes_.multiplied.size(); ++i) {
      block += Assign(at("w" + number(w) + "_at", static_cast<int>(i)), "0");
    }
  }
  for (int m = 0; m < Np_; ++m) {
    for (const int g : part.operands) {
      Block sums;
      for (const int w : part.contractions) {
        for (const Contraction::Term& term : contracted_.contractions[static_cast<std::size_t>(w)].terms) {
          if (term.operand != g) continue;
          for (std::size_t i = 0; i < nodes_.multiplied.size(); ++i) {
            const double entry = (*D.at(static_cast<std::size_t>(term.axis)))(nodes_.multiplied[i], m);
            if (std::abs(entry) < zero_entry) continue;
            sums += Assign(at("w" + number(w) + "_at", static_cast<int>(i)),
                           real(term.negative ? -entry : entry) + " * operand", "+=");
          }
        }
      }
      if (sums.empty()) continue;
      const std::span operand(&contracted_.operands[static_cast<std::size_t>(g)], 1);
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
  return block;
}

Block ElementGenerator::right_hand_side(const Part& part) const {
  std::vector<Expr> rhs, terms;
  for (std::size_t l = 0; l < part.fields.size(); ++l) {
    rhs.push_back(part.volume[l] + lifting_.rhs[static_cast<std::size_t>(part.fields[l])]);
  }
  terms = rhs;
  for (const int g : part.operands) terms.push_back(contracted_.operands[static_cast<std::size_t>(g)]);
  Block block = load_metric(terms);
  for (const Symbol& s : symbols_of(terms, Kind::invariant)) {
    block += declare_symbol(s, "INVARIANT(" + number(9 + s.index) + ")", "real");
  }
  block += contractions(part);
  const PrintedCode code = print(rhs);
  const std::size_t multiplied = nodes_.multiplied.size();
  for (int n = 0; n < Np_; ++n) {
    const auto place = std::ranges::lower_bound(nodes_.multiplied, n);
    const bool is_multiplied = place != nodes_.multiplied.end() && *place == n;
    Block node;
    for (const Symbol& s : symbols_of(rhs, Kind::field)) {
      node += declare_symbol(s, at("q", s.index * Np_ + n), "real");
    }
    for (const int w : part.contractions) {
      const std::string of_nodes = "w" + number(w) + "_at";
      std::string value;
      if (is_multiplied) {
        value = at(of_nodes, static_cast<int>(place - nodes_.multiplied.begin()));
      } else {
        const auto row = std::ranges::lower_bound(nodes_.interpolated, n) - nodes_.interpolated.begin();
        for (std::size_t i = 0; i < multiplied; ++i) {
          const double entry = nodes_.interpolation(row, static_cast<Eigen::Index>(i));
          if (std::abs(entry) < zero_entry) continue;
          value += (value.empty() ? "" : " + ") + real(entry) + " * " + at(of_nodes, static_cast<int>(i));
        }
      }
      node += declare_symbol({.kind = Kind::contraction, .index = w}, value, "real");
    }
    for (const int s : sums_of(part)) {
      const int index = static_cast<int>(contracted_.contractions.size()) + s;
      node += declare_symbol({.kind = Kind::contraction, .index = index}, at(lifted(s), n), "real");
    }
    append(node, code.lines);
    for (std::size_t l = 0; l < code.results.size(); ++l) {
      node += Assign("rhs[" + number(l) + "][" + number(n) + "]", code.results[l]);
    }
    block += Scope(std::move(node));
  }
  return block;
}

// Where an item has a whole element, fluxes go from its registers into its sums. Else each part's items compute those
// of some faces, for all parts.
Block ElementGenerator::work() const {
  Block block;
  if (parts() == 1) {
    const Part all = part(0);
    block += begin_sums(all);
    for (int face = 0; face < ReferenceElement::Nfaces; ++face) {
      block += lift(all, face, [&](const UseValue& use) { return fluxes(face, use); });
    }
    block += Scope(right_hand_side(all));
    return block;
  }
  block += each_part([&](const Part&, int p) {
    Block some;
    for (int face = p; face < ReferenceElement::Nfaces; face += parts()) {
      some += Scope(fluxes(face, [&](int value, int j, const std::string& text) -> Block {
        return {Assign(trace_at(face, value, j), text)};
      }));
    }
    return some;
  });
  block += Line("BARRIER();");
  block += each_part([&](const Part& part, int) {
    Block of_part = begin_sums(part);
    for (int face = 0; face < ReferenceElement::Nfaces; ++face) {
      of_part += lift(part, face, [&](const UseValue& use) {
        Block values;
        const auto count = static_cast<int>(lifting_.values.at(static_cast<std::size_t>(face)).size());
        for (int value = 0; value < count; ++value) {
          for (int j = 0; j < Nfp_; ++j) values += use(value, j, trace_at(face, value, j));
        }
        return values;
      });
    }
    of_part += Scope(right_hand_side(part));
    return of_part;
  });
  return block;
}

Block ElementGenerator::store(const Part& part) const {
  std::map<int, std::string> values;  // by their places in the row
  for (std::size_t l = 0; l < part.fields.size(); ++l) {
    for (int n = 0; n < Np_; ++n) {
      values[part.fields[l] * Np_ + n] = "rhs[" + number(l) + "][" + number(n) + "]";
    }
  }
  const std::array<std::string, 4> components{"x", "y", "z", "w"};
  Block block;
  for (int i = 0; i < fields_ * Np_; i += vector_size()) {
    bool is_whole = true;
    for (int c = 0; c < vector_size(); ++c) is_whole = is_whole && values.contains(i + c);
    Block some;
    if (is_whole) some += Declare("vector", "some");
    for (int c = 0; c < vector_size(); ++c) {
      if (!values.contains(i + c)) continue;
      some += is_whole ? Assign("some." + components.at(static_cast<std::size_t>(c)), values.at(i + c))
                       : Assign(at("result", i + c), values.at(i + c));
    }
    if (is_whole) some += Assign("((SHARED_PART vector*)result)[" + number(i / vector_size()) + "]", "some");
    block += Scope(std::move(some));
  }
  return block;
}

rtcg::KernelSource ElementGenerator::stage() const {
  Block replace_outside, unpack;
  for (std::size_t i = 0; i < lowered_.outside_fields.size(); ++i) {
    replace_outside += Assign("outside[" + number(i) + " * NFP * TRACE]", "(real)" + at("q_p", static_cast<int>(i)));
  }
  const std::array<std::string, 4> components{"x", "y", "z", "w"};
  for (int c = 0; c < vector_size(); ++c) {
    unpack += Assign("q[i * VECTOR + " + number(c) + "]", "some." + components.at(static_cast<std::size_t>(c)));
  }
  const Block stores = each_part([&](const Part& part, int p) {
    Block of_part = store(part);
    if (p == 0) of_part += For("i", "NFIELDS * NP", "ELEMENT_SIZE", {Assign("result[i]", "0")});
    return of_part;
  });
  const std::string text = rtcg::substitute(kernels::stage_elements,
                                            {{"outside_state", outside_state_function(lowered_, options_.precision)},
                                             {"prepare", prepare(values_of_an_element(), values_of_a_face())},
                                             {"gather_traces", text_of(gather_traces())},
                                             {"scaled_normal", scaled_normal("axis")},
                                             {"replace_outside", text_of(replace_outside)},
                                             {"unpack", text_of(unpack)},
                                             {"work", text_of(work())},
                                             {"store", text_of(stores)},
                                             {"residuals", std::string(kernels::stage_residuals)},
                                             {"update_rows", update_rows()}});
  // All residuals are under way during the work, if that takes few registers.
  const auto vectors_an_item = static_cast<int>(rtcg::ceil_divide(element_size_ / vector_size(), parts()));
  const auto [faces, items_a_node] = copies();
  return source(prologue({{"PARTS", parts()},
                          {"TRACE", trace()},
                          {"ARRIVAL_INTS", static_cast<int>(arrival_bytes / sizeof(std::int32_t))},
                          {"FACE_VALUES", values_at_a_node_ * Nfp_},
                          {"FIELDS_AN_ITEM", static_cast<int>(lowered_.outside_fields.size()) / items_a_node},
                          {"TRACE_ITEMS", items_a_node * Nfp_},
                          {"FACES_A_PASS", faces},
                          {"UPDATE_BATCH", vectors_an_item <= 6 ? vectors_an_item : 4}}) +
                text);
}

}  // namespace maxwell_dg::dg
