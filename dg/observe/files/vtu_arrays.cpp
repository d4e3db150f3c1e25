#include "dg/observe/files/vtu_arrays.hpp"

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <stdexcept>
#include <utility>
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

using Block = std::vector<unsigned char>;

/// A block in zlib's format; level 0 does not compress.
Block compressed(std::span<const std::byte> block, int level) {
  uLongf size = compressBound(block.size());
  Block result(size);
  if (compress2(result.data(), &size, reinterpret_cast<const unsigned char*>(block.data()), block.size(), level) !=
      Z_OK) {
    throw std::logic_error("zlib's bound of what a block may become is too low");
  }
  result.resize(size);
  return result;
}

std::vector<Block> blocks_of(std::span<const std::byte> bytes, bool all_compressed) {
  std::vector<Block> blocks(ceil_divide(bytes.size(), block_bytes));
  for_each_in_parallel(blocks.size(), [&](std::size_t i) {
    const std::size_t first = i * block_bytes;
    const auto block = bytes.subspan(first, std::min(block_bytes, bytes.size() - first));
    blocks[i] = compressed(block, all_compressed || is_zero(block) ? 1 : 0);
  });
  return blocks;
}

/// Makes blocks of bytes that come in pieces, some blocks at a time.
class BlocksOfPieces {
 public:
  using TakeBlocks = std::function<void(std::vector<Block>)>;
  BlocksOfPieces(bool all_compressed, TakeBlocks take) : all_compressed_(all_compressed), take_(std::move(take)) {
    waiting_.reserve(batch_bytes);
  }

  void add(std::span<const std::byte> piece) {
    bytes_ += piece.size();
    while (!piece.empty()) {
      const std::size_t count = std::min(piece.size(), batch_bytes - waiting_.size());
      waiting_.insert(waiting_.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(count));
      piece = piece.subspan(count);
      if (waiting_.size() == batch_bytes) finish();
    }
  }
  /// Takes what is left.
  void finish() {
    take_(blocks_of(waiting_, all_compressed_));
    waiting_.clear();
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }  ///< so far

 private:
  static constexpr std::size_t batch_bytes = 16 * block_bytes;

  bool all_compressed_;
  TakeBlocks take_;
  std::vector<std::byte> waiting_;
  std::size_t bytes_ = 0;
};

/// The count of blocks, the bytes of a block, the bytes of the last block if it is smaller (otherwise 0), and the bytes
/// of each compressed block.
void write_header(std::ostream& stream, std::size_t bytes, const std::vector<std::uint64_t>& sizes) {
  std::vector<std::uint64_t> header{sizes.size(), block_bytes, bytes % block_bytes};
  header.insert(header.end(), sizes.begin(), sizes.end());
  Base64 base64(stream);
  base64.write(std::as_bytes(std::span(header)));
  base64.finish();
}

void write_blocks(Base64& base64, const std::vector<Block>& blocks) {
  for (const Block& block : blocks) base64.write(std::as_bytes(std::span(block)));
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
void VtuArrays::begin(const std::string& name, std::size_t components) {
  stream_ << "        ";
  declare<T>(stream_, "DataArray", name, components);
  stream_ << "format=\"binary\">\n          ";
}

void VtuArrays::end() {
  stream_ << "\n        </DataArray>\n";
}

template <class T>
void VtuArrays::add(const std::string& name, std::size_t components, std::span<const T> values) {
  begin<T>(name, components);
  const std::vector<Block> blocks = blocks_of(std::as_bytes(values), compressed_);
  std::vector<std::uint64_t> sizes;
  for (const Block& block : blocks) sizes.push_back(block.size());
  write_header(stream_, values.size_bytes(), sizes);
  Base64 base64(stream_);
  write_blocks(base64, blocks);
  base64.finish();
  end();
}

template <class T>
void VtuArrays::add_pieces(const std::string& name, std::size_t components,
                           const std::function<void(const Take<T>&)>& pieces) {
  const auto in_blocks = [&](const BlocksOfPieces::TakeBlocks& take) {
    BlocksOfPieces blocks(compressed_, take);
    pieces([&](std::span<const T> piece) { blocks.add(std::as_bytes(piece)); });
    blocks.finish();
    return blocks.bytes();
  };
  begin<T>(name, components);
  std::vector<std::uint64_t> sizes;
  std::vector<Block> held;
  std::size_t compressed_bytes = 0;
  const std::size_t bytes = in_blocks([&](std::vector<Block> blocks) {
    for (Block& block : blocks) {
      sizes.push_back(block.size());
      compressed_bytes += block.size();
      if (compressed_bytes <= held_bytes_) held.push_back(std::move(block));
    }
    if (compressed_bytes > held_bytes_) held = {};
  });
  write_header(stream_, bytes, sizes);
  Base64 base64(stream_);
  if (compressed_bytes <= held_bytes_) {
    write_blocks(base64, held);
  } else {
    in_blocks([&](const std::vector<Block>& blocks) { write_blocks(base64, blocks); });
  }
  base64.finish();
  end();
}

template void VtuArrays::add(const std::string&, std::size_t, std::span<const float>);
template void VtuArrays::add(const std::string&, std::size_t, std::span<const double>);
template void VtuArrays::add(const std::string&, std::size_t, std::span<const std::uint8_t>);
template void VtuArrays::add(const std::string&, std::size_t, std::span<const std::int32_t>);
template void VtuArrays::add(const std::string&, std::size_t, std::span<const std::int64_t>);
template void VtuArrays::add_pieces(const std::string&, std::size_t, const std::function<void(const Take<float>&)>&);
template void VtuArrays::add_pieces(const std::string&, std::size_t, const std::function<void(const Take<double>&)>&);
template void VtuArrays::add_pieces(const std::string&, std::size_t,
                                    const std::function<void(const Take<std::int32_t>&)>&);
template void VtuArrays::add_pieces(const std::string&, std::size_t,
                                    const std::function<void(const Take<std::int64_t>&)>&);

}  // namespace maxwell_dg::dg
