#include "rtcg/source/syntax.hpp"

#include <algorithm>
#include <iterator>

namespace maxwell_dg::rtcg::syntax {

namespace {

void print_line(std::string& out, int depth, std::string_view text) {
  if (!text.empty()) out.append(static_cast<std::size_t>(2 * depth), ' ');
  out += text;
  out += '\n';
}

}  // namespace

Block::Block(std::initializer_list<Statement> statements) : statements_(statements) {}

Block& Block::operator+=(Statement statement) {
  statements_.push_back(std::move(statement));
  return *this;
}

Block& Block::operator+=(const Block& more) {
  statements_.reserve(statements_.size() + more.statements_.size());
  // Counted, since `more` may be this block; reserved, since that may not move while it is read.
  std::copy_n(more.statements_.begin(), more.statements_.size(), std::back_inserter(statements_));
  return *this;
}

void Block::print(std::string& out, int depth) const {
  for (const Statement& statement : statements_) statement.print(out, depth);
}

void Statement::print(std::string& out, int depth) const {
  for (const std::string& line : lines_) print_line(out, depth, line);
  bool first = true;
  for (const auto& [head, body] : sections_) {
    std::string line(first ? "" : "} ");
    line.append(head).append(head.empty() ? "{" : " {");
    print_line(out, depth, line);
    body.print(out, depth + 1);
    first = false;
  }
  if (!sections_.empty()) print_line(out, depth, "}");
}

std::string print(const Statement& statement) {
  std::string out;
  statement.print(out, 0);
  return out;
}

std::string print(const Block& block) {
  std::string out;
  block.print(out, 0);
  return out;
}

}  // namespace maxwell_dg::rtcg::syntax
