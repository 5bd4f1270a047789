// SPDX-License-Identifier: Apache-2.0
#include "nic/collective/tree_fifo.h"

#include "nic/common/bus_master.h"
#include "nic/common/debug_read.h"
#include "nic/common/fault_reason.h"

namespace toroid {

const TreeFifoDevice::Windows& TreeFifoDevice::windows() {
  using namespace tree_windows;
  using Register = Windows::Register;
  using Tree = TreeFifoDevice;
  static const Windows registers(
      kBlock, {"the tree FIFO windows", "a tree register", "VC", "the status tells what the FIFOs hold"},
      {
          Register(kPayloadInjection, "tree injection payload FIFO").transfers(&Tree::write_payload),
          Register(kHeaderInjection, "tree injection header FIFO").transfers(&Tree::write_header),
          Register(kPayloadReception, "tree reception payload FIFO").transfers(&Tree::read_payload),
          Register(kHeaderReception, "tree reception header FIFO").transfers(&Tree::read_header),
          Register(kStatus, "tree status word").reads(&Tree::status),
          Register(kStatusOther, "tree status word").reads(&Tree::status_other),
      });
  return registers;
}

TreeFifoDevice::TreeFifoDevice(const sc_core::sc_module_name& name, const TreeAddresses& addresses,
                               TreeNetwork& network, std::uint32_t node, NetworkClock& clock)
    : sc_module(name),
      bus_in("bus_in"),
      addresses_(addresses),
      node_{network, clock, node},
      injection_{TreeInjection(node_, 0), TreeInjection(node_, 1)},
      reception_{TreeReception(node_, 0), TreeReception(node_, 1)},
      dcr_(node_, injection_, reception_) {
  bus_in.register_b_transport(this, &TreeFifoDevice::b_transport);
  bus_in.register_transport_dbg(this, &TreeFifoDevice::transport_dbg);
  network.attach(node, *this);
}

void TreeFifoDevice::b_transport(int, tlm::tlm_generic_payload& access, sc_core::sc_time& delay) {
  std::string reason;
  const auto* master = access.get_extension<BusMaster>();
  node_.core = master == nullptr ? 0 : master->core;
  const tlm::tlm_response_status response = windows().serve(*this, nullptr, access, delay, reason, addresses_.windows);
  if (respond(access, response, reason)) return;
  ++node_.counters.errors;
  if (response != tlm::TLM_GENERIC_ERROR_RESPONSE)
    node_.dcr(tree_dcr::kReceptionException) |= tree_dcr::reception_exception::kAddress.at(1);
}

unsigned TreeFifoDevice::transport_dbg(int, tlm::tlm_generic_payload& access) {
  node_.clock.sync_to(sc_core::sc_time_stamp());
  return debug_read<4>(access, [this](std::uint64_t address, std::uint8_t* word, std::string& reason) {
    return windows().peek(*this, nullptr, address - addresses_.windows, word, reason);
  });
}

void TreeFifoDevice::synchronise(sc_core::sc_time& delay) {
  node_.synchronise(delay);
  ++node_.counters.status_reads;
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  // From now on this core may be parked: what others have done already at times to come has not been announced to it.
  const bool first = (node_.readers & 1u << node_.core) == 0;
  node_.readers |= 1u << node_.core;
  for (unsigned vc = 0; vc < TREE_VCS; ++vc) {
    for (TreeQueue* queue : {static_cast<TreeQueue*>(&injection_[vc]), static_cast<TreeQueue*>(&reception_[vc])}) {
      queue->settle(now);
      if (first) queue->each_change([this](sc_core::sc_time at) { node_.changes.add(at); });
    }
  }
}

std::uint32_t TreeFifoDevice::status(unsigned vc) const {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  return injection_[vc].status(now) | reception_[vc].status(now);
}

std::string TreeFifoDevice::name_of(std::uint64_t address) const {
  if (const auto vc = windows().index_of(address - addresses_.windows, tree_windows::kStatus))
    return "the status of tree VC" + std::to_string(*vc);
  if (const auto vc = windows().index_of(address - addresses_.windows, tree_windows::kStatusOther))
    return "the status of tree VC" + std::to_string(1 - *vc);
  return {};
}

bool TreeFifoDevice::read_dcr(unsigned number, std::uint32_t& value, sc_core::sc_time& delay, std::string& reason) {
  node_.synchronise(delay);
  const std::optional<std::uint32_t> peeked = peek_dcr(number);
  value = peeked.value_or(value);
  return peeked.has_value() || refuse_dcr("read", number, reason);
}

bool TreeFifoDevice::write_dcr(unsigned number, std::uint32_t value, sc_core::sc_time& delay, std::string& reason) {
  node_.synchronise(delay);
  return dcr_.write(number - addresses_.dcrs, value) || refuse_dcr("write", number, reason);
}

bool TreeFifoDevice::refuse_dcr(const char* what, unsigned number, std::string& reason) {
  ++node_.counters.errors;
  reason =
      what + (" of " + dcr_text(number)) +
      (TreeDcr::bank().exists(number - addresses_.dcrs) ? ", which can only be read" : ", of which the tree has none");
  return false;
}

std::optional<std::uint32_t> TreeFifoDevice::peek_dcr(unsigned number) {
  node_.clock.sync_to(sc_core::sc_time_stamp());
  return dcr_.read(number - addresses_.dcrs);
}

std::vector<TreeLeftOver> TreeFifoDevice::left_over(unsigned vc) const {
  std::vector<TreeLeftOver> left;
  const auto note = [&](TreeLeftOver::Where where, unsigned route_class, std::uint64_t packets) {
    if (packets != 0) left.push_back({where, node_.number, route_class, packets});
  };
  for (unsigned route_class = 0; route_class < TREE_CLASSES; ++route_class) {
    note(TreeLeftOver::Where::injection, route_class, injection_[vc].unsent(route_class));
    note(TreeLeftOver::Where::reception, route_class, reception_[vc].unread(route_class));
  }
  return left;
}

std::vector<PendingWork> TreeFifoDevice::pending_work(const std::string& node) const {
  std::vector<PendingWork> work;
  for (unsigned vc = 0; vc < TREE_VCS; ++vc) {
    injection_[vc].pending_work(node, work);
    reception_[vc].pending_work(node, work);
  }
  return work;
}

}  // namespace toroid
