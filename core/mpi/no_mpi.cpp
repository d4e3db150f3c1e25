#include <string>

#include "core/mpi/launcher.hpp"
#include "core/mpi/processes.hpp"

namespace maxwell_dg::core {

struct Message::State {};

Message::Message() = default;
Message::~Message() = default;
Message::Message(Message&&) noexcept = default;
Message& Message::operator=(Message&&) noexcept = default;

bool has_mpi() {
  return false;
}

std::shared_ptr<const Processes> processes_of_world() {
  const int processes = launched_processes();
  if (processes == 1) return nullptr;
  throw DeviceError("this process was started as one of " + std::to_string(processes) +
                    ", but this build has no MPI; build with MAXWELL_DG_MPI=ON, or start one process alone");
}

}  // namespace maxwell_dg::core
