// SPDX-License-Identifier: Apache-2.0
//
// How fast emulated code runs: busy cores side by side, cores that only poll, and floating point (floats.c). One JSON
// line a figure; host seconds are those of the process's CPU time. One benchmark a process, because SystemC elaborates
// once. Cores are those of Blue Gene/L, or of the test chip of the instruction set that is named.
//
//   toroid-bench-core busy [CORES] [MILLISECONDS of simulated time]
//   toroid-bench-core busy-x86_64|busy-ppc64 [CORES] [MILLISECONDS of simulated time]
//   toroid-bench-core poll [CORES] [MILLISECONDS of simulated time]
//   toroid-bench-core fadd|fadds|fmul|fdiv|fmadd|fmadds|lfd|stfd|daxpy|dgefa [CORES] [MILLISECONDS of simulated time]
#include <sys/resource.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hw/core/core.h"
#include "hw/io/direct_io.h"
#include "hw/isa/ppc32/ppc32.h"
#include "hw/isa/ppc64/ppc64.h"
#include "hw/isa/x86_64/x86_64.h"
#include "hw/kernel/abi/linux_ppc32/linux_ppc32.h"
#include "hw/kernel/abi/linux_ppc64/linux_ppc64.h"
#include "hw/kernel/abi/linux_x86_64/linux_x86_64.h"
#include "hw/kernel/process.h"
#include "testbench/shipped.h"

namespace toroid {
namespace {

/// A device whose status never changes.
class SilentDevice : public sc_core::sc_module, public WatchedDevice {
 public:
  tlm_utils::simple_target_socket<SilentDevice, 32> bus;

  explicit SilentDevice(const sc_core::sc_module_name& name) : sc_module(name), bus("bus") {
    bus.register_b_transport(this, &SilentDevice::b_transport);
  }
  bool is_pure_read(std::uint64_t) const override { return true; }
  const sc_core::sc_event& changed() const override { return changed_; }
  sc_core::sc_time last_change() const override { return sc_core::SC_ZERO_TIME; }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    wait(delay);
    delay = sc_core::SC_ZERO_TIME;
    for (unsigned i = 0; i < payload.get_data_length(); ++i) payload.get_data_ptr()[i] = 0;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  sc_core::sc_event changed_;
};

class NoOutput : public OutputSink {
 public:
  void write(std::uint32_t, int, std::string_view) override {}
};

struct Node {
  Node(unsigned number, const CoreConfig& config, const std::shared_ptr<Program>& program,
       const std::shared_ptr<MachineFacts>& machine, const KernelConfig& kernel, IoPort& io, CoreCycle limit)
      : memory(("memory" + std::to_string(number)).c_str(), 512u << 20),
        device(("device" + std::to_string(number)).c_str()),
        core(("core" + std::to_string(number)).c_str(), config, memory),
        process(program, machine, kernel, number, io, nullptr) {
    core.bus.bind(device.bus);
    core.add_device(0xB114'0000, 0x1'0000, &device, DeviceCost{51, 3});
    core.set_limit(limit);
    core.run(process);
  }
  NodeMemory memory;
  SilentDevice device;
  Core core;
  Process process;
};

/// A core of some instruction set, with what programs for it need.
struct Target {
  CoreConfig core;
  const Abi* abi;
  std::string program;
};

/// The core of a test chip, which has such caches.
template <MemoryConfig::Levels kLevels>
struct TestCore : CoreConfig {
  TestCore() { memory.levels = kLevels; }
};

Target target_of(const std::string& what) {
  if (what == "busy-x86_64") {
    CoreConfig core = test::shipped<TestCore<MemoryConfig::Levels::victim>>("test-x86_64");
    core.isa = x86_64::make_isa(test::shipped<x86_64::PipelineConfig>("test-x86_64"), core.pipeline);
    return {core, &linux_x86_64(), TOROID_BENCH_X86_64_GUESTS "/bench_busy"};
  }
  if (what == "busy-ppc64") {
    CoreConfig core = test::shipped<TestCore<MemoryConfig::Levels::l1p_prefetch>>("test-ppc64");
    core.isa = ppc64::make_isa(test::shipped<ppc64::PipelineConfig>("test-ppc64"), core.pipeline);
    return {core, &linux_ppc64(), TOROID_BENCH_PPC64_GUESTS "/bench_busy"};
  }
  auto core = test::shipped<CoreConfig>();
  core.isa = ppc32::make_isa(test::shipped<ppc32::PipelineConfig>(), core.pipeline);
  const std::string program = what == "busy" || what == "poll" ? what : "floats";
  return {core, &linux_ppc32(), TOROID_BENCH_GUESTS "/bench_" + program};
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

int run(const std::string& what, unsigned cores, unsigned milliseconds) {
  const Target target = target_of(what);
  const CoreConfig& config = target.core;
  const auto program = Program::read(target.program, config.isa, LineSize(config.memory.l1_line));
  auto machine = std::make_shared<MachineFacts>();
  machine->ranks.resize(cores);
  KernelConfig kernel;
  static_cast<KernelParameters&>(kernel) = test::shipped<KernelParameters>();
  kernel.abi = target.abi;
  kernel.arguments = {what};
  NoOutput output;
  JobDirectory directory({}, 0);
  IoService service(directory, output);
  DirectIo io(service);
  std::vector<std::unique_ptr<Node>> nodes;
  for (unsigned i = 0; i < cores; ++i)
    nodes.push_back(std::make_unique<Node>(i, config, program, machine, kernel, io,
                                           CoreCycle{milliseconds} * config.clock_mhz * 1000));
  const double begin = cpu_seconds();
  sc_core::sc_start();
  const double seconds = cpu_seconds() - begin;
  std::uint64_t instructions = 0;
  std::uint64_t reads = 0;
  for (const auto& node : nodes) {
    if (node->core.state() != CoreState::timed_out) {
      std::fprintf(stderr, "core ended early: %s\n", node->process.report().c_str());
      return 1;
    }
    instructions += node->core.counters().instructions;
    reads += node->core.counters().device_reads;
  }
  std::printf(
      "{\"name\": \"%s, %u cores, %u ms\", \"host_seconds\": %.3f, \"instructions\": %llu, "
      "\"instructions_per_second\": %.4g, \"device_reads\": %llu}\n",
      what.c_str(), cores, milliseconds, seconds, static_cast<unsigned long long>(instructions),
      static_cast<double>(instructions) / seconds, static_cast<unsigned long long>(reads));
  return 0;
}

}  // namespace
}  // namespace toroid

int sc_main(int argc, char** argv) {
  struct Usual {
    unsigned cores, milliseconds;
  };
  std::map<std::string, Usual> known = {{"busy", {32, 50}}, {"poll", {64, 1000}}};
  for (const char* const isa : {"busy-x86_64", "busy-ppc64"}) known[isa] = {32, 50};
  for (const char* const kind : {"fadd", "fadds", "fmul", "fdiv", "fmadd", "fmadds", "lfd", "stfd", "daxpy", "dgefa"})
    known[kind] = {1, 300};
  const auto found = known.find(argc > 1 ? argv[1] : "");
  if (found == known.end()) {
    std::fprintf(stderr, "usage: toroid-bench-core");
    for (const auto& [what, usual] : known)
      std::fprintf(stderr, "%c%s", what == known.begin()->first ? ' ' : '|', what.c_str());
    std::fprintf(stderr, " [CORES] [MILLISECONDS]\n");
    return 2;
  }
  try {
    return toroid::run(found->first, argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : found->second.cores,
                       argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : found->second.milliseconds);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
