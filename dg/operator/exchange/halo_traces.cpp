#include "dg/operator/exchange/halo_traces.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "core/log.hpp"
#include "core/round_up.hpp"
#include "dg/codegen/kernel_generator.hpp"

namespace maxwell_dg::dg {

HaloTraces::HaloTraces(const StageSetting& setting, const core::Module& module) : setting_(setting) {
  std::vector<std::vector<std::int32_t>> sent, received;
  for (const Halo::Link& link : setting.discretization.halo.links) {
    ranks_.push_back(link.rank);
    sent.push_back(face_numbers(link.sent));
    received.push_back(face_numbers(link.received));
  }
  sent_ = make_side(sent);
  received_ = make_side(received);
  face_nodes_ = setting.upload(setting.discretization.reference.face_nodes());
  gather_ = module.kernel("gather_traces");
  scatter_ = module.kernel("scatter_traces");
}

std::size_t HaloTraces::bytes_of_face() const {
  return index(setting_.layout.fields() * setting_.discretization.Nfp()) * size_of(setting_.precision);
}

HaloTraces::Side HaloTraces::make_side(const std::vector<std::vector<std::int32_t>>& faces_of_links) const {
  Side side;
  std::vector<std::int32_t> faces;
  for (const std::vector<std::int32_t>& of_link : faces_of_links) {
    side.offsets.push_back(faces.size() * bytes_of_face());
    faces.insert(faces.end(), of_link.begin(), of_link.end());
  }
  side.count = faces.size();
  side.bytes = faces.size() * bytes_of_face();
  side.offsets.push_back(side.bytes);
  if (side.bytes / size_of(setting_.precision) > std::numeric_limits<std::int32_t>::max()) {
    throw std::invalid_argument("HaloTraces numbers the values of an exchange in 32 bits, which " +
                                std::to_string(side.count) + " faces exceed; take more ranks");
  }
  side.faces = setting_.upload(faces);
  return side;
}

std::size_t HaloTraces::groups(const Side& side) const {
  const std::size_t values = side.bytes / size_of(setting_.precision);
  return std::max<std::size_t>(ceil_divide(values, KernelGenerator::point_items), 1);
}

void HaloTraces::end_exchange(const std::function<void()>& work) const noexcept {
  try {
    setting_.stream.synchronize();
    work();
  } catch (const Error& error) {
    log_warning(std::string("traces on their way to other ranks were lost: ") + error.what());
  }
}

void HaloTraces::launch(const core::Kernel& kernel, const core::Buffer& state, const core::Buffer& traces,
                        const Side& side) const {
  if (side.count == 0) return;
  kernel.launch(setting_.stream, {.groups = {groups(side), 1, 1}, .group_size = {KernelGenerator::point_items, 1, 1}},
                {state, traces, side.faces, face_nodes_, static_cast<std::int32_t>(side.count)});
}

}  // namespace maxwell_dg::dg
