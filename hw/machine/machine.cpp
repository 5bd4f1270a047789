// SPDX-License-Identifier: Apache-2.0
#include "hw/machine/machine.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>

#include "hw/core/longest_run.h"
#include "hw/machine/pending_report.h"
#include "torus/base/random.h"
#include "torus/torus/stuck_report.h"
#include "torus/tree/classes.h"
#include "torus/tree/stuck_report.h"

namespace toroid {

namespace {

using sc_core::sc_time;
using sc_core::sc_time_stamp;

sc_time limit_time(std::uint64_t ns) {
  return sc_time::from_value(ns * 1000);
}

constexpr unsigned kProgramVc = 0;  // of the tree; the other is the kernel's

constexpr std::uint64_t kTreeStream = 0x7472'6565;  // random choices of the tree's own

/// The time up to the end of the slice in which something is pending: nothing happens in those before it, however many
/// they are.
sc_time slices_to_activity(const sc_time& slice) {
  const std::uint64_t gap = sc_core::sc_time_to_pending_activity().value();
  const std::uint64_t slices = gap / slice.value();
  // Beyond what SystemC can count: as far as it goes.
  return slices >= sc_core::sc_max_time().value() / slice.value() - 1
             ? sc_core::sc_max_time()
             : sc_time::from_value((slices + 1) * slice.value());
}

const sc_time kDebugSlice = sc_time::from_value(10'000'000);  // 10 us: how often gdb's Ctrl-C is looked for
const sc_time kSlice = sc_time::from_value(1'000'000'000);    // 1 ms: how often a run may have come to its end

std::shared_ptr<const MachineFacts> facts_of(const Topology& topology, const TreeTopology& tree, const Mapping& mapping,
                                             std::uint32_t ranks, unsigned processes_per_node) {
  if (ranks < 1 || ranks > mapping.ranks()) {
    throw ConfigurationError("ranks is " + std::to_string(ranks) + "; this machine has places for 1 to " +
                             std::to_string(mapping.ranks()));
  }
  auto facts = std::make_shared<MachineFacts>();
  facts->dimensions = topology.dimensions();
  facts->processes_per_node = processes_per_node;
  for (unsigned d = 0; d < facts->dimensions; ++d) {
    facts->shape[d] = topology.extent(d);
    facts->torus[d] = topology.torus(d);
  }
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const Place place = mapping.place(rank);
    facts->ranks.push_back({topology.coordinates(place.node), static_cast<std::uint8_t>(place.processor),
                            tree.io_node_of(place.node) - tree.compute_nodes()});
  }
  return facts;
}

/// Throws ConfigurationError where a process's share makes no cache.
BglChipConfig chip_of_mode(BglChipConfig chip, unsigned processes_per_node) {
  chip.core.memory.l3_bytes /= processes_per_node;  // docs/decisions/0007
  try {
    chip.core.memory.validate();
  } catch (const std::invalid_argument& error) {
    throw ConfigurationError("in virtual node mode each process has half of L3: " + std::string(error.what()));
  }
  return chip;
}

std::vector<unsigned> numbers(const Coordinates& coordinates, unsigned dimensions) {
  return {coordinates.begin(), coordinates.begin() + dimensions};
}

std::string direction_name(Direction direction) {
  static const char* const names = "XYZUV";
  return std::string(1, names[direction / 2]) + (direction % 2 == 0 ? "+" : "-");
}

}  // namespace

std::string name_of(Ending ending) {
  switch (ending) {
    case Ending::completed:
      return "completed";
    case Ending::timeout:
      return "timeout";
    case Ending::interrupted:
      return "interrupted";
    case Ending::deadlock:
      return "deadlock";
    case Ending::stuck:
      return "stuck";
    case Ending::aborted:
      return "aborted";
    case Ending::failed:
      return "failed";
    case Ending::fault:
      break;
  }
  return "fault";
}

Machine::Machine(const MachineConfig& config, const Topology& topology, const Mapping& mapping,
                 const JobRequest& request, std::uint64_t seed, OutputSink& output)
    : config_(config),
      kernel_(request.kernel),
      facts_(facts_of(topology, TreeTopology(topology, config.tree.nodes_per_io_node), mapping, request.ranks,
                      request.processes_per_node)),
      program_(Program::read(request.program, config.chip.core)),
      timeout_ns_(request.timeout_ns),
      output_(output),
      job_directory_(request.job_directory),
      network_(wheel_, config.torus, topology, seed),
      tree_(wheel_, config.tree, topology, mix(seed, kTreeStream)),
      global_interrupts_(wheel_, config.global_interrupts, tree_.topology()),
      clock_("network_clock", wheel_, config.torus.clock_mhz) {
  kernel_.stack_size = config.stack_bytes;
  kernel_.cost_system_call = config.system_call_cycles;
  kernel_.cost_interrupt = config.interrupt_cycles;
  kernel_.epoch = config.epoch;
  chips_.resize(topology.nodes());
  const BglChipConfig chip_config = chip_of_mode(config.chip, request.processes_per_node);
  for (std::uint32_t rank = 0; rank < request.ranks; ++rank) {
    const Place place = mapping.place(rank);
    std::unique_ptr<BglChip>& chip = chips_[place.node];
    if (chip == nullptr) {
      const std::string name = "node" + std::to_string(place.node);
      chip =
          std::make_unique<BglChip>(name.c_str(), chip_config, network_, tree_, global_interrupts_, place.node, clock_);
      for (unsigned number = 0; timeout_ns_ && number < BglChip::kCores; ++number)
        chip->core(number).set_limit(cycle_at(limit_time(*timeout_ns_), config.chip.core.clock_mhz));
    }
    cores_.push_back(&chip->core(place.processor));
    nodes_.push_back(place.node);
    processes_.push_back(std::make_unique<Process>(program_, facts_, kernel_, rank, chip->io(), chip.get()));
    processes_.back()->on_end([this](Process& process) { on_process_end(process); });
    if (request.processes_per_node == 1) processes_.back()->set_second_core(chip->core(1));
    cores_.back()->run(*processes_.back());
  }
  dead_ends_.resize(topology.nodes());
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
    if (chips_[node] == nullptr) dead_ends_[node] = std::make_unique<DeadEnd>(network_, node, clock_);
  }
  set_tree_classes();
  global_interrupts_.start();
  add_io_nodes();
  live_processes_ = processes_.size();
  program_path_ = request.program;
  // A core that computes may read its FIFOs later: what waits for it is back-pressure.
  // So does an I/O node that has a call.
  const auto on_stuck = [this] {
    if (everyone_waits() && !calls_under_way()) end(Ending::stuck);
  };
  network_.progress().set_on_stuck(on_stuck);
  tree_.progress().set_on_stuck(on_stuck);
}

