#include "dg/maxwell/pml.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "dg/maxwell/maxwell.hpp"

namespace maxwell_dg::dg::maxwell {

using namespace symbolic;

namespace {

/// The axes along which an element damps, and whether they are x, y and z.
struct Kind {
  std::array<bool, 3> damps{};
  bool turned = false;
  auto operator<=>(const Kind&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 sees a 0 in it
};

Vector axis(const Kind& kind, int i) {
  if (!kind.turned) return {i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
  return {profile(3 + 3 * i), profile(4 + 3 * i), profile(5 + 3 * i)};
}

/// Adds an auxiliary variable w with dw/dt = rate(w) to the term. Returns w.
template <class Rate>
Expr add_memory(const System& system, ElementTerm& term, const std::string& name, const Rate& rate) {
  const ScalarField w{system.field_count() + static_cast<int>(term.auxiliary.size())};
  term.auxiliary.push_back(name);
  term.rates.push_back(rate(inside(w)));
  return inside(w);
}

ElementTerm make_layer_term(const System& system, const Kind& kind) {
  ElementTerm term{.name = "pml"};
  for (int i = 0; i < 3; ++i) {
    if (kind.damps.at(static_cast<std::size_t>(i))) term.name += std::string(1, kind.turned ? "123"[i] : "xyz"[i]);
  }
  const Expr alpha(Symbol{.kind = Symbol::Kind::parameter, .index = static_cast<int>(system.parameters.size())});
  const auto sigma = [](int i) { return profile(i); };
  const auto damps = [&](int i) { return kind.damps.at(static_cast<std::size_t>(i)); };
  for (const VectorField& field : {E, H}) {
    Vector added;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      const Vector e = axis(kind, i);
      const std::string name = system.fields[static_cast<std::size_t>(field[i].index)];
      // p (s_j s_k / s_i) q = c, with p = d/dt and what the equations say on the right. Factor by factor,
      //   u = q / s_i = q - w_i,      dw_i/dt = sigma_i q - (alpha + sigma_i) w_i,
      //   v = s_j u = u + w_j,        dw_j/dt = sigma_j u - alpha w_j,
      //   s_k v = v + w_k,            dw_k/dt = sigma_k v - alpha w_k,
      // so that dq/dt = c + dw_i/dt - dw_j/dt - dw_k/dt.
      Expr u = dot(e, inside(field)), sum = 0.0;
      if (damps(i)) {
        const Expr w = add_memory(system, term, name + "_over",
                                  [&](const Expr& w_i) { return sigma(i) * u - (alpha + sigma(i)) * w_i; });
        sum = sum + term.rates.back();
        u = u - w;
      }
      for (const int other : {j, k}) {
        if (!damps(other)) continue;
        const Expr w =
            add_memory(system, term, name + "_times", [&](const Expr& w_j) { return sigma(other) * u - alpha * w_j; });
        sum = sum - term.rates.back();
        u = u + w;
      }
      added = added + sum * e;
    }
    set(term.added, field, added);
  }
  term.fastest_rate = alpha + sigma(0) + sigma(1) + sigma(2);
  return term;
}

bool is_turned(const PmlProfile& p) {
  return p.axes != PmlProfile{}.axes;
}

}  // namespace

std::vector<ElementTerm> pml_terms(const System& system, const Discretization& discretization,
                                   const std::vector<std::int32_t>& elements, double alpha,
                                   const std::function<PmlProfile(std::int32_t, const Point&)>& profile_at) {
  std::map<Kind, ElementTerm> terms;
  for (const std::int32_t k : elements) {
    std::vector<PmlProfile> nodes;
    Kind kind;
    for (int n = 0; n < discretization.Np(); ++n) {
      nodes.push_back(profile_at(k, discretization.node(static_cast<std::size_t>(k), n)));
      kind.turned |= is_turned(nodes.back());
      for (std::size_t i = 0; i < 3; ++i) kind.damps.at(i) |= nodes.back().sigma.at(i) > 0;
    }
    if (kind.turned) kind.damps = {true, true, true};
    if (kind == Kind{}) continue;
    const auto [place, is_new] = terms.try_emplace(kind);
    ElementTerm& term = place->second;
    if (is_new) {
      term = make_layer_term(system, kind);
      term.parameters.resize(1);
      term.profiles.resize(kind.turned ? 12 : 3);
    }
    term.elements.push_back(k);
    term.parameters[0].push_back(alpha);
    for (const PmlProfile& node : nodes) {
      for (std::size_t i = 0; i < 3; ++i) {
        term.profiles[i].push_back(node.sigma.at(i));
        for (std::size_t c = 0; kind.turned && c < 3; ++c) {
          term.profiles[3 + 3 * i + c].push_back(node.axes.at(i).at(c));
        }
      }
    }
  }
  std::vector<ElementTerm> list;
  for (auto& [kind, term] : terms) list.push_back(std::move(term));
  return list;
}

}  // namespace maxwell_dg::dg::maxwell
