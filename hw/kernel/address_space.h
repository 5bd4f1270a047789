// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/isa/engine.h"
#include "hw/memory/memory_view.h"

namespace toroid {

inline constexpr std::uint64_t kPageSize = 4096;

/// What of its memory a process may touch, and how. Addresses are virtual ones, those of the process's view.
///
///     0                page zero and all below the view: not mapped
///     program          text (read, execute) and data (read, write), from the beginning of the view on
///     heap             grows upwards (brk)
///     mmap area        grows downwards
///     guard            not mapped: tells a stack overflow
///     stack            up to the end of the view
///
/// Only pages that the program file declares executable can be, and none can be writable and executable. All cores of
/// the process see the same, at any time: a change takes effect in every engine at once, also in one that stands in the
/// middle of an access.
class AddressSpace {
 public:
  /// Regions that a process may have. With all of them a change costs the host some 5 ms, and Unicorn ends the host
  /// process at 4096. On a node of 512 MiB they are enough for every other of a program's blocks above 512 KiB to be
  /// free, which the C library maps alone. (Linux has 65530.)
  static constexpr std::size_t kMostRegions = 1024;
  static constexpr std::uint64_t kGuardSize = 1 << 20;  ///< wide enough for most local arrays

  explicit AddressSpace(const MemoryView& view) : view_(view) { view_.leave_out(watched_); }
  AddressSpace(const AddressSpace&) = delete;
  AddressSpace& operator=(const AddressSpace&) = delete;

  /// A further core of the process: its engine sees all that is mapped, now and later. False where it has no room.
  bool add_engine(Engine& engine);
  const MemoryView& view() const { return view_; }

  /// Maps whole pages around [address, address + size). False where that leaves the view or overlaps.
  bool map(std::uint64_t address, std::uint64_t size, unsigned permissions);
  /// Places the stack of `size` bytes at the end of the view and the heap from `heap` on. False where there is no room.
  bool place(std::uint64_t heap, std::uint64_t size);

  std::uint64_t stack_top() const { return stack_top_; }
  /// The lowest address of the stack.
  std::uint64_t stack() const { return stack_; }
  /// The lowest address of the heap, and the first behind it that it cannot have: the guard of the stack.
  std::uint64_t heap() const { return heap_; }
  std::uint64_t guard() const { return guard_; }
  /// The lowest address from which on all up to `address` can be written.
  std::uint64_t writable_below(std::uint64_t address) const;

  /// Linux brk: moves the break where that is possible; returns where it is.
  std::uint64_t set_break(std::uint64_t address);
  /// Anonymous zeroed memory; nullopt where there is no room.
  std::optional<std::uint64_t> map_anonymous(std::uint64_t size, unsigned permissions);
  /// The same at an address between heap and stack's guard, in the place of what is mapped there. 0, or an errno and
  /// nothing has changed: EINVAL if the address is not page aligned, EEXIST if something is mapped there and is not to
  /// be replaced, ENOMEM if the range leaves that area or is watched, or if there would be too many regions.
  int map_fixed(std::uint64_t address, std::uint64_t size, unsigned permissions, bool replace);
  /// As Linux has it, not all of the range need be mapped. 0, or an errno and nothing has changed: EINVAL if it is not
  /// page aligned or leaves what the process can have, ENOMEM if it is watched or there would be too many regions.
  int unmap(std::uint64_t address, std::uint64_t size);
  /// The same, but ENOMEM if not all of it is mapped.
  int protect(std::uint64_t address, std::uint64_t size, unsigned permissions);
  /// Memory that has just been mapped is a copy of a file. It stays one where it moves, until it is unmapped.
  void add_copy(std::uint64_t address, std::uint64_t size) { copies_.add(address, address + size); }
  /// Zeroes whole pages of the program's heap or of anonymous memory; copies of files stay as they are. 0, or an errno:
  /// EINVAL if the address is not page aligned, ENOMEM if not all of the range is such memory. It need not be writable.
  int clear(std::uint64_t address, std::uint64_t size);
  /// Makes `old_size` bytes of the heap or of mapped memory `size` bytes long, where they are or, if they may move,
  /// elsewhere: sets `address`. What they grow by is zero, and has their permissions. 0, or an errno and nothing has
  /// changed: EINVAL, EFAULT if it is other memory, or is to grow and has parts of different permissions, ENOMEM.
  int resize(std::uint64_t& address, std::uint64_t old_size, std::uint64_t size, bool may_move);
  /// The same, to the address `to`, in the place of what is mapped there. EINVAL also if the two overlap.
  int move(std::uint64_t address, std::uint64_t old_size, std::uint64_t size, std::uint64_t to);
  /// From now on, the cores reach these pages like a device (hw/memory/watched_memory.h). They stay as they are to the
  /// end: neither unmap() nor protect() takes them. 0, or an errno and nothing has changed: EINVAL if these are not
  /// whole pages, EFAULT if the process may not write all of them, ENOMEM if there would be too many regions.
  int watch(std::uint64_t address, std::uint64_t size);
  bool is_watched(std::uint64_t address, std::uint64_t size) const { return watched_.overlaps(address, size); }
  bool is_executable(std::uint64_t address, std::uint64_t size) const { return allowed(address, size, kExecutable); }

