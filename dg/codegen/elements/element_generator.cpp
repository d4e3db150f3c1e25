#include "dg/codegen/elements/element_generator.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <span>

#include "core/round_up.hpp"
#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/kernel_template.hpp"
#include "dg/codegen/kernel_values.hpp"
#include "dg/codegen/outside_state.hpp"
#include "dg/lowering/affine_map.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using Lowered = LoweredSymbol::Kind;
using List = rtcg::Value::List;

namespace {

constexpr int warp = 32;
constexpr int most_passes_at_once = 8;  // over faces whose neighbours' numbers are in registers
constexpr double zero_entry = 1e-13;    // smaller entries of a matrix are rounding errors of zero

/// The entries of a column or row that are not zero, as [i, value].
template <class Vector>
List entries(const Vector& vector) {
  List list;
  for (Eigen::Index i = 0; i < vector.size(); ++i) {
    if (std::abs(vector(i)) >= zero_entry) list.emplace_back(List{i, vector(i)});
  }
  return list;
}

std::size_t position_in(const std::vector<int>& list, int i) {
  return static_cast<std::size_t>(std::ranges::find(list, i) - list.begin());
}

}  // namespace

ElementGenerator::ElementGenerator(const LoweredSystem& lowered, Options options)
    : ElementGenerator(lowered, std::move(options), Unchecked{}) {
  require(fit(options_.schedule.as<Schedule::Elements>(), nullptr), options_.schedule);
  rows_ = rows_of(elements_per_group());
}

ElementGenerator::ElementGenerator(const LoweredSystem& lowered, Options options, Unchecked /*unchecked*/)
    : FusedGenerator(lowered, std::move(options), true),
      reference_(ReferenceElement::make(options_.N)),
      nodes_(DerivativeNodes::sparse(reference_)) {
  lifting_ = basis_ ? lifting_in(*basis_, contracted_) : lift_by_components(lowered, contracted_);
  values_at_a_node_ = 0;
  for (std::size_t p = 0; p < contracted_.parts.size(); ++p) {
    items_.push_back(part_of_an_item(p));
    items_.back().first_value = values_at_a_node_;
    const auto most = std::ranges::max(items_.back().values, {}, &std::vector<int>::size).size();
    values_at_a_node_ += round_up(static_cast<int>(most), layout_.order.side_by_side);
  }
  values_at_a_node_ = std::max(values_at_a_node_, traces_.slots().fields);
}

Fit ElementGenerator::fit(const Schedule::Elements& schedule, const core::DeviceInfo* device) const {
  const int elements = schedule.elements, items = elements * parts();
  if (elements < warp || elements % warp != 0) return {"elements need a multiple of 32 of them a group"};
  if (copies_by(items).faces == 0) return {"elements need a work-item for each node of four faces, at least"};
  if (layout_.order.side_by_side > 1 && Np_ % 2 != 0) {
    return {"rows of interleaved fields need an even number of nodes"};
  }
  return group_fits(
      {.items = items, .shared_bytes = shared_bytes(elements), .resident_groups = schedule.resident_groups}, device);
}

SharedRows ElementGenerator::rows_of(int elements) const {
  return shared_rows(elements, element_size_, vector_size(),
                     {.values = vector_size(), .items_a_row = 1, .most_without_gaps = 2});
}

std::size_t ElementGenerator::shared_bytes(int elements) const {
  const int rows = rows_of(elements).offset(elements);
  const int traces = 4 * values_at_a_node_ * Nfp_ * trace_of(elements);
  const int values = rows + round_up(std::max(traces, rows), vector_size());
  return static_cast<std::size_t>(values) * real_bytes() +
         static_cast<std::size_t>(4 * elements) * sizeof(std::int32_t) + arrival_bytes;
}

ElementGenerator::Copies ElementGenerator::copies_by(int group_items) const {
  Copies best{.faces = 0, .items_a_node = 1};
  for (int items = 1; items <= std::max(1, traces_.slots().fields); ++items) {
    const int faces = static_cast<int>(std::bit_floor(static_cast<unsigned>(group_items / (items * Nfp_))));
    const bool is_busier = faces * items >= best.faces * best.items_a_node;
    if (faces >= 4 && traces_.can_share_copies(items) && is_busier) best = {.faces = faces, .items_a_node = items};
  }
  return best;
}

