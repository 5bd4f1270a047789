// SPDX-License-Identifier: Apache-2.0
#include "guest_run.h"

#include <cstdlib>
#include <sstream>

#include "child_process.h"
#include "hw/bus/address_decoder.h"
#include "hw/io/direct_io.h"
#include "hw/isa/ppc32/ppc32.h"
#include "hw/kernel/abi/linux_ppc32/linux_ppc32.h"
#include "hw/memory/memory_arbiter.h"
#include "hw/memory/watched_memory.h"
#include "testbench/shipped.h"
#include "toy_dma.h"

namespace toroid {

CoreConfig test_core(bool caches, bool pipeline) {
  auto core = test::shipped<CoreConfig>();
  core.memory.modelled = caches;
  core.pipeline = pipeline;
  core.isa = ppc32::make_isa(test::shipped<power::PipelineConfig>(), pipeline);
  return core;
}

namespace {

class Capture : public OutputSink {
 public:
  explicit Capture(bool throws) : throws_(throws) {}
  void write(std::uint32_t, int descriptor, std::string_view text) override {
    if (throws_) throw std::bad_alloc();
    (descriptor == 1 ? out : err).append(text);
  }
  std::string out;
  std::string err;

 private:
  bool throws_;
};

class ToyDcr : public DcrBus {
 public:
  std::optional<std::uint32_t> read_dcr(std::uint32_t number) override {
    if (number != 0x280) return std::nullopt;
    return value_;
  }
  bool write_dcr(std::uint32_t number, std::uint32_t value) override {
    if (number != 0x280) return false;
    value_ = value;
    return true;
  }
  std::optional<std::uint32_t> peek_dcr(std::uint32_t number) override { return read_dcr(number); }
  std::string name_of_dcr(std::uint32_t) const override { return "toy"; }

 private:
  std::uint32_t value_ = 0xFFFF'FFFF;
};

constexpr std::uint32_t kLineBytes = 128;

struct Node {
  Node(const std::string& name, const GuestRun& run, const std::shared_ptr<Program>& program,
       const std::shared_ptr<MachineFacts>& machine, const KernelConfig& kernel)
      : memory((name + "memory").c_str(), run.memory),
        core((name + "core").c_str(), run.core, memory),
        decoder((name + "decoder").c_str(), {{"toy", run.device_on_bus, ToyDevice::kSize / 2},
                                             {"memory", 0, run.memory},
                                             {"dma", ToyDma::kBase, ToyDma::kSize}}),
        device((name + "device").c_str(), run.changes, run.device_on_bus),
        watched((name + "watched").c_str(), memory),
        arbiter((name + "arbiter").c_str(), memory, watched, {run.bandwidth, kLineBytes, ByteOrder::big}),
        dma((name + "dma").c_str(), arbiter),
        output(run.output_throws),
        directory(run.job_directory, 0),
        service(directory, output),
        io(service),
        process(program, machine, kernel, run.rank, io, &dcr) {
    core.bus.bind(decoder.in);
    decoder.out(0).bind(device.bus);
    decoder.out(1).bind(watched.bus);
    decoder.out(2).bind(dma.bus);
    core.add_device(ToyDevice::kBase, ToyDevice::kSize, &device, run.device, false, run.device_on_bus);
    core.add_device(ToyDma::kBase, ToyDma::kSize, nullptr, run.device);
    core.set_watched_memory(watched, run.device);
    arbiter.observe(core);
    core.set_limit(run.limit);
    core.run(process);
  }

