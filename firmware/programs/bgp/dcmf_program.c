// SPDX-License-Identifier: Apache-2.0
#include "firmware/programs/bgp/dcmf_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A control message: what it is about, and a region or an address.
enum { REGION, ADDRESS, ARRIVED, LEAVE };
typedef struct {
  uint32_t about;
  uint32_t address;
  DCMF_Memregion_t region;
} message_t;

static DCMF_Protocol_t protocol;
static DCMF_Memregion_t* regions;
static uint32_t* addresses;
static volatile unsigned expected, arrived, left;
static unsigned rank, size;

static void receive(void* clientdata, const DCMF_Control_t* info, size_t peer) {
  (void)clientdata;
  message_t message;
  memcpy(&message, info, sizeof message);
  switch (message.about) {
    case REGION:
      memcpy(regions[peer], message.region, sizeof message.region);
      --expected;
      break;
    case ADDRESS:
      addresses[peer] = message.address;
      --expected;
      break;
    case ARRIVED:
      ++arrived;
      break;
    default:
      ++left;
  }
}

static void tell(unsigned other, uint32_t about, void* address) {
  DCMF_Control_t info;
  message_t message = {about, (uint32_t)(uintptr_t)address, {{0, 0, 0, 0}}};
  memset(info, 0, sizeof info);
  if (about == REGION) memcpy(message.region, regions[rank], sizeof message.region);
  memcpy(info, &message, sizeof message);
  if (DCMF_Control(&protocol, DCMF_SEQUENTIAL_CONSISTENCY, other, &info) != DCMF_SUCCESS) abort();
}

void program_wait(volatile unsigned* count) {
  while (*count) DCMF_Messager_advance();
}

void program_count_down(void* clientdata, DCMF_Error_t* error) {
  (void)error;
  --*(volatile unsigned*)clientdata;
}

void program_barrier(void) {
  if (rank == 0) {
    while (arrived < size - 1) DCMF_Messager_advance();
    arrived -= size - 1;
    for (unsigned i = 1; i < size; ++i) tell(i, LEAVE, NULL);
  } else {
    tell(0, ARRIVED, NULL);
    while (left == 0) DCMF_Messager_advance();
    --left;
  }
}

void program_start(void) {
  DCMF_Messager_initialize();
  rank = (unsigned)DCMF_Messager_rank();
  size = (unsigned)DCMF_Messager_size();
  regions = aligned_alloc(16, sizeof *regions * size);
  addresses = malloc(sizeof *addresses * size);
  DCMF_Control_Configuration_t configuration = {DCMF_DEFAULT_CONTROL_PROTOCOL, DCMF_DEFAULT_NETWORK, receive, NULL};
  size_t bytes;
  if (DCMF_Control_register(&protocol, &configuration) != DCMF_SUCCESS ||
      DCMF_Memregion_create(&regions[rank], &bytes, (size_t)-1, NULL, 0) != DCMF_SUCCESS) {
    abort();
  }
  expected = size - 1;
  for (unsigned i = 0; i < size; ++i) {
    if (i != rank) tell(i, REGION, NULL);
  }
  program_wait(&expected);
  program_barrier();
}

int program_end(int status) {
  program_barrier();
  DCMF_Messager_finalize();
  return status;
}

DCMF_Memregion_t* program_region(unsigned of) {
  return &regions[of];
}

void* program_address(void* mine, unsigned of) {
  expected += size - 1;
  addresses[rank] = (uint32_t)(uintptr_t)mine;
  for (unsigned i = 0; i < size; ++i) {
    if (i != rank) tell(i, ADDRESS, mine);
  }
  program_wait(&expected);
  program_barrier();
  return (void*)(uintptr_t)addresses[of];
}
