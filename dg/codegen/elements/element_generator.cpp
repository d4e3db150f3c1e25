#include "dg/codegen/elements/element_generator.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <span>
#include <stdexcept>

#include "core/round_up.hpp"
#include "dg/codegen/elements/kernel_texts.hpp"
#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/outside_state.hpp"
#include "dg/lowering/affine_map.hpp"
#include "dg/mesh/mesh.hpp"
#include "rtcg/source/literal.hpp"
#include "rtcg/source/substitute.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using Lowered = LoweredSymbol::Kind;
using Component = FaceTraces::Component;
using namespace rtcg::syntax;

namespace {

constexpr int warp = 32;
constexpr int most_passes_at_once = 8;  // over the faces, whose neighbours wait in registers
constexpr double zero_entry = 1e-13;    // of a matrix: zero but for rounding

Statement each_node(Block body) {
  return For("n", "0", "NP", std::move(body), For::Unrolling::full);
}

std::string lifted(std::size_t sum) {
  return "lifted[" + number(sum) + "]";
}

std::size_t place_of(const std::vector<int>& list, int i) {
  return static_cast<std::size_t>(std::ranges::find(list, i) - list.begin());
}

}  // namespace

ElementGenerator::ElementGenerator(const LoweredSystem& lowered, Options options)
    : FusedGenerator(lowered, std::move(options), true),
      reference_(ReferenceElement::make(options_.N)),
      nodes_(DerivativeNodes::sparse(reference_)) {
  if (elements_per_group() < warp || elements_per_group() % warp != 0) {
    throw std::invalid_argument("schedule " + options_.schedule.name() +
                                ": elements_in_parallel needs a multiple of 32 elements a group");
  }
  if (copies().faces == 0) {
    throw std::invalid_argument("schedule " + options_.schedule.name() +
                                ": elements_in_parallel needs an item for each node of four faces, at least");
  }
  if (layout_.order.side_by_side > 1 && Np_ % 2 != 0) {
    throw std::invalid_argument("schedule " + options_.schedule.name() +
                                ": rows of interleaved fields need an even number of nodes");
  }
  rows_ = rows_on_chip(elements_per_group(), element_size_, vector_size(),
                       {.values = vector_size(), .items_a_row = 1, .most_without_gaps = 2});
  lifting_ = basis_ ? lifting_in(*basis_, contracted_) : lift_by_components(lowered, contracted_);
  values_at_a_node_ = 0;
  for (std::size_t p = 0; p < contracted_.parts.size(); ++p) {
    items_.push_back(part_of_an_item(p));
    items_.back().first_value = values_at_a_node_;
    const auto most = std::ranges::max(items_.back().values, {}, &std::vector<int>::size).size();
    values_at_a_node_ += round_up(static_cast<int>(most), layout_.order.side_by_side);
  }
  values_at_a_node_ = std::max(values_at_a_node_, traces_.places());
}

std::size_t ElementGenerator::on_chip_bytes() const {
  const int rows = rows_.place(elements_per_group());
  const int values = rows + round_up(std::max(4 * values_at_a_node_ * Nfp_ * trace(), rows), vector_size());
  return static_cast<std::size_t>(values) * real_bytes() +
         static_cast<std::size_t>(4 * elements_per_group()) * sizeof(std::int32_t) + arrival_bytes;
}

ElementGenerator::Copies ElementGenerator::copies() const {
  Copies best{.faces = 0, .items_a_node = 1};
  for (int items = 1; items <= std::max(1, traces_.places()); ++items) {
    const int faces = static_cast<int>(std::bit_floor(static_cast<unsigned>(group_items() / (items * Nfp_))));
    const bool is_busier = faces * items >= best.faces * best.items_a_node;
    if (faces >= 4 && traces_.can_share_copies(items) && is_busier) best = {.faces = faces, .items_a_node = items};
  }
  return best;
}

std::string ElementGenerator::real(double value) const {
  return rtcg::literal(value, options_.precision);
}

template <class F>
bool ElementGenerator::are_alike(F body) const {
  const std::string first = rtcg::syntax::print(body(0));
  for (std::size_t p = 1; p < contracted_.parts.size(); ++p) {
    if (rtcg::syntax::print(body(p)) != first) return false;
  }
  return true;
}

