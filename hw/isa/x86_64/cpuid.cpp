// SPDX-License-Identifier: Apache-2.0
//
// "CPUID Specification", AMD 25481; "BIOS and Kernel Developer's Guide for AMD Family 10h Processors", AMD 31116.
#include "hw/isa/x86_64/cpuid.h"

#include <cstring>

namespace toroid::x86_64 {
namespace {

constexpr std::uint32_t bit(unsigned number) {
  return std::uint32_t{1} << number;
}

// Function 1.
constexpr std::uint32_t kSse3 = bit(0), kCmpxchg16b = bit(13), kPopcnt = bit(23);            // ECX
constexpr std::uint32_t kFpu = bit(0), kTsc = bit(4), kCmpxchg8b = bit(8), kCmov = bit(15),  // EDX
    kClflush = bit(19), kMmx = bit(23), kFxsr = bit(24), kSse = bit(25), kSse2 = bit(26);
// Function 8000_0001.
constexpr std::uint32_t kLahf = bit(0), kCmpLegacy = bit(1), kAbm = bit(5), kSse4a = bit(6), kMisalignedSse = bit(7),
                        kPrefetchw = bit(8);  // ECX
constexpr std::uint32_t kSyscall = bit(11), kNoExecute = bit(20), kMmxExtensions = bit(22), kRdtscp = bit(27),
                        kLongMode = bit(29);                                         // EDX
constexpr std::uint32_t kMachine = kFpu | kTsc | kCmpxchg8b | kCmov | kMmx | kFxsr;  // in both

constexpr std::uint32_t kStandard = 0, kLargestStandard = 5, kExtended = 0x8000'0000, kLargestExtended = 0x8000'001A;

/// Processors of the family that machines have.
struct Model {
  std::uint32_t version;
  const char* brand;
  std::uint32_t cores;
};
constexpr Model kModels[] = {
    {0x0010'0F80, "Six-Core AMD Opteron(tm) Processor 2435", 6},  // Istanbul
    {0x0010'0F91, "AMD Opteron(tm) Processor 6172", 12},          // Magny-Cours
};
constexpr Model kOther = {0, "AMD Opteron(tm) Processor", 1};

const Model& model_of(std::uint32_t version) {
  for (const Model& model : kModels) {
    if (model.version == version) return model;
  }
  return kOther;
}

CpuidAnswer text(const char* from) {
  CpuidAnswer answer;
  std::memcpy(&answer, from, sizeof answer);
  return answer;
}

CpuidAnswer brand(const Model& model, std::uint32_t part) {
  char name[48] = {};
  std::strncpy(name, model.brand, sizeof name - 1);
  return text(name + part * sizeof(CpuidAnswer));
}

CpuidAnswer vendor(std::uint32_t largest) {
  CpuidAnswer answer{largest, 0, 0, 0};
  std::memcpy(&answer.ebx, "Auth", 4);
  std::memcpy(&answer.edx, "enti", 4);
  std::memcpy(&answer.ecx, "cAMD", 4);
  return answer;
}

}  // namespace

std::uint32_t standard_features() {
  return kMachine | kClflush | kSse | kSse2;
}

CpuidAnswer cpuid(std::uint32_t function, const CoreIdentity& identity) {
  const Model& model = model_of(identity.version);
  switch (function) {
    case kStandard:
      return vendor(kLargestStandard);
    case 1:
      // EBX: the number of the core, how many there are, the quadwords of a line that clflush flushes.
      return {identity.version, identity.number << 24 | model.cores << 16 | 8u << 8, kSse3 | kCmpxchg16b | kPopcnt,
              standard_features()};
    case kExtended:
      return vendor(kLargestExtended);
    case 0x8000'0001:
      return {identity.version, 0, kLahf | kCmpLegacy | kAbm | kSse4a | kMisalignedSse | kPrefetchw,
              kMachine | kSyscall | kNoExecute | kMmxExtensions | kRdtscp | kLongMode};
    case 0x8000'0002:
    case 0x8000'0003:
    case 0x8000'0004:
      return brand(model, function - 0x8000'0002);
    case 0x8000'0005:  // first-level caches: 64 KiB, two ways, lines of 64 bytes; 48 entries of the TLBs
      return {0xFF30'FF10, 0xFF30'FF20, 0x4002'0140, 0x4002'0140};
    case 0x8000'0006:  // second level: 512 KiB, 16 ways; third: 6 MiB, 48 ways
      return {0x2080'0000, 0x4200'4200, 0x0200'8140, 0x0030'B140};
    case 0x8000'0007:  // the time-stamp counter keeps its rate
      return {0, 0, 0, bit(8)};
    case 0x8000'0008:  // addresses of 48 bits; cores, and bits of their number
      return {0x0000'3030, 0, 4u << 12 | (model.cores - 1), 0};
    case 0x8000'001A:  // floating-point units of 128 bits
      return {bit(0) | bit(1), 0, 0, 0};
    default:
      return {};
  }
}

}  // namespace toroid::x86_64
