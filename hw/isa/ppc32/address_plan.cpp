// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/ppc32/address_plan.h"

#include <algorithm>
#include <bitset>
#include <optional>

#include "hw/isa/ppc32/instruction.h"
#include "hw/isa/ppc32/pipeline.h"
#include "hw/memory/big_endian.h"

namespace toroid {
namespace {

std::uint32_t rotate_left(std::uint32_t value, unsigned by) {
  return by == 0 ? value : value << by | value >> (32 - by);
}

/// Ones from bit `begin` to bit `end`, counted from the most significant, around the end where begin > end.
std::uint32_t mask_of(unsigned begin, unsigned end) {
  const std::uint32_t from_begin = ~std::uint32_t{0} >> begin;
  const std::uint32_t to_end = ~std::uint32_t{0} << (31 - end);
  return begin <= end ? from_begin & to_end : from_begin | to_end;
}

}  // namespace

std::optional<AccessKind> cache_instruction(std::uint32_t word) {
  if (word >> 26 != 31) return std::nullopt;
  switch (word >> 1 & 0x3FF) {
    case 1014:
    case 758:
      return AccessKind::zero;  // dcbz, dcba
    case 86:
      return AccessKind::flush;
    case 54:
      return AccessKind::write_back;
    case 246:
    case 278:
      return AccessKind::touch;
    default:
      return std::nullopt;
  }
}

/// Follows a block's instructions and collects steps and accesses.
class AddressPlan::Builder {
 public:
  Builder(AddressPlan& plan, std::optional<std::uint32_t> link) : plan_(plan) {
    if (link) link_ = constant(*link);
    for (unsigned i = 0; i < 32; ++i) registers_[i] = {static_cast<std::uint8_t>(i), 0};
  }

  void follow(std::uint32_t word, std::uint32_t number) {
    const MemoryAccess memory = decode_instruction(word).memory;
    if (memory.any()) {
      access(word, memory, number);
    } else if (const auto kind = cache_instruction(word)) {
      MemoryAccess line;
      line.indexed = true;
      line.base = static_cast<std::uint8_t>(word >> 16 & 31);
      line.index = static_cast<std::uint8_t>(word >> 11 & 31);
      add_access(address_of(line), *kind, 1, number);
    } else {
      arithmetic(word);
    }
  }

 private:
  /// A value and a constant to be added.
  struct Symbol {
    std::uint8_t value;
    std::uint32_t offset;
  };
  static constexpr std::uint8_t kUnknown = 255;
  static constexpr unsigned kLinkRegister = 8;  // as a special register
  static constexpr Symbol kNothing{kUnknown, 0};
  struct Address {
    Symbol sum;  ///< with `second` still to be added
    std::uint8_t second = kZero;
  };

  static Symbol constant(std::uint32_t number) { return {kZero, number}; }
  static bool is_constant(const Symbol& symbol) { return symbol.value == kZero; }

  Symbol step(Operation operation, std::uint8_t first, std::uint8_t second, std::uint32_t number, unsigned shift = 0) {
    if (first == kUnknown || second == kUnknown || next_ == kValues) return kNothing;
    const bool loads = operation >= Operation::load_byte;
    loaded_[next_] = loads || loaded_[first] || loaded_[second];
    plan_.steps_.push_back({operation, next_, first, second, static_cast<std::uint8_t>(shift), number});
    return {next_++, 0};
  }
  /// The symbol as a value alone.
  std::uint8_t value_of(const Symbol& symbol) {
    if (symbol.offset == 0 || symbol.value == kUnknown) return symbol.value;
    return step(Operation::add, symbol.value, kZero, symbol.offset).value;
  }
  Symbol binary(Operation operation, const Symbol& first, const Symbol& second, unsigned shift = 0,
                std::uint32_t number = 0) {
    const std::uint8_t a = value_of(first);
    const std::uint8_t b = value_of(second);
    return step(operation, a, b, number, shift);
  }
  Symbol add(const Symbol& a, const Symbol& b) {
    if (a.value == kUnknown || b.value == kUnknown) return kNothing;
    if (is_constant(a)) return {b.value, a.offset + b.offset};
    if (is_constant(b)) return {a.value, a.offset + b.offset};
    return step(Operation::add, a.value, b.value, a.offset + b.offset);
  }

