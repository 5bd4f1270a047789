// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgp/process_windows.h"

#include <algorithm>
#include <cerrno>

#include "hw/kernel/process.h"

namespace toroid {
namespace {

constexpr std::uint64_t kAlignment = 0x1000'0000;  // of the first address
constexpr std::uint64_t kEnd = 0xFE00'0000;        // from here on there are devices

}  // namespace

void ProcessWindows::add_memory(const Process& process, std::uint64_t memory, MemoryView& view) {
  if (process.machine().processes_per_node == 1) return;
  const std::uint64_t base = (view.end() + kAlignment - 1) & ~(kAlignment - 1), shared = process.config().shared_memory;
  if (base >= kEnd) return;
  // The shared memory keeps its addresses; what would lie there comes behind.
  const std::uint64_t gap = shared != 0 && process.shared_base() > base ? process.shared_base() : kEnd;
  const std::uint64_t total = std::min(memory - shared, kEnd - base - (gap == kEnd ? 0 : shared));
  const std::uint64_t first = std::min(total, gap - base);
  view.add({base, 0, first});
  if (first < total) view.add({gap + shared, first, total - first});
}

int ProcessWindows::open(Process& process, std::uint32_t slot, std::uint64_t physical, std::uint64_t size) {
  const MemoryView& view = process.memory()->view();
  if (slot >= kSlots || size == 0) return EINVAL;
  const std::uint64_t begin = physical & ~(kGrain - 1), end = (physical + size + kGrain - 1) & ~(kGrain - 1);
  const std::uint64_t node = process.cores().front().core->memory().size();
  if (physical >= node || size > node - physical) return EINVAL;
  std::optional<Window> window;
  view.each_address_of(begin, [&](std::uint64_t address) {
    const bool own = address < view.end(), shared = address - process.shared_base() < process.config().shared_memory;
    if (!own && !shared && view.contains(address, end - begin)) window = Window{address, begin, end - begin};
  });
  if (!window) return EINVAL;
  auto& windows = windows_[process.place().t];
  for (std::uint32_t other = 0; other < kSlots; ++other) {
    const std::optional<Window>& each = windows[other];
    if (other != slot && each && begin < each->physical + each->size && each->physical < end) return EBUSY;
  }
  if (windows[slot]) (void)process.memory()->unmap(windows[slot]->address, windows[slot]->size);
  windows[slot].reset();
  if (!process.memory()->map(window->address, window->size, kReadable | kWritable)) return ENOMEM;
  windows[slot] = window;
  return 0;
}

const ProcessWindows::Window* ProcessWindows::window(const Process& process, std::uint32_t slot) const {
  if (slot >= kSlots) return nullptr;
  const std::optional<Window>& found = windows_[process.place().t][slot];
  return found ? &*found : nullptr;
}

}  // namespace toroid
