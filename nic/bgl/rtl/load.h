// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "nic/bgl/rtl/library.h"

namespace toroid::rtl {

/// Path of the library relative to the running executable: ../lib/libtoroid_rtl.so.
std::string library_path();

/// Loads the library; it stays loaded. Throws std::runtime_error, one line that says what is wrong and what would help.
Library& load_library(const std::string& path);

}  // namespace toroid::rtl
