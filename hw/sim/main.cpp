// SPDX-License-Identifier: Apache-2.0
//
// The simulator: toroid-sim CONFIG.json RESULT.json [--progress FD], toroid-sim --check CONFIG.json, or
// toroid-sim --parameters MACHINE.
// See docs/reference/simulator_files.md.
#include <malloc.h>
#include <sys/resource.h>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <systemc>

#include "hw/kernel/printable.h"
#include "hw/machine/parameters.h"
#include "hw/sim/configuration.h"
#include "hw/sim/jobs.h"
#include "hw/sim/progress.h"
#include "hw/sim/result.h"
#include "torus/torus/mapping.h"

namespace {

constexpr int kStatusUsage = 2;

/// Larger blocks are mapped on their own. The C library raises this when a large block is freed; then the tables of
/// each engine would lie in the heap, whose pages are all touched, though the engine uses a quarter of them.
constexpr int kMappedAlone = 128 * 1024;

/// In the place of std::bad_alloc's own text, wherever it is told.
class OutOfHostMemory : public std::bad_alloc {
 public:
  const char* what() const noexcept override {
    return "the host has not enough memory for this machine; a smaller shape or node.memory_size would do";
  }
};

struct Arguments {
  std::string configuration;
  std::string result;
  bool check_only = false;
  std::string list_machine;  ///< empty: simulate
  int progress = -1;
};

Arguments parse(int argc, char* argv[]) {
  static const char* const usage =
      "usage: toroid-sim CONFIG.json RESULT.json [--progress FD], --check CONFIG.json, or --parameters MACHINE";
  if (argc != 3 && argc != 5) throw toroid::ConfigurationError(usage);
  if (argc == 3 && std::string(argv[1]) == "--check") return {argv[2], "", true, "", -1};
  if (argc == 3 && std::string(argv[1]) == "--parameters") return {"", "", false, argv[2], -1};
  Arguments arguments{argv[1], argv[2], false, "", -1};
  if (argc == 5) {
    char* end = nullptr;
    const long descriptor = std::strtol(argv[4], &end, 10);
    if (std::string(argv[3]) != "--progress" || *end != '\0' || end == argv[4] || descriptor < 0) {
      throw toroid::ConfigurationError(usage);
    }
    arguments.progress = static_cast<int>(descriptor);
  }
  return arguments;
}

int run(const toroid::Configuration& configuration, toroid::Progress& progress, toroid::ResultFile& result) {
  if (configuration.run) return toroid::run_program(configuration, progress, result);
  if (!configuration.traffic) return toroid::run_collective_networks(configuration, progress, result);
  if (configuration.traffic->messages) return toroid::run_synthetic_messages(configuration, progress, result);
  return toroid::run_synthetic_traffic(configuration, progress, result);
}

int simulate(const Arguments& arguments) {
  if (!arguments.list_machine.empty()) {
    toroid::list_parameters(arguments.list_machine);
    return 0;
  }
  toroid::Progress progress(arguments.progress);
  const auto configuration = toroid::Configuration::read(arguments.configuration);
  if (arguments.check_only) {
    if (configuration.run) {
      toroid::check_machine(configuration);
    } else if (configuration.traffic && configuration.traffic->messages) {
      toroid::check_synthetic_messages(configuration);
    } else if (configuration.traffic) {
      toroid::check_synthetic_traffic(configuration);
    } else {
      toroid::check_description(configuration);
    }
    return 0;
  }
  toroid::ResultFile result = toroid::begin_result(configuration.echo);
  const int status = run(configuration, progress, result);
  toroid::write_result(result, arguments.result);
  return status;
}

int fail(const std::string& what) {
  std::cerr << "toroid-sim: " << toroid::printable(what) << "\n";
  return kStatusUsage;
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  // SystemC would report every stop from a callback.
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  toroid::catch_interrupts();
  // So that few files of the programs have to be closed and opened again (OpenFiles).
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
  }
  std::set_new_handler([] { throw OutOfHostMemory(); });
  try {
    return simulate(parse(argc, argv));
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}

int main(int argc, char* argv[]) {
  // Standard output belongs to the emulated program: no banner of SystemC's.
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  mallopt(M_MMAP_THRESHOLD, kMappedAlone);
  return sc_core::sc_elab_and_sim(argc, argv);
}
