#include "dg/codegen/vectors/record_squares.hpp"

#include <algorithm>
#include <utility>

#include "dg/codegen/kernel_values.hpp"

namespace maxwell_dg::dg {

using List = rtcg::Value::List;

namespace {

void append_run(std::vector<int>& indices, int first, int count) {
  for (int i = first; i < first + count; ++i) indices.push_back(i);
}

}  // namespace

std::vector<std::string> RecordSquares::lane_names(int lanes) {
  std::vector<std::string> names;
  for (int lane = 0; lane < lanes; ++lane) names.emplace_back(1, "0123456789abcdef"[lane]);
  return names;
}

std::vector<int> RecordSquares::first_fields(int numbers) const {
  std::vector<int> firsts;
  for (int f = 0; f < fields; f += numbers) firsts.push_back(std::clamp(fields - numbers, 0, f));
  return firsts;
}

std::vector<int> RecordSquares::interleaved(int half, int step) const {
  std::vector<int> indices;
  for (int part = 0; part < lanes; part += at_once) {
    for (int i = part + half * at_once / 2, end = i + at_once / 2; i < end; i += step) {
      append_run(indices, i, step);
      append_run(indices, lanes + i, step);
    }
  }
  return indices;
}

rtcg::Record RecordSquares::values() const {
  List loads;
  int end = 0;  // of the fields that were loaded so far
  for (const int first : first_fields(loaded())) {
    std::vector<int> more;
    for (; end < std::min(fields, first + loaded()); ++end) more.push_back(end);
    loads.emplace_back(rtcg::Record{{"first", first}, {"fields", values_of(more)}});
  }
  const int set_count = loaded() / at_once;
  List sets, of_sets, stored, by_one, by_two;
  for (int set = 0; set < set_count; ++set) {
    List vectors;
    for (int i = 0; i < at_once; ++i) {
      std::vector<int> of_vector;
      for (int part = 0; part < lanes / loaded(); ++part) {
        of_vector.push_back(set * lanes / set_count + part * at_once + i);
      }
      vectors.emplace_back(values_of(of_vector));
    }
    sets.emplace_back(std::move(vectors));
  }
  for (int half = 0; half < 2; ++half) {
    by_one.emplace_back(values_of(interleaved(half, 1)));
    by_two.emplace_back(values_of(interleaved(half, 2)));
    std::vector<int> indices;
    for (int part = half * at_once; part < 2 * lanes; part += 2 * at_once) append_run(indices, part, at_once);
    of_sets.emplace_back(values_of(indices));
  }
  const std::vector<std::string> names = lane_names(lanes);
  for (int lane = 0; lane < lanes; ++lane) {
    List numbers;  // of a vector, that are stored; none: all
    const int first = lane / at_once * at_once;
    for (int i = first; lanes > at_once && i < first + at_once; ++i)
      numbers.emplace_back(names[static_cast<std::size_t>(i)]);
    stored.emplace_back(std::move(numbers));
  }
  return {{"at_once", at_once},
          {"loaded", loaded()},
          {"fit", fit()},
          {"loads", std::move(loads)},
          {"stores", values_of(first_fields(at_once))},
          {"by_one", std::move(by_one)},
          {"by_two", std::move(by_two)},
          {"sets", std::move(sets)},
          {"of_sets", std::move(of_sets)},
          {"stored", std::move(stored)}};
}

}  // namespace maxwell_dg::dg
