// SPDX-License-Identifier: Apache-2.0
#include "hw/core/device_access.h"

#include <algorithm>

#include "hw/memory/byte_order.h"

namespace toroid {
namespace {

/// Whether an access of `size` bytes at `at` moves what lies at `address`. The engine cuts a misaligned access into
/// aligned pieces, of eight bytes at most: the first begins before the effective address.
bool reaches(std::uint64_t at, unsigned size, std::uint64_t address) {
  const std::uint64_t begin = at & ~std::uint64_t{std::min(size, 8u) - 1};
  return address - begin < size + (at - begin);
}

}  // namespace

// The engine's PC is exact at block boundaries only, but its general purpose registers always are: the instruction at
// work is one whose effective address, from the registers as they are, covers the accessed one. A block's accesses to
// devices come in program order, so the first such instruction from `from` on is it.
//
// An instruction that has run already matches by mistake where it has accessed memory through a register that holds the
// device's address only since then. Exact addresses therefore win over accesses that merely reach over the address
// (misaligned ones, lmw, the far end of a page), and quads over smaller ones: a quad's address is a device's on
// purpose. An instruction whose address the code alone tells is told apart by that, whatever its register holds now: it
// comes next where it is this address, as it would have been seen before, and not at all where it is another. What
// remains open is a lone small load in one block with a quad load of the same address, which comes in a register.
DeviceAccess::Located DeviceAccess::locate(const GeneralRegisters& registers, std::uint64_t from, unsigned first,
                                           std::uint64_t address, bool store) const {
  Located small;
  Located covering;
  if (block() == nullptr) return covering;
  for (unsigned number = first; number < block()->accesses.size(); ++number) {
    const AccessSite& site = block()->accesses[number];
    const MemoryOperand& access = site.operand;
    if (site.pc < from || (store ? !access.store : !access.load)) continue;
    const std::uint64_t at = site.constant ? *site.constant : address_now(registers, access);
    const unsigned size = access.size == 0 ? 4 : access.size;
    if (at == address) {
      const Located exact{true, access.vector, site.pc, site.next, at, size, number};
      if (access.vector) return exact;
      if (!small.found) small = exact;
      if (site.constant) return small;
      continue;
    }
    if (!covering.found && reaches(at, size, address))
      covering = {true, access.vector, site.pc, site.next, at, size, number};
  }
  return small.found ? small : covering;
}

std::uint64_t DeviceAccess::address_now(const GeneralRegisters& registers, const MemoryOperand& operand) const {
  if (registers.wide()) {
    const auto* const words = registers.words<std::uint64_t>();
    return effective_address<std::uint64_t>(operand, [words](unsigned number) { return words[number]; });
  }
  const auto* const words = registers.words<std::uint32_t>();
  return effective_address<std::uint32_t>(operand, [words](unsigned number) { return words[number]; });
}

std::optional<std::string> DeviceAccess::begin(const GeneralRegisters& registers, const DeviceWindows& windows,
                                               std::uint64_t address, unsigned size, bool store) {
  store_ = store;
  modifies_ = false;
  address_ = address;
  size_ = size;
  const Located located = locate(registers, cursor_, next_site_, address, store);
  pc_ = located.found ? located.pc : std::max(cursor_, block() == nullptr ? 0 : block()->address);
  if (located.found && (located.size <= data_.size() / 2 || located.vector)) {
    modifies_ = !store && block()->accesses[located.site].operand.store;
    // The store to the same place is this instruction's as well.
    modifies_ ? move_cursor(located.pc, located.site) : move_cursor(located.next, located.site + 1);
    address_ = located.address;
    size_ = located.size;
  }
  window_ = windows.at(address_);
  if (window_ != nullptr && window_->kernels) {
    move_cursor(0, 0);
    return "this window is the kernel's own";
  }
  if (address_ % size_ != 0) {
    // It may begin in front of the window that this piece of it is in.
    const auto* const here = windows.at(address);
    if (here != nullptr && (here->memory || here->combining)) {
      // Each piece is an access of its own.
      modifies_ = false;
      address_ = address;
      size_ = size;
      window_ = here;
      move_cursor(located.pc, located.site);
    }
  }
  if (address_ % size_ != 0) {
    move_cursor(0, 0);
    return "misaligned " + std::to_string(size_) + "-byte access to a device";
  }
  left_ = size_;
  if (!store) data_.fill(0);
  return std::nullopt;
}

std::uint64_t DeviceAccess::take(std::uint64_t address, unsigned size) {
  left_ -= std::min(size, left_);
  return load_number(data_.data() + (address - address_), size, isa_.byte_order());
}

bool DeviceAccess::put(std::uint64_t address, unsigned size, std::uint64_t value) {
  store_number(data_.data() + (address - address_), value, size, isa_.byte_order());
  left_ -= std::min(size, left_);
  return left_ == 0;
}

std::uint64_t DeviceAccess::faulting_pc(const GeneralRegisters& registers, std::uint64_t address) const {
  const Located located = locate(registers, cursor_, 0, address, store_);
  return located.found ? located.pc : std::max(cursor_, block() == nullptr ? 0 : block()->address);
}

std::optional<std::uint64_t> DeviceAccess::instruction_at(const GeneralRegisters& registers, std::uint64_t address,
                                                          bool store) const {
  const Located located = locate(registers, 0, 0, address, store);
  return located.found ? std::optional(located.pc) : std::nullopt;
}

bool DeviceAccess::is_told_apart(const GeneralRegisters& registers, std::uint64_t address, bool store) const {
  if (block() == nullptr) return false;
  const auto may_be = [&](const AccessSite& site) {
    const MemoryOperand& access = site.operand;
    if (store ? !access.store : !access.load) return false;
    const std::uint64_t at = site.constant ? *site.constant : address_now(registers, access);
    return access.size == 0 || access.several || reaches(at, access.size, address);
  };
  return std::count_if(block()->accesses.begin(), block()->accesses.end(), may_be) == 1;
}

}  // namespace toroid