  Address address_of(const MemoryAccess& memory) {
    const Symbol base = memory.base == 0 ? constant(0) : registers_[memory.base];
    const Symbol offset = memory.indexed ? registers_[memory.index]
                                         : constant(static_cast<std::uint32_t>(std::int32_t{memory.displacement}));
    Address address;
    if (base.value == kUnknown || offset.value == kUnknown) {
      address.sum = kNothing;
    } else if (is_constant(base) || is_constant(offset)) {
      address.sum = add(base, offset);
    } else {
      address.sum = {base.value, base.offset + offset.offset};
      address.second = offset.value;
    }
    return address;
  }

  void add_access(const Address& address, AccessKind kind, unsigned bytes, std::uint32_t number) {
    if (address.sum.value == kUnknown) {
      ++plan_.unresolved_;
      return;
    }
    PlannedAccess access;
    access.kind = kind;
    access.instruction = static_cast<std::uint16_t>(number);
    access.bytes = static_cast<std::uint8_t>(bytes);
    access.accepts = kind == AccessKind::load ? PlannedAccess::kDirty : 0;
    access.expects = PlannedAccess::kDirty | (is_cache_instruction(kind) ? PlannedAccess::kNever : 0);
    access.first = address.sum.value;
    access.second = address.second;
    access.offset = address.sum.offset;
    access.behind_load = loaded_[access.first] || loaded_[access.second];
    if (access.first >= kZero || access.second != kZero) plan_.plain_ = false;
    plan_.accesses_.push_back(access);
  }

  void access(std::uint32_t word, const MemoryAccess& memory, std::uint32_t number) {
    const Address address = address_of(memory);
    const unsigned bytes = memory.quad        ? 1u
                           : memory.size != 0 ? memory.size
                           : memory.many      ? std::max<unsigned>(memory.bytes, 1)
                                              : 4u;  // quads are aligned
    add_access(address, memory.load ? AccessKind::load : AccessKind::store, bytes, number);
    if (memory.load && memory.bank == RegisterBank::general) {
      for (unsigned i = 0; i < memory.words; ++i) registers_[(memory.target + i) % 32] = kNothing;
      if (const auto operation = load_of(word, memory)) {
        if (address.sum.value != kUnknown)
          registers_[memory.target] = step(*operation, address.sum.value, address.second, address.sum.offset);
      }
    }
    if (memory.update) {
      registers_[memory.base] = address.second == kZero
                                    ? address.sum
                                    : step(Operation::add, address.sum.value, address.second, address.sum.offset);
    }
  }

  static std::optional<Operation> load_of(std::uint32_t word, const MemoryAccess& memory) {
    if (!memory.to_gpr || memory.words != 1) return std::nullopt;
    const unsigned primary = word >> 26;
    const unsigned extended = word >> 1 & 0x3FF;
    if (primary == 31 && (extended == 534 || extended == 790)) return std::nullopt;  // byte-reversed
    const bool is_signed = primary == 42 || primary == 43 || (primary == 31 && (extended == 343 || extended == 375));
    switch (memory.size) {
      case 1:
        return Operation::load_byte;
      case 2:
        return is_signed ? Operation::load_half_signed : Operation::load_half;
      case 4:
        return Operation::load_word;
      default:
        return std::nullopt;
    }
  }

