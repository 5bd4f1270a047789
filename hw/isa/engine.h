// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "hw/isa/register_set.h"
#include "hw/memory/image_file.h"

namespace toroid {

struct Block;
class BlockCode;

enum class FaultKind : std::uint8_t {
  read_unmapped,
  write_unmapped,
  fetch_unmapped,
  read_protected,
  write_protected,
  fetch_protected,
  illegal_instruction,
  privileged_instruction,
  trap,
  step,             ///< the program has asked to be told behind each instruction
  division,         ///< of an integer: by zero, or its result has no room
  misaligned_read,  ///< by an instruction that demands an aligned address; from the engine without the address
  misaligned_write,
  other_exception,
  device_error,  ///< a device refused the access (raised by the core, not by the engine)
};
/// A load that cannot be done, or a store.
inline constexpr bool is_data_access(FaultKind kind) {
  return kind == FaultKind::read_unmapped || kind == FaultKind::write_unmapped || kind == FaultKind::read_protected ||
         kind == FaultKind::write_protected;
}
/// A jump to where no code is.
inline constexpr bool is_fetch(FaultKind kind) {
  return kind == FaultKind::fetch_unmapped || kind == FaultKind::fetch_protected;
}
inline constexpr bool is_store(FaultKind kind) {
  return kind == FaultKind::write_unmapped || kind == FaultKind::write_protected;
}

/// Why the engine could not go on.
struct EngineFault {
  FaultKind kind = FaultKind::other_exception;
  std::uint64_t address = 0;    ///< the data or fetch address, where the kind has one
  std::uint64_t pc = 0;         ///< exact for exceptions; for data faults an address within the block that faulted
  std::uint32_t exception = 0;  ///< the engine's exception number, for other_exception
};

/// The first bytes of an instruction; those behind the end of the code are zero.
using InstructionBytes = std::array<std::uint8_t, 16>;

inline constexpr unsigned kReadable = 1, kWritable = 2, kExecutable = 4;  ///< page permissions

/// What an engine tells of single instructions.
enum class Observation : std::uint8_t {
  none,
  instructions,  ///< EngineClient::on_instruction(), which makes code some five times slower
  accesses,      ///< on_access() as well, at a higher price
};

/// The first member of what a client's code of blocks works on (BlockCode).
struct LedgerHead {
  void* engine = nullptr;  ///< the engine's own
};

/// What an engine calls while it runs. SystemC's wait() may be called in any of these; none may throw.
class EngineClient {
 public:
  /// The program that it executes, as a number that no other program ever has (BlockTable::number()); 0 before it has
  /// got one.
  virtual std::uint64_t program() const = 0;
  /// The basic block of `size` bytes at `address`. The engine may give it to on_block() of all clients with the same
  /// program().
  virtual const Block& block_at(std::uint64_t address, std::uint32_t size) = 0;
  /// Begins what the code of blocks works on; stays where it is.
  virtual LedgerHead& ledger() = 0;
  /// Writes what is executed at the beginning of `block` into `code`, which is empty. An engine that cannot execute it
  /// does not ask.
  virtual void count(const Block& block, BlockCode& code) = 0;
  /// A basic block is about to be executed, and its code, if it has any, calls.
  virtual void on_block(const Block& block) = 0;
  /// A system call was executed; the PC is behind it.
  virtual void on_system_call() = 0;
  /// The instruction at `pc` tells of the machine what the engine does not know: time, identity. The client executes it
  /// on exact registers; the program counter is the engine's business. What tells the time ends its block.
  virtual void on_machine_instruction(std::uint64_t pc, const InstructionBytes& instruction) {
    (void)pc, (void)instruction;
  }
  /// The instruction at `pc`, the last of its block, is none that the engine knows; the registers are exact. True if
  /// the client has executed it, or has stopped the engine: then the engine goes on behind it. False: it is a fault.
  virtual bool on_unknown_instruction(std::uint64_t pc, const InstructionBytes& instruction) = 0;
  /// A load of 1, 2, 4 or 8 bytes from a device window; wider ones arrive in pieces. The value is the number that the
  /// bytes are in the guest's byte order. General purpose registers are exact, the PC is the block's.
  virtual std::uint64_t on_device_read(std::uint64_t address, unsigned size) = 0;
  /// The same for stores.
  virtual void on_device_write(std::uint64_t address, unsigned size, std::uint64_t value) = 0;
  /// Of an engine that observes: the instruction at `pc` is about to be executed; the registers are exact. If the
  /// program counter is written now, that instruction is not executed, and the engine continues there.
  virtual void on_instruction(std::uint64_t pc) = 0;
  /// Of an engine that observes: that instruction loads or stores, whole or a piece.
  virtual void on_access(std::uint64_t address, unsigned size, bool store) = 0;

 protected:
  ~EngineClient() = default;
};

/// An instruction-set engine: executes user code, tells its client about blocks, system calls and device accesses, and
/// keeps no time.
class Engine {
 public:
  virtual ~Engine() = default;

  /// Lets the guest see `size` bytes at `host` as `address`; both page aligned. What is executable holds its code now,
  /// and never changes; `image` tells where that code has its bytes from, so that many engines with the same program
  /// need not compare them. Returns false if that overlaps something mapped before or the engine has no room.
  virtual bool map_memory(std::uint64_t address, std::uint64_t size, std::uint8_t* host, unsigned permissions,
                          ImagePart image) = 0;
  /// Undoes one whole map_memory(). Returns false, and all is as before, if that is not what is mapped there or the
  /// engine has no room for what is left.
  virtual bool unmap_memory(std::uint64_t address, std::uint64_t size) = 0;
  /// Sends accesses in [address, address + size) to the client; page aligned.
  virtual bool map_device(std::uint64_t address, std::uint64_t size) = 0;

  /// A register of up to 8 bytes.
  virtual std::uint64_t read(Register which) const = 0;
  virtual void write(Register which, std::uint64_t value) = 0;
  virtual void read_snapshot(RegisterSnapshot& snapshot) const = 0;
  /// Restores what the engine can: all that a function may not change behind its caller's back.
  virtual void write_snapshot(const RegisterSnapshot& snapshot) = 0;
  /// The general purpose registers themselves, exact at block boundaries; none if the engine does not expose
  /// them. May be called only while it runs.
  virtual GeneralRegisters general_registers() = 0;

  /// A vector register's 16 bytes as a store lays them in memory, of a shorter register the first; nullopt if the
  /// engine does not expose them. May be called only while it runs.
  using Vector = std::array<std::uint8_t, 16>;
  virtual std::optional<Vector> read_vector(Register which) = 0;
  virtual bool write_vector(Register which, const Vector& value) = 0;

  /// The address that an instruction has loaded from and reserved; nullopt if there is none, or the engine does not
  /// tell.
  virtual std::optional<std::uint64_t> reservation() { return std::nullopt; }
  /// A store that depends on the reservation fails.
  virtual void lose_reservation() {}

  /// Executes from `pc` until stop() or a fault. Throws what a callback of the client's has thrown.
  virtual std::optional<EngineFault> run(std::uint64_t pc) = 0;
  /// From a callback: run() returns soon. The rest of the current block may still be executed.
  virtual void stop() = 0;
};

}  // namespace toroid
