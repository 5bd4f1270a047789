// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "hw/isa/block_decoder.h"
#include "hw/isa/engine.h"
#include "hw/isa/instruction_emulator.h"
#include "hw/isa/register_set.h"
#include "hw/memory/byte_order.h"
#include "hw/memory/memory_view.h"

namespace toroid {

/// Arguments of a system call: registers, as the instruction set has them, as many as any kernel takes. Those that an
/// instruction set does not pass are zero.
inline constexpr unsigned kMostCallArguments = 9;
using CallArguments = std::array<std::uint64_t, kMostCallArguments>;

/// A system call as a program makes it.
struct SystemCallRequest {
  std::uint64_t number = 0;
  CallArguments arguments{};
};

/// What a core answers where its program asks who it is, as the machine and its kernel decide it.
struct CoreIdentity {
  unsigned number = 0;        ///< of the core on its node
  std::uint32_t version = 0;  ///< of the processor
  /// Special registers, by the instruction set's numbers; those that are not here hold zero. A program may write some.
  std::map<unsigned, std::uint64_t> registers{};
};

/// An instruction in whose place the loader has put a system call, or another one that means the same to the machine,
/// because the engine does not execute it as the machine does.
struct ReplacedInstruction {
  std::uint64_t address = 0;
  std::uint8_t size = 0;
  std::array<std::uint8_t, 8> original{};
};

/// A pointer to a nested function that uses its parent's variables points to code which the compiler has put on the
/// stack: it loads the parent's frame into a register and jumps to the function.
struct Trampoline {
  std::uint64_t function = 0;
  std::uint64_t frame = 0;
  unsigned instructions = 0;  ///< of the code
};

/// An instruction set, with the timing of the pipelines that execute it, and the conventions that programs for it
/// follow. Whoever configures a core chooses one (CoreConfig::isa); nothing else knows which it is.
class Isa {
 public:
  /// Without `pipeline`, each instruction takes one cycle (one_cycle_decoder.h).
  explicit Isa(bool pipeline) : pipeline_(pipeline) {}
  virtual ~Isa() = default;

  /// "ppc32".
  virtual const char* name() const = 0;
  /// As people call it: "32-bit big-endian PowerPC".
  virtual const char* description() const = 0;
  virtual ByteOrder byte_order() const = 0;
  /// Of an address and a general purpose register.
  virtual unsigned word_bytes() const = 0;
  /// Instructions lie at multiples of so many bytes.
  virtual unsigned code_alignment() const = 0;
  /// e_machine of its programs (ELF).
  virtual std::uint16_t elf_machine() const = 0;
  virtual const RegisterSet& registers() const = 0;
  virtual const RegisterRoles& roles() const = 0;
  /// A general purpose register by its number among these.
  virtual Register general_register(unsigned number) const = 0;

  virtual std::unique_ptr<Engine> make_engine(EngineClient& client, Observation observation) const = 0;
  /// Executes what the engine does not; nullptr if there is nothing of the kind.
  virtual std::unique_ptr<InstructionEmulator> make_emulator() const { return nullptr; }
  /// `code` is a program's, in ascending order of address and without overlaps; its bytes must outlive the decoder.
  std::unique_ptr<BlockDecoder> make_decoder(std::vector<CodeSpan> code) const;

  // Loading. -----------------------------------------------------------------------------------------------------

  /// Replaces what the engine does not execute as the machine does in code that begins at `address`, where `is_code`
  /// says that instructions and not data stand there. Returns it in ascending order of address.
  virtual std::vector<ReplacedInstruction> replace_instructions(
      std::uint8_t* code, std::uint64_t address, std::uint64_t size,
      const std::function<bool(std::uint64_t)>& is_code) const = 0;
  /// Does what a replaced instruction does, on a core that is `identity` and has come to `cycles`.
  virtual void emulate(const ReplacedInstruction& instruction, Engine& engine, std::uint64_t cycles,
                       CoreIdentity& identity) const = 0;

  // Conventions of programs. -------------------------------------------------------------------------------------

