#include "rtcg/array/argument_code.hpp"

#include <algorithm>
#include <cctype>

#include "rtcg/array/error.hpp"
#include "rtcg/array/kernel_types.hpp"
#include "rtcg/source/is_word.hpp"

namespace maxwell_dg::rtcg {

namespace {

// Start of the token at or behind `at`.
std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
  return at;
}

// Position behind `[i]` where `at` is what follows a name, else npos.
std::size_t behind_index(std::string_view text, std::size_t at) {
  constexpr auto npos = std::string_view::npos;
  for (const char expected : {'[', 'i', ']'}) {
    at = skip_blanks(text, at);
    if (at >= text.size() || text[at] != expected) return npos;
    ++at;
  }
  return at;
}

/// A word in C text.
struct Word {
  std::size_t begin{}, end{};
};

// Names and keywords; not the suffixes of numbers, nor members, nor what comments and strings hold.
std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  for (std::size_t i = 0; i < text.size();) {
    if (text.substr(i, 2) == "//") {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.substr(i, 2) == "/*") {
      const std::size_t end = text.find("*/", i + 2);
      i = end == std::string_view::npos ? text.size() : end + 2;
    } else if (!is_word(text[i])) {
      ++i;
    } else {
      const std::size_t begin = i;
      while (i < text.size() && (is_word(text[i]) || (std::isdigit(text[begin]) != 0 && text[i] == '.'))) ++i;
      const bool is_member = begin > 0 && (text[begin - 1] == '.' || text.substr(begin - 1, 1) == ">") &&
                             (text[begin - 1] == '.' || (begin > 1 && text[begin - 2] == '-'));
      if (std::isdigit(text[begin]) == 0 && !is_member) words.push_back({begin, i});
    }
  }
  return words;
}

// A number's type as a parameter: OpenCL passes no bool, and core passes 32 bits and more.
std::string parameter_type(Dtype dtype) {
  const Dtype part = real_part_of(dtype);
  if (part == Dtype::float16) return "float32";
  if (size_of(part) >= 4) return std::string(name_of(part));
  return kind_of(part) == DtypeKind::unsigned_integer ? "uint32" : "int32";
}

template <class T>
void add_number(std::vector<core::KernelArgument>& list, T value) {
  if constexpr (is_complex(dtype_of<T>)) {
    list.emplace_back(value.real());
    list.emplace_back(value.imag());
  } else if constexpr (std::same_as<T, Half>) {
    list.emplace_back(static_cast<float>(value));
  } else if constexpr (sizeof(T) >= 4) {
    list.emplace_back(value);
  } else if constexpr (kind_of(dtype_of<T>) == DtypeKind::unsigned_integer) {
    list.emplace_back(std::uint32_t{value});
  } else {
    list.emplace_back(std::int32_t{value});
  }
}

}  // namespace

ElementText analyzed(std::vector<Argument> arguments, const std::string& original) {
  ElementText result{.arguments = std::move(arguments), .text = {}};
  const std::string_view text = original;
  const std::vector<Word> words = words_of(text);
  const auto name_at = [&](const Word& word) { return text.substr(word.begin, word.end - word.begin); };
  for (const Argument& argument : result.arguments) {
    bool occurs = false, always_at_i = true;
    for (const Word& word : words) {
      if (name_at(word) != argument.name) continue;
      occurs = true;
      always_at_i = always_at_i && behind_index(text, word.end) != std::string_view::npos;
    }
    result.is_element.push_back(argument.is_array() && occurs && always_at_i);
  }
  std::size_t done = 0;
  for (const Word& word : words) {
    if (word.begin < done) continue;  // the i of an x[i]
    if (name_at(word) == "i") result.uses_index = true;
    for (std::size_t a = 0; a < result.arguments.size(); ++a) {
      if (!result.is_element[a] || name_at(word) != result.arguments[a].name) continue;
      result.text += text.substr(done, word.end - done);
      result.text += "_i";
      done = behind_index(text, word.end);
    }
  }
  result.text += text.substr(done);
  return result;
}

