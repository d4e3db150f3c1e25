#include <utility>

#include "apps/examples/agent_model/on_host.hpp"
#include "apps/examples/example.hpp"
#include "rtcg/array/elementwise_kernel.hpp"
#include "rtcg/array/random/random.hpp"

/// Agents on a closed world of squares, one on each, who are healthy, ill or immune. The rules, as text of the model's
/// author, and the size of the world are compiled in; the host reads the same text as expressions. Named as an
/// application in Kloeckner et al., PyCUDA and PyOpenCL, 2012.
namespace {

using namespace maxwell_dg;
using namespace examples::agents;
using rtcg::DeviceArray;

constexpr int kWidth = 64, kHeight = 48, kSteps = 60;
constexpr Rule kRules[] = {
    {healthy, "chance < 20 * ill_neighbours", ill}, {ill, "chance < 25", immune}, {immune, "chance < 2", healthy}};

constexpr const char* kText = R"(
const int32 x = i % ${width}, y = i / ${width}, chance = chances[i], state = before[i];
const int32 ill_neighbours = (before[y * ${width} + (x + ${width - 1}) % ${width}] == ${ill}) +
                             (before[y * ${width} + (x + 1) % ${width}] == ${ill}) +
                             (before[(y + ${height - 1}) % ${height} * ${width} + x] == ${ill}) +
                             (before[(y + 1) % ${height} * ${width} + x] == ${ill});
after[i] = state;
% for rule in rules:
if (state == ${rule.from} && (${rule.condition})) after[i] = ${rule.to};
% endfor
)";

rtcg::ElementwiseKernel compiled_rules() {
  rtcg::Value::List rules;
  for (const auto& [from, condition, to] : kRules) {
    rules.push_back(rtcg::Record{{"from", int{from}}, {"condition", condition}, {"to", int{to}}});
  }
  const std::string text = rtcg::Template("agents.kernel", kText)
                               .render({{"rules", rules}, {"width", kWidth}, {"height", kHeight}, {"ill", int{ill}}});
  return rtcg::ElementwiseKernel(
      {.arguments = "const int32* before, const int32* chances, int32* after", .operation = text, .name = "agents"});
}

void agent_model(const rtcg::Context& context) {
  std::vector<int> expected(std::size_t{kWidth} * kHeight, healthy);
  for (std::size_t at = 0; at < expected.size(); at += 331) expected[at] = ill;
  DeviceArray now = to_device(context, expected), next = zeros(context, now.shape(), Dtype::int32);
  const rtcg::ElementwiseKernel live = compiled_rules();
  rtcg::RandomGenerator generator(context, {.seed = 1});
  std::ptrdiff_t most_ill = 0;
  for (int step = 0; step < kSteps; ++step) {
    const DeviceArray chances = generator.integers(now.shape(), {.high = 100}, Dtype::int32);
    live(now, chances, next);
    std::swap(now, next);
    expected = after_on_host(expected, chances.to_vector<int>(), kRules, kWidth);
    examples::require(now.to_vector<int>() == expected,
                      "the agents are not the host's at step " + std::to_string(step));
    most_ill = std::max(most_ill, std::ranges::count(expected, ill));
  }
  std::printf("%d steps of %zu agents, at most %td of them ill at once\n", kSteps, expected.size(), most_ill);
  examples::require(most_ill > 50, "the illness of ten agents did not spread");
}

}  // namespace

int main() {
  return examples::run(agent_model);
}
