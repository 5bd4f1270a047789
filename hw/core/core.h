// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "hw/core/access_observer.h"
#include "hw/core/core_config.h"
#include "hw/core/core_counters.h"
#include "hw/core/core_debugger.h"
#include "hw/core/core_observer.h"
#include "hw/core/memory_path.h"
#include "hw/core/spin.h"
#include "hw/isa/block_table.h"
#include "hw/isa/engine.h"
#include "hw/memory/memory_view.h"
#include "hw/memory/memory_write_observer.h"
#include "hw/memory/watched_memory.h"
#include "nic/common/interrupt_line.h"
#include "nic/common/watched_device.h"

namespace toroid {

class Core;

enum class CoreState : std::uint8_t {
  idle,  ///< nothing to run
  running,
  waiting,   ///< in a call of its software, for a device or for another core; see Core::poll_device() and wait_for()
  parked,    ///< polls devices in a steady loop that only a device change ends; see Core::parked_pc()
  finished,  ///< its software called Core::finish()
  faulted,
  timed_out,  ///< reached the cycle given to Core::set_limit()
};
const char* name_of(CoreState state);

/// A fault, resolved to the instruction.
struct CoreFault {
  FaultKind kind = FaultKind::other_exception;
  std::uint64_t pc = 0;
  std::uint64_t address = 0;  ///< of the data or the fetch, where the kind has one
  std::string detail;         ///< what a device said
};

/// What runs on a core: the kernel with its process.
class Software {
 public:
  virtual ~Software() = default;
  /// Called at each start of a core: sets its view of memory and its registers, returns the first PC.
  virtual std::uint64_t start(Core& core) = 0;
  virtual BlockTable& blocks() = 0;
  virtual void on_system_call(Core& core) = 0;
  virtual void on_fault(Core& core, const CoreFault& fault) = 0;
  /// The program has jumped to an address that is no code. Returns where to go on, or nothing: it is a fault.
  virtual std::optional<std::uint64_t> on_jump_to_data(Core& core, std::uint64_t address) {
    (void)core, (void)address;
    return std::nullopt;
  }
  /// The core reached its cycle limit.
  virtual void on_timeout(Core& core) = 0;
  /// The interrupt line is up and the software accepts it; `pc` is where the core stands, at the start of a block. To
  /// go on elsewhere the software writes the program counter.
  virtual void on_interrupt(Core& core, std::uint64_t pc) { (void)core, (void)pc; }
};

/// A core that runs machine code, ahead of SystemC's time by at most a quantum.
///
/// Time. A basic block takes the time of its instructions (block_table.h) or that of its device accesses, whichever is
/// longer: instructions go on while accesses are under way. A store to a device takes its window's `write`. A load from
/// one is issued when fewer than `outstanding_reads` are in flight, otherwise it waits for the oldest; it returns its
/// window's `read_latency` cycles after its issue. Loads in flight are waited for where the basic block ends: the
/// stand-in, the same for all code, for the first use of what was loaded.
///
/// Cores of one node never act at the same instant: core n's cycles begin n picoseconds after core 0's. So what both do
/// to a device in one cycle has an order, which is that of their numbers, and SystemC's time is enough to keep it.
///
/// Accesses. Memory is reached directly, through a view that the software sets. A device access becomes one generic
/// payload of its instruction's size: 1, 2 or 4 bytes; 8 for lfd and stfd; 16 for lvx and stvx, which stand for the
/// quad loads and stores of the double FPU; bytes in address order. lmw and stmw access word by word. A response other
/// than TLM_OK_RESPONSE, or an address that is not a multiple of the size, is a fault.
///
/// Memory that bus masters write. A watched page is reached like a device, but misaligned accesses go in pieces. Other
/// memory is reached directly; what a master has written there leaves the core's cache model when the core next looks
/// at the world: where software, too, finds out that the data has come. That depends on no quantum.
class Core : public sc_core::sc_module, public MemoryWriteObserver, private EngineClient {
 public:
  SC_HAS_PROCESS(Core);

  tlm_utils::simple_initiator_socket<Core, 32> bus;

  /// `number` of the core on its node.
  Core(const sc_core::sc_module_name& name, const CoreConfig& config, NodeMemory& memory, unsigned number = 0);
  ~Core() override;

  // Before the simulation starts.

