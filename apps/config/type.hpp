#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "apps/config/reader.hpp"
#include "apps/config/values.hpp"
#include "apps/config/yaml.hpp"
#include "core/quantity.hpp"
#include "dg/symbolic/system.hpp"

/// The words in which keys.cpp describes a config. A Type is bound to the variable that holds its value and says all
/// there is to say about it: how to read it, how to write it, what is allowed, in English and in JSON Schema.
namespace maxwell_dg::config {

/// "a, b, c"
[[nodiscard]] std::string joined(const std::vector<std::string>& words, const char* separator = ", ");

using Json = nlohmann::ordered_json;

/// One line of the reference: a key path and what stands there.
struct ReferenceRow {
  std::string path, allowed, standard, doc;
};

class Type {
 public:
  virtual ~Type() = default;
  virtual void read(const Value& value, Reader& reader) const = 0;
  /// The present value; nothing for one that is absent.
  [[nodiscard]] virtual std::optional<Value> write() const = 0;
  [[nodiscard]] virtual std::string allowed() const = 0;
  [[nodiscard]] virtual Json schema() const = 0;
  /// The rows of the keys inside, if there are any.
  virtual void list_keys(const std::string& path, std::vector<ReferenceRow>& rows) const;
};
using TypePtr = std::shared_ptr<const Type>;

// --- values -------------------------------------------------------------------------------------------------------

struct IntegerRange {
  int min{1};
  int max{std::numeric_limits<int>::max()};
};
[[nodiscard]] TypePtr integer(int& target, IntegerRange range);

struct NumberRange {
  core::Dimension dimension{core::Dimension::none};
  double min{-std::numeric_limits<double>::infinity()};
  double max{std::numeric_limits<double>::infinity()};
  bool above_min{};                                     ///< min itself is not allowed
  bool is_of_the_clock{};                               ///< has its unit in normalized configs, too
  std::vector<std::pair<std::string, double>> words{};  ///< that stand for numbers
};
[[nodiscard]] TypePtr number(double& target, NumberRange range);
/// The numbers that may stand for one of this meaning.
[[nodiscard]] NumberRange range_of(const dg::System::Meaning& meaning);
[[nodiscard]] TypePtr positive(double& target, core::Dimension dimension = core::Dimension::none);

/// Decibels, as a number or a text such as "-50 dB", in normalized configs, too.
[[nodiscard]] TypePtr level(double& target, double min, double max);

/// true or false.
[[nodiscard]] TypePtr boolean(bool& target);

/// Anything, which is not looked at.
[[nodiscard]] TypePtr ignored();

/// A text that is not empty, in one line.
[[nodiscard]] TypePtr text(std::string& target, std::string allowed);

/// What a config calls something, and what then stands in files and heads their columns: a text that no program that
/// reads those takes for more than a name.
[[nodiscard]] TypePtr name(std::string& target);

/// A path; relative ones are resolved against the config's folder when `of_config`, and then written absolute.
enum class Relative { to_config, to_current_directory };
[[nodiscard]] TypePtr path(std::filesystem::path& target, Relative relative, std::string allowed);

/// A name, a list of names, or "*".
[[nodiscard]] TypePtr region_names(RegionNames& target);

/// An expression; with t or without, with coordinates or without.
struct FormulaNames {
  bool coordinates{true};
  bool time{};
};
[[nodiscard]] TypePtr formula(Formula& target, FormulaNames names);

/// Names with numbers, given as expressions of the ones before.
[[nodiscard]] TypePtr constants(std::vector<std::pair<std::string, double>>& target);

/// One of several words; each stands for a value.
template <class T>
struct Word {
  std::string word;
  T value;
};
struct WordAccess {
  std::vector<std::string> words;
  std::function<std::string()> get;
  std::function<void(std::size_t)> set;
};
[[nodiscard]] TypePtr word(WordAccess access);
template <class T>
[[nodiscard]] WordAccess word_access(T& target, const std::vector<Word<T>>& words) {
  WordAccess access;
  for (const auto& w : words) access.words.push_back(w.word);
  access.get = [&target, words] {
    for (const auto& w : words) {
      if (w.value == target) return w.word;
    }
    return std::string();
  };
  access.set = [&target, words](std::size_t i) { target = words[i].value; };
  return access;
}
template <class T>
[[nodiscard]] TypePtr word(T& target, const std::vector<Word<T>>& words) {
  return word(word_access(target, words));
}
/// Words that stand for themselves.
[[nodiscard]] TypePtr word(std::string& target, const std::vector<std::string>& words);

// --- objects ------------------------------------------------------------------------------------------------------

struct Key {
  std::string name;
  TypePtr type;
  std::string doc;
  enum class Presence { optional, required } presence{Presence::optional};
  std::string standard{};  ///< what the default is, where the value alone does not say it
  std::string example{};   ///< shown where a required key is missing
};
inline constexpr auto required = Key::Presence::required;

/// A key whose word decides which other keys there are.
struct Choice {
  struct Alternative {
    std::string doc;
    std::function<std::vector<Key>()> keys;
  };
  std::string name;
  WordAccess word;
  std::string doc;
  std::vector<Alternative> alternatives;  ///< by number of the word
  Key::Presence presence{Key::Presence::optional};
};
/// choice("type", waveform.type, "...", {{"sine", Type::sine, "ramps up ...", [&] { return ...; }}, ...})
template <class T>
struct ChoiceCase {
  std::string word;
  T value;
  std::string doc;
  std::function<std::vector<Key>()> keys;
};
template <class T>
[[nodiscard]] Choice choice(std::string name, T& target, std::string doc, const std::vector<ChoiceCase<T>>& cases,
                            Key::Presence presence = Key::Presence::optional) {
  std::vector<Word<T>> words;
  std::vector<Choice::Alternative> alternatives;
  for (const auto& c : cases) {
    words.push_back({c.word, c.value});
    alternatives.push_back({c.doc, c.keys});
  }
  return {std::move(name), word_access(target, words), std::move(doc), std::move(alternatives), presence};
}

/// One kind of what a variant holds: how it is before anything is read, and its keys.
template <class Variant>
struct VariantCase {
  Variant standard;
  std::string doc;
  std::function<std::vector<Key>(Variant&)> keys;
};
/// kind_of<Source>(Dipole{}, "a point source", [](Dipole& d) { return ...; })
template <class Variant, class Kind, class Keys>
[[nodiscard]] VariantCase<Variant> kind_of(Kind standard, std::string doc, Keys keys) {
  return {std::move(standard), std::move(doc), [keys](Variant& v) { return keys(std::get<Kind>(v)); }};
}
/// A choice of the kind that a variant holds, by the words of the kinds (word_of). Kinds that it does not hold are
/// described as they are before anything is read.
template <class Variant>
[[nodiscard]] Choice choice(std::string name, Variant& target, std::string doc,
                            const std::vector<VariantCase<Variant>>& cases,
                            Key::Presence presence = Key::Presence::optional) {
  WordAccess access{.words = {}, .get = [&target] { return word_of(target); }, .set = {}};
  std::vector<Variant> standards;
  std::vector<Choice::Alternative> alternatives;
  for (const auto& c : cases) {
    access.words.push_back(word_of(c.standard));
    standards.push_back(c.standard);
    const auto sample = std::make_shared<Variant>(c.standard);
    alternatives.push_back({c.doc, [&target, sample, keys = c.keys, word = word_of(c.standard)] {
                              return keys(word_of(target) == word ? target : *sample);
                            }});
  }
  access.set = [&target, standards](std::size_t i) { target = standards[i]; };
  return {std::move(name), std::move(access), std::move(doc), std::move(alternatives), presence};
}

/// A mapping: its keys, read and written in this order, then those that the choice adds.
struct Object {
  std::vector<Key> keys;
  std::optional<Choice> choice{};
  std::vector<std::string> exactly_one{};  ///< of these keys one must be there
  std::string instead_of_mapping{};        ///< remedy where something else than a mapping stands there
  std::function<void(Reader&)> check{};    ///< what concerns several keys; only run when each is right by itself
};
[[nodiscard]] TypePtr object(Object description);

/// Makes a T to describe, and what it is bound to.
template <class T, class Bind>
[[nodiscard]] auto sample_of(Bind bind) {
  return [bind] {
    auto sample = std::make_shared<T>();
    TypePtr type = bind(*sample);
    return std::pair{std::shared_ptr<void>(sample), std::move(type)};
  };
}

// --- containers ---------------------------------------------------------------------------------------------------

/// A list seen through functions; `bounds` are its least and largest length.
struct ListAccess {
  std::size_t min{}, max{std::numeric_limits<std::size_t>::max()};
  std::function<void(std::size_t)> resize;
  std::function<std::size_t()> size;
  std::function<TypePtr(std::size_t)> item;
  std::function<std::pair<std::shared_ptr<void>, TypePtr>()> sample;  ///< an item to describe, and what it is bound to
};
[[nodiscard]] TypePtr list(ListAccess access);

/// The items of a container, each seen as `item` says.
template <class Container>
[[nodiscard]] ListAccess items_of(Container& target, std::function<TypePtr(typename Container::value_type&)> item) {
  return {.resize = [](std::size_t) {},
          .size = [&target] { return target.size(); },
          .item = [&target, item](std::size_t i) { return item(target[i]); },
          .sample = sample_of<typename Container::value_type>(item)};
}
/// A list of any length, at least `min`.
template <class T>
[[nodiscard]] TypePtr list(std::vector<T>& target, std::size_t min, std::function<TypePtr(T&)> item) {
  ListAccess access = items_of(target, std::move(item));
  access.min = min;
  access.resize = [&target](std::size_t n) {
    target.clear();
    target.resize(n);
  };
  return list(std::move(access));
}
/// A list of as many values as the target has.
template <class Container>
[[nodiscard]] TypePtr fixed_list(Container& target, std::function<TypePtr(typename Container::value_type&)> item) {
  ListAccess access = items_of(target, std::move(item));
  access.min = access.max = target.size();
  return list(std::move(access));
}
[[nodiscard]] TypePtr vector3(Vector3& target, core::Dimension dimension = core::Dimension::none);

/// A value that may be absent, and is so by default.
struct OptionalAccess {
  std::function<TypePtr()> engage;                  ///< makes the value and binds it
  std::function<std::optional<TypePtr>()> present;  ///< the bound value if there is one
  std::function<std::pair<std::shared_ptr<void>, TypePtr>()> sample;
};
[[nodiscard]] TypePtr optional(OptionalAccess access);
template <class T, class Bind>
[[nodiscard]] TypePtr optional(std::optional<T>& target, Bind bind) {
  return optional(OptionalAccess{.engage = [&target, bind] { return TypePtr(bind(target.emplace())); },
                                 .present = [&target, bind]() -> std::optional<TypePtr> {
                                   if (!target) return std::nullopt;
                                   return TypePtr(bind(*target));
                                 },
                                 .sample = sample_of<T>(bind)});
}

}  // namespace maxwell_dg::config
