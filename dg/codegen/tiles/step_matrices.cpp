#include "dg/codegen/tiles/step_matrices.hpp"

#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/tiles/kernel_texts.hpp"
#include "rtcg/source/substitute.hpp"

namespace maxwell_dg::dg {

using namespace rtcg::syntax;

std::string StepMatrices::set(int number) const {
  return name + "[" + std::to_string(number) + "]";
}

Block StepMatrices::assign(int to_set, const std::string& value) const {
  const Block of_tile{For("d", "0", number(a_step), {Assign(set(to_set) + "[i][d]", value)}, For::Unrolling::full)};
  return {For("i", "0", "TILES", of_tile, For::Unrolling::full)};
}

Block StepMatrices::fetch(int to_set) const {
  return assign(to_set, "load_right(next + (i * WARPS_A_TILE_ROW * " + steps + " * " + number(a_step) +
                            " + d) * RIGHT_LANES * RIGHT)");
}

std::string StepMatrices::loop(const std::function<Block(const std::string&)>& products) const {
  const auto fetch_next = [&](int to_set) {
    Block block{Assign("next", number(a_step) + " * RIGHT_LANES * RIGHT", "+=")};
    block += fetch(to_set);
    return text_of(block);
  };
  if (!are_ahead) {
    return rtcg::substitute(kernels::stage_steps, {{"products", text_of(products(set(0)))}, {"fetch", fetch_next(0)}});
  }
  return rtcg::substitute(kernels::stage_steps_ahead, {{"fetch_other", fetch_next(1)},
                                                       {"products", text_of(products(set(0)))},
                                                       {"fetch", fetch_next(0)},
                                                       {"products_of_other", text_of(products(set(1)))},
                                                       {"take_other", text_of(assign(0, set(1) + "[i][d]"))}});
}

}  // namespace maxwell_dg::dg