  /// Gives the core something to run from time 0 on. Without, it stays idle, and costs next to nothing.
  void run(Software& software) { software_ = &software; }
  /// Accesses to [base, base + size), page aligned, go to the bus. `device` tells which reads are pure; null: none.
  /// A window that is the `kernels` only the core's software may access, not what runs on the core.
  void add_device(std::uint64_t base, std::uint64_t size, const WatchedDevice* device, const DeviceCost& cost,
                  bool kernels = false);
  /// Pages of memory that devices write: the software registers them, by add_watched_page(); an access costs `cost`.
  void set_watched_memory(WatchedMemory& memory, const DeviceCost& cost) {
    watched_memory_ = &memory;
    watched_cost_ = cost;
  }
  /// What interrupts the core, once its software accepts it.
  void set_interrupt_line(InterruptLine& line) { interrupt_line_ = &line; }
  /// Tells `observer` of all that the core does to memory.
  void observe(AccessObserver& observer) { observer_ = &observer; }
  /// Tells `observer` of the core's blocks and waits.
  void observe(CoreObserver& observer) { core_observer_ = &observer; }
  /// Returns nullptr if there is no observer.
  CoreObserver* observer() const { return core_observer_; }
  /// Asks `debugger` before each instruction, which makes emulated code some five times slower.
  void debug(CoreDebugger& debugger) { debugger_ = &debugger; }
  /// The core stops at the first basic block that begins at or after this core cycle.
  void set_limit(CoreCycle limit) { limit_ = limit; }

  // For the software, from its callbacks.

  /// Made when it is first asked for. Throws std::runtime_error where the host has no room for it.
  Engine& engine();
  bool has_engine() const { return engine_ != nullptr; }
  NodeMemory& memory() { return memory_; }
  /// What the software that runs sees of the memory; the whole of it until set.
  const MemoryView& view() const { return view_; }
  void set_view(const MemoryView& view);
  /// The first device window that overlaps [begin, end), as text; empty where none does.
  std::string device_in(std::uint64_t begin, std::uint64_t end) const;
  /// nullptr if no device of the node writes memory.
  WatchedMemory* watched_memory() { return watched_memory_; }
  /// Accesses to the page at `address`, which the engine takes for a device's, go to the bus at `physical`.
  void add_watched_page(std::uint64_t address, std::uint64_t physical, const WatchedDevice& page);
  /// The core's own time, which is also what its time base shows; loads in flight have been waited for.
  CoreCycle now() const { return local_; }
  sc_core::sc_time time() const;
  void spend(CoreCycle cycles) { local_ += cycles; }
  /// Writes back and invalidates the whole first level of data, and takes the time of it.
  void flush_data_cache();
  /// From now on the interrupt line is looked at: at the first block that begins in each run of kInterruptCycles
  /// cycles, whatever the quantum. Or no longer.
  void accept_interrupts(bool accept);
  void count_system_call() { ++counters_.system_calls; }
  /// Lets SystemC's time come up to the core's.
  void synchronise();
  /// Other cores execute code on the same memory at the same time: from now on this one lets SystemC's time come up to
  /// its own at the first block that begins at or behind each multiple of `cycles`, whatever the quantum, and does not
  /// park, as what it polls may be memory. So the order in which the cores see each other's stores depends on neither.
  /// 0: no longer.
  void share_memory(CoreCycle cycles);
  // Device accesses of the software's own: they take the time that a program's take.
  void store_device(std::uint64_t address, const std::uint8_t* data, unsigned size);
  void load_device(std::uint64_t address, std::uint8_t* data, unsigned size);
  /// Waits for the loads in flight.
  void finish_loads();
  /// Loads a word of a watched device, one load after the other, until `enough` of it; sleeps while nothing changes.
  /// False where the core has stopped meanwhile, or reached its limit.
  bool poll_device(std::uint64_t address, const std::function<bool(std::uint32_t)>& enough);
  /// Sleeps until `enough`, which can become true only when `changed` is notified, or until the core's cycle `until`.
  /// False as above.
  bool wait_for(const sc_core::sc_event& changed, const std::function<bool()>& enough, CoreCycle until = kForever);
  /// Passes `cycles` without work; returns early, with the core stopping, at the limit.
  void sleep(CoreCycle cycles);
  /// From the software of another core of the node: this one, idle, starts to run `software` at `at`, the other core's
  /// time.
  void start(Software& software, const sc_core::sc_time& at);
  /// From a callback of its own: the core is idle again once that returns, and may be started anew.
  void halt();
  /// Ends the run once the callback returns. A fault or timeout stays what it is.
  void finish();
  /// From another core's callback: this one does nothing any more. How far it has run ahead depends on the quantum, so
  /// that counters() and cycles() are then those of its last look at the world: a pure device read or a mark().
  void stop();
  /// SystemC's time has come up to the core's, and would have with any quantum.
  void mark() { mark(watched_memory_ == nullptr ? sc_core::SC_ZERO_TIME : time()); }

  /// Where the core stands: the read that it is parked at, or the engine's program counter.
  std::uint64_t pc();

  // For a debugger, while the core stands.

