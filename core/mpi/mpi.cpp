// MPI's functions of C alone.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <chrono>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <string>
#include <thread>
#include <utility>

#include <mpi.h>

#include "core/mpi/launcher.hpp"
#include "core/mpi/processes.hpp"

namespace maxwell_dg::core {

struct Message::State {
  MPI_Request request = MPI_REQUEST_NULL;
};

Message::Message() = default;
Message::~Message() = default;
Message::Message(Message&&) noexcept = default;
Message& Message::operator=(Message&&) noexcept = default;
Message::Message(std::unique_ptr<State> state) : state_(std::move(state)) {}

namespace {

void check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  std::string text(MPI_MAX_ERROR_STRING, '\0');
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  text.resize(static_cast<std::size_t>(length));
  throw DriverError({.api = "MPI", .call = call, .code = code, .name = text});
}

/// Returns when a message has come or gone, or all have arrived. MPI's own waits keep a core busy, on which this rank's
/// kernels may be at work: after a tenth of a millisecond this one sleeps between its questions.
void wait(MPI_Request& request, const char* call) {
  const auto end_of_patience = std::chrono::steady_clock::now() + std::chrono::microseconds(100);
  for (int done = 0;;) {
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), call);
    if (done != 0) return;
    if (std::chrono::steady_clock::now() < end_of_patience) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  }
}

/// MPI counts bytes in an int.
int count_of(std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw DeviceError("MPI: a message of " + std::to_string(bytes) +
                      " bytes is longer than MPI counts; take more ranks");
  }
  return static_cast<int>(bytes);
}

