#include "dg/codegen/term_generator.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "core/round_up.hpp"
#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/kernel_texts.hpp"
#include "rtcg/source/substitute.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;

namespace {

/// Where the kernel finds a symbol other than the time.
std::string place_in_memory(const AnySymbol& any, int fields_of_system) {
  if (const LoweredSymbol* constant = of_kind(any, LoweredSymbol::Kind::element_constant)) {
    return "constants[i * TERM_CONSTANTS + " + number(constant->number) + "]";
  }
  const auto& s = std::get<Symbol>(any);
  const std::string i = number(s.index), axis = number(s.axis);
  switch (s.kind) {
    case Kind::field: {
      const int own = s.index - fields_of_system;
      if (own >= 0) return "U[UNKNOWN(" + number(own) + ")]";
      return s.side == Side::inside ? "Q[STATE(k, " + i + ", n)]" : "Q[STATE(k_p, " + i + ", n_p)]";
    }
    case Kind::profile: return "profiles[(i * PROFILES + " + i + ") * PLACE_NODES + NODE]";
    case Kind::coordinate: return "positions[(i * 3 + " + axis + ") * PLACE_NODES + NODE]";
    case Kind::normal: return "geometry[i * 4 + " + axis + "]";
    default: throw std::logic_error("a term holds a derivative");
  }
}

}  // namespace
using namespace rtcg::syntax;

namespace {

/// Phases are made of times and positions: what holds them is computed in double.
bool is_wide(const LoweredTerm& lowered) {
  return lowered.depends_on_time || lowered.depends_on_position;
}

}  // namespace

int TermGenerator::face_items() const {
  return std::min(round_up(Np(), 32), 256);
}

int TermGenerator::power_items(bool on_faces) const {
  return std::min(round_up(on_faces ? Nfp() : Np(), 32), 256);
}

/// Where the kernel finds each symbol, as a declaration of a name.
Block TermGenerator::load(const LoweredTerm& lowered, const Program& program) const {
  const std::string type = std::string("const ") + (is_wide(lowered) ? "float64" : "real");
  Block block;
  for (const AnySymbol& any : program.symbols()) {
    if (of_kind(any, Kind::time)) continue;  // an argument of the kernel
    block += Declare(type, name_in_kernel(any), place_in_memory(any, stage_.fields()));
  }
  return block;
}

PrintedCode TermGenerator::print(const LoweredTerm& lowered, const Program& program) const {
  return symbolic::print(program, {.dtype = is_wide(lowered) ? Dtype::float64 : options_.precision,
                                   .type = is_wide(lowered) ? "float64" : "real",
                                   .prefix = "v",
                                   .name_of = name_in_kernel});
}

rtcg::KernelSource TermGenerator::source(const std::string& kind, const std::string& name, const Sizes& sizes,
                                         const std::string& body) const {
  Block text;
  const std::pair<const char*, int> definitions[] = {
      {"TERM_ITEMS", sizes.items},   {"ADDED_FIELDS", std::max(sizes.added_fields, 1)},
      {"UNKNOWNS", sizes.auxiliary}, {"TERM_CONSTANTS", sizes.constants},
      {"PROFILES", sizes.profiles},  {"PLACE_NODES", sizes.places_nodes}};
  for (const auto& [define, value] : definitions) text += Line(std::string("#define ") + define + " " + number(value));
  text += Line("#define NODE " + sizes.node);
  text += Line("#define UNKNOWN(u) ((i * UNKNOWNS + (u)) * NP + n)");
  if (options_.schedule.is_fused()) {
    text += Comment("The stage is done but for this: RES = a RES + dt rhs, Q_new = Q + b RES.");
    text +=
        Line("#define ADD(f, value) RATE[STATE(k, f, n)] += dt * (value); Q_new[STATE(k, f, n)] += b * dt * (value)");
  } else {
    text += Line("#define ADD(f, value) RATE[STATE(k, f, n)] += (value)");
  }
  return stage_.with_prologue(kind + "_" + name, rtcg::syntax::print(text) + "\n" + body);
}

rtcg::KernelSource TermGenerator::element_term(const ElementTerm& term, const LoweredTerm& lowered) const {
  const Program program(lowered.outputs());
  const PrintedCode code = print(lowered, program);
  Block equations;
  append(equations, code.lines);
  const std::size_t added = lowered.added.size();
  for (std::size_t i = 0; i < added; ++i) {
    const std::string value = "g" + number(i);
    equations += Declare("const real", value, "(real)(" + code.results[i] + ")");
    equations += Line("ADD(" + number(lowered.fields[i]) + ", " + value + ");");
  }
  for (std::size_t u = 0; u < lowered.rates.size(); ++u) {
    const std::string place = "[UNKNOWN(" + number(u) + ")]", value = "r" + number(u);
    equations += Declare("const real", value, "a * RES_U" + place + " + dt * (real)(" + code.results[added + u] + ")");
    equations += Assign("RES_U" + place, value);
    equations += Assign("U" + place, "b * " + value, "+=");
  }
  return source("element_term", term.name,
                {.items = element_items,
                 .added_fields = static_cast<int>(added),
                 .auxiliary = static_cast<int>(lowered.rates.size()),
                 .constants = static_cast<int>(lowered.constants.size()),
                 .profiles = static_cast<int>(term.profiles.size()),
                 .places_nodes = Np(),
                 .node = "n"},
                rtcg::substitute(kernels::element_term,
                                 {{"load", text_of(load(lowered, program))}, {"equations", text_of(equations)}}));
}

