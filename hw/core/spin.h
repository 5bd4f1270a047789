// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hw/core/core_config.h"
#include "hw/core/core_counters.h"
#include "hw/isa/block_table.h"
#include "hw/isa/register_set.h"
#include "hw/memory/big_endian.h"
#include "hw/memory/memory_view.h"
#include "nic/common/watched_device.h"

namespace toroid {

/// Finds out that a core polls in a steady loop.
///
/// The argument. What a core does next is decided by its registers, its memory and the answers of devices. Take a pure
/// device read (one without side effect) at which the registers, the program counter and the loads in flight are what
/// they were when the core last stood there: a turn. If the turn did nothing but pure reads of devices that have not
/// changed since it began, and every memory location it stored to holds the same value at both ends, then the state at
/// both ends is the same, and so the next turns do the same in the same time, until one of those devices changes.
///
/// The same time, because what caches hold is part of the state: a turn in which they changed, by a miss or a line that
/// became dirty, is not steady. Hits leave them as they are. When lines under way arrive matters to misses only, and is
/// kept as a time, so whole turns left out do not shift it.
///
/// Three steps: a candidate head is remembered; when the registers come back to it, the next turn is verified, with
/// every store followed; when they come back again, with memory unchanged, the turn is steady: perhaps only after they
/// came back several times, each time from another caller. Where an address cannot be followed, or an instruction has
/// state that the engine does not show, the turn counts as not steady: then it is executed as ever. Memory that another
/// bus master writes while the loop reads it is outside the argument: such a master must announce its writes as a
/// change of its WatchedDevice.
///
/// Where other cores write memory while the core runs (follow_memory()), what the turn loads is followed as well, and
/// must hold the same values as long as the core sleeps. Others could look at what it stores in the middle of a turn:
/// wherever they may run, at each block and device read, these words must be what they were at its start. But for
/// memory that others have no way to, and frames of functions that the turn calls and that return within it, which have
/// no address by then that anybody else could have been told. There, a turn can also begin at a block, in a loop that
/// reads memory alone: with the registers, and the block before, alike.
class SpinDetector {
 public:
  /// Where the core stands at a pure read, before it is issued.
  struct Head {
    std::uint64_t pc = 0;
    std::uint64_t address = 0;
    RegisterSnapshot registers;
    std::array<CoreCycle, kMaxOutstandingReads> in_flight{};  ///< cycles until each outstanding load returns
    CoreCycle instructions_left = 0;                          ///< cycles until the block's instructions are done
    CoreCycle time = 0;                                       ///< local core cycle
    std::uint64_t cache_changes = 0;                          ///< MemoryPath::changes()
    CoreCounters counters;
    const Block* previous = nullptr;  ///< entered before the block at which a turn begins
  };
  /// Head::address of a turn that begins at a block.
  static constexpr std::uint64_t kAtBlock = ~std::uint64_t{0};
  /// A pure read of the turn, with its answer.
  struct Read {
    CoreCycle offset = 0;  ///< from the head, in core cycles
    CoreCycle delay = 0;   ///< what the device itself added
    std::uint64_t address = 0;
    const WatchedDevice* device = nullptr;
    CoreCounters counters;  ///< behind it
    std::array<std::uint8_t, 16> data{};
  };

  /// `word_bytes` and `roles` are the instruction set's.
  SpinDetector(const MemoryView& memory, unsigned word_bytes, const RegisterRoles& roles)
      : memory_(memory), wide_(word_bytes == 8), roles_(roles) {}

