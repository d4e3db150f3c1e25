#include <optional>
#include <system_error>

#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/digest.hpp"
#include "core/error.hpp"
#include "core/json_text.hpp"
#include "core/log.hpp"
#include "core/own_file.hpp"
#include "rtcg/tune/ceilings.hpp"

namespace maxwell_dg::rtcg {

namespace {

/// The numbers and their names in the file: one list for reading and writing.
struct Entry {
  const char* name;
  double Ceilings::*value;
};
constexpr Entry entries[] = {{"copy_gb_s", &Ceilings::copy_gb_s},
                             {"fma_gflops_single", &Ceilings::fma_gflops_single},
                             {"fma_gflops_double", &Ceilings::fma_gflops_double},
                             {"tensor_gflops_tf32", &Ceilings::tensor_gflops_tf32},
                             {"tensor_gflops_double", &Ceilings::tensor_gflops_double}};

std::filesystem::path file_of(const core::Device& device, const std::filesystem::path& directory) {
  Sha256 key;
  key.add_field("ceilings 2");
  key.add_field(device.info().name);
  key.add_field(device.info().processor);
  for (const std::string& part : device.compiler_fingerprint()) key.add_field(part);
  return directory / ("ceilings_" + key.hex().substr(0, 16) + ".json");
}

std::optional<Ceilings> read(const std::filesystem::path& file) {
  const nlohmann::ordered_json json = nlohmann::ordered_json::parse(read_own_file(file).value_or(""), nullptr, false);
  if (!json.is_object()) return std::nullopt;
  Ceilings ceilings;
  for (const auto& [name, value] : entries) {
    if (!json.contains(name) || !json[name].is_number()) return std::nullopt;
    ceilings.*value = json[name];
  }
  return ceilings;
}

}  // namespace

void keep_ceilings(const core::Device& device, const Ceilings& ceilings,
                   const std::filesystem::path& wisdom_directory) {
  nlohmann::ordered_json json{{"device", device.info().name}};
  for (const auto& [name, value] : entries) json[name] = ceilings.*value;
  try {
    std::error_code ignored;  // what goes wrong here shows when the file is written
    std::filesystem::create_directories(wisdom_directory, ignored);
    const std::filesystem::path file = file_of(device, wisdom_directory);
    make_way_for_own_file(file);
    write_file_atomically(file, std::string_view(json_text(json) + "\n"));
  } catch (const OutputError& error) {
    log_warning(std::string("the device's measured ceilings are not kept: ") + error.what());
  }
}

std::optional<Ceilings> find_ceilings(const core::Device& device, const std::filesystem::path& wisdom_directory) {
  return read(file_of(device, wisdom_directory));
}

Ceilings known_ceilings(Compiler& compiler, const std::filesystem::path& wisdom_directory) {
  if (const auto known = find_ceilings(compiler.device(), wisdom_directory)) return *known;
  const Ceilings measured = measure_ceilings(compiler);
  keep_ceilings(compiler.device(), measured, wisdom_directory);
  return measured;
}

}  // namespace maxwell_dg::rtcg
