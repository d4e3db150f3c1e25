#include <algorithm>
#include <cstddef>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#if __has_include(<yaml-cpp/depthguard.h>)
#include <yaml-cpp/depthguard.h>
#endif
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "apps/config/yaml.hpp"
#include "core/error.hpp"

/// From YAML text to values: yaml-cpp's events become a tree in which aliases share what they name, and the tree
/// becomes values, with aliases copied and merge keys resolved.
namespace maxwell_dg::config {
namespace {

/// A file is read into memory of a few times this size. The bounds count what there is when aliases are copied: they
/// stop a small file from becoming a huge tree ("billion laughs").
struct Size {
  std::size_t values{};  ///< scalars, lists and mappings
  std::size_t bytes{};   ///< of texts and keys
};
constexpr Size most{.values = 200'000, .bytes = 16'000'000};

/// What was written: an alias is the very node that it names.
struct Node {
  Value::Kind kind{Value::Kind::null};
  std::string text{};  ///< of a scalar
  bool quoted{};
  int line{}, column{}, text_column{};
  std::vector<std::shared_ptr<const Node>> keys{};  ///< of a map
  std::vector<std::shared_ptr<const Node>> items{};
  Size size{.values = 1};  ///< with all below
};
using NodePtr = std::shared_ptr<const Node>;

bool is_merge_key(const Node& key) {
  return key.text == "<<" && !key.quoted;
}

/// Builds nodes from yaml-cpp's events, which, unlike its own nodes, keep the order, duplicate keys and every mark.
class Builder : public YAML::EventHandler {
 public:
  Builder(std::string_view text, std::string source) : text_(text), source_(std::move(source)) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // not counted by marks
    if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
  }

  [[nodiscard]] Value take() const { return document_ ? value_of(*document_) : Value{}; }
  [[nodiscard]] int documents() const { return documents_; }

  void OnDocumentStart(const YAML::Mark&) override { ++documents_; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    leaf(node_at(mark, Value::Kind::null), anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    Node node = node_at(mark, Value::Kind::scalar);
    node.quoted = tag == "!";
    node.text = text;
    node.size.bytes = text.size();
    node.text_column = text_column(node, mark);
    leaf(std::move(node), anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) fail(node_at(mark, Value::Kind::null), "an alias inside of the node that it names");
    count(found->second->size, node_at(mark, Value::Kind::null));
    attach(found->second);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(node_at(mark, Value::Kind::list), anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(node_at(mark, Value::Kind::map), anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    std::shared_ptr<Node> node;
    YAML::anchor_t anchor{};
    std::unordered_map<std::string_view, int> lines{};  ///< of a map's keys
  };

  static Node node_at(const YAML::Mark& mark, Value::Kind kind) {
    return {.kind = kind, .line = mark.line + 1, .column = mark.column + 1};
  }

  // Where the text of a scalar stands verbatim in its line: not if it is folded, or has escapes.
  [[nodiscard]] int text_column(const Node& node, const YAML::Mark& mark) const {
    const std::size_t quote = node.quoted ? 1 : 0, at = static_cast<std::size_t>(std::max(mark.pos, 0)) + quote;
    if (at > text_.size() || node.text.find('\n') != std::string::npos) return 0;
    return text_.substr(at).starts_with(node.text) ? node.column + static_cast<int>(quote) : 0;
  }

  void count(const Size& more, const Node& at) {
    total_.values += more.values;
    total_.bytes += more.bytes;
    if (total_.values > most.values) {
      fail(at, "more than " + std::to_string(most.values) + " values after aliases are expanded");
    }
    if (total_.bytes > most.bytes) {
      fail(at, "more than " + std::to_string(most.bytes / 1'000'000) + " MB of text after aliases are expanded");
    }
  }

  void leaf(Node node, YAML::anchor_t anchor) {
    count(node.size, node);
    const auto shared = std::make_shared<const Node>(std::move(node));
    if (anchor != 0) anchors_[anchor] = shared;
    attach(shared);
  }

  void open(Node node, YAML::anchor_t anchor) {
    count(node.size, node);
    open_.push_back({.node = std::make_shared<Node>(std::move(node)), .anchor = anchor});
  }

  void close() {
    const Open closed = std::move(open_.back());
    open_.pop_back();
    if (closed.anchor != 0) anchors_[closed.anchor] = closed.node;
    attach(closed.node);
  }

  void attach(const NodePtr& node) {
    if (open_.empty()) {
      document_ = node;
      return;
    }
    Node& parent = *open_.back().node;
    parent.size.values += node->size.values;
    parent.size.bytes += node->size.bytes;
    const bool is_key = parent.kind == Value::Kind::map && parent.keys.size() == parent.items.size();
    if (!is_key) {
      parent.items.push_back(node);
      return;
    }
    if (node->kind != Value::Kind::scalar) fail(*node, "found " + describe(bare(*node)) + " as a key; allowed: a name");
    const auto [first, is_new] = open_.back().lines.emplace(node->text, node->line);
    if (!is_new) {
      fail(*node, "the key '" + node->text + "' appears twice; first in line " + std::to_string(first->second));
    }
    parent.keys.push_back(node);
  }

  [[nodiscard]] Place place_of(const Node& node) const {
    return {.source = source_, .line = node.line, .column = node.column, .text_column = node.text_column};
  }

  /// Without what is below.
  [[nodiscard]] Value bare(const Node& node) const {
    return {.kind = node.kind, .text = node.text, .quoted = node.quoted, .place = place_of(node)};
  }

  [[nodiscard]] Value value_of(const Node& node) const {
    Value value = bare(node);
    if (node.kind == Value::Kind::map) {
      const bool merges = std::ranges::any_of(node.keys, [](const NodePtr& key) { return is_merge_key(*key); });
      std::unordered_set<std::string> own;  // they go before what is merged
      for (const NodePtr& key : node.keys) {
        if (merges) own.insert(key->text);
      }
      for (std::size_t i = 0; i < node.items.size(); ++i) {
        if (is_merge_key(*node.keys[i])) {
          merge(*node.items[i], own, value);
        } else {
          value.keys.push_back({node.keys[i]->text, place_of(*node.keys[i])});
          value.items.push_back(value_of(*node.items[i]));
        }
      }
    } else {
      for (const NodePtr& item : node.items) value.items.push_back(value_of(*item));
    }
    return value;
  }

  /// Keys of a mapping, or of several, into another one, where they are not yet `taken`: the first that has a key wins.
  void merge(const Node& from, std::unordered_set<std::string>& taken, Value& map) const {
    if (from.kind == Value::Kind::map) {
      Value other = value_of(from);
      for (std::size_t i = 0; i < other.items.size(); ++i) {
        if (!taken.insert(other.keys[i].text).second) continue;
        map.keys.push_back(std::move(other.keys[i]));
        map.items.push_back(std::move(other.items[i]));
      }
      return;
    }
    if (from.kind != Value::Kind::list || from.items.empty()) refuse_merge(from);
    for (const NodePtr& node : from.items) {
      if (node->kind != Value::Kind::map) refuse_merge(*node);
      merge(*node, taken, map);
    }
  }

  [[noreturn]] void refuse_merge(const Node& node) const {
    fail(node, "found " + describe(bare(node)) +
                   " under '<<'; allowed: a mapping whose keys are merged into this one, as in '<<: *name', or a list "
                   "of such");
  }

  [[noreturn]] void fail(const Node& at, const std::string& message) const {
    throw ConfigError(to_string(place_of(at)) + ": " + message);
  }

  std::string_view text_;
  std::string source_;
  NodePtr document_;
  std::vector<Open> open_;
  std::unordered_map<YAML::anchor_t, NodePtr> anchors_;
  Size total_;
  int documents_{};
};

// YAML forbids tabs as indentation, and yaml-cpp's messages do not say so.
std::string tab_hint(const std::string& text, int line_number) {
  std::istringstream lines(text);
  std::string line;
  for (int i = 0; i <= line_number; ++i) std::getline(lines, line);
  const auto tab = line.find('\t');
  return tab < line.find_first_not_of(" \t") ? "; YAML is indented with blanks, not tabs" : "";
}

std::string reason(const YAML::Exception& error, const std::string& text) {
#if __has_include(<yaml-cpp/depthguard.h>)
  if (dynamic_cast<const YAML::DeepRecursion*>(&error) != nullptr) return "it is nested too deeply";
#endif
  return error.msg + tab_hint(text, error.mark.line);
}

}  // namespace

Value parse_yaml(const std::string& text, const std::string& source) {
  std::istringstream stream(text);
  Builder builder(text, source);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
      if (builder.documents() > 1) {
        throw ConfigError(source + ": more than one YAML document; a config is a single one (remove '---')");
      }
    }
  } catch (const YAML::Exception& error) {
    Place place{.source = source, .line = error.mark.line + 1, .column = error.mark.column + 1};
    if (error.mark.is_null()) place.line = 0;
    throw ConfigError(to_string(place) + ": not valid YAML: " + reason(error, text));
  }
  return builder.take();
}

}  // namespace maxwell_dg::config
