#include "apps/maxwell_dg/interrupt.hpp"

#include <array>
#include <csignal>

namespace maxwell_dg {
namespace {

constexpr std::array signals{SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};

// A signal handler can reach nothing but a global; this one stays inside this file.
volatile std::sig_atomic_t received_signal = 0;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

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

/// [signal]: whether it ends a run. Signals that were ignored when the program began stay ignored, but for SIGINT: a
/// shell's script starts every background job with SIGINT ignored, and `kill -INT` shall end these, too. Later on one
/// cannot see what was ignored: LLVM, within PoCL, puts handlers of its own there.
std::array<bool, signals.size()> find_ours() {
  std::array<bool, signals.size()> ours{};
  for (std::size_t i = 0; i < signals.size(); ++i) ours.at(i) = signals.at(i) == SIGINT || !is_ignored(signals.at(i));
  return ours;
}
const std::array<bool, signals.size()> is_ours = find_ours();

void set_ours(void (*handler)(int), void (*handler_of_hang_up)(int)) {
  for (std::size_t i = 0; i < signals.size(); ++i) {
    if (is_ours[i]) set_handler(signals[i], signals[i] == SIGHUP ? handler_of_hang_up : handler);
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
  const int signal = received_signal;
  return signal == 0 ? ExitCode::done : static_cast<ExitCode>(128 + signal);
}

}  // namespace maxwell_dg
