#include <sstream>
#include <utility>

#include "apps/examples/example.hpp"
#include "apps/examples/spiking_network/on_host.hpp"
#include "rtcg/array/elementwise_kernel.hpp"

/// A ring of spiking neurons whose differential equations are text, as a user would give it: each line `dX/dt = ...`
/// becomes a step of Euler's method, all in one kernel. Named as an application in Kloeckner et al., PyCUDA and
/// PyOpenCL, 2012.
namespace {

using namespace maxwell_dg;
using rtcg::DeviceArray;

constexpr int kNeurons = 1000, kSteps = 200;
constexpr float kStep = 0.5F;  // ms

// Leaky integrate-and-fire neurons with a current that fades.
constexpr const char* kEquations = "dv/dt = (drive + current - v) / 20\ndcurrent/dt = -current / 5\n";

// Above 1, a neuron fires and begins again at 0; the spike reaches the next neuron in the next step.
constexpr const char* kText = R"(
const float32 drive = drives[i];
% for x in variables:
const float32 ${x.name} = ${x.name}_of[i];
% endfor
% for x in variables:
${x.name}_of[i] = ${x.name} + ${literal(step, 'float32')} * (${x.rate});
% endfor
current_of[i] += 0.4f * before[i == 0 ? ${neurons - 1} : i - 1];
fired[i] = v_of[i] > 1.0f;
if (v_of[i] > 1.0f) v_of[i] = 0.0f;
)";

rtcg::ElementwiseKernel step_of(const std::string& equations) {
  rtcg::Value::List variables;
  std::string arguments = "const float32* drives, const float32* before, float32* fired";
  std::istringstream lines(equations);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t end = line.find("/dt = ");
    examples::require(line.starts_with("d") && end != std::string::npos,
                      "expected 'dX/dt = ...', found '" + line + "'");
    const std::string name = line.substr(1, end - 1);
    variables.push_back(rtcg::Record{{"name", name}, {"rate", line.substr(end + 6)}});
    arguments += ", float32* " + name + "_of";
  }
  const rtcg::Record values{{"variables", variables}, {"step", kStep}, {"neurons", kNeurons}};
  const std::string text = rtcg::Template("neurons.kernel", kText).render(values);
  return rtcg::ElementwiseKernel({.arguments = arguments, .operation = text, .name = "neurons"});
}

void spiking_network(const rtcg::Context& context) {
  const rtcg::ElementwiseKernel step = step_of(kEquations);
  examples::Neurons neurons(examples::noise(kNeurons));
  const DeviceArray drives = to_device(context, neurons.drives), v = to_device(context, neurons.v),
                    current = to_device(context, neurons.current);
  DeviceArray fired = to_device(context, neurons.fired), before = to_device(context, neurons.fired);
  int spikes = 0, different = 0;
  for (int count = 0; count < kSteps; ++count) {
    std::swap(fired, before);
    step(drives, before, fired, v, current);
    examples::step_on_host(neurons, kStep);
    const std::vector<float> found = fired.to_vector<float>();
    for (std::size_t i = 0; i < kNeurons; ++i) {
      spikes += found[i] != 0 ? 1 : 0;
      different += found[i] != neurons.fired[i] ? 1 : 0;
    }
  }
  std::printf("%d spikes of %d neurons, %d at another step than on the host\n", spikes, kNeurons, different);
  examples::require(spikes > kNeurons, "hardly a neuron fired");
  // Rounding may move a spike at the threshold to the next step, and those that follow from it.
  examples::require(different * 100 <= spikes, "the spikes are not the host's");
}

}  // namespace

int main() {
  return examples::run(spiking_network);
}
