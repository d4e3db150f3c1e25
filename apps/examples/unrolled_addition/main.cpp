#include <cstdio>
#include <string>

#include "apps/examples/example.hpp"
#include "core/device/call.hpp"
#include "rtcg/source/syntax.hpp"
#include "rtcg/source/template.hpp"

/// A loop unrolled by the program that writes the kernel: once by a template, once by a tree of statements.
namespace {

using namespace maxwell_dg;

constexpr int kGroup = 32;
constexpr int kUnrolled = 4;

constexpr const char* kTemplate = R"(
KERNEL void GROUP_LIMIT(${group}, 1, 1) add(GLOBAL float32* z, GLOBAL const float32* x, GLOBAL const float32* y) {
  const int64 first = (int64)GROUP_ID(0) * ${group * unrolled} + LOCAL_ID(0);
% for step in range(unrolled):
  z[first + ${step * group}] = x[first + ${step * group}] + y[first + ${step * group}];
% endfor
}
)";

std::string by_template() {
  return rtcg::Template("add.kernel", kTemplate).render({{"group", kGroup}, {"unrolled", kUnrolled}});
}

std::string by_tree() {
  namespace syntax = rtcg::syntax;
  const std::string group = std::to_string(kGroup);
  syntax::Block body;
  body += syntax::Declare("const int64", "first",
                          "(int64)GROUP_ID(0) * " + std::to_string(kGroup * kUnrolled) + " + LOCAL_ID(0)");
  for (int step = 0; step < kUnrolled; ++step) {
    const std::string at = "[first + " + std::to_string(step * kGroup) + "]";
    body += syntax::Assign("z" + at, "x" + at + " + y" + at);
  }
  return print(syntax::Function("KERNEL void GROUP_LIMIT(" + group +
                                    ", 1, 1) add(GLOBAL float32* z, "
                                    "GLOBAL const float32* x, GLOBAL const float32* y)",
                                body));
}

std::vector<float> sum_by(const rtcg::Context& context, const std::string& text, const std::vector<float>& x,
                          const std::vector<float>& y) {
  std::vector<float> z(x.size());
  const core::Kernel kernel = context.compiler().compile({.name = "add.kernel", .text = text}).kernel("add");
  core::call(context.device(), kernel,
             {.groups = {x.size() / (kGroup * kUnrolled), 1, 1}, .group_size = {kGroup, 1, 1}},
             {core::Out(z), core::In(x), core::In(y)});
  return z;
}

void unrolled_addition(const rtcg::Context& context) {
  const std::vector<float> x = examples::noise(4096, 1);
  const std::vector<float> y = examples::noise(4096, 2);
  std::vector<float> expected(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) expected[i] = x[i] + y[i];
  const std::string tree = by_tree();
  examples::require(sum_by(context, by_template(), x, y) == expected, "the template's kernel adds wrongly");
  examples::require(sum_by(context, tree, x, y) == expected, "the tree's kernel adds wrongly");
  std::printf("%s", tree.c_str());
}

}  // namespace

int main() {
  return examples::run(unrolled_addition);
}
