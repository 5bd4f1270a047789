// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/isa/isa.h"

namespace toroid::x86_64 {

struct CpuidAnswer {
  std::uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

/// What CPUID answers to `function` on a core whose `version` is that of function 1: family, model and stepping. Family
/// 10h, without the features that the engine does not execute: 3DNow!, MONITOR, virtual machines. Those of which there
/// are none in this family: AVX, SSSE3, SSE4.1, SSE4.2.
CpuidAnswer cpuid(std::uint32_t function, const CoreIdentity& identity);

/// EDX of function 1, which AT_HWCAP holds on Linux.
std::uint32_t standard_features();

}  // namespace toroid::x86_64
