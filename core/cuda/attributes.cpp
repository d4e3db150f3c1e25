#include <array>

#include "core/cuda/states.hpp"

namespace maxwell_dg::core::cuda {
namespace {

// The driver's numbers, which never change, rather than the names of one cuda.h: any header will do, and a driver that
// does not know a number says so. As of CUDA 13.0.
#define MAXWELL_DG_CUDA_ATTRIBUTES(X)                   \
  X(MAX_THREADS_PER_BLOCK, 1)                           \
  X(MAX_BLOCK_DIM_X, 2)                                 \
  X(MAX_BLOCK_DIM_Y, 3)                                 \
  X(MAX_BLOCK_DIM_Z, 4)                                 \
  X(MAX_GRID_DIM_X, 5)                                  \
  X(MAX_GRID_DIM_Y, 6)                                  \
  X(MAX_GRID_DIM_Z, 7)                                  \
  X(MAX_SHARED_MEMORY_PER_BLOCK, 8)                     \
  X(TOTAL_CONSTANT_MEMORY, 9)                           \
  X(WARP_SIZE, 10)                                      \
  X(MAX_PITCH, 11)                                      \
  X(MAX_REGISTERS_PER_BLOCK, 12)                        \
  X(CLOCK_RATE, 13)                                     \
  X(TEXTURE_ALIGNMENT, 14)                              \
  X(GPU_OVERLAP, 15)                                    \
  X(MULTIPROCESSOR_COUNT, 16)                           \
  X(KERNEL_EXEC_TIMEOUT, 17)                            \
  X(INTEGRATED, 18)                                     \
  X(CAN_MAP_HOST_MEMORY, 19)                            \
  X(COMPUTE_MODE, 20)                                   \
  X(MAXIMUM_TEXTURE1D_WIDTH, 21)                        \
  X(MAXIMUM_TEXTURE2D_WIDTH, 22)                        \
  X(MAXIMUM_TEXTURE2D_HEIGHT, 23)                       \
  X(MAXIMUM_TEXTURE3D_WIDTH, 24)                        \
  X(MAXIMUM_TEXTURE3D_HEIGHT, 25)                       \
  X(MAXIMUM_TEXTURE3D_DEPTH, 26)                        \
  X(MAXIMUM_TEXTURE2D_LAYERED_WIDTH, 27)                \
  X(MAXIMUM_TEXTURE2D_LAYERED_HEIGHT, 28)               \
  X(MAXIMUM_TEXTURE2D_LAYERED_LAYERS, 29)               \
  X(SURFACE_ALIGNMENT, 30)                              \
  X(CONCURRENT_KERNELS, 31)                             \
  X(ECC_ENABLED, 32)                                    \
  X(PCI_BUS_ID, 33)                                     \
  X(PCI_DEVICE_ID, 34)                                  \
  X(TCC_DRIVER, 35)                                     \
  X(MEMORY_CLOCK_RATE, 36)                              \
  X(GLOBAL_MEMORY_BUS_WIDTH, 37)                        \
  X(L2_CACHE_SIZE, 38)                                  \
  X(MAX_THREADS_PER_MULTIPROCESSOR, 39)                 \
  X(ASYNC_ENGINE_COUNT, 40)                             \
  X(UNIFIED_ADDRESSING, 41)                             \
  X(MAXIMUM_TEXTURE1D_LAYERED_WIDTH, 42)                \
  X(MAXIMUM_TEXTURE1D_LAYERED_LAYERS, 43)               \
  X(CAN_TEX2D_GATHER, 44)                               \
  X(MAXIMUM_TEXTURE2D_GATHER_WIDTH, 45)                 \
  X(MAXIMUM_TEXTURE2D_GATHER_HEIGHT, 46)                \
  X(MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE, 47)              \
  X(MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE, 48)             \
  X(MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE, 49)              \
  X(PCI_DOMAIN_ID, 50)                                  \
  X(TEXTURE_PITCH_ALIGNMENT, 51)                        \
  X(MAXIMUM_TEXTURECUBEMAP_WIDTH, 52)                   \
  X(MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH, 53)           \
  X(MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS, 54)          \
  X(MAXIMUM_SURFACE1D_WIDTH, 55)                        \
  X(MAXIMUM_SURFACE2D_WIDTH, 56)                        \
  X(MAXIMUM_SURFACE2D_HEIGHT, 57)                       \
  X(MAXIMUM_SURFACE3D_WIDTH, 58)                        \
  X(MAXIMUM_SURFACE3D_HEIGHT, 59)                       \
  X(MAXIMUM_SURFACE3D_DEPTH, 60)                        \
  X(MAXIMUM_SURFACE1D_LAYERED_WIDTH, 61)                \
  X(MAXIMUM_SURFACE1D_LAYERED_LAYERS, 62)               \
  X(MAXIMUM_SURFACE2D_LAYERED_WIDTH, 63)                \
  X(MAXIMUM_SURFACE2D_LAYERED_HEIGHT, 64)               \
  X(MAXIMUM_SURFACE2D_LAYERED_LAYERS, 65)               \
  X(MAXIMUM_SURFACECUBEMAP_WIDTH, 66)                   \
  X(MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH, 67)           \
  X(MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS, 68)          \
  X(MAXIMUM_TEXTURE1D_LINEAR_WIDTH, 69)                 \
  X(MAXIMUM_TEXTURE2D_LINEAR_WIDTH, 70)                 \
  X(MAXIMUM_TEXTURE2D_LINEAR_HEIGHT, 71)                \
  X(MAXIMUM_TEXTURE2D_LINEAR_PITCH, 72)                 \
  X(MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH, 73)              \
  X(MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT, 74)             \
  X(COMPUTE_CAPABILITY_MAJOR, 75)                       \
  X(COMPUTE_CAPABILITY_MINOR, 76)                       \
  X(MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH, 77)              \
  X(STREAM_PRIORITIES_SUPPORTED, 78)                    \
  X(GLOBAL_L1_CACHE_SUPPORTED, 79)                      \
  X(LOCAL_L1_CACHE_SUPPORTED, 80)                       \
  X(MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 81)           \
  X(MAX_REGISTERS_PER_MULTIPROCESSOR, 82)               \
  X(MANAGED_MEMORY, 83)                                 \
  X(MULTI_GPU_BOARD, 84)                                \
  X(MULTI_GPU_BOARD_GROUP_ID, 85)                       \
  X(HOST_NATIVE_ATOMIC_SUPPORTED, 86)                   \
  X(SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO, 87)          \
  X(PAGEABLE_MEMORY_ACCESS, 88)                         \
  X(CONCURRENT_MANAGED_ACCESS, 89)                      \
  X(COMPUTE_PREEMPTION_SUPPORTED, 90)                   \
  X(CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 91)        \
  X(CAN_USE_STREAM_MEM_OPS_V1, 92)                      \
  X(CAN_USE_64_BIT_STREAM_MEM_OPS_V1, 93)               \
  X(CAN_USE_STREAM_WAIT_VALUE_NOR_V1, 94)               \
  X(COOPERATIVE_LAUNCH, 95)                             \
  X(COOPERATIVE_MULTI_DEVICE_LAUNCH, 96)                \
  X(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 97)              \
  X(CAN_FLUSH_REMOTE_WRITES, 98)                        \
  X(HOST_REGISTER_SUPPORTED, 99)                        \
  X(PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES, 100)  \
  X(DIRECT_MANAGED_MEM_ACCESS_FROM_HOST, 101)           \
  X(VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED, 102)          \
  X(HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 103)   \
  X(HANDLE_TYPE_WIN32_HANDLE_SUPPORTED, 104)            \
  X(HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED, 105)        \
  X(MAX_BLOCKS_PER_MULTIPROCESSOR, 106)                 \
  X(GENERIC_COMPRESSION_SUPPORTED, 107)                 \
  X(MAX_PERSISTING_L2_CACHE_SIZE, 108)                  \
  X(MAX_ACCESS_POLICY_WINDOW_SIZE, 109)                 \
  X(GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED, 110)       \
  X(RESERVED_SHARED_MEMORY_PER_BLOCK, 111)              \
  X(SPARSE_CUDA_ARRAY_SUPPORTED, 112)                   \
  X(READ_ONLY_HOST_REGISTER_SUPPORTED, 113)             \
  X(TIMELINE_SEMAPHORE_INTEROP_SUPPORTED, 114)          \
  X(MEMORY_POOLS_SUPPORTED, 115)                        \
  X(GPU_DIRECT_RDMA_SUPPORTED, 116)                     \
  X(GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS, 117)          \
  X(GPU_DIRECT_RDMA_WRITES_ORDERING, 118)               \
  X(MEMPOOL_SUPPORTED_HANDLE_TYPES, 119)                \
  X(CLUSTER_LAUNCH, 120)                                \
  X(DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED, 121)         \
  X(CAN_USE_64_BIT_STREAM_MEM_OPS, 122)                 \
  X(CAN_USE_STREAM_WAIT_VALUE_NOR, 123)                 \
  X(DMA_BUF_SUPPORTED, 124)                             \
  X(IPC_EVENT_SUPPORTED, 125)                           \
  X(MEM_SYNC_DOMAIN_COUNT, 126)                         \
  X(TENSOR_MAP_ACCESS_SUPPORTED, 127)                   \
  X(HANDLE_TYPE_FABRIC_SUPPORTED, 128)                  \
  X(UNIFIED_FUNCTION_POINTERS, 129)                     \
  X(NUMA_CONFIG, 130)                                   \
  X(NUMA_ID, 131)                                       \
  X(MULTICAST_SUPPORTED, 132)                           \
  X(MPS_ENABLED, 133)                                   \
  X(HOST_NUMA_ID, 134)                                  \
  X(D3D12_CIG_SUPPORTED, 135)                           \
  X(MEM_DECOMPRESS_ALGORITHM_MASK, 136)                 \
  X(MEM_DECOMPRESS_MAXIMUM_LENGTH, 137)                 \
  X(VULKAN_CIG_SUPPORTED, 138)                          \
  X(GPU_PCI_DEVICE_ID, 139)                             \
  X(GPU_PCI_SUBSYSTEM_ID, 140)                          \
  X(HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 141) \
  X(HOST_NUMA_MEMORY_POOLS_SUPPORTED, 142)              \
  X(HOST_NUMA_MULTINODE_IPC_SUPPORTED, 143)             \
  X(HOST_MEMORY_POOLS_SUPPORTED, 144)                   \
  X(HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 145)      \
  X(HOST_ALLOC_DMA_BUF_SUPPORTED, 146)                  \
  X(ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED, 147)

struct Attribute {
  const char* name;
  int number;
};

constexpr std::array kAttributes{
#define MAXWELL_DG_ATTRIBUTE(name, number) Attribute{#name, number},
    MAXWELL_DG_CUDA_ATTRIBUTES(MAXWELL_DG_ATTRIBUTE)
#undef MAXWELL_DG_ATTRIBUTE
};

}  // namespace

std::vector<DeviceAttribute> CudaDevice::attributes() {
  std::array<char, 32> bus{};
  check(driver().cuDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()), context_.device()),
        "cuDeviceGetPCIBusId");
  std::vector<DeviceAttribute> known{{"NAME", info().name},
                                     {"DRIVER", info().driver},
                                     {"TOTAL_MEMORY", std::to_string(info().memory_bytes)},
                                     {"PCI_BUS_ADDRESS", bus.data()}};
  for (const Attribute& attribute : kAttributes) {
    int value = 0;
    const CUresult code =
        driver().cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(attribute.number), context_.device());
    if (code == CUDA_ERROR_INVALID_VALUE) continue;  // newer than the driver
    check(code, "cuDeviceGetAttribute", attribute.name);
    known.push_back({attribute.name, std::to_string(value)});
  }
  return known;
}

}  // namespace maxwell_dg::core::cuda
