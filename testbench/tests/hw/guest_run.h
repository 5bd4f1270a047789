// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/core/core.h"
#include "hw/kernel/process.h"
#include "testbench/shipped.h"
#include "toy_device.h"

namespace toroid {

/// A core that executes 32-bit PowerPC, in all detail or in less.
CoreConfig test_core(bool caches = true, bool pipeline = true);

/// A program on one core with a toy device, a toy DMA device and nothing else.
struct GuestRun {
  std::string program;                 ///< name of a guest of this folder, or a path
  std::vector<std::string> arguments;  ///< behind argv[0]
  std::vector<std::string> environment;
  std::string job_directory;
  CoreConfig core = test_core();
  DeviceCost device{51, 3};
  std::uint64_t device_on_bus = ToyDevice::kBase;  ///< where the toy device lies for masters of the bus
  std::uint32_t memory = 512u << 20;
  std::uint32_t rank = 0;
  std::uint32_t ranks = 1;  ///< known to the program; one runs
  CoreCycle limit{~std::uint64_t{0}};
  std::vector<ToyDevice::Change> changes;
  unsigned nodes = 1;                       ///< that run the same; results are node 0's, but for the sums
  bool reversed = false;                    ///< nodes are made in the other order
  std::uint64_t bandwidth = 3'000'000'000;  ///< of the memory for the toy DMA, bytes a second
  bool output_throws = false;               ///< std::bad_alloc, where the program prints
};

/// All that can be seen of it afterwards.
struct GuestResult {
  std::string error;  ///< what was thrown
  std::string out;    ///< standard output
  std::string err;    ///< standard error
  std::string report;
  std::string state;         ///< of the core
  std::string system_calls;  ///< "brk 3\nwrite 1\n"
  std::string device_log;
  std::string dma_log;  ///< ToyDma::answered()
  std::string polled;   ///< Core::polled(), one a line
  int how = 0;          ///< ProcessEnd
  int status = 0;
  std::uint64_t cycles = 0;
  std::uint64_t instructions = 0;
  std::uint64_t device_reads = 0;
  std::uint64_t device_writes = 0;
  std::uint64_t times_parked = 0;
  std::uint64_t all_instructions = 0;  ///< of all nodes
  std::uint64_t all_times_parked = 0;
};

/// Runs it in a process of its own, because SystemC elaborates once a process. A crash is reported in `error`.
GuestResult run_guest(const GuestRun& run);

}  // namespace toroid
