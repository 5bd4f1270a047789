// SPDX-License-Identifier: Apache-2.0
// What bottoms take from the kernel, on every machine.
#define _DEFAULT_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "firmware/armci/bottom.h"
#include "hw/kernel/kernel_abi.h"

void armcib_end_job(int status) {
  syscall(TOROID_SYS_END_JOB, status);
  _exit(status);
}

void* armcib_pages(size_t bytes) {
  void* const pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages != MAP_FAILED ? pages : NULL;
}
