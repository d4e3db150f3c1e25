#include "rtcg/compile/compiler.hpp"

#include <chrono>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <system_error>

#include "core/atomic_file.hpp"
#include "core/digest.hpp"
#include "core/error.hpp"
#include "core/in_parallel.hpp"
#include "rtcg/compile/diagnosis.hpp"
#include "rtcg/compile/included_files.hpp"
#include "rtcg/source/dialect.hpp"
#include "rtcg/source/line_directive.hpp"

namespace maxwell_dg::rtcg {

namespace fs = std::filesystem;

namespace {

// Throws CompileError for what no compiler of this backend takes.
void require_possible(const KernelSource& source, core::Backend backend) {
  for (const fs::path& directory : source.include_directories) {
    if (directory.string().find(' ') != std::string::npos) {
      throw CompileError(source.name + ": include directory '" + directory.string() +
                         "' has a blank in its name, which not every compiler takes; rename or link it");
    }
  }
  if (backend != core::Backend::cuda && !source.name_expressions.empty()) {
    throw CompileError(source.name + ": name expressions are instances of C++ templates; OpenCL C has none");
  }
}

// Errors are counted in the kernel's own lines, because #line restarts the count behind the preamble.
core::BuildRequest request_for(const KernelSource& source, core::Backend backend) {
  const bool in_dialect = source.preamble == KernelSource::Preamble::dialect;
  core::BuildRequest request{
      .name = source.name,
      .text = (in_dialect ? dialect_preamble(backend) : "") + line_directive(1, source.name) + source.text,
      .headers = source.headers,
      .options = source.options,
      .name_expressions = source.name_expressions};
  for (const fs::path& directory : source.include_directories) request.options.push_back("-I" + directory.string());
  return request;
}

using IncludedFiles = std::vector<std::pair<fs::path, std::string>>;

// All that may change what the compiler returns. Every list is preceded by its length.
std::string cache_key(const core::BuildRequest& request, const IncludedFiles& files, core::Backend backend,
                      const std::vector<std::string>& fingerprint) {
  Sha256 digest;
  const auto add_list = [&digest](const std::vector<std::string>& list) {
    digest.add_field(std::to_string(list.size()));
    for (const std::string& item : list) digest.add_field(item);
  };
  digest.add_field("maxwell_dg kernel key, version 2");
  digest.add_field(core::name_of(backend));
  add_list(fingerprint);
  add_list(request.options);
  digest.add_field(std::to_string(request.headers.size()));
  for (const auto& [name, text] : request.headers) {
    digest.add_field(name);
    digest.add_field(text);
  }
  digest.add_field(std::to_string(files.size()));
  for (const auto& [path, text] : files) {
    digest.add_field(path.string());
    digest.add_field(text);
  }
  add_list(request.name_expressions);
  digest.add_field(request.name);
  digest.add_field(request.text);
  return digest.hex();
}

void write_source(const core::BuildRequest& request, const fs::path& folder, const fs::path& file_name) {
  fs::create_directories(folder);
  for (const auto& [name, text] : request.headers) write_file_atomically(folder / fs::path(name).filename(), text);
  write_file_atomically(folder / file_name, request.text);
}

fs::path file_name_of(const core::BuildRequest& request) {
  const fs::path name = fs::path(request.name).filename();
  return name.empty() ? "kernel" : name;
}

// Beside the cache, or in the temporary directory where that is not writable; what happened, as a clause.
std::string save_failed_source(const core::BuildRequest& request, const std::string& key,
                               const fs::path& cache_directory) {
  std::error_code error;
  const fs::path temporary = fs::temp_directory_path(error) / "maxwell_dg_failed";
  std::string why;
  for (const fs::path& place : {cache_directory / "failed", temporary}) {
    const fs::path folder = place / key.substr(0, 16);
    try {
      write_source(request, folder, file_name_of(request));
      return "source saved in " + (folder / file_name_of(request)).string();
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
    std::string_view line = line_called(source.text, source.name, error->file, error->line);
    for (const auto& [name, header] : request.headers) {
      if (error->file == name) line = line_of(header, error->line);
    }
    if (!line.empty()) text += "\n    " + std::string(line);
    if (error->file != source.name) text += "\nwhile compiling " + source.name;
  }
  text += "\ncompiler's log:\n" + (log.empty() ? "(empty)" : log);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

struct Compiler::State {
  core::Device device;
  CompilerOptions options;
  KernelCache cache;
  std::vector<std::string> fingerprint;
  std::mutex mutex;
  CompileStatistics statistics;

  State(core::Device on, CompilerOptions with)
      : device(std::move(on)),
        options(std::move(with)),
        cache(options.cache_directory / "kernels"),
        fingerprint(device.compiler_fingerprint()) {}

  struct Built {
    core::BuildRequest request;
    std::string key;
    CodeImage image;
    bool hit = false;
  };

  [[nodiscard]] std::vector<std::byte> make(const KernelSource& source, const Built& built) const {
    if (options.on_miss == OnMiss::fail) {
      throw CompileError(source.name + ": not in the kernel cache " + cache.directory().string() +
                         ", and compiling is forbidden; run once with MAXWELL_DG_ON_MISS=compile");
    }
    core::BuildResult result = device.build(built.request);
    if (result.ok) return CodeImage{std::move(result.binary), std::move(result.lowered_names)}.to_bytes();
    const std::string saved = save_failed_source(built.request, built.key, options.cache_directory);
    throw CompileError(explain(built.request, source, result.log, saved));
  }

  void make_anew(const KernelSource& source, Built& built) {
    cache.remove(built.key);
    const std::vector<std::byte> bytes = make(source, built);
    cache.store(built.key, description_of(source), bytes);
    built.image = CodeImage::from_bytes(bytes).value();
    built.hit = false;
  }

  [[nodiscard]] std::string description_of(const KernelSource& source) const {
    return source.name + " on " + device.info().name + ", " + device.info().architecture;
  }

  /// Not built yet.
  [[nodiscard]] Built asked_for(const KernelSource& source) const {
    Built built;
    const core::Backend backend = device.info().backend;
    built.request = request_for(source, backend);
    built.request.options.insert(built.request.options.end(), options.options.begin(), options.options.end());
    const IncludedFiles files = source.include_directories.empty()
                                    ? IncludedFiles{}
                                    : included_files(source.text, source.include_directories, source.headers);
    built.key = cache_key(built.request, files, backend, fingerprint);
    return built;
  }

  [[nodiscard]] Built build_or_find(const KernelSource& source) {
    require_possible(source, device.info().backend);
    Built built = asked_for(source);
    if (!options.keep_sources.empty()) {
      write_source(built.request, options.keep_sources / built.key.substr(0, 16), file_name_of(built.request));
    }
    const auto outcome = cache.get(built.key, description_of(source), [&] { return make(source, built); });
    built.hit = outcome.hit;
    if (auto image = CodeImage::from_bytes(outcome.bytes)) {
      built.image = std::move(*image);
    } else {
      make_anew(source, built);
    }
    return built;
  }

  // A kept binary that the driver refuses is one more anomaly that is a miss.
  [[nodiscard]] core::Module load(const KernelSource& source, Built& built) {
    try {
      return device.load(built.image.binary, source.name);
    } catch (const OutOfDeviceMemory&) {
      throw;
    } catch (const DeviceError&) {
      if (!built.hit) throw;
    }
    make_anew(source, built);
    return device.load(built.image.binary, source.name);
  }

  void count(std::span<const Built> all, std::chrono::steady_clock::time_point begin) {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    const std::lock_guard lock(mutex);
    for (const Built& built : all) {
      ++statistics.kernels;
      ++(built.hit ? statistics.cache_hits : statistics.cache_misses);
    }
    statistics.seconds += taken.count();
  }
};

OnMiss on_miss_by_environment() {
  const char* value = std::getenv("MAXWELL_DG_ON_MISS");
  const std::string_view wanted = value == nullptr ? "" : value;
  if (wanted.empty() || wanted == "compile") return OnMiss::compile;
  if (wanted == "fail") return OnMiss::fail;
  throw ConfigError("MAXWELL_DG_ON_MISS=" + std::string(wanted) + ": allowed are compile and fail");
}

Compiler::Compiler(core::Device device, fs::path cache_directory)
    : Compiler(std::move(device), CompilerOptions{.cache_directory = std::move(cache_directory)}) {}

Compiler::Compiler(core::Device device, CompilerOptions options) {
  if (options.cache_directory.empty()) options.cache_directory = default_cache_directory();
  state_ = std::make_shared<State>(std::move(device), std::move(options));
}

const core::Device& Compiler::device() const {
  return state_->device;
}

const KernelCache& Compiler::cache() const {
  return state_->cache;
}

CompileStatistics Compiler::statistics() const {
  const std::lock_guard lock(state_->mutex);
  return state_->statistics;
}

core::Module Compiler::compile(const KernelSource& source) {
  return compile(std::span(&source, 1)).front();
}

std::vector<core::Module> Compiler::compile(std::span<const KernelSource> sources) {
  std::vector<core::Module> modules;
  for (CompileOutcome& outcome : compile_each(sources)) {
    if (outcome.failure) std::rethrow_exception(outcome.failure);
    modules.push_back(std::move(outcome.module));
  }
  return modules;
}

std::vector<CompileOutcome> Compiler::compile_each(std::span<const KernelSource> sources) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<State::Built> built(sources.size());
  std::vector<CompileOutcome> outcomes(sources.size());
  if (state_->options.instead_of_compiling) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      state_->options.instead_of_compiling(sources[i]);
      outcomes[i].module = state_->device.load({}, sources[i].name);
    }
    return outcomes;
  }
  for_each_in_parallel(sources.size(), [&](std::size_t i) {
    try {
      built[i] = state_->build_or_find(sources[i]);
    } catch (...) {
      outcomes[i].failure = std::current_exception();
    }
  });
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (outcomes[i].failure) continue;
    try {
      outcomes[i].module = state_->load(sources[i], built[i]);
    } catch (...) {
      outcomes[i].failure = std::current_exception();
    }
  }
  state_->count(built, begin);
  return outcomes;
}

std::string Compiler::key(const KernelSource& source) const {
  return state_->asked_for(source).key;
}

CodeImage Compiler::build(const KernelSource& source) {
  const auto begin = std::chrono::steady_clock::now();
  const State::Built built = state_->build_or_find(source);
  state_->count(std::span(&built, 1), begin);
  return built.image;
}

core::Module Compiler::load(const CodeImage& image, const std::string& name) {
  return state_->device.load(image.binary, name);
}

std::string Compiler::ptx(const KernelSource& source) {
  const core::DeviceInfo& info = device().info();
  if (info.backend != core::Backend::cuda) {
    throw DeviceError("PTX is CUDA's; '" + info.name + "' is an OpenCL device, whose driver does not show its code");
  }
  KernelSource as_text = source;
  as_text.options.push_back("--gpu-architecture=compute_" + info.architecture.substr(info.architecture.find('_') + 1));
  const CodeImage image = build(as_text);
  const std::string_view text(reinterpret_cast<const char*>(image.binary.data()), image.binary.size());
  return std::string(text.substr(0, text.find('\0')));
}

}  // namespace maxwell_dg::rtcg
