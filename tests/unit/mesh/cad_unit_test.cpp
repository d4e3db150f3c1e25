#include "dg/mesh/cad_unit.hpp"

#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/own_directory.hpp"

namespace maxwell_dg::dg {
namespace {

using Units = std::set<double>;

class CadUnit : public OwnDirectory {
 protected:
  CadUnit() : OwnDirectory("cad_unit") {}
  [[nodiscard]] Units of_step(const std::string& text) const {
    return length_units(write("part.step", "ISO-10303-21;\nDATA;\n" + text + "ENDSEC;\n"), MeshFileKind::step);
  }
  /// `global` is the global section, cut into lines.
  [[nodiscard]] Units of_iges(std::string global) const {
    std::string text = std::string(72, ' ') + "S0000001\n";
    while (!global.empty()) {
      std::string line = global.substr(0, 72);
      global.erase(0, 72);
      line.resize(72, ' ');
      text += line + "G0000001\n";
    }
    return length_units(write("part.igs", text + std::string(72, ' ') + "D0000001\n"), MeshFileKind::iges);
  }
};

TEST_F(CadUnit, step_has_the_units_of_its_contexts) {
  const std::string context =
      "#1 = ( GEOMETRIC_REPRESENTATION_CONTEXT(3) GLOBAL_UNIT_ASSIGNED_CONTEXT((#2,#3)) );\n"
      "#3 = ( NAMED_UNIT(*) PLANE_ANGLE_UNIT() SI_UNIT($,.RADIAN.) );\n";
  EXPECT_EQ(of_step(context + "#2 = ( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.) );\n"), Units{1e-3});
  EXPECT_EQ(of_step(context + "#2=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MICRO.,.METRE.));"), Units{1e-6});
  EXPECT_EQ(of_step(context + "#2 = (LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT($,\n  .METRE.));\n"), Units{1});
  const std::string inch =
      "#2 = ( CONVERSION_BASED_UNIT('INCH; or #9',#4) LENGTH_UNIT() NAMED_UNIT(#6) );\n"
      "#5 = ( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.) );\n";
  const Units of_inch{25.4 * 1e-3};
  EXPECT_EQ(of_step(context + inch + "#4 = LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(25.4),#5);\n"), of_inch);
  EXPECT_EQ(of_step(context + inch + "#4 = LENGTH_MEASURE_WITH_UNIT(25.4,#5);\n"), of_inch);
  EXPECT_EQ(of_step(context + inch + "#4 = LENGTH_MEASURE_WITH_UNIT(25.4,#2);\n"), Units{}) << "a unit of itself";
}

TEST_F(CadUnit, step_may_have_several_units_or_none) {
  EXPECT_EQ(of_step("#1 = GLOBAL_UNIT_ASSIGNED_CONTEXT((#2));\n#3 = GLOBAL_UNIT_ASSIGNED_CONTEXT((#4));\n"
                    "#2 = (LENGTH_UNIT() SI_UNIT(.MILLI.,.METRE.));\n#4 = (LENGTH_UNIT() SI_UNIT($,.METRE.));\n"
                    "#5 = (LENGTH_UNIT() SI_UNIT(.KILO.,.METRE.));\n"),
            (Units{1e-3, 1}))
      << "kilometres are in no context";
  EXPECT_EQ(of_step("#1 = CARTESIAN_POINT('',(0.,0.,0.));\n"), Units{});
}

TEST_F(CadUnit, iges_has_it_by_number_or_by_name) {
  const std::string before = "1H,,1H;,4Hpart,8Hpart.igs,3Ha;b,3Hc,d,32,38,6,308,15,,1.,";
  EXPECT_EQ(of_iges(before + "2,2HMM,1,0.1;"), Units{1e-3});
  EXPECT_EQ(of_iges(before + "1,4HINCH,1,0.1;"), Units{0.0254});
  EXPECT_EQ(of_iges(before + "6,1HM,1,0.1;"), Units{1});
  EXPECT_EQ(of_iges(before + "3,2HUM,1,0.1;"), Units{1e-6});
  EXPECT_EQ(of_iges(before + "3,5HCUBIT,1,0.1;"), Units{});
  EXPECT_EQ(of_iges("1H/,1H!/4Hpart/8Hpart.igs/1Ha/1Hb/32/38/6/308/15//1./10/2HCM/1/0.1!"), Units{1e-2})
      << "with delimiters of its own";
  EXPECT_EQ(of_iges(",,4Hpart,8Hpart.igs,1Ha,1Hb,32"), Units{}) << "cut off";
  EXPECT_EQ(of_iges("99999999999Hx"), Units{});
}

TEST_F(CadUnit, kinds_of_files_go_by_their_endings_in_any_case) {
  EXPECT_EQ(kind_of_mesh_file("a/b.STP"), MeshFileKind::step);
  EXPECT_EQ(kind_of_mesh_file("b.igs"), MeshFileKind::iges);
  EXPECT_EQ(kind_of_mesh_file("b.stl"), std::nullopt);
  EXPECT_EQ(kind_of_mesh_file("step"), std::nullopt);
}

}  // namespace
}  // namespace maxwell_dg::dg
