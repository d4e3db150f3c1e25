#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "core/mpi/communicator.hpp"

namespace maxwell_dg::core {

/// [rank] how many bytes each rank has for this one; `sent`: [rank] how many this one has for each. Collective.
[[nodiscard]] std::vector<std::size_t> sizes_to_come(const Communicator& ranks, std::span<const std::size_t> sent);

/// Each rank sends a piece of memory to each other one, of any size. What it has for itself is copied. Collective.
void exchange_bytes(const Communicator& ranks, std::span<const std::span<const std::byte>> sent,
                    std::span<const std::span<std::byte>> received);

/// [rank] what each rank has for this one, where `to_each[r]` goes to rank r. Collective.
template <class T>
requires std::is_trivially_copyable_v<T>
[[nodiscard]] std::vector<std::vector<T>> exchange(const Communicator& ranks,
                                                   const std::vector<std::vector<T>>& to_each) {
  std::vector<std::span<const std::byte>> sent;
  std::vector<std::size_t> sizes;
  for (const std::vector<T>& values : to_each) {
    sent.push_back(std::as_bytes(std::span(values)));
    sizes.push_back(sent.back().size());
  }
  std::vector<std::vector<T>> from_each;
  for (const std::size_t bytes : sizes_to_come(ranks, sizes)) from_each.emplace_back(bytes / sizeof(T));
  std::vector<std::span<std::byte>> received;
  for (std::vector<T>& values : from_each) received.push_back(std::as_writable_bytes(std::span(values)));
  exchange_bytes(ranks, sent, received);
  return from_each;
}

}  // namespace maxwell_dg::core
