#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

/// What the process that uses Gmsh has to say: records of a kind and a number of bytes, written to a pipe.
class AnswerWriter {
 public:
  explicit AnswerWriter(int descriptor) : descriptor_(descriptor) {}

  void warning(std::string_view text) const;
  void note(std::string_view text) const;
  /// What is wrong, without the file's name. Nothing follows.
  void error(std::string_view text) const;
  /// Not prepared, of vertices, cells, regions, faces, surfaces and curved cells. Nothing follows.
  void mesh(const Mesh& mesh) const;

 private:
  int descriptor_;
};

/// A warning or a note of an answer.
struct Said {
  bool is_warning = false;
  std::string text;
};

/// Those at byte `from` and behind it, one after the other, as far as they have come whole. Moves `from` behind them.
[[nodiscard]] std::vector<Said> said_since(std::span<const std::byte> bytes, std::size_t& from);

/// What an answer leads to. It is not trusted: Gmsh may have been led astray before it was written.
struct Answer {
  std::string error;
  bool is_complete = false;  ///< there is a mesh, whole
  Mesh mesh;
};

/// Throws std::runtime_error for what cannot be an answer: a wrong length, a number of a region or surface that there
/// is not, curved cells that do not fit. Vertex numbers and places are for `prepare` to check.
[[nodiscard]] Answer read_answer(std::span<const std::byte> bytes);

}  // namespace maxwell_dg::dg
