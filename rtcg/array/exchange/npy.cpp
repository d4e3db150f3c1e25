#include "rtcg/array/exchange/npy.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <fstream>
#include <istream>
#include <ostream>

#include "core/atomic_file.hpp"
#include "rtcg/array/error.hpp"

namespace maxwell_dg::rtcg {

namespace {

constexpr std::string_view npy_magic = "\x93NUMPY";
constexpr char own_order = std::endian::native == std::endian::little ? '<' : '>';

/// What a file says of its array: the literal of a Python dictionary.
struct Header {
  Dtype dtype{};
  bool is_turned = false;  ///< the other byte order
  bool is_by_columns = false;
  Shape shape;
};

/// "<f4", "|b1": byte order, kind, bytes.
std::string descriptor(Dtype dtype) {
  constexpr std::string_view kinds = "biufc";  // in the order of DtypeKind
  const char kind = kinds[static_cast<std::size_t>(kind_of(dtype))];
  return (size_of(dtype) == 1 ? '|' : own_order) + std::string(1, kind) + std::to_string(size_of(dtype));
}

class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  [[nodiscard]] Header parse() {
    Header header;
    bool has_dtype = false, has_order = false, has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr") {
        read_descriptor(header);
        has_dtype = true;
      } else if (key == "fortran_order") {
        header.is_by_columns = truth();
        has_order = true;
      } else if (key == "shape") {
        header.shape = shape();
        has_shape = true;
      } else {
        fail("unknown key '" + key + "'");
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    if (!has_dtype || !has_order || !has_shape) fail("descr, fortran_order or shape is missing");
    return header;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw ArrayError(name_ + ": the .npy header is wrong at character " + std::to_string(at_) + ": " + why);
  }
  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool accept(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(std::string("expected '") + c + "'");
  }
  std::string quoted() {
    skip_blanks();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') fail("expected a text in quotes, as of a plain dtype");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail("a quote does not end");
    std::string word(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return word;
  }
  bool truth() {
    skip_blanks();
    for (const std::string_view word : {"True", "False"}) {
      if (text_.substr(at_, word.size()) != word) continue;
      at_ += word.size();
      return word == "True";
    }
    fail("expected True or False");
  }
  Shape shape() {
    Shape extents;
    expect('(');
    while (!accept(')')) {
      skip_blanks();
      std::int64_t extent = 0;
      const char* const begin = text_.data() + at_;
      const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), extent);
      if (error != std::errc() || extent < 0) fail("expected an extent");
      at_ += static_cast<std::size_t>(end - begin);
      extents.push_back(extent);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return extents;
  }
  void read_descriptor(Header& header) {
    const std::string text = quoted();
    for (const Dtype dtype : all_dtypes) {
      const std::string ours = descriptor(dtype);
      if (text.size() < 2 || text.substr(1) != ours.substr(1)) continue;
      header.dtype = dtype;
      header.is_turned = (text[0] == '<' || text[0] == '>') && text[0] != own_order;
      return;
    }
    fail("arrays have no dtype '" + text + "'");
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
};

// Exactly so many bytes, or an error that says how many there were.
void read_bytes(std::istream& in, std::span<char> bytes, const std::string& name, const char* what) {
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (static_cast<std::size_t>(in.gcount()) == bytes.size()) return;
  throw ArrayError(name + ": the file is truncated: " + std::to_string(in.gcount()) + " of " +
                   std::to_string(bytes.size()) + " bytes of its " + what + " are there");
}

Header read_header(std::istream& in, const std::string& name) {
  std::array<char, 8> start{};
  read_bytes(in, start, name, "magic number");
  if (std::string_view(start.data(), npy_magic.size()) != npy_magic) {
    throw ArrayError(name + ": this is no .npy file: it does not begin with \\x93NUMPY");
  }
  const int version = static_cast<unsigned char>(start[6]);
  if (version < 1 || version > 3) {
    throw ArrayError(name + ": .npy version " + std::to_string(version) + "; known are 1, 2 and 3");
  }
  std::array<unsigned char, 4> length{};
  read_bytes(in, {reinterpret_cast<char*>(length.data()), version == 1 ? 2u : 4u}, name, "header");
  const std::size_t size = length[0] | length[1] << 8 | length[2] << 16 | static_cast<std::size_t>(length[3]) << 24;
  constexpr std::size_t longest = std::size_t{1} << 24;  // a wrong length must not ask for all of memory
  if (size > longest) throw ArrayError(name + ": a .npy header of " + std::to_string(size) + " bytes");
  std::string text(size, '\0');
  read_bytes(in, text, name, "header");
  return HeaderParser(text, name).parse();
}

void turn_bytes(std::span<char> bytes, Dtype dtype) {
  const std::size_t size = size_of(real_part_of(dtype));
  for (std::size_t at = 0; at < bytes.size(); at += size) std::ranges::reverse(bytes.subspan(at, size));
}

}  // namespace

DeviceArray read_npy(const Context& context, std::istream& in, const std::string& name) {
  const Header header = read_header(in, name);
  Shape stored = header.shape;
  if (header.is_by_columns) std::ranges::reverse(stored);
  std::size_t size = 0;
  try {
    size = byte_count(stored, header.dtype);
  } catch (const ShapeError& error) {
    throw ShapeError(name + ": " + error.what());
  }
  // In pieces, so that a file that promises more than it holds fails before all of that memory is asked for.
  constexpr std::size_t piece = std::size_t{1} << 26;
  std::vector<char> bytes;
  while (bytes.size() < size) {
    const std::size_t done = bytes.size(), next = std::min(piece, size - done);
    bytes.resize(done + next);
    in.read(bytes.data() + done, static_cast<std::streamsize>(next));
    if (static_cast<std::size_t>(in.gcount()) == next) continue;
    throw ArrayError(name + ": the file is truncated: " + std::to_string(done + static_cast<std::size_t>(in.gcount())) +
                     " of " + std::to_string(size) + " bytes of its array of shape " + to_string(header.shape) +
                     " are there");
  }
  if (header.is_turned) turn_bytes(bytes, header.dtype);
  const DeviceArray array = empty(context, stored, header.dtype);
  context.stream().write(array.buffer(), 0, std::as_bytes(std::span(bytes)));
  context.stream().synchronize();
  return header.is_by_columns ? array.transpose() : array;
}

DeviceArray load_npy(const Context& context, const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw ArrayError(path.string() + ": the file cannot be opened");
  return read_npy(context, in, path.string());
}

void write_npy(std::ostream& out, const DeviceArray& array) {
  std::string shape = to_string(array.shape());
  std::string header =
      "{'descr': '" + descriptor(array.dtype()) + "', 'fortran_order': False, 'shape': " + shape + ", }";
  // Numbers begin at a multiple of 64 bytes; version 1 has two bytes for the header's length, version 2 four.
  const auto padded = [&](std::size_t fields) {
    const std::size_t used = npy_magic.size() + 2 + fields + header.size() + 1;
    return header.size() + 1 + (64 - used % 64) % 64;
  };
  const bool is_short = padded(2) < 65536;
  const std::size_t size = padded(is_short ? 2 : 4);
  header.resize(size - 1, ' ');
  header += '\n';
  out << npy_magic << static_cast<char>(is_short ? 1 : 2) << '\0';
  for (std::size_t k = 0; k < (is_short ? 2u : 4u); ++k) out << static_cast<char>(size >> (8 * k) & 0xff);
  out << header;
  const DeviceArray packed = array.contiguous();
  std::vector<std::byte> bytes(packed.size_bytes());
  const core::Stream& stream = packed.context().stream();
  stream.read(packed.buffer(), packed.offset() * size_of(packed.dtype()), bytes);
  stream.synchronize();
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

void save_npy(const std::filesystem::path& path, const DeviceArray& array) {
  AtomicFile file(path);
  write_npy(file.stream(), array);
  file.commit();
}

}  // namespace maxwell_dg::rtcg
