// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

namespace toroid {

/// Registers of the 32-bit PowerPC by name. gpr(n) names a general purpose register.
enum class Register : std::uint8_t { gpr0 = 0, pc = 32, lr, ctr, cr, xer, msr, fpscr };
inline constexpr Register gpr(unsigned number) {
  return static_cast<Register>(number);
}
inline constexpr unsigned kRegisters = 39;

/// The user-visible integer state: what decides, together with memory and device answers, what a core does next.
struct RegisterFile {
  std::array<std::uint32_t, 32> gpr{};
  std::uint32_t lr = 0, ctr = 0, cr = 0, xer = 0;

  bool operator==(const RegisterFile& other) const {
    return gpr == other.gpr && lr == other.lr && ctr == other.ctr && cr == other.cr && xer == other.xer;
  }
  bool operator!=(const RegisterFile& other) const { return !(*this == other); }
};

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
  other_exception,
  device_error,  ///< a device refused the access (raised by the core, not by the engine)
};

/// Why the engine could not go on.
struct EngineFault {
  FaultKind kind = FaultKind::other_exception;
  std::uint32_t address = 0;    ///< the data or fetch address, where the kind has one
  std::uint32_t pc = 0;         ///< exact for exceptions; for data faults an address within the block that faulted
  std::uint32_t exception = 0;  ///< the engine's exception number, for other_exception
};

inline constexpr unsigned kReadable = 1, kWritable = 2, kExecutable = 4;  ///< page permissions

/// What an engine calls while it runs. SystemC's wait() may be called in any of these; none may throw.
class EngineClient {
 public:
  /// A basic block of `size` bytes at `address` is about to be executed.
  virtual void on_block(std::uint32_t address, std::uint32_t size) = 0;
  /// `sc` was executed; the PC is behind it.
  virtual void on_system_call() = 0;
  /// A load of 1, 2 or 4 bytes from a device window; wider ones arrive in pieces. The value's most significant byte is
  /// the one at the lowest address. General purpose registers are exact, the PC is the block's.
  virtual std::uint32_t on_device_read(std::uint32_t address, unsigned size) = 0;
  /// The same for stores.
  virtual void on_device_write(std::uint32_t address, unsigned size, std::uint32_t value) = 0;
  /// Of an engine that observes: the instruction at `pc` is about to be executed; the registers are exact. Where the
  /// program counter is written now, that instruction is not executed, and the engine goes on there.
  virtual void on_instruction(std::uint32_t pc) = 0;
  /// Of an engine that observes: that instruction loads or stores, whole or a piece.
  virtual void on_access(std::uint32_t address, unsigned size, bool store) = 0;

 protected:
  ~EngineClient() = default;
};

/// An instruction-set engine: executes 32-bit big-endian PowerPC user code, tells its client about blocks, system calls
/// and device accesses, and keeps no time.
class Engine {
 public:
  virtual ~Engine() = default;

  /// Lets the guest see `size` bytes at `host` as `address`; both page aligned. Returns false where that overlaps
  /// something mapped before or the engine has no room.
  virtual bool map_memory(std::uint32_t address, std::uint32_t size, std::uint8_t* host, unsigned permissions) = 0;
  /// Undoes one whole map_memory().
  virtual bool unmap_memory(std::uint32_t address, std::uint32_t size) = 0;
  /// Sends accesses in [address, address + size) to the client; page aligned.
  virtual bool map_device(std::uint32_t address, std::uint32_t size) = 0;

  virtual std::uint32_t read(Register which) const = 0;
  virtual void write(Register which, std::uint32_t value) = 0;
  virtual void read_registers(RegisterFile& file) const = 0;
  /// The 32 general purpose registers themselves, exact at block boundaries; null where the engine does not give them
  /// away. To be asked for while it runs.
  virtual const std::uint32_t* general_registers() = 0;

  /// A floating-point register's 64 bits.
  virtual std::uint64_t read_float(unsigned number) const = 0;
  virtual void write_float(unsigned number, std::uint64_t value) = 0;

  /// A vector register's 16 bytes in the core's order, from the most significant on; nullopt where the engine does not
  /// give them away. To be asked for while it runs.
  using Vector = std::array<std::uint8_t, 16>;
  virtual std::optional<Vector> read_vector(unsigned number) = 0;
  virtual bool write_vector(unsigned number, const Vector& value) = 0;

  /// Calls on_instruction() and on_access() from now on, at a high price. To be called before the first run().
  virtual void observe() = 0;
  /// Calls on_instruction() alone, at a lower price. To be called before the first run(), and not beside observe().
  virtual void observe_instructions() = 0;

  /// Executes from `pc` until stop() or a fault. Throws what a callback of the client's has thrown.
  virtual std::optional<EngineFault> run(std::uint32_t pc) = 0;
  /// From a callback: run() returns soon. The rest of the current block may still be executed.
  virtual void stop() = 0;
};

/// The engine made of the Unicorn library. Throws std::runtime_error where Unicorn cannot be set up.
std::unique_ptr<Engine> make_unicorn_engine(EngineClient& client);

}  // namespace toroid
