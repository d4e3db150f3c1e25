#include "dg/codegen/lanes/record_squares.hpp"

#include <algorithm>

#include "dg/codegen/kernel_code.hpp"

namespace maxwell_dg::dg {

using namespace rtcg::syntax;

std::string vector_of(int parts, const std::function<std::string(int part)>& part) {
  std::string list;
  for (int i = 0; i < parts; ++i) list += (i > 0 ? ", " : "") + part(i);
  return "(value)(" + list + ")";
}

std::string numbers_of(const std::string& vector, int first, int count) {
  std::string text = vector + ".s";
  for (int i = first; i < first + count; ++i) text += "0123456789abcdef"[i];
  return text;
}

namespace {

/// Numbers of two vectors, those of the second behind those of the first: one shuffle.
std::string mixed(const std::string& a, const std::string& b, const std::vector<int>& places) {
  std::string list;
  for (const int place : places) list += ", " + number(place);
  return "MIXED(" + a + ", " + b + list + ")";
}

void append_run(std::vector<int>& places, int first, int count) {
  for (int i = first; i < first + count; ++i) places.push_back(i);
}

}  // namespace

std::vector<int> RecordSquares::first_fields(int numbers) const {
  std::vector<int> firsts;
  for (int f = 0; f < fields; f += numbers) firsts.push_back(std::clamp(fields - numbers, 0, f));
  return firsts;
}

Block RecordSquares::turn() const {
  Block block;
  for (int i = 0; i < at_once; ++i) {
    block += Declare("value", "r" + number(i), at("r", i));
    block += Line("KEEP_WHOLE(r" + number(i) + ");");
  }
  // Of each 16 bytes the lower or upper halves of two vectors, in turns, so many numbers a turn.
  const auto interleaved = [&](const std::string& a, const std::string& b, int half, int step) {
    std::vector<int> places;
    for (int part = 0; part < lanes; part += at_once) {
      for (int i = part + half * at_once / 2, end = i + at_once / 2; i < end; i += step) {
        append_run(places, i, step);
        append_run(places, lanes + i, step);
      }
    }
    return mixed(a, b, places);
  };
  for (int half = 0; half < 2; ++half) {
    const std::string h = number(half);
    if (at_once == 2) {
      block += Assign(at("r", half), interleaved("r0", "r1", half, 1));
      continue;
    }
    block += Declare("const value", "a" + h, interleaved("r0", "r1", half, 1));
    block += Declare("const value", "b" + h, interleaved("r2", "r3", half, 1));
    for (int i = 0; i < 2; ++i) block += Assign(at("r", 2 * half + i), interleaved("a" + h, "b" + h, i, 2));
  }
  return block;
}

Block RecordSquares::load() const {
  Block block;
  const int sets = loaded() / at_once, parts = lanes / loaded(), of_a_set = lanes / sets;
  for (int set = 0; set < sets; ++set) {
    const int first = set * at_once;
    for (int i = 0; i < at_once; ++i) {
      block += Assign(at("turned", first + i), vector_of(parts, [&](int part) {
                        const int lane = set * of_a_set + part * at_once + i;
                        return "*(GLOBAL const record_load*)(" + at("records", lane) + " + first)";
                      }));
    }
    block += Line("turn(turned + " + number(first) + ");");
  }
  if (sets == 1) return block;
  // Now the vectors of each set are of its lanes, and have two numbers of theirs in turns, 16 bytes each.
  for (int i = 0; i < at_once; ++i) {
    const std::string some = "some" + number(i), others = "others" + number(i);
    block += Declare("const value", some, at("turned", i));
    block += Declare("const value", others, at("turned", at_once + i));
    for (int half = 0; half < 2; ++half) {
      std::vector<int> places;
      for (int part = half * at_once; part < 2 * lanes; part += 2 * at_once) append_run(places, part, at_once);
      block += Assign(at("turned", half * at_once + i), mixed(some, others, places));
    }
  }
  return block;
}

Block RecordSquares::store() const {
  Block block;
  for (int lane = 0; lane < lanes; ++lane) {
    const std::string whole = at("turned", lane % at_once);
    block += Assign("*(SHARED record_store*)(records + " + number(lane) + " * ELEMENT)",
                    lanes == at_once ? whole : numbers_of(whole, lane / at_once * at_once, at_once));
  }
  return block;
}

}  // namespace maxwell_dg::dg
