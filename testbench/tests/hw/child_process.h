// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace toroid::test {

/// What `work` returns, from a process of its own, because SystemC elaborates once a process. If that process does not
/// end by itself, `died` gets its wait status, and the text is what it has written until then.
std::string in_child(const std::function<std::string()>& work, std::string& died);

}  // namespace toroid::test