rtcg::Record ElementGenerator::face_values(int face) const {
  const std::vector<Expr>& values = lifting_.values.at(index(face));
  const FaceFrame frame = frame_of_face(face);
  const int rows_before = face * values_at_a_node_ / layout_.order.side_by_side;
  List nodes;
  for (int j = 0; j < Nfp_; ++j) {
    nodes.emplace_back(rtcg::Record{{"number", reference_.Fmask(j, face)},
                                    {"axes", rtcg::Record{{"a", frame.a}, {"b", frame.b}, {"c", frame.c}}},
                                    {"first_row", rows_before * Nfp_ + j},
                                    {"rows_apart", Nfp_},
                                    {"lift", entries(reference_.LIFT.col(face * Nfp_ + j))}});
  }
  return {{"number", face},
          {"values", printed(values)},
          {"first_invariant", values_of_an_element() + face * values_of_a_face()},
          {"nodes", std::move(nodes)}};
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

rtcg::Record ElementGenerator::lift_values(const PartOfAnItem& item, int face) const {
  struct Product {
    std::vector<Lifting::Term> terms;
    std::vector<std::size_t> sums;
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
  const std::vector<int>& values = item.values.at(index(face));
  List list;
  for (const Product& product : products) {
    List terms;
    for (const Lifting::Term& term : product.terms) {
      terms.emplace_back(rtcg::Record{{"position", position_in(values, term.value)}, {"negative", term.negative}});
    }
    list.emplace_back(
        rtcg::Record{{"sums", List(product.sums.begin(), product.sums.end())}, {"terms", std::move(terms)}});
  }
  return {{"products", std::move(list)}, {"values", values.size()}};
}

rtcg::Record ElementGenerator::contraction_values(const PartOfAnItem& item) const {
  const Part& part = item.part;
  std::vector<Expr> operands;
  for (const int g : part.operands) operands.push_back(contracted_.operands[index(g)]);
  List values;
  for (const int g : part.operands) {
    List inputs, terms;
    const std::span operand(&contracted_.operands[index(g)], 1);
    const auto input = [&](const Symbol& q) { return position_in(item.operand_fields, q.index); };
    for (const Symbol& q : symbols_of(operand, Kind::field)) inputs.emplace_back(input(q));
    const PrintedCode code = print(operand, [&](const AnySymbol& s) {
      const Symbol* q = of_kind(s, Kind::field);
      return q == nullptr ? name_in_kernel(s) : "in" + number(input(*q));
    });
    for (std::size_t w = 0; w < part.contractions.size(); ++w) {
      for (const Contraction::Term& term : contracted_.contractions[index(part.contractions[w])].terms) {
        if (term.operand != g) continue;
        terms.emplace_back(rtcg::Record{{"w", w}, {"axis", term.axis}, {"negative", term.negative}});
      }
    }
    values.emplace_back(rtcg::Record{{"inputs", std::move(inputs)},
                                     {"lines", values_of(code.lines)},
                                     {"result", code.results[0]},
                                     {"terms", std::move(terms)}});
  }
  std::vector<AnySymbol> symbols = symbols_by_kind(operands);  // without fields, which are in the array `in`
  std::erase_if(symbols, [](const AnySymbol& s) { return std::holds_alternative<Symbol>(s); });
  return {{"symbols", values_of(symbols)}, {"operands", std::move(values)}};
}

std::vector<Expr> ElementGenerator::right_hand_side(const Part& part) const {
  std::vector<Expr> rhs;
  for (std::size_t l = 0; l < part.fields.size(); ++l) {
    const auto f = index(part.fields[l]);
    rhs.push_back(
        !basis_ ? part.volume[l] + lifting_.rhs[f] : substitute(contracted_.equations[f], [&](const LoweredSymbol& s) {
          const auto sum = index(s.number);
          return s.kind == Lowered::contraction ? contracted_.volume[sum] + lifting_.rhs[sum] : Expr(s);
        }));
  }
  return rhs;
}

rtcg::Record ElementGenerator::part_values(const PartOfAnItem& item) const {
  List values, faces, sums;
  for (int face = 0; face < ReferenceElement::Nfaces; ++face) {
    values.emplace_back(values_of(item.values.at(index(face))));
    faces.emplace_back(lift_values(item, face));
  }
  for (const int s : item.sums) sums.emplace_back(contracted_.contractions.size() + index(s));
  return {{"fields", values_of(item.part.fields)},
          {"operand_fields", values_of(item.operand_fields)},
          {"first_value", item.first_value},
          {"values", std::move(values)},
          {"faces", std::move(faces)},
          {"contractions", contraction_values(item)},
          {"contraction_numbers", values_of(item.part.contractions)},
          {"sum_numbers", std::move(sums)},
          {"equations", printed(right_hand_side(item.part))}};
}

List ElementGenerator::interpolation() const {
  List rows;
  for (int n = 0; n < Np_; ++n) {
    const std::size_t i = position_in(nodes_.multiplied, n);
    const bool is_multiplied = i < nodes_.multiplied.size();
    rows.emplace_back(rtcg::Record{
        {"multiplied", is_multiplied ? static_cast<int>(i) : -1},
        {"entries", is_multiplied ? List{}
                                  : entries(nodes_.interpolation.row(
                                        static_cast<Eigen::Index>(position_in(nodes_.interpolated, n))))}});
  }
  return rows;
}

List ElementGenerator::derivatives() const {
  List axes;
  for (const Eigen::MatrixXd* D : {&reference_.Dr, &reference_.Ds, &reference_.Dt}) {
    List columns;
    for (int m = 0; m < Np_; ++m) columns.emplace_back(entries((*D)(nodes_.multiplied, m)));
    axes.emplace_back(std::move(columns));
  }
  return axes;
}

std::vector<std::pair<std::string, int>> ElementGenerator::sizes() const {
  // The whole register (res) is loaded early if it fits in a few registers of the work-item.
  const int vectors_an_item = ceil_divide(element_size_ / vector_size(), parts());
  const auto [faces, items_a_node] = copies();
  int passes_at_once = most_passes_at_once;
  while (4 * elements_per_group() / faces % passes_at_once != 0) --passes_at_once;
  const auto most = [&](auto count) {
    std::size_t largest = 1;  // the length of an array must not be 0
    for (const PartOfAnItem& item : items_) largest = std::max(largest, count(item));
    return static_cast<int>(largest);
  };
  return {{"PARTS", parts()},
          {"TRACE", trace()},
          {"ARRIVAL_INTS", static_cast<int>(arrival_bytes / sizeof(std::int32_t))},
          {"SUMS", most([](const PartOfAnItem& i) { return i.sums.size(); })},
          {"CONTRACTIONS", most([](const PartOfAnItem& i) { return i.part.contractions.size(); })},
          {"OPERAND_FIELDS", most([](const PartOfAnItem& i) { return i.operand_fields.size(); })},
          {"MULTIPLIED", static_cast<int>(nodes_.multiplied.size())},
          {"FACE_VALUES", values_at_a_node_ * Nfp_},
          {"TRACE_ROWS", std::max(1, traces_.slots().rows())},
          {"ROWS_AN_ITEM", traces_.slots().rows() / items_a_node},
          {"TRACE_ITEMS", items_a_node * Nfp_},
          {"FACES_A_PASS", faces},
          {"PASSES_AT_ONCE", passes_at_once},
          {"STATE_AHEAD", 0},
          {"UPDATE_BATCH", vectors_an_item <= 6 ? vectors_an_item : 4}};
}

rtcg::KernelSource ElementGenerator::stage() const {
  static const rtcg::Template text = kernel_template("dg/codegen/elements/stage_elements.kernel");
  List faces, parts, own_offsets;
  for (int face = 0; face < ReferenceElement::Nfaces; ++face) faces.emplace_back(face_values(face));
  bool are_alike = true;
  for (const PartOfAnItem& item : items_) {
    parts.emplace_back(part_values(item));
    for (const char* step : {"faces", "contractions"}) {
      are_alike = are_alike && parts.back().record().at(step) == parts.front().record().at(step);
    }
  }
  for (int f = 0; f < fields_; ++f) {
    List offsets;
    for (int n = 0; n < Np_; ++n) offsets.emplace_back(layout_.order.offset(f, n, Np_));
    own_offsets.emplace_back(std::move(offsets));
  }
  return kernel_source(name(), text,
                       {{"stage", stage_values(sizes())},
                        {"outside", outside_state_values(lowered_, options_.precision)},
                        {"prepare", prepare_values(values_of_an_element(), values_of_a_face())},
                        {"basis_changes", basis_changes()},
                        {"type", options_.precision},
                        {"field_count", fields_},
                        {"first_invariant", first_invariant()},
                        {"own_offsets", std::move(own_offsets)},
                        {"derivatives", derivatives()},
                        {"interpolation", interpolation()},
                        {"faces", std::move(faces)},
                        {"parts", std::move(parts)},
                        {"parts_are_alike", are_alike},
                        {"traces", traces_.values()},
                        {"items_a_node", copies().items_a_node}});
}

}  // namespace maxwell_dg::dg
