// SPDX-License-Identifier: Apache-2.0
//
// A torus FIFO device between a test, in the place of a core, and a router double that does what the test tells it.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <systemc>
#include <vector>

#include "nic/bgl/addresses.h"
#include "nic/bgl/torus_fifo.h"
#include "nic/bgl/torus_packet.h"
#include "testbench/shipped.h"

namespace toroid::test {

/// Keeps what the device gives it; sends packets and tokens when told.
class RouterDouble : public sc_core::sc_module, private LinkForward, private LinkBackward, private WheelUnit {
 public:
  LinkTargetSocket from_device;
  LinkInitiatorSocket to_device;

  RouterDouble(const sc_core::sc_module_name& name, TorusNetwork& network);

  struct Injected {
    Packet* packet;
    unsigned fifo;
    Cycle at;
  };
  struct Tokens {
    unsigned fifo;
    unsigned chunks;
    Cycle at;
  };
  std::vector<Injected> injected;
  std::vector<Tokens> tokens;

  /// The packet of injection FIFO `fifo` has left at `at`: says so at once, or only when the wheel comes to `say_at`.
  void take(unsigned fifo, Cycle at, Cycle say_at = 0);
  /// `packet` is complete in reception FIFO `fifo` at `at`.
  void deliver(Packet& packet, unsigned fifo, Cycle at);
  /// The same with a fresh packet of `chunks` whose byte i is `first + i`.
  void deliver_pattern(unsigned fifo, unsigned chunks, Cycle at, std::uint8_t first = 0);

 private:
  tlm::tlm_sync_enum nb_transport_fw(LinkPayload& payload, LinkPhase& phase, sc_core::sc_time& time) override;
  tlm::tlm_sync_enum nb_transport_bw(LinkPayload& payload, LinkPhase& phase, sc_core::sc_time& time) override;
  void on_event(std::uint32_t fifo, std::uint32_t cycles) override;
  void say_taken(unsigned fifo, Cycle at);

  TorusNetwork& network_;
  std::array<unsigned, 8> chunks_{};  ///< of the packet held of each injection FIFO
};

using Quad = std::array<std::uint8_t, 16>;

/// Makes the accesses of a core and keeps its local time.
class CoreDouble : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<CoreDouble, 32> bus;

  explicit CoreDouble(const sc_core::sc_module_name& name);

  /// Runs `body` in this core's thread, and the simulation until nothing is left to do. The simulation has begun.
  void run(std::function<void()> body);
  /// The same in two steps, for several cores at once: begin() each, sc_start(), then all must have ended().
  void begin(std::function<void()> body);
  bool ended() const { return !body_; }

  // For the body.
  sc_core::sc_time delay;  ///< how far the core is ahead
  std::string reason;      ///< of the latest error
  unsigned number = 0;     ///< of the core, which may change
  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, void* data, unsigned bytes);
  tlm::tlm_response_status write(std::uint64_t address, const Quad& quad);
  tlm::tlm_response_status read(std::uint64_t address, Quad& quad);
  /// Status of `group`, read through the window of `window`.
  Quad status(unsigned group, unsigned window);
  Quad status(unsigned group) { return status(group, group); }
  void synchronise();
  sc_core::sc_time now() const { return sc_core::sc_time_stamp() + delay; }

 private:
  void work();

  std::function<void()> body_;
  sc_core::sc_event start_;
};

std::uint64_t injection_address(unsigned group, unsigned fifo);
std::uint64_t reception_address(unsigned group, unsigned fifo);

/// A packet as a program lays it out: header of `fields`, then bytes i = 16, 17, ... each of value i.
std::vector<Quad> make_packet(const torus_fields_t& fields);
/// Fields of a dynamic packet with hints by hardware.
torus_fields_t fields_to(std::uint8_t x, std::uint8_t y, std::uint8_t z, unsigned chunks, unsigned group = 0);

/// One device of a 4x4x2 machine, at (1,2,1), between the two doubles.
struct FifoBench {
  static constexpr std::uint32_t kNode = 1 + 4 * 2 + 16 * 1;

  explicit FifoBench(const std::string& name);

  Wheel wheel;
  TorusNetwork network;
  NetworkClock clock;
  TorusFifoDevice device;
  RouterDouble router;
  CoreDouble core;

  /// Writes a packet; stops at the first error and returns it.
  tlm::tlm_response_status inject(unsigned group, unsigned fifo, const torus_fields_t& fields);
  std::uint32_t dcr(unsigned offset);
  void set_dcr(unsigned offset, std::uint32_t value);
};

}  // namespace toroid::test
