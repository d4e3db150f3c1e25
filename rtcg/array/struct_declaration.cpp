#include "rtcg/array/struct_declaration.hpp"

#include <algorithm>

#include "rtcg/array/error.hpp"

namespace maxwell_dg::rtcg {

std::string struct_declaration(std::string_view name, std::vector<StructMember> members, std::size_t bytes) {
  std::ranges::sort(members, {}, &StructMember::offset);
  std::string text = "typedef struct {\n";
  std::size_t end = 0;
  const auto pad_to = [&](std::size_t offset) {
    if (offset == end) return;
    text += "  unsigned char unused_" + std::to_string(end) + "[" + std::to_string(offset - end) + "];\n";
    end = offset;
  };
  for (const StructMember& member : members) {
    if (member.offset < end || member.bytes > bytes - member.offset) {
      throw ArrayError("struct '" + std::string(name) + "': member '" + member.name +
                       "' overlaps with another, or lies outside");
    }
    pad_to(member.offset);
    text += "  " + member.type + " " + member.name;
    for (const std::size_t extent : member.extents) text += "[" + std::to_string(extent) + "]";
    text += ";\n";
    end += member.bytes;
  }
  pad_to(bytes);
  const std::string type(name);
  // Members and what is between them have as many bytes as the host's struct: nothing is left for the compiler to
  // insert where the size is the same.
  return text + "} " + type + ";\ntypedef char " + type + "_is_that_of_the_host[sizeof(" + type +
         ") == " + std::to_string(bytes) + " ? 1 : -1];\n";
}

}  // namespace maxwell_dg::rtcg
