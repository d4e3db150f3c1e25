#pragma once

namespace maxwell_dg {

/// What every program does first, before any file is opened:
/// - Of the descriptors 0, 1 and 2 (input, output, errors) those that are closed are occupied, so that no file that is
///   opened later takes their place and gets what is said. Writing to a closed standard output is an error still; what
///   is said to a closed standard error is dropped.
/// - A pipe whose reader is gone (SIGPIPE) and a limit of file sizes (SIGXFSZ) are errors of the write that meets
///   them, as a full disk is, and end no program.
/// Throws OutputError where a descriptor is closed and cannot be occupied.
void prepare_process();

/// Writes out what has gone to standard output. Throws OutputError if not all of it arrived.
void flush_standard_output();

}  // namespace maxwell_dg
