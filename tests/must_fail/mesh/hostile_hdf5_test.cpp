// HDF5 files of tests/must_fail/mesh/data, which make_hdf5.py wrote: each claims what it does not hold.
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {
namespace {

const std::filesystem::path files = std::filesystem::path(MAXWELL_DG_SOURCE_DIR) / "tests/must_fail/mesh/data";

void expect_damaged(const std::vector<std::string>& names, const std::string& why) {
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    try {
      (void)read_mesh(files / name);
      ADD_FAILURE() << "it was read";
    } catch (const MeshError& error) {
      EXPECT_NE(std::string(error.what()).find(name + ": damaged, truncated or no mesh: " + why), std::string::npos)
          << error.what();
    }
  }
}

TEST(HostileHdf5, good_mesh_beside_them_is_read) {
  EXPECT_EQ(read_mesh(files / "good.h5").cells.size(), 1U);
}

TEST(HostileHdf5, extents_beyond_the_file_are_found_before_memory_is_taken) {
  const std::string more = " claims to hold more than is in the file";
  expect_damaged({"texts_overflow.h5", "texts_overflow_by_one.h5", "texts_many.h5"}, "regions" + more);
  expect_damaged({"vertices_overflow.h5", "vertices_many.h5", "vertices_none_but_wide.h5"}, "vertices" + more);
  expect_damaged({"values_overflow.h5"}, "cell_values/v" + more);
}

TEST(HostileHdf5, values_that_were_never_written_are_missed) {
  expect_damaged({"vertices_unwritten.h5"}, "vertices claims to hold more");
  expect_damaged({"chunk_large.h5"}, "cell_region claims to hold more");
}

TEST(HostileHdf5, nothing_is_read_from_other_files) {
  expect_damaged({"external_storage.h5"}, "vertices keeps its values in another file");
  expect_damaged({"external_link.h5", "link_through_a_link.h5"}, "vertices is a link into another file");
  expect_damaged({"external_group.h5"}, "cell_values is a link into another file");
  expect_damaged({"view.h5"}, "vertices is a view of other datasets");
}

TEST(HostileHdf5, attributes_of_many_values_are_refused) {
  expect_damaged({"many_versions.h5"}, "version is not one value");
  expect_damaged({"many_formats.h5"}, "format is not one value");
}

}  // namespace
}  // namespace maxwell_dg::dg
