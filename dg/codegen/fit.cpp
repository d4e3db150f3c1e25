#include "dg/codegen/fit.hpp"

#include <stdexcept>

#include "dg/codegen/kernel_code.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

namespace {

constexpr int most_group_items = 1024;
constexpr std::size_t driver_bytes = 1024;  // of shared memory that CUDA reserves in each group

}  // namespace

void require(const Fit& fit, const Schedule& schedule) {
  if (!fit) throw std::invalid_argument("schedule " + schedule.name() + ": " + fit.why_not);
}

Fit group_fits(const GroupDemand& group, const core::DeviceInfo* device) {
  if (group.items > most_group_items) {
    return {"groups of more than " + number(most_group_items) + " items; take fewer elements"};
  }
  if (device == nullptr) return {};
  if (group.shared_bytes > device->shared_memory_bytes) {
    return {"a group needs " + number(group.shared_bytes) + " bytes of shared memory, " + device->name + " has " +
            number(device->shared_memory_bytes)};
  }
  if (device->is_cpu || group.resident_groups == 1) return {};
  const std::string groups = number(group.resident_groups) + " groups of " + number(group.items) + " items ";
  if (group.resident_groups * group.items > most_resident_items) {
    return {groups + "are more than a multiprocessor holds, " + number(most_resident_items) + " items"};
  }
  if (index(group.resident_groups) * (group.shared_bytes + driver_bytes) > device->shared_memory_bytes + driver_bytes) {
    return {groups + "need " + number(group.shared_bytes) + " bytes of shared memory each, a multiprocessor of " +
            device->name + " has " + number(device->shared_memory_bytes)};
  }
  return {};
}

Fit tables_fit(std::size_t bytes) {
  if (bytes <= most_table_bytes) return {};
  return {"matrices of " + number(bytes) + " bytes do not fit in constant memory, " + number(most_table_bytes) +
          " bytes"};
}

Fit tensor_cores_fit(Dtype precision, const core::DeviceInfo& device) {
  if (device.backend != core::Backend::cuda) return {"tensor cores need CUDA"};
  const int first = precision == Dtype::float32 ? 80 : 90;
  if (device.cuda_architecture() >= first) return {};
  return {"tensor cores multiply in " + std::string(name_of(precision)) + " from sm_" + std::to_string(first) +
          " on, and " + device.name + " is " + device.architecture};
}

Fit basis_fits(const Schedule& schedule, const std::optional<ElementBasis>& basis) {
  if (!schedule.in_basis_of_element()) return {};
  if (!basis) return {"this system's state cannot be kept in the basis of the element"};
  const bool is_interleaved = schedule.basis() == Schedule::Basis::element_interleaved;
  if (is_interleaved && (!basis->has_two_of_each_kind() || !schedule.traits().may_interleave)) {
    return {"interleaved are vectors of which there are two of a kind, with a work-item an element"};
  }
  return {};
}

}  // namespace maxwell_dg::dg
