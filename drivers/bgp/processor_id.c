// SPDX-License-Identifier: Apache-2.0
// The core's number, for C programs that call the function without including its header. Some programs of the machine
// include bpcore/bgp_atomic_ops.h and dcmf.h alone; the header's own function is inline.
#include <stdint.h>

int Kernel_PhysicalProcessorID(void);

int Kernel_PhysicalProcessorID(void) {
  uint32_t word;
  __asm__ volatile("mfspr %0, 0x105" : "=r"(word));
  return (int)(word & 3);
}
