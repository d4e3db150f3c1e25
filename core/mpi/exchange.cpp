#include "core/mpi/exchange.hpp"

#include <algorithm>

namespace maxwell_dg::core {

std::vector<std::size_t> sizes_to_come(const Communicator& ranks, std::span<const std::size_t> sent) {
  std::vector<std::size_t> sizes;
  for (const auto& of_rank : ranks.gather_to_all(std::as_bytes(sent))) {
    sizes.push_back(values_of<std::size_t>(of_rank).at(static_cast<std::size_t>(ranks.rank())));
  }
  return sizes;
}

void exchange_bytes(const Communicator& ranks, std::span<const std::span<const std::byte>> sent,
                    std::span<const std::span<std::byte>> received) {
  constexpr std::size_t most = std::size_t{1} << 30;  // MPI counts bytes in an int
  constexpr int tag = 3;
  std::vector<Message> messages;
  const auto by_pieces = [&](const auto& bytes, const auto& pass) {
    for (std::size_t first = 0; first < bytes.size(); first += most) {
      messages.push_back(pass(bytes.subspan(first, std::min(most, bytes.size() - first))));
    }
  };
  for (int r = 0; r < ranks.size(); ++r) {
    if (r == ranks.rank()) continue;
    by_pieces(received[static_cast<std::size_t>(r)],
              [&](std::span<std::byte> piece) { return ranks.receive(piece, r, tag); });
  }
  for (int r = 0; r < ranks.size(); ++r) {
    const auto at = static_cast<std::size_t>(r);
    if (r == ranks.rank()) {
      std::ranges::copy(sent[at], received[at].begin());
    } else {
      by_pieces(sent[at], [&](std::span<const std::byte> piece) { return ranks.send(piece, r, tag); });
    }
  }
  ranks.wait_for(messages);
}

}  // namespace maxwell_dg::core
