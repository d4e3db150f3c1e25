#include "dg/operator/state_copy.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "core/error.hpp"
#include "core/log.hpp"

namespace maxwell_dg::dg {

StateCopy::StateCopy(const DeviceProblem& problem, const Share* share)
    : problem_(problem),
      share_(share),
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
  if (share_ != nullptr) {
    arrived_.synchronize();
    std::vector<double> of_part(problem_.dofs());
    problem_.unpack(host_.bytes(), of_part);
    whole_ = share_->of_whole(of_part, problem_.values_of_element());
  }
  const StateLayout& layout = problem_.layout();
  const Dtype precision = problem_.setting().precision;
  const std::size_t elements = share_ == nullptr ? layout.K : share_->whole().K();
  archive.put("q", {.dtype = precision,
                    .shape = {elements, static_cast<std::size_t>(layout.fields()), static_cast<std::size_t>(layout.Np)},
                    .rows = [this, precision](std::size_t first, std::span<std::byte> to) {
                      if (share_ == nullptr) {
                        arrived_.synchronize();
                        problem_.unpack_elements(host_.bytes(), first, to);
                        return;
                      }
                      HostReals rows(precision, to.size() / size_of(precision));
                      const std::size_t begin = first * problem_.values_of_element();
                      for (std::size_t i = 0; i < to.size() / size_of(precision); ++i) rows.set(i, whole_[begin + i]);
                      std::ranges::copy(rows.bytes(), to.begin());
                    }});
  if (problem_.setting().schedule.in_basis_of_element()) archive.put_text("q.basis", "element");
}

}  // namespace maxwell_dg::dg
