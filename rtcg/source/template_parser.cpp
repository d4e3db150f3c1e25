#include <algorithm>
#include <cctype>
#include <utility>

#include "rtcg/source/is_word.hpp"
#include "rtcg/source/template_tree.hpp"

namespace maxwell_dg::rtcg {

namespace {

constexpr std::string_view blanks = " \t\r";

/// One line of the template, read from left to right.
class LineReader {
 public:
  LineReader(const std::string& name, std::string_view text, int line, std::set<std::string>& mentioned)
      : text_(text), place_{name, line, 1}, mentioned_(mentioned) {}

  [[nodiscard]] bool at_end() const { return at_ == text_.size(); }
  [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }
  [[nodiscard]] std::size_t at() const { return at_; }
  void skip(std::size_t count) { at_ += count; }
  void skip_blanks() {
    const std::size_t found = text_.find_first_not_of(blanks, at_);
    at_ = found == std::string_view::npos ? text_.size() : found;
  }
  [[noreturn]] void fail(const std::string& what) const { fail_in(text_, place_, at_, what); }

  bool accept(std::string_view word) {
    skip_blanks();
    if (!rest().starts_with(word)) return false;
    skip(word.size());
    return true;
  }
  void expect(std::string_view word) {
    if (!accept(word)) fail("expected '" + std::string(word) + "'" + (at_end() ? " at the end of the line" : ""));
  }
  void expect_end() {
    skip_blanks();
    if (!at_end()) fail("expected the end of the line, found '" + std::string(rest()) + "'");
  }

  std::string word() {
    skip_blanks();
    std::size_t length = 0;
    while (length < rest().size() && is_word(rest()[length])) ++length;
    std::string found(rest().substr(0, length));
    if (found.empty() || std::isdigit(static_cast<unsigned char>(found[0])) != 0) fail("expected a name");
    skip(length);
    return found;
  }

  Expression expression() {
    const Place here{place_.name, place_.line, static_cast<int>(at_) + 1};
    std::size_t length = 0;
    Expression parsed = Expression::prefix(rest(), here, length);
    for (std::string& used : parsed.names()) mentioned_.insert(std::move(used));
    skip(length);
    return parsed;
  }

 private:
  std::string_view text_;
  Place place_;
  std::set<std::string>& mentioned_;
  std::size_t at_ = 0;
};

TemplateLine text_line(LineReader reader) {
  TemplateLine line;
  std::string text;
  const std::string whole(reader.rest());
  while (!reader.at_end()) {
    const std::size_t dollar = reader.rest().find('$');
    text += reader.rest().substr(0, dollar);
    if (dollar == std::string_view::npos) break;
    reader.skip(dollar);
    if (reader.rest().starts_with("$$")) {
      text += '$';
      reader.skip(2);
      continue;
    }
    if (!reader.rest().starts_with("${")) reader.fail("stray '$': write $$ for a dollar sign, ${name} for a value");
    const std::size_t begin = reader.at();
    reader.skip(2);
    Expression expression = reader.expression();
    if (!reader.rest().starts_with('}')) reader.fail("expected '}' behind the expression");
    reader.skip(1);
    const std::string_view before = std::string_view(whole).substr(0, begin);
    const bool alone = before.find_first_not_of(blanks) == std::string_view::npos && reader.at_end();
    if (alone) line.indentation = before;
    if (!text.empty() && !alone) line.pieces.emplace_back(std::exchange(text, {}));
    line.pieces.emplace_back(std::move(expression));
  }
  if (!text.empty() && !line.indentation) line.pieces.emplace_back(std::move(text));
  return line;
}

class TemplateParser {
 public:
  /// `within`: the texts that include this one.
  TemplateParser(const std::string& name, std::string_view text, const Template::Library& library,
                 std::set<std::string>& mentioned, std::vector<std::string_view> within = {})
      : name_(name),
        file_(std::make_shared<const std::string>(name)),
        rest_(text),
        library_(library),
        mentioned_(mentioned),
        within_(std::move(within)) {
    within_.emplace_back(*file_);
  }

  TemplateBlock run() {
    TemplateBlock body = block();
    if (!end_.empty()) reader_of_end().fail("'% " + end_ + "' without its beginning");
    return body;
  }

 private:
  // Everything up to a line that ends or continues a block: its word stays in end_, "" at the end of the text.
  TemplateBlock block() {
    TemplateBlock nodes;
    end_.clear();
    while (!rest_.empty()) {
      const std::size_t length = rest_.find('\n');
      current_ = rest_.substr(0, length);
      rest_.remove_prefix(length == std::string_view::npos ? rest_.size() : length + 1);
      ++line_;
      LineReader reader = reader_of(current_);
      reader.skip_blanks();
      const std::string_view begin = reader.rest();
      if (begin.starts_with("##")) continue;
      if (begin.starts_with('%') && !begin.starts_with("%%")) {
        reader.skip(1);
        control(reader, nodes);
        if (!end_.empty()) return nodes;
      } else {
        append(nodes, line_, text(begin.starts_with("%%")));
      }
    }
    return nodes;
  }

  [[nodiscard]] LineReader reader_of(std::string_view line) const { return {name_, line, line_, mentioned_}; }
  [[nodiscard]] LineReader reader_of_end() const { return end_reader_.value_or(reader_of(current_)); }

  TemplateLine text(bool escaped) {
    if (!escaped) return text_line(reader_of(current_));
    std::string line(current_);
    line.erase(line.find('%'), 1);
    kept_ = std::move(line);
    return text_line(reader_of(kept_));
  }

