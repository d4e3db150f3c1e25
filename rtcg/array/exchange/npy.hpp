#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

#include "rtcg/array/device_array.hpp"

/// NumPy's file format for one array (NEP 1, versions 1, 2 and 3).
namespace maxwell_dg::rtcg {

/// The array in a file. What is stored column by column (`fortran_order`) comes as a transposed view; other machines'
/// byte order is turned. Throws ArrayError naming the file, and what is wrong with it: missing, no .npy file,
/// truncated, a dtype that arrays do not have.
[[nodiscard]] DeviceArray load_npy(const Context& context, const std::filesystem::path& path);
/// From an open stream; `name` is what errors call it.
[[nodiscard]] DeviceArray read_npy(const Context& context, std::istream& in, const std::string& name);

/// Row by row, in this machine's byte order; the file appears whole or not at all. Throws OutputError.
void save_npy(const std::filesystem::path& path, const DeviceArray& array);
void write_npy(std::ostream& out, const DeviceArray& array);

}  // namespace maxwell_dg::rtcg
