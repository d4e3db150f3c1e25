#include <cstdio>
#include <map>
#include <sstream>

#include "apps/examples/example.hpp"
#include "rtcg/array/elementwise_kernel.hpp"
#include "rtcg/source/literal.hpp"

/// A network of spiking neurons whose differential equations are text, as a user would give it: each line `dX/dt = ...`
/// becomes a step of Euler's method, all in one kernel. Application named in Kloeckner et al., PyCUDA and PyOpenCL,
/// 2012.
namespace {

using namespace maxwell_dg;
using rtcg::DeviceArray;

constexpr std::size_t kNeurons = 1000;
constexpr int kSteps = 200;
constexpr double kStep = 0.5;  // ms
constexpr auto kHostStep = static_cast<float>(kStep);

// Leaky integrate-and-fire neurons with a current that fades.
constexpr const char* kEquations =
    "dv/dt = (drive + current - v) / 20.0f\n"
    "dcurrent/dt = -current / 5.0f\n";

/// Name of the variable, right-hand side.
std::map<std::string, std::string> parsed(const std::string& equations) {
  std::map<std::string, std::string> rates;
  std::istringstream lines(equations);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t name_end = line.find("/dt = ");
    if (!line.starts_with("d") || name_end == std::string::npos) {
      throw std::invalid_argument("expected 'dX/dt = ...', found '" + line + "'");
    }
    rates[line.substr(1, name_end - 1)] = line.substr(name_end + 6);
  }
  return rates;
}

/// All rates are computed before a variable changes. Above 1, a neuron fires and begins again at 0.
rtcg::ElementwiseKernel network_step(const std::map<std::string, std::string>& rates) {
  std::string arguments = "const float32* drives, const float32* kick, float32* fired";
  std::string load = "const float32 drive = drives[i];\n";
  std::string rate;
  std::string store;
  for (const auto& [name, right_hand_side] : rates) {
    arguments += ", float32* " + name + "_of";
    load += "float32 " + name + " = " + name + "_of[i];\n";
    rate += "const float32 rate_" + name + " = " + right_hand_side + ";\n";
    store += name + " += " + rtcg::literal(kStep, Dtype::float32) + " * rate_" + name + ";\n";
  }
  store += "current += kick[i];\nfired[i] = v > 1.0f ? 1.0f : 0.0f;\nif (v > 1.0f) v = 0.0f;\n";
  for (const auto& [name, right_hand_side] : rates) store += name + "_of[i] = " + name + ";\n";
  return rtcg::ElementwiseKernel({.arguments = arguments, .operation = load + rate + store, .name = "network_step"});
}

void step_on_host(const std::vector<float>& drives, const std::vector<float>& kick, std::vector<float>& v,
                  std::vector<float>& current, std::vector<float>& fired) {
  for (std::size_t i = 0; i < kNeurons; ++i) {
    const float rate_v = (drives[i] + current[i] - v[i]) / 20.0F;
    const float rate_current = -current[i] / 5.0F;
    v[i] += kHostStep * rate_v;
    current[i] += kHostStep * rate_current + kick[i];
    fired[i] = v[i] > 1.0F ? 1.0F : 0.0F;
    if (v[i] > 1.0F) v[i] = 0.0F;
  }
}

/// Every spike reaches the next neuron of a ring, in the next step.
std::vector<float> kicks(const std::vector<float>& fired) {
  std::vector<float> kick(kNeurons);
  for (std::size_t i = 0; i < kNeurons; ++i) kick[(i + 1) % kNeurons] = 0.4F * fired[i];
  return kick;
}

void spiking_network(const rtcg::Context& context) {
  const rtcg::ElementwiseKernel step = network_step(parsed(kEquations));
  std::vector<float> drives = examples::noise(kNeurons);
  for (float& drive : drives) drive = 1.05F + 0.2F * drive;
  const DeviceArray drives_device = to_device(context, drives);
  const DeviceArray v = zeros(context, {kNeurons}, Dtype::float32);
  const DeviceArray current = zeros(context, {kNeurons}, Dtype::float32);
  const DeviceArray fired = zeros(context, {kNeurons}, Dtype::float32);
  std::vector<float> v_host(kNeurons);
  std::vector<float> current_host(kNeurons);
  std::vector<float> fired_host(kNeurons);
  std::size_t spikes = 0;
  std::size_t different = 0;
  for (int count = 0; count < kSteps; ++count) {
    const std::vector<float> kick = kicks(fired.to_vector<float>());
    step(drives_device, to_device(context, kick), fired, current, v);  // in the order of the names
    step_on_host(drives, kick, v_host, current_host, fired_host);
    const std::vector<float> found = fired.to_vector<float>();
    for (std::size_t i = 0; i < kNeurons; ++i) {
      spikes += found[i] != 0 ? 1 : 0;
      different += found[i] != fired_host[i] ? 1 : 0;
    }
  }
  std::printf("%zu spikes of %zu neurons in %g ms, %zu at another step than on the host\n", spikes, kNeurons,
              kSteps * kStep, different);
  examples::require(spikes > kNeurons, "hardly a neuron fired");
  // Rounding may move a spike at the threshold to the next step, and that neuron's next spikes with it.
  examples::require(different * 100 <= spikes, "the spikes are not the host's");
}

}  // namespace

int main() {
  return examples::run(spiking_network);
}
