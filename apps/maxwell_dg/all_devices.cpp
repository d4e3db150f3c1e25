#include "apps/maxwell_dg/all_devices.hpp"

#include <string_view>

#include "apps/maxwell_dg/asked_config.hpp"
#include "apps/start_ranks.hpp"
#include "core/device/several_devices.hpp"
#include "core/log.hpp"
#include "core/mpi/launcher.hpp"

namespace maxwell_dg {

namespace {

std::string asked_device(const CommandLine& command) {
  if (command.device) return *command.device;
  const LogScope quiet([](LogLevel, std::string_view) {});  // who runs the config says what there is to say
  return load_config(command).device;
}

}  // namespace

std::optional<ExitCode> run_on_all_devices(CommandLine& command, const std::vector<std::string>& arguments) {
  using Action = CommandLine::Action;
  const bool computes = command.action == Action::run || command.action == Action::check ||
                        command.action == Action::tune || command.action == Action::kernels;
  if (!computes || core::is_under_mpirun() || core::launched_processes() > 1) return std::nullopt;
  const std::string device = asked_device(command);
  const auto all = core::all_devices(device);
  if (!all) return std::nullopt;
  if (all->size() > 1 && command.action != Action::kernels) return start_ranks(all->size(), device, arguments);
  command.device = device.substr(0, device.find(':'));
  return std::nullopt;
}

}  // namespace maxwell_dg