rtcg::KernelSource TermGenerator::face_term(const FaceTerm& term, const LoweredTerm& lowered) const {
  const Program program(lowered.outputs());
  const PrintedCode code = print(lowered, program);
  Block fluxes, declare, lift, add;
  append(fluxes, code.lines);
  for (std::size_t i = 0; i < lowered.added.size(); ++i) {
    const std::string place = "flux[" + number(i) + " * 4 * NFP + item]", sum = "lifted" + number(i);
    fluxes += Assign(place, "geometry[i * 4 + 3] * (real)(" + code.results[i] + ")");
    declare += Declare("real", sum, "0");
    lift += Assign(sum, "lift * " + place, "+=");
    add += Line("ADD(" + number(lowered.fields[i]) + ", " + sum + ");");
  }
  return source("face_term", term.name,
                {.items = face_items(),
                 .added_fields = static_cast<int>(lowered.added.size()),
                 .auxiliary = 0,
                 .constants = static_cast<int>(lowered.constants.size()),
                 .profiles = static_cast<int>(term.profiles.size()),
                 .places_nodes = Nfp(),
                 .node = "j"},
                rtcg::substitute(kernels::face_term, {{"load", text_of(load(lowered, program))},
                                                      {"fluxes", text_of(fluxes)},
                                                      {"declare", text_of(declare)},
                                                      {"lift", text_of(lift)},
                                                      {"add", text_of(add)}}));
}

rtcg::KernelSource TermGenerator::power(const std::string& name, const LoweredTerm& lowered, Sizes sizes,
                                        const Block& place, const Block& other) const {
  const Program program(lowered.added);
  const PrintedCode code = print(lowered, program);
  Block equations, declare, accumulate, multiply;
  append(equations, code.lines);
  for (std::size_t i = 0; i < lowered.added.size(); ++i) {
    const std::string of_field = "density[" + number(i) + " * PLACE_NODES + ", sum = "Mh" + number(i);
    equations += Assign(of_field + "j]", "(real)(" + code.results[i] + ")");
    declare += Declare("real", sum, "0");
    accumulate += Assign(sum, "weight * " + of_field + "m]", "+=");
    multiply += Assign("product", "Q[STATE(k, " + number(lowered.fields[i]) + ", n)] * " + sum, "+=");
  }
  sizes.added_fields = static_cast<int>(lowered.added.size());
  sizes.constants = static_cast<int>(lowered.constants.size());
  sizes.node = "j";
  return source("power", name, sizes,
                rtcg::substitute(kernels::power, {{"place", text_of(place)},
                                                  {"other", text_of(other)},
                                                  {"load", text_of(load(lowered, program))},
                                                  {"equations", text_of(equations)},
                                                  {"declare", text_of(declare)},
                                                  {"accumulate", text_of(accumulate)},
                                                  {"multiply", text_of(multiply)}}));
}

rtcg::KernelSource TermGenerator::power(const ElementTerm& term, const LoweredTerm& lowered) const {
  Block place;
  place += Declare("const int64", "k", "places[i]");
  place += Declare("const int32", "n", "j");
  return power(term.name, lowered,
               {.items = power_items(false),
                .auxiliary = static_cast<int>(term.auxiliary.size()),
                .profiles = static_cast<int>(term.profiles.size()),
                .places_nodes = Np()},
               place, {});
}

rtcg::KernelSource TermGenerator::power(const FaceTerm& term, const LoweredTerm& lowered) const {
  Block place, other;
  place += Declare("const int64", "k", "places[i] / 4");
  place += Declare("const int32", "n", "Fmask[places[i] % 4 * NFP + j]");
  const std::set<Symbol> fields = symbols_of(lowered.added, Kind::field);
  if (std::ranges::any_of(fields, [](const Symbol& q) { return q.side == Side::outside; })) {
    other += Declare("const int64", "k_p", "others[i] / 4");
    other += Declare("const int32", "n_p", "Fmask[others[i] % 4 * NFP + j]");
  }
  return power(term.name, lowered,
               {.items = power_items(true), .profiles = static_cast<int>(term.profiles.size()), .places_nodes = Nfp()},
               place, other);
}

}  // namespace maxwell_dg::dg