template <class F>
Block ElementGenerator::each_part(F body) const {
  if (parts() == 1) return {Scope(body(0))};
  Block block;
  for (std::size_t p = 0; p < contracted_.parts.size(); ++p) block += If("part == " + number(p), body(p));
  return block;
}

std::string ElementGenerator::value_at(const std::string& array, int face, int row, int column, int node) const {
  const int rows_before = face * values_at_a_node_ / layout_.order.side_by_side + row;
  return array + "[" + number(rows_before * Nfp_ + node) + " * TRACE * SIDE_BY_SIDE + " + number(column) + "]";
}

std::string ElementGenerator::flux_at(const std::string& array, int face, int value, int node) const {
  return value_at(array, face, value / layout_.order.side_by_side, value % layout_.order.side_by_side, node);
}

bool ElementGenerator::is_beside_the_next(const std::vector<int>& values, std::size_t v) const {
  return layout_.order.side_by_side == 2 && v % 2 == 0 && v + 1 < values.size();
}

Block ElementGenerator::load_invariants(std::span<const Expr> expressions) const {
  Block block;
  for (const LoweredSymbol& s : symbols_of(expressions, Lowered::invariant)) {
    block += declare_symbol(s, "INVARIANT(" + number(first_invariant() + s.number) + ")", "real");
  }
  return block;
}

Block ElementGenerator::load_traces(std::span<const Expr> values, int face, int node) const {
  const auto own = [&](int f) { return own_value(f, reference_.Fmask(node, face)); };
  const auto place = [&](int row, int column) { return value_at("trace", face, row, column, node); };
  const FaceFrame frame = frame_of_face(face);
  const auto value = [&](int first, Component c) {
    if (c >= Component::r) return own(first + static_cast<int>(c) - static_cast<int>(Component::r));
    return own(first + (c == Component::a ? frame.a : c == Component::b ? frame.b : frame.c));
  };
  Block block = traces_.declare_inside(values, value, frame.is_slanted);
  block += traces_.declare_outside(values, place);
  return block;
}

Block ElementGenerator::fluxes(int face, const UseValues& use) const {
  const std::vector<Expr>& values = lifting_.values.at(static_cast<std::size_t>(face));
  Block block = declare_metric(values, "G");
  const std::set<Symbol> normals = symbols_of(values, Kind::normal);
  if (!normals.empty()) {
    std::string squares;
    for (int axis = 0; axis < 3; ++axis) {
      const std::string component = "scaled_" + number(axis);
      block += Declare("const real", component, scaled_normal(face, number(axis)));
      squares += (axis > 0 ? " + " : "") + component + " * " + component;
    }
    for (const Symbol& s : normals) {
      block += declare_symbol(s, "scaled_" + number(s.axis) + " / sqrt(" + squares + ")", "real");
    }
  }
  const int first = values_of_an_element() + face * values_of_a_face();
  for (const LoweredSymbol& s : symbols_of(values, Lowered::invariant)) {
    block += declare_symbol(s, "INVARIANT(" + number(first + s.number) + ")", "real");
  }
  block += traces_.declare_edges(values, face, [](const std::string& i) { return "INVARIANT(" + i + ")"; });
  block += traces_.declare_other_face("connected[e * 4 + " + number(face) + "]", number(face));
  for (int j = 0; j < Nfp_; ++j) {
    Block node = load_traces(values, face, j);
    const PrintedCode code = print(values);
    append(node, code.lines);
    node += use(j, code.results);
    block += Scope(std::move(node));
  }
  return block;
}

ElementGenerator::PartOfAnItem ElementGenerator::part_of_an_item(std::size_t number) const {
  PartOfAnItem result{.part = part(number)};
  std::vector<Expr> rhs, operands;
  for (const int f : result.part.fields) rhs.push_back(lifting_.rhs[static_cast<std::size_t>(f)]);
  for (const LoweredSymbol& s : symbols_of(rhs, Lowered::contraction)) {
    result.sums.push_back(s.number - static_cast<int>(contracted_.contractions.size()));
  }
  for (const int s : result.sums) {
    for (const Lifting::Term& term : lifting_.sums[static_cast<std::size_t>(s)]) {
      std::vector<int>& values = result.values.at(static_cast<std::size_t>(term.face));
      if (std::ranges::find(values, term.value) == values.end()) values.push_back(term.value);
    }
  }
  for (std::vector<int>& values : result.values) std::ranges::sort(values);
  for (const int g : result.part.operands) operands.push_back(contracted_.operands[static_cast<std::size_t>(g)]);
  for (const Symbol& s : symbols_of(operands, Kind::field)) result.operand_fields.push_back(s.index);
  return result;
}

