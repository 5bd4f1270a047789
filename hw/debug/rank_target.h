// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/core/core.h"
#include "hw/debug/debug_target.h"
#include "hw/debug/packet_breaks.h"
#include "hw/kernel/process.h"
#include "nic/common/device_monitor.h"

namespace toroid {

/// One rank as gdb sees it: its process's memory, and a thread for each of its cores that runs something.
class RankTarget final : public DebugTarget {
 public:
  /// `cores` are those that the process runs on or may start; `dcr` and `devices` may be nullptr; `program` is its
  /// path on the host.
  RankTarget(Process& process, std::vector<Core*> cores, DcrBus* dcr, const DeviceMonitor* devices,
             std::string program);

  /// Thread of `core`.
  unsigned thread_of(const Core& core) const;
  Core& core_of(unsigned thread) const { return *cores_.at(thread - 1); }
  const std::vector<Core*>& cores() const { return cores_; }

  PacketBreaks& packet_breaks() { return packet_breaks_; }

  const Isa& isa() const { return process_.program().isa(); }
  /// What the instruction that `core` is about to execute accesses.
  std::optional<UpcomingAccess> upcoming_access(Core& core, std::uint64_t pc) const {
    return process_.blocks().code().upcoming_access(pc, core.engine());
  }

  /// Where the thread stands that has stopped: before the instruction at `pc`, from where it can be sent elsewhere.
  void stand(unsigned thread, std::uint64_t pc) { standing_ = {thread, pc, true, false}; }
  /// A thread cannot go on from `pc`.
  void fault(unsigned thread, std::uint64_t pc) { standing_ = {thread, pc, true, true}; }
  /// It goes on; or stands wherever it happens to be.
  void release() { standing_ = {}; }

  const RegisterSet& registers() const override { return isa().registers(); }
  ByteOrder byte_order() const override { return isa().byte_order(); }
  unsigned word_bytes() const override { return isa().word_bytes(); }
  unsigned code_alignment() const override { return isa().code_alignment(); }
  std::vector<unsigned> threads() const override;
  std::string describe_thread(unsigned thread) const override;
  std::uint64_t read_register(unsigned thread, Register which) const override;
  bool write_register(unsigned thread, Register which, std::uint64_t value) override;
  std::optional<std::string> read_vector(unsigned thread, Register which) const override;
  bool write_vector(unsigned thread, Register which, std::string_view bytes) override;
  std::string read_memory(unsigned thread, std::uint64_t address, std::uint64_t size) override;
  bool write_memory(unsigned thread, std::uint64_t address, std::string_view bytes) override;
  std::string program() const override { return path_; }
  std::string monitor(unsigned thread, const std::string& command) override;
  std::string about_watch(std::uint64_t address, std::uint64_t size) const override;

 private:
  struct Standing {
    unsigned thread = 0;
    std::uint64_t pc = 0;
    bool known = false;
    bool faulted = false;
  };

  std::uint64_t pc_of(unsigned thread) const;

  // monitor.cpp
  std::string tell_where(unsigned thread) const;
  std::string tell_cores() const;
  std::string tell_dcr(const std::string& number) const;
  std::string tell_dcr_ranges() const;
  std::string tell_device(unsigned thread, const std::string& address) const;

  Process& process_;
  const std::vector<Core*> cores_;
  DcrBus* const dcr_;
  const DeviceMonitor* const devices_;
  const std::string path_;
  PacketBreaks packet_breaks_;
  Standing standing_;
};

}  // namespace toroid