/// What the kernels of a partition agree on at its start: the classes that user software may use, with all nodes of the
/// job as members.
void Machine::set_tree_classes() {
  std::vector<bool> members(tree_.topology().nodes(), false);
  for (const std::uint32_t node : nodes_) members[node] = true;
  tree_.set_class(TOROID_TREE_CLASS_REDUCTION, tree_reduction_class(tree_.topology(), members));
  tree_.set_class(TOROID_TREE_CLASS_BROADCAST, tree_broadcast_class(tree_.topology(), members));
}

/// An I/O node for every processing set that has ranks, and the classes by which the kernels reach it.
void Machine::add_io_nodes() {
  const TreeTopology& topology = tree_.topology();
  std::vector<bool> members(topology.nodes(), false);
  for (const std::uint32_t node : nodes_) members[node] = members[topology.io_node_of(node)] = true;
  for (std::uint32_t node = topology.compute_nodes(); node < topology.nodes(); ++node) {
    if (members[node])
      io_nodes_.push_back(std::make_unique<IoNode>(tree_, node, config_.io_node, job_directory_, output_));
  }
  tree_.set_class(kIoRequestClass, tree_to_io_class(topology, members));
  tree_.set_class(kIoReplyClass, tree_from_io_class(topology, members));
}

Machine::~Machine() = default;