Block ElementGenerator::lift(const PartOfAnItem& item, int face,
                             const std::function<Block(const UseValues&)>& values) const {
  struct Product {
    std::vector<Lifting::Term> terms;
    std::vector<std::size_t> sums;
    std::string target{};
  };
  std::vector<Product> products;
  for (std::size_t s = 0; s < item.sums.size(); ++s) {
    std::vector<Lifting::Term> terms;
    std::ranges::copy_if(lifting_.sums[index(item.sums[s])], std::back_inserter(terms),
                         [&](const Lifting::Term& term) { return term.face == face; });
    if (terms.empty()) continue;
    const auto same = std::ranges::find(products, terms, &Product::terms);
    if (same != products.end()) {
      same->sums.push_back(s);
    } else {
      products.push_back({.terms = terms, .sums = {s}});
    }
  }
  std::ranges::stable_sort(products, {}, [](const Product& product) { return product.terms.size(); });
  Block block, add;
  for (Product& product : products) {
    if (product.sums.size() == 1) {
      product.target = lifted(product.sums[0]);
      continue;
    }
    product.target = "shared" + number(product.sums[0]);  // multiplied out once, for all of them
    block += Line("real " + product.target + "[NP];");
    block += each_node({Assign(product.target + "[n]", "0")});
    Block each;
    for (const std::size_t s : product.sums) each += Assign(lifted(s) + "[n]", product.target + "[n]", "+=");
    add += each_node(std::move(each));
  }
  block += values([&](int j, const std::vector<std::string>& texts) {
    Block of_node;
    for (const Product& product : products) {
      std::string text;
      for (const Lifting::Term& term : product.terms) {
        const char* sign = term.negative ? "-" : "+";
        text += text.empty() ? (term.negative ? "-" : "") : std::string(" ") + sign + " ";
        text += texts[index(term.value)];
      }
      Block some{Declare("const real", "F", text)};
      for (int n = 0; n < Np_; ++n) {
        const double entry = reference_.LIFT(n, face * Nfp_ + j);
        if (std::abs(entry) < zero_entry) continue;
        some += Assign(at(product.target, n), real(entry) + " * F", "+=");
      }
      of_node += Scope(std::move(some));
    }
    return of_node;
  });
  block += add;
  return {Scope(std::move(block))};
}

Block ElementGenerator::hand_over(int face, int node, const std::vector<std::string>& texts) const {
  Block keep;
  for (const PartOfAnItem& item : items_) {
    const std::vector<int>& values = item.values.at(static_cast<std::size_t>(face));
    for (std::size_t v = 0; v < values.size(); v += index(layout_.order.side_by_side)) {
      const std::string to = flux_at("trace", face, item.first_value + static_cast<int>(v), node);
      const std::string& text = texts[index(values[v])];
      if (!is_beside_the_next(values, v)) {
        keep += Assign(to, text);
        continue;
      }
      keep += Scope({Line("pair_of_reals both;"), Assign("both.x", text), Assign("both.y", texts[index(values[v + 1])]),
                     Assign("*(SHARED_PART pair_of_reals*)&" + to, "both")});
    }
  }
  return keep;
}

Block ElementGenerator::handed_over(const PartOfAnItem& item, int face, const UseValues& use) const {
  const std::vector<int>& values = item.values.at(static_cast<std::size_t>(face));
  Block block;
  for (int j = 0; j < Nfp_; ++j) {
    Block node;
    std::vector<std::string> texts(lifting_.values.at(static_cast<std::size_t>(face)).size());
    for (std::size_t v = 0; v < values.size(); v += index(layout_.order.side_by_side)) {
      const std::string from = flux_at("flux", face, static_cast<int>(v), j);
      texts[index(values[v])] = from;
      if (!is_beside_the_next(values, v)) continue;
      const std::string both = "both" + number(v);
      node += Declare("const pair_of_reals", both, "*(SHARED_PART const pair_of_reals*)&" + from);
      texts[index(values[v])] = both + ".x";
      texts[index(values[v + 1])] = both + ".y";
    }
    node += use(j, texts);
    block += Scope(std::move(node));
  }
  return block;
}

