"""Fields on a CUDA device are shared, not copied: cuda_sharing.py. Uses PyTorch and CuPy where they are, and the capsules
themselves."""

import ctypes
import importlib.util

import numpy as np

import maxwell_dg as mdg
from maxwell_dg import rtcg
from simulation_test import cavity


class Tensor(ctypes.Structure):  # DLTensor, which a DLManagedTensor begins with
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64)]


def tensor_of(capsule):
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return Tensor.from_address(pointer(capsule, b"dltensor"))


def main():
    keys = cavity(device="cuda")
    with mdg.Simulation(**keys) as simulation:
        simulation.step(3)
        fields = simulation.fields()
        Ez = fields["Ez"]
        place = Ez.__cuda_array_interface__["data"][0]
        simulation.step(2)
        again = simulation.fields()["Ez"]
        assert again.__cuda_array_interface__["data"][0] == place, "the same memory on two calls"
        assert Ez.__dlpack_device__() == (2, 0), Ez.__dlpack_device__()
        for stream in (None, -1, 1, 2):
            capsule = Ez.__dlpack__(stream=stream)
            tensor = tensor_of(capsule)
            assert tensor.data + tensor.offset == place, stream
            assert (tensor.device_type, tensor.ndim, tensor.bits) == (2, 2, 64)
            assert [tensor.shape[axis] for axis in range(2)] == [162, 35]
        assert "dltensor_versioned" in repr(Ez.__dlpack__(max_version=(1, 0)))
        np.testing.assert_allclose(Ez.numpy(), simulation.field("Ez"), atol=1e-12)
        np.testing.assert_allclose(fields["H"].numpy()[1], simulation.field("Hy"), atol=1e-12)
        np.testing.assert_array_equal(fields.points.numpy(), simulation.coordinates())
        energy = (rtcg.Lazy(fields["E"]) * fields["E"]).sum().item()  # arrays of fields in kernels of one's own
        np.testing.assert_allclose(energy, (fields["E"].numpy() ** 2).sum(), rtol=1e-10)
        print("capsules: the same memory on two calls and in every capsule")
        if importlib.util.find_spec("torch"):
            import torch

            tensor = torch.from_dlpack(Ez)
            assert tensor.data_ptr() == place and tensor.device.type == "cuda"
            for _ in range(20):  # stream order: each value is seen, with no synchronization by hand
                simulation.step(1)
                simulation.fields()
                seen = float(torch.from_dlpack(Ez).abs().max())
                assert seen == abs(simulation.field("Ez")).max(), seen
            side = torch.cuda.Stream()
            with torch.cuda.stream(side):
                on_side = torch.from_dlpack(simulation.fields()["Ez"])
                assert on_side.data_ptr() == place
                assert float(on_side.abs().max()) == abs(simulation.field("Ez")).max()
            x = torch.arange(6.0, device="cuda")
            shared = rtcg.to_device(rtcg.Context("cuda"), x)
            assert shared.__cuda_array_interface__["data"][0] == x.data_ptr()
            print("PyTorch: the same memory, in stream order, both ways")
            kept = tensor
        if importlib.util.find_spec("cupy"):
            import cupy

            array = cupy.from_dlpack(Ez)
            assert array.data.ptr == place
            assert cupy.asarray(Ez).data.ptr == place
            print("CuPy: the same memory, by DLPack and by __cuda_array_interface__")
        before = Ez.numpy()
    np.testing.assert_array_equal(Ez.numpy(), before)
    if importlib.util.find_spec("torch"):
        np.testing.assert_array_equal(kept.cpu().numpy(), before)
    print("the memory outlives the simulation")


if __name__ == "__main__":
    main()