  // Made in its place: GCC 13 sees uninitialized values in a variant that is moved there.
  template <class What>
  static void append(TemplateBlock& nodes, int line, What what) {
    Template::Node& node = nodes.emplace_back();
    node.line = line;
    node.what.emplace<What>(std::move(what));
  }

  void control(LineReader& reader, TemplateBlock& nodes) {
    reader.skip_blanks();
    const LineReader at_word = reader;
    const std::string word = reader.word();
    const int line = line_;
    if (word == "for") {
      append(nodes, line, loop(reader, at_word));
    } else if (word == "if") {
      append(nodes, line, branches(reader, at_word));
    } else if (word == "macro") {
      append(nodes, line, macro(reader, at_word));
    } else if (word == "set") {
      std::string name = reader.word();
      reader.expect("=");
      reader.skip_blanks();
      Expression value = reader.expression();
      reader.expect_end();
      append(nodes, line, TemplateSet{std::move(name), std::move(value)});
    } else if (word == "include") {
      append(nodes, line, include(reader));
    } else if (word == "endfor" || word == "endif" || word == "endmacro" || word == "elif" || word == "else") {
      end_ = word;
      end_reader_.emplace(reader);
    } else {
      at_word.fail("unknown line '% " + word +
                   "'; there are for, if, elif, else, set, macro, include and their ends; %% is a "
                   "per cent sign");
    }
  }

  // Reads a block and checks which line ended it.
  TemplateBlock body_until(std::initializer_list<std::string_view> ends, const LineReader& beginning) {
    TemplateBlock body = block();
    for (const std::string_view end : ends) {
      if (end_ == end) return body;
    }
    const std::string expected(*(ends.end() - 1));
    if (end_.empty()) beginning.fail("this block has no '% " + expected + "'");
    reader_of_end().fail("'% " + end_ + "' where '% " + expected + "' should stand");
  }

  void finish_block() {
    end_reader_->expect_end();
    end_.clear();
  }

  static void end_of_head(LineReader& reader) {
    reader.expect(":");
    reader.expect_end();
  }

  TemplateFor loop(LineReader& reader, const LineReader& beginning) {
    std::vector<std::string> variables;
    do variables.push_back(reader.word());
    while (reader.accept(","));
    if (reader.word() != "in") reader.fail("expected 'in' before this");
    reader.skip_blanks();
    Expression list = reader.expression();
    end_of_head(reader);
    TemplateFor node{std::move(variables), std::move(list), body_until({"endfor"}, beginning)};
    finish_block();
    return node;
  }

  TemplateIf branches(LineReader& reader, const LineReader& beginning) {
    TemplateIf node;
    reader.skip_blanks();
    std::optional<Expression> condition = reader.expression();
    end_of_head(reader);
    for (;;) {
      node.branches.push_back({condition, {}});
      const bool is_last = !condition;
      node.branches.back().body =
          is_last ? body_until({"endif"}, beginning) : body_until({"elif", "else", "endif"}, beginning);
      if (end_ == "endif") break;
      LineReader next = *end_reader_;
      condition.reset();
      next.skip_blanks();
      if (end_ == "elif") condition = next.expression();
      end_of_head(next);
    }
    finish_block();
    return node;
  }

  TemplateInclude include(LineReader& reader) const {
    reader.skip_blanks();
    const LineReader at_name = reader;
    const Expression name = reader.expression();
    reader.expect_end();
    const Value value = name.evaluate(Record{});
    if (!value.is_text()) name.fail("an included text is named by a text; this is " + value.description());
    const std::optional<std::string_view> text = library_ ? library_(value.text()) : std::nullopt;
    if (!text) at_name.fail("there is no text " + value.written() + " to include");
    if (std::ranges::find(within_, value.text()) != within_.end()) at_name.fail("this text would include itself");
    TemplateParser parser(value.text(), *text, library_, mentioned_, within_);
    TemplateBlock body = parser.run();
    return {parser.file_, std::move(body)};
  }

  TemplateMacro macro(LineReader& reader, const LineReader& beginning) {
    TemplateMacro node;
    node.file = file_;
    node.name = reader.word();
    reader.expect("(");
    while (!reader.accept(")")) {
      if (!node.parameters.empty()) reader.expect(",");
      node.parameters.push_back(reader.word());
    }
    end_of_head(reader);
    node.body = body_until({"endmacro"}, beginning);
    finish_block();
    skip_blank_lines();
    return node;
  }

  // Those that set a macro apart from what follows: neither is printed where it stands.
  void skip_blank_lines() {
    while (!rest_.empty()) {
      const std::size_t length = std::min(rest_.find('\n'), rest_.size());
      if (rest_.substr(0, length).find_first_not_of(blanks) != std::string_view::npos) return;
      rest_.remove_prefix(std::min(length + 1, rest_.size()));
      ++line_;
    }
  }

  std::string name_;
  std::shared_ptr<const std::string> file_;  // its name, for the renderer
  std::string_view rest_;
  const Template::Library& library_;
  std::set<std::string>& mentioned_;
  std::vector<std::string_view> within_;
  int line_ = 0;
  std::string_view current_;
  std::string kept_;
  std::string end_;
  std::optional<LineReader> end_reader_;
};

}  // namespace

TemplateBlock parse_template(const std::string& name, std::string_view text, const Template::Library& library,
                             std::set<std::string>& mentioned) {
  return TemplateParser(name, text, library, mentioned).run();
}

}  // namespace maxwell_dg::rtcg
