// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>

#include <cstdint>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "nic/collective/tree_dcr.h"
#include "nic/common/pending_work.h"
#include "nic/common/register_bank.h"
#include "nic/common/watched_device.h"
#include "torus/tree/left_over.h"

namespace toroid {

/// Where a machine has the device: the first address of its FIFO windows, and the number of its first device control
/// register.
struct TreeAddresses {
  std::uint64_t windows;
  std::uint32_t dcrs;
};

/// The tree FIFOs of one node: what its cores see of the tree (tree_regs.h).
///
/// Time is kept as in TorusFifoDevice: an access takes effect at its own time, and the device waits the initiator's
/// offset out only where the answer can depend on the network.
///
/// Errors, each with a FaultReason and its bit in the exception registers:
///   not a quad (payload) or a word (else), or misaligned   TLM_BURST_ERROR_RESPONSE
///   wrong direction                                         TLM_COMMAND_ERROR_RESPONSE
///   no register there                                       TLM_ADDRESS_ERROR_RESPONSE
///   full, empty, or an opcode that does not exist           TLM_GENERIC_ERROR_RESPONSE
class TreeFifoDevice : public sc_core::sc_module,
                       public WatchedDevice,
                       public PendingWorkSource,
                       private TreeLocalPort {
 public:
  /// Physical addresses; as many bindings as the bus has windows.
  tlm_utils::multi_passthrough_target_socket<TreeFifoDevice, 32> bus_in;

  /// The device of node `node`; attaches to its router.
  TreeFifoDevice(const sc_core::sc_module_name& name, const TreeAddresses& addresses, TreeNetwork& network,
                 std::uint32_t node, NetworkClock& clock);

  // WatchedDevice.
  bool is_pure_read(std::uint64_t address) const override { return windows().is_pure(address - addresses_.windows); }
  const sc_core::sc_event& changed() const override { return node_.changes.changed(); }
  sc_core::sc_time last_change() const override { return node_.changes.last(); }
  std::string name_of(std::uint64_t address) const override;

  std::vector<PendingWork> pending_work(const std::string& node) const override;
  /// Tells `watch` of packets from now on.
  /// Virtual channel 0 is the program's, the other is the kernel's.
  void watch_packets(PacketWatch& watch) {
    node_.watch = &watch;
    node_.watched_as = watch.add_network({"tree", {"VC0"}, {"VC0"}, 1});
  }

  /// Whether it is a number of the block, which begins at TreeAddresses::dcrs.
  bool is_dcr(unsigned number) const {
    constexpr unsigned kBlock = 0x60;  // as far as the registers of link capture
    return number >= addresses_.dcrs && number - addresses_.dcrs < kBlock;
  }
  /// mfdcr and mtdcr. Return false where there is no such register (or it
  /// cannot be written); `reason` then says so.
  bool read_dcr(unsigned number, std::uint32_t& value, sc_core::sc_time& delay, std::string& reason);
  bool write_dcr(unsigned number, std::uint32_t value, sc_core::sc_time& delay, std::string& reason);
  /// For debuggers: the value as of now, nullopt where there is no such register.
  std::optional<std::uint32_t> peek_dcr(unsigned number);

  /// A header in the reception FIFO of `vc` asks for an interrupt, now.
  bool interrupt_requested(unsigned vc) const { return reception_[vc].interrupt_requested(sc_core::sc_time_stamp()); }
  const TreeFifoCounters& counters() const { return node_.counters; }
  /// Packets of `vc` that were written in part or not read. By class.
  std::vector<TreeLeftOver> left_over(unsigned vc) const;

 private:
  using Windows = DeviceRegisterBank<TreeFifoDevice>;
  friend Windows;

  static const Windows& windows();
  bool write_payload(unsigned vc, RegisterTransfer& transfer) { return injection_[vc].write_payload(transfer); }
  bool write_header(unsigned vc, RegisterTransfer& transfer) { return injection_[vc].write_header(transfer); }
  bool read_payload(unsigned vc, RegisterTransfer& transfer) { return reception_[vc].read_payload(transfer); }
  bool read_header(unsigned vc, RegisterTransfer& transfer) { return reception_[vc].read_header(transfer); }
  std::uint32_t status(unsigned vc) const;
  std::uint32_t status_other(unsigned vc) const { return status(1 - vc); }
  /// For a read of a status word.
  void synchronise(sc_core::sc_time& delay);
  bool refuse_dcr(const char* what, unsigned number, std::string& reason);

  void b_transport(int binding, tlm::tlm_generic_payload& access, sc_core::sc_time& delay);
  unsigned transport_dbg(int binding, tlm::tlm_generic_payload& access);

  void packet_received(TreePacket& packet, unsigned vc, Cycle at) override { reception_[vc].received(packet, at); }
  void injection_taken(unsigned vc, Cycle at) override { injection_[vc].taken(at); }

  const TreeAddresses addresses_;
  TreeFifoNode node_;
  TreeDcr::Injections injection_;
  TreeDcr::Receptions reception_;
  TreeDcr dcr_;
};

}  // namespace toroid
