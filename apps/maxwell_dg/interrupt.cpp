#include "apps/maxwell_dg/interrupt.hpp"

#include <csignal>

namespace maxwell_dg {
namespace {

// A signal handler can reach nothing but a global; this one stays inside this file.
volatile std::sig_atomic_t received_signal = 0;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

void install(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void remember(int signal) {
  received_signal = signal;
  install(SIG_DFL);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  received_signal = 0;
  install(remember);
}

InterruptGuard::~InterruptGuard() {
  install(SIG_DFL);
}

bool InterruptGuard::stop_requested() {
  return received_signal != 0;
}

ExitCode InterruptGuard::exit_code() {
  if (received_signal == SIGINT) return ExitCode::interrupted;
  if (received_signal == SIGTERM) return ExitCode::terminated;
  return ExitCode::done;
}

}  // namespace maxwell_dg