void Machine::observe(AccessObserver& observer) {
  for (const auto& chip : chips_) {
    for (unsigned number = 0; chip != nullptr && number < BglChip::kCores; ++number)
      chip->core(number).observe(observer);
  }
}

void Machine::debug(std::uint32_t rank, std::unique_ptr<TcpPort> port, const std::string& sources,
                    std::function<bool()> interrupted) {
  if (rank >= processes_.size()) {
    throw ConfigurationError("there is no rank " + std::to_string(rank) + " for gdb; the ranks are 0 to " +
                             std::to_string(processes_.size() - 1));
  }
  Process& process = *processes_[rank];
  std::vector<Core*> cores{&core_of(rank)};
  if (process.second_core() != nullptr) cores.push_back(process.second_core());
  const std::string announced = "gdb: rank " + std::to_string(rank) +
                                " waits; in another terminal, in any directory:\n" +
                                gdb_command(port->number(), sources, program_path_);
  auto target = std::make_unique<RankTarget>(process, std::move(cores), *chips_[nodes_[rank]], program_path_);
  chips_[nodes_[rank]]->watch_packets(target->packet_breaks());
  gdb_ = std::make_unique<GdbSession>(std::move(port), std::move(target), announced, std::move(interrupted),
                                      [this] { end(Ending::interrupted); });
  debugged_ = &process;
}

void Machine::tell_debugger(const Process& process) {
  if (&process != debugged_ || process.how_ended() == ProcessEnd::timed_out) return;
  constexpr int kSignalled = 128;  // added to the signal that a process was killed by
  if (process.how_ended() == ProcessEnd::killed) {
    gdb_->on_killed(process.exit_status() - kSignalled);
  } else {
    gdb_->on_exit(process.exit_status());
  }
}

void Machine::end(Ending ending) {
  if (ending_) return;
  ending_ = ending;
  sc_core::sc_stop();
}

void Machine::fail(const std::string& what) {
  if (ending_) return;
  network_fault_ = what;
  end(Ending::fault);
}

void Machine::on_process_end(Process& process) {
  tell_debugger(process);
  if (process.how_ended() == ProcessEnd::timed_out) return;
  --live_processes_;
  if (process.how_ended() == ProcessEnd::killed) {
    if (first_fault_ == nullptr) first_fault_ = &process;
    end(Ending::fault);
  } else if (process.how_ended() == ProcessEnd::aborted) {
    end(Ending::aborted);
  } else if (live_processes_ == 0) {
    end(Ending::completed);
  }
}

bool Machine::everyone_waits() const {
  const auto waits = [](const Core& core) {
    return core.state() == CoreState::parked || core.state() == CoreState::waiting ||
           core.state() == CoreState::finished || core.state() == CoreState::idle;
  };
  return std::all_of(chips_.begin(), chips_.end(), [&waits](const auto& chip) {
    return chip == nullptr || (waits(chip->core(0)) && waits(chip->core(1)));
  });
}

/// Some core waits for an answer that will come: its request or its answer moves, or the I/O node works at it.
bool Machine::calls_under_way() const {
  const bool at_work =
      std::any_of(io_nodes_.begin(), io_nodes_.end(), [](const auto& io_node) { return io_node->busy(); });
  return at_work || (tree_.in_flight() != 0 && !tree_.progress().stuck());
}

std::string Machine::whereabouts(std::uint32_t rank) const {
  const Process& process = *processes_[rank];
  const auto where = [&process](Core& core) -> std::string {
    if (!core.has_engine()) return "has not begun";
    if (const char* call = process.awaited_call(core)) {
      return "waits for the I/O node's answer to " + std::string(call) + ", called at " +
             process.describe(core.engine().read(Register::pc) - 4);
    }
    const bool parked = core.state() == CoreState::parked;
    const std::uint32_t pc = parked ? core.parked_pc() : core.engine().read(Register::pc);
    std::string at = (parked ? "polls at " : "runs at ") + process.describe(pc);
    if (const std::string callers = process.functions_to(core); !callers.empty()) at += ", called by " + callers;
    return at;
  };
  std::string text = process.who() + ": " + where(core_of(rank));
  if (const std::string activity = process.activity(); !activity.empty()) text += ", in " + activity;
  Core* second = process.second_core();
  if (second != nullptr && second->state() != CoreState::idle && second->state() != CoreState::finished)
    text += "; core " + std::to_string(second->number()) + " " + where(*second);
  return text;
}

