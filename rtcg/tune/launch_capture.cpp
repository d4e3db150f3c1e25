#include "rtcg/tune/launch_capture.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/atomic_file.hpp"
#include "core/digest.hpp"
#include "core/error.hpp"
#include "rtcg/tune/json_value.hpp"

namespace maxwell_dg::rtcg {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view launch_magic = "maxwell_dg launch 2 ";
constexpr std::size_t digest_length = 64;

// The alternatives of KernelArgument in their order.
constexpr std::array<std::string_view, std::variant_size_v<core::KernelArgument>> type_names{
    "buffer", "bool",   "int8",    "uint8",   "int16",     "uint16",     "int32", "uint32",
    "int64",  "uint64", "float32", "float64", "complex64", "complex128", "struct"};

// LaunchKind in its order.
constexpr std::array<std::string_view, 3> kind_names{"ordinary", "cooperative", "overlapping"};

core::LaunchKind kind_of(std::string_view name) {
  const auto found = std::ranges::find(kind_names, name);
  if (found == kind_names.end()) throw std::invalid_argument("unknown kind of launch");
  return static_cast<core::LaunchKind>(found - kind_names.begin());
}

std::vector<std::byte> bytes_of(const core::KernelArgument& argument) {
  return std::visit(
      []<class T>(const T& value) -> std::vector<std::byte> {
        std::span<const std::byte> bytes;
        if constexpr (std::is_same_v<T, core::StructArgument>) {
          bytes = value.bytes();
        } else if constexpr (!std::is_same_v<T, core::Buffer>) {
          bytes = std::as_bytes(std::span(&value, 1));
        }
        return {bytes.begin(), bytes.end()};
      },
      argument);
}

// The alternative number `which`, from its bytes.
template <std::size_t which = 1>
core::KernelArgument scalar_of(const LaunchCapture::ScalarArgument& scalar) {
  if constexpr (which == type_names.size()) {
    throw std::invalid_argument("unknown type '" + scalar.type + "'");
  } else {
    if (scalar.type != type_names[which]) return scalar_of<which + 1>(scalar);
    using T = std::variant_alternative_t<which, core::KernelArgument>;
    if constexpr (std::is_same_v<T, core::StructArgument>) {
      return core::StructArgument(std::span(scalar.bytes));
    } else {
      T value{};
      if (scalar.bytes.size() != sizeof value) throw std::invalid_argument("an argument of the wrong size");
      std::memcpy(&value, scalar.bytes.data(), sizeof value);
      return value;
    }
  }
}

std::string hexadecimal(std::span<const std::byte> bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : bytes) {
    text += digits[std::to_integer<unsigned>(byte) >> 4];
    text += digits[std::to_integer<unsigned>(byte) & 15];
  }
  return text;
}

std::vector<std::byte> from_hexadecimal(const std::string& text) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoi(text.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

Value::List list_of(const std::array<std::size_t, 3>& numbers) {
  return {numbers.begin(), numbers.end()};
}

std::array<std::size_t, 3> three_of(const Value& list) {
  std::array<std::size_t, 3> numbers{};
  for (std::size_t i = 0; i < 3; ++i) numbers.at(i) = static_cast<std::size_t>(list.list().at(i).integer());
  return numbers;
}

Record source_record(const KernelSource& source) {
  Value::List headers;
  for (const auto& [name, text] : source.headers) headers.emplace_back(Value::List{name, text});
  Value::List directories;
  for (const fs::path& directory : source.include_directories) directories.emplace_back(directory.string());
  return {{"name", source.name},
          {"text", source.text},
          {"headers", headers},
          {"options", Value::List(source.options.begin(), source.options.end())},
          {"dialect", source.preamble == KernelSource::Preamble::dialect},
          {"include_directories", directories}};
}

KernelSource source_of(const Record& record) {
  KernelSource source{.name = record.at("name").text(), .text = record.at("text").text()};
  for (const Value& header : record.at("headers").list()) {
    source.headers.emplace_back(header.list().at(0).text(), header.list().at(1).text());
  }
  for (const Value& option : record.at("options").list()) source.options.push_back(option.text());
  for (const Value& directory : record.at("include_directories").list()) {
    source.include_directories.emplace_back(directory.text());
  }
  if (!record.at("dialect").boolean()) source.preamble = KernelSource::Preamble::none;
  return source;
}

std::string head_of(const LaunchCapture& capture) {
  Value::List arguments;
  for (const auto& argument : capture.arguments) {
    if (const auto* buffer = std::get_if<LaunchCapture::BufferArgument>(&argument)) {
      const bool empty = buffer->content == LaunchCapture::BufferArgument::none;
      arguments.emplace_back(Record{{"type", "buffer"}, {"content", empty ? -1 : static_cast<int>(buffer->content)}});
    } else {
      const auto& scalar = std::get<LaunchCapture::ScalarArgument>(argument);
      arguments.emplace_back(Record{{"type", scalar.type}, {"bytes", hexadecimal(scalar.bytes)}});
    }
  }
  Value::List sizes;
  for (const auto& content : capture.contents) sizes.emplace_back(content.size());
  return to_json(Record{{"kernel", capture.kernel},
                        {"source", source_record(capture.source)},
                        {"groups", list_of(capture.shape.groups)},
                        {"group_size", list_of(capture.shape.group_size)},
                        {"dynamic_shared_bytes", capture.shape.dynamic_shared_bytes},
                        {"kind", kind_names.at(static_cast<std::size_t>(capture.shape.kind))},
                        {"arguments", arguments},
                        {"content_bytes", sizes}}) +
         "\n";
}

LaunchCapture capture_of(const Record& head, std::string_view contents) {
  LaunchCapture capture{.source = source_of(head.at("source").record()), .kernel = head.at("kernel").text()};
  capture.shape.groups = three_of(head.at("groups"));
  capture.shape.group_size = three_of(head.at("group_size"));
  capture.shape.dynamic_shared_bytes = static_cast<std::size_t>(head.at("dynamic_shared_bytes").integer());
  capture.shape.kind = kind_of(head.at("kind").text());
  for (const Value& size : head.at("content_bytes").list()) {
    const auto bytes = std::as_bytes(std::span(contents.substr(0, static_cast<std::size_t>(size.integer()))));
    capture.contents.emplace_back(bytes.begin(), bytes.end());
    contents.remove_prefix(bytes.size());
  }
  for (const Value& argument : head.at("arguments").list()) {
    const Record& fields = argument.record();
    if (fields.at("type").text() == "buffer") {
      const std::int64_t content = fields.at("content").integer();
      LaunchCapture::BufferArgument buffer;
      if (content >= 0) buffer.content = static_cast<std::size_t>(content);
      capture.arguments.emplace_back(buffer);
    } else {
      capture.arguments.emplace_back(
          LaunchCapture::ScalarArgument{fields.at("type").text(), from_hexadecimal(fields.at("bytes").text())});
    }
  }
  return capture;
}

}  // namespace

