// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "hw/core/core_config.h"
#include "hw/io/io_call.h"
#include "hw/io/io_service.h"
#include "hw/io/tree/io_packet.h"
#include "torus/base/parameter.h"
#include "torus/tree/network.h"

namespace toroid {

/// What the daemon of an I/O node takes. Values and sources: the section io of hw/machines/*.yaml.
struct IoServiceConfig {
  std::uint64_t service_ns;  ///< of a call
  double byte_ns;            ///< of data written or read, beyond that

  void visit_parameters(ParameterVisitor& visitor);
};

/// What an I/O node takes for its work, in cycles of the network clock: what its daemon takes, and what a core of the
/// machine takes for the FIFOs.
struct IoNodeConfig {
  Cycle receive_cycles;    ///< of a packet: status, header, 16 quads
  Cycle send_cycles;       ///< of a packet
  Cycle service_cycles;    ///< of a call, from when the daemon takes it up to when it has been performed
  double cycles_per_byte;  ///< of data written or read, beyond that
};

/// For I/O nodes made of the chip of the compute nodes: their cores take for a packet what a compute node's take, which
/// pay `access` for FIFO registers.
IoNodeConfig io_node_config(const IoServiceConfig& service, const CoreConfig& core, const DeviceCost& access,
                            unsigned network_mhz);

/// An I/O node: a port to the tree, which one core serves, and a daemon on the other that performs one call after the
/// other.
///
/// The port's core reads packets out of the reception FIFO as they come and puts requests together in memory; when none
/// waits it writes the packets of the answer at hand, as far as the injection FIFO has room. Packets that it has not
/// read fill the FIFO, and then the tree behind it: that is the back-pressure that senders feel. The daemon takes up
/// requests in the order in which they were complete, and the next one when the answer has gone out.
///
/// Runs on the network's wheel: what it does to the host's files has the order of simulated time.
class IoNode final : public TreeLocalPort, private WheelUnit {
 public:
  /// The I/O node at `node` of the tree; attaches to its router.
  IoNode(TreeNetwork& tree, std::uint32_t node, const IoNodeConfig& config, JobDirectory& directory,
         OutputSink& output);

  /// At the end of a run: performs what has come to the node in whole, and passes on the output of which a part has.
  /// Nothing is answered. The network has come up to the end.
  void drain();

  std::uint32_t node() const { return node_; }
  /// Bytes of a process's standard output and error that have been passed on.
  std::uint64_t passed_on(std::uint32_t rank) const { return service_.passed_on(rank); }
  /// A call is on its way through the node.
  bool busy() const { return reading_ != nullptr || !arrivals_.empty() || !requests_.empty() || serving_; }
  const IoTraffic& traffic() const { return traffic_; }
  /// Cycles in which the daemon had a call.
  Cycle busy_cycles() const { return busy_cycles_; }
  /// Most requests that waited behind the one served.
  std::size_t longest_queue() const { return longest_queue_; }

  void packet_received(TreePacket& packet, unsigned vc, Cycle at) override;
  void injection_taken(unsigned vc, Cycle at) override;

 private:
  enum Event : std::uint32_t { kLook, kPortDone, kRoom, kPerform, kAnswer };

  struct Arrival {
    TreePacket* packet;
    Cycle at;
  };
  struct Request {
    std::uint32_t from;  ///< node
    std::vector<std::uint8_t> message;
  };

  void on_event(std::uint32_t what, std::uint32_t arg) override;
  void use_port();
  void finish_reading();
  void take_up();
  void perform();
  Cycle transfer_cycles(std::size_t bytes) const;
  void release(TreePacket& packet) { tree_.pool().release(packet); }

  TreeNetwork& tree_;
  const std::uint32_t node_;
  const IoNodeConfig config_;
  IoService service_;

  // The port.
  std::deque<Arrival> arrivals_;   ///< in the reception FIFO
  TreePacket* reading_ = nullptr;  ///< being read
  bool port_busy_ = false;
  unsigned room_;                                    ///< packets that the injection FIFO takes
  std::map<std::uint32_t, IoAssembler> assemblers_;  ///< by sender
  std::vector<std::uint8_t> answer_;                 ///< being sent
  std::size_t next_packet_ = 0;                      ///< of it
  bool sending_ = false;

  // The daemon.
  std::deque<Request> requests_;
  bool serving_ = false;              ///< from taking a request up to its answer's last packet
  std::optional<Request> under_way_;  ///< taken up, not performed
  std::uint32_t asker_ = 0;           ///< node that the answer goes to
  std::uint32_t answers_ = 0;         ///< so far: numbers messages
  Cycle taken_up_ = 0;

  IoTraffic traffic_;
  Cycle busy_cycles_ = 0;
  std::size_t longest_queue_ = 0;
};

}  // namespace toroid