  /// nullptr if there is none.
  CoreDebugger* debugger() const { return debugger_; }
  /// What the core has found out about loops holds no longer: it stands in one, or its state has been changed. Where it
  /// is parked it wakes up, which changes no result.
  void forget_loops();
  /// What a load from a device would give now, without a side effect and without taking time: the number of bytes,
  /// 0 where that cannot be told; `reason` then says why.
  unsigned peek_device(std::uint64_t address, std::uint8_t* data, unsigned size, std::string& reason);

  // Observers.

  const CoreConfig& config() const { return config_; }
  unsigned number() const { return number_; }
  CoreState state() const { return state_; }
  /// The PC at which the core polls; valid while parked.
  std::uint64_t parked_pc() const { return parked_pc_; }
  /// The device registers that it polls there, by name: each once.
  std::vector<std::string> polled() const;
  const CoreCounters& counters() const { return stopped_ ? look_.counters : counters_; }
  /// How far the core has come.
  CoreCycle cycles() const { return stopped_ ? look_.at : local_; }
  /// How often the core has parked. Of interest for speed only: depends on CoreConfig::park.
  std::uint64_t times_parked() const { return times_parked_; }
  /// Notified when the core has finished, faulted or timed out.
  const sc_core::sc_event& ended() const { return ended_; }

  /// A power of two: how late an interrupt may be seen, beside the length of a block.
  static constexpr CoreCycle kInterruptCycles = 64;

 private:
  struct Window {
    std::uint64_t base;
    std::uint64_t size;
    const WatchedDevice* device;
    DeviceCost cost;
    bool kernels;
    std::uint32_t physical;  ///< address of the base on the bus
    bool memory = false;     ///< a watched page
  };
  /// An access wider than the pieces in which the engine delivers it.
  struct WideAccess {
    std::uint64_t address = 0;
    unsigned size = 0;
    unsigned left = 0;  ///< bytes still to be delivered; 0: none under way
    bool store = false;
    std::array<std::uint8_t, 16> data{};
  };
  /// The instruction of the current block that makes an access.
  struct Located {
    bool found = false;
    bool vector = false;
    std::uint64_t pc = 0;
    std::uint64_t next = 0;     ///< the instruction behind it
    std::uint64_t address = 0;  ///< effective address
    unsigned size = 0;
  };

  void end_of_elaboration() override;
  void main();
  /// From a start to the next end.
  void run_once();

  /// This core's clock against SystemC's time.
  sc_core::sc_time begin_of(CoreCycle cycle) const;
  CoreCycle first_cycle_at(const sc_core::sc_time& time) const;

  void on_block(std::uint64_t address, std::uint32_t size) override;
  void on_system_call() override;
  std::uint64_t on_device_read(std::uint64_t address, unsigned size) override;
  void on_device_write(std::uint64_t address, unsigned size, std::uint64_t value) override;
  void on_instruction(std::uint64_t pc) override;
  void on_access(std::uint64_t address, unsigned size, bool store) override;

  /// True where a piece goes on with the access under way.
  bool continues(std::uint64_t address, bool store) const;
  /// Works out which access of the program a first piece belongs to. False where it is misaligned (a fault is raised).
  bool begin_access(std::uint64_t address, unsigned size, bool store);
  void read_device(std::uint64_t address, unsigned size, std::uint8_t* data);
  void write_device(std::uint64_t address, unsigned size, std::uint8_t* data);
  /// The transaction itself; moves local time on by what the device added. Returns that.
  CoreCycle transport(tlm::tlm_command command, std::uint64_t address, unsigned size, std::uint8_t* data);
  /// The same for a pure read: looks for a steady loop and parks in it.
  void transport_pure(const WatchedDevice& device, std::uint64_t address, unsigned size, std::uint8_t* data);
  /// The general purpose registers at a block's entry.
  GeneralRegisters gpr_at_entry() { return gpr_ ? gpr_ : find_registers(); }
  GeneralRegisters find_registers();
  /// Looks at the interrupt line where it is time to. True where the software was told.
  bool take_interrupt(std::uint64_t pc);
  /// Brings the core's time to the end of the block entered last.
  void end_block();

  const Window* window_at(std::uint64_t address) const;
  std::uint64_t bus_address(std::uint64_t address) const;
  /// The core has looked at the world, as it was at `seen`.
  void mark(const sc_core::sc_time& seen) {
    look_ = {counters_, local_};
    if (watched_memory_ != nullptr) see_foreign_writes(seen);
  }
  // foreign_writes.cpp
  void on_memory_write(std::uint32_t address, std::uint32_t bytes) override;
  void see_foreign_writes(const sc_core::sc_time& seen);
  /// Looks from instruction `from` to the end of the current block.
  Located locate(std::uint64_t from, std::uint64_t address, bool store) const;
  /// The effective address by the registers as they are.
  std::uint64_t address_now(const MemoryOperand& operand) const;
  void raise(FaultKind kind, std::uint64_t address, const std::string& detail);