  /// Privileged instructions and those that demand an aligned address are told as one violation of protection, which
  /// Linux makes SIGSEGV without an address; else they are SIGILL and SIGBUS.
  virtual bool has_general_protection() const { return false; }
  /// Bytes of the instruction that makes a system call.
  virtual unsigned system_call_bytes() const = 0;
  virtual SystemCallRequest system_call(const Engine& engine) const = 0;
  /// A result, or a negative errno from -4095 to -1.
  virtual void return_from_system_call(Engine& engine, std::int64_t result) const = 0;
  /// What controls instructions (rounding, exceptions and their flags, direction) becomes what code finds that begins:
  /// a program, or a signal's handler.
  virtual void reset_control(Engine& engine) const { (void)engine; }
  /// A program begins at `entry`, with `stack` at the argument count. Returns the first program counter.
  virtual std::uint64_t enter_program(Engine& engine, const MemoryView& memory, std::uint64_t entry,
                                      std::uint64_t stack) const = 0;
  /// What a process may read: the bytes on the host, or nullptr.
  using ReadableMemory = std::function<const std::uint8_t*(std::uint64_t address, std::uint64_t size)>;
  /// Where the function begins that a program's pointer points to. nullopt if the pointer is none that can be followed.
  virtual std::optional<std::uint64_t> code_of(std::uint64_t function, const ReadableMemory& memory) const {
    (void)memory;
    return function;
  }
  /// The function that a program's pointer points to begins with up to kMostFunctionArguments arguments and a stack of
  /// its own, and returns to nowhere. The registers of the arguments that it has not are left. Returns the first
  /// program counter.
  static constexpr unsigned kMostFunctionArguments = 4;
  virtual std::uint64_t enter_function(Engine& engine, MemoryView& memory, std::uint64_t function, std::uint64_t stack,
                                       std::initializer_list<std::uint64_t> arguments) const = 0;
  /// Bytes of the trampolines that compilers make; 0 if they make none.
  virtual unsigned trampoline_bytes() const { return 0; }
  /// nullopt if these trampoline_bytes() are none.
  virtual std::optional<Trampoline> trampoline(const std::uint8_t* code) const {
    (void)code;
    return std::nullopt;
  }
  /// Leaves registers as the trampoline's code does.
  virtual void enter_by(const Trampoline& trampoline, Engine& engine) const { (void)trampoline, (void)engine; }
  /// What a thread's code takes for granted in registers, beside its stack: thread pointer, small data.
  using ThreadRegisters = std::array<std::uint64_t, 2>;
  virtual ThreadRegisters thread_registers(const Engine& engine) const = 0;
  virtual void set_thread_registers(Engine& engine, const ThreadRegisters& values) const = 0;
  /// What a program learns of its processor: AT_HWCAP and AT_PLATFORM of its auxiliary vector.
  virtual std::uint64_t hardware_capabilities() const = 0;
  virtual const char* platform() const = 0;
  /// Bytes of a data cache's line, as a program learns of it: what an instruction clears that clears a line.
  virtual unsigned data_line_bytes() const = 0;
  /// Where a function returns to that has just been entered.
  virtual std::uint64_t return_address(const Engine& engine, const MemoryView& memory) const = 0;
  virtual void set_return_address(Engine& engine, MemoryView& memory, std::uint64_t address) const = 0;
  /// So many bytes below the stack pointer are a function's own, though it has not moved the pointer.
  virtual unsigned red_zone_bytes() const = 0;
  /// The general purpose registers in DWARF's order, by whose call frames the callers of a function are found
  /// (.eh_frame); none where callers() finds all.
  virtual std::vector<Register> frame_registers() const { return {}; }
  /// Where the functions return to that have led to where the engine stands, the callers of the innermost first, as far
  /// as the stack tells: at most `most`. Without return_address().
  virtual std::vector<std::uint64_t> callers(const Engine& engine, const ReadableMemory& memory,
                                             unsigned most) const = 0;

 private:
  /// The decoder that knows the pipelines.
  virtual std::unique_ptr<BlockDecoder> make_pipeline_decoder(std::vector<CodeSpan> code) const = 0;

  const bool pipeline_;
};

}  // namespace toroid
