// What valid files of MSH may have besides nodes and elements of one volume each.
#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/error.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {
namespace {

namespace fs = std::filesystem;

/// An element as version 2 has it.
struct Element {
  int type;  ///< 2: triangle, 4: tetrahedron
  int physical, elementary;
  std::vector<int> nodes;
};

template <class T>
void append(std::string& text, const T& value) {
  text.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Two tetrahedra and more on five nodes, in version 2.2.
std::string msh22(const std::vector<Element>& elements, bool binary) {
  const std::vector<std::array<double, 3>> nodes{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  std::string text = binary ? "$MeshFormat\n2.2 1 8\n" : "$MeshFormat\n2.2 0 8\n";
  if (binary) append(text, std::int32_t{1}), text += '\n';
  text +=
      "$EndMeshFormat\n$PhysicalNames\n4\n2 11 \"wall\"\n2 12 \"port\"\n3 1 \"air\"\n3 2 \"glass\"\n"
      "$EndPhysicalNames\n$Nodes\n5\n";
  for (std::int32_t i = 0; i < 5; ++i) {
    const auto& p = nodes[static_cast<std::size_t>(i)];
    if (binary) append(text, i + 1), append(text, p);
    if (!binary) {
      text += std::to_string(i + 1) + ' ' + std::to_string(p[0]) + ' ' + std::to_string(p[1]) + ' ' +
              std::to_string(p[2]) + '\n';
    }
  }
  text += (binary ? "\n$EndNodes\n$Elements\n" : "$EndNodes\n$Elements\n") + std::to_string(elements.size()) + '\n';
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(elements.size()); ++i) {
    const Element& e = elements[static_cast<std::size_t>(i)];
    std::vector<std::int32_t> numbers{i + 1, e.type, 2, e.physical, e.elementary};
    if (binary) numbers = {e.type, 1, 2, i + 1, e.physical, e.elementary};
    numbers.insert(numbers.end(), e.nodes.begin(), e.nodes.end());
    for (const std::int32_t number : numbers)
      binary ? append(text, number) : void(text += std::to_string(number) + ' ');
    if (!binary) text += '\n';
  }
  return text + (binary ? "\n$EndElements\n" : "$EndElements\n");
}

class MshVariants : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (!MAXWELL_DG_HAVE_GMSH) GTEST_SKIP() << "this build has no Gmsh reader";
  }
  ~MshVariants() override { fs::remove(file_); }

  [[nodiscard]] Mesh read(const std::string& content) const {
    std::ofstream(file_, std::ios::binary) << content;
    return read_mesh(file_);
  }
  [[nodiscard]] Mesh read(const std::vector<Element>& elements) const { return read(msh22(elements, GetParam())); }
  [[nodiscard]] std::string refusal(const std::vector<Element>& elements) const {
    try {
      (void)read(elements);
    } catch (const MeshError& error) {
      return error.what();
    }
    return "read";
  }

  const fs::path file_ = fs::temp_directory_path() / ("maxwell_dg_variant_" + std::to_string(::getpid()) + ".msh");
};

INSTANTIATE_TEST_SUITE_P(TextAndBinary, MshVariants, ::testing::Bool());

std::vector<std::string> regions_of_cells(const Mesh& mesh) {
  std::vector<std::string> names;
  for (const std::int32_t r : mesh.cell_region) names.push_back(r < 0 ? "" : mesh.regions.at(index(r)));
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> surfaces_of_faces(const Mesh& mesh) {
  std::vector<std::string> names;
  for (const auto& face : mesh.surface_faces) names.push_back(mesh.surfaces.at(index(face.surface)));
  std::ranges::sort(names);
  return names;
}

using Names = std::vector<std::string>;

TEST_P(MshVariants, groups_of_version_2_are_of_each_element) {
  const Mesh mesh =
      read({{2, 11, 1, {1, 2, 3}}, {2, 12, 1, {1, 2, 4}}, {4, 1, 1, {1, 2, 3, 4}}, {4, 2, 1, {2, 5, 3, 4}}});
  EXPECT_EQ(regions_of_cells(mesh), (Names{"air", "glass"}));
  EXPECT_EQ(surfaces_of_faces(mesh), (Names{"port", "wall"}));
}

TEST_P(MshVariants, elements_of_version_2_without_a_group_stay_without) {
  const Mesh mesh =
      read({{2, 11, 1, {1, 2, 3}}, {2, 0, 1, {1, 2, 4}}, {4, 0, 1, {1, 2, 3, 4}}, {4, 2, 1, {2, 5, 3, 4}}});
  EXPECT_EQ(regions_of_cells(mesh), (Names{"", "glass"}));
  EXPECT_EQ(surfaces_of_faces(mesh), Names{"wall"});
}

TEST_P(MshVariants, element_in_two_groups_of_version_2_is_refused_by_their_names) {
  const std::string message = refusal({{4, 1, 1, {1, 2, 3, 4}}, {4, 2, 1, {1, 2, 3, 4}}, {4, 2, 1, {2, 5, 3, 4}}});
  for (const char* word : {"is there twice", "'air'", "'glass'", "one physical group"}) {
    EXPECT_NE(message.find(word), std::string::npos) << message;
  }
}

TEST_P(MshVariants, volume_with_a_minus_sign_is_turned) {
  // Gmsh writes the tetrahedra of Physical Volume("glass") = {-2} with their nodes in the other order.
  const Mesh mesh = read({{4, 1, 1, {1, 2, 3, 4}}, {4, 2, 2, {2, 3, 5, 4}}});
  EXPECT_EQ(regions_of_cells(mesh), (Names{"air", "glass"}));
  const Mesh in_one_group = read({{4, 1, 1, {1, 2, 3, 4}}, {4, 1, 2, {2, 3, 5, 4}}});
  EXPECT_EQ(regions_of_cells(in_one_group), (Names{"air", "air"}));
}

TEST_P(MshVariants, volume_of_both_orientations_is_refused) {
  const std::string message = refusal({{4, 1, 1, {1, 2, 3, 4}}, {4, 1, 1, {2, 3, 5, 4}}});
  EXPECT_NE(message.find("1 inverted tetrahedron"), std::string::npos) << message;
}

TEST_P(MshVariants, comments_may_stand_anywhere) {
  const std::string comments = "$Comments\nmade by hand\n$EndComments\n";
  const std::string text = msh22({{4, 1, 1, {1, 2, 3, 4}}, {4, 2, 1, {2, 5, 3, 4}}}, GetParam());
  EXPECT_EQ(read(comments + text).cells.size(), 2U);
  EXPECT_EQ(read(comments + comments + text + comments).cells.size(), 2U);
}

TEST(MshPartitions, ghosts_are_left_out) {
  if (!MAXWELL_DG_HAVE_GMSH) GTEST_SKIP() << "this build has no Gmsh reader";
  const Mesh mesh = read_mesh(fs::path(MAXWELL_DG_SOURCE_DIR) / "tests/unit/mesh/data/ghosts_41_ascii.msh");
  EXPECT_EQ(mesh.cells.size(), 200U);
  EXPECT_EQ(mesh.regions, (Names{"left", "right"}));
  EXPECT_EQ(mesh.surfaces, (Names{"mid", "outer"})) << "surfaces between partitions have no name";
}

}  // namespace
}  // namespace maxwell_dg::dg