  void arithmetic(std::uint32_t word) {
    const unsigned primary = word >> 26;
    const unsigned t = word >> 21 & 31;
    const unsigned a = word >> 16 & 31;
    const unsigned b = word >> 11 & 31;
    const auto immediate = static_cast<std::uint32_t>(std::int32_t{static_cast<std::int16_t>(word)});
    switch (primary) {
      case 14:  // addi
        registers_[t] = add(a == 0 ? constant(0) : registers_[a], constant(immediate));
        return;
      case 15:  // addis
        registers_[t] = add(a == 0 ? constant(0) : registers_[a], constant(immediate << 16));
        return;
      case 12:
      case 13:  // addic
        registers_[t] = add(registers_[a], constant(immediate));
        return;
      case 7:  // mulli
        registers_[t] = binary(Operation::multiply, registers_[a], constant(immediate));
        return;
      case 8:  // subfic
        registers_[t] = binary(Operation::subtract, constant(immediate), registers_[a]);
        return;
      case 20:  // rlwimi
        registers_[a] =
            binary(Operation::insert, registers_[t], registers_[a], b, mask_of(word >> 6 & 31, word >> 1 & 31));
        return;
      case 21:  // rlwinm
        registers_[a] =
            binary(Operation::rotate_and_mask, registers_[t], constant(0), b, mask_of(word >> 6 & 31, word >> 1 & 31));
        return;
      case 24:
      case 25:  // ori, oris
        if ((word & 0xFFFF) == 0) {
          registers_[a] = registers_[t];
          return;
        }
        registers_[a] = is_constant(registers_[t])  // lis and ori make an address
                            ? constant(registers_[t].offset | logical_immediate(word))
                            : binary(Operation::bit_or, registers_[t], constant(logical_immediate(word)));
        return;
      case 26:
      case 27:  // xori, xoris
        registers_[a] = binary(Operation::bit_xor, registers_[t], constant(logical_immediate(word)));
        return;
      case 28:
      case 29:  // andi., andis.
        registers_[a] = binary(Operation::bit_and, registers_[t], constant(logical_immediate(word)));
        return;
      case 31:
        if (extended(word, t, a, b)) return;
        break;
      default:
        break;
    }
    const PipelineInstruction instruction = Pipeline({}).analyse(word);
    for (unsigned i = 0; i < 32; ++i) {
      if (instruction.writes[i] || instruction.address_update[i]) registers_[i] = kNothing;
    }
  }

  static std::uint32_t logical_immediate(std::uint32_t word) { return word >> 26 & 1 ? word << 16 : word & 0xFFFF; }

  /// Primary opcode 31. False where the instruction is not followed.
  bool extended(std::uint32_t word, unsigned t, unsigned a, unsigned b) {
    switch (word >> 1 & 0x3FF) {
      case 266:
      case 778:
      case 10:  // add, addo, addc
        registers_[t] = add(registers_[a], registers_[b]);
        return true;
      case 40:
      case 552:
      case 8:  // subf, subfo, subfc
        registers_[t] = binary(Operation::subtract, registers_[b], registers_[a]);
        return true;
      case 104:  // neg
        registers_[t] = binary(Operation::subtract, constant(0), registers_[a]);
        return true;
      case 235:  // mullw
        registers_[t] = binary(Operation::multiply, registers_[a], registers_[b]);
        return true;
      case 459:  // divwu
        registers_[t] = binary(Operation::divide, registers_[a], registers_[b]);
        return true;
      case 491:  // divw
        registers_[t] = binary(Operation::divide_signed, registers_[a], registers_[b]);
        return true;
      case 28:
        registers_[a] = binary(Operation::bit_and, registers_[t], registers_[b]);
        return true;
      case 60:
        registers_[a] = binary(Operation::bit_and_not, registers_[t], registers_[b]);
        return true;
      case 444:
        registers_[a] = t == b ? registers_[t] : binary(Operation::bit_or, registers_[t], registers_[b]);
        return true;
      case 316:
        registers_[a] = binary(Operation::bit_xor, registers_[t], registers_[b]);
        return true;
      case 124:
        registers_[a] = binary(Operation::bit_nor, registers_[t], registers_[b]);
        return true;
      case 24:
        registers_[a] = binary(Operation::shift_left, registers_[t], registers_[b]);
        return true;
      case 536:
        registers_[a] = binary(Operation::shift_right, registers_[t], registers_[b]);
        return true;
      case 792:
        registers_[a] = binary(Operation::shift_right_signed, registers_[t], registers_[b]);
        return true;
      case 824:  // srawi
        registers_[a] = binary(Operation::shift_right_signed, registers_[t], constant(b));
        return true;
      case 954:
        registers_[a] = binary(Operation::sign_extend_byte, registers_[t], constant(0));
        return true;
      case 922:
        registers_[a] = binary(Operation::sign_extend_half, registers_[t], constant(0));
        return true;
      case 26:
        registers_[a] = binary(Operation::count_zeros, registers_[t], constant(0));
        return true;
      case 339:  // mfspr
        if (a != kLinkRegister || b != 0) return false;
        registers_[t] = link_;
        return true;
      case 467:  // mtspr
        if (a == kLinkRegister && b == 0) link_ = registers_[t];
        return true;
      default:
        return false;
    }
  }

