// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "hw/core/core_debugger.h"
#include "hw/debug/gdb_stub.h"
#include "hw/debug/rank_target.h"
#include "hw/debug/rsp_stream.h"
#include "hw/debug/tcp_port.h"

namespace toroid {

/// The shell's command by which gdb attaches to `program` at a port of this host, from any directory. `sources`:
/// where what the program is linked with has its sources; may be empty.
std::string gdb_command(std::uint16_t port, const std::string& sources, const std::string& program);

/// One gdb at one rank, from the first instruction on to the rank's end, or until gdb disconnects: then the run goes on
/// without it.
///
/// While the rank is stopped, the SystemC process of the core that has stopped does not return, so nothing of the
/// machine moves. Cores that wait for something in simulated time can be stopped from outside, between two slices of
/// it.
class GdbSession final : public CoreDebugger {
 public:
  /// `announced` is printed when the rank waits. `interrupted` tells that the user wants an end of the run, `kill` is
  /// called where gdb does. The cores are told of the debugger here.
  GdbSession(std::unique_ptr<TcpPort> port, std::unique_ptr<RankTarget> target, std::string announced,
             std::function<bool()> interrupted, std::function<void()> kill);

  // CoreDebugger.
  void on_instruction(Core& core, std::uint64_t pc) override;
  void on_fault(Core& core, const CoreFault& fault) override;
  void on_kill(Core& core, int signal) override;

  /// From outside of all SystemC processes: whether gdb wants something.
  void look();
  /// The rank has exited with `status`, or was killed by `signal`.
  void on_exit(int status);
  void on_killed(int signal);
  /// The run ends before the rank does, for `why`; where it can go no further, the rank can be looked at first.
  void on_run_end(const std::string& why, bool look_first);

 private:
  /// Whether the core is to stop before the instruction at `pc`, and why.
  std::optional<Stop> stop_at(const Core& core, std::uint64_t pc, unsigned thread);
  /// Remembers what the instruction at `pc` does to a watched place.
  void watch(Core& core, std::uint64_t pc, unsigned thread);
  /// Tells gdb's user of the packet at which the rank stops, if there has been one by then.
  void tell_packet(const sc_core::sc_time& by);
  /// Lets simulated time come up to the core's. False if the core runs no longer.
  bool come_up(Core& core);
  void begin();
  /// Talks to gdb until the rank goes on. `told`: gdb has asked for it, and waits for what stopped it.
  void talk(const Stop& stop, bool told = true);
  void answer(const std::string& packet, bool& standing);
  /// What has come while the rank runs; true if it is to stop.
  bool wants_stop();
  void send(const std::string& payload);
  void acknowledge(char sign);
  void finish(const std::string& last);

  std::unique_ptr<TcpPort> port_;
  std::unique_ptr<RankTarget> target_;
  const std::string announced_;
  const std::function<bool()> interrupted_;
  const std::function<void()> kill_;
  GdbStub stub_;
  RspStream stream_;
  std::string last_sent_;
  bool acknowledges_ = true;
  bool begun_ = false;
  bool live_ = true;         ///< gdb has not disconnected yet, and the rank has not ended
  bool fatal_told_ = false;  ///< gdb knows of the fault that ends the process
  std::uint32_t until_look_ = 0;
  std::map<unsigned, Stop> watched_;  ///< by thread: the instruction under way has touched a watched place
};

}  // namespace toroid
