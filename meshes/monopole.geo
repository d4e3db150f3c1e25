// The half of dipole.geo above a conducting plane, with a layer that is cut.
ground = 1; cut = 1;
Include "dipole.geo";
