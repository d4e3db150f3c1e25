#include "core/mpi/communicator.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include <unistd.h>

#include "core/mpi/launcher.hpp"
#include "core/mpi/processes.hpp"

namespace maxwell_dg::core {

int launched_processes() {
  // Open MPI's mpirun; launchers of MPICH and Intel MPI; Slurm's srun.
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    const char* value = std::getenv(name);
    if (value != nullptr) return std::max(1, std::atoi(value));
  }
  return 1;
}

bool is_under_mpirun() {
  return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMI_SIZE") != nullptr;
}

Communicator Communicator::world() {
  return Communicator(processes_of_world());
}

int Communicator::rank() const {
  return processes_ ? processes_->rank() : 0;
}

int Communicator::size() const {
  return processes_ ? processes_->size() : 1;
}

Communicator Communicator::on_this_host() const {
  return processes_ ? Communicator(processes_->on_this_host()) : Communicator();
}

std::vector<std::vector<std::byte>> Communicator::gather_to_all(std::span<const std::byte> bytes) const {
  if (processes_) return processes_->gather_to_all(bytes);
  return {{bytes.begin(), bytes.end()}};
}

std::vector<std::vector<std::byte>> Communicator::gather(std::span<const std::byte> bytes, int to) const {
  if (processes_) return processes_->gather(bytes, to);
  return {{bytes.begin(), bytes.end()}};
}

std::vector<std::byte> Communicator::broadcast(std::span<const std::byte> bytes, int from) const {
  if (processes_) return processes_->broadcast(bytes, from);
  return {bytes.begin(), bytes.end()};
}

std::string Communicator::first_reason(const std::string& reason) const {
  for (const std::string& text : gather_to_all(reason)) {
    if (!text.empty()) return text;
  }
  return {};
}

namespace {

std::vector<std::string> texts_of(const std::vector<std::vector<std::byte>>& of_ranks) {
  std::vector<std::string> texts;
  for (const std::vector<std::byte>& bytes : of_ranks) texts.push_back(text_of(bytes));
  return texts;
}

}  // namespace

std::vector<std::string> Communicator::gather_to_all(const std::string& text) const {
  return texts_of(gather_to_all(std::as_bytes(std::span(text))));
}

std::vector<std::string> Communicator::gather(const std::string& text, int to) const {
  return texts_of(gather(std::as_bytes(std::span(text)), to));
}

std::string Communicator::broadcast(const std::string& text, int from) const {
  return text_of(broadcast(std::as_bytes(std::span(text)), from));
}

template <class Combine>
void Communicator::combine(std::span<double> values, const std::vector<std::vector<std::byte>>& of_ranks,
                           const Combine& combine) const {
  for (std::size_t r = 0; r < of_ranks.size(); ++r) {
    const std::vector<double> theirs = values_of<double>(of_ranks[r]);
    if (theirs.size() != values.size()) {
      throw std::logic_error("Communicator: ranks combine " + std::to_string(values.size()) + " and " +
                             std::to_string(theirs.size()) + " values");
    }
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = r == 0 ? theirs[i] : combine(values[i], theirs[i]);
  }
}

void Communicator::sum(std::span<double> values) const {
  if (processes_) combine(values, gather_to_all(std::as_bytes(values)), [](double a, double b) { return a + b; });
}

void Communicator::sum_at(int to, std::span<double> values) const {
  if (processes_) combine(values, gather(std::as_bytes(values), to), [](double a, double b) { return a + b; });
}

void Communicator::max(std::span<double> values) const {
  if (processes_)
    combine(values, gather_to_all(std::as_bytes(values)), [](double a, double b) { return std::max(a, b); });
}

void Communicator::min(std::span<double> values) const {
  if (processes_)
    combine(values, gather_to_all(std::as_bytes(values)), [](double a, double b) { return std::min(a, b); });
}

Message Communicator::send(std::span<const std::byte> bytes, int to, int tag) const {
  if (!processes_) throw std::logic_error("Communicator: a process that is alone sends nothing");
  return processes_->send(bytes, to, tag);
}

Message Communicator::receive(std::span<std::byte> bytes, int from, int tag) const {
  if (!processes_) throw std::logic_error("Communicator: a process that is alone receives nothing");
  return processes_->receive(bytes, from, tag);
}

void Communicator::wait_for(std::span<Message> messages) const {
  if (processes_) processes_->wait_for(messages);
}

bool Communicator::has_arrived(const Message& message) const {
  return !processes_ || processes_->has_arrived(message);
}

void Communicator::cancel(std::span<Message> messages) const {
  if (processes_) processes_->cancel(messages);
}

bool Communicator::all_arrive_within(double seconds) const {
  return !processes_ || processes_->all_arrive_within(seconds);
}

std::string text_of(std::span<const std::byte> bytes) {
  const std::vector<char> characters = values_of<char>(bytes);
  return {characters.begin(), characters.end()};
}

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "unknown host";
  return name.data();
}

void Communicator::abort(ExitCode code) const {
  if (processes_) processes_->abort(code);
  std::exit(static_cast<int>(code));
}

}  // namespace maxwell_dg::core
