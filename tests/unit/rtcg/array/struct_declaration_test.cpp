#include "rtcg/array/struct_declaration.hpp"

#include "core/device/argument.hpp"
#include "rtcg/array/kernel_headers.hpp"
#include "tests/unit/rtcg/array/array_fixture.hpp"

namespace maxwell_dg::rtcg {
namespace {

struct Pair {
  std::int16_t a = 0;
  double b = 0;
};
struct alignas(16) Particle {
  bool alive = false;
  float position[2][3] = {};
  std::int64_t secret = 7;
  Half weight;
  Pair pairs[2];
  std::complex<float> charge;
};

std::string declarations() {
  return declare_struct<Pair>("Pair", {{"a", &Pair::a}, {"b", &Pair::b}}) +
         declare_struct<Particle>("Particle", {{"charge", &Particle::charge},
                                               {"alive", &Particle::alive},
                                               {"position", &Particle::position},
                                               {"weight", &Particle::weight},
                                               {"pairs", &Particle::pairs, "Pair"}});
}

class StructDeclarationTest : public ArrayTest {};

TEST_F(StructDeclarationTest, names_members_and_what_lies_between_them) {
  EXPECT_EQ(declare_struct<Pair>("Pair", {{"b", &Pair::b}, {"a", &Pair::a}}),
            "typedef struct {\n  int16 a;\n  unsigned char unused_2[6];\n  float64 b;\n} Pair;\n"
            "typedef char Pair_is_that_of_the_host[sizeof(Pair) == 16 ? 1 : -1];\n");
}

TEST_F(StructDeclarationTest, lets_kernels_read_and_write_what_the_host_has) {
  if (!has_float64()) GTEST_SKIP() << "needs float64";
  const std::string text = "#include \"array_types.h\"\n#include \"array_complex.h\"\n" + declarations() + R"(
KERNEL void change(GLOBAL Particle* particles, Particle other) {
  Particle p = particles[GLOBAL_ID(0)];
  p.alive = !p.alive;
  p.position[1][2] = other.position[1][2] + p.position[0][1];
  p.weight = float16_of(2 * float16_value(p.weight));
  p.pairs[1].b += other.pairs[0].b;
  p.pairs[0].a = (int16)sizeof(Particle);
  p.charge = complex64_mul(p.charge, p.charge);
  particles[GLOBAL_ID(0)] = p;
})";
  std::vector<Particle> particles(3);
  for (Particle& p : particles) {
    p.position[0][1] = static_cast<float>(&p - particles.data());
    p.weight = Half(1.5F);
    p.pairs[1].b = 0.25;
    p.charge = {0, 2};
  }
  Particle other;
  other.position[1][2] = 10;
  other.pairs[0].b = 1;
  const core::Buffer buffer = context().allocate(sizeof(Particle) * particles.size());
  const core::Stream& stream = context().stream();
  stream.write(buffer, 0, std::as_bytes(std::span(particles)));
  context()
      .compiler()
      .compile({.name = "struct.kernel", .text = text, .headers = array_headers()})
      .kernel("change")
      .launch(stream, {.groups = {3, 1, 1}}, {buffer, core::StructArgument(other)});
  stream.read(buffer, 0, std::as_writable_bytes(std::span(particles)));
  stream.synchronize();
  for (std::size_t i = 0; i < particles.size(); ++i) {
    const Particle& p = particles[i];
    EXPECT_TRUE(p.alive);
    EXPECT_EQ(p.position[1][2], 10 + static_cast<float>(i));
    EXPECT_EQ(p.secret, 7);
    EXPECT_EQ(static_cast<float>(p.weight), 3);
    EXPECT_EQ(p.pairs[1].b, 1.25);
    EXPECT_EQ(p.pairs[0].a, static_cast<std::int16_t>(sizeof(Particle)));
    EXPECT_EQ(p.charge, std::complex<float>(-4, 0));
  }
}

TEST_F(StructDeclarationTest, does_not_compile_where_the_device_has_another_layout) {
  const StructMember number{.name = "x", .type = "int32", .extents = {}, .offset = 0, .bytes = 2};
  const std::string text = struct_declaration("Short", {number}, 2) + "KERNEL void k(GLOBAL Short* s) { s[0].x = 1; }";
  EXPECT_NE(message_of<CompileError>([&] {
              (void)context().compiler().compile({.name = "s", .text = text});
            }).find("Short_is_that_of_the_host"),
            std::string::npos);
  EXPECT_EQ(message_of<ArrayError>([&] {
              (void)declare_struct<Pair>("Pair", {{"a", &Pair::a}, {"again", &Pair::a}});
            }),
            "struct 'Pair': member 'again' overlaps with another, or lies outside");
}

}  // namespace
}  // namespace maxwell_dg::rtcg