Block ElementGenerator::contractions(const PartOfAnItem& item) const {
  const Part& part = item.part;
  const std::array<const Eigen::MatrixXd*, 3> D{&reference_.Dr, &reference_.Ds, &reference_.Dt};
  const auto sum = [](std::size_t w, std::size_t i) { return "contracted[" + number(w) + "][" + number(i) + "]"; };
  std::vector<Expr> operands;
  for (const int g : part.operands) operands.push_back(contracted_.operands[static_cast<std::size_t>(g)]);
  Block block{For("w", "0", "CONTRACTIONS",
                  {For("i", "0", "MULTIPLIED", {Assign("contracted[w][i]", "0")}, For::Unrolling::full)},
                  For::Unrolling::full)};
  block += declare_metric(operands, "G");
  block += load_invariants(operands);
  for (int m = 0; m < Np_; ++m) {
    for (std::size_t g = 0; g < operands.size(); ++g) {
      Block sums;
      for (std::size_t w = 0; w < part.contractions.size(); ++w) {
        for (const auto& term : contracted_.contractions[static_cast<std::size_t>(part.contractions[w])].terms) {
          if (term.operand != part.operands[g]) continue;
          for (std::size_t i = 0; i < nodes_.multiplied.size(); ++i) {
            const double entry = (*D.at(static_cast<std::size_t>(term.axis)))(nodes_.multiplied[i], m);
            if (std::abs(entry) < zero_entry) continue;
            sums += Assign(sum(w, i), real(term.negative ? -entry : entry) + " * operand", "+=");
          }
        }
      }
      if (sums.empty()) continue;
      const PrintedCode code = print(std::span(&operands[g], 1), [&](const AnySymbol& s) {
        const Symbol* q = of_kind(s, Kind::field);
        if (q == nullptr) return name_in_kernel(s);
        return "in[" + number(place_of(item.operand_fields, q->index)) + "][" + number(m) + "]";
      });
      Block product;
      append(product, code.lines);
      product += Declare("const real", "operand", code.results[0]);
      product += sums;
      block += Scope(std::move(product));
    }
  }
  return {Scope(std::move(block))};
}

Block ElementGenerator::right_hand_side(const PartOfAnItem& item) const {
  const Part& part = item.part;
  std::vector<Expr> rhs;
  for (std::size_t l = 0; l < part.fields.size(); ++l) {
    const auto f = static_cast<std::size_t>(part.fields[l]);
    rhs.push_back(
        !basis_ ? part.volume[l] + lifting_.rhs[f] : substitute(contracted_.equations[f], [&](const LoweredSymbol& s) {
          const auto sum = static_cast<std::size_t>(s.number);
          return s.kind == Lowered::contraction ? contracted_.volume[sum] + lifting_.rhs[sum] : Expr(s);
        }));
  }
  Block block = declare_metric(rhs, "G");
  block += load_invariants(rhs);
  const PrintedCode code = print(rhs);
  for (int n = 0; n < Np_; ++n) {
    Block node;
    for (const Symbol& s : symbols_of(rhs, Kind::field)) node += declare_symbol(s, own_value(s.index, n), "real");
    for (std::size_t w = 0; w < part.contractions.size(); ++w) {
      const auto sum = [&](std::size_t i) { return "contracted[" + number(w) + "][" + number(i) + "]"; };
      const std::size_t i = place_of(nodes_.multiplied, n);
      std::string value;
      if (i < nodes_.multiplied.size()) {
        value = sum(i);
      } else {
        const auto row = static_cast<Eigen::Index>(place_of(nodes_.interpolated, n));
        for (std::size_t m = 0; m < nodes_.multiplied.size(); ++m) {
          const double entry = nodes_.interpolation(row, static_cast<Eigen::Index>(m));
          if (std::abs(entry) < zero_entry) continue;
          value += (value.empty() ? "" : " + ") + real(entry) + " * " + sum(m);
        }
      }
      node += declare_symbol(contraction(part.contractions[w]).symbol(), value, "real");
    }
    for (std::size_t s = 0; s < item.sums.size(); ++s) {
      const int index = static_cast<int>(contracted_.contractions.size()) + item.sums[s];
      node += declare_symbol(contraction(index).symbol(), at(lifted(s), n), "real");
    }
    append(node, code.lines);
    for (std::size_t l = 0; l < code.results.size(); ++l) {
      node += Assign("rhs[" + number(l) + "][" + number(n) + "]", code.results[l]);
    }
    block += Scope(std::move(node));
  }
  return {Scope(std::move(block))};
}

