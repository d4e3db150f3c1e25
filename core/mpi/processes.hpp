#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/mpi/communicator.hpp"

namespace maxwell_dg::core {

/// What a Communicator of more than one rank needs of MPI; its functions are documented there.
class Processes {
 public:
  virtual ~Processes() = default;
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  [[nodiscard]] virtual std::shared_ptr<const Processes> on_this_host() const = 0;
  [[nodiscard]] virtual std::vector<std::vector<std::byte>> gather_to_all(std::span<const std::byte> bytes) const = 0;
  [[nodiscard]] virtual std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes, int to) const = 0;
  [[nodiscard]] virtual std::vector<std::byte> broadcast(std::span<const std::byte> bytes, int from) const = 0;
  [[nodiscard]] virtual Message send(std::span<const std::byte> bytes, int to, int tag) const = 0;
  [[nodiscard]] virtual Message receive(std::span<std::byte> bytes, int from, int tag) const = 0;
  virtual void wait_for(std::span<Message> messages) const = 0;
  [[nodiscard]] virtual bool has_arrived(const Message& message) const = 0;
  virtual void cancel(std::span<Message> messages) const = 0;
  [[nodiscard]] virtual bool all_arrive_within(double seconds) const = 0;
  [[noreturn]] virtual void abort(ExitCode code) const = 0;
};

/// All processes that were started with this one; null where it is alone. Of a build without MPI: throws DeviceError
/// where it is not alone.
[[nodiscard]] std::shared_ptr<const Processes> processes_of_world();

}  // namespace maxwell_dg::core
