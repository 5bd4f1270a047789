// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace toroid {

/// Objects taken and given back, as they were left. Memory grows in chunks and is used again; nothing moves, so
/// pointers stay good.
template <typename T, unsigned chunk>
class Pool {
 public:
  T& take() {
    if (free_.empty()) grow();
    T& object = *free_.back();
    free_.pop_back();
    return object;
  }
  void give_back(T& object) { free_.push_back(&object); }

  std::size_t in_use() const { return chunks_.size() * chunk - free_.size(); }
  /// Host memory held, in bytes.
  std::size_t memory_bytes() const { return chunks_.size() * chunk * sizeof(T) + free_.capacity() * sizeof(T*); }

 private:
  void grow() {
    chunks_.push_back(std::unique_ptr<T[]>(new T[chunk]));
    free_.reserve(chunks_.size() * chunk);
    for (unsigned i = chunk; i-- > 0;) free_.push_back(&chunks_.back()[i]);
  }

  std::vector<std::unique_ptr<T[]>> chunks_;
  std::vector<T*> free_;
};

/// The same for packets, which have a link `next` and know by `index` their place in the pool: a 32-bit handle to them.
template <typename T, unsigned chunk>
class IndexedPool {
 public:
  T& take() {
    if (free_ == nullptr) grow();
    T& packet = *free_;
    free_ = packet.next;
    ++in_use_;
    return packet;
  }
  void give_back(T& packet) {
    packet.next = free_;
    free_ = &packet;
    --in_use_;
  }

  /// Makes `packet` as `value` is, but for what belongs to the pool.
  static void assign(T& packet, const T& value) {
    const std::uint32_t index = packet.index;
    packet = value;
    packet.index = index;
    packet.next = nullptr;
  }

  T& at(std::uint32_t index) { return chunks_[index / chunk][index % chunk]; }
  const T& at(std::uint32_t index) const { return chunks_[index / chunk][index % chunk]; }

  std::size_t in_use() const { return in_use_; }
  /// Host memory held, in bytes.
  std::size_t memory_bytes() const { return chunks_.size() * chunk * sizeof(T); }

 private:
  void grow() {
    const auto first = static_cast<std::uint32_t>(chunks_.size() * chunk);
    chunks_.push_back(std::make_unique<T[]>(chunk));
    for (unsigned i = chunk; i-- > 0;) {
      T& packet = chunks_.back()[i];
      packet.index = first + i;
      packet.next = free_;
      free_ = &packet;
    }
  }

  std::vector<std::unique_ptr<T[]>> chunks_;
  T* free_ = nullptr;
  std::size_t in_use_ = 0;
};

}  // namespace toroid
