# Writes the CAD files of this folder, by OpenCASCADE's command interpreter: occt-draw-7.6 -b -f make_cad.tcl
pload MODELING XDE
pcylinder cylinder 3 12
param write.iges.unit INCH
param write.iges.brep.mode 1
brepiges cylinder cylinder_inch.igs
param write.step.unit INCH
stepwrite a cylinder cylinder_inch.step
param write.iges.unit MM
param write.iges.brep.mode 0
brepiges cylinder faces_mm.igs
exit
