// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace toroid {

/// The lowest `bytes` bytes of `value`, the most significant first, whatever the target's order: two digits each.
std::string hex_of(std::uint64_t value, std::size_t bytes);
std::string hex_of(std::string_view bytes);

/// 1 to 16 digits and nothing else; nullopt for anything else.
std::optional<std::uint64_t> hex_number(std::string_view text);
/// Pairs of digits; nullopt for anything else.
std::optional<std::string> hex_bytes(std::string_view text);

/// The text before the first `separator`, which is removed with it; all of it if there is none.
std::string_view take_until(std::string_view& text, char separator);

}  // namespace toroid
