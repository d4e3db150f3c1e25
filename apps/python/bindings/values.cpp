#include "apps/python/bindings/values.hpp"

#include "apps/python/bindings/conversions.hpp"
#include "core/quantity.hpp"

namespace nb = nanobind;

namespace maxwell_dg::python {
namespace {

std::string below(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "." + key;
}

config::Value map_of(nb::handle mapping, const std::string& path) {
  config::Value map = config::Value::map();
  for (const nb::handle item : mapping.attr("items")()) {
    if (!nb::isinstance<nb::str>(item[0])) {
      const std::string message = (path.empty() ? "a config" : path) + ": keys are texts, found " + text_of(item[0]);
      throw nb::type_error(message.c_str());
    }
    const std::string key = text_of(item[0]);
    map.add(key, value_of(item[1], below(path, key)));
  }
  return map;
}

config::Value list_of(nb::handle sequence, const std::string& path) {
  config::Value list = config::Value::list();
  for (const nb::handle item : sequence) {
    list.items.push_back(value_of(item, below(path, std::to_string(list.items.size()))));
  }
  return list;
}

/// Numbers of NumPy have these methods, arrays of any size __len__ as well.
bool has(nb::handle value, const char* name) {
  return nb::hasattr(value, name);
}

}  // namespace

config::Value value_of(nb::handle value, const std::string& path) {
  const Recursion recursion;
  if (value.is_none()) return {};
  if (nb::isinstance<nb::bool_>(value)) return config::Value::scalar(nb::cast<bool>(value) ? "true" : "false");
  if (nb::isinstance<nb::str>(value)) return config::Value::string(text_of(value));
  if (has(value, "__fspath__")) return config::Value::string(text_of(value.attr("__fspath__")()));
  if (has(value, "items")) return map_of(value, path);
  if (has(value, "tolist")) return value_of(value.attr("tolist")(), path);  // NumPy's numbers and arrays
  if (PyIndex_Check(value.ptr()) != 0) return config::Value::scalar(text_of(index_of(value)));
  if (has(value, "__float__")) return config::Value::scalar(core::format_number(nb::cast<double>(nb::float_(value))));
  if (nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value)) return list_of(value, path);
  const std::string message = (path.empty() ? "a config" : path) + ": cannot hold a " +
                              text_of(value.type().attr("__name__")) +
                              "; a number, a text, a list or a mapping can stand here";
  throw nb::type_error(message.c_str());
}

}  // namespace maxwell_dg::python
