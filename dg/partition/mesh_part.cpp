#include "dg/partition/mesh_part.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "dg/partition/reads.hpp"

namespace maxwell_dg::dg {

namespace {

/// Faces of the whole mesh that one process reads of another.
using FaceSet = std::set<ElementFace>;

class PartMaker {
 public:
  PartMaker(const Discretization& whole, const Problem& problem, std::span<const int> rank_of_element, int rank)
      : whole_(whole), rank_of_element_(rank_of_element), rank_(rank) {
    check();
    is_at_edge_.resize(places());
    is_ghost_.resize(places());
    for_each_read(whole_, problem, [this](std::size_t k, const ElementFace& face) { read(k, face); });
  }

  MeshPart make() const {
    MeshPart part{.rank = rank_};
    add_elements(part);
    add_links(part);
    return part;
  }

 private:
  using Place = ElementRange::Place;

  void check() const {
    if (!whole_.whole_numbers.empty()) throw std::invalid_argument("part_of: the discretization is a part already");
    if (rank_of_element_.size() != whole_.K()) {
      throw std::invalid_argument("part_of: ranks of " + std::to_string(rank_of_element_.size()) + " elements for " +
                                  std::to_string(whole_.K()));
    }
    for (std::size_t k = 0; k < whole_.K(); ++k) {
      if (rank_of_element_[k] != rank_of_element_[place(k)]) {
        throw std::invalid_argument("part_of: element " + std::to_string(place(k)) +
                                    " and its imaginary part, element " + std::to_string(k) + ", have different ranks");
      }
    }
    if (std::ranges::find(rank_of_element_, rank_) == rank_of_element_.end()) {
      throw std::invalid_argument("part_of: rank " + std::to_string(rank_) + " has no elements");
    }
  }

  [[nodiscard]] std::size_t places() const { return whole_.complex_view.places(); }
  [[nodiscard]] std::size_t place(std::size_t k) const { return k % places(); }

  /// Element k reads a face.
  void read(std::size_t k, const ElementFace& face) {
    const int reader = rank_of_element_[k], owner = rank_of_element_[face.element];
    if (reader == owner) return;
    if (reader == rank_) {
      is_at_edge_[place(k)] = true;
      is_ghost_[place(face.element)] = true;
      received_[owner].insert(face);
    } else if (owner == rank_) {
      is_at_edge_[place(face.element)] = true;
      sent_[reader].insert(face);
    }
  }

  void add_elements(MeshPart& part) const {
    // Ghosts behind own ones, imaginary parts behind real ones, and within that by range: class, rate, place.
    using Key = std::tuple<bool, FieldPart, ElementRange::Shape, int, Place, std::size_t>;
    std::vector<Key> order;
    for (std::size_t k = 0; k < whole_.K(); ++k) {
      const bool is_own = rank_of_element_[k] == rank_;
      if (!is_own && !is_ghost_[place(k)]) continue;
      const ElementRange& range = whole_.ranges[whole_.ranges.of(k)];
      const Place where = !is_own ? Place::ghost : is_at_edge_[place(k)] ? Place::partition_edge : Place::interior;
      order.emplace_back(!is_own, whole_.complex_view.part(k), range.shape, range.rate, where, k);
    }
    std::ranges::sort(order);
    const auto same_range = [](const Key& a, const Key& b) {
      const auto range = [](const Key& key) {
        return std::tuple(std::get<1>(key), std::get<2>(key), std::get<3>(key), std::get<4>(key));
      };
      return range(a) == range(b);
    };
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto& [is_ghost, field_part, shape, rate, where, k] = order[i];
      if (i == 0 || !same_range(order[i - 1], order[i])) {
        part.ranges.push_back({.begin = i, .end = i, .shape = shape, .place = where, .rate = rate});
      }
      part.ranges.back().end = i + 1;
      part.elements.push_back(static_cast<std::int32_t>(k));
      if (!is_ghost) part.own = i + 1;
    }
  }

  void add_links(MeshPart& part) const {
    std::map<int, Halo::Link> links;
    const std::vector<std::int32_t> in_part = numbers_in_part(part, whole_.K());
    const auto add = [&](const std::map<int, FaceSet>& faces, std::vector<ElementFace> Halo::Link::*list) {
      for (const auto& [rank, set] : faces) {
        Halo::Link& link = links[rank];
        link.rank = rank;
        for (const auto& [element, face] : set) (link.*list).push_back({index(in_part[element]), face});
      }
    };
    add(sent_, &Halo::Link::sent);
    add(received_, &Halo::Link::received);
    for (auto& [rank, link] : links) part.halo.links.push_back(std::move(link));
  }

  const Discretization& whole_;
  std::span<const int> rank_of_element_;
  int rank_;
  std::vector<bool> is_at_edge_, is_ghost_;  ///< [place]
  std::map<int, FaceSet> sent_, received_;   ///< by the other process
};

}  // namespace

std::vector<std::int32_t> numbers_in_part(const MeshPart& part, std::size_t elements) {
  std::vector<std::int32_t> numbers(elements, -1);
  for (std::size_t i = 0; i < part.elements.size(); ++i)
    numbers[index(part.elements[i])] = static_cast<std::int32_t>(i);
  return numbers;
}

MeshPart part_of(const Discretization& whole, const Problem& problem, std::span<const int> rank_of_element, int rank) {
  return PartMaker(whole, problem, rank_of_element, rank).make();
}

MeshPart piece_of(const Discretization& whole, std::span<const int> rank_of_element, int rank) {
  MeshPart piece{.rank = rank};
  for (std::size_t k = 0; k < whole.K(); ++k) {
    if (rank_of_element[k] != rank) continue;
    const std::size_t i = piece.elements.size();
    const ElementRange& of_whole = whole.ranges[whole.ranges.of(k)];
    const bool goes_on = !piece.ranges.empty() && piece.ranges.back().shape == of_whole.shape &&
                         piece.ranges.back().rate == of_whole.rate;
    if (!goes_on) {
      piece.ranges.push_back({.begin = i, .end = i, .shape = of_whole.shape, .rate = of_whole.rate});
    }
    piece.elements.push_back(static_cast<std::int32_t>(k));
    piece.ranges.back().end = i + 1;
  }
  piece.own = piece.elements.size();
  return piece;
}

}  // namespace maxwell_dg::dg
