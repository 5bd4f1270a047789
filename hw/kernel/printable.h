// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace toroid {

/// Text that came from outside (names in a program file, strings in a program's memory, paths), as messages show it:
/// control characters and what is not UTF-8 become escapes as in C ("\n", "\x1b"), so that they neither reach a
/// terminal nor spoil a file. All else stays as it is, also escapes that are there already.
std::string printable(std::string_view text);

/// "0x10000520", of eight digits or more.
std::string hex(std::uint64_t value);

}  // namespace toroid
