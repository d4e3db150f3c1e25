#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/mpi/communicator.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg {

/// What one of several ranks has of a problem on a mesh: a part of the discretization, and the problem on it. Its
/// functions translate between numbers of the part and those of the whole. Those that join what ranks have are
/// collective, and give the whole to all of them, or to the first alone: on the others it is empty then.
class Share {
 public:
  enum class Receiver { all, first };
  /// `rank_of_element`: [element of the whole]. All ranks make the same whole. Throws std::invalid_argument as part_of
  /// does. Collective.
  Share(std::shared_ptr<const Discretization> whole, Problem problem, core::Communicator ranks,
        std::span<const int> rank_of_element);

  [[nodiscard]] const Discretization& whole() const { return *whole_; }
  [[nodiscard]] const Problem& problem_of_whole() const { return problem_; }
  [[nodiscard]] const std::shared_ptr<const Discretization>& part() const { return part_; }
  /// The problem on the part. To be taken once.
  [[nodiscard]] Problem take_problem_of_part() { return std::move(problem_of_part_); }
  [[nodiscard]] const core::Communicator& ranks() const { return ranks_; }
  /// The number in the part of an own element of the whole; -1 where another rank owns it.
  [[nodiscard]] std::ptrdiff_t own_number(std::size_t element) const;
  /// The names of all powers (PowerTerms::names), those of other ranks' terms included.
  [[nodiscard]] std::vector<std::string> power_names() const;

  /// [element of the part, ghosts included][any] from [element of the whole][any] in pieces. Only pieces with elements
  /// of the part are asked for.
  [[nodiscard]] std::vector<double> of_part(const FillElements& whole, std::size_t values_of_element) const;
  /// [element of the whole][any] of values of own elements; those of ghosts, which may follow, are left out.
  [[nodiscard]] std::vector<double> of_whole(std::span<const double> part, std::size_t values_of_element,
                                             Receiver receiver = Receiver::all) const;

  /// The auxiliary variables of all terms in the order of Operator::set_auxiliary, of the part from those of the whole
  /// and back.
  [[nodiscard]] std::vector<double> auxiliary_of_part(std::span<const double> whole) const;
  [[nodiscard]] std::vector<double> auxiliary_of_whole(std::span<const double> part) const;

 private:
  std::shared_ptr<const Discretization> whole_;
  Problem problem_;
  core::Communicator ranks_;
  std::shared_ptr<const Discretization> part_;
  Problem problem_of_part_;
  std::vector<std::int32_t> numbers_;    ///< [element of the whole] in the part, -1: it is not there
  std::vector<std::int64_t> auxiliary_;  ///< [auxiliary variable of the part] its number in the whole
};

/// Rows of `width` numbers that ranks have, joined to `count` rows: row i of `values` becomes row number rows[i].
/// Collective.
[[nodiscard]] std::vector<double> joined_rows(const core::Communicator& ranks, std::span<const std::int64_t> rows,
                                              std::span<const double> values, std::size_t width, std::size_t count,
                                              Share::Receiver receiver);

}  // namespace maxwell_dg::dg
