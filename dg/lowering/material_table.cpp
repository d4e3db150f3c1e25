#include "dg/lowering/material_table.hpp"

#include <cstring>
#include <string>
#include <unordered_map>

namespace maxwell_dg::dg {

MaterialTable MaterialTable::make(const LoweredSystem& lowered, const std::vector<std::vector<double>>& parameters,
                                  std::size_t K) {
  MaterialTable table;
  table.material.resize(K);
  std::unordered_map<std::string, std::int32_t> rows;  // by the parameters' bytes
  std::string key(parameters.size() * sizeof(double), '\0');
  for (std::size_t k = 0; k < K; ++k) {
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      std::memcpy(&key[p * sizeof(double)], &parameters[p][k], sizeof(double));
    }
    const auto [place, is_new] = rows.try_emplace(key, static_cast<std::int32_t>(table.constants.size()));
    if (is_new) table.constants.push_back(lowered.constants_of(parameters, k));
    table.material[k] = place->second;
  }
  return table;
}

}  // namespace maxwell_dg::dg
