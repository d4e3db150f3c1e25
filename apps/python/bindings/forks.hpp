#pragma once

namespace maxwell_dg::python {

/// How many forks lie between this process and the one that loaded the module. What a device holds belongs to the
/// process that made it: a child that used its parent's would hang or crash in the driver.
[[nodiscard]] int forks();

}  // namespace maxwell_dg::python
