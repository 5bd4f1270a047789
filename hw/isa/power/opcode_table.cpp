// SPDX-License-Identifier: Apache-2.0
//
// The instructions of PowerPC. Of 32 bits: Power ISA 2.03, books I and II, and AltiVec as far as it stands for the
// double floating-point unit. Of 64 bits: Power ISA 2.06 as the A2 has it, and moves of its quad processing extension.
// The one place that knows their encodings.
#include "hw/isa/power/opcode_table.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

namespace toroid::power {
namespace {

using namespace operand;

// Which bits of a word tell a form: its primary opcode alone, or with an extended one.
constexpr std::uint32_t kPrimary = 0xFC00'0000, kX = 0xFC00'07FE, kXo = 0xFC00'03FE, kMd = 0xFC00'001C,
                        kMds = 0xFC00'001E, kShort = 0xFC00'003E, kVx = 0xFC00'07FF, kSpr = 0xFC1F'FFFE,
                        kVa = 0xFC00'0020, kBarrier = 0xFC1F'FFFE;

constexpr std::uint32_t word_of(unsigned primary, unsigned extended = 0) {
  return primary << 26 | extended << 1;
}
/// A move from or to a special register, whose number stands in the word with its halves exchanged.
constexpr std::uint32_t special(unsigned extended, unsigned number) {
  return word_of(31, extended) | (number & 31) << 16 | number >> 5 << 11;
}

constexpr unsigned kSpecialException = 1, kSpecialLink = 8, kSpecialCount = 9;

enum class Bank : std::uint8_t { general, floating, vector };
constexpr Set target(Bank bank) {
  return bank == Bank::general ? kT : bank == Bank::floating ? kFloatT : kVectorT;
}

/// Whether base and index form the address, or base and displacement.
enum class Address : std::uint8_t { displaced, indexed };
constexpr Set address_of(Address address) {
  return address == Address::indexed ? kA0 | kB : kA0;
}

constexpr Opcode load(std::uint32_t word, const char* name, Address address, Access access, Bank bank = Bank::general) {
  access.kind = AccessKind::load;
  const bool known = access.size != 0 && !access.reservation && access.many != Access::Many::string;
  const bool followed =
      bank == Bank::general && !access.reversed && !access.reservation && access.many == Access::Many::no;
  return {address == Address::indexed ? kX : kPrimary,
          word,
          name,
          address_of(address),
          target(bank),
          bank == Bank::general ? Timing::load : Timing::float_load,
          known ? Steady::yes : Steady::no,
          Record::never,
          false,
          followed ? Computes::load : Computes::unknown,
          Immediate::none,
          access};
}

constexpr Opcode store(std::uint32_t word, const char* name, Address address, Access access,
                       Bank bank = Bank::general) {
  access.kind = AccessKind::store;
  const bool known = access.size != 0 && !access.reservation && access.many != Access::Many::string;
  return {address == Address::indexed ? kX : kPrimary,
          word,
          name,
          address_of(address) | target(bank),
          access.reservation ? kCondition0 : 0,
          access.reservation ? Timing::store_conditional : Timing::store,
          known ? Steady::yes : Steady::no,
          Record::never,
          false,
          Computes::unknown,
          Immediate::none,
          access};
}

constexpr Opcode cache(unsigned extended, const char* name, std::optional<AccessKind> kind,
                       Steady steady = Steady::no) {
  Access access;
  access.kind = kind;
  return {kX,
          word_of(31, extended),
          name,
          kA0 | kB,
          0,
          Timing::cache,
          steady,
          Record::never,
          false,
          Computes::unknown,
          Immediate::none,
          access};
}

constexpr Opcode with_immediate(unsigned primary, const char* name, Set reads, Set writes, Timing timing,
                                Computes computes, Immediate immediate, Record record = Record::never) {
  return {kPrimary, word_of(primary), name, reads, writes, timing, Steady::yes, record, false, computes, immediate, {}};
}

/// From A and B into T, with a record and an overflow bit.
constexpr Opcode arithmetic(unsigned extended, const char* name, Set reads, Set writes, Timing timing,
                            Computes computes = Computes::unknown) {
  return {kXo,         word_of(31, extended), name, reads,    writes,          timing,
          Steady::yes, Record::on_request,    true, computes, Immediate::none, {}};
}

/// From T and B into A, with a record bit.
constexpr Opcode logical(unsigned extended, const char* name, Set reads, Timing timing, Computes computes,
                         Immediate immediate = Immediate::none) {
  const Set writes = timing == Timing::complex ? kA | kException : kA;  // the arithmetic right shifts set the carry
  return {kX,          word_of(31, extended), name,  reads,    writes,    timing,
          Steady::yes, Record::on_request,    false, computes, immediate, {}};
}

constexpr Opcode plain(std::uint32_t mask, std::uint32_t match, const char* name, Set reads, Set writes, Timing timing,
                       Steady steady = Steady::yes, Computes computes = Computes::unknown) {
  return {mask, match, name, reads, writes, timing, steady, Record::never, false, computes, Immediate::none, {}};
}

constexpr Opcode floating(std::uint32_t mask, std::uint32_t match, const char* name, Set reads,
                          Timing timing = Timing::floating, Set writes = kFloatT) {
  return {
      mask, match, name, reads, writes, timing, Steady::no, Record::floating, false, Computes::unknown, Immediate::none,
      {}};
}

/// One that a single instruction set has.
constexpr Opcode narrow(Opcode opcode) {
  opcode.sets = Sets::narrow;
  return opcode;
}
constexpr Opcode wide(Opcode opcode) {
  opcode.sets = Sets::wide;
  return opcode;
}

/// A load or store whose displacement leaves two bits of the word to the opcode.
constexpr Opcode tagged(unsigned tag, Opcode opcode) {
  opcode.mask |= 3;
  opcode.match |= tag;
  opcode.access.tagged = true;
  opcode.sets = Sets::wide;
  return opcode;
}

/// A rotation of a doubleword: its extended opcode has three bits, or four if a register tells the amount.
constexpr Opcode rotation(std::uint32_t mask, unsigned extended, const char* name, Set reads, Computes computes) {
  return {mask,
          word_of(30, extended),
          name,
          reads,
          kA,
          Timing::simple,
          Steady::yes,
          Record::on_request,
          false,
          computes,
          Immediate::none,
          {},
          Emulated::no,
          Sets::wide};
}

/// Of four doubles, which the engine does not know.
constexpr Opcode four(Emulated how, std::uint32_t mask, unsigned extended, const char* name, Set reads,
                      Timing timing = Timing::floating) {
  return {mask,
          word_of(4, extended),
          name,
          reads,
          kFloatT,
          timing,
          Steady::no,
          Record::never,
          false,
          Computes::unknown,
          Immediate::none,
          {},
          how,
          Sets::wide};
}

/// One that the engine does not execute. The record bit is part of the form: the words with it are others, or none.
constexpr Opcode emulated(Emulated how, Opcode opcode) {
  opcode.mask |= 1;
  opcode.emulated = how;
  return opcode;
}

/// The one among them with a record bit.
constexpr Opcode dlmzb() {
  Opcode opcode = logical(78, "dlmzb", kT | kB, Timing::complex, Computes::unknown);  // into XER as well
  opcode.emulated = Emulated::find_zero_byte;
  return opcode;
}

/// A product of halves of A and B, or one that is added to T: what embedded PowerPCs have in place of vectors (PowerPC
/// 440 user's manual, multiply-accumulate instructions; GCC's 440.md has them take the time of a short multiplication).
constexpr Opcode halves(unsigned extended, const char* name) {
  const bool sum = (extended & 4) != 0;
  return {sum ? kXo : kX,
          word_of(4, extended),
          name,
          kA | kB | (sum ? kT : 0),
          kT,
          Timing::multiply_short,
          Steady::yes,
          Record::on_request,
          sum,
          Computes::unknown,
          Immediate::none,
          {},
          Emulated::multiply_halves,
          Sets::narrow};
}

// Accesses, by size in bytes.
constexpr Access kByte{{}, 1}, kHalf{{}, 2}, kWord{{}, 4}, kDouble{{}, 8};
constexpr Access kByteUpdate{{}, 1, true}, kHalfUpdate{{}, 2, true}, kWordUpdate{{}, 4, true},
    kDoubleUpdate{{}, 8, true};
constexpr Access kSignedHalf{{}, 2, false, true}, kSignedHalfUpdate{{}, 2, true, true};
constexpr Access kReversedHalf{{}, 2, false, false, true}, kReversedWord{{}, 4, false, false, true};
constexpr Access kSignedWord{{}, 4, false, true}, kSignedWordUpdate{{}, 4, true, true};
constexpr Access kReversedDouble{{}, 8, false, false, true};
constexpr Access kQuad{{}, 16, false, false, false, true};
constexpr Access kFour{{}, 32, false, false, false, true}, kFourUpdate{{}, 32, true, false, false, true};
constexpr Access kPair{{}, 16}, kPairUpdate{{}, 16, true};
constexpr Access kReservation{{}, 0, false, false, false, false, true},
    kReservationDouble{{}, 8, false, false, false, false, true};
constexpr Access kMultiple{{}, 4, false, false, false, false, false, Access::Many::multiple};
constexpr Access kString{{}, 0, false, false, false, false, false, Access::Many::string};
constexpr Access kStringByRegister{{}, 0, false, false, false, false, false, Access::Many::string_by_register};

constexpr Address kDisplaced = Address::displaced, kIndexed = Address::indexed;
constexpr Bank kFloats = Bank::floating, kVectors = Bank::vector;

/// By primary opcode; of several forms that fit a word the first is its.
constexpr Opcode kOpcodes[] = {
    wide(plain(kPrimary, word_of(2), "tdi", kA, 0, Timing::complex)),
    plain(kPrimary, word_of(3), "twi", kA, 0, Timing::complex),

    // The quad processing extension.
    four(Emulated::add_four, kShort, 21, "qvfadd", kFloatA | kFloatB),
    four(Emulated::select_four, kShort, 23, "qvfsel", kFloatA | kFloatB | kFloatC),
    four(Emulated::compare_greater_four, kX, 32, "qvfcmpgt", kFloatA | kFloatB, Timing::float_compare),
    four(Emulated::move_four, kX, 72, "qvfmr", kFloatB),
    four(Emulated::compare_less_four, kX, 96, "qvfcmplt", kFloatA | kFloatB, Timing::float_compare),

    // The 440's multiply-accumulate instructions.
    halves(8, "mulhhwu"),
    halves(12, "machhwu"),
    halves(40, "mulhhw"),
    halves(44, "machhw"),
    halves(46, "nmachhw"),
    halves(76, "machhwsu"),
    halves(108, "machhws"),
    halves(110, "nmachhws"),
    halves(136, "mulchwu"),
    halves(140, "macchwu"),
    halves(168, "mulchw"),
    halves(172, "macchw"),
    halves(174, "nmacchw"),
    halves(204, "macchwsu"),
    halves(236, "macchws"),
    halves(238, "nmacchws"),
    halves(392, "mullhwu"),
    halves(396, "maclhwu"),
    halves(424, "mullhw"),
    halves(428, "maclhw"),
    halves(430, "nmaclhw"),
    halves(460, "maclhwsu"),
    halves(492, "maclhws"),
    halves(494, "nmaclhws"),
    // AltiVec arithmetic.
    narrow(plain(kVx, 4u << 26 | 780, "vspltisb", kVectorA | kVectorB, kVectorT, Timing::floating)),
    narrow(plain(kVx, 4u << 26 | 844, "vspltish", kVectorA | kVectorB, kVectorT, Timing::floating)),
    narrow(plain(kVx, 4u << 26 | 908, "vspltisw", kVectorA | kVectorB, kVectorT, Timing::floating)),
    narrow(plain(kVx, 4u << 26 | 1220, "vxor", kVectorA | kVectorB, kVectorT, Timing::floating,
                 Steady::with_equal_sources)),
    narrow(plain(kVa, 4u << 26 | 0x20, "(vector, three sources)", kVectorA | kVectorB | kVectorC, kVectorT,
                 Timing::floating, Steady::no)),
    narrow(plain(kPrimary, word_of(4), "(vector)", kVectorA | kVectorB, kVectorT, Timing::floating, Steady::no)),

    // Integers and an immediate operand.
    with_immediate(7, "mulli", kA, kT, Timing::multiply_short, Computes::multiply, Immediate::sign_extended),
    with_immediate(8, "subfic", kA, kT | kException, Timing::complex, Computes::subtract, Immediate::sign_extended),
    with_immediate(10, "cmpli", kA, kConditionT, Timing::compare, Computes::unknown, Immediate::zero_extended),
    with_immediate(11, "cmpi", kA, kConditionT, Timing::compare, Computes::unknown, Immediate::sign_extended),
    with_immediate(12, "addic", kA, kT | kException, Timing::complex, Computes::add, Immediate::sign_extended),
    with_immediate(13, "addic.", kA, kT | kException, Timing::complex, Computes::add, Immediate::sign_extended,
                   Record::always),
    with_immediate(14, "addi", kA0, kT, Timing::simple, Computes::add, Immediate::sign_extended),
    with_immediate(15, "addis", kA0, kT, Timing::simple, Computes::add, Immediate::shifted),

    // Branches, system calls, condition register logic.
    plain(kPrimary, word_of(16), "bc", kTested | kCounted, kCounted, Timing::branch),
    plain(kPrimary, word_of(17), "sc", 0, 0, Timing::synchronise_pipes, Steady::no),
    plain(kPrimary, word_of(18), "b", 0, 0, Timing::branch),
    plain(kX, word_of(19, 0), "mcrf", kConditionA, kConditionT, Timing::compare),
    plain(kX, word_of(19, 16), "bclr", kTested | kCounted | kLink, kCounted, Timing::branch_to_register),
    plain(kX, word_of(19, 50), "rfi", 0, 0, Timing::synchronise_pipes),
    plain(kX, word_of(19, 150), "isync", 0, 0, Timing::synchronise_pipes),
    plain(kX, word_of(19, 528), "bcctr", kTested | kCounted | kCount, kCounted, Timing::branch_to_register),
    plain(kPrimary, word_of(19), "(condition register logic)", kConditionA | kConditionB, kConditionT, Timing::compare),

    // Rotation, logic with an immediate operand.
    with_immediate(20, "rlwimi", kT | kA, kA, Timing::simple, Computes::insert, Immediate::none, Record::on_request),
    with_immediate(21, "rlwinm", kT, kA, Timing::simple, Computes::rotate_and_mask, Immediate::none,
                   Record::on_request),
    with_immediate(23, "rlwnm", kT | kB, kA, Timing::simple, Computes::unknown, Immediate::none, Record::on_request),
    with_immediate(24, "ori", kT, kA, Timing::simple, Computes::bit_or, Immediate::zero_extended),
    with_immediate(25, "oris", kT, kA, Timing::simple, Computes::bit_or, Immediate::zero_extended_shifted),
    with_immediate(26, "xori", kT, kA, Timing::simple, Computes::bit_xor, Immediate::zero_extended),
    with_immediate(27, "xoris", kT, kA, Timing::simple, Computes::bit_xor, Immediate::zero_extended_shifted),
    with_immediate(28, "andi.", kT, kA, Timing::complex, Computes::bit_and, Immediate::zero_extended, Record::always),
    with_immediate(29, "andis.", kT, kA, Timing::complex, Computes::bit_and, Immediate::zero_extended_shifted,
                   Record::always),

    // Rotation of doublewords.
    rotation(kMd, 0, "rldicl", kT, Computes::rotate_and_clear_left),
    rotation(kMd, 2, "rldicr", kT, Computes::rotate_and_clear_right),
    rotation(kMd, 4, "rldic", kT, Computes::rotate_and_clear),
    rotation(kMd, 6, "rldimi", kT | kA, Computes::insert_double),
    rotation(kMds, 8, "rldcl", kT | kB, Computes::unknown),
    rotation(kMds, 9, "rldcr", kT | kB, Computes::unknown),

    // Compares, traps, special registers, ordering.
    plain(kX, word_of(31, 0), "cmp", kA | kB, kConditionT, Timing::compare),
    plain(kX, word_of(31, 32), "cmpl", kA | kB, kConditionT, Timing::compare),
    plain(kX, word_of(31, 4), "tw", kA | kB, 0, Timing::complex),
    wide(plain(kX, word_of(31, 68), "td", kA | kB, 0, Timing::complex)),
    plain(kX, word_of(31, 19), "mfcr", kConditions, kT, Timing::move_from_special),
    plain(kX, word_of(31, 144), "mtcrf", kT, kConditionMask, Timing::move_to_conditions),
    plain(kX, word_of(31, 512), "mcrxr", kException, kConditionT | kException, Timing::compare),
    plain(kSpr, special(339, kSpecialException), "mfxer", kException, kT, Timing::move_from_special),
    plain(kSpr, special(339, kSpecialLink), "mflr", kLink, kT, Timing::move_from_special, Steady::yes,
          Computes::from_link),
    plain(kSpr, special(339, kSpecialCount), "mfctr", kCount, kT, Timing::move_from_special),
    plain(kX, word_of(31, 339), "mfspr", 0, kT, Timing::move_from_special, Steady::no),
    plain(kX, word_of(31, 371), "mftb", 0, kT, Timing::move_from_special, Steady::no),
    plain(kSpr, special(467, kSpecialException), "mtxer", kT, kException, Timing::move_to_branch_unit),
    plain(kSpr, special(467, kSpecialLink), "mtlr", kT, kLink, Timing::move_to_branch_unit, Steady::yes,
          Computes::to_link),
    plain(kSpr, special(467, kSpecialCount), "mtctr", kT, kCount, Timing::move_to_branch_unit),
    plain(kX, word_of(31, 467), "mtspr", kT, 0, Timing::move_to_branch_unit, Steady::no),
    plain(kX, word_of(31, 83), "mfmsr", 0, 0, Timing::synchronise_memory, Steady::no),   // privileged
    plain(kX, word_of(31, 146), "mtmsr", 0, 0, Timing::synchronise_memory, Steady::no),  // privileged
    plain(kX, word_of(31, 598), "sync", 0, 0, Timing::synchronise_memory),
    // The engine executes eieio; mbar with another MO than 0, which the 440 takes for the same, is not its own.
    emulated(Emulated::nothing, plain(kBarrier, word_of(31, 854), "eieio", 0, 0, Timing::synchronise_memory)),
    plain(kX, word_of(31, 854), "(eieio)", 0, 0, Timing::synchronise_memory),

    // Device control registers, by a number in a register.
    narrow(emulated(Emulated::read_control, plain(kX, word_of(31, 291), "mfdcrux", kA, kT, Timing::move_from_special))),
    narrow(emulated(Emulated::write_control,
                    plain(kX, word_of(31, 419), "mtdcrux", kA | kT, 0, Timing::move_to_branch_unit, Steady::no))),

    // Caches. dcbi and icbi have no kind: dcbi is privileged and ends a program, icbi has no effect here.
    cache(54, "dcbst", AccessKind::write_back),
    cache(86, "dcbf", AccessKind::flush),
    cache(246, "dcbtst", AccessKind::touch, Steady::yes),
    cache(278, "dcbt", AccessKind::touch, Steady::yes),
    cache(470, "dcbi", std::nullopt),
    narrow(emulated(Emulated::nothing, cache(454, "dccci", std::nullopt))),
    cache(758, "dcba", AccessKind::zero),
    cache(982, "icbi", std::nullopt),
    cache(1014, "dcbz", AccessKind::zero),

    wide(cache(22, "icbt", std::nullopt, Steady::yes)),
    wide(cache(134, "dcbtstls", std::nullopt)),
    wide(cache(166, "dcbtls", std::nullopt)),
    wide(cache(390, "dcblc", std::nullopt)),
    // Waits for an event; no event is as good as one.
    wide(emulated(Emulated::wait, plain(kX, word_of(31, 62), "wait", 0, 0, Timing::synchronise_pipes))),

    // Loads and stores with an index. Those of pairs are the double floating-point unit's.
    narrow(emulated(Emulated::load_pair, load(word_of(31, 462), "lfpdx", kIndexed, kPair, kFloats))),
    narrow(emulated(Emulated::load_pair, load(word_of(31, 494), "lfpdux", kIndexed, kPairUpdate, kFloats))),
    narrow(emulated(Emulated::store_pair, store(word_of(31, 974), "stfpdx", kIndexed, kPair, kFloats))),
    narrow(emulated(Emulated::store_pair, store(word_of(31, 1006), "stfpdux", kIndexed, kPairUpdate, kFloats))),
    wide(emulated(Emulated::load_four, load(word_of(31, 583), "qvlfdx", kIndexed, kFour, kFloats))),
    wide(emulated(Emulated::load_four, load(word_of(31, 615), "qvlfdux", kIndexed, kFourUpdate, kFloats))),
    wide(emulated(Emulated::store_four, store(word_of(31, 711), "qvstfdx", kIndexed, kFour, kFloats))),
    wide(emulated(Emulated::store_four, store(word_of(31, 743), "qvstfdux", kIndexed, kFourUpdate, kFloats))),
    wide(load(word_of(31, 21), "ldx", kIndexed, kDouble)),
    wide(load(word_of(31, 53), "ldux", kIndexed, kDoubleUpdate)),
    wide(load(word_of(31, 84), "ldarx", kIndexed, kReservationDouble)),
    wide(load(word_of(31, 341), "lwax", kIndexed, kSignedWord)),
    wide(load(word_of(31, 373), "lwaux", kIndexed, kSignedWordUpdate)),
    wide(load(word_of(31, 532), "ldbrx", kIndexed, kReversedDouble)),
    wide(load(word_of(31, 855), "lfiwax", kIndexed, kWord, kFloats)),
    wide(load(word_of(31, 887), "lfiwzx", kIndexed, kWord, kFloats)),
    wide(store(word_of(31, 149), "stdx", kIndexed, kDouble)),
    wide(store(word_of(31, 181), "stdux", kIndexed, kDoubleUpdate)),
    wide(store(word_of(31, 214), "stdcx.", kIndexed, kReservationDouble)),
    wide(store(word_of(31, 660), "stdbrx", kIndexed, kReversedDouble)),
    load(word_of(31, 20), "lwarx", kIndexed, kReservation),
    load(word_of(31, 23), "lwzx", kIndexed, kWord),
    load(word_of(31, 55), "lwzux", kIndexed, kWordUpdate),
    load(word_of(31, 87), "lbzx", kIndexed, kByte),
    load(word_of(31, 119), "lbzux", kIndexed, kByteUpdate),
    load(word_of(31, 279), "lhzx", kIndexed, kHalf),
    load(word_of(31, 311), "lhzux", kIndexed, kHalfUpdate),
    load(word_of(31, 343), "lhax", kIndexed, kSignedHalf),
    load(word_of(31, 375), "lhaux", kIndexed, kSignedHalfUpdate),
    load(word_of(31, 533), "lswx", kIndexed, kStringByRegister),
    load(word_of(31, 534), "lwbrx", kIndexed, kReversedWord),
    load(word_of(31, 790), "lhbrx", kIndexed, kReversedHalf),
    load(word_of(31, 535), "lfsx", kIndexed, kWord, kFloats),
    load(word_of(31, 567), "lfsux", kIndexed, kWordUpdate, kFloats),
    load(word_of(31, 599), "lfdx", kIndexed, kDouble, kFloats),
    load(word_of(31, 631), "lfdux", kIndexed, kDoubleUpdate, kFloats),
    narrow(load(word_of(31, 7), "lvebx", kIndexed, kByte, kVectors)),
    narrow(load(word_of(31, 39), "lvehx", kIndexed, kHalf, kVectors)),
    narrow(load(word_of(31, 71), "lvewx", kIndexed, kWord, kVectors)),
    narrow(load(word_of(31, 103), "lvx", kIndexed, kQuad, kVectors)),
    narrow(load(word_of(31, 359), "lvxl", kIndexed, kQuad, kVectors)),
    store(word_of(31, 150), "stwcx.", kIndexed, kReservation),
    store(word_of(31, 151), "stwx", kIndexed, kWord),
    store(word_of(31, 183), "stwux", kIndexed, kWordUpdate),
    store(word_of(31, 215), "stbx", kIndexed, kByte),
    store(word_of(31, 247), "stbux", kIndexed, kByteUpdate),
    store(word_of(31, 407), "sthx", kIndexed, kHalf),
    store(word_of(31, 439), "sthux", kIndexed, kHalfUpdate),
    store(word_of(31, 661), "stswx", kIndexed, kStringByRegister),
    store(word_of(31, 662), "stwbrx", kIndexed, kReversedWord),
    store(word_of(31, 918), "sthbrx", kIndexed, kReversedHalf),
    store(word_of(31, 663), "stfsx", kIndexed, kWord, kFloats),
    store(word_of(31, 695), "stfsux", kIndexed, kWordUpdate, kFloats),
    store(word_of(31, 727), "stfdx", kIndexed, kDouble, kFloats),
    store(word_of(31, 759), "stfdux", kIndexed, kDoubleUpdate, kFloats),
    store(word_of(31, 983), "stfiwx", kIndexed, kWord, kFloats),
    narrow(store(word_of(31, 135), "stvebx", kIndexed, kByte, kVectors)),
    narrow(store(word_of(31, 167), "stvehx", kIndexed, kHalf, kVectors)),
    narrow(store(word_of(31, 199), "stvewx", kIndexed, kWord, kVectors)),
    narrow(store(word_of(31, 231), "stvx", kIndexed, kQuad, kVectors)),
    narrow(store(word_of(31, 487), "stvxl", kIndexed, kQuad, kVectors)),
    // The string moves of a field's length take their address from A alone.
    {kX, word_of(31, 597), "lswi", kA0, kT, Timing::load, Steady::no, Record::never, false, Computes::unknown,
     Immediate::none, load(0, "", kDisplaced, kString).access},
    {kX, word_of(31, 725), "stswi", kA0 | kT, 0, Timing::store, Steady::no, Record::never, false, Computes::unknown,
     Immediate::none, store(0, "", kDisplaced, kString).access},
    narrow(plain(kX, word_of(31, 6), "lvsl", kA0 | kB, kVectorT, Timing::float_load)),
    narrow(plain(kX, word_of(31, 38), "lvsr", kA0 | kB, kVectorT, Timing::float_load)),

    // Logic.
    narrow(
        emulated(Emulated::select, plain(kShort, word_of(31, 15), "isel", kA0 | kB | kConditionC, kT, Timing::simple))),
    wide(plain(kShort, word_of(31, 15), "isel", kA0 | kB | kConditionC, kT, Timing::simple)),
    narrow(dlmzb()),
    wide(logical(27, "sld", kT | kB, Timing::simple, Computes::shift_left)),
    wide(logical(58, "cntlzd", kT, Timing::simple, Computes::count_zeros)),
    wide(logical(122, "popcntb", kT, Timing::simple, Computes::unknown)),
    wide(logical(154, "prtyw", kT, Timing::simple, Computes::unknown)),
    wide(logical(186, "prtyd", kT, Timing::simple, Computes::unknown)),
    wide(logical(252, "bpermd", kT | kB, Timing::simple, Computes::unknown)),
    wide(logical(378, "popcntw", kT, Timing::simple, Computes::unknown)),
    wide(logical(506, "popcntd", kT, Timing::simple, Computes::unknown)),
    wide(logical(508, "cmpb", kT | kB, Timing::simple, Computes::unknown)),
    wide(logical(539, "srd", kT | kB, Timing::simple, Computes::shift_right)),
    wide(logical(794, "srad", kT | kB, Timing::complex, Computes::shift_right_signed)),
    wide(logical(826, "sradi", kT, Timing::complex, Computes::shift_right_signed, Immediate::shift_amount_double)),
    wide(logical(827, "sradi", kT, Timing::complex, Computes::shift_right_signed, Immediate::shift_amount_double)),
    wide(logical(986, "extsw", kT, Timing::simple, Computes::sign_extend_word)),
    logical(24, "slw", kT | kB, Timing::simple, Computes::shift_left),
    logical(26, "cntlzw", kT, Timing::simple, Computes::count_zeros),
    logical(28, "and", kT | kB, Timing::simple, Computes::bit_and),
    logical(60, "andc", kT | kB, Timing::simple, Computes::bit_and_not),
    logical(124, "nor", kT | kB, Timing::simple, Computes::bit_nor),
    logical(284, "eqv", kT | kB, Timing::simple, Computes::unknown),
    logical(316, "xor", kT | kB, Timing::simple, Computes::bit_xor),
    logical(412, "orc", kT | kB, Timing::simple, Computes::unknown),
    logical(444, "or", kT | kB, Timing::simple, Computes::bit_or),
    logical(476, "nand", kT | kB, Timing::simple, Computes::unknown),
    logical(536, "srw", kT | kB, Timing::simple, Computes::shift_right),
    logical(792, "sraw", kT | kB, Timing::complex, Computes::shift_right_signed),
    logical(824, "srawi", kT, Timing::complex, Computes::shift_right_signed, Immediate::shift_amount),
    logical(922, "extsh", kT, Timing::simple, Computes::sign_extend_half),
    logical(954, "extsb", kT, Timing::simple, Computes::sign_extend_byte),

    // Arithmetic.
    wide(arithmetic(9, "mulhdu", kA | kB, kT, Timing::multiply_double)),
    wide(arithmetic(73, "mulhd", kA | kB, kT, Timing::multiply_double)),
    wide(arithmetic(233, "mulld", kA | kB, kT, Timing::multiply_double, Computes::multiply)),
    wide(arithmetic(457, "divdu", kA | kB, kT, Timing::divide_double, Computes::divide)),
    wide(arithmetic(489, "divd", kA | kB, kT, Timing::divide_double, Computes::divide_signed)),
    arithmetic(8, "subfc", kA | kB, kT | kException, Timing::complex, Computes::subtract),
    arithmetic(10, "addc", kA | kB, kT | kException, Timing::complex, Computes::add),
    arithmetic(11, "mulhwu", kA | kB, kT, Timing::multiply),
    arithmetic(40, "subf", kA | kB, kT, Timing::simple, Computes::subtract),
    arithmetic(75, "mulhw", kA | kB, kT, Timing::multiply),
    arithmetic(104, "neg", kA, kT, Timing::simple, Computes::negate),
    arithmetic(136, "subfe", kA | kB | kException, kT | kException, Timing::complex),
    arithmetic(138, "adde", kA | kB | kException, kT | kException, Timing::complex),
    arithmetic(200, "subfze", kA | kException, kT | kException, Timing::complex),
    arithmetic(202, "addze", kA | kException, kT | kException, Timing::complex),
    arithmetic(232, "subfme", kA | kException, kT | kException, Timing::complex),
    arithmetic(234, "addme", kA | kException, kT | kException, Timing::complex),
    arithmetic(235, "mullw", kA | kB, kT, Timing::multiply, Computes::multiply),
    arithmetic(266, "add", kA | kB, kT, Timing::simple, Computes::add),
    arithmetic(459, "divwu", kA | kB, kT, Timing::divide, Computes::divide),
    arithmetic(491, "divw", kA | kB, kT, Timing::divide, Computes::divide_signed),
    {kPrimary, word_of(31), "(other)", kA | kB, kT, Timing::simple, Steady::yes, Record::on_request, true},

    // Loads and stores with a displacement.
    load(word_of(32), "lwz", kDisplaced, kWord),
    load(word_of(33), "lwzu", kDisplaced, kWordUpdate),
    load(word_of(34), "lbz", kDisplaced, kByte),
    load(word_of(35), "lbzu", kDisplaced, kByteUpdate),
    store(word_of(36), "stw", kDisplaced, kWord),
    store(word_of(37), "stwu", kDisplaced, kWordUpdate),
    store(word_of(38), "stb", kDisplaced, kByte),
    store(word_of(39), "stbu", kDisplaced, kByteUpdate),
    load(word_of(40), "lhz", kDisplaced, kHalf),
    load(word_of(41), "lhzu", kDisplaced, kHalfUpdate),
    load(word_of(42), "lha", kDisplaced, kSignedHalf),
    load(word_of(43), "lhau", kDisplaced, kSignedHalfUpdate),
    store(word_of(44), "sth", kDisplaced, kHalf),
    store(word_of(45), "sthu", kDisplaced, kHalfUpdate),
    load(word_of(46), "lmw", kDisplaced, kMultiple),
    store(word_of(47), "stmw", kDisplaced, kMultiple),
    load(word_of(48), "lfs", kDisplaced, kWord, kFloats),
    load(word_of(49), "lfsu", kDisplaced, kWordUpdate, kFloats),
    load(word_of(50), "lfd", kDisplaced, kDouble, kFloats),
    load(word_of(51), "lfdu", kDisplaced, kDoubleUpdate, kFloats),
    store(word_of(52), "stfs", kDisplaced, kWord, kFloats),
    store(word_of(53), "stfsu", kDisplaced, kWordUpdate, kFloats),
    store(word_of(54), "stfd", kDisplaced, kDouble, kFloats),
    store(word_of(55), "stfdu", kDisplaced, kDoubleUpdate, kFloats),

    tagged(0, load(word_of(58), "ld", kDisplaced, kDouble)),
    tagged(1, load(word_of(58), "ldu", kDisplaced, kDoubleUpdate)),
    tagged(2, load(word_of(58), "lwa", kDisplaced, kSignedWord)),
    tagged(0, store(word_of(62), "std", kDisplaced, kDouble)),
    tagged(1, store(word_of(62), "stdu", kDisplaced, kDoubleUpdate)),

    // Floating point.
    floating(kShort, word_of(59, 18), "fdivs", kFloatA | kFloatB, Timing::float_divide_single),
    floating(kShort, word_of(59, 22), "fsqrts", kFloatB, Timing::float_divide_single),
    floating(kShort, word_of(59, 24), "fres", kFloatB),
    floating(kShort, word_of(59, 25), "fmuls", kFloatA | kFloatC),
    floating(kShort, word_of(59, 26), "frsqrtes", kFloatB),
    floating(kShort, word_of(59, 28), "fmsubs", kFloatA | kFloatB | kFloatC),
    floating(kShort, word_of(59, 29), "fmadds", kFloatA | kFloatB | kFloatC),
    floating(kShort, word_of(59, 30), "fnmsubs", kFloatA | kFloatB | kFloatC),
    floating(kShort, word_of(59, 31), "fnmadds", kFloatA | kFloatB | kFloatC),
    floating(kPrimary, word_of(59), "(single, two sources)", kFloatA | kFloatB),
    plain(kX, word_of(63, 0), "fcmpu", kFloatA | kFloatB, kConditionT, Timing::float_compare, Steady::no),
    plain(kX, word_of(63, 32), "fcmpo", kFloatA | kFloatB, kConditionT, Timing::float_compare, Steady::no),
    floating(kX, word_of(63, 711), "mtfsf", kFloatB, Timing::floating, 0),
    floating(kShort, word_of(63, 18), "fdiv", kFloatA | kFloatB, Timing::float_divide),
    floating(kShort, word_of(63, 20), "fsub", kFloatA | kFloatB),
    floating(kShort, word_of(63, 21), "fadd", kFloatA | kFloatB),
    floating(kShort, word_of(63, 22), "fsqrt", kFloatB, Timing::float_divide),
    floating(kShort, word_of(63, 23), "fsel", kFloatA | kFloatB | kFloatC),
    floating(kShort, word_of(63, 25), "fmul", kFloatA | kFloatC),
    floating(kShort, word_of(63, 26), "frsqrte", kFloatB),
    floating(kShort, word_of(63, 28), "fmsub", kFloatA | kFloatB | kFloatC),
    floating(kShort, word_of(63, 29), "fmadd", kFloatA | kFloatB | kFloatC),
    floating(kShort, word_of(63, 30), "fnmsub", kFloatA | kFloatB | kFloatC),
    floating(kShort, word_of(63, 31), "fnmadd", kFloatA | kFloatB | kFloatC),
    floating(kPrimary, word_of(63), "(double, one source)", kFloatB),

    plain(0, 0, "(no instruction of a user's)", 0, 0, Timing::complex),
};
constexpr unsigned kOpcodeCount = std::size(kOpcodes);

/// The first form that may fit, by primary and extended opcode.
class Index {
 public:
  explicit Index(Width width) {
    for (std::uint32_t primary = 0; primary < 64; ++primary) {
      std::vector<std::uint16_t> forms;
      for (unsigned number = 0; number < kOpcodeCount; ++number) {
        if (!kOpcodes[number].is_of(width)) continue;
        if (((word_of(primary) ^ kOpcodes[number].match) & kOpcodes[number].mask & kPrimary) == 0)
          forms.push_back(static_cast<std::uint16_t>(number));
      }
      for (std::uint32_t extended = 0; extended < kExtended; ++extended) {
        const std::uint32_t word = word_of(primary, extended);
        first_[primary * kExtended + extended] = *std::find_if(forms.begin(), forms.end(), [word](std::uint16_t form) {
          return ((word ^ kOpcodes[form].match) & kOpcodes[form].mask & kX) == 0;
        });
      }
    }
  }
  unsigned first(std::uint32_t word) const { return first_[(word >> 26) * kExtended + (word >> 1 & (kExtended - 1))]; }

 private:
  static constexpr std::uint32_t kExtended = 1024;
  std::array<std::uint16_t, 64 * kExtended> first_{};
};

}  // namespace

const Opcode& opcode_of(std::uint32_t word, Width width) {
  static const Index narrow(Width::narrow), wide(Width::wide);
  unsigned number = (width == Width::wide ? wide : narrow).first(word);
  while ((word & kOpcodes[number].mask) != kOpcodes[number].match || !kOpcodes[number].is_of(width)) ++number;
  return kOpcodes[number];
}

unsigned opcodes() {
  return kOpcodeCount;
}
const Opcode& opcode(unsigned number) {
  return kOpcodes[number];
}

}  // namespace toroid::power