// Where an item has a whole element, fluxes go from its registers into its sums. Else each part's items compute those
// of some faces, for all parts, and hand them over on the chip. What parts do alike is written once: an instruction
// that all warps of a group execute is fetched once.
Block ElementGenerator::work() const {
  Block block;
  if (parts() > 1) {
    block += each_part([&](std::size_t p) {
      Block some;
      for (int face = static_cast<int>(p); face < ReferenceElement::Nfaces; face += parts()) {
        some += Scope(
            fluxes(face, [&](int j, const std::vector<std::string>& texts) { return hand_over(face, j, texts); }));
      }
      return some;
    });
    std::string first = "0";
    for (std::size_t i = 1; i < items_.size(); ++i) {
      first = "part == " + number(i) + " ? " + number(items_[i].first_value) + " : " + first;
    }
    block += Line("BARRIER();");
    block += Declare("SHARED_PART const real* const", "flux", "trace + (" + first + ") * NFP * TRACE");
  }
  const auto lift_all = [&](std::size_t p) {
    Block of_part{each_node({For("s", "0", "SUMS", {Assign("lifted[s][n]", "0")}, For::Unrolling::full)})};
    for (int face = 0; face < ReferenceElement::Nfaces; ++face) {
      of_part += lift(items_[p], face, [&](const UseValues& use) {
        return parts() == 1 ? fluxes(face, use) : handed_over(items_[p], face, use);
      });
    }
    return of_part;
  };
  const auto choose_operands = [&](std::size_t p) {
    Block choose;
    for (std::size_t i = 0; i < items_[p].operand_fields.size(); ++i) {
      choose += each_node({Assign("in[" + number(i) + "][n]",
                                  "q[FIELD_PLACE(" + number(items_[p].operand_fields[i]) + ") + n * SIDE_BY_SIDE]")});
    }
    return choose;
  };
  const auto contract_all = [&](std::size_t p) { return contractions(items_[p]); };
  const auto sum_up = [&](std::size_t p) { return right_hand_side(items_[p]); };
  if (are_alike(lift_all) && are_alike(contract_all)) {
    block += lift_all(0);
    block += each_part(choose_operands);
    block += contract_all(0);
    block += each_part(sum_up);
  } else {
    block += each_part([&](std::size_t p) {
      Block all = lift_all(p);
      for (const Block& step : {choose_operands(p), contract_all(p), sum_up(p)}) all += step;
      return all;
    });
  }
  return block;
}

Block ElementGenerator::store(const Part& part) const {
  std::map<int, std::string> values;  // by their places in the row
  for (std::size_t l = 0; l < part.fields.size(); ++l) {
    for (int n = 0; n < Np_; ++n) {
      values[part.fields[l] * Np_ + n] = "rhs[" + number(l) + "][" + number(n) + "]";
    }
  }
  Block block;
  for (int i = 0; i < fields_ * Np_; i += vector_size()) {
    bool is_whole = true;
    for (int c = 0; c < vector_size(); ++c) is_whole = is_whole && values.contains(i + c);
    Block some;
    if (is_whole) some += Declare("vector", "some");
    for (int c = 0; c < vector_size(); ++c) {
      if (!values.contains(i + c)) continue;
      some += is_whole ? Assign(std::string("some.") + vector_components.at(index(c)), values.at(i + c))
                       : Assign(at("result", i + c), values.at(i + c));
    }
    if (is_whole) some += Assign("((SHARED_PART vector*)result)[" + number(i / vector_size()) + "]", "some");
    block += Scope(std::move(some));
  }
  return block;
}

