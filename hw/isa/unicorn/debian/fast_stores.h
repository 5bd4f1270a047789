// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace toroid::unicorn {

/// Makes stores of Unicorn's PowerPC fast: 1 ns instead of 50 ns.
///
/// Whenever Unicorn enters a page into its software TLB it marks the page as one that may hold translated code, and it
/// never takes the mark back: every store, to any page, goes the slow way, where permissions are checked and code to
/// throw away is looked for. (QEMU, of which it is made, keeps dirty bits and takes the mark back at the first store;
/// Unicorn has cut those out.) A page that is writable and not executable needs neither.
///
/// libtoroid_unicorn stands before Unicorn in the dynamic linker's search, and Unicorn calls tlb_set_page through its
/// procedure linkage table: the definition in fast_stores.cpp is the one it calls. It lets the original enter
/// the page and then clears the mark where the engine's policy allows. With a Unicorn that lacks these symbols
/// everything works as well, only slowly.
class StorePolicy {
 public:
  /// The engine this policy belongs to is about to execute its first instruction.
  void begin();
  /// True for addresses of pages that are memory, writable and not executable.
  virtual bool is_plain_memory(std::uint32_t address) const = 0;

  static const StorePolicy* of(const void* cpu);

 protected:
  StorePolicy() = default;
  /// Unicorn's CPU; null before the first instruction.
  const void* cpu() const { return cpu_; }
  StorePolicy(const StorePolicy&) = delete;
  StorePolicy& operator=(const StorePolicy&) = delete;
  ~StorePolicy();

 private:
  const void* cpu_ = nullptr;  ///< Unicorn's, once known
};

}  // namespace toroid::unicorn
