// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace toroid::guest {

// Signals by their numbers in Linux: a process that one has killed ends with status 128 + number.
inline constexpr int kSigIll = 4, kSigTrap = 5, kSigAbrt = 6, kSigBus = 7, kSigFpe = 8, kSigKill = 9, kSigSegv = 11,
                     kSigAlrm = 14, kSigChld = 17, kSigCont = 18, kSigStop = 19, kSigUrg = 23, kSigWinch = 28;
inline constexpr unsigned kSignals = 64;

inline constexpr unsigned kSegvAccessError = 2;           // SEGV_ACCERR
inline constexpr unsigned kTrapTrace = 2;                 // TRAP_TRACE
inline constexpr unsigned kByKernel = 0x80;               // SI_KERNEL
inline constexpr unsigned kSignalInformationBytes = 128;  // of struct siginfo

}  // namespace toroid::guest
