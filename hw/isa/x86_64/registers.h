// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/isa/register_set.h"

namespace toroid::x86_64 {

// General purpose registers by their number in instructions: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15.
inline constexpr unsigned kGeneralRegisters = 16;
inline constexpr unsigned kRax = 0, kRcx = 1, kRdx = 2, kRbx = 3, kRsp = 4, kRbp = 5, kRsi = 6, kRdi = 7, kR8 = 8,
                          kR9 = 9, kR10 = 10, kR11 = 11;

/// gdb has the first eight in another order.
inline constexpr Register gpr(unsigned number) {
  constexpr unsigned char kPlace[8] = {0, 2, 3, 1, 7, 6, 4, 5};
  return static_cast<Register>(number < 8 ? kPlace[number] : number);
}
inline constexpr Register kRip{16}, kEflags{17};
/// Of the x87, counted from the top of its stack.
inline constexpr Register st(unsigned number) {
  return static_cast<Register>(24 + number);
}
inline constexpr unsigned kX87Registers = 8;
inline constexpr Register kX87Control{32}, kX87Status{33}, kX87Tags{34}, kX87CodeSegment{35}, kX87Code{36},
    kX87DataSegment{37}, kX87Data{38}, kX87Operation{39};
inline constexpr Register xmm(unsigned number) {
  return static_cast<Register>(40 + number);
}
inline constexpr Register kMxcsr{56}, kFsBase{57}, kGsBase{58};
inline constexpr bool is_general(Register which) {
  return which < kRip;
}
inline constexpr bool is_x87(Register which) {
  return which >= st(0) && which < kX87Control;
}
inline constexpr bool is_vector(Register which) {
  return which >= xmm(0) && which < kMxcsr;
}

/// Behind the general purpose registers in a RegisterSnapshot.
inline constexpr unsigned kSnapshotEflags = kGeneralRegisters;

const RegisterSet& registers();

}  // namespace toroid::x86_64
