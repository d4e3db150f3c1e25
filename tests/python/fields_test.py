"""Fields of a simulation in memory that other libraries use in place. Run by CTest like simulation_test.py."""

import unittest

import numpy as np

import maxwell_dg as mdg
from simulation_test import cavity


def pointer(array):
    interface = array.__array_interface__ if isinstance(array, np.ndarray) else array.__cuda_array_interface__
    return interface["data"][0]


def on_host(array):
    return array if isinstance(array, np.ndarray) else array.numpy()


class Consumer:
    """Takes arrays as PyTorch does: by __dlpack__ alone, of the versions that it knows."""

    def __init__(self, array, max_version=None):
        self.device = array.__dlpack_device__()
        self.capsule = array.__dlpack__(max_version=max_version) if max_version else array.__dlpack__()


class Fields(unittest.TestCase):
    def test_values_are_those_of_field_and_each_call_writes_into_the_same_memory(self):
        with mdg.Simulation(**cavity()) as simulation:
            simulation.step(3)
            fields = simulation.fields()
            self.assertEqual(list(fields), ["Ex", "Ey", "Ez", "Hx", "Hy", "Hz", "E", "H"])
            before = on_host(fields["Ez"]).copy()
            simulation.step(2)
            again = simulation.fields()
            self.assertEqual(pointer(fields["Ez"]), pointer(again["Ez"]))
            self.assertGreater(abs(on_host(fields["Ez"]) - before).max(), 0.01)
            for name in simulation.field_names:
                self.assertEqual(again[name].shape, (162, 35))
                np.testing.assert_array_equal(on_host(again[name]), simulation.field(name))
            for axis in range(3):
                self.assertEqual(pointer(again["H"][axis]), pointer(again["H" + "xyz"[axis]]))
                np.testing.assert_array_equal(on_host(again["H"])[axis], on_host(again["H" + "xyz"[axis]]))

    def test_no_value_is_copied_on_the_way_to_another_library(self):
        with mdg.Simulation(**cavity()) as simulation:
            field = simulation.fields(["Ez"])["Ez"]
            if isinstance(field, np.ndarray):
                self.assertFalse(field.flags.owndata)
                self.assertEqual(pointer(np.from_dlpack(field)), pointer(field))
                self.assertEqual(Consumer(field).device, (1, 0))  # kDLCPU
            else:  # more in cuda_sharing.py
                self.assertEqual(Consumer(field).device[0], 2)  # kDLCUDA
            self.assertIn("dltensor", repr(Consumer(field).capsule))

    def test_chosen_fields_have_memory_of_their_own_in_the_order_asked_for(self):
        with mdg.Simulation(**cavity()) as simulation:
            simulation.step(4)
            few = simulation.fields(["Hy", "E"])
            self.assertEqual(list(few), ["Hy", "Ex", "Ey", "Ez", "E"])
            self.assertEqual(few["E"].shape, (3, 162, 35))
            np.testing.assert_array_equal(on_host(few["E"])[2], simulation.field("Ez"))
            np.testing.assert_array_equal(on_host(few["Hy"]), simulation.field("Hy"))
            self.assertNotEqual(pointer(few["Hy"]), pointer(simulation.fields()["Hy"]))
            with self.assertRaisesRegex(KeyError, "'Hx' is none of Hy, Ex"):
                few["Hx"]
            with self.assertRaisesRegex(mdg.ConfigError, "'Exx' is no field of these equations; did you mean 'Ex'"):
                simulation.fields(["Exx"])
            with self.assertRaisesRegex(TypeError, "names of fields are a list"):
                simulation.fields("E")

    def test_values_are_in_the_precision_and_the_units_of_the_run(self):
        keys = cavity(units="si", time=mdg.Time(end="10 ns"))
        keys["solver"].precision = "single"
        with mdg.Simulation(**keys) as simulation:
            simulation.step(5)
            fields = {name: on_host(array) for name, array in simulation.fields(["Ez", "Hx"]).items()}
            self.assertEqual(fields["Hx"].dtype, np.float32)
            for name in ("Ez", "Hx"):  # A/m are 1/377 of what is computed
                np.testing.assert_allclose(fields[name], simulation.field(name), rtol=1e-6, atol=1e-12)
            self.assertLess(abs(fields["Hx"]).max(), 0.01)

    def test_points_are_where_the_values_are(self):
        with mdg.Simulation(**cavity()) as simulation:
            points = on_host(simulation.fields(["Ez"]).points)
            np.testing.assert_array_equal(points, simulation.coordinates())

    def test_arrays_outlive_the_simulation(self):
        simulation = mdg.Simulation(**cavity())
        simulation.step()
        fields = simulation.fields(["Ez"])
        field = fields["Ez"]
        kept = on_host(field).copy()
        simulation.close()
        del simulation
        np.testing.assert_array_equal(on_host(field), kept)
        np.testing.assert_array_equal(on_host(fields["Ez"]), kept)


if __name__ == "__main__":
    unittest.main()
