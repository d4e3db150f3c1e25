#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <zlib.h>

#include "tests/unit/observe/temporary_directory.hpp"

/// Reads what VtuGrid writes, for tests: as the documentation of VTK's XML formats has it, not as our writer does it.
namespace maxwell_dg {

/// Whole groups of four characters, padding included; stops where the text does.
inline std::vector<unsigned char> from_base64(std::string_view text) {
  const std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<unsigned char> bytes;
  for (std::size_t at = 0; at + 4 <= text.size(); at += 4) {
    std::uint32_t group = 0;
    std::size_t padding = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const char c = text[at + i];
      padding += c == '=' ? 1 : 0;
      group = group << 6 | static_cast<std::uint32_t>(c == '=' ? 0 : alphabet.find(c));
    }
    for (std::size_t i = 0; i < 3 - padding; ++i) bytes.push_back(group >> (16 - 8 * i) & 255);
  }
  return bytes;
}

/// The numbers of the array of this name; throws where there is none.
inline std::vector<double> read_vtu_array(const std::filesystem::path& file, const std::string& name) {
  const std::string content = content_of(file);
  const std::size_t named = content.find(" Name=\"" + name + "\"");
  if (named == std::string::npos) throw std::runtime_error("no array " + name);
  const std::size_t element = content.rfind("<DataArray type=\"", named);
  const std::string type = content.substr(element + 17, content.find('"', element + 17) - element - 17);
  const std::size_t begin = content.find_first_not_of(" \n", content.find('>', named) + 1);
  const std::string_view text = std::string_view(content).substr(begin, content.find_first_of(" \n", begin) - begin);

  // The number of blocks, their size and the last one's if it is smaller; each block's size in the file; the blocks.
  std::array<std::uint64_t, 3> head{};
  const std::vector<unsigned char> beginning = from_base64(text.substr(0, 32));
  std::memcpy(head.data(), beginning.data(), sizeof head);
  const std::size_t head_size = 8 * (3 + head[0]), head_text = (head_size + 2) / 3 * 4;
  std::vector<std::uint64_t> sizes(head[0]);
  const std::vector<unsigned char> whole_head = from_base64(text.substr(0, head_text));
  std::memcpy(sizes.data(), whole_head.data() + sizeof head, 8 * sizes.size());
  const std::vector<unsigned char> blocks = from_base64(text.substr(head_text));

  std::vector<unsigned char> bytes;
  std::size_t at = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    uLongf size = i + 1 == sizes.size() && head[2] != 0 ? head[2] : head[1];
    std::vector<unsigned char> block(size);
    if (uncompress(block.data(), &size, blocks.data() + at, sizes[i]) != Z_OK || size != block.size()) {
      throw std::runtime_error("a block is damaged");
    }
    bytes.insert(bytes.end(), block.begin(), block.end());
    at += sizes[i];
  }
  if (at != blocks.size()) throw std::runtime_error("bytes behind the last block");

  std::vector<double> numbers;
  const auto convert = [&]<class T>(T number) {
    for (std::size_t i = 0; i < bytes.size(); i += sizeof number) {
      std::memcpy(&number, &bytes[i], sizeof number);
      numbers.push_back(static_cast<double>(number));
    }
  };
  if (type == "Float32") convert(float{});
  if (type == "Float64") convert(double{});
  if (type == "UInt8") convert(std::uint8_t{});
  if (type == "Int32") convert(std::int32_t{});
  if (type == "Int64") convert(std::int64_t{});
  return numbers;
}

}  // namespace maxwell_dg
