#include <cstdint>
#include <cstdio>
#include <utility>

#include "apps/examples/example.hpp"
#include "rtcg/array/device_array.hpp"
#include "rtcg/source/template.hpp"

/// Agents on a closed world of squares, one on each, who are healthy, ill or immune. The rules, a table of the
/// model's author, and the size of the world are compiled in. Application named in Kloeckner et al., PyCUDA and
/// PyOpenCL, 2012.
namespace {

using namespace maxwell_dg;

constexpr int kWidth = 128;
constexpr int kHeight = 64;
constexpr int kGroup = 64;
constexpr int kSteps = 100;

enum State : std::int32_t { healthy, ill, immune };

/// An agent of state `from` goes to `to` where `condition`, of the number of ill neighbours and a random number of 0 to
/// 99, is true. The first rule that applies counts.
struct Rule {
  State from;
  const char* condition;
  State to;
  bool (*on_host)(std::uint32_t ill_neighbours, std::uint32_t chance);
};
constexpr Rule kRules[] = {
    {healthy, "ill_neighbours >= 1 && chance < 20 * ill_neighbours", ill,
     [](std::uint32_t near, std::uint32_t chance) { return near >= 1 && chance < 20 * near; }},
    {ill, "chance < 25", immune, [](std::uint32_t, std::uint32_t chance) { return chance < 25; }},
    {immune, "chance < 2", healthy, [](std::uint32_t, std::uint32_t chance) { return chance < 2; }},
};

constexpr const char* kText = R"(
KERNEL void GROUP_LIMIT(${group}, 1, 1) live(GLOBAL int32* RESTRICT after, GLOBAL const int32* RESTRICT before,
                                             uint32 step) {
  const int32 at = (int32)GLOBAL_ID(0), x = at % ${width}, y = at / ${width};
  const int32 left = (x + ${width - 1}) % ${width}, right = (x + 1) % ${width};
  const int32 above = (y + ${height - 1}) % ${height}, below = (y + 1) % ${height};
  const uint32 ill_neighbours = (before[y * ${width} + left] == ${ill}) + (before[y * ${width} + right] == ${ill}) +
                                (before[above * ${width} + x] == ${ill}) + (before[below * ${width} + x] == ${ill});
  uint32 chance = ((uint32)at * 2654435761u) ^ (step * 2246822519u);
  chance = (chance ^ (chance >> 15)) * 2654435769u;
  chance = (chance >> 16) % 100u;
  const int32 state = before[at];
  int32 next = state;
% for rule in reversed(rules):
  if (state == ${rule.from} && (${rule.condition})) next = ${rule.to};
% endfor
  after[at] = next;
}
)";

std::string text() {
  rtcg::Value::List rules;
  for (const Rule& rule : kRules) {
    rules.push_back(rtcg::Record{
        {"from", static_cast<int>(rule.from)}, {"condition", rule.condition}, {"to", static_cast<int>(rule.to)}});
  }
  return rtcg::Template("agents.kernel", kText)
      .render({{"rules", rules},
               {"group", kGroup},
               {"width", kWidth},
               {"height", kHeight},
               {"ill", static_cast<int>(ill)}});
}

std::vector<std::int32_t> after_on_host(const std::vector<std::int32_t>& before, std::uint32_t step) {
  std::vector<std::int32_t> after(before);
  for (std::uint32_t at = 0; at < before.size(); ++at) {
    const std::uint32_t x = at % kWidth;
    const std::uint32_t row = at - x;
    const std::uint32_t last_row = kWidth * (kHeight - 1);
    std::uint32_t near = 0;
    for (const std::uint32_t neighbour :
         {row + (x + kWidth - 1) % kWidth, row + (x + 1) % kWidth, (row == 0 ? last_row : row - kWidth) + x,
          (row == last_row ? 0 : row + kWidth) + x}) {
      near += before[neighbour] == ill ? 1 : 0;
    }
    std::uint32_t chance = (at * 2654435761U) ^ (step * 2246822519U);
    chance = (chance ^ (chance >> 15U)) * 2654435769U;
    chance = (chance >> 16U) % 100;
    for (const Rule& rule : kRules) {
      if (before[at] != rule.from || !rule.on_host(near, chance)) continue;
      after[at] = rule.to;
      break;
    }
  }
  return after;
}

void agent_model(const rtcg::Context& context) {
  std::vector<std::int32_t> expected(std::size_t{kWidth} * kHeight, healthy);
  for (std::size_t at = 0; at < expected.size(); at += 997) expected[at] = ill;
  rtcg::DeviceArray now = to_device(context, expected);
  rtcg::DeviceArray next = empty(context, now.shape(), Dtype::int32);
  const core::Kernel kernel = context.compiler().compile({.name = "agents.kernel", .text = text()}).kernel("live");
  std::size_t most_ill = 0;
  for (std::uint32_t step = 0; step < kSteps; ++step) {
    kernel.launch(context.stream(), {.groups = {expected.size() / kGroup, 1, 1}, .group_size = {kGroup, 1, 1}},
                  {next.buffer(), now.buffer(), step});
    std::swap(now, next);
    expected = after_on_host(expected, step);
    most_ill = std::max(most_ill, static_cast<std::size_t>(std::ranges::count(expected, ill)));
    examples::require(now.to_vector<std::int32_t>() == expected,
                      "the agents differ from the host's at step " + std::to_string(step));
  }
  std::printf("%d steps of %zu agents, at most %zu of them ill at once\n", kSteps, expected.size(), most_ill);
}

}  // namespace

int main() {
  return examples::run(agent_model);
}