/// The first rank that has not ended, and how many more there are.
std::string Machine::waiting_ranks() const {
  std::string text;
  std::size_t more = 0;
  for (std::uint32_t rank = 0; rank < processes_.size(); ++rank) {
    const ProcessEnd how = processes_[rank]->how_ended();
    if (how != ProcessEnd::running && how != ProcessEnd::timed_out) continue;
    if (text.empty()) {
      text = whereabouts(rank);
    } else {
      ++more;
    }
  }
  return text + (more == 0 ? "" : ", and " + std::to_string(more) + " more");
}

void Machine::run_systemc(sc_time span) {
  try {
    sc_core::sc_start(span, sc_core::SC_RUN_TO_TIME);
  } catch (const sc_core::sc_report& report) {  // SystemC makes one of every exception that leaves a process
    failure_ = report.get_msg();
    ending_ = Ending::failed;
  }
}

/// Simulated time between two looks at the outside: what the host needs some hundredths of a second for. A machine that
/// only polls does a millisecond in less, a thousand busy cores take minutes.
class Machine::Pace {
 public:
  sc_time span() const { return span_; }

  void took(std::chrono::steady_clock::duration host) {
    if (host < std::chrono::milliseconds(20)) {
      span_ = std::min(span_ + span_, kSlice);
    } else if (host > std::chrono::milliseconds(80)) {
      span_ = std::max(span_ / 2, kShortest);
    }
  }

 private:
  inline static const sc_time kShortest = sc_time::from_value(1'000'000);  // 1 us
  sc_time span_ = kShortest;
};

// The outside and a debugger are looked at more often, which must not move the times at which a run can end by itself.
void Machine::advance(sc_time span, Pace& pace, const std::function<void()>& look) {
  const sc_time end = sc_time_stamp() + span;
  while (!ending_ && sc_time_stamp() < end) {
    const sc_time slice = gdb_ == nullptr ? pace.span() : std::min(pace.span(), kDebugSlice);
    const auto begun = std::chrono::steady_clock::now();
    run_systemc(std::min(slices_to_activity(slice), end - sc_time_stamp()));
    pace.took(std::chrono::steady_clock::now() - begun);
    if (gdb_ != nullptr && !ending_) gdb_->look();
    if (!ending_) look();
  }
}

RunReport Machine::run(const std::function<bool(const Machine&)>& keep_going) {
  const sc_time limit = limit_time(timeout_ns_.value_or(kLongestRunNs));
  const auto look = [this, &keep_going] {
    if (!keep_going(*this)) ending_ = Ending::interrupted;
  };
  Pace pace;
  while (!ending_) {
    const sc_time left = limit - sc_time_stamp();
    const sc_time slices = slices_to_activity(kSlice);
    // Where nothing can happen any more, that is found behind one slice.
    advance(std::min(slices >= left && everyone_waits() && !calls_under_way() ? kSlice : slices, left), pace, look);
    if (ending_) break;
    if (sc_time_stamp() >= limit) {
      ending_ = Ending::timeout;
    } else if (sc_core::sc_time_to_pending_activity() >= limit - sc_time_stamp() && everyone_waits() &&
               !calls_under_way()) {
      // Nothing is pending but what parked cores will do at the limit.
      ending_ = network_.in_flight() + tree_.in_flight() != 0 ? Ending::stuck : Ending::deadlock;
    }
  }
  if (gdb_ != nullptr) {
    const bool stands = *ending_ == Ending::deadlock || *ending_ == Ending::stuck || *ending_ == Ending::timeout;
    gdb_->on_run_end(stands ? waiting_ranks() : "the run has ended: " + name_of(*ending_), stands);
  }
  // Where the simulator failed, nothing of the networks can be relied on.
  if (*ending_ != Ending::failed) {
    clock_.sync_to(sc_time_stamp());
    for (const auto& io_node : io_nodes_) io_node->drain();
  }
  flush_output();
  return report();
}

