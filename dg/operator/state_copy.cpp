#include "dg/operator/state_copy.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/log.hpp"

namespace maxwell_dg::dg {

StateCopy::StateCopy(const DeviceProblem& problem, std::size_t elements)
    : problem_(problem),
      elements_(elements),
      host_(problem.setting().device().allocate_host(problem.layout().size() * size_of(problem.setting().precision))) {}

/// The copy must arrive before its place on the host goes.
StateCopy::~StateCopy() {
  try {
    if (begun_) arrived_.synchronize();
  } catch (const Error& error) {
    log_warning(std::string("a copy of the state was lost: ") + error.what());
  }
}

void StateCopy::begin() {
  begin(problem_.stages().cartesian_state());
}

void StateCopy::begin(const core::Buffer& state) {
  problem_.stream().read(state, 0, host_.bytes());
  arrived_ = problem_.stream().record(core::EventKind::order);
  begun_ = true;
}

void StateCopy::get(std::span<double> q) const {
  if (!begun_) throw std::logic_error("StateCopy::get: no copy was begun");
  if (q.size() != problem_.discretization().own() * problem_.values_of_element()) {
    throw std::invalid_argument("StateCopy::get: an array for the values of own elements is needed");
  }
  arrived_.synchronize();
  problem_.unpack(host_.bytes(), q);
}

void StateCopy::save(Archive& archive) {
  begin(problem_.stages().stored_state());
  const StateLayout& layout = problem_.layout();
  Archive::Array q{.dtype = problem_.setting().precision,
                   .shape = {elements_, static_cast<std::size_t>(layout.fields()), static_cast<std::size_t>(layout.Np)},
                   .rows = [this](std::size_t first, std::span<std::byte> to) {
                     arrived_.synchronize();
                     problem_.unpack_elements(host_.bytes(), first, to);
                   }};
  const Discretization& part = problem_.discretization();
  if (!part.whole_numbers.empty()) {
    q.part = {.rows = part.own(), .number = [&part](std::size_t k) { return index(part.whole_numbers[k]); }};
  }
  archive.put("q", std::move(q));
  if (problem_.setting().schedule.in_basis_of_element()) archive.put_text("q.basis", "element");
}

}  // namespace maxwell_dg::dg
