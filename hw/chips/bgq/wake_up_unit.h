// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "hw/core/memory_readers.h"
#include "hw/core/wake_up_source.h"
#include "hw/memory/memory_write_observer.h"
#include "hw/memory/node_memory.h"
#include "hw/memory/watched_memory.h"
#include "nic/bgq/mu.h"

namespace toroid {

/// The wake-up units of a node's 16 cores: what ends `waitimpl` of their hardware threads (nic/bgq/wu_regs.h). Each
/// core reaches its own, at the same addresses.
///
/// A comparator watches up to kMostWatched bytes. What bus masters and the L2's atomic operations write there is seen
/// as it is written; what cores store is seen by comparing, wherever a core lets others run (decision 43): a store of
/// what is there already is not. A comparator that watches more sees a store whenever it is looked at.
///
/// Accesses of 8 bytes, each at its own time. Errors, each with a FaultReason:
///   not 8 bytes at a multiple of 8              TLM_BURST_ERROR_RESPONSE
///   no register there, or one of the kernel's   TLM_ADDRESS_ERROR_RESPONSE
class WakeUpUnit : public sc_core::sc_module, public WakeUpSource, public MemoryWriteObserver, private MemoryReader {
 public:
  static constexpr unsigned kCores = 16, kThreadsOfACore = 4, kThreads = kCores * kThreadsOfACore;
  static constexpr unsigned kComparators = 4;  ///< of a core, for users
  static constexpr std::uint64_t kMostWatched = std::uint64_t{1} << 20;

  tlm_utils::simple_target_socket<WakeUpUnit, 32> bus;

  /// Everything is kept by reference.
  WakeUpUnit(const sc_core::sc_module_name& name, NodeMemory& memory, WatchedMemory& watched, MemoryReaders& readers,
             MuDevice& mu);
  ~WakeUpUnit() override;

  /// A hardware thread gets software: as its kernel leaves the unit to it.
  void begin(unsigned thread);

  // WakeUpSource; cores are hardware threads.
  bool is_up(unsigned core) override;
  const sc_core::sc_event& begin_wait(unsigned core) override;
  void end_wait(unsigned core) override;

  void on_memory_write(std::uint64_t address, std::uint32_t bytes) override;

 private:
  struct Comparator {
    std::uint64_t base, mask;
    bool sees_all = false;
    std::uint64_t begin = 0;         ///< of what it watches
    std::vector<std::uint8_t> held;  ///< what was there when it was last looked at; empty: it watches nothing
  };
  struct Unit {
    std::array<Comparator, kComparators> comparators;
    std::array<std::uint64_t, kThreadsOfACore> events{};  ///< but for those that others hold up
  };

  void b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& access);
  tlm::tlm_response_status serve(tlm::tlm_generic_payload& access, sc_core::sc_time& delay, std::string& reason);
  std::uint64_t* comparator_register(unsigned core, std::uint64_t offset);
  /// The hardware thread of the core whose event word is there; `clears`: by its second address.
  static std::optional<unsigned> thread_at(std::uint64_t offset, bool& clears);

  // MemoryReader.
  void look(const sc_core::sc_time& at) override;
  void mu_changed();

  Unit& unit(unsigned core);
  std::uint64_t word(unsigned core, unsigned thread);
  /// What its comparators have seen up to now.
  void observe(unsigned core);
  void observe(Unit& unit, unsigned comparator);
  /// The comparator watches what its registers say, from now on.
  void watch(Comparator& comparator);
  bool is_waiting(unsigned thread) const { return (waiting_ >> thread & 1) != 0; }
  /// Of threads of `core` that wait: wakes those that something has come up for, at `at`.
  void wake(unsigned core, const sc_core::sc_time& at);

  NodeMemory& memory_;
  WatchedMemory& watched_;
  MemoryReaders& readers_;
  MuDevice& mu_;
  std::array<std::unique_ptr<Unit>, kCores> units_;  ///< made when software first has a thread of the core
  std::array<std::unique_ptr<sc_core::sc_event>, kThreads> woken_;  ///< made at a thread's first wait
  std::uint64_t waiting_ = 0;                                       ///< bit t: hardware thread t
};

}  // namespace toroid
