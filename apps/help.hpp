#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace maxwell_dg {

/// The help of a program: how it is called, what it does, its options with what each takes, and what else is to be said
/// (examples, exit codes). Every option that takes a value must say by type_name() what that is.
[[nodiscard]] std::string help_text(const CLI::App& app, const std::string& usage, const std::string& more = {});

/// Makes `--help` print it.
void set_help(CLI::App& app, const std::string& usage, const std::string& more = {});

}  // namespace maxwell_dg
