#include "rtcg/tune/ceiling_kernels.hpp"

#include "rtcg/source/substitute.hpp"
#include "rtcg/source/syntax.hpp"

namespace maxwell_dg::rtcg {

using namespace syntax;

namespace {

// On a CPU an ordinary store reads the line first, traffic that the count leaves out: stores bypass the cache there.
constexpr const char* copy_template = R"(
#if defined(OPENCL_DIALECT) && ${run} > 1 && defined(__has_builtin)
#if __has_builtin(__builtin_nontemporal_store)
#define STORE(value, to) __builtin_nontemporal_store(value, to)
#endif
#endif
#ifndef STORE
#define STORE(value, to) (*(to) = (value))
#endif
KERNEL void copy(GLOBAL ${vector}* RESTRICT to, GLOBAL const ${vector}* RESTRICT from) {
  const int64 first = GLOBAL_ID(0) * ${run};
  for (int32 i = 0; i < ${run}; ++i) STORE(from[first + i], &to[first + i]);
}
)";

std::string vector_type(Dtype dtype, std::size_t lanes) {
  std::string type(name_of(dtype));
  if (lanes > 1) type.append("x").append(std::to_string(lanes));
  return type;
}

std::string group_limit(std::size_t size) {
  return "GROUP_LIMIT(" + std::to_string(size) + ", 1, 1)";
}

For unrolled(const std::string& variable, int count, Block body) {
  return {variable, "0", std::to_string(count), std::move(body), For::Unrolling::full};
}

// before0after, before1after, ... from `first`
std::string listed(const std::string& before, int first, int count, const std::string& after) {
  std::string text;
  for (int i = first; i < first + count; ++i) text += (i > first ? ", " : "") + before + std::to_string(i) + after;
  return text;
}

}  // namespace

std::string copy_kernel(std::size_t lanes, std::size_t run) {
  return substitute(copy_template, {{"vector", vector_type(Dtype::float32, lanes)}, {"run", std::to_string(run)}});
}

std::string fma_kernel(Dtype dtype, std::size_t lanes, std::size_t group_size) {
  Block body{Declare("const vector", "m", "(vector)(factor)"), Declare("const vector", "c", "(vector)(term)")};
  Block round;
  std::string sum;
  for (int i = 0; i < fma_chains; ++i) {
    const std::string a = "a" + std::to_string(i);
    body += Declare("vector", a, "(vector)((real)(GLOBAL_ID(0) + " + std::to_string(i) + "))");
    round += Assign(a, "fma(" + a + ", m, c)");
    sum += (i > 0 ? " + " : "") + a;
  }
  body += For("round", "0", "rounds", round);
  body += Assign("out[GLOBAL_ID(0)]", sum);
  return print(Block{Line("typedef " + std::string(name_of(dtype)) + " real;"),
                     Line("typedef " + vector_type(dtype, lanes) + " vector;"),
                     Function("KERNEL void " + group_limit(group_size) +
                                  " chains(GLOBAL vector* out, real factor, real term, int32 rounds)",
                              body)});
}

std::vector<TensorInstruction> tensor_instructions(int architecture) {
  const auto f32 = Dtype::float32, f64 = Dtype::float64;
  if (architecture < 80) return {};
  const TensorInstruction tf32{.name = "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
                               .accumulator = f32,
                               .operand = Dtype::uint32,
                               .a = 4,
                               .b = 2,
                               .c = 4,
                               .operations = 2.0 * 16 * 8 * 8};
  if (architecture < 90) {
    return {tf32,
            {.name = "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64",
             .accumulator = f64,
             .operand = f64,
             .a = 1,
             .b = 1,
             .c = 2,
             .operations = 2.0 * 8 * 8 * 4}};
  }
  return {tf32,
          {.name = "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64",
           .accumulator = f64,
           .operand = f64,
           .a = 8,
           .b = 4,
           .c = 4,
           .operations = 2.0 * 16 * 8 * 16}};
}

// Inline assembly numbers its operands: c (read and written) first, then a, then b.
std::string tensor_kernel(const TensorInstruction& mma, std::size_t group_size) {
  const std::string accumulator(name_of(mma.accumulator));
  const std::string operand(name_of(mma.operand));
  const std::string c_is = mma.accumulator == Dtype::float64 ? "\"+d\"(c[j][" : "\"+f\"(c[j][";
  const std::string ab_is = mma.operand == Dtype::float64 ? "\"d\"(" : "\"r\"(";
  const std::string c_list = "{" + listed("%", 0, mma.c, "") + "}";
  const std::string a_list = "{" + listed("%", mma.c, mma.a, "") + "}";
  const std::string b_list = "{" + listed("%", mma.c + mma.a, mma.b, "") + "}";
  const std::string multiply = "asm volatile(\"" + mma.name + " " + c_list + ", " + a_list + ", " + b_list + ", " +
                               c_list + ";\" : " + listed(c_is, 0, mma.c, "])") + " : " +
                               listed(ab_is + "a[", 0, mma.a, "])") + ", " + listed(ab_is + "b[", 0, mma.b, "])") +
                               ");";
  const auto each_accumulator = [&](const Statement& statement) {
    return unrolled("j", tensor_chains, {unrolled("i", mma.c, {statement})});
  };
  const Block body{
      Declare(accumulator, "c[" + std::to_string(tensor_chains) + "][" + std::to_string(mma.c) + "]"),
      Declare(operand, "a[" + std::to_string(mma.a) + "]"),
      Declare(operand, "b[" + std::to_string(mma.b) + "]"),
      // Different values: equal ones would share a register, whose bank then limits the rate (by 5 % on an H200).
      unrolled("i", mma.a, {Assign("a[i]", "LOCAL_ID(0) + i")}),
      unrolled("i", mma.b, {Assign("b[i]", "3 * LOCAL_ID(0) + i")}),
      each_accumulator(Assign("c[j][i]", "LOCAL_ID(0) + j")),
      For("round", "0", "rounds", {unrolled("j", tensor_chains, {Line(multiply)})}),
      Declare(accumulator, "sum", "0"),
      each_accumulator(Assign("sum", "c[j][i]", "+=")),
      Assign("out[GLOBAL_ID(0)]", "sum"),
  };
  return print(Function(
      "KERNEL void " + group_limit(group_size) + " tensor(GLOBAL " + accumulator + "* out, int32 rounds)", body));
}

}  // namespace maxwell_dg::rtcg
