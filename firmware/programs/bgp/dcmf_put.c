// SPDX-License-Identifier: Apache-2.0
// Puts 64 bytes into the memory of the next rank.
#include <stdio.h>
#include <stdlib.h>

#include "firmware/programs/bgp/dcmf_program.h"
#include "firmware/programs/contents.h"

enum { BYTES = 64 };
static uint8_t source[BYTES], target[BYTES];

int main(void) {
  program_start();
  const unsigned rank = (unsigned)DCMF_Messager_rank(), size = (unsigned)DCMF_Messager_size();
  const unsigned next = (rank + 1) % size, before = (rank + size - 1) % size;
  DCMF_Protocol_t protocol;
  DCMF_Request_t request;
  DCMF_Put_Configuration_t configuration = {DCMF_DEFAULT_PUT_PROTOCOL, DCMF_DEFAULT_NETWORK};
  volatile unsigned done = 1, ack = 1;
  const DCMF_Callback_t cb_done = {program_count_down, (void*)&done}, cb_ack = {program_count_down, (void*)&ack};
  if (DCMF_Put_register(&protocol, &configuration) != DCMF_SUCCESS) abort();
  program_fill(source, BYTES, rank);
  program_barrier();
  if (DCMF_Put(&protocol, &request, cb_done, DCMF_SEQUENTIAL_CONSISTENCY, next, BYTES, program_region(rank),
               program_region(next), (size_t)source, (size_t)target, cb_ack) != DCMF_SUCCESS) {
    abort();
  }
  program_wait(&done);
  program_wait(&ack);
  program_barrier();
  const uint32_t right = program_check(target, BYTES, before);
  printf("rank %u of %u: %u of %u bytes from rank %u are right\n", rank, size, right, BYTES, before);
  return program_end(right == BYTES ? EXIT_SUCCESS : EXIT_FAILURE);
}
