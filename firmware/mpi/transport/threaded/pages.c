// SPDX-License-Identifier: Apache-2.0
// Memory for interrupts, on machines whose kernel has mmap(): the C library only passes it on.
#define _DEFAULT_SOURCE
#include <sys/mman.h>

#include "firmware/mpi/transport.h"

uintptr_t mpit_pages(size_t bytes) {
  void* const pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages != MAP_FAILED ? (uintptr_t)pages : 0;
}