  NodeMemory memory;
  Core core;
  AddressDecoder decoder;
  ToyDevice device;
  WatchedMemory watched;
  MemoryArbiter arbiter;
  ToyDma dma;
  Capture output;
  ToyDcr dcr;
  JobDirectory directory;
  IoService service;
  DirectIo io;
  Process process;
};

GuestResult run_here(const GuestRun& run) {
  GuestResult result;
  try {
    const std::string path = run.program.find('/') == std::string::npos ? TOROID_GUESTS "/" + run.program : run.program;
    auto program = Program::read(path, run.core.isa, LineSize(run.core.memory.l1_line));
    auto machine = std::make_shared<MachineFacts>();
    machine->shape = {4, 4, 2, 1, 1};
    machine->torus = {true, true, false, false, false};
    for (std::uint32_t rank = 0; rank < run.ranks; ++rank) {
      ProcessPlace place;
      place.coordinates = {static_cast<std::uint8_t>(rank % 4), static_cast<std::uint8_t>(rank / 4 % 4),
                           static_cast<std::uint8_t>(rank / 16)};
      place.processing_set = rank / 8;
      machine->ranks.push_back(place);
    }
    KernelConfig kernel;
    static_cast<KernelParameters&>(kernel) = test::shipped<KernelParameters>();
    kernel.abi = &linux_ppc32();
    kernel.arguments = {run.program};
    kernel.arguments.insert(kernel.arguments.end(), run.arguments.begin(), run.arguments.end());
    kernel.environment = run.environment;
    kernel.seed = 1;

    std::vector<std::unique_ptr<Node>> nodes(run.nodes);
    for (unsigned i = 0; i < run.nodes; ++i) {
      const unsigned number = run.reversed ? run.nodes - 1 - i : i;
      const std::string name = run.nodes == 1 ? "" : "node" + std::to_string(number) + "_";
      nodes[number] = std::make_unique<Node>(name, run, program, machine, kernel);
    }
    sc_core::sc_start();

    const Node& node = *nodes[0];
    result.out = node.output.out;
    result.err = node.output.err;
    result.report = node.process.report();
    result.state = name_of(node.core.state());
    if (node.core.state() == CoreState::parked) result.state += " at " + node.process.describe(node.core.parked_pc());
    for (const std::string& name : node.core.polled()) result.polled += name + "\n";
    for (const auto& [name, count] : node.process.system_calls())
      result.system_calls += name + " " + std::to_string(count) + "\n";
    result.device_log = node.device.log();
    result.dma_log = node.dma.answered();
    result.how = static_cast<int>(node.process.how_ended());
    result.status = node.process.exit_status();
    result.cycles = node.core.now().count();
    result.instructions = node.core.counters().instructions;
    result.device_reads = node.core.counters().device_reads;
    result.device_writes = node.core.counters().device_writes;
    result.times_parked = node.core.times_parked();
    for (const auto& each : nodes) {
      result.all_instructions += each->core.counters().instructions;
      result.all_times_parked += each->core.times_parked();
    }
  } catch (const std::exception& error) {
    result.error = error.what();
  }
  return result;
}

/// Walks all fields of a result in one order, to write or to read them.
template <typename Visit>
void visit(GuestResult& result, Visit&& each) {
  for (std::string* text : {&result.error, &result.out, &result.err, &result.report, &result.state,
                            &result.system_calls, &result.device_log, &result.dma_log, &result.polled})
    each(*text);
  for (int* number : {&result.how, &result.status}) each(*number);
  for (std::uint64_t* number : {&result.cycles, &result.instructions, &result.device_reads, &result.device_writes,
                                &result.times_parked, &result.all_instructions, &result.all_times_parked})
    each(*number);
}

struct Writer {
  std::ostringstream to;
  void operator()(const std::string& text) { to << text.size() << ' ' << text; }
  template <typename Number>
  void operator()(Number number) {
    to << number << ' ';
  }
};

struct Reader {
  std::istringstream from;
  void operator()(std::string& text) {
    std::size_t size = 0;
    from >> size;
    from.get();
    text.resize(size);
    from.read(text.data(), static_cast<std::streamsize>(size));
  }
  template <typename Number>
  void operator()(Number& number) {
    from >> number;
    from.get();
  }
};

}  // namespace

GuestResult run_guest(const GuestRun& run) {
  std::string died;
  const std::string text = test::in_child(
      [&run] {
        GuestResult result = run_here(run);
        Writer writer;
        visit(result, writer);
        return writer.to.str();
      },
      died);
  GuestResult result;
  if (!died.empty()) {
    result.error = died;
    return result;
  }
  Reader reader{std::istringstream(text)};
  visit(result, reader);
  return result;
}

}  // namespace toroid
