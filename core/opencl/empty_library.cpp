#include "core/opencl/empty_library.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

#include <elf.h>

namespace maxwell_dg::core::opencl {
namespace {

#if defined(__x86_64__)
constexpr Elf64_Half kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr Elf64_Half kMachine = EM_AARCH64;
#else
constexpr Elf64_Half kMachine = EM_NONE;
#endif

/// What a loader reads, without sections; the names follow.
struct FileImage {
  Elf64_Ehdr header;
  std::array<Elf64_Phdr, 3> segments;
  std::array<Elf64_Dyn, 6> dynamic;
  std::array<Elf64_Sym, 2> symbols;  // the first is void
  std::array<Elf64_Word, 5> hash;    // buckets, symbols, the only bucket, two links
};
static_assert(std::is_trivially_copyable_v<FileImage>);

FileImage image_of(std::size_t bytes_of_names) {
  FileImage image{};
  constexpr std::size_t names = sizeof(FileImage);
  const std::size_t bytes = names + bytes_of_names;
  image.header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                  .e_type = ET_DYN,
                  .e_machine = kMachine,
                  .e_version = EV_CURRENT,
                  .e_phoff = offsetof(FileImage, segments),
                  .e_ehsize = sizeof(Elf64_Ehdr),
                  .e_phentsize = sizeof(Elf64_Phdr),
                  .e_phnum = 3};
  constexpr Elf64_Word data = PF_R | PF_W;  // the loader turns offsets into addresses, in place
  constexpr std::size_t largest_page = 1 << 16;
  image.segments = {
      Elf64_Phdr{.p_type = PT_LOAD, .p_flags = data, .p_filesz = bytes, .p_memsz = bytes, .p_align = largest_page},
      Elf64_Phdr{.p_type = PT_DYNAMIC,
                 .p_flags = data,
                 .p_offset = offsetof(FileImage, dynamic),
                 .p_vaddr = offsetof(FileImage, dynamic),
                 .p_filesz = sizeof image.dynamic,
                 .p_memsz = sizeof image.dynamic,
                 .p_align = alignof(Elf64_Dyn)},
      Elf64_Phdr{.p_type = PT_GNU_STACK, .p_flags = data}};  // no executable stack is asked for
  image.dynamic = {Elf64_Dyn{.d_tag = DT_HASH, .d_un = {.d_ptr = offsetof(FileImage, hash)}},
                   Elf64_Dyn{.d_tag = DT_SYMTAB, .d_un = {.d_ptr = offsetof(FileImage, symbols)}},
                   Elf64_Dyn{.d_tag = DT_SYMENT, .d_un = {.d_val = sizeof(Elf64_Sym)}},
                   Elf64_Dyn{.d_tag = DT_STRTAB, .d_un = {.d_ptr = names}},
                   Elf64_Dyn{.d_tag = DT_STRSZ, .d_un = {.d_val = bytes_of_names}},
                   Elf64_Dyn{.d_tag = DT_NULL, .d_un = {}}};
  image.symbols[1] = {.st_name = 1,
                      .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                      .st_shndx = 1,  // any: defined here
                      .st_value = names};
  image.hash = {1, 2, 1, 0, 0};
  return image;
}

}  // namespace

std::vector<std::byte> empty_library(const std::string& function) {
  if (kMachine == EM_NONE || std::endian::native != std::endian::little) return {};
  const std::size_t bytes_of_names = function.size() + 2;  // an empty name first
  const FileImage image = image_of(bytes_of_names);
  std::vector<std::byte> library(sizeof image + bytes_of_names);
  std::memcpy(library.data(), &image, sizeof image);
  std::memcpy(library.data() + sizeof image + 1, function.data(), function.size());
  return library;
}

}  // namespace maxwell_dg::core::opencl
