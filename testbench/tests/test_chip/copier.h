// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "hw/memory/byte_order.h"
#include "nic/common/change_log.h"
#include "nic/common/interrupt_line.h"
#include "nic/common/memory_port.h"
#include "nic/common/watched_device.h"
#include "testbench/tests/test_chip/copier_regs.h"
#include "torus/base/parameter.h"

namespace toroid::test_chip {

struct CopierConfig {
  std::uint64_t start_ns;  ///< from a doorbell, or the end of a descriptor, to the fetch of the next one

  void visit_parameters(ParameterVisitor& visitor) {
    visitor.count(start_ns, "copier.start_time", "ns", {0, 1'000'000}, "before a descriptor is fetched");
  }
};

/// The device of copier_regs.h. One descriptor at a time, a piece of its bytes at a time.
class Copier final : public sc_core::sc_module, public WatchedDevice, public InterruptLine, public MemoryClient {
 public:
  tlm_utils::simple_target_socket<Copier, 32> bus;

  Copier(const sc_core::sc_module_name& name, const CopierConfig& config, ByteOrder order);

  void connect_memory(MemoryPort& memory) { memory_ = &memory; }
  /// Is told what was wrong with a descriptor. The device then does nothing any more.
  void on_fault(std::function<void(const std::string&)> kill) { kill_ = std::move(kill); }
  std::uint32_t done() const { return count_; }
  std::uint32_t not_done() const { return rung_ - count_; }

  void memory_done(const MemoryAnswer& answer) override;

  // WatchedDevice.
  bool is_pure_read(std::uint64_t address) const override { return address - COPIER_BASE <= COPIER_INTERRUPT; }
  const sc_core::sc_event& changed() const override { return changes_.changed(); }
  sc_core::sc_time last_change() const override { return changes_.last(); }
  std::string name_of(std::uint64_t address) const override;

  // InterruptLine.
  std::uint32_t interrupts(unsigned core) override;
  bool may_interrupt(unsigned core) const override;
  bool enable(unsigned core, std::uint32_t groups) override;
  const std::vector<const WatchedDevice*>& sources() const override { return sources_; }

 private:
  static constexpr std::uint32_t kPiece = 1024;
  enum class Step : std::uint8_t { idle, fetch, read, write, complete };

  void b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay);
  void access_note(tlm::tlm_generic_payload& access);
  std::string refusal(const tlm::tlm_generic_payload& access) const;
  std::uint32_t read(std::uint32_t offset) const;
  void write(std::uint32_t offset, std::uint32_t value);

  /// Fetches the next descriptor, if the device is idle and there is one.
  void fetch();
  void copy_piece();
  void complete();
  void end_descriptor();
  void fail(const std::string& what);
  std::uint64_t field(std::uint32_t offset, unsigned bytes) const;

  const CopierConfig config_;
  const ByteOrder order_;
  MemoryPort* memory_ = nullptr;
  std::function<void(const std::string&)> kill_;
  ChangeLog changes_;
  const std::vector<const WatchedDevice*> sources_{this};

  std::uint64_t note_ = 0;
  std::uint32_t ring_ = 0;
  std::uint32_t slots_ = 0;
  std::uint32_t rung_ = 0;   ///< descriptors that software has written
  std::uint32_t count_ = 0;  ///< descriptors done
  bool pending_ = false;     ///< the interrupt line is up
  bool failed_ = false;
  std::map<unsigned, std::uint32_t> enabled_;  ///< groups by core

  Step step_ = Step::idle;
  std::array<std::uint8_t, COPIER_DESCRIPTOR_BYTES> descriptor_{};
  std::uint32_t copied_ = 0;
  std::array<std::uint8_t, kPiece> piece_{};
  std::array<std::uint8_t, 4> completion_{};
};

}  // namespace toroid::test_chip