  /// Other cores write memory. Or no longer. What the core stores from address `begin` on and below `end` none of them
  /// can see.
  void follow_memory(bool follow, std::uint64_t begin = 0, std::uint64_t end = 0) {
    follows_memory_ = follow;
    hidden_ = {begin, end - begin};
  }
  /// The core did something that a steady turn may not contain.
  void reset();
  /// True while every block must be given to on_block().
  bool verifying() const { return phase_ == Phase::verifying; }
  void on_block(const Block& block, const RegisterSnapshot& registers);
  /// The core is about to stand at a pure read. True if nothing comes of it: at_read() need not be told.
  bool passes(std::uint64_t pc, std::uint64_t address, std::uint64_t cache_changes);
  /// The core stands at a pure read within `block` that passes() has not let pass. True if a verified turn ends here:
  /// if the answer is that of turn().front() and no device of the turn has changed since turn_start(), it is steady.
  bool at_read(const Head& head, const Block& block, BlockTable& blocks);
  /// The core is about to enter a block; a turn is verified that has begun at one, or one may begin. True if a verified
  /// turn ends here: it is steady if no interrupt has come meanwhile.
  bool at_block(const Head& head);
  bool verifies_from_block() const { return verifying() && begins_at_block(); }
  /// A device read may be the head of a turn.
  bool has_read() const { return phase_ != Phase::idle && !begins_at_block(); }
  /// The turn begins at a block, not at a read.
  bool begins_at_block() const { return head_.address == kAtBlock; }
  /// All that the turn has stored to or, as far as it is followed, loaded is what it was at its start.
  bool memory_unchanged() const { return !any_changed(stored_) && !any_changed(loaded_); }
  /// Words that have an address from `begin` on and below `end` are the process's own. To be told when a turn is
  /// steady, before shared_unchanged().
  void tell_own_memory(std::uint64_t begin, std::uint64_t end);
  /// What memory_unchanged() says, of words that are not the process's own.
  bool shared_unchanged() const { return !any_changed(shared_); }
  /// Calls `each` with address and old value of every word that is not.
  template <typename Each>
  void each_changed(Each&& each) const {
    for (const std::vector<Word>* words : {&stored_, &loaded_}) {
      for (const Word& word : *words) {
        if (is_changed(word)) each(word.address, word.value);
      }
    }
  }
  /// The answer to a pure read, in the order of the reads.
  void record(const Read& read);

  const std::vector<Read>& turn() const { return reads_; }
  const Head& turn_start() const { return head_; }

 private:
  enum class Phase : std::uint8_t { idle, candidate, verifying };
  struct Word {
    std::uint64_t address;
    const std::uint8_t* host;  ///< where it lies: all are compared whenever another core has run
    std::uint32_t value;       ///< at the turn's start
  };

  bool follow(const Block& block, const RegisterSnapshot& registers);
  template <typename Number>
  bool follow_accesses(const AddressPlan& plan, const RegisterSnapshot& registers);
  bool follow_store(std::uint64_t address, std::uint64_t size);
  bool follow_load(std::uint64_t address, std::uint64_t size);
  Word word_at(std::uint64_t address) const {
    const std::uint8_t* const host = memory_.host(address);
    return {address, host, load_be32(host)};
  }
  static bool is_changed(const Word& word) { return load_be32(word.host) != word.value; }
  std::uint64_t stack_of(const RegisterSnapshot& registers) const {
    return registers.values[roles_.stack_pointer_number];
  }
  /// Others may run now.
  void look_at_stores();
  /// What others could have seen changed lies in frames of functions that have returned.
  bool stores_are_private() const;
  static bool any_changed(const std::vector<Word>& words);
  void begin_turn(const Head& head);
  void give_up();

  const MemoryView& memory_;
  const bool wide_;
  const RegisterRoles& roles_;
  Phase phase_ = Phase::idle;
  Head head_;
  unsigned reads_since_head_ = 0;
  unsigned window_ = kFirstWindow;
  unsigned rest_ = 0;  ///< reads to let pass before looking again
  unsigned next_rest_ = 0;
  std::vector<Read> reads_;
  std::vector<Word> stored_;
  bool follows_memory_ = false;
  std::vector<Word> loaded_;  ///< but for what the turn has stored before
  std::vector<Word> shared_;  ///< of both, what tell_own_memory() left
  struct Piece {
    std::uint64_t address, size;
  };
  Piece hidden_{0, 0};                                  ///< nobody else sees what is stored here
  std::vector<Piece> stores_;                           ///< of the block entered last
  std::vector<Piece> shown_;                            ///< that others could have seen changed
  std::uint64_t lowest_stack_ = 0, highest_stack_ = 0;  ///< at the turn's blocks
  unsigned blocks_ = 0;                                 ///< that may still be entered before a turn from a block ends

  static constexpr unsigned kFirstWindow = 2;
};

}  // namespace toroid