class MpiProcesses : public Processes {
 public:
  /// Takes the communicator, which it frees.
  explicit MpiProcesses(MPI_Comm comm) : comm_(comm) {
    check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check(MPI_Comm_dup(comm_, &arrivals_), "MPI_Comm_dup");
    check(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(comm_, &size_), "MPI_Comm_size");
  }
  ~MpiProcesses() override {
    int has_ended = 0;
    MPI_Finalized(&has_ended);
    if (has_ended != 0) return;
    MPI_Comm_free(&arrivals_);
    MPI_Comm_free(&comm_);
  }
  MpiProcesses(const MpiProcesses&) = delete;
  MpiProcesses& operator=(const MpiProcesses&) = delete;

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }

  [[nodiscard]] std::shared_ptr<const Processes> on_this_host() const override {
    MPI_Comm local = MPI_COMM_NULL;
    check(MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &local), "MPI_Comm_split_type");
    return std::make_shared<const MpiProcesses>(local);
  }

  [[nodiscard]] std::vector<std::vector<std::byte>> gather_to_all(std::span<const std::byte> bytes) const override {
    const int mine = count_of(bytes.size());
    std::vector<int> counts(static_cast<std::size_t>(size_));
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Iallgather(&mine, 1, MPI_INT, counts.data(), 1, MPI_INT, comm_, &request), "MPI_Iallgather");
    wait(request, "MPI_Iallgather");
    const std::vector<int> offsets = offsets_of(counts);
    std::vector<std::byte> all(total(counts));
    check(MPI_Iallgatherv(bytes.data(), mine, MPI_BYTE, all.data(), counts.data(), offsets.data(), MPI_BYTE, comm_,
                          &request),
          "MPI_Iallgatherv");
    wait(request, "MPI_Iallgatherv");
    return cut(all, counts);
  }

  [[nodiscard]] std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes, int to) const override {
    const int mine = count_of(bytes.size());
    std::vector<int> counts(rank_ == to ? static_cast<std::size_t>(size_) : 0);
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Igather(&mine, 1, MPI_INT, counts.data(), 1, MPI_INT, to, comm_, &request), "MPI_Igather");
    wait(request, "MPI_Igather");
    const std::vector<int> offsets = offsets_of(counts);
    std::vector<std::byte> all(total(counts));
    check(MPI_Igatherv(bytes.data(), mine, MPI_BYTE, all.data(), counts.data(), offsets.data(), MPI_BYTE, to, comm_,
                       &request),
          "MPI_Igatherv");
    wait(request, "MPI_Igatherv");
    return cut(all, counts);
  }

  [[nodiscard]] std::vector<std::byte> broadcast(std::span<const std::byte> bytes, int from) const override {
    int count = rank_ == from ? count_of(bytes.size()) : 0;
    check(MPI_Bcast(&count, 1, MPI_INT, from, comm_), "MPI_Bcast");
    std::vector<std::byte> all(static_cast<std::size_t>(count));
    if (rank_ == from) all.assign(bytes.begin(), bytes.end());
    check(MPI_Bcast(all.data(), count, MPI_BYTE, from, comm_), "MPI_Bcast");
    return all;
  }

  [[nodiscard]] Message send(std::span<const std::byte> bytes, int to, int tag) const override {
    auto state = std::make_unique<Message::State>();
    check(MPI_Isend(bytes.data(), count_of(bytes.size()), MPI_BYTE, to, tag, comm_, &state->request), "MPI_Isend");
    return Message(std::move(state));
  }

  [[nodiscard]] Message receive(std::span<std::byte> bytes, int from, int tag) const override {
    auto state = std::make_unique<Message::State>();
    check(MPI_Irecv(bytes.data(), count_of(bytes.size()), MPI_BYTE, from, tag, comm_, &state->request), "MPI_Irecv");
    return Message(std::move(state));
  }

  void wait_for(std::span<Message> messages) const override {
    for (const Message& message : messages) {
      if (message.state() != nullptr) wait(message.state()->request, "MPI_Test");
    }
  }

  [[nodiscard]] bool has_arrived(const Message& message) const override {
    if (message.state() == nullptr) return true;
    int done = 0;
    check(MPI_Test(&message.state()->request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    return done != 0;
  }

  void cancel(std::span<Message> messages) const override {
    for (const Message& message : messages) {
      if (message.state() == nullptr || message.state()->request == MPI_REQUEST_NULL) continue;
      check(MPI_Cancel(&message.state()->request), "MPI_Cancel");
      check(MPI_Wait(&message.state()->request, MPI_STATUS_IGNORE), "MPI_Wait");
    }
  }

  [[nodiscard]] bool all_arrive_within(double seconds) const override {
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Ibarrier(arrivals_, &request), "MPI_Ibarrier");
    const double end = MPI_Wtime() + seconds;
    for (;;) {
      int all = 0;
      check(MPI_Test(&request, &all, MPI_STATUS_IGNORE), "MPI_Test");
      if (all != 0) return true;
      if (MPI_Wtime() > end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

  [[noreturn]] void abort(ExitCode code) const override {
    MPI_Abort(comm_, static_cast<int>(code));
    std::abort();  // not reached: MPI_Abort does not return
  }

 private:
  static std::vector<int> offsets_of(const std::vector<int>& counts) {
    (void)count_of(total(counts));
    std::vector<int> offsets(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), offsets.begin(), 0);
    return offsets;
  }
  static std::size_t total(const std::vector<int>& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::size_t{0},
                           [](std::size_t sum, int count) { return sum + static_cast<std::size_t>(count); });
  }
  static std::vector<std::vector<std::byte>> cut(std::span<const std::byte> all, const std::vector<int>& counts) {
    std::vector<std::vector<std::byte>> parts;
    for (const int count : counts) {
      const auto part = all.first(static_cast<std::size_t>(count));
      parts.emplace_back(part.begin(), part.end());
      all = all.subspan(part.size());
    }
    return parts;
  }

  MPI_Comm comm_;
  /// Of barriers alone: a rank that has failed is in one while others are still in another collective function.
  MPI_Comm arrivals_ = MPI_COMM_NULL;
  int rank_{}, size_{};
};

/// MPI from the first use to the end of the process.
void initialize() {
  int is_there = 0;
  MPI_Initialized(&is_there);
  if (is_there != 0) return;
  int level = MPI_THREAD_SINGLE;
  check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level), "MPI_Init_thread");
  if (level < MPI_THREAD_FUNNELED) {
    throw DeviceError(
        "MPI: this library serves processes of one thread alone, and kernels on CPUs have more; take one "
        "with MPI_THREAD_FUNNELED");
  }
  std::atexit([] {
    int has_ended = 0;
    MPI_Finalized(&has_ended);
    if (has_ended == 0) MPI_Finalize();
  });
}

}  // namespace

bool has_mpi() {
  return true;
}

std::shared_ptr<const Processes> processes_of_world() {
  if (launched_processes() == 1) return nullptr;  // MPI's own start takes time, and files in /tmp
  initialize();
  int seen = 0;
  check(MPI_Comm_size(MPI_COMM_WORLD, &seen), "MPI_Comm_size");
  if (seen != launched_processes()) {
    throw DeviceError("MPI: " + std::to_string(launched_processes()) +
                      " processes were started together, and MPI sees " + std::to_string(seen) +
                      " of them; start them with the mpirun of the MPI that this program was"
                      " built with, or with `srun --mpi=pmix`");
  }
  MPI_Comm world = MPI_COMM_NULL;
  check(MPI_Comm_dup(MPI_COMM_WORLD, &world), "MPI_Comm_dup");
  return std::make_shared<const MpiProcesses>(world);
}

}  // namespace maxwell_dg::core