void Machine::flush_output() {
  for (std::uint32_t rank = 0; rank < processes_.size(); ++rank) {
    const std::uint32_t address = tree_.topology().io_node_of(nodes_[rank]);
    const auto io_node = std::find_if(io_nodes_.begin(), io_nodes_.end(),
                                      [address](const auto& candidate) { return candidate->node() == address; });
    processes_[rank]->flush_output((*io_node)->passed_on(rank), output_);
  }
}

std::uint64_t Machine::simulated_ns() const {
  return sc_time_stamp().value() / 1000;
}

std::uint64_t Machine::instructions() const {
  std::uint64_t sum = 0;
  for (const auto& chip : chips_) {
    for (unsigned number = 0; chip != nullptr && number < BglChip::kCores; ++number)
      sum += chip->core(number).counters().instructions;
  }
  return sum;
}

RunReport Machine::report() const {
  RunReport report;
  report.ending = *ending_;
  report.simulated_ns = simulated_ns();
  for (std::uint32_t rank = 0; rank < processes_.size(); ++rank) report.ranks.push_back(report_rank(rank));
  if (config_.chip.check_coherence) report.coherence = report_coherence();
  report.network = report_network();
  report.tree = report_tree();
  report.error = error_line(report);
  for (const auto& io_node : io_nodes_) {
    IoNodeReport& node = report.io_nodes.emplace_back();
    node.tree_address = io_node->node();
    node.traffic = io_node->traffic();
    node.longest_queue = io_node->longest_queue();
    node.busy_ns = time_of(io_node->busy_cycles(), config_.torus.clock_mhz).value() / 1000;
    for (const std::uint32_t at : nodes_) node.ranks += tree_.topology().io_node_of(at) == io_node->node() ? 1 : 0;
  }
  if (*ending_ != Ending::completed && *ending_ != Ending::fault && *ending_ != Ending::failed) {
    if (const std::string text = stuck_text(); !text.empty()) report.stuck = text;
  }
  return report;
}

std::string Machine::stuck_text() const {
  std::string text;
  // Where time ran out the torus may be busy as ever; the tree holds few packets and says at once who is missing.
  if (*ending_ == Ending::stuck && network_.in_flight() != 0) text += stuck_report(network_).text();
  if (tree_.in_flight() != 0) text += tree_stuck_text(tree_);
  text += barriers_text();
  return text + pending_text(!text.empty());
}

std::string Machine::pending_text(bool explained) const {
  std::vector<PendingWork> work;
  std::vector<PolledRegister> polled;
  const Topology& topology = network_.topology();
  for (std::uint32_t node = 0; node < chips_.size(); ++node) {
    const std::string name = "node " + coordinates_text(topology.coordinates(node), topology.dimensions());
    const BglChip* const chip = chips_[node].get();
    const PendingWorkSource& source =
        chip != nullptr ? static_cast<const PendingWorkSource&>(*chip) : *dead_ends_[node];
    for (PendingWork& each : source.pending_work(name)) work.push_back(std::move(each));
    for (unsigned number = 0; chip != nullptr && number < BglChip::kCores; ++number) {
      for (std::string& what : chip->core(number).polled())
        polled.push_back({std::move(what), "core " + std::to_string(number) + " of " + name});
    }
  }
  const bool complete = *ending_ == Ending::deadlock || *ending_ == Ending::stuck;
  return pending_report(std::move(work), polled, {sc_time_stamp(), complete, explained});
}

