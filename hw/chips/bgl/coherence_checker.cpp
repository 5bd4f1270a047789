// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgl/coherence_checker.h"

#include <algorithm>

namespace toroid {
namespace {

constexpr std::uint32_t kWholeLine = 0xFFFF'FFFF;

/// A bit for each of `size` bytes from `first` on, within a line.
std::uint32_t bytes_of(unsigned first, unsigned size) {
  return size >= CoherenceChecker::kLineBytes ? kWholeLine : ((1u << size) - 1) << first;
}

unsigned first_of(std::uint32_t bytes) {
  unsigned first = 0;
  while ((bytes >> first & 1) == 0) ++first;
  return first;
}

}  // namespace

CoherenceChecker::Line& CoherenceChecker::line_at(std::uint64_t physical) {
  Line& line = lines_[physical / kLineBytes];
  for (unsigned core = 0; core < kCores; ++core) {
    if (present(line[core], core)) continue;
    line[core].flushes = 0;  // a whole flush since: written back and forgotten
    line[core].dirty = line[core].old = 0;
  }
  return line;
}

void CoherenceChecker::fetch(Line& line, unsigned core) {
  Copy& own = line[core];
  if (present(own, core)) return;
  own.flushes = flushes_[core] + 1;
  own.dirty = 0;
  own.old = line[1 - core].dirty;
}

void CoherenceChecker::found(Kind kind, unsigned core, std::uint64_t pc, std::uint64_t address, const Copy& other,
                             Bytes bytes) {
  const std::uint64_t other_pc = other.pcs[first_of(bytes) / 4];
  const auto [place, is_new] = known_.try_emplace({kind, core, pc, other_pc}, findings_.size());
  if (is_new) findings_.push_back({kind, core, pc, other_pc, address});
  ++findings_[place->second].count;
}

void CoherenceChecker::read(const Core& core, std::uint64_t pc, std::uint64_t address, Line& line, Bytes bytes) {
  const unsigned self = core.number();
  fetch(line, self);
  Copy& own = line[self];
  const Copy& other = line[1 - self];
  const Bytes bad = own.old & bytes;
  if (bad == 0) return;
  const Bytes unflushed = bad & other.dirty;
  found(unflushed != 0 ? Kind::unflushed_read : Kind::stale_read, self, pc, address, other,
        unflushed != 0 ? unflushed : bad);
}

void CoherenceChecker::write(const Core& core, std::uint64_t pc, std::uint64_t address, Line& line, Bytes bytes) {
  const unsigned self = core.number();
  fetch(line, self);
  Copy& own = line[self];
  Copy& other = line[1 - self];
  if (other.dirty != 0) {
    found(Kind::both_write, self, pc, address, other, other.dirty);
  } else if ((own.old & ~bytes) != 0) {
    found(Kind::stale_write, self, pc, address, other, own.old & ~bytes);
  }
  own.dirty |= bytes;
  own.old &= ~bytes;
  if (present(other, 1 - self)) other.old |= bytes;
  for (unsigned word = 0; word < own.pcs.size(); ++word) {
    if ((bytes >> 4 * word & 0xF) != 0) own.pcs[word] = pc;
  }
}

void CoherenceChecker::on_access(const Core& core, std::uint64_t pc, std::uint64_t address, unsigned size, bool store) {
  if (!core.view().contains(address, size)) return;  // a device's
  while (size != 0) {
    const unsigned first = address % kLineBytes;
    const unsigned here = std::min(size, kLineBytes - first);
    Line& line = line_at(core.view().physical(address));
    if (store) {
      write(core, pc, address, line, bytes_of(first, here));
    } else {
      read(core, pc, address, line, bytes_of(first, here));
    }
    address += here;
    size -= here;
  }
}

void CoherenceChecker::on_cache_instruction(const Core& core, std::uint64_t pc, std::uint64_t address,
                                            AccessKind kind) {
  if (!core.view().contains(address, 1)) return;
  const unsigned self = core.number();
  Line& line = line_at(core.view().physical(address));
  Copy& own = line[self];
  switch (kind) {
    case AccessKind::touch:
      fetch(line, self);
      break;
    case AccessKind::zero:
      own.flushes = flushes_[self] + 1;  // made without a look at memory
      own.old = 0;
      write(core, pc, address, line, kWholeLine);
      break;
    case AccessKind::write_back:
      own.dirty = 0;
      break;
    case AccessKind::flush:
      own.flushes = 0;
      own.dirty = own.old = 0;
      break;
    case AccessKind::load:
    case AccessKind::store:
      break;
  }
}

void CoherenceChecker::on_flush(const Core& core) {
  ++flushes_[core.number()];
}

}  // namespace toroid
