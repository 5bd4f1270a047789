// SPDX-License-Identifier: Apache-2.0
#include "firmware/programs/bgp/dcmf_program.h"

#include <stdlib.h>
#include <string.h>

// A control message: what it is about; from a rank to rank 0 also what all are to know of it, and where its tables are.
enum { REGION, ADDRESS, ARRIVED, LEAVE };
typedef struct {
  uint32_t about;
  uint32_t address;
  uint32_t table;
  DCMF_Memregion_t region;
} message_t;

static DCMF_Protocol_t protocol, put;
static DCMF_Memregion_t* regions;
static uint32_t* addresses;
static uint32_t* tables;  // of rank 0: where each rank's table is that comes next
static volatile unsigned expected, arrived, left;
static unsigned rank, size;

static void receive(void* clientdata, const DCMF_Control_t* info, size_t peer) {
  (void)clientdata;
  message_t message;
  memcpy(&message, info, sizeof message);
  switch (message.about) {
    case REGION:
      memcpy(regions[peer], message.region, sizeof message.region);
      break;
    case ADDRESS:
      addresses[peer] = message.address;
      break;
    case ARRIVED:
      ++arrived;
      return;
    default:
      ++left;
      return;
  }
  tables[peer] = message.table;
  --expected;
}

static void tell(unsigned other, const message_t* message) {
  DCMF_Control_t info;
  memset(info, 0, sizeof info);
  memcpy(info, message, sizeof *message);
  if (DCMF_Control(&protocol, DCMF_SEQUENTIAL_CONSISTENCY, other, &info) != DCMF_SUCCESS) abort();
}

static void tell_about(unsigned other, uint32_t about) {
  const message_t message = {about, 0, 0, {{0, 0, 0, 0}}};
  tell(other, &message);
}

// All ranks: rank 0 learns `mine` of everyone, which receive() keeps in `table`, and puts the whole of it there.
static void share(const message_t* mine, void* table, unsigned bytes) {
  if (rank != 0) {
    tell(0, mine);
    program_barrier();
    return;
  }
  program_wait(&expected);
  expected = size - 1;
  volatile unsigned acks = size - 1;
  const DCMF_Callback_t none = {NULL, NULL}, ack = {program_count_down, (void*)&acks};
  DCMF_Request_t* requests = aligned_alloc(16, sizeof *requests * size);
  for (unsigned i = 1; i < size; ++i) {
    if (DCMF_Put(&put, &requests[i], none, DCMF_SEQUENTIAL_CONSISTENCY, i, bytes, &regions[0], &regions[i],
                 (size_t)table, tables[i], ack) != DCMF_SUCCESS) {
      abort();
    }
  }
  program_wait(&acks);
  free(requests);
  program_barrier();
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
    for (unsigned i = 1; i < size; ++i) tell_about(i, LEAVE);
  } else {
    tell_about(0, ARRIVED);
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
  tables = malloc(sizeof *tables * size);
  DCMF_Control_Configuration_t configuration = {DCMF_DEFAULT_CONTROL_PROTOCOL, DCMF_DEFAULT_NETWORK, receive, NULL};
  DCMF_Put_Configuration_t put_configuration = {DCMF_DEFAULT_PUT_PROTOCOL, DCMF_DEFAULT_NETWORK};
  size_t bytes;
  if (DCMF_Control_register(&protocol, &configuration) != DCMF_SUCCESS ||
      DCMF_Put_register(&put, &put_configuration) != DCMF_SUCCESS ||
      DCMF_Memregion_create(&regions[rank], &bytes, (size_t)-1, NULL, 0) != DCMF_SUCCESS) {
    abort();
  }
  expected = size - 1;
  message_t mine = {REGION, 0, (uint32_t)(uintptr_t)regions, {{0, 0, 0, 0}}};
  memcpy(mine.region, regions[rank], sizeof mine.region);
  share(&mine, regions, (unsigned)sizeof *regions * size);
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
  addresses[rank] = (uint32_t)(uintptr_t)mine;
  const message_t message = {ADDRESS, addresses[rank], (uint32_t)(uintptr_t)addresses, {{0, 0, 0, 0}}};
  share(&message, addresses, (unsigned)sizeof *addresses * size);
  return program_address_of(of);
}

void* program_address_of(unsigned of) {
  return (void*)(uintptr_t)addresses[of];
}