bool uses_complex(const std::vector<Argument>& arguments, const std::string& text) {
  return std::ranges::any_of(arguments, [](const Argument& argument) { return is_complex(argument.dtype); }) ||
         text.find("complex") != std::string::npos;
}

std::string pointer_type(const Argument& argument) {
  return std::string("GLOBAL ") + (argument.kind == Argument::Kind::input ? "const " : "") +
         storage_type(argument.dtype) + "*";
}

std::vector<std::string> parameters_of(const Argument& argument, std::size_t axes) {
  const std::string& name = argument.name;
  if (!argument.is_array()) {
    const std::string type = parameter_type(argument.dtype);
    if (is_complex(argument.dtype)) return {type + " " + name + "_re", type + " " + name + "_im"};
    return {type + " " + name + "_given"};
  }
  std::vector<std::string> list{pointer_type(argument) + " " + name + "_data", "int64 " + name + "_offset"};
  for (std::size_t d = 0; d < axes; ++d) list.push_back("int64 " + name + "_stride_" + std::to_string(d));
  return list;
}

std::string declaration_of(const Argument& argument, bool is_element) {
  const std::string& name = argument.name;
  const std::string type = value_type(argument.dtype);
  if (argument.is_array()) {
    return pointer_type(argument) + " " + name + (is_element ? "_first" : "") + " = " + name + "_data + " + name +
           "_offset;";
  }
  if (is_complex(argument.dtype)) {
    return "const " + type + " " + name + " = " + type + "_of(" + name + "_re, " + name + "_im);";
  }
  return "const " + type + " " + name + " = (" + type + ")" + name + "_given;";
}

void add_values(std::vector<core::KernelArgument>& list, const Argument& argument, const Operand& operand,
                const Layout* layout) {
  if (const auto* number = std::get_if<Scalar>(&operand)) {
    visit_dtype(argument.dtype, [&]<class T>(T) { add_number(list, number->as<T>()); });
    return;
  }
  const auto& array = std::get<DeviceArray>(operand);
  list.emplace_back(array.buffer());
  list.emplace_back(layout != nullptr ? layout->offset : array.offset());
  if (layout != nullptr) list.insert(list.end(), layout->strides.begin(), layout->strides.end());
}

const Context& check_operands(const std::string& kernel, const ElementText& text, std::span<const Operand> operands) {
  const std::vector<Argument>& arguments = text.arguments;
  const auto place = [&] { return "kernel '" + kernel + "': "; };
  if (operands.size() != arguments.size()) {
    throw ArrayError(place() + std::to_string(operands.size()) + " operands for " + std::to_string(arguments.size()) +
                     " arguments");
  }
  const Context* context = nullptr;
  for (std::size_t a = 0; a < arguments.size(); ++a) {
    const Argument& argument = arguments[a];
    const auto of_argument = [&] { return place() + "argument '" + to_string(argument) + "'"; };
    const auto* array = std::get_if<DeviceArray>(&operands[a]);
    if (argument.is_array() != (array != nullptr)) {
      throw ArrayError(of_argument() + " was given " + (array == nullptr ? "a number" : "an array"));
    }
    if (array == nullptr) {
      try {
        visit_dtype(argument.dtype, [&]<class T>(T) { (void)std::get<Scalar>(operands[a]).as<T>(); });
      } catch (const DtypeError& error) {
        throw DtypeError(of_argument() + ": " + error.what());
      }
      continue;
    }
    if (array->dtype() != argument.dtype) {
      throw DtypeError(of_argument() + " was given an array of " + std::string(name_of(array->dtype())));
    }
    if (!text.is_element[a] && !array->is_contiguous()) {
      throw ShapeError(of_argument() + " is used other than as " + argument.name +
                       "[i], so its array must be contiguous");
    }
    if (context != nullptr && !(*context == array->context())) {
      throw ArrayError(of_argument() + " lives in another context than the arrays before it");
    }
    context = &array->context();
  }
  if (context == nullptr) throw ArrayError(place() + "it has no array argument to take the context from");
  return *context;
}

std::string comma_separated(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

}  // namespace maxwell_dg::rtcg
