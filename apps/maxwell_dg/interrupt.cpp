#include "apps/maxwell_dg/interrupt.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>

namespace maxwell_dg {
namespace {

struct Ending {
  int signal;
  ExitCode code;
};
constexpr std::array endings{
    Ending{SIGHUP, ExitCode::hung_up},        Ending{SIGINT, ExitCode::interrupted},
    Ending{SIGTERM, ExitCode::terminated},    Ending{SIGUSR1, ExitCode::user_signal_1},
    Ending{SIGUSR2, ExitCode::user_signal_2}, Ending{SIGXCPU, ExitCode::out_of_cpu_time},
};

// A signal handler can reach nothing but a global; this one stays inside this file. The threads of a sweep read it,
// too, for which sig_atomic_t is not made; an atomic without a lock is for both.
std::atomic<int> received_signal{0};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
static_assert(std::atomic<int>::is_always_lock_free);

void set_handler(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// [ending]: whether its signal ends a run. Signals that were ignored when the program began stay ignored, but for
/// SIGINT: a shell's script starts every background job with SIGINT ignored, and `kill -INT` shall end these, too.
/// Later on one cannot see what was ignored: LLVM, within PoCL, puts handlers of its own there.
std::array<bool, endings.size()> find_ours() {
  std::array<bool, endings.size()> ours{};
  for (std::size_t i = 0; i < endings.size(); ++i) {
    const int signal = endings.at(i).signal;
    ours.at(i) = signal == SIGINT || !is_ignored(signal);
  }
  return ours;
}
const std::array<bool, endings.size()> is_ours = find_ours();

void set_ours(void (*handler)(int), void (*handler_of_hang_up)(int)) {
  for (std::size_t i = 0; i < endings.size(); ++i) {
    if (!is_ours[i]) continue;
    set_handler(endings[i].signal, endings[i].signal == SIGHUP ? handler_of_hang_up : handler);
  }
}

void remember(int signal) {
  received_signal = signal;
  set_ours(SIG_DFL, SIG_IGN);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  received_signal = 0;
  set_ours(remember, remember);
}

InterruptGuard::~InterruptGuard() {
  set_ours(SIG_DFL, SIG_DFL);
}

bool InterruptGuard::stop_requested() {
  return received_signal != 0;
}

ExitCode InterruptGuard::exit_code() {
  const auto* const came = std::ranges::find(endings, received_signal.load(), &Ending::signal);
  return came == endings.end() ? ExitCode::done : came->code;
}

}  // namespace maxwell_dg
