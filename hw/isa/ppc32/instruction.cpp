// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/ppc32/instruction.h"

namespace toroid {
namespace {

struct AccessForm {
  bool load;
  std::uint8_t size;
  bool update;
  bool to_gpr;
  RegisterBank bank = RegisterBank::general;
};

constexpr RegisterBank kFpr = RegisterBank::floating;

/// Displacement forms: primary opcodes 32 (lwz) to 55 (stfdu).
constexpr AccessForm kDisplacementForms[24] = {
    {true, 4, false, true},          // lwz
    {true, 4, true, true},           // lwzu
    {true, 1, false, true},          // lbz
    {true, 1, true, true},           // lbzu
    {false, 4, false, true},         // stw
    {false, 4, true, true},          // stwu
    {false, 1, false, true},         // stb
    {false, 1, true, true},          // stbu
    {true, 2, false, true},          // lhz
    {true, 2, true, true},           // lhzu
    {true, 2, false, true},          // lha
    {true, 2, true, true},           // lhau
    {false, 2, false, true},         // sth
    {false, 2, true, true},          // sthu
    {true, 0, false, false},         // lmw: size set by its first register
    {false, 0, false, false},        // stmw
    {true, 4, false, false, kFpr},   // lfs
    {true, 4, true, false, kFpr},    // lfsu
    {true, 8, false, false, kFpr},   // lfd
    {true, 8, true, false, kFpr},    // lfdu
    {false, 4, false, false, kFpr},  // stfs
    {false, 4, true, false, kFpr},   // stfsu
    {false, 8, false, false, kFpr},  // stfd
    {false, 8, true, false, kFpr},   // stfdu
};

constexpr unsigned field(std::uint32_t word, unsigned shift, unsigned bits) {
  return word >> shift & ((1u << bits) - 1);
}

Instruction plain(InstructionClass kind) {
  Instruction result;
  result.kind = kind;
  return result;
}

Instruction access(std::uint32_t word, const AccessForm& form, bool indexed) {
  Instruction result;
  result.kind = form.load ? InstructionClass::load : InstructionClass::store;
  MemoryAccess& memory = result.memory;
  memory.load = form.load;
  memory.store = !form.load;
  memory.indexed = indexed;
  memory.update = form.update;
  memory.size = form.size;
  memory.to_gpr = form.to_gpr;
  memory.bank = form.bank;
  memory.target = static_cast<std::uint8_t>(field(word, 21, 5));
  memory.base = static_cast<std::uint8_t>(field(word, 16, 5));
  memory.index = static_cast<std::uint8_t>(field(word, 11, 5));
  memory.displacement = static_cast<std::int16_t>(word & 0xFFFF);
  return result;
}

Instruction quad_access(std::uint32_t word, bool load, std::uint8_t size) {
  Instruction result = access(word, {load, size, false, false, RegisterBank::vector}, true);
  result.memory.quad = size == 16;
  return result;
}

/// String moves of as many bytes as the B field says; no register is added to the address.
Instruction string_access(std::uint32_t word, bool load) {
  Instruction result = access(word, {load, 0, false, false}, false);
  const unsigned bytes = field(word, 11, 5) == 0 ? 32 : field(word, 11, 5);
  result.memory.displacement = 0;
  result.memory.words = static_cast<std::uint8_t>((bytes + 3) / 4);
  result.memory.bytes = static_cast<std::uint8_t>(bytes);
  result.memory.many = true;
  return result;
}

Instruction decode_31(std::uint32_t word) {
  const unsigned extended = field(word, 1, 10);
  switch (extended) {
    // Loads and stores.
    case 23:
      return access(word, {true, 4, false, true}, true);  // lwzx
    case 55:
      return access(word, {true, 4, true, true}, true);  // lwzux
    case 87:
      return access(word, {true, 1, false, true}, true);  // lbzx
    case 119:
      return access(word, {true, 1, true, true}, true);  // lbzux
    case 279:
      return access(word, {true, 2, false, true}, true);  // lhzx
    case 311:
      return access(word, {true, 2, true, true}, true);  // lhzux
    case 343:
      return access(word, {true, 2, false, true}, true);  // lhax
    case 375:
      return access(word, {true, 2, true, true}, true);  // lhaux
    case 534:
      return access(word, {true, 4, false, true}, true);  // lwbrx
    case 790:
      return access(word, {true, 2, false, true}, true);  // lhbrx
    case 151:
      return access(word, {false, 4, false, true}, true);  // stwx
    case 183:
      return access(word, {false, 4, true, true}, true);  // stwux
    case 215:
      return access(word, {false, 1, false, true}, true);  // stbx
    case 247:
      return access(word, {false, 1, true, true}, true);  // stbux
    case 407:
      return access(word, {false, 2, false, true}, true);  // sthx
    case 439:
      return access(word, {false, 2, true, true}, true);  // sthux
    case 662:
      return access(word, {false, 4, false, true}, true);  // stwbrx
    case 918:
      return access(word, {false, 2, false, true}, true);  // sthbrx
    case 535:
      return access(word, {true, 4, false, false, kFpr}, true);  // lfsx
    case 567:
      return access(word, {true, 4, true, false, kFpr}, true);  // lfsux
    case 599:
      return access(word, {true, 8, false, false, kFpr}, true);  // lfdx
    case 631:
      return access(word, {true, 8, true, false, kFpr}, true);  // lfdux
    case 663:
      return access(word, {false, 4, false, false, kFpr}, true);  // stfsx
    case 695:
      return access(word, {false, 4, true, false, kFpr}, true);  // stfsux
    case 727:
      return access(word, {false, 8, false, false, kFpr}, true);  // stfdx
    case 759:
      return access(word, {false, 8, true, false, kFpr}, true);  // stfdux
    case 983:
      return access(word, {false, 4, false, false, kFpr}, true);  // stfiwx
    case 103:                                                     // lvx
    case 359:
      return quad_access(word, true, 16);  // lvxl
    case 231:                              // stvx
    case 487:
      return quad_access(word, false, 16);  // stvxl
    case 7:
      return quad_access(word, true, 1);  // lvebx
    case 39:
      return quad_access(word, true, 2);  // lvehx
    case 71:
      return quad_access(word, true, 4);  // lvewx
    case 135:
      return quad_access(word, false, 1);  // stvebx
    case 167:
      return quad_access(word, false, 2);  // stvehx
    case 199:
      return quad_access(word, false, 4);  // stvewx
    // String moves: as many bytes as a field or XER says.
    case 533:    // lswx
    case 661: {  // stswx
      Instruction result = access(word, {extended == 533, 0, false, false}, true);
      result.memory.many = true;
      return result;
    }
    case 597:
      return string_access(word, true);  // lswi
    case 725:
      return string_access(word, false);  // stswi
    // Reservations: told apart from plain accesses by size 0, because they have state of their own.
    case 20:
      return access(word, {true, 0, false, false}, true);  // lwarx
    case 150:
      return access(word, {false, 0, false, false}, true);  // stwcx.
    // Multiplication and division; the arithmetic ones have an overflow bit in front.
    case 11:
    case 75:
    case 235:
    case 747:
      return plain(InstructionClass::multiply);  // mulhwu, mulhw, mullw, mullwo
    case 459:
    case 491:
    case 971:
    case 1003:
      return plain(InstructionClass::divide);  // divwu, divw, divwuo, divwo
    case 4:
      return plain(InstructionClass::branch);  // tw
    // Special registers, ordering, caches.
    case 19:
    case 144:
    case 512:  // mfcr, mtcrf, mcrxr
    case 83:
    case 146:  // mfmsr, mtmsr
    case 339:
    case 371:
    case 467:  // mfspr, mftb, mtspr
    case 598:
    case 854:  // sync, eieio
    case 54:
    case 86:
    case 246:
    case 278:  // dcbst, dcbf, dcbtst, dcbt
    case 470:
    case 758:
    case 982:
    case 1014:  // dcbi, dcba, icbi, dcbz
      return plain(InstructionClass::system);
    default:
      return plain(InstructionClass::integer);
  }
}

InstructionClass float_class(std::uint32_t word) {
  switch (field(word, 1, 5)) {
    case 18:  // fdiv
    case 22:  // fsqrt
      return InstructionClass::float_divide;
    default:
      return InstructionClass::floating;
  }
}

}  // namespace

Instruction decode_instruction(std::uint32_t word) {
  const unsigned primary = field(word, 26, 6);
  if (primary >= 32 && primary <= 55) {
    Instruction result = access(word, kDisplacementForms[primary - 32], false);
    if (primary == 46 || primary == 47) {
      result.memory.words = static_cast<std::uint8_t>(32 - result.memory.target);
      result.memory.size = result.memory.bytes = static_cast<std::uint8_t>(4 * result.memory.words);
      result.memory.many = true;
    }
    return result;
  }
  switch (primary) {
    case 3:
    case 16:
    case 18:
      return plain(InstructionClass::branch);
    case 4:
      return plain(InstructionClass::floating);  // AltiVec arithmetic
    case 7:
      return plain(InstructionClass::multiply);  // mulli
    case 17:
      return plain(InstructionClass::system);  // sc
    case 19:
      switch (field(word, 1, 10)) {
        case 16:
        case 528:
          return plain(InstructionClass::branch);
        case 50:
        case 150:
          return plain(InstructionClass::system);
        default:
          return plain(InstructionClass::integer);  // condition register logic
      }
    case 31:
      return decode_31(word);
    case 59:
    case 63:
      return plain(float_class(word));
    default:
      return plain(InstructionClass::integer);
  }
}

SpecialRegister special_register_read(std::uint32_t word) {
  if (word >> 26 != 31) return SpecialRegister::none;
  const unsigned extended = field(word, 1, 10);
  if (extended != 339 && extended != 371) return SpecialRegister::none;
  switch (field(word, 16, 5) | field(word, 11, 5) << 5) {
    case 268:
      return SpecialRegister::time_base_lower;
    case 269:
      return SpecialRegister::time_base_upper;
    case 287:
      return SpecialRegister::version;
    default:
      return SpecialRegister::none;
  }
}

}  // namespace toroid