LaunchCapture LaunchCapture::take(const core::Stream& stream, KernelSource source, std::string kernel,
                                  const core::LaunchShape& shape, std::span<const core::KernelArgument> arguments) {
  LaunchCapture capture{.source = std::move(source), .kernel = std::move(kernel), .shape = shape};
  std::vector<core::Buffer> seen;
  for (const core::KernelArgument& argument : arguments) {
    const auto* buffer = std::get_if<core::Buffer>(&argument);
    if (buffer == nullptr) {
      capture.arguments.emplace_back(ScalarArgument{std::string(type_names.at(argument.index())), bytes_of(argument)});
    } else if (!*buffer) {
      capture.arguments.emplace_back(BufferArgument{});
    } else {
      const auto is_it = [&](const core::Buffer& other) { return &other.state() == &buffer->state(); };
      const auto known = std::ranges::find_if(seen, is_it);
      capture.arguments.emplace_back(BufferArgument{static_cast<std::size_t>(known - seen.begin())});
      if (known != seen.end()) continue;
      seen.push_back(*buffer);
      capture.contents.emplace_back(buffer->size_bytes());
      if (buffer->size_bytes() != 0) stream.read(*buffer, 0, capture.contents.back());
      stream.synchronize();
    }
  }
  return capture;
}

void LaunchCapture::write(const fs::path& file) const {
  const std::string head = head_of(*this);
  Sha256 digest;
  digest.update(head);
  for (const auto& content : contents) digest.update(std::span<const std::byte>(content));
  AtomicFile to(file);
  to.stream() << launch_magic << digest.hex() << "\n" << head;
  for (const auto& content : contents) {
    to.stream().write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(content.size()));
  }
  to.commit();
}

LaunchCapture LaunchCapture::read(const fs::path& file) {
  const auto fail = [&](const std::string& what) -> ConfigError {
    return ConfigError(file.string() + ": " + what + "; expected a file that LaunchCapture::write made");
  };
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw fail("cannot be read");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const std::size_t head = launch_magic.size() + digest_length + 1;
  if (!text.starts_with(launch_magic) || text.size() < head) throw fail("is no captured launch");
  const std::string_view rest = std::string_view(text).substr(head);
  if (sha256_hex(rest) != text.substr(launch_magic.size(), digest_length)) throw fail("is truncated or damaged");
  const std::size_t line = rest.find('\n');
  const auto value = from_json(rest.substr(0, line));
  try {
    if (value) return capture_of(value->record(), rest.substr(line + 1));
  } catch (const std::logic_error&) {
    // A field is missing or of another type: another version wrote it.
  }
  throw fail("is of another version");
}

Replay::Replay(Compiler& compiler, const LaunchCapture& capture) : Replay(compiler, capture, capture.source) {}

Replay::Replay(Compiler& compiler, const LaunchCapture& capture, const KernelSource& source)
    : capture_(capture), kernel_(compiler.compile(source).kernel(capture.kernel)) {
  for (const auto& content : capture_.contents) buffers_.push_back(compiler.device().allocate(content.size()));
  for (const auto& argument : capture_.arguments) {
    if (const auto* scalar = std::get_if<LaunchCapture::ScalarArgument>(&argument)) {
      arguments_.push_back(scalar_of(*scalar));
    } else {
      const std::size_t content = std::get<LaunchCapture::BufferArgument>(argument).content;
      arguments_.emplace_back(content == LaunchCapture::BufferArgument::none ? core::Buffer() : buffers_.at(content));
    }
  }
  restore(compiler.device().create_stream());
}

void Replay::restore(const core::Stream& stream) const {
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    if (!capture_.contents[i].empty()) stream.write(buffers_[i], 0, capture_.contents[i]);
  }
  stream.synchronize();
}

std::vector<std::byte> Replay::content(const core::Stream& stream, std::size_t content) const {
  std::vector<std::byte> bytes(buffers_.at(content).size_bytes());
  if (!bytes.empty()) stream.read(buffers_.at(content), 0, bytes);
  stream.synchronize();
  return bytes;
}

}  // namespace maxwell_dg::rtcg
