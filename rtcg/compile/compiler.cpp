#include "rtcg/compile/compiler.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "core/atomic_file.hpp"
#include "core/digest.hpp"
#include "core/error.hpp"
#include "rtcg/compile/diagnosis.hpp"
#include "rtcg/source/dialect.hpp"

namespace maxwell_dg::rtcg {

namespace fs = std::filesystem;

namespace {

std::string escaped(const std::string& name) {
  std::string out;
  for (const char c : name) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

// Errors are counted in the kernel's own lines, because #line restarts the count behind the preamble.
core::BuildRequest request_for(const KernelSource& source, core::Backend backend) {
  return {.name = source.name,
          .text = dialect_preamble(backend) + "#line 1 \"" + escaped(source.name) + "\"\n" + source.text,
          .headers = source.headers,
          .options = source.options};
}

// All that may change what the compiler returns. Every list is preceded by its length.
std::string cache_key(const core::BuildRequest& request, core::Backend backend,
                      const std::vector<std::string>& fingerprint) {
  Sha256 digest;
  const auto add_list = [&digest](const std::vector<std::string>& list) {
    digest.add_field(std::to_string(list.size()));
    for (const std::string& item : list) digest.add_field(item);
  };
  digest.add_field("maxwell_dg kernel key, version 1");
  digest.add_field(core::name_of(backend));
  add_list(fingerprint);
  add_list(request.options);
  digest.add_field(std::to_string(request.headers.size()));
  for (const auto& [name, text] : request.headers) {
    digest.add_field(name);
    digest.add_field(text);
  }
  digest.add_field(request.name);
  digest.add_field(request.text);
  return digest.hex();
}

// Beside the cache, or in the temporary directory where that is not writable; what happened, as a clause.
std::string save_source(const core::BuildRequest& request, const std::string& key, const fs::path& cache_directory) {
  fs::path file_name = fs::path(request.name).filename();
  if (file_name.empty()) file_name = "kernel";
  std::error_code error;
  const fs::path temporary = fs::temp_directory_path(error) / "maxwell_dg_failed";
  std::string why;
  for (const fs::path& place : {cache_directory / "failed", temporary}) {
    const fs::path folder = place / key.substr(0, 16);
    try {
      fs::create_directories(folder);
      for (const auto& [name, text] : request.headers) write_file_atomically(folder / fs::path(name).filename(), text);
      write_file_atomically(folder / file_name, request.text);
      return "source saved in " + (folder / file_name).string();
    } catch (const std::exception& failure) {
      why = failure.what();
    }
  }
  return "source not saved: " + why;
}

std::string explain(const core::BuildRequest& request, const KernelSource& source, const std::string& log,
                    const std::string& saved) {
  const auto error = first_error(log);
  std::string text = error ? error->file + ":" + std::to_string(error->line) : source.name;
  text += ": kernel does not compile: " + (error ? error->message : "see the compiler's log") + " (" + saved + ")";
  if (error) {
    const std::string* of_file = error->file == source.name ? &source.text : nullptr;
    for (const auto& [name, header] : request.headers) {
      if (error->file == name) of_file = &header;
    }
    if (of_file != nullptr) text += "\n    " + std::string(line_of(*of_file, error->line));
    if (error->file != source.name) text += "\nwhile compiling " + source.name;
  }
  text += "\ncompiler's log:\n" + (log.empty() ? "(empty)" : log);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

struct Compiler::State {
  core::Device device;
  fs::path directory;
  KernelCache cache;
  std::vector<std::string> fingerprint;
  std::mutex mutex;
  CompileStatistics statistics;

  State(core::Device on, const fs::path& root)
      : device(std::move(on)), directory(root), cache(root / "kernels"), fingerprint(device.compiler_fingerprint()) {}

  struct Built {
    core::BuildRequest request;
    std::string key;
    KernelCache::Outcome outcome;
  };

  [[nodiscard]] std::vector<std::byte> build(const KernelSource& source, const Built& built) const {
    core::BuildResult result = device.build(built.request);
    if (result.ok) return std::move(result.binary);
    const std::string saved = save_source(built.request, built.key, directory);
    throw CompileError(explain(built.request, source, result.log, saved));
  }

  [[nodiscard]] Built build_or_find(const KernelSource& source) {
    Built built;
    built.request = request_for(source, device.info().backend);
    built.key = cache_key(built.request, device.info().backend, fingerprint);
    const std::string description = source.name + " on " + device.info().name + ", " + device.info().architecture;
    built.outcome = cache.get(built.key, description, [&] { return build(source, built); });
    return built;
  }

  // A kept binary that the driver refuses is one more anomaly that is a miss.
  [[nodiscard]] core::Module load(const KernelSource& source, Built& built) {
    try {
      return device.load(built.outcome.bytes, source.name);
    } catch (const OutOfDeviceMemory&) {
      throw;
    } catch (const DeviceError&) {
      if (!built.outcome.hit) throw;
    }
    cache.remove(built.key);
    built.outcome = {build(source, built), false};
    cache.store(built.key, source.name, built.outcome.bytes);
    return device.load(built.outcome.bytes, source.name);
  }

  void count(std::span<const Built> all, double seconds) {
    const std::lock_guard lock(mutex);
    for (const Built& built : all) {
      ++statistics.kernels;
      ++(built.outcome.hit ? statistics.cache_hits : statistics.cache_misses);
    }
    statistics.seconds += seconds;
  }
};

Compiler::Compiler(core::Device device, fs::path cache_directory) {
  if (cache_directory.empty()) cache_directory = default_cache_directory();
  state_ = std::make_shared<State>(std::move(device), cache_directory);
}

const core::Device& Compiler::device() const {
  return state_->device;
}

CompileStatistics Compiler::statistics() const {
  const std::lock_guard lock(state_->mutex);
  return state_->statistics;
}

core::Module Compiler::compile(const KernelSource& source) {
  return compile(std::span(&source, 1)).front();
}

std::vector<core::Module> Compiler::compile(std::span<const KernelSource> sources) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<State::Built> built(sources.size());
  std::vector<std::exception_ptr> failures(sources.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < sources.size(); i = next++) {
      try {
        built[i] = state_->build_or_find(sources[i]);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  };
  {
    // This thread works too; a single kernel needs no other.
    const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < std::min(cores, sources.size()); ++i) helpers.emplace_back(work);
    work();
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  std::vector<core::Module> modules;
  for (std::size_t i = 0; i < sources.size(); ++i) modules.push_back(state_->load(sources[i], built[i]));
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  state_->count(built, taken.count());
  return modules;
}

}  // namespace maxwell_dg::rtcg
