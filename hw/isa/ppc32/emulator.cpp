// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/ppc32/emulator.h"

#include <algorithm>
#include <limits>

#include "hw/isa/power/registers.h"
#include "hw/memory/big_endian.h"

namespace toroid::ppc32 {
namespace {

using power::gpr, power::fpr, power::kCr, power::kXer;

constexpr unsigned kPairBytes = 16;

std::uint32_t address_of(const Instruction& instruction, const Engine& engine) {
  return effective_address<std::uint32_t>(instruction.memory(),
                                          [&engine](unsigned number) { return engine.read(gpr(number)); });
}

/// Register 0 cannot be updated: such a word is no instruction.
bool is_valid(const Instruction& instruction) {
  return !instruction.opcode().access.update || instruction.a() != 0;
}

void update(const Instruction& instruction, Engine& engine, std::uint32_t address) {
  if (instruction.opcode().access.update) engine.write(gpr(instruction.a()), address);
}

/// isel: T is A (or zero) if the bit of the condition register that C names is set, and otherwise B.
void select(const Instruction& instruction, Engine& engine) {
  const bool first = (engine.read(kCr) >> (31 - instruction.c()) & 1) != 0;
  const std::uint64_t a = instruction.a() == 0 ? 0 : engine.read(gpr(instruction.a()));
  engine.write(gpr(instruction.t()), first ? a : engine.read(gpr(instruction.b())));
}

/// dlmzb: the number, from 1 on, of the leftmost byte of T and B that is zero, or 8 if none is; into A and XER's count
/// of bytes. CR0 tells on request whether it is one of B's, one of T's, or none. The engine does not expose XER's
/// summary overflow, of which CR0 would get a copy.
void find_zero_byte(const Instruction& instruction, Engine& engine) {
  constexpr unsigned kBytes = 8;
  constexpr std::uint64_t kCount = 0x7F;  // in XER
  constexpr std::uint64_t kInSecond = 8, kInFirst = 4, kNowhere = 2;
  const std::uint64_t bytes =
      (engine.read(gpr(instruction.t())) & 0xFFFF'FFFF) << 32 | (engine.read(gpr(instruction.b())) & 0xFFFF'FFFF);
  unsigned number = 1;
  while (number <= kBytes && (bytes >> (64 - 8 * number) & 0xFF) != 0) ++number;
  const std::uint64_t field = number > kBytes ? kNowhere : number > kBytes / 2 ? kInSecond : kInFirst;
  if (number > kBytes) number = kBytes;
  engine.write(gpr(instruction.a()), number);
  engine.write(kXer, (engine.read(kXer) & ~kCount) | number);
  if (instruction.last_bit()) engine.write(kCr, (engine.read(kCr) & 0x0FFF'FFFF) | field << 28);
}

/// mulhhw to nmaclhws: the product of two halves; or T and the product, or less the product. Each bit of the extended
/// opcode says something of it. False for those that tell of overflow, which the engine keeps to itself.
bool multiply_halves(const Instruction& instruction, Engine& engine) {
  constexpr std::uint32_t kOverflow = 1 << 10;
  const std::uint32_t word = instruction.word(), extended = word >> 1 & 0x1FF;
  const bool low_of_b = (extended & 256) != 0, low_of_a = (extended & 128) != 0, saturates = (extended & 64) != 0,
             is_signed = (extended & 32) != 0, accumulates = (extended & 4) != 0, negative = (extended & 2) != 0;
  if (accumulates && (word & kOverflow) != 0) return false;

  const auto half = [&](unsigned number, bool low) -> std::int64_t {
    const auto bits = static_cast<std::uint16_t>(engine.read(gpr(number)) >> (low ? 0 : 16));
    return is_signed ? static_cast<std::int16_t>(bits) : bits;
  };
  std::int64_t result = half(instruction.a(), low_of_a) * half(instruction.b(), low_of_b);
  if (accumulates) {
    const auto before = static_cast<std::uint32_t>(engine.read(gpr(instruction.t())));
    if (negative) result = -result;
    result += is_signed ? static_cast<std::int32_t>(before) : static_cast<std::int64_t>(before);
    using Signed = std::numeric_limits<std::int32_t>;
    using Unsigned = std::numeric_limits<std::uint32_t>;
    if (saturates) {
      result = is_signed ? std::clamp<std::int64_t>(result, Signed::min(), Signed::max())
                         : std::min<std::int64_t>(result, Unsigned::max());
    }
  }
  const auto value = static_cast<std::uint32_t>(result);
  engine.write(gpr(instruction.t()), value);
  if (instruction.last_bit()) {
    constexpr std::uint64_t kLess = 8, kGreater = 4, kEqual = 2;
    const std::uint64_t field = value == 0 ? kEqual : value >> 31 != 0 ? kLess : kGreater;
    engine.write(kCr, (engine.read(kCr) & 0x0FFF'FFFF) | field << 28);
  }
  return true;
}

void read_control(const Instruction& instruction, Engine& engine, EmulatedAccess& access) {
  std::uint32_t value = 0;
  if (access.load_control(static_cast<std::uint32_t>(engine.read(gpr(instruction.a()))), value))
    engine.write(gpr(instruction.t()), value);
}

void write_control(const Instruction& instruction, const Engine& engine, EmulatedAccess& access) {
  const std::uint64_t number = engine.read(gpr(instruction.a())), value = engine.read(gpr(instruction.t()));
  access.store_control(static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(value));
}

}  // namespace

/// The primary register has the first eight bytes, the secondary one the others.
bool Emulator::load_pair(const Instruction& instruction, Engine& engine, EmulatedAccess& access) {
  if (!is_valid(instruction)) return false;
  const std::uint32_t address = address_of(instruction, engine);
  std::array<std::uint8_t, kPairBytes> bytes{};
  if (!access.load(address, bytes.data(), kPairBytes)) return true;
  engine.write(fpr(instruction.t()), load_be64(bytes.data()));
  secondary_[instruction.t()] = load_be64(bytes.data() + 8);
  update(instruction, engine, address);
  return true;
}

bool Emulator::store_pair(const Instruction& instruction, Engine& engine, EmulatedAccess& access) const {
  if (!is_valid(instruction)) return false;
  const std::uint32_t address = address_of(instruction, engine);
  std::array<std::uint8_t, kPairBytes> bytes{};
  store_be64(bytes.data(), engine.read(fpr(instruction.t())));
  store_be64(bytes.data() + 8, secondary_[instruction.t()]);
  if (access.store(address, bytes.data(), kPairBytes)) update(instruction, engine, address);
  return true;
}

bool Emulator::execute(const InstructionBytes& bytes, Engine& engine, EmulatedAccess& access) {
  const Instruction instruction(load_be32(bytes.data()), power::Width::narrow);
  switch (instruction.opcode().emulated) {
    case power::Emulated::load_pair:
      return load_pair(instruction, engine, access);
    case power::Emulated::store_pair:
      return store_pair(instruction, engine, access);
    case power::Emulated::select:
      select(instruction, engine);
      return true;
    case power::Emulated::find_zero_byte:
      find_zero_byte(instruction, engine);
      return true;
    case power::Emulated::multiply_halves:
      return multiply_halves(instruction, engine);
    case power::Emulated::nothing:
      return true;
    case power::Emulated::read_control:
      if (access.has_control_registers()) read_control(instruction, engine, access);
      return access.has_control_registers();
    case power::Emulated::write_control:
      if (access.has_control_registers()) write_control(instruction, engine, access);
      return access.has_control_registers();
    default:
      return false;
  }
}

}  // namespace toroid::ppc32
