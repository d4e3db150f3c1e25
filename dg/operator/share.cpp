#include "dg/operator/share.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "dg/lowering/lowered_term.hpp"
#include "dg/lowering/power_terms.hpp"
#include "dg/operator/device_arrays.hpp"
#include "dg/partition/mesh_part.hpp"
#include "dg/partition/restricted.hpp"

namespace maxwell_dg::dg {

namespace {

std::size_t places_of(const Discretization& d, std::int32_t element) {
  return auxiliary_places(d, index(element));
}
std::size_t places_of(const Discretization& d, const FaceTerm::Face& face) {
  return auxiliary_places(d, face);
}

/// [auxiliary variable of the part] its number in the whole.
std::vector<std::int64_t> auxiliary_numbers(const Discretization& whole, const Problem& of_whole,
                                            const Discretization& part, const Problem& of_part) {
  std::vector<std::int64_t> numbers;
  std::int64_t first = 0;  // of the element or face, in the whole
  // `all` and `own`: the elements or faces of a term, in the whole and in the part.
  const auto add = [&](std::size_t variables, const auto& all, const auto& own, const auto& in_whole) {
    if (variables == 0) return;
    std::vector<std::int64_t> begins;  // [index into `all`]
    for (const auto& place : all) {
      begins.push_back(first);
      first += static_cast<std::int64_t>(variables * places_of(whole, place));
    }
    for (const auto& place : own) {
      const auto at = std::ranges::lower_bound(all, in_whole(place)) - all.begin();
      const std::size_t count = variables * places_of(part, place);
      for (std::size_t i = 0; i < count; ++i) {
        numbers.push_back(begins[static_cast<std::size_t>(at)] + static_cast<std::int64_t>(i));
      }
    }
  };
  for (std::size_t t = 0; t < of_whole.element_terms.size(); ++t) {
    const ElementTerm& term = of_whole.element_terms[t];
    add(term.auxiliary.size(), term.elements, of_part.element_terms[t].elements,
        [&](std::int32_t k) { return part.whole_numbers[index(k)]; });
  }
  for (std::size_t t = 0; t < of_whole.face_terms.size(); ++t) {
    const FaceTerm& term = of_whole.face_terms[t];
    add(term.auxiliary.size(), term.faces, of_part.face_terms[t].faces, [&](const FaceTerm::Face& face) {
      return FaceTerm::Face{part.whole_numbers[index(face.element)], face.face};
    });
  }
  return numbers;
}

}  // namespace

Share::Share(std::shared_ptr<const Discretization> whole, Problem problem, core::Communicator ranks,
             std::span<const int> rank_of_element)
    : whole_(std::move(whole)), problem_(std::move(problem)), ranks_(std::move(ranks)) {
  const MeshPart part = part_of(*whole_, problem_, rank_of_element, ranks_.rank());
  part_ = std::make_shared<const Discretization>(restricted(*whole_, part));
  problem_of_part_ = restricted(problem_, *whole_, part);
  numbers_ = numbers_in_part(part, whole_->K());
  auxiliary_ = auxiliary_numbers(*whole_, problem_, *part_, problem_of_part_);
}

std::ptrdiff_t Share::own_number(std::size_t element) const {
  const std::int32_t number = numbers_.at(element);
  return number >= 0 && index(number) < part_->own() ? number : -1;
}

std::vector<std::string> Share::power_names() const {
  return power_terms(*whole_, problem_).names();
}

std::vector<double> Share::of_part(const FillElements& whole, std::size_t values_of_element) const {
  const std::size_t a_piece = std::max<std::size_t>(1, piece_values / values_of_element);
  std::vector<double> q(part_->K() * values_of_element), piece;
  for (std::size_t first = 0; first < whole_->K(); first += a_piece) {
    const std::size_t end = std::min(first + a_piece, whole_->K());
    const auto numbers = std::span(numbers_).subspan(first, end - first);
    if (std::ranges::all_of(numbers, [](std::int32_t number) { return number < 0; })) continue;
    piece.resize(numbers.size() * values_of_element);
    whole(first, piece);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (numbers[i] < 0) continue;
      std::copy_n(&piece[i * values_of_element], values_of_element, &q[index(numbers[i]) * values_of_element]);
    }
  }
  return q;
}

std::vector<double> Share::of_whole(std::span<const double> part, std::size_t values_of_element,
                                    Receiver receiver) const {
  std::vector<std::int64_t> rows(part_->whole_numbers.begin(),
                                 part_->whole_numbers.begin() + static_cast<std::ptrdiff_t>(part_->own()));
  return joined_rows(ranks_, rows, part.first(part_->own() * values_of_element), values_of_element, whole_->K(),
                     receiver);
}

std::vector<double> Share::auxiliary_of_part(std::span<const double> whole) const {
  std::vector<double> part;
  part.reserve(auxiliary_.size());
  for (const std::int64_t number : auxiliary_) part.push_back(whole[static_cast<std::size_t>(number)]);
  return part;
}

std::vector<double> Share::auxiliary_of_whole(std::span<const double> part) const {
  return joined_rows(ranks_, auxiliary_, part, 1, auxiliary_count(problem_, *whole_), Receiver::all);
}

std::vector<double> joined_rows(const core::Communicator& ranks, std::span<const std::int64_t> rows,
                                std::span<const double> values, std::size_t width, std::size_t count,
                                Share::Receiver receiver) {
  const bool receives = receiver == Share::Receiver::all || ranks.is_first();
  std::vector<double> whole(receives ? count * width : 0);
  const auto gathered = [&](std::span<const std::byte> bytes) {
    return receiver == Share::Receiver::all ? ranks.gather_to_all(bytes) : ranks.gather(bytes);
  };
  // What all ranks send at once is counted in an int.
  const std::size_t at_once = std::max<std::size_t>(width, 1) * static_cast<std::size_t>(ranks.size());
  const std::size_t a_message = std::max<std::size_t>(1, piece_values / at_once);
  double left = static_cast<double>(rows.size());
  for (std::size_t first = 0; ranks.max({&left, 1}), left > 0; first += a_message) {
    const std::size_t begin = std::min(first, rows.size()), mine = std::min(a_message, rows.size() - begin);
    const auto numbers = gathered(std::as_bytes(rows.subspan(begin, mine)));
    const auto numbers_of_rows = gathered(std::as_bytes(values.subspan(begin * width, mine * width)));
    for (std::size_t rank = 0; rank < numbers.size(); ++rank) {
      const auto theirs = core::values_of<std::int64_t>(numbers[rank]);
      const auto of_rows = core::values_of<double>(numbers_of_rows[rank]);
      const auto fits = [&](std::int64_t row) { return row >= 0 && static_cast<std::size_t>(row) < count; };
      if (of_rows.size() != theirs.size() * width || !std::ranges::all_of(theirs, fits)) {
        throw std::logic_error("joined_rows: rank " + std::to_string(rank) + " joins other rows");
      }
      for (std::size_t i = 0; i < theirs.size(); ++i) {
        std::copy_n(of_rows.begin() + static_cast<std::ptrdiff_t>(i * width), width,
                    whole.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(theirs[i]) * width));
      }
    }
    left = static_cast<double>(rows.size() - begin - mine);
  }
  return whole;
}

}  // namespace maxwell_dg::dg
