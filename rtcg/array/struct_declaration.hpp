#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/dtype.hpp"

namespace maxwell_dg::rtcg {

/// Where a member lies in a struct of the host, and how kernel text declares it.
struct StructMember {
  std::string name;
  std::string type;                  ///< "float32", or the name of a struct declared before
  std::vector<std::size_t> extents;  ///< of an array, one an axis
  std::size_t offset{};
  std::size_t bytes{};
};

/// The text that declares a struct of `bytes` bytes in kernels: members in their order in memory, whatever lies between
/// them as bytes without meaning, and a line that does not compile where the device's compiler would make it longer;
/// so every member lies where the host has it. Throws ArrayError where members overlap.
[[nodiscard]] std::string struct_declaration(std::string_view name, std::vector<StructMember> members,
                                             std::size_t bytes);

/// A member of T: its name in kernels, then where it is. Of Element types or arrays of them; of a struct that is
/// declared itself, the third argument is what kernels call it.
template <class T>
class MemberOf {
 public:
  template <class M>
  MemberOf(std::string_view name, M T::*place) : MemberOf(name, place, storage_name<M>()) {}
  template <class M>
  MemberOf(std::string_view name, M T::*place, std::string_view type) {
    const T object{};
    const auto* begin = reinterpret_cast<const std::byte*>(&object);
    const auto* member = reinterpret_cast<const std::byte*>(&(object.*place));
    member_ = {.name = std::string(name),
               .type = std::string(type),
               .extents = extents<M>(),
               .offset = static_cast<std::size_t>(member - begin),
               .bytes = sizeof(M)};
  }
  [[nodiscard]] const StructMember& member() const { return member_; }

 private:
  template <class M>
  static std::string storage_name() {
    constexpr Dtype dtype = dtype_of<std::remove_all_extents_t<M>>;
    return dtype == Dtype::boolean ? "bool8" : std::string(name_of(dtype));
  }
  template <class M>
  static std::vector<std::size_t> extents() {
    std::vector<std::size_t> all;
    if constexpr (std::is_array_v<M>) {
      all = extents<std::remove_extent_t<M>>();
      all.insert(all.begin(), std::extent_v<M>);
    }
    return all;
  }
  StructMember member_;
};

/// A struct of the host for kernel text, so that buffers of it and StructArguments mean there what they mean here:
///
///     struct Particle { float position[3]; double mass; };
///     const std::string text = declare_struct<Particle>(
///         "Particle", {{"position", &Particle::position}, {"mass", &Particle::mass}});
///
/// `text` goes into a `.preamble` or before a kernel; there, dtypes beyond C's 32 and 64 bits need
/// `#include "array_types.h"` or "array_complex.h" before it. Members that are left out take their place all the same.
template <class T>
requires std::is_trivially_copyable_v<T>
[[nodiscard]] std::string declare_struct(std::string_view name, std::initializer_list<MemberOf<T>> members) {
  std::vector<StructMember> all;
  for (const MemberOf<T>& each : members) all.push_back(each.member());
  return struct_declaration(name, std::move(all), sizeof(T));
}

}  // namespace maxwell_dg::rtcg
