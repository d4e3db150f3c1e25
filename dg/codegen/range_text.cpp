#include "dg/codegen/range_text.hpp"

#include <utility>

namespace maxwell_dg::dg {

using namespace rtcg::syntax;

Block RangeText::store(Store store) const {
  if (!has_ranges_) return std::move(store.whole);
  const std::string is_in_range = "element >= range_begin && element < range_end";
  return {If(store.is_whole, std::move(store.whole),
             {For("c", "0", store.vector_values,
                  {Declare("const int32", "element", store.element), If(is_in_range, std::move(store.value))})})};
}

}  // namespace maxwell_dg::dg