rtcg::KernelSource ElementGenerator::stage() const {
  Block unpack, metric_at_hand;
  if (rows_have_metric()) {
    metric_at_hand += Line("real G[9];  // rx ry rz sx sy sz tx ty tz");
    metric_at_hand += For("i", "0", "9", {Assign("G[i]", "INVARIANT(i)")}, For::Unrolling::full);
  }
  const auto outside = [](const std::string& i) { return "outside[TRACE_PLACE(" + i + ")]"; };
  const auto own = [](const std::string& f) {
    return "own_row[FIELD_PLACE(" + f + ") + Fmask[face * NFP + j] * SIDE_BY_SIDE]";
  };
  for (int c = 0; c < vector_size(); ++c) {
    unpack += Assign("q[i * VECTOR + " + number(c) + "]", std::string("some.") + vector_components.at(index(c)));
  }
  const Block stores = each_part([&](std::size_t p) {
    Block of_part = store(items_[p].part);
    if (p == 0) of_part += For("i", "NFIELDS * NP", "ELEMENT_SIZE", {Assign("result[i]", "0")});
    return of_part;
  });
  const std::string text =
      rtcg::substitute(kernels::stage_elements,
                       {{"range_parameters", range_.parameters()},
                        {"range_end", range_.end()},
                        {"first_group", range_.first_group("ELEMENTS")},
                        {"outside_state", outside_state_function(lowered_, options_.precision)},
                        {"basis_changes", basis_changes()},
                        {"prepare", prepare(values_of_an_element(), values_of_a_face())},
                        {"gather_traces", text_of(traces_.copy("NFP * TRACE * SIDE_BY_SIDE", copies().items_a_node))},
                        {"places_of_node", text_of(traces_.places_of_node())},
                        {"metric_at_hand", text_of(metric_at_hand)},
                        {"metric_of_wall", basis_ ? text_of(FaceTraces::load_metric()) : ""},
                        {"inside_of_wall", text_of(traces_.inside_of_wall(own))},
                        {"scaled_normal", scaled_normal("axis")},
                        {"replace_outside", text_of(traces_.replace_outside(outside))},
                        {"unpack", text_of(unpack)},
                        {"work", text_of(work())},
                        {"store", text_of(stores)},
                        {"announcements", announcements("")},
                        {"residuals", residuals()},
                        {"update_rows", update_rows()}});
  // All residuals are under way during the work, if that takes few registers.
  const int vectors_an_item = ceil_divide(element_size_ / vector_size(), parts());
  const auto [faces, items_a_node] = copies();
  int passes_at_once = most_passes_at_once;
  while (4 * elements_per_group() / faces % passes_at_once != 0) --passes_at_once;
  const auto most = [&](auto count) {
    std::size_t largest = 1;  // arrays have a length
    for (const PartOfAnItem& item : items_) largest = std::max(largest, count(item));
    return static_cast<int>(largest);
  };
  return source(prologue({{"PARTS", parts()},
                          {"TRACE", trace()},
                          {"ARRIVAL_INTS", static_cast<int>(arrival_bytes / sizeof(std::int32_t))},
                          {"SUMS", most([](const PartOfAnItem& i) { return i.sums.size(); })},
                          {"CONTRACTIONS", most([](const PartOfAnItem& i) { return i.part.contractions.size(); })},
                          {"OPERAND_FIELDS", most([](const PartOfAnItem& i) { return i.operand_fields.size(); })},
                          {"MULTIPLIED", static_cast<int>(nodes_.multiplied.size())},
                          {"FACE_VALUES", values_at_a_node_ * Nfp_},
                          {"TRACE_ROWS", std::max(1, traces_.order_of_places().rows())},
                          {"ROWS_AN_ITEM", traces_.order_of_places().rows() / items_a_node},
                          {"TRACE_ITEMS", items_a_node * Nfp_},
                          {"FACES_A_PASS", faces},
                          {"PASSES_AT_ONCE", passes_at_once},
                          {"STATE_AHEAD", 0},
                          {"UPDATE_BATCH", vectors_an_item <= 6 ? vectors_an_item : 4}}) +
                text);
}

}  // namespace maxwell_dg::dg