  /// Whether something that could interrupt this core has changed later than `time`.
  bool interrupt_changed_since(const sc_core::sc_time& time) const;
  /// Sleeps until `changed` or the limit. False where the core has stopped meanwhile.
  bool wait_or_limit(const sc_core::sc_event& changed) { return wait_until(changed, limit_); }
  bool wait_until(const sc_core::sc_event& changed, CoreCycle end);
  /// No run goes as far.
  CoreCycle last_cycle() const;
  /// Where the core next lets SystemC's time come up to its own.
  CoreCycle next_synchronisation() const;
  void tell_state() {
    if (core_observer_ != nullptr) core_observer_->on_state(*this);
  }
  /// Sleeps until a device of the turn changes or the limit comes, then moves on by whole turns.
  void park(const SpinDetector::Head& head);

  const CoreConfig config_;
  NodeMemory& memory_;
  MemoryView view_;
  const unsigned number_;
  const sc_core::sc_time phase_;  ///< of this core's clock
  Software* software_ = nullptr;
  BlockTable* blocks_ = nullptr;
  std::unique_ptr<Engine> engine_;
  std::vector<Window> windows_;
  std::vector<Window> watched_pages_;  ///< by base
  WatchedMemory* watched_memory_ = nullptr;
  DeviceCost watched_cost_;
  /// What bus masters have written to memory and the core's cache model still holds, by time.
  struct ForeignWrite {
    sc_core::sc_time at;
    std::uint32_t address;  ///< physical
    std::uint32_t bytes;
  };
  std::vector<ForeignWrite> foreign_writes_;
  static constexpr std::size_t kMostForeignWrites = 4096;

  CoreCycle local_ = 0;              ///< how far the core has come; within a block, its device accesses
  CoreCycle instructions_done_ = 0;  ///< when the instructions of the current block are done, device accesses apart
  CoreCycle synchronise_at_ = 0;
  CoreCycle limit_ = kForever;
  CoreCycle shared_ = 0;          ///< see share_memory()
  const Block* block_ = nullptr;  ///< entered last
  std::uint64_t access_pc_ = 0;   ///< of the instruction whose device access is under way
  std::uint64_t cursor_ = 0;      ///< the block's instructions before this address have made their device accesses
  InterruptLine* interrupt_line_ = nullptr;
  bool accepts_interrupts_ = false;
  bool look_at_once_ = false;  ///< at the interrupt line
  CoreCycle entered_ = 0;      ///< when the block entered last began, while interrupts are accepted
  bool stopping_ = false;
  CoreState state_ = CoreState::idle;
  CoreCounters counters_;
  std::unique_ptr<MemoryPath> path_;  ///< made with the engine
  AccessObserver* observer_ = nullptr;
  CoreObserver* core_observer_ = nullptr;
  CoreDebugger* debugger_ = nullptr;
  std::uint64_t observed_pc_ = 0;
  bool told_here_ = false;      ///< the observer knows of the instruction\'s accesses
  GeneralRegisters gpr_;        ///< the engine's, where it gives them away
  RegisterSnapshot registers_;  ///< where it does not: as they were at the block's entry
  std::array<std::uint32_t, AddressPlan::kRegisters> narrow_{};  ///< the same, for 32-bit instruction sets
  std::optional<CoreFault> fault_;

  std::array<CoreCycle, kMaxOutstandingReads> returns_{};  ///< when each load slot is free again
  unsigned oldest_ = 0;                                    ///< slot used longest ago
  bool loads_in_flight_ = false;

  WideAccess wide_;

  SpinDetector spin_;
  CoreCycle replay_until_ = 0;  ///< pure reads before this cycle are answered from the turn that parked
  std::size_t replay_next_ = 0;
  // Of the loop the core is parked in; here because a core that is parked at the end never leaves park().
  std::vector<const WatchedDevice*> parked_devices_;
  sc_core::sc_event_or_list parked_changes_;
  std::uint64_t parked_pc_ = 0;
  const SpinDetector::Head* parked_head_ = nullptr;  ///< while parked
  std::uint64_t times_parked_ = 0;
  sc_core::sc_event woken_;  ///< by a debugger
  bool wake_ = false;
  /// Where a core was when it last looked at the world.
  struct Look {
    CoreCounters counters;
    CoreCycle at = 0;
  };
  Look look_;
  bool stopped_ = false;
  sc_core::sc_event ended_;
  bool has_thread_ = false;
  sc_core::sc_event started_;

  static constexpr CoreCycle kForever{~std::uint64_t{0}};
};

}  // namespace toroid
