// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/address_builder.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace toroid {

AddressBuilder::Symbol AddressBuilder::step(Operation operation, std::uint8_t first, std::uint8_t second,
                                            std::uint64_t number, unsigned shift) {
  if (first == kUnknown.value || second == kUnknown.value || next_ == AddressPlan::kValues) return kUnknown;
  loaded_[next_] = AddressPlan::loads(operation) || loaded_[first] || loaded_[second];
  plan_.steps_.push_back({number, instruction_, operation, next_, first, second, static_cast<std::uint8_t>(shift)});
  return {next_++, 0};
}

std::uint8_t AddressBuilder::value_of(const Symbol& symbol) {
  if (symbol.offset == 0 || !is_known(symbol)) return symbol.value;
  return step(Operation::add, symbol.value, AddressPlan::kZero, symbol.offset).value;
}

AddressBuilder::Symbol AddressBuilder::binary(Operation operation, const Symbol& first, const Symbol& second,
                                              unsigned shift, std::uint64_t number) {
  const std::uint8_t a = value_of(first);
  const std::uint8_t b = value_of(second);
  return step(operation, a, b, number, shift);
}

AddressBuilder::Symbol AddressBuilder::add(const Symbol& first, const Symbol& second) {
  if (!is_known(first) || !is_known(second)) return kUnknown;
  const std::uint64_t offset = (first.offset + second.offset) & mask_;
  if (is_constant(first)) return {second.value, offset};
  if (is_constant(second)) return {first.value, offset};
  return step(Operation::add, first.value, second.value, offset);
}

AddressBuilder::Address AddressBuilder::address_of(const MemoryOperand& operand) {
  const auto displacement = constant(static_cast<std::uint64_t>(operand.displacement));
  const Symbol base = operand.base == MemoryOperand::kNoRegister ? displacement
                      : operand.displacement == 0                ? registers_[operand.base]
                                                                 : add(registers_[operand.base], displacement);
  Symbol offset = constant(0);
  if (operand.index != MemoryOperand::kNoRegister) {
    offset = registers_[operand.index];
    if (operand.scale != 0) offset = binary(Operation::shift_left, offset, constant(operand.scale));
  }
  Address address{kUnknown};
  if (!is_known(base) || !is_known(offset)) return address;
  if (is_constant(base) || is_constant(offset)) {
    address.sum = add(base, offset);
  } else {
    address.sum = {base.value, (base.offset + offset.offset) & mask_};
    address.second = offset.value;
  }
  return address;
}

void AddressBuilder::plan(const Address& address, const MemoryOperand& operand, AccessKind kind, unsigned bytes) {
  if (!is_known(address.sum)) {
    ++plan_.unresolved_;
    if (kind == AccessKind::store) ++plan_.unresolved_stores_;
    return;
  }
  PlannedAccess access;
  access.kind = kind;
  access.instruction = instruction_;
  access.bytes = static_cast<std::uint8_t>(bytes);
  access.moved = static_cast<std::uint8_t>(operand.size);
  access.alignment = operand.alignment;
  access.accepts = kind == AccessKind::load ? PlannedAccess::kDirty : 0;
  access.expects = PlannedAccess::kPresent | PlannedAccess::kDirty;
  if (is_cache_instruction(kind)) access.expects = PlannedAccess::kUnmatched;
  access.first = address.sum.value;
  access.second = address.second;
  access.offset = address.sum.offset;
  access.behind_load = loaded_[access.first] || loaded_[access.second];
  if (access.first >= AddressPlan::kZero || access.second != AddressPlan::kZero) plan_.plain_ = false;
  plan_.accesses_.push_back(access);
}

AddressBuilder::Result AddressBuilder::access(const MemoryOperand& operand, AccessKind kind, unsigned bytes,
                                              std::optional<Operation> loads, bool update) {
  const Address address = address_of(operand);
  plan(address, operand, kind, bytes);
  Result result;
  if (!is_known(address.sum)) return result;
  if (loads) result.loaded = step(*loads, address.sum.value, address.second, address.sum.offset);
  if (update) {
    result.address = address.second == AddressPlan::kZero
                         ? address.sum
                         : step(Operation::add, address.sum.value, address.second, address.sum.offset);
  }
  return result;
}

AddressPlan AddressBuilder::finish() {
  keep_what_is_needed();
  return std::move(plan_);
}

void AddressBuilder::keep_what_is_needed() {
  std::bitset<AddressPlan::kValues> needed;
  for (const PlannedAccess& access : plan_.accesses_) {
    needed.set(access.first);
    needed.set(access.second);
  }
  std::vector<AddressPlan::Step> kept;
  for (auto step = plan_.steps_.rbegin(); step != plan_.steps_.rend(); ++step) {
    if (!needed[step->result]) continue;
    needed.set(step->first);
    needed.set(step->second);
    kept.push_back(*step);
  }
  std::reverse(kept.begin(), kept.end());
  plan_.steps_ = std::move(kept);
  plan_.accesses_.shrink_to_fit();
}

}  // namespace toroid
