#include "rtcg/compile/compile_together.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>

#include "core/error.hpp"
#include "core/in_parallel.hpp"

namespace maxwell_dg::rtcg {

namespace {

/// What one rank made of a text.
struct Made {
  std::vector<std::byte> image;
  std::string failure;  ///< why there is no image
};

/// [key] the rank that compiles it: of those that want it the one that has least to compile, else the first.
std::map<std::string, int> owners_of(const std::vector<std::vector<std::string>>& wanted) {
  std::map<std::string, std::vector<int>> by_key;
  std::vector<std::string> order;
  for (std::size_t rank = 0; rank < wanted.size(); ++rank) {
    for (const std::string& key : wanted[rank]) {
      std::vector<int>& ranks = by_key[key];
      if (ranks.empty()) order.push_back(key);
      if (ranks.empty() || ranks.back() != static_cast<int>(rank)) ranks.push_back(static_cast<int>(rank));
    }
  }
  std::vector<std::size_t> load(wanted.size());
  std::map<std::string, int> owners;
  for (const std::string& key : order) {
    const std::vector<int>& ranks = by_key[key];
    const int owner =
        *std::ranges::min_element(ranks, {}, [&](int rank) { return load[static_cast<std::size_t>(rank)]; });
    ++load[static_cast<std::size_t>(owner)];
    owners[key] = owner;
  }
  return owners;
}

/// [rank] the texts that each of them has, joined.
std::vector<std::vector<std::string>> gathered(const std::vector<std::string>& mine, std::size_t length,
                                               const core::Communicator& ranks) {
  std::string text;
  for (const std::string& key : mine) text += key;
  std::vector<std::vector<std::string>> all;
  for (const std::string& of_rank : ranks.gather_to_all(text)) {
    all.emplace_back();
    for (std::size_t at = 0; at < of_rank.size(); at += length) all.back().push_back(of_rank.substr(at, length));
  }
  return all;
}

Made make(Compiler compiler, const KernelSource& source) {
  try {
    return {.image = compiler.build(source).to_bytes(), .failure = {}};
  } catch (const std::exception& failure) {
    return {.image = {}, .failure = failure.what()};
  }
}

/// Of all ranks what each has made, a number at a time: [key] the image or why there is none.
std::map<std::string, Made> exchanged(const std::map<std::string, Made>& mine, const core::Communicator& ranks) {
  std::vector<std::byte> bytes;
  const auto put = [&bytes](std::span<const std::byte> part) {
    const std::size_t size = part.size();
    const auto length = std::as_bytes(std::span(&size, 1));
    bytes.insert(bytes.end(), length.begin(), length.end());
    bytes.insert(bytes.end(), part.begin(), part.end());
  };
  for (const auto& [key, made] : mine) {
    put(std::as_bytes(std::span(key)));
    put(made.image);
    put(std::as_bytes(std::span(made.failure)));
  }
  std::map<std::string, Made> all;
  for (const std::vector<std::byte>& theirs : ranks.gather_to_all(bytes)) {
    std::span<const std::byte> left(theirs);
    const auto take = [&left] {
      const std::size_t size = core::values_of<std::size_t>(left.first(sizeof(std::size_t))).front();
      const auto part = left.subspan(sizeof(std::size_t), size);
      left = left.subspan(sizeof(std::size_t) + size);
      return part;
    };
    while (!left.empty()) {
      const std::string key = core::text_of(take());
      const auto image = take();
      all[key] = {.image = {image.begin(), image.end()}, .failure = core::text_of(take())};
    }
  }
  return all;
}

/// What a rank was handed and its driver refuses it compiles itself.
core::Module loaded(Compiler compiler, const KernelSource& source, const Made& made) {
  if (!made.failure.empty()) throw CompileError(made.failure);
  const auto image = CodeImage::from_bytes(made.image);
  if (!image) throw std::logic_error("compile_together: " + source.name + " arrived as no code");
  try {
    return compiler.load(*image, source.name);
  } catch (const OutOfDeviceMemory&) {
    throw;
  } catch (const DeviceError&) {
    return compiler.compile(source);
  }
}

}  // namespace

std::vector<core::Module> compile_together(Compiler compiler, std::span<const KernelSource> sources,
                                           const core::Communicator& ranks) {
  if (ranks.size() == 1) return compiler.compile(sources);
  constexpr std::size_t key_length = 64;
  std::vector<std::string> keys;  // [source] empty for its own
  std::vector<std::string> shared;
  for (const KernelSource& source : sources) {
    keys.push_back(source.include_directories.empty() ? compiler.key(source) : "");
    if (!keys.back().empty()) shared.push_back(keys.back());
  }
  const std::map<std::string, int> owners = owners_of(gathered(shared, key_length, ranks));
  std::vector<std::size_t> mine;  // sources that this rank compiles for others, too
  std::map<std::string, Made> made;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (!keys[i].empty() && owners.at(keys[i]) == ranks.rank() && made.try_emplace(keys[i]).second) mine.push_back(i);
  }
  for_each_in_parallel(mine.size(), [&](std::size_t m) { made.at(keys[mine[m]]) = make(compiler, sources[mine[m]]); });
  const std::map<std::string, Made> all = exchanged(made, ranks);
  std::vector<core::Module> modules;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    modules.push_back(keys[i].empty() ? compiler.compile(sources[i]) : loaded(compiler, sources[i], all.at(keys[i])));
  }
  return modules;
}

}  // namespace maxwell_dg::rtcg
