// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/ppc64/emulator.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "hw/memory/big_endian.h"

namespace toroid::ppc64 {
namespace {

using power::Emulated, power::fpr, power::gpr, power::Instruction;

constexpr unsigned kBytes = 32, kHalf = 16;  // of a register, and of what one access moves

double double_of(std::uint64_t bits) {
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
std::uint64_t bits_of(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

std::uint64_t address_of(const Instruction& instruction, const Engine& engine) {
  return effective_address<std::uint64_t>(instruction.memory(),
                                          [&engine](unsigned number) { return engine.read(gpr(number)); });
}

/// Register 0 cannot be updated: such a word is no instruction.
bool is_valid(const Instruction& instruction) {
  return !instruction.opcode().access.update || instruction.a() != 0;
}

/// What is written back is the sum, not rounded down.
void update(const Instruction& instruction, Engine& engine) {
  if (!instruction.opcode().access.update) return;
  MemoryOperand operand = instruction.memory();
  operand.alignment = 1;
  engine.write(gpr(instruction.a()), effective_address<std::uint64_t>(
                                         operand, [&engine](unsigned number) { return engine.read(gpr(number)); }));
}

double quiet(double not_a_number) {
  constexpr std::uint64_t kQuiet = std::uint64_t{1} << 51;
  return double_of(bits_of(not_a_number) | kQuiet);
}

/// The first operand that is no number is the result; the processor's default one is a NaN without a sign. The host
/// would take either operand, as its compiler orders them.
double sum(double a, double b) {
  if (std::isnan(a)) return quiet(a);
  if (std::isnan(b)) return quiet(b);
  const double result = a + b;
  return std::isnan(result) ? std::numeric_limits<double>::quiet_NaN() : result;
}

/// How comparisons answer.
double truth(bool value) {
  return value ? 1.0 : -1.0;
}

double element(Emulated operation, double a, double b, double c) {
  switch (operation) {
    case Emulated::add_four:
      return sum(a, b);
    case Emulated::select_four:
      return a >= 0 ? c : b;
    case Emulated::compare_less_four:
      return truth(a < b);
    case Emulated::compare_greater_four:
      return truth(a > b);
    default:
      return b;
  }
}

}  // namespace

Emulator::Four Emulator::whole(unsigned number, const Engine& engine) const {
  const auto& others = others_[number];
  return {double_of(engine.read(fpr(number))), others[0], others[1], others[2]};
}

void Emulator::set_whole(unsigned number, const Four& value, Engine& engine) {
  engine.write(fpr(number), bits_of(value[0]));
  others_[number] = {value[1], value[2], value[3]};
}

std::optional<std::string> Emulator::read(Register which) const {
  if (!power::is_quad(which)) return std::nullopt;
  std::array<std::uint8_t, sizeof(Others)> bytes{};
  std::uint8_t* at = bytes.data();
  for (const double value : others_[power::quad_number(which)]) {
    store_be64(at, bits_of(value));
    at += sizeof value;
  }
  return std::string(bytes.begin(), bytes.end());
}

bool Emulator::write(Register which, std::string_view bytes) {
  if (!power::is_quad(which) || bytes.size() != sizeof(Others)) return false;
  const auto* at = reinterpret_cast<const std::uint8_t*>(bytes.data());
  for (double& value : others_[power::quad_number(which)]) {
    value = double_of(load_be64(at));
    at += sizeof value;
  }
  return true;
}

bool Emulator::load(const Instruction& instruction, Engine& engine, EmulatedAccess& access) {
  if (!is_valid(instruction)) return false;
  const std::uint64_t address = address_of(instruction, engine);
  std::array<std::uint8_t, kBytes> bytes{};
  if (!access.load(address, bytes.data(), kHalf) || !access.load(address + kHalf, bytes.data() + kHalf, kHalf))
    return true;
  Four value{};
  for (unsigned i = 0; i < kElements; ++i) value[i] = double_of(load_be64(bytes.data() + 8 * i));
  set_whole(instruction.t(), value, engine);
  update(instruction, engine);
  return true;
}

bool Emulator::store(const Instruction& instruction, Engine& engine, EmulatedAccess& access) const {
  if (!is_valid(instruction)) return false;
  const std::uint64_t address = address_of(instruction, engine);
  std::array<std::uint8_t, kBytes> bytes{};
  const Four value = whole(instruction.t(), engine);
  for (unsigned i = 0; i < kElements; ++i) store_be64(bytes.data() + 8 * i, bits_of(value[i]));
  if (access.store(address, bytes.data(), kHalf) && access.store(address + kHalf, bytes.data() + kHalf, kHalf))
    update(instruction, engine);
  return true;
}

/// For what, two bits of T tell.
void Emulator::wait(const Instruction& instruction, EmulatedAccess& access) {
  switch (instruction.t() & 3) {
    case 0:
      access.wait_for(EmulatedAccess::Event::interrupt);
      break;
    case 1:
      access.wait_for(EmulatedAccess::Event::reservation_loss);
      break;
    case 2:
      access.wait_for(EmulatedAccess::Event::of_chip);
      break;
    default:
      break;
  }
}

bool Emulator::execute(const InstructionBytes& bytes, Engine& engine, EmulatedAccess& access) {
  const Instruction instruction(load_be32(bytes.data()), power::Width::wide);
  const Emulated operation = instruction.opcode().emulated;
  switch (operation) {
    case Emulated::nothing:
      return true;
    case Emulated::wait:
      wait(instruction, access);
      return true;
    case Emulated::load_four:
      return load(instruction, engine, access);
    case Emulated::store_four:
      return store(instruction, engine, access);
    case Emulated::add_four:
    case Emulated::select_four:
    case Emulated::compare_less_four:
    case Emulated::compare_greater_four:
    case Emulated::move_four: {
      const Four a = whole(instruction.a(), engine), b = whole(instruction.b(), engine),
                 c = whole(instruction.c(), engine);
      Four result{};
      for (unsigned i = 0; i < kElements; ++i) result[i] = element(operation, a[i], b[i], c[i]);
      set_whole(instruction.t(), result, engine);
      return true;
    }
    default:
      return false;
  }
}

}  // namespace toroid::ppc64
