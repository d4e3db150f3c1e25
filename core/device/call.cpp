#include "core/device/call.hpp"

#include <vector>

namespace maxwell_dg::core {
namespace {

/// Makes kernel arguments of all, and remembers what comes back.
struct Sender {
  const Device& device;
  const Stream& stream;
  std::vector<std::pair<Buffer, std::span<std::byte>>> outputs{};

  KernelArgument operator()(const KernelArgument& argument) { return argument; }
  KernelArgument operator()(const In& argument) { return sent(argument.bytes); }
  KernelArgument operator()(const Out& argument) {
    const Buffer buffer = device.allocate(argument.bytes.size());
    outputs.emplace_back(buffer, argument.bytes);
    return buffer;
  }
  KernelArgument operator()(const InOut& argument) {
    const Buffer buffer = sent(argument.bytes);
    outputs.emplace_back(buffer, argument.bytes);
    return buffer;
  }

 private:
  [[nodiscard]] Buffer sent(std::span<const std::byte> bytes) const {
    Buffer buffer = device.allocate(bytes.size());
    stream.write(buffer, 0, bytes);
    stream.synchronize();  // before anything is thrown and the caller's memory dies
    return buffer;
  }
};

}  // namespace

void call(const Device& device, const Kernel& kernel, const LaunchShape& shape,
          std::initializer_list<CallArgument> arguments) {
  const Stream stream = device.create_stream();
  Sender sender{device, stream};
  std::vector<KernelArgument> sent;
  for (const CallArgument& argument : arguments) sent.push_back(std::visit(sender, argument));
  kernel.launch(stream, shape, sent);
  for (const auto& [buffer, host] : sender.outputs) stream.read(buffer, 0, host);
  stream.synchronize();
}

}  // namespace maxwell_dg::core
