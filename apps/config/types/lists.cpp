#include <nlohmann/json.hpp>

#include "apps/config/type.hpp"

namespace maxwell_dg::config {

namespace {

class List : public Type {
 public:
  explicit List(ListAccess access) : access_(std::move(access)) {}

  void read(const Value& value, Reader& reader) const override {
    const std::size_t n = value.items.size();
    if (value.kind != Value::Kind::list) {
      return reader.wrong(value, allowed(), value.kind == Value::Kind::map ? "; a list of one is [{...}]" : "");
    }
    if (n < access_.min || n > access_.max) {
      return reader.error(value.place, "found a list of " + std::to_string(n) + "; allowed: " + allowed());
    }
    access_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const Reader::Step step(reader, std::to_string(i), value.items[i].place);
      access_.item(i)->read(value.items[i], reader);
    }
  }
  std::optional<Value> write() const override {
    Value list = Value::list();
    for (std::size_t i = 0; i < access_.size(); ++i) {
      if (auto item = access_.item(i)->write()) list.items.push_back(std::move(*item));
    }
    return list;
  }
  std::string allowed() const override {
    std::string length;
    if (access_.min == access_.max) length = " of " + std::to_string(access_.min);
    if (access_.min < access_.max && access_.min > 0) length = " of at least " + std::to_string(access_.min);
    return "a list" + length + ", each " + access_.sample().second->allowed();
  }
  Json schema() const override {
    const auto sample = access_.sample();
    Json schema{{"type", "array"}, {"items", sample.second->schema()}};
    if (access_.min > 0) schema["minItems"] = access_.min;
    if (access_.max == access_.min) schema["maxItems"] = access_.max;
    return schema;
  }
  void list_keys(const std::string& path, std::vector<ReferenceRow>& rows) const override {
    const auto sample = access_.sample();
    sample.second->list_keys(path + ".N", rows);
  }

 private:
  ListAccess access_;
};

class Optional : public Type {
 public:
  explicit Optional(OptionalAccess access) : access_(std::move(access)) {}

  void read(const Value& value, Reader& reader) const override { access_.engage()->read(value, reader); }
  std::optional<Value> write() const override {
    const auto present = access_.present();
    return present ? (*present)->write() : std::nullopt;
  }
  std::string allowed() const override { return access_.sample().second->allowed(); }
  Json schema() const override { return access_.sample().second->schema(); }
  void list_keys(const std::string& path, std::vector<ReferenceRow>& rows) const override {
    const auto sample = access_.sample();
    sample.second->list_keys(path, rows);
  }

 private:
  OptionalAccess access_;
};

}  // namespace

TypePtr list(ListAccess access) {
  return std::make_shared<List>(std::move(access));
}
TypePtr optional(OptionalAccess access) {
  return std::make_shared<Optional>(std::move(access));
}

TypePtr vector3(Vector3& target, core::Dimension dimension) {
  return fixed_list<Vector3>(target, [dimension](double& x) { return number(x, {.dimension = dimension}); });
}

}  // namespace maxwell_dg::config
