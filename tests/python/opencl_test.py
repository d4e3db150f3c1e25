"""An OpenCL driver that pip installed is found, where the system has none, and NVRTC. Run by CTest with the package in PYTHONPATH."""

import os
import pathlib
import tempfile
import unittest
import unittest.mock

from maxwell_dg_program import find_nvrtc, find_opencl_driver


class Driver(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data, self.vendors = pathlib.Path(folder.name, "data"), pathlib.Path(folder.name, "vendors")
        (self.data / "lib").mkdir(parents=True)
        (self.data / "lib/libintelocl.so").touch()
        cleared = {name: value for name, value in os.environ.items() if not name.startswith("OCL_ICD")}
        patch = unittest.mock.patch.dict(os.environ, cleared, clear=True)
        patch.start()
        self.addCleanup(patch.stop)

    def test_its_file_is_written_and_named(self):
        for _ in range(2):
            os.environ.pop("OCL_ICD_VENDORS", None)
            find_opencl_driver(self.data, self.vendors)
            folder = pathlib.Path(os.environ["OCL_ICD_VENDORS"])
            self.assertEqual([file.read_text() for file in folder.iterdir()], [f"{self.data / 'lib/libintelocl.so'}\n"])

    def test_a_driver_of_the_system_or_a_choice_of_the_users_comes_first(self):
        self.vendors.mkdir()
        (self.vendors / "pocl.icd").touch()
        find_opencl_driver(self.data, self.vendors)
        self.assertNotIn("OCL_ICD_VENDORS", os.environ)
        (self.vendors / "pocl.icd").unlink()
        os.environ["OCL_ICD_FILENAMES"] = "mine.so"
        find_opencl_driver(self.data, self.vendors)
        self.assertNotIn("OCL_ICD_VENDORS", os.environ)

    def test_where_there_is_none_nothing_is_done(self):
        (self.data / "lib/libintelocl.so").unlink()
        find_opencl_driver(self.data, self.vendors)
        self.assertNotIn("OCL_ICD_VENDORS", os.environ)

    def test_what_cannot_be_written_is_told(self):
        (self.data / "etc").touch()  # no folder
        with self.assertLogs("maxwell_dg", "WARNING") as logs:
            find_opencl_driver(self.data, self.vendors)
        self.assertIn("intel.icd: cannot be written", logs.output[0])
        self.assertNotIn("OCL_ICD_VENDORS", os.environ)


class Nvrtc(unittest.TestCase):
    def test_folders_of_packages_that_have_it_are_named_and_the_users_word_stays(self):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.dict(os.environ):
            packages = pathlib.Path(folder)
            os.environ.pop("MAXWELL_DG_NVRTC_FOLDERS", None)
            find_nvrtc(packages)
            self.assertNotIn("MAXWELL_DG_NVRTC_FOLDERS", os.environ)
            for place in ("cu13/lib/libnvrtc.so.13", "cuda_nvrtc/lib/libnvrtc.so.12", "cublas/lib/libcublas.so.12"):
                file = packages / "nvidia" / place
                file.parent.mkdir(parents=True)
                file.touch()
            find_nvrtc(packages)
            self.assertEqual(os.environ["MAXWELL_DG_NVRTC_FOLDERS"], f"{folder}/nvidia/cu13/lib:{folder}/nvidia/cuda_nvrtc/lib")
            os.environ["MAXWELL_DG_NVRTC_FOLDERS"] = "/mine"
            find_nvrtc(packages)
            self.assertEqual(os.environ["MAXWELL_DG_NVRTC_FOLDERS"], "/mine")


if __name__ == "__main__":
    unittest.main()