/// Of each channel that some nodes have fired and some have not, those who have not.
std::string Machine::barriers_text() const {
  constexpr unsigned kMostNodes = 8;
  std::string text;
  for (unsigned channel = 0; channel < GlobalInterruptDevice::kChannels; ++channel) {
    std::vector<std::uint32_t> missing;
    unsigned fired = 0;
    for (std::uint32_t node = 0; node < chips_.size(); ++node) {
      if (chips_[node] == nullptr) continue;
      if (chips_[node]->global_interrupts().fired(channel)) {
        ++fired;
      } else {
        missing.push_back(node);
      }
    }
    if (fired == 0 || missing.empty()) continue;
    text += "  global interrupt channel " + std::to_string(channel) + ": " + std::to_string(fired) +
            (fired == 1 ? " node waits" : " nodes wait") + "; not raised by node";
    for (std::size_t i = 0; i < missing.size() && i < kMostNodes; ++i) {
      text += (i == 0 ? " " : ", ") + std::to_string(missing[i]);
    }
    if (missing.size() > kMostNodes) text += " and " + std::to_string(missing.size() - kMostNodes) + " more";
    text += "\n";
  }
  return text;
}

std::optional<std::string> Machine::error_line(const RunReport& report) const {
  switch (*ending_) {
    case Ending::completed:
      if (report.coherence && !report.coherence->empty())
        return std::to_string(report.coherence->size()) + " coherence errors: " + report.coherence->front();
      if (!report.tree.left_over.empty()) {
        return "packets were left in the tree, which nobody took: " + report.tree.left_over_texts.front() +
               (report.tree.left_over.size() > 1 ? ", and more" : "");
      }
      break;
    case Ending::aborted:
      return "a rank has ended the job";
    case Ending::failed:
      return "the simulator could not go on: " + failure_;
    case Ending::fault:
      return first_fault_ != nullptr ? first_fault_->report() : network_fault_;
    case Ending::timeout:
      return "simulated time ran out after " + std::to_string(timeout_ns_.value_or(kLongestRunNs)) +
             " ns: " + waiting_ranks();
    case Ending::interrupted:
      return "interrupted: " + waiting_ranks();
    case Ending::deadlock:
      return "all processes wait and nothing can happen any more: " + waiting_ranks();
    case Ending::stuck:
      if (network_.in_flight() == 0) {
        return std::to_string(tree_.in_flight()) + " packets in the tree have not moved since network cycle " +
               std::to_string(tree_.progress().last_move()) + ": " + waiting_ranks();
      }
      return std::to_string(network_.in_flight()) + " packets in the network have not moved since network cycle " +
             std::to_string(network_.progress().last_move()) + ": " + waiting_ranks();
  }
  return std::nullopt;
}

RankReport Machine::report_rank(std::uint32_t index) const {
  const Process& process = *processes_[index];
  const ProcessPlace& place = facts_->ranks[index];
  RankReport rank;
  rank.rank = index;
  rank.coordinates = numbers(place.coordinates, facts_->dimensions);
  rank.coordinates.push_back(place.t);
  switch (process.how_ended()) {
    case ProcessEnd::exited:
    case ProcessEnd::aborted:
      rank.status = process.exit_status();
      break;
    case ProcessEnd::killed:
      rank.fault = process.report();
      break;
    case ProcessEnd::running:
    case ProcessEnd::timed_out:
      rank.waiting = whereabouts(index);
      break;
  }
  const Core& core = core_of(index);
  rank.instructions = core.counters().instructions;
  rank.cycles = core.cycles();
  if (const Core* second = process.second_core(); second != nullptr && second->cycles() != 0)
    rank.second_core = SecondCoreReport{second->counters().instructions, second->cycles()};
  rank.io = process.io_traffic();
  for (const auto& [name, value] : MemoryCounters::kAll) rank.memory[name] = core.counters().memory.*value;
  const std::string unknown = "unknown ";
  for (const auto& [name, count] : process.system_calls()) {
    if (name.compare(0, unknown.size(), unknown) == 0) {
      rank.unknown_system_calls[name.substr(unknown.size())] = count;
    } else {
      rank.system_calls[name] = count;
    }
  }
  return rank;
}

