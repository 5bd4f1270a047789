// SPDX-License-Identifier: Apache-2.0
#include "hw/machine/machine.h"

#include <algorithm>
#include <filesystem>

#include "hw/core/longest_run.h"
#include "hw/machine/diagnosis.h"
#include "hw/machine/parameters.h"
#include "hw/machine/rank_report.h"
#include "hw/machine/run_loop.h"
#include "torus/base/clock.h"
#include "torus/base/random.h"
#include "torus/base/wheel.h"

namespace toroid {

namespace {

using sc_core::sc_time;
using sc_core::sc_time_stamp;

sc_time limit_time(std::uint64_t ns) {
  return sc_time::from_value(ns * 1000);
}

/// How often gdb's Ctrl-C is looked for.
const sc_time kDebugSlice = sc_time::from_value(10'000'000);  // 10 us

/// Calls `call` for every core of the nodes on which processes run.
template <typename Call>
void for_each_core(const Hardware& hardware, const Call& call) {
  for (std::uint32_t number = 0; number < hardware.topology().nodes(); ++number) {
    Node* const node = hardware.node(number);
    for (unsigned core = 0; node != nullptr && core < node->cores(); ++core) call(node->core(core));
  }
}

KernelConfig kernel_of(const MachineModel& model, KernelConfig kernel) {
  model.set_up(kernel);
  return kernel;
}

BuildRequest build_request(const Topology& topology, const JobRequest& request, const std::vector<Place>& places) {
  BuildRequest build{topology, request.mode, {}, {}, request.kernel.seed, request.park, request.check_coherence};
  std::vector<bool> present(topology.nodes(), false);
  for (const Place& place : places) {
    build.node_of_rank.push_back(place.node);
    if (!present[place.node]) build.nodes.push_back(place.node);
    present[place.node] = true;
  }
  if (std::uint64_t random = request.elaboration_order; random != 0) shuffle(build.nodes, random);
  return build;
}

/// Without symbolic links, so that it can be opened without following any.
std::string whole_path(const std::string& path) {
  std::error_code error;
  return std::filesystem::weakly_canonical(path, error).string();
}

/// A process gets a signal some time: what waits at an exit for others, for example, sets an alarm.
bool a_timer_runs(const Job& job) {
  for (std::uint32_t rank = 0; rank < job.ranks(); ++rank) {
    const Process& process = job.process(rank);
    if (process.how_ended() == ProcessEnd::running && process.signals().timer_is_set()) return true;
  }
  return false;
}

}  // namespace

Machine::Machine(const MachineModel& model, const Topology& topology, const Mapping& mapping, const JobRequest& request,
                 OutputSink& output)
    : timeout_ns_(request.timeout_ns),
      output_(output),
      job_directory_(request.job_directory, 0, whole_path(request.program)) {
  const std::vector<Place> places = places_of_ranks(mapping, request.ranks);
  const CoreConfig& core = model.core();
  const KernelConfig kernel = kernel_of(model, request.kernel);
  const std::shared_ptr<Program> program =
      Program::read(request.program, core.isa, LineSize(core.memory.l1_line), model.name(), kernel.abi->signal_frame);
  hardware_ = model.build(build_request(topology, request, places), job_directory_, output);
  if (Wheel* const wheel = hardware_->wheel(); wheel != nullptr) wheel->shuffle(request.elaboration_order);
  if (timeout_ns_) {
    const auto limit = cycle_at<CoreCycle>(limit_time(*timeout_ns_), model.core().clock_mhz);
    for_each_core(*hardware_, [limit](Core& each) { each.set_limit(limit); });
  }
  job_ = std::make_unique<Job>(request, kernel, program, places, *hardware_);
  job_->on_end([this](const Process& process) { on_process_end(process); });
  // A core that computes may read its FIFOs later: what waits for it is back-pressure.
  // So does an I/O node that has a call.
  hardware_->on_stuck([this] {
    if (nothing_happens()) end(Ending::stuck);
  });
}

// The simulator ends behind this, and the host takes memory back at once. Destroying thousands of nodes would take
// longer than many a run: SystemC looks for every module in a list of all. A leak checker wants them destroyed.
Machine::~Machine() {
#ifndef __SANITIZE_ADDRESS__
  static_cast<void>(hardware_.release());
#endif
}

void Machine::observe(AccessObserver& observer) {
  for_each_core(*hardware_, [&observer](Core& core) { core.observe(observer); });
}

void Machine::debug(std::uint32_t rank, std::unique_ptr<TcpPort> port, const std::string& sources,
                    std::function<bool()> interrupted) {
  if (rank >= job_->ranks()) {
    throw ConfigurationError("there is no rank " + std::to_string(rank) + " for gdb; the ranks are 0 to " +
                             std::to_string(job_->ranks() - 1));
  }
  Process& process = job_->process(rank);
  Node& node = *hardware_->node(job_->node_of(rank));
  const std::string announced = "gdb: rank " + std::to_string(rank) +
                                " waits; in another terminal, in any directory:\n" +
                                gdb_command(port->number(), sources, job_->program_path());
  auto target =
      std::make_unique<RankTarget>(process, job_->cores_of(rank), node.dcr(), node.monitor(), job_->program_path());
  node.watch_packets(target->packet_breaks());
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

void Machine::on_process_end(const Process& process) {
  tell_debugger(process);
  if (process.how_ended() == ProcessEnd::killed) {
    end(Ending::fault);
  } else if (process.how_ended() == ProcessEnd::aborted) {
    end(Ending::aborted);
  } else if (job_->live() == 0) {
    end(Ending::completed);
  }
}

bool Machine::nothing_happens() const {
  return everyone_waits(*hardware_) && !hardware_->calls_under_way() && !a_timer_runs(*job_);
}

void Machine::run_to_end(const std::function<bool(const Machine&)>& keep_going) {
  const sc_time limit = limit_time(timeout_ns_.value_or(kLongestRunNs));
  const auto look = [this, &keep_going] {
    if (gdb_ != nullptr) gdb_->look();
    if (!ending_ && !keep_going(*this)) ending_ = Ending::interrupted;
  };
  RunLoop loop([this] { return ending_.has_value(); }, look, gdb_ == nullptr ? RunLoop::kSlice : kDebugSlice);
  while (!ending_) {
    const sc_time left = limit - sc_time_stamp();
    const sc_time slices = slices_to_activity(RunLoop::kSlice);
    // Where nothing can happen any more, that is found behind one slice.
    const sc_time span = slices >= left && nothing_happens() ? RunLoop::kSlice : slices;
    if (const auto failure = loop.advance(std::min(span, left))) {
      failure_ = *failure;
      ending_ = Ending::failed;
    }
    if (ending_) break;
    if (sc_time_stamp() >= limit) {
      ending_ = Ending::timeout;
    } else if (sc_core::sc_time_to_pending_activity() >= limit - sc_time_stamp() && nothing_happens()) {
      // Nothing is pending but what parked cores will do at the limit.
      ending_ = hardware_->in_flight() != 0 ? Ending::stuck : Ending::deadlock;
    }
  }
}

RunReport Machine::run(const std::function<bool(const Machine&)>& keep_going) {
  run_to_end(keep_going);
  if (gdb_ != nullptr) {
    const bool stands = *ending_ == Ending::deadlock || *ending_ == Ending::stuck || *ending_ == Ending::timeout;
    gdb_->on_run_end(stands ? waiting_ranks(*job_) : "the run has ended: " + name_of(*ending_), stands);
  }
  // If the simulator failed, nothing of the networks can be relied on.
  if (*ending_ != Ending::failed) hardware_->settle();
  job_->flush_output(output_);
  return report();
}

std::uint64_t Machine::simulated_ns() const {
  return sc_time_stamp().value() / 1000;
}

std::uint64_t Machine::instructions() const {
  std::uint64_t sum = 0;
  for_each_core(*hardware_, [&sum](const Core& core) { sum += core.counters().instructions; });
  return sum;
}

RunReport Machine::report() const {
  RunReport report;
  report.ending = *ending_;
  report.simulated_ns = simulated_ns();
  report.not_modelled = job_->cores_of(0).front()->config().not_modelled();
  for (std::uint32_t rank = 0; rank < job_->ranks(); ++rank) report.ranks.push_back(report_rank(*job_, rank));
  report.machine = hardware_->report(*job_, *ending_);
  report.error = error_line(report);
  if (*ending_ != Ending::completed && *ending_ != Ending::fault && *ending_ != Ending::failed) {
    if (const std::string text = stuck_text(*hardware_, *ending_); !text.empty()) report.stuck = text;
  }
  return report;
}

std::optional<std::string> Machine::error_line(const RunReport& report) const {
  switch (*ending_) {
    case Ending::completed:
      return report.machine.wrong;
    case Ending::aborted:
      return "a rank has ended the job";
    case Ending::failed:
      return "the simulator could not go on: " + failure_;
    case Ending::fault:
      return job_->first_fault() != nullptr ? job_->first_fault()->report() : network_fault_;
    case Ending::timeout:
      return "simulated time ran out after " + std::to_string(timeout_ns_.value_or(kLongestRunNs)) +
             " ns: " + waiting_ranks(*job_);
    case Ending::interrupted:
      return "interrupted: " + waiting_ranks(*job_);
    case Ending::deadlock:
      return "all processes wait and nothing can happen any more: " + waiting_ranks(*job_);
    case Ending::stuck:
      return hardware_->unmoved_text() + ": " + waiting_ranks(*job_);
  }
  return std::nullopt;
}

}  // namespace toroid
