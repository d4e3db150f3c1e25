#include "dg/mesh/gmsh/answer.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <system_error>

#include <unistd.h>

namespace maxwell_dg::dg {
namespace {

enum class Record : std::uint64_t {
  warning = 1,
  error,
  vertices,
  cells,
  cell_region,
  regions,
  faces,
  surfaces,
  end,
  curved_order,
  curved_number,
  curved_nodes,
  note
};

struct Head {
  Record record;
  std::uint64_t bytes;
};

void write_all(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw std::runtime_error("the answer was not taken");
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void write_record(int descriptor, Record record, std::span<const std::byte> content) {
  const Head head{record, content.size()};
  write_all(descriptor, std::as_bytes(std::span(&head, 1)));
  write_all(descriptor, content);
}

/// Names end with a zero byte each; none has one inside.
std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += name.substr(0, name.find('\0')) + '\0';
  return text;
}

std::vector<std::string> separated(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t end = text.find('\0'); end != std::string_view::npos; end = text.find('\0')) {
    names.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  if (!text.empty()) throw std::runtime_error("a name without an end");
  return names;
}

std::string_view text_of(std::span<const std::byte> content) {
  return {reinterpret_cast<const char*>(content.data()), content.size()};
}

struct WholeRecord {
  Record record;
  std::span<const std::byte> content;
};

/// Nothing where it has not come whole.
std::optional<WholeRecord> first_record(std::span<const std::byte> bytes) {
  Head head{};
  if (bytes.size() < sizeof head) return std::nullopt;
  std::memcpy(&head, bytes.data(), sizeof head);
  bytes = bytes.subspan(sizeof head);
  if (head.bytes > bytes.size()) return std::nullopt;
  return WholeRecord{head.record, bytes.first(head.bytes)};
}

template <class Row>
std::vector<Row> rows_of(std::span<const std::byte> content) {
  if (content.size() % sizeof(Row) != 0) throw std::runtime_error("half a row");
  std::vector<Row> rows(content.size() / sizeof(Row));
  if (!rows.empty()) std::memcpy(rows.data(), content.data(), content.size());
  return rows;
}

int number_of(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) throw std::runtime_error("a number that is none");
  return number;
}

void require_consistent_answer(const Mesh& mesh) {
  const auto names = [](const std::vector<std::string>& list) { return static_cast<std::int32_t>(list.size()); };
  const bool ok = mesh.cell_region.size() == mesh.cells.size() &&
                  std::ranges::all_of(mesh.cell_region, [&](auto r) { return r >= -1 && r < names(mesh.regions); }) &&
                  std::ranges::all_of(mesh.surface_faces, [&](const auto& f) {
                    return f.surface >= 0 && f.surface < names(mesh.surfaces);
                  });
  if (!ok) throw std::runtime_error("regions or surfaces that do not fit its elements");
  if (!mesh.curved.fits(mesh.cells.size())) throw std::runtime_error("curved elements that do not fit the others");
}

void take(Answer& answer, Record record, std::span<const std::byte> content) {
  Mesh& mesh = answer.mesh;
  switch (record) {
    case Record::warning:
    case Record::note: return;  // told when they came
    case Record::error: answer.error = text_of(content); return;
    case Record::vertices: mesh.vertices = rows_of<Point>(content); return;
    case Record::cells: mesh.cells = rows_of<std::array<std::int32_t, 4>>(content); return;
    case Record::cell_region: mesh.cell_region = rows_of<std::int32_t>(content); return;
    case Record::regions: mesh.regions = separated(text_of(content)); return;
    case Record::faces: mesh.surface_faces = rows_of<Mesh::SurfaceFace>(content); return;
    case Record::surfaces: mesh.surfaces = separated(text_of(content)); return;
    case Record::curved_order: mesh.curved.order = number_of(text_of(content)); return;
    case Record::curved_number: mesh.curved.number = rows_of<std::int32_t>(content); return;
    case Record::curved_nodes: mesh.curved.nodes = rows_of<Point>(content); return;
    case Record::end: answer.is_complete = true; return;
  }
  throw std::runtime_error("an unknown record");
}

}  // namespace

void AnswerWriter::warning(std::string_view text) const {
  write_record(descriptor_, Record::warning, std::as_bytes(std::span(text)));
}

void AnswerWriter::note(std::string_view text) const {
  write_record(descriptor_, Record::note, std::as_bytes(std::span(text)));
}

void AnswerWriter::error(std::string_view text) const {
  write_record(descriptor_, Record::error, std::as_bytes(std::span(text)));
}

void AnswerWriter::mesh(const Mesh& mesh) const {
  const auto write = [&](Record record, const auto& values) {
    write_record(descriptor_, record, std::as_bytes(std::span(values)));
  };
  write(Record::vertices, mesh.vertices);
  write(Record::cells, mesh.cells);
  write(Record::cell_region, mesh.cell_region);
  write(Record::regions, joined(mesh.regions));
  write(Record::faces, mesh.surface_faces);
  write(Record::surfaces, joined(mesh.surfaces));
  if (mesh.curved.any()) {
    write(Record::curved_order, std::to_string(mesh.curved.order));
    write(Record::curved_number, mesh.curved.number);
    write(Record::curved_nodes, mesh.curved.nodes);
  }
  write(Record::end, std::string_view());
}

std::vector<Said> said_since(std::span<const std::byte> bytes, std::size_t& from) {
  std::vector<Said> said;
  while (const auto whole = first_record(bytes.subspan(from))) {
    const auto& [record, content] = *whole;
    if (record != Record::warning && record != Record::note) break;
    said.push_back({record == Record::warning, std::string(text_of(content))});
    from += sizeof(Head) + content.size();
  }
  return said;
}

Answer read_answer(std::span<const std::byte> bytes) {
  Answer answer;
  while (const auto whole = first_record(bytes)) {  // it may have ended before it had written the last one
    take(answer, whole->record, whole->content);
    bytes = bytes.subspan(sizeof(Head) + whole->content.size());
  }
  if (answer.is_complete) require_consistent_answer(answer.mesh);
  return answer;
}

}  // namespace maxwell_dg::dg
