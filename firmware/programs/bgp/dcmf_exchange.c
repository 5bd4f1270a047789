// SPDX-License-Identifier: Apache-2.0
// All ranks put messages into the memory of random others at the same time, with some of them on their way at once.
//   dcmf_exchange [MESSAGES [BYTES]]
// Each rank checks at the end that each message that has come to it is whole.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/programs/bgp/dcmf_program.h"

enum { AT_ONCE = 16, MOST = 16384 };

static DCMF_Request_t requests[AT_ONCE];
static volatile unsigned under_way;
static unsigned char sent[MOST] __attribute__((aligned(16)));

static uint32_t next_random(uint32_t* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

int main(int argc, char** argv) {
  const unsigned messages = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 100;
  const unsigned bytes = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 0) : 1024;
  if (bytes == 0 || bytes > MOST) {
    fprintf(stderr, "dcmf_exchange: %u bytes; 1 to %u are possible\n", bytes, MOST);
    return EXIT_FAILURE;
  }
  program_start();
  const unsigned rank = (unsigned)DCMF_Messager_rank(), size = (unsigned)DCMF_Messager_size();
  DCMF_Protocol_t put;
  DCMF_Put_Configuration_t configuration = {DCMF_DEFAULT_PUT_PROTOCOL, DCMF_DEFAULT_NETWORK};
  if (DCMF_Put_register(&put, &configuration) != DCMF_SUCCESS) abort();
  // A place for each sender. It lies elsewhere on ranks that have had other memory before.
  unsigned char* const places = calloc(size, bytes);
  if (places == NULL) abort();
  program_address(places, rank);
  memset(sent, (int)(rank % 255 + 1), bytes);

  uint32_t state = rank * 2654435761u + 1;
  const DCMF_Callback_t done = {program_count_down, (void*)&under_way}, none = {NULL, NULL};
  for (unsigned message = 0; message < messages; ++message) {
    if (message % AT_ONCE == 0) program_wait(&under_way);
    unsigned peer = next_random(&state) % (size > 1 ? size - 1 : 1);
    if (peer >= rank && size > 1) ++peer;
    ++under_way;
    if (DCMF_Put(&put, &requests[message % AT_ONCE], done, DCMF_SEQUENTIAL_CONSISTENCY, peer, bytes,
                 program_region(rank), program_region(peer), (size_t)sent,
                 (size_t)program_address_of(peer) + (size_t)rank * bytes, none) != DCMF_SUCCESS) {
      abort();
    }
  }
  program_wait(&under_way);
  program_barrier();

  unsigned wrong = 0;
  for (unsigned from = 0; from < size; ++from) {
    const unsigned char* const place = places + (size_t)from * bytes;
    const unsigned char first = place[0];
    if (first != 0 && first != from % 255 + 1) ++wrong;
    for (unsigned i = 1; i < bytes; ++i) wrong += place[i] != first;
  }
  if (wrong != 0) printf("rank %u: %u bytes are wrong\n", rank, wrong);
  if (rank == 0) printf("dcmf_exchange ranks=%u messages=%u bytes=%u\n", size, messages, bytes);
  return program_end(wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}
