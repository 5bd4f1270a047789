// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/unicorn/debian/fast_stores.h"

#include <dlfcn.h>

#include <unordered_map>

namespace toroid::unicorn {
namespace {

using SetPage = void (*)(void* cpu, std::uint32_t address, std::uint64_t physical, int protection, int mmu_index,
                         std::uint32_t size);
using SetDirty = void (*)(void* cpu, std::uint32_t address);

std::unordered_map<const void*, const StorePolicy*>& policies() {  // by Unicorn's CPU; looked up only, never iterated
  static std::unordered_map<const void*, const StorePolicy*> map;
  return map;
}

StorePolicy* starting = nullptr;

}  // namespace

void StorePolicy::begin() {
  if (cpu_ == nullptr) starting = this;
}

StorePolicy::~StorePolicy() {
  if (starting == this) starting = nullptr;
  if (cpu_ != nullptr) policies().erase(cpu_);
}

/// The policy for a CPU that enters a page. The first page of all that a CPU enters is that of its first instruction,
/// right behind begin(), before anything else can run.
const StorePolicy* StorePolicy::of(const void* cpu) {
  if (starting != nullptr) {
    starting->cpu_ = cpu;
    policies()[cpu] = starting;
    starting = nullptr;
  }
  const auto found = policies().find(cpu);
  return found == policies().end() ? nullptr : found->second;
}

}  // namespace toroid::unicorn

extern "C" __attribute__((visibility("default"))) void tlb_set_page_ppc(void* cpu, std::uint32_t address,
                                                                        std::uint64_t physical, int protection,
                                                                        int mmu_index, std::uint32_t size) {
  static const auto set_page = reinterpret_cast<toroid::unicorn::SetPage>(dlsym(RTLD_NEXT, "tlb_set_page_ppc"));
  static const auto set_dirty = reinterpret_cast<toroid::unicorn::SetDirty>(dlsym(RTLD_NEXT, "tlb_set_dirty_ppc"));
  set_page(cpu, address, physical, protection, mmu_index, size);
  const toroid::unicorn::StorePolicy* policy = toroid::unicorn::StorePolicy::of(cpu);
  if (set_dirty != nullptr && policy != nullptr && policy->is_plain_memory(address)) set_dirty(cpu, address);
}
