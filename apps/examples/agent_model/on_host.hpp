#pragma once

#include <span>
#include <vector>

#include "rtcg/source/expression.hpp"

/// The agents without a device: rules are not compiled but evaluated as expressions.
namespace maxwell_dg::examples::agents {

enum State : int { healthy, ill, immune };

/// An agent of state `from` goes to `to` where the condition, of the number of ill neighbours and a random number from
/// 0 to 99, is true. Written so that C and rtcg::Expression read it alike.
struct Rule {
  State from;
  const char* condition;
  State to;
};

/// States, [row][column], of a world that is closed at its edges.
inline std::vector<int> after_on_host(const std::vector<int>& before, const std::vector<int>& chances,
                                      std::span<const Rule> rules, int width) {
  const int size = static_cast<int>(before.size());
  std::vector<int> ill_neighbours(before.size()), after(before);
  for (int at = 0; at < size; ++at) {  // who is ill counts at the neighbours
    if (before[at] != ill) continue;
    const int row = at - at % width;
    for (const int beside : {at - 1, at + 1}) ++ill_neighbours[row + (beside - row + width) % width];
    for (const int beyond : {at - width, at + width}) ++ill_neighbours[(beyond + size) % size];
  }
  for (const Rule& rule : rules) {
    const rtcg::Expression condition(rule.condition);
    for (int at = 0; at < size; ++at) {
      if (before[at] != rule.from) continue;
      const rtcg::Record values{{"ill_neighbours", ill_neighbours[at]}, {"chance", chances[at]}};
      if (condition.evaluate(values).boolean()) after[at] = rule.to;
    }
  }
  return after;
}

}  // namespace maxwell_dg::examples::agents
