#include "dg/partition/distributed/face_meeting.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/mpi/exchange.hpp"
#include "core/mpi/first_error.hpp"

namespace maxwell_dg::dg {

namespace {

struct Visitor {
  OpenFace face;
  std::int32_t rank, number;  ///< where it is from, and its number there
};

struct Introduction {
  std::int32_t number;
  FacePartner partner;
};

/// Any rank, the same for equal keys, and about equally often each.
std::size_t meeting_place(const std::array<std::int32_t, 3>& key, int ranks) {
  std::uint64_t hash = 0;
  for (const std::int32_t vertex : key) {
    hash = (hash ^ static_cast<std::uint32_t>(vertex)) * 0x9E3779B97F4A7C15U;  // 2^64 over the golden ratio
    hash ^= hash >> 32U;
  }
  return hash % static_cast<std::uint64_t>(ranks);
}

}  // namespace

std::vector<std::optional<FacePartner>> partners_of(std::span<const OpenFace> mine, const std::string& origin,
                                                    const core::Communicator& ranks) {
  std::vector<std::vector<Visitor>> asked(static_cast<std::size_t>(ranks.size()));
  for (std::size_t i = 0; i < mine.size(); ++i) {
    asked[meeting_place(mine[i].key, ranks.size())].push_back({mine[i], ranks.rank(), static_cast<std::int32_t>(i)});
  }
  std::vector<Visitor> met;
  for (const auto& of_rank : core::exchange(ranks, asked)) met.insert(met.end(), of_rank.begin(), of_rank.end());
  const auto key = [](const Visitor& a) -> const auto& {
    return a.face.key;
  };
  std::ranges::sort(met, {}, key);

  std::vector<std::vector<Introduction>> answers(asked.size());
  core::on_all_ranks<MeshError>(ranks, [&] {
    for (std::size_t i = 0; i + 1 < met.size(); ++i) {
      const Visitor &a = met[i], &b = met[i + 1];
      if (key(a) != key(b)) continue;
      if (i + 2 < met.size() && key(met[i + 2]) == key(a)) {
        throw MeshError(origin + ": more than two tetrahedra share the face with the vertices " +
                        std::to_string(key(a)[0]) + ", " + std::to_string(key(a)[1]) + " and " +
                        std::to_string(key(a)[2]) +
                        " (counted from 0): volumes overlap or were meshed twice; keep each volume once (in Gmsh: "
                        "BooleanFragments, Coherence)");
      }
      answers[static_cast<std::size_t>(a.rank)].push_back({a.number, {b.rank, b.face}});
      answers[static_cast<std::size_t>(b.rank)].push_back({b.number, {a.rank, a.face}});
      ++i;
    }
  });
  std::vector<std::optional<FacePartner>> partners(mine.size());
  for (const auto& of_rank : core::exchange(ranks, answers)) {
    for (const Introduction& answer : of_rank) partners[static_cast<std::size_t>(answer.number)] = answer.partner;
  }
  return partners;
}

}  // namespace maxwell_dg::dg