std::vector<std::string> Machine::report_coherence() const {
  constexpr std::size_t kMostLines = 20;
  using Kind = CoherenceChecker::Kind;
  std::vector<std::string> lines;
  std::size_t more = 0;
  for (std::uint32_t rank = 0; rank < processes_.size(); ++rank) {
    const Process& process = *processes_[rank];
    if (process.second_core() == nullptr) continue;
    for (const CoherenceChecker::Finding& finding : chips_[nodes_[rank]]->coherence()->findings()) {
      if (lines.size() == kMostLines) {
        ++more;
        continue;
      }
      const bool reads = finding.kind == Kind::unflushed_read || finding.kind == Kind::stale_read;
      const std::string own = "core " + std::to_string(finding.core);
      const std::string other = "core " + std::to_string(1 - finding.core);
      char address[16];
      char line[16];
      std::snprintf(address, sizeof address, "0x%08x", finding.address);
      std::snprintf(line, sizeof line, "0x%08x", finding.address & ~(CoherenceChecker::kLineBytes - 1));
      std::string text = process.who() + ": " + own + (reads ? " reads " : " writes ") + address + " at " +
                         process.describe(finding.pc) + ", line " + line + ": " + other + " wrote ";
      text += (reads ? "it" : "to the line") + std::string(" at ") + process.describe(finding.other_pc);
      text += finding.kind == Kind::stale_read || finding.kind == Kind::stale_write
                  ? ", and " + own + " may still hold a copy from before"
                  : ", and has not flushed that";
      if (finding.count > 1) text += " (" + std::to_string(finding.count) + " times)";
      lines.push_back(text);
    }
  }
  if (more != 0) lines.push_back("and " + std::to_string(more) + " more pairs of instructions");
  return lines;
}

TreeReport Machine::report_tree() const {
  TreeReport report;
  for (const auto& chip : chips_) {
    if (chip == nullptr) continue;
    const TreeFifoCounters& counters = chip->tree().counters();
    report.packets_injected += counters.packets_injected[0];
    report.packets_delivered += counters.packets_received[0];
    report.io_packets += counters.packets_injected[kIoVc];
  }
  for (const auto& io_node : io_nodes_) report.io_packets += io_node->traffic().reply_packets;
  // Once all have ended; before, packets are under way.
  if (*ending_ == Ending::completed) {
    for (const auto& chip : chips_) {
      if (chip == nullptr) continue;
      for (const TreeLeftOver& left : chip->tree().left_over(kProgramVc)) report.left_over.push_back(left);
    }
    for (const TreeLeftOver& left : tree_left_over(tree_, kProgramVc)) report.left_over.push_back(left);
    for (const TreeLeftOver& left : report.left_over)
      report.left_over_texts.push_back(tree_left_over_text(tree_.topology(), left));
  }
  report.packet_hops = tree_.hops();
  report.links = tree_.links();
  return report;
}

NetworkReport Machine::report_network() const {
  NetworkReport report;
  report.packets_injected = network_.injected();
  report.packets_delivered = network_.received();
  report.packet_hops = network_.hops();
  const Topology& topology = network_.topology();
  const double cycles = static_cast<double>(std::max<Cycle>(1, cycle_begun(sc_time_stamp(), config_.torus.clock_mhz)));
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
    for (unsigned direction = 0; direction < topology.directions(); ++direction) {
      const LinkCounters counters = network_.link(node, static_cast<Direction>(direction));
      report.retransmissions += counters.retransmissions;
      if (counters.packets == 0) continue;
      LinkReport link;
      link.node = numbers(topology.coordinates(node), topology.dimensions());
      link.direction = direction_name(static_cast<Direction>(direction));
      link.packets = counters.packets;
      link.bytes = counters.bytes;
      link.retransmissions = counters.retransmissions;
      link.busy_fraction = static_cast<double>(counters.busy_cycles) / cycles;
      report.links.push_back(std::move(link));
    }
  }
  return report;
}

}  // namespace toroid
