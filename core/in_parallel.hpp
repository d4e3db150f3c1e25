#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <future>
#include <thread>
#include <vector>

#include "core/log.hpp"

namespace maxwell_dg {

/// each(i) for all i below `count`, in no order, by as many threads as there are processors, of which the caller's is
/// one. What one of them throws is thrown when all have ended; some i may then have been left out.
template <class Each>
void for_each_in_parallel(std::size_t count, const Each& each) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) each(i);
  };
  const std::size_t threads =
      std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, std::max<std::size_t>(count, 1));
  const auto help = [&work, scope = LogScope::innermost()] {
    const LogScope::Lent lent(scope);
    work();
  };
  std::vector<std::future<void>> others;
  for (std::size_t i = 1; i < threads; ++i) others.push_back(std::async(std::launch::async, help));
  work();
  for (std::future<void>& other : others) other.get();
}

}  // namespace maxwell_dg
