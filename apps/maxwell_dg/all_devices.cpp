#include "apps/maxwell_dg/all_devices.hpp"

#include <string_view>

#include "apps/maxwell_dg/asked_config.hpp"
#include "apps/start_ranks.hpp"
#include "core/device/several_devices.hpp"
#include "core/log.hpp"
#include "core/mpi/launcher.hpp"

namespace maxwell_dg {

namespace {

config::Config quietly_loaded(const CommandLine& command) {
  const LogScope quiet([](LogLevel, std::string_view) {});  // who runs the config says what there is to say
  return load_config(command);
}

}  // namespace

std::optional<ExitCode> run_on_all_devices(CommandLine& command, const std::vector<std::string>& arguments) {
  using Action = CommandLine::Action;
  const bool computes = command.action == Action::run || command.action == Action::check ||
                        command.action == Action::tune || command.action == Action::kernels;
  if (!computes || core::is_under_mpirun() || core::launched_processes() > 1) return std::nullopt;
  const std::string device = command.device ? *command.device : quietly_loaded(command).device;
  const auto all = core::all_devices(device);
  if (!all) return std::nullopt;
  const bool is_sweep = quietly_loaded(command).sweep.has_value();
  if (is_sweep && command.action == Action::run) return std::nullopt;  // it shares out its angles
  if (all->size() > 1 && command.action != Action::kernels && !is_sweep) {
    return start_ranks(all->size(), device, arguments);
  }
  command.device = device.substr(0, device.find(':'));
  return std::nullopt;
}

}  // namespace maxwell_dg
