// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "hw/core/block_counting.h"
#include "hw/core/block_ledger.h"
#include "hw/core/core_config.h"
#include "hw/core/core_counters.h"
#include "hw/core/core_observer.h"
#include "hw/core/core_state.h"
#include "hw/core/device_access.h"
#include "hw/core/device_bus.h"
#include "hw/core/device_windows.h"
#include "hw/core/entry_registers.h"
#include "hw/core/foreign_writes.h"
#include "hw/core/instruction_observers.h"
#include "hw/core/interrupt_sampler.h"
#include "hw/core/issue_group.h"
#include "hw/core/local_time.h"
#include "hw/core/memory_path.h"
#include "hw/core/parking.h"
#include "hw/core/prefetch_control.h"
#include "hw/core/software.h"
#include "hw/core/wake_up_source.h"
#include "hw/core/write_combining.h"
#include "hw/core/write_policy.h"
#include "hw/isa/engine.h"
#include "hw/memory/memory_view.h"
#include "hw/memory/memory_write_observer.h"
#include "hw/memory/watched_memory.h"

namespace toroid {

/// A core that runs machine code, ahead of SystemC's time by at most a quantum.
///
/// Time: local_time.h. A store to a device takes its window's `write`; a load returns its window's `read_latency`
/// cycles after its issue.
///
/// Accesses. Memory is reached directly, through a view that the software sets. A device access becomes one generic
/// payload of its instruction's size, a power of two up to 16 bytes, with the bytes in address order. An instruction
/// that moves several registers is as many accesses as the engine makes of it. A response other than TLM_OK_RESPONSE,
/// or an address that is not a multiple of the size, is a fault.
///
/// Memory that bus masters write. A watched page is reached like a device, but misaligned accesses go in pieces. Other
/// memory is reached directly; what a master has written there leaves the core's cache model when the core next looks
/// at the world: where software, too, finds out that the data has come. That depends on no quantum.
class Core : public sc_core::sc_module,
             public MemoryWriteObserver,
             private EngineClient,
             private EmulatedAccess,
             private IssueShare::Client {
 public:
  SC_HAS_PROCESS(Core);

  tlm_utils::simple_initiator_socket<Core, 32> bus;

  /// `number` of the core on its node.
  Core(const sc_core::sc_module_name& name, const CoreConfig& config, NodeMemory& memory, unsigned number = 0);
  ~Core() override;

  // Before the simulation starts.

  /// Gives the core something to run from time 0 on. Without, it stays idle, and costs next to nothing.
  void run(Software& software) { software_ = &software; }
  /// Accesses to [base, base + size), page aligned, go to the bus: to the same addresses, or to those from `physical`
  /// on. `device` tells which reads are pure, by addresses on the bus; nullptr: none. A window that is the `kernels`
  /// only the core's software may access, not what runs on the core; so it is with a window beyond the addresses of the
  /// instruction set.
  void add_device(std::uint64_t base, std::uint64_t size, const WatchedDevice* device, const DeviceCost& cost,
                  bool kernels = false, std::optional<std::uint64_t> physical = std::nullopt) {
    windows_.add({base, size, device, cost, kernels, physical.value_or(base), false});
  }
  /// Stores to the window that begins at `base` wait in `buffers` write-combining buffers (write_combining.h); `seed`
  /// chooses in which order lines leave that may leave in any.
  void combine_stores(std::uint64_t base, unsigned buffers, std::uint64_t seed);
  /// Control registers, which instructions reach by their numbers: `count` words from `base` on. There, the bus has
  /// what no load reaches. `device` and `cost` as above.
  void add_control_registers(std::uint64_t base, std::uint32_t count, const WatchedDevice* device,
                             const DeviceCost& cost);
  /// Pages of memory that devices write: the software registers them, by add_watched_page(); an access costs `cost`.
  void set_watched_memory(WatchedMemory& memory, const DeviceCost& cost) {
    watched_memory_ = &memory;
    watched_cost_ = cost;
  }
  /// What bus masters write leaves the caches. The core listens from when it begins to run: others cost nothing.
  void set_memory_writes(MemoryWrites& writes) { writes_ = &writes; }
  /// What the streams of the core's prefetch buffer do from now on; nothing follows from it without caches.
  void set_prefetch(const PrefetchControl& control) {
    prefetch_ = control;
    if (path_) path_->set_prefetch(control);
  }
  /// Cores of the node that sleep while others write memory: with this one among them.
  void set_memory_readers(MemoryReaders& readers) {
    readers_ = &readers;
    parking_.set_readers(readers);
  }
  /// The core is a hardware thread of a processor, with the others of `group`, as CoreConfig::threads says.
  void set_issue_group(IssueGroup& group);
  /// What ends waits for events of the chip.
  void set_wake_up_source(WakeUpSource& source) { wake_ups_ = &source; }
  /// What interrupts the core, once its software accepts it.
  void set_interrupt_line(InterruptLine& line) { interrupts_.set_line(line); }
  /// Returns nullptr if there is none.
  InterruptLine* interrupt_line() const { return interrupts_.line(); }
  /// Tells `observer` of all that the core does to memory.
  void observe(AccessObserver& observer) { observers_.set(observer); }
  /// Tells `observer` of the core's blocks and waits.
  void observe(CoreObserver& observer) { run_.observer = &observer; }
  /// Returns nullptr if there is no observer.
  CoreObserver* observer() const { return run_.observer; }
  /// Asks `debugger` before each instruction, which makes emulated code some five times slower.
  void debug(CoreDebugger& debugger) { observers_.set(debugger); }
  /// The core stops at the first basic block that begins at or after this core cycle.
  void set_limit(CoreCycle limit) { time_.set_limit(limit); }

  // For the software, from its callbacks.

  /// Made when it is first asked for. Throws std::runtime_error if the host has no room for it.
  Engine& engine();
  bool has_engine() const { return engine_ != nullptr; }
  NodeMemory& memory() { return memory_; }
  /// What the software that runs sees of the memory; the whole of it until set.
  const MemoryView& view() const { return view_; }
  void set_view(const MemoryView& view);
  /// The first device window that overlaps [begin, end), as text; empty if none does.
  std::string device_in(std::uint64_t begin, std::uint64_t end) const { return windows_.text_of(begin, end); }
  /// nullptr if no device of the node writes memory.
  WatchedMemory* watched_memory() { return watched_memory_; }
  /// Accesses to the page at `address`, which the engine takes for a device's, go to the bus at `physical`.
  void add_watched_page(std::uint64_t address, std::uint64_t physical, const WatchedDevice& page);
  /// The core's own time, which is also what its time base shows; loads in flight have been waited for.
  CoreCycle now() const { return time_.now(); }
  sc_core::sc_time time() const { return time_.time(); }
  void spend(CoreCycle cycles) { time_.spend(cycles); }
  /// Writes back and invalidates the whole first level of data, and takes the time of it.
  void flush_data_cache();
  /// From now on the interrupt line is looked at (interrupt_sampler.h). Or no longer.
  void accept_interrupts(bool accept);
  bool accepts_interrupts() const { return interrupts_.accepts(); }
  /// SystemC's time has come up to the core's: an interrupt is up that it accepts.
  bool is_interrupted() { return interrupts_.accepts() && interrupts_.interrupted(); }
  /// The software is called (Software::on_call()) once, at the first block that begins at or behind `cycle`; kForever:
  /// no longer. What the software itself waits for on this core it must not let wait any longer.
  void call_at(CoreCycle cycle);
  CoreCycle called_at() const { return time_.called_at(); }
  void count_system_call() { ++counters_.system_calls; }
  /// Lets SystemC's time come up to the core's.
  void synchronise() {
    time_.synchronise();
    see_masters();
  }
  /// Other cores execute code on the same memory at the same time: from now on this one lets SystemC's time come up to
  /// its own at the points of `grid`, whatever the quantum. So the order in which the cores see each other's stores,
  /// and what devices write, does not depend on it. An empty grid: no longer. Where `polls_memory`, others write what
  /// it may poll now: it parks only if it has been given set_memory_readers(). Without coherent caches, a loop that
  /// polls memory flushes its lines, and parks nowhere because what its cache holds changes. Where `hidden`, they have
  /// no way to what is the process's own.
  void share_memory(TimeGrid grid, bool polls_memory, bool hidden = false);
  // Device accesses of the software's own: they take the time that a program's take.
  void store_device(std::uint64_t address, const std::uint8_t* data, unsigned size);
  void load_device(std::uint64_t address, std::uint8_t* data, unsigned size);
  /// Waits for the loads in flight.
  void finish_loads() { end_block(); }
  /// Loads a word of a watched device, one load after the other, until `enough` of it; sleeps while nothing changes.
  /// False if the core has stopped meanwhile, or reached its limit.
  bool poll_device(std::uint64_t address, const std::function<bool(std::uint32_t)>& enough);
  /// Sleeps until `enough`, which can become true only when `changed` is notified, or until the core's cycle `until`.
  /// False as above.
  bool wait_for(const sc_core::sc_event& changed, const std::function<bool()>& enough,
                CoreCycle until = LocalTime::kForever);
  /// The same, until an interrupt is up that the core accepts, too. An interrupt may be up where this returns.
  bool wait_for_or_interrupt(const sc_core::sc_event& changed, const std::function<bool()>& enough,
                             CoreCycle until = LocalTime::kForever);
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
  CoreDebugger* debugger() const { return observers_.debugger(); }
  /// What keeps the registers that the engine does not know; nullptr if there is none.
  InstructionEmulator* emulator() const { return emulator_.get(); }
  /// What the core has found out about loops holds no longer: it stands in one, or its state has been changed. Where it
  /// is parked it wakes up, which changes no result.
  void forget_loops();
  /// What a load from a device would give now, without a side effect and without taking time: the number of bytes,
  /// 0 if that is unknown; `reason` then says why.
  unsigned peek_device(std::uint64_t address, std::uint8_t* data, unsigned size, std::string& reason) {
    return device_bus_.peek(address, data, size, reason);
  }

  // Observers.

  const CoreConfig& config() const { return config_; }
  unsigned number() const { return number_; }
  /// The engine is on its way out of the program.
  bool is_stopping() const { return run_.stopping; }
  CoreState state() const { return run_.state; }
  /// The PC at which the core polls; valid while parked.
  std::uint64_t parked_pc() const { return parking_.pc(); }
  /// The device registers that it polls there, by name: each once.
  std::vector<std::string> polled() const;
  const CoreCounters& counters() const { return run_.stopped ? look_.counters : ledger_.counters; }
  /// How far the core has come.
  CoreCycle cycles() const { return run_.stopped ? look_.at : time_.now(); }
  /// How often the core has parked. Of interest for speed only: depends on CoreConfig::park.
  std::uint64_t times_parked() const { return parking_.times(); }
  /// Notified when the core has finished, faulted or timed out.
  const sc_core::sc_event& ended() const { return ended_; }

 private:
  void end_of_elaboration() override;
  void main();
  /// From a start to the next end.
  void run_once();
  std::optional<EngineFault> run_engine();
  /// The core has jumped to `pc`, where no code is. Where a debugger, which may have had it return there, lets it go on
  /// instead; nullopt: it is a fault.
  std::optional<std::uint64_t> sent_elsewhere(std::uint64_t pc);
  CoreFault resolved(const EngineFault& fault);
  /// Where the program's own handler of a fault begins; nullopt if it has none.
  std::optional<std::uint64_t> sent_to_handler(const EngineFault& fault);
  void end_run(bool told_by_engine);

  // EngineClient.
  std::uint64_t program() const override { return blocks_ == nullptr ? 0 : blocks_->number(); }
  const Block& block_at(std::uint64_t address, std::uint32_t size) override { return blocks_->find(address, size); }
  LedgerHead& ledger() override { return ledger_.head; }
  void count(const Block& block, BlockCode& code) override { count_block(block, config_, counting_, code); }
  void on_block(const Block& block) override;
  void on_system_call() override;
  void on_machine_instruction(std::uint64_t pc, const InstructionBytes& instruction) override;
  bool on_unknown_instruction(std::uint64_t pc, const InstructionBytes& instruction) override;
  std::uint64_t on_device_read(std::uint64_t address, unsigned size) override;
  void on_device_write(std::uint64_t address, unsigned size, std::uint64_t value) override;
  void on_instruction(std::uint64_t pc) override;
  void on_access(std::uint64_t address, unsigned size, bool store) override;

  // EmulatedAccess.
  bool load(std::uint64_t address, std::uint8_t* data, unsigned size) override;
  bool store(std::uint64_t address, const std::uint8_t* data, unsigned size) override;
  bool has_control_registers() const override { return control_.count != 0; }
  bool load_control(std::uint32_t number, std::uint32_t& value) override;
  bool store_control(std::uint32_t number, std::uint32_t value) override;
  void wait_for(Event event) override;
  void wait_for_reservation_loss();
  void wait_for_wake_up();
  /// The program's memory for such an access; nullptr if it is a fault.
  std::uint8_t* emulated_memory(std::uint64_t address, unsigned size, bool is_store);
  /// False if the access cannot be made: a fault is raised.
  bool check_emulated(std::uint64_t address, unsigned size, bool is_store, const DeviceWindows::Window* window);
  /// Where control register `number` is on the bus; nullopt if there is none: a fault is raised.
  std::optional<std::uint64_t> control_address(std::uint32_t number);

  void on_issue_change() override;
  /// The core does not compete with others of its processor from now on; or again.
  void stop_issuing() {
    if (issue_) issue_->fall_asleep(time());
  }
  void go_on_issuing() {
    if (issue_) issue_->wake_up(time());
  }

  void enter_block(const Block& block);
  /// The block's instructions are done, and its loads have come.
  void end_block();
  /// What waits in write-combining buffers leaves: all of it, if the core has executed a fence since; lines that are
  /// closed where a block ends.
  void drain_stores() {
    if (combining_ != nullptr) combining_->drain();
  }
  void pass_fences(std::uint64_t pc);
  void end_block_stores();
  bool holds_stores() const { return combining_ != nullptr && !combining_->empty(); }
  /// The same; what the block's code has told must be so. Throws std::logic_error.
  void check_block(const Block& block);
  /// Of what caches hold (MemoryPath::changes()); always the same without caches.
  std::uint64_t cache_changes() const { return path_ ? path_->changes() : 0; }
  /// Tells the code of blocks what memory it may read.
  void show_memory() { view_.show_memory(ledger_.memory, ledger_.memory_base, ledger_.memory_size); }
  /// No block is being executed.
  void leave_block();
  /// The code of blocks may count them where nothing asks for a callback in each.
  void let_code_count();
  /// The quantum is used up, or the time limit. True if the core stops.
  bool ends_quantum();
  /// Samples the interrupt line when that is due. True if an interrupt was delivered.
  bool take_interrupt(std::uint64_t pc);
  /// The core is about to enter a block, and gives the software the word; which has let it go on elsewhere: true.
  void stand_before_block();
  bool go_elsewhere();
  /// It is time to call the software. True if it goes on elsewhere, or stops.
  bool take_call(std::uint64_t pc);
  void tell_of_block(const Block& block);

  /// Works out the program's access that a first piece belongs to; false if it cannot be made: a fault is raised.
  bool begin_access(std::uint64_t address, unsigned size, bool store);
  /// In `window`; nullptr if that is none.
  void read_device(const DeviceWindows::Window* window, std::uint64_t address, unsigned size, std::uint8_t* data);
  void write_device(const DeviceWindows::Window* window, std::uint64_t address, unsigned size, std::uint8_t* data);
  /// One transaction; a refusal is a fault.
  DeviceBus::Answer transport(tlm::tlm_command command, std::uint64_t address, unsigned size, std::uint8_t* data);
  /// The same for a pure read, in which the core may park.
  void transport_pure(const WatchedDevice& device, std::uint64_t address, unsigned size, std::uint8_t* data);
  void raise(FaultKind kind, std::uint64_t address, const std::string& detail);
  /// Sleeps until `changed` or the core's cycle `end`. False if the core has stopped meanwhile.
  template <typename Events>
  bool wait_until(const Events& changed, CoreCycle end);

  void on_memory_write(std::uint64_t address, std::uint32_t bytes) override;
  /// The core has looked at the world, as it was at `seen`.
  void mark(const sc_core::sc_time& seen) {
    look_ = {counters_, time_.now()};
    if (watched_memory_ != nullptr) see_foreign_writes(seen);
  }
  void see_foreign_writes(const sc_core::sc_time& seen);
  /// What bus masters have written up to now is in memory, in whatever order SystemC runs those who act now.
  void see_masters() {
    if (time_.shared().is_used() && watched_memory_ != nullptr) watched_memory_->settle();
  }

  const CoreConfig config_;
  NodeMemory& memory_;
  MemoryView view_;
  const unsigned number_;
  const BlockCounting counting_ = block_counting();
  const WritePolicy write_policy_{config_.memory};
  BlockLedger ledger_;
  CoreCounters& counters_ = ledger_.counters;
  LocalTime time_;
  RunState run_{*this};

  Software* software_ = nullptr;
  BlockTable* blocks_ = nullptr;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<InstructionEmulator> emulator_;  ///< made with the engine; nullptr if the instruction set needs none
  std::unique_ptr<MemoryPath> path_;               ///< made with the engine; nullptr if caches are not modelled
  PrefetchControl prefetch_;
  EntryRegisters registers_;
  std::optional<CoreFault> fault_;

  struct ControlRegisters {
    std::uint64_t base = 0;
    std::uint32_t count = 0;  ///< 0: the core has none
  };
  ControlRegisters control_;
  DeviceWindows windows_;
  DeviceBus device_bus_;
  DeviceAccess access_;
  std::unique_ptr<WriteCombining> combining_;  ///< nullptr if no window is combining
  std::size_t fences_passed_ = 0;              ///< of the current block, as far as it has been looked at
  InterruptSampler interrupts_;
  Parking parking_;
  MemoryReaders* readers_ = nullptr;
  std::unique_ptr<ReservedGranule>
      reservation_;                    ///< made with the engine; nullptr if words are reserved by their value
  bool awaits_loss_ = false;           ///< of the reservation
  bool awaits_device_ = false;         ///< the block has made an access that is no poll
  WakeUpSource* wake_ups_ = nullptr;   ///< nullptr if the chip has no events
  std::unique_ptr<IssueShare> issue_;  ///< nullptr if the core shares with none
  WatchedMemory* watched_memory_ = nullptr;
  MemoryWrites* writes_ = nullptr;
  DeviceCost watched_cost_;
  ForeignWrites foreign_writes_;

  InstructionObservers observers_;

  /// Where a core was when it last looked at the world.
  struct Look {
    CoreCounters counters;
    CoreCycle at = 0;
  };
  Look look_;
  bool polls_memory_ = false;  ///< see share_memory()
  bool hidden_ = false;        ///< the same
  bool has_thread_ = false;
  sc_core::sc_event started_;
  sc_core::sc_event never_;
  sc_core::sc_event accepts_;          ///< interrupts from now on, while it waits
  sc_core::sc_event_or_list awaited_;  ///< of the wait under way that interrupts end
  sc_core::sc_event ended_;
};

}  // namespace toroid