  /// Host pointer to guest memory that the process may read or write; null where it may not touch all of it.
  const std::uint8_t* readable(std::uint64_t address, std::uint64_t size) const {
    return allowed(address, size, kReadable) ? view_.host(address) : nullptr;
  }
  std::uint8_t* writable(std::uint64_t address, std::uint64_t size) {
    if (watched_.overlaps(address, size)) watched_written_ = true;
    return allowed(address, size, kWritable) ? view_.host(address) : nullptr;
  }
  /// Whether writable() has given watched memory away since it was last asked.
  bool take_watched_written() { return std::exchange(watched_written_, false); }
  /// A zero-terminated string; nullopt where it leaves readable memory or is longer than `limit`.
  std::optional<std::string> string_at(std::uint64_t address, std::uint64_t limit) const;

 private:
  struct Region {
    std::uint64_t end;
    unsigned permissions;
  };

  bool allowed(std::uint64_t address, std::uint64_t size, unsigned permission) const;
  bool is_free(std::uint64_t address, std::uint64_t end) const;
  /// Mapped memory between heap and stack that is not watched.
  bool is_own(std::uint64_t address, std::uint64_t size) const;
  bool covered(std::uint64_t address, std::uint64_t end) const;
  /// What all pages between heap and stack's guard that hold these bytes permit, or the errno of resize().
  int movable(std::uint64_t address, std::uint64_t size, unsigned& permissions) const;
  using Pieces = std::map<std::uint64_t, Region>;
  bool map_in(Engine& engine, std::uint64_t address, const Region& region);
  /// Gives all pages of a range other permissions, or none. False if that cannot be: then all is as before.
  bool change(std::uint64_t begin, std::uint64_t end, std::optional<unsigned> permissions);
  /// Puts some regions in the place of others, in all engines or not at all.
  bool replace(const Pieces& before, const Pieces& after);
  void undo(Engine& engine, const Pieces& made, const Pieces& before);
  bool join_all();
  /// An engine takes time for each page of what it unmaps: a large region is several, so that a small change to it
  /// costs little.
  std::uint64_t largest_piece() const;

  static constexpr unsigned kWatched = 8;  ///< beside kReadable and the like

  MemoryView view_;
  AddressRanges watched_;
  AddressRanges copies_;  ///< of files
  bool watched_written_ = false;
  std::vector<Engine*> engines_;
  Pieces regions_;  // by first address, each mapped as a whole in every engine
  std::uint64_t heap_ = 0;
  std::uint64_t break_ = 0;
  std::uint64_t heap_mapped_ = 0;
  std::uint64_t guard_ = 0;
  std::uint64_t stack_ = 0;
  std::uint64_t stack_top_ = 0;
};

}  // namespace toroid
