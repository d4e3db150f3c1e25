#include "apps/python/bindings/forks.hpp"

#include <atomic>

#include <pthread.h>

namespace maxwell_dg::python {
namespace {

std::atomic<int>& count() {
  static std::atomic<int> forks{0};
  return forks;
}

void note_fork() {
  ++count();
}

}  // namespace

int forks() {
  static const int registered = pthread_atfork(nullptr, nullptr, note_fork);
  static_cast<void>(registered);
  return count();
}

}  // namespace maxwell_dg::python