  AddressPlan& plan_;
  std::array<Symbol, 32> registers_{};
  Symbol link_ = kNothing;
  std::bitset<256> loaded_;  ///< by value: comes from a load
  std::uint8_t next_ = kFirstStep;
};

AddressPlan::AddressPlan(const std::vector<std::uint32_t>& words, std::optional<std::uint32_t> link) {
  Builder builder(*this, link);
  for (std::uint32_t i = 0; i < words.size(); ++i) builder.follow(words[i], i);
  keep_what_is_needed();
}

void AddressPlan::keep_what_is_needed() {
  std::bitset<kValues> needed;
  for (const PlannedAccess& access : accesses_) {
    needed.set(access.first);
    needed.set(access.second);
  }
  std::vector<Step> kept;
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    if (!needed[step->result]) continue;
    needed.set(step->first);
    needed.set(step->second);
    kept.push_back(*step);
  }
  std::reverse(kept.begin(), kept.end());
  steps_ = std::move(kept);
  accesses_.shrink_to_fit();
}

bool AddressPlan::load(const Step& step, Values& values, const MemoryView& memory) const {
  const std::uint32_t address = values[step.first] + values[step.second] + step.constant;
  const unsigned size = step.operation == Operation::load_word ? 4 : step.operation == Operation::load_byte ? 1 : 2;
  if (!memory.contains(address, size)) {
    values[step.result] = 0;
    return false;
  }
  const std::uint8_t* bytes = memory.host(address);
  switch (step.operation) {
    case Operation::load_word:
      values[step.result] = load_be32(bytes);
      break;
    case Operation::load_half:
      values[step.result] = load_be16(bytes);
      break;
    case Operation::load_half_signed:
      values[step.result] = static_cast<std::uint32_t>(std::int32_t{static_cast<std::int16_t>(load_be16(bytes))});
      break;
    default:
      values[step.result] = *bytes;
      break;
  }
  return true;
}

bool AddressPlan::evaluate(Values& values, const MemoryView& memory) const {
  bool complete = true;
  values[kZero] = 0;
  for (const Step& step : steps_) {
    const std::uint32_t a = values[step.first];
    const std::uint32_t b = values[step.second];
    std::uint32_t& result = values[step.result];
    switch (step.operation) {
      case Operation::add:
        result = a + b + step.constant;
        break;
      case Operation::subtract:
        result = a - b;
        break;
      case Operation::bit_and:
        result = a & b;
        break;
      case Operation::bit_and_not:
        result = a & ~b;
        break;
      case Operation::bit_or:
        result = a | b;
        break;
      case Operation::bit_xor:
        result = a ^ b;
        break;
      case Operation::bit_nor:
        result = ~(a | b);
        break;
      case Operation::rotate_and_mask:
        result = rotate_left(a, step.shift) & step.constant;
        break;
      case Operation::insert:
        result = (rotate_left(a, step.shift) & step.constant) | (b & ~step.constant);
        break;
      case Operation::shift_left:
        result = b & 32 ? 0 : a << (b & 31);
        break;
      case Operation::shift_right:
        result = b & 32 ? 0 : a >> (b & 31);
        break;
      case Operation::shift_right_signed:
        result = static_cast<std::uint32_t>(static_cast<std::int32_t>(a) >> (b & 32 ? 31 : b & 31));
        break;
      case Operation::multiply:
        result = a * b;
        break;
      case Operation::divide:
        result = b == 0 ? 0 : a / b;
        break;
      case Operation::divide_signed:
        result = b == 0 || (a == 0x8000'0000 && b == ~std::uint32_t{0})
                     ? 0
                     : static_cast<std::uint32_t>(static_cast<std::int32_t>(a) / static_cast<std::int32_t>(b));
        break;
      case Operation::sign_extend_byte:
        result = static_cast<std::uint32_t>(std::int32_t{static_cast<std::int8_t>(a)});
        break;
      case Operation::sign_extend_half:
        result = static_cast<std::uint32_t>(std::int32_t{static_cast<std::int16_t>(a)});
        break;
      case Operation::count_zeros:
        result = a == 0 ? 32 : static_cast<std::uint32_t>(__builtin_clz(a));
        break;
      case Operation::load_byte:
      case Operation::load_half:
      case Operation::load_half_signed:
      case Operation::load_word:
        complete = load(step, values, memory) && complete;
        break;
    }
  }
  return complete;
}

}  // namespace toroid
