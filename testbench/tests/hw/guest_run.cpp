// SPDX-License-Identifier: Apache-2.0
#include "guest_run.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

#include "direct_io.h"
#include "hw/bus/address_decoder.h"

namespace toroid {
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

GuestResult run_here(const GuestRun& run) {
  GuestResult result;
  try {
    const std::string path = run.program.find('/') == std::string::npos ? TOROID_GUESTS "/" + run.program : run.program;
    auto program = Program::read(path, run.core);
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
    kernel.arguments = {run.program};
    kernel.arguments.insert(kernel.arguments.end(), run.arguments.begin(), run.arguments.end());
    kernel.environment = run.environment;
    kernel.seed = 1;

    NodeMemory memory("memory", run.memory);
    Core core("core", run.core, memory);
    AddressDecoder decoder("decoder", {{"toy", ToyDevice::kBase, ToyDevice::kSize / 2}});
    ToyDevice device("device", run.changes);
    core.bus.bind(decoder.in);
    decoder.out(0).bind(device.bus);
    core.add_device(ToyDevice::kBase, ToyDevice::kSize, &device, run.device);
    core.set_limit(run.limit);
    Capture output(run.output_throws);
    ToyDcr dcr;
    DirectIo io(output, run.job_directory);
    Process process(program, machine, kernel, run.rank, io, &dcr);
    core.run(process);
    sc_core::sc_start();

    result.out = output.out;
    result.err = output.err;
    result.report = process.report();
    result.state = name_of(core.state());
    if (core.state() == CoreState::parked) result.state += " at " + process.describe(core.parked_pc());
    for (const auto& [name, count] : process.system_calls())
      result.system_calls += name + " " + std::to_string(count) + "\n";
    result.device_log = device.log();
    result.how = static_cast<int>(process.how_ended());
    result.status = process.exit_status();
    result.cycles = core.now().count();
    result.instructions = core.counters().instructions;
    result.device_reads = core.counters().device_reads;
    result.device_writes = core.counters().device_writes;
    result.times_parked = core.times_parked();
  } catch (const std::exception& error) {
    result.error = error.what();
  }
  return result;
}

/// Walks all fields of a result in one order, to write or to read them.
template <typename Visit>
void visit(GuestResult& result, Visit&& each) {
  for (std::string* text : {&result.error, &result.out, &result.err, &result.report, &result.state,
                            &result.system_calls, &result.device_log})
    each(*text);
  for (int* number : {&result.how, &result.status}) each(*number);
  for (std::uint64_t* number :
       {&result.cycles, &result.instructions, &result.device_reads, &result.device_writes, &result.times_parked})
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
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    GuestResult result = run_here(run);
    Writer writer;
    visit(result, writer);
    const std::string text = writer.to.str();
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t wrote = write(ends[1], text.data() + at, text.size() - at);
      if (wrote <= 0) break;
      at += static_cast<std::size_t>(wrote);
    }
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char buffer[65536];
  for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  GuestResult result;
  if (!WIFEXITED(status) || text.empty()) {
    result.error = "the simulator died: wait status " + std::to_string(status);
    return result;
  }
  Reader reader{std::istringstream(text)};
  visit(result, reader);
  return result;
}

}  // namespace toroid
