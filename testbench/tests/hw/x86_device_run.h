// SPDX-License-Identifier: Apache-2.0
//
// A piece of x86-64 code on a core with two windows of a device: one that combines stores, one that does not.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "child_process.h"
#include "hw/core/core.h"
#include "hw/isa/x86_64/x86_64.h"
#include "testbench/shipped.h"

namespace toroid::x86_device {

constexpr std::uint64_t kCode = 0x10000, kData = 2 * kCode, kCombining = 0x2A'4000'0000, kUncached = 0x2A'4001'0000;
constexpr std::uint32_t kMemory = 1 << 20, kPage = 4096;
/// Where the device takes no stores, in both windows.
constexpr std::uint32_t kReadOnly = 0x800;

/// Holds the bytes of both windows, and notes each transaction: direction, offset, size.
class Log final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Log, 32> bus;
  explicit Log(const sc_core::sc_module_name& name) : sc_module(name), bus("bus") {
    bus.register_b_transport(this, &Log::b_transport);
  }
  std::string text;
  std::array<std::uint8_t, kPage> bytes{};
  std::vector<sc_core::sc_time> times;  ///< of the transactions

 private:
  void b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay) {
    char line[64];
    const std::uint64_t address = access.get_address();
    const bool combining = address < kUncached;
    const std::uint64_t offset = address - (combining ? kCombining : kUncached);
    const unsigned size = access.get_data_length();
    std::snprintf(line, sizeof line, "%s%s %llx %u; ", access.is_read() ? "read" : "write",
                  combining ? "" : " uncached", static_cast<unsigned long long>(offset), size);
    text += line;
    times.push_back(sc_core::sc_time_stamp() + delay);
    if (offset + size > bytes.size() || (access.is_write() && offset >= kReadOnly)) {
      access.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    std::uint8_t* const here = bytes.data() + offset;
    access.is_read() ? std::copy_n(here, size, access.get_data_ptr()) : std::copy_n(access.get_data_ptr(), size, here);
    access.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

/// Executes a piece of code, and ends at what is illegal. rsi is where stores combine, rdi where they do not; r15 and
/// rbx are a page of memory, and the stack is behind its middle.
class Code final : public Software {
 public:
  Code(const Isa& isa, NodeMemory& memory, const std::uint8_t* begin, const std::uint8_t* end, std::uint64_t rdi)
      : memory_(memory),
        rdi_(rdi),
        size_(static_cast<std::uint64_t>(end - begin)),
        blocks_(isa.make_decoder({{memory.host(kCode), kCode, size_}}), LineSize(64)) {
    std::copy(begin, end, memory.host(kCode));
  }
  std::uint64_t start(Core& core) override {
    Engine& engine = core.engine();
    engine.map_memory(kCode, kPage, memory_.host(kCode), kReadable | kExecutable, {});
    engine.map_memory(kData, kPage, memory_.host(kData), kReadable | kWritable, {});
    const Isa& isa = *core.config().isa;
    engine.write(isa.general_register(3), kData);         // rbx
    engine.write(isa.general_register(4), kData + 3072);  // rsp
    engine.write(isa.general_register(6), kCombining);    // rsi
    engine.write(isa.general_register(7), rdi_);
    engine.write(isa.general_register(15), kData);  // r15
    return kCode;
  }
  BlockTable& blocks() override { return blocks_; }
  void on_system_call(Core&) override {}
  void on_fault(Core&, const CoreFault& fault) override { fault_ = fault; }
  void on_timeout(Core&) override {}
  CoreFault fault_;

 private:
  NodeMemory& memory_;
  const std::uint64_t rdi_, size_;
  BlockTable blocks_;
};

inline x86_64::PipelineConfig pipeline() {
  return {3, 2, 3, 2, 30, 46, 17, 13, 24, 16, 4, 15, 10, 67, 0, 1};
}

/// What a test looks at afterwards.
struct Seen {
  Core& core;
  Log& log;
  const CoreFault& fault;
  const std::uint8_t* memory;  ///< the page
};

/// Runs the code with `bytes` at the beginning of the device and of the memory; `told` says what has become of it.
/// `combining`: stores combine where rdi is, too.
inline std::string run(const std::uint8_t* begin, const std::uint8_t* end,
                       const std::function<std::string(const Seen&)>& told, const std::vector<std::uint8_t>& bytes = {},
                       bool combining = false) {
  std::string died;
  std::string result = test::in_child(
      [&]() -> std::string {
        auto config = test::shipped<CoreConfig>();
        config.memory.modelled = false;
        config.isa = x86_64::make_isa(pipeline(), true);
        NodeMemory memory("memory", kMemory);
        Core core("core", config, memory);
        Log log("log");
        core.bus.bind(log.bus);
        core.add_device(kCombining, kPage, nullptr, {100, 5});
        core.add_device(kUncached, kPage, nullptr, {100, 5});
        core.combine_stores(kCombining, 4, 1);
        std::copy(bytes.begin(), bytes.end(), log.bytes.begin());
        std::copy(bytes.begin(), bytes.end(), memory.host(kData));
        Code code(*config.isa, memory, begin, end, combining ? kCombining : kUncached);
        core.run(code);
        sc_core::sc_start();
        return told({core, log, code.fault_, memory.host(kData)});
      },
      died);
  return died.empty() ? result : died;
}

/// The transactions of code that comes to its end.
inline std::string transactions(const std::uint8_t* begin, const std::uint8_t* end) {
  return run(begin, end, [](const Seen& seen) {
    return seen.fault.kind == FaultKind::illegal_instruction ? seen.log.text : "another fault: " + seen.fault.detail;
  });
}

// NOLINTBEGIN(hicpp-no-assembler)
#define X86_CODE(NAME, TEXT)                                                                            \
  __asm__(".pushsection .rodata\n.globl code_" #NAME "\ncode_" #NAME                                    \
          ":\n"                                                                                         \
          ".intel_syntax noprefix\n" TEXT "\nud2\n.att_syntax prefix\n.globl end_" #NAME "\nend_" #NAME \
          ":\n.popsection");                                                                            \
  extern "C" const std::uint8_t code_##NAME[], end_##NAME[];
// NOLINTEND(hicpp-no-assembler)

}  // namespace toroid::x86_device
