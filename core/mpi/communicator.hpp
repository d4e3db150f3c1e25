#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.hpp"

/// Several processes that compute one thing together, started by `mpirun` or `srun`: each is a rank. MPI's own header
/// is included in this folder alone; a build without MPI knows communicators of one rank.
namespace maxwell_dg::core {

class Processes;

/// A message on its way. The memory it was given must live, and be left alone, until `wait_for` has returned.
class Message {
 public:
  Message();
  ~Message();
  Message(Message&&) noexcept;
  Message& operator=(Message&&) noexcept;

  struct State;
  explicit Message(std::unique_ptr<State> state);
  [[nodiscard]] State* state() const { return state_.get(); }

 private:
  std::unique_ptr<State> state_;
};

/// A group of ranks. Where a function says that it is collective, all of them must call it, in the same order. Calls
/// come from one thread. Errors of MPI are thrown as DriverError.
class Communicator {
 public:
  /// This process alone.
  Communicator() = default;
  explicit Communicator(std::shared_ptr<const Processes> processes) : processes_(std::move(processes)) {}
  /// All processes that were started together; this one alone where it was started by itself. Throws DeviceError where
  /// it was started with others but this build has no MPI.
  [[nodiscard]] static Communicator world();

  [[nodiscard]] int rank() const;  ///< 0 ... size() - 1
  [[nodiscard]] int size() const;
  [[nodiscard]] bool is_first() const { return rank() == 0; }
  /// Those of these ranks that run on this host, in the same order. Collective.
  [[nodiscard]] Communicator on_this_host() const;

  /// [rank] what each of them has, on all of them; the sizes may differ. Collective.
  [[nodiscard]] std::vector<std::vector<std::byte>> gather_to_all(std::span<const std::byte> bytes) const;
  /// [rank] the same on rank `to` alone; empty on the others. Collective.
  [[nodiscard]] std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes, int to = 0) const;
  /// What rank `from` has, on all of them. Collective.
  [[nodiscard]] std::vector<std::byte> broadcast(std::span<const std::byte> bytes, int from = 0) const;

  /// The text of the first rank whose text is not empty, on all of them: why something does not go. Collective.
  [[nodiscard]] std::string first_reason(const std::string& reason) const;

  // The same for texts.
  [[nodiscard]] std::vector<std::string> gather_to_all(const std::string& text) const;
  [[nodiscard]] std::vector<std::string> gather(const std::string& text, int to = 0) const;
  [[nodiscard]] std::string broadcast(const std::string& text, int from = 0) const;

  /// [i] the sum, the largest, the least of values[i] over the ranks, on all of them. Sums are made in the order of the
  /// ranks, so that they are the same bits in every run. Collective.
  void sum(std::span<double> values) const;
  /// The sums on rank `to` alone; on the others values stay as they are. Collective.
  void sum_at(int to, std::span<double> values) const;
  void max(std::span<double> values) const;
  void min(std::span<double> values) const;

  /// Messages between two ranks with the same tag arrive in the order in which they were sent. Sizes must agree.
  [[nodiscard]] Message send(std::span<const std::byte> bytes, int to, int tag) const;
  [[nodiscard]] Message receive(std::span<std::byte> bytes, int from, int tag) const;
  /// Returns when all of these have been sent or received.
  void wait_for(std::span<Message> messages) const;
  /// Whether this one has been sent or received. Does not wait.
  [[nodiscard]] bool has_arrived(const Message& message) const;
  /// Gives up messages that are to be received: nothing is written to their memory any more.
  void cancel(std::span<Message> messages) const;

  /// Whether all ranks call this within so many seconds: false as soon as these have passed. For ranks that have
  /// failed.
  [[nodiscard]] bool all_arrive_within(double seconds) const;
  /// Ends all ranks at once, this one with the code.
  [[noreturn]] void abort(ExitCode code) const;

 private:
  template <class Combine>
  void combine(std::span<double> values, const std::vector<std::vector<std::byte>>& of_ranks,
               const Combine& combine) const;
  std::shared_ptr<const Processes> processes_;  ///< null: this process alone
};

/// The name of this host.
[[nodiscard]] std::string host_name();

/// The values whose bytes these are.
template <class T>
requires std::is_trivially_copyable_v<T>
[[nodiscard]] std::vector<T> values_of(std::span<const std::byte> bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::copy_n(bytes.begin(), values.size() * sizeof(T), std::as_writable_bytes(std::span(values)).begin());
  return values;
}

/// The text whose bytes these are.
[[nodiscard]] std::string text_of(std::span<const std::byte> bytes);

}  // namespace maxwell_dg::core
