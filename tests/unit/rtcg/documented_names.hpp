#pragma once

#include <iostream>
#include <span>
#include <string>
#include <vector>

#include "rtcg/compile/compiler.hpp"
#include "rtcg/loop/loop_kernel.hpp"
#include "rtcg/source/template.hpp"
#include "rtcg/tune/tuner.hpp"

/// What the blocks of C++ in docs/templates.md and docs/tuning.md take for granted. They are compiled, not run.
using namespace maxwell_dg;  // as programs do
extern rtcg::Compiler compiler;
extern const core::Stream stream;
extern const core::Buffer a, b, c, x, y;
extern const std::int64_t n;
extern const std::string text;
core::LaunchShape shape_for(const rtcg::Configuration& configuration);
std::string compare_with_host(const core::Stream& stream, const core::Buffer& values);
