#include "dg/mesh/gmsh/step_face_names.hpp"

#if MAXWELL_DG_HAVE_OPENCASCADE

#include <fstream>
#include <regex>
#include <sstream>

#include <BRepGProp.hxx>
#include <GProp_GProps.hxx>
#include <STEPControl_Reader.hxx>
#include <StepRepr_RepresentationItem.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TopAbs_ShapeEnum.hxx>
#include <TopExp.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS_Shape.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XSControl_TransferReader.hxx>
#include <XSControl_WorkSession.hxx>

#include "dg/mesh/gmsh/cad_import.hpp"

namespace maxwell_dg::dg {
namespace {

bool names_a_face(const std::filesystem::path& file) {
  std::stringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  static const std::regex named_face(R"(ADVANCED_FACE\s*\(\s*'[^'])");
  const std::string all = text.str();
  return std::regex_search(all, named_face);
}

/// What the file says of a shape that was made of it, wherever it was put.
std::string name_of(const TopoDS_Shape& shape, const XSControl_TransferReader& reader) {
  const auto item =
      Handle(StepRepr_RepresentationItem)::DownCast(reader.EntityFromShapeResult(shape.Located(TopLoc_Location()), 1));
  return item.IsNull() || item->Name().IsNull() ? std::string() : name_in_label(item->Name()->ToCString());
}

}  // namespace

std::vector<NamedFace> named_faces(const std::filesystem::path& file) {
  std::vector<NamedFace> named;
  if (!names_a_face(file)) return named;
  STEPControl_Reader reader;
  if (reader.ReadFile(file.c_str()) != IFSelect_RetDone || reader.TransferRoots() == 0) return named;
  TopTools_IndexedMapOfShape faces;
  TopExp::MapShapes(reader.OneShape(), TopAbs_FACE, faces);
  for (int i = 1; i <= faces.Extent(); ++i) {
    const std::string name = name_of(faces(i), *reader.WS()->TransferReader());
    if (name.empty()) continue;
    GProp_GProps of_area;
    BRepGProp::SurfaceProperties(faces(i), of_area);
    const gp_Pnt centre = of_area.CentreOfMass();
    named.push_back({.name = name, .centre = {centre.X(), centre.Y(), centre.Z()}, .area = of_area.Mass()});
  }
  return named;
}

}  // namespace maxwell_dg::dg

#else

namespace maxwell_dg::dg {

std::vector<NamedFace> named_faces(const std::filesystem::path& /*file*/) {
  return {};
}

}  // namespace maxwell_dg::dg

#endif
