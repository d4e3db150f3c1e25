#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/syntax/lexer.hpp"

namespace maxwell_dg::core {

/// An operator before its operand, which has operators of at least this strength.
struct PrefixOperator {
  std::string_view word;
  int strength;
};

/// An operator between two operands. Of two operators the stronger one takes what stands between them.
struct InfixOperator {
  /// Of equally strong ones in a row: a - b - c is (a - b) - c, a ^ b ^ c is a ^ (b ^ c), a < b < c is one of three.
  enum class Grouping { from_left, from_right, in_one };
  std::string_view word;
  int strength;
  Grouping grouping = Grouping::from_left;
  /// Of operators in the operand behind it: where 0, stronger ones than itself.
  int strength_behind = 0;
  std::string_view second_word{};  ///< of "not in"
};

/// Parses operators between operands by climbing from the weakest to the strongest, for a language that says which
/// operators there are, what an operand is and what becomes of both:
///
///   static constexpr std::array prefixes, infixes;               its PrefixOperators and InfixOperators, words of the
///                                                                Lexer; not empty
///   static constexpr int deepest; static std::string too_deep(); how deep expressions may be nested, and the error
///   Value operand();                                             what stands between operators, from token() on
///   Value prefixed(const PrefixOperator&, std::size_t offset, Value);
///   Value joined(const InfixOperator&, std::size_t offset, Value, Value);
///   Value joined_in_one(const InfixOperator& first, std::size_t offset, std::vector<std::string> words,
///                       std::vector<Value>);                     for Grouping::in_one
///   void fail(std::size_t offset, const std::string&) const;     throws
///   void check(const Token&) const;                              may throw at a word as soon as it is seen
///
/// `offset` is where the (first) operator stands. Parsers recurse; nesting (parentheses, prefixes, grouping from the
/// right) is counted, so that no text exhausts the stack.
template <class Language, class Value>
class OperatorParser {
 protected:
  OperatorParser(std::string_view text, Spelling spelling) : lexer_(text, spelling) {}

  /// What the language calls for a whole expression, and inside of parentheses. Other languages than those with
  /// operators alone hide `completed`.
  Value expression() {
    const Level level(*this);
    return language().completed(operators());
  }
  Value completed(Value value) { return value; }

  /// An expression without what `completed` adds.
  Value operators(int weakest = 0) {
    Value left = operand_with_prefixes(weakest);
    for (const InfixOperator* op = infix(weakest); op != nullptr; op = infix(weakest)) {
      const std::size_t offset = token_.offset;
      if constexpr (groups_in_one()) {
        if (op->grouping == InfixOperator::Grouping::in_one) {
          left = in_one(*op, offset, std::move(left));
          continue;
        }
      }
      Value right = behind(*op);
      left = language().joined(*op, offset, std::move(left), std::move(right));
    }
    return left;
  }

  [[nodiscard]] const Token& token() const { return token_; }
  /// Goes on to the next word; the first one is there only after the first call.
  void advance() {
    token_ = lexer_.next();
    language().check(token_);
  }
  [[nodiscard]] bool sees(std::string_view word) const {
    return (token_.kind == Token::Kind::symbol || token_.kind == Token::Kind::name) && token_.word == word;
  }
  /// Whether this word comes behind the present one.
  [[nodiscard]] bool is_followed_by(std::string_view word) const {
    const Token next = Lexer(lexer_).next();
    return next.kind == Token::Kind::symbol && next.word == word;
  }
  bool accept(std::string_view word) {
    if (!sees(word)) return false;
    advance();
    return true;
  }
  void expect(std::string_view word) {
    if (!accept(word)) language().fail(token_.offset, "expected '" + std::string(word) + "', found " + found());
  }
  /// The present word, for messages.
  [[nodiscard]] std::string found() const {
    if (token_.kind == Token::Kind::end) return "the end";
    return "'" + (token_.kind == Token::Kind::text ? token_.content : std::string(token_.word)) + "'";
  }

 private:
  /// Counts nesting while it lives.
  class Level {
   public:
    explicit Level(OperatorParser& parser) : parser_(parser) {
      if (++parser_.depth_ > Language::deepest) parser_.language().fail(parser_.token_.offset, Language::too_deep());
    }
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    OperatorParser& parser_;
  };

  [[nodiscard]] static constexpr bool groups_in_one() {
    return std::ranges::count(Language::infixes, InfixOperator::Grouping::in_one, &InfixOperator::grouping) > 0;
  }
  [[nodiscard]] Language& language() { return static_cast<Language&>(*this); }

  [[nodiscard]] const InfixOperator* infix(int weakest) const {
    for (const InfixOperator& op : Language::infixes) {
      if (op.strength >= weakest && sees(op.word)) return &op;
    }
    return nullptr;
  }

  Value operand_with_prefixes(int weakest) {
    for (const PrefixOperator& op : Language::prefixes) {
      if (op.strength < weakest || !sees(op.word)) continue;
      const Level level(*this);
      const std::size_t offset = token_.offset;
      advance();
      return language().prefixed(op, offset, operators(op.strength));
    }
    return language().operand();
  }

  Value behind(const InfixOperator& op) {
    advance();
    if (!op.second_word.empty()) expect(op.second_word);
    if (op.grouping != InfixOperator::Grouping::from_right) return operators(op.strength + 1);
    const Level level(*this);
    return operators(op.strength_behind == 0 ? op.strength : op.strength_behind);
  }

  Value in_one(const InfixOperator& first, std::size_t offset, Value left) {
    std::vector<std::string> words;
    std::vector<Value> operands;
    operands.push_back(std::move(left));
    const InfixOperator* op = &first;
    do {
      const std::string_view second = op->second_word;
      words.push_back(std::string(op->word) + (second.empty() ? "" : " " + std::string(second)));
      operands.push_back(behind(*op));
      op = infix(first.strength);
    } while (op != nullptr && op->strength == first.strength);
    return language().joined_in_one(first, offset, std::move(words), std::move(operands));
  }

  Lexer lexer_;
  Token token_;
  int depth_ = 0;
};

}  // namespace maxwell_dg::core
