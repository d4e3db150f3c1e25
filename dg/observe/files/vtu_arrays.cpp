#include "dg/observe/files/vtu_arrays.hpp"

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <stdexcept>
#include <vector>

#include <zlib.h>

#include "core/in_parallel.hpp"
#include "core/round_up.hpp"
#include "core/utf8.hpp"
#include "dg/observe/files/base64.hpp"

namespace maxwell_dg::dg {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20;  // of a block before compression

template <class T>
constexpr const char* type_name = nullptr;
template <>
constexpr const char* type_name<float> = "Float32";
template <>
constexpr const char* type_name<double> = "Float64";
template <>
constexpr const char* type_name<std::uint8_t> = "UInt8";
template <>
constexpr const char* type_name<std::int32_t> = "Int32";
template <>
constexpr const char* type_name<std::int64_t> = "Int64";

bool is_zero(std::span<const std::byte> block) {
  return std::ranges::all_of(block, [](std::byte byte) { return byte == std::byte{0}; });
}

/// A block in zlib's format; level 0 does not compress.
std::vector<unsigned char> compressed(std::span<const std::byte> block, int level) {
  uLongf size = compressBound(block.size());
  std::vector<unsigned char> result(size);
  if (compress2(result.data(), &size, reinterpret_cast<const unsigned char*>(block.data()), block.size(), level) !=
      Z_OK) {
    throw std::logic_error("zlib's bound of what a block may become is too low");
  }
  result.resize(size);
  return result;
}

/// The count of blocks, the bytes of a block, the bytes of the last block if it is smaller (otherwise 0), and the bytes
/// of each compressed block; then the blocks.
void write_blocks(std::ostream& stream, std::span<const std::byte> bytes, bool all_compressed) {
  std::vector<std::vector<unsigned char>> blocks(ceil_divide(bytes.size(), block_bytes));
  for_each_in_parallel(blocks.size(), [&](std::size_t i) {
    const std::size_t first = i * block_bytes;
    const auto block = bytes.subspan(first, std::min(block_bytes, bytes.size() - first));
    blocks[i] = compressed(block, all_compressed || is_zero(block) ? 1 : 0);
  });
  std::vector<std::uint64_t> header{blocks.size(), block_bytes, bytes.size() % block_bytes};
  for (const std::vector<unsigned char>& block : blocks) header.push_back(block.size());
  Base64 base64(stream);
  base64.write(std::as_bytes(std::span(header)));
  base64.finish();
  for (const std::vector<unsigned char>& block : blocks) base64.write(std::as_bytes(std::span(block)));
  base64.finish();
}

/// A text as the value of an XML attribute: the names of a system's fields may have any characters.
std::string xml_attribute(const std::string& text) {
  std::string result;
  for (const char c : as_utf8(text)) {
    switch (c) {
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '&': result += "&amp;"; break;
      case '"': result += "&quot;"; break;
      default:
        result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;  // most control characters cannot be written in XML
    }
  }
  return result;
}

}  // namespace

template <class T>
void VtuArrays::declare(std::ostream& stream, const char* element, const std::string& name, std::size_t components) {
  stream << '<' << element << " type=\"" << type_name<T> << "\" Name=\"" << xml_attribute(name)
         << "\" NumberOfComponents=\"" << components << "\" ";
}

template void VtuArrays::declare<float>(std::ostream&, const char*, const std::string&, std::size_t);
template void VtuArrays::declare<double>(std::ostream&, const char*, const std::string&, std::size_t);
template void VtuArrays::declare<std::int32_t>(std::ostream&, const char*, const std::string&, std::size_t);

template <class T>
void VtuArrays::add(const std::string& name, std::size_t components, std::span<const T> values) {
  stream_ << "        ";
  declare<T>(stream_, "DataArray", name, components);
  stream_ << "format=\"binary\">\n          ";
  write_blocks(stream_, std::as_bytes(values), compressed_);
  stream_ << "\n        </DataArray>\n";
}

template void VtuArrays::add(const std::string&, std::size_t, std::span<const float>);
template void VtuArrays::add(const std::string&, std::size_t, std::span<const double>);
template void VtuArrays::add(const std::string&, std::size_t, std::span<const std::uint8_t>);
template void VtuArrays::add(const std::string&, std::size_t, std::span<const std::int32_t>);
template void VtuArrays::add(const std::string&, std::size_t, std::span<const std::int64_t>);

}  // namespace maxwell_dg::dg
