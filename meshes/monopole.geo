// The half of dipole.geo above a conducting plane.
ground = 1;
Include "dipole.geo";
