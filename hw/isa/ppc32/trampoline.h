// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "hw/isa/isa.h"

namespace toroid::ppc32 {

inline constexpr unsigned kTrampolineBytes = 40;

/// See Isa.
std::optional<Trampoline> find_trampoline(const std::uint8_t* code);
void enter_by(const Trampoline& trampoline, Engine& engine);

}  // namespace toroid::ppc32
