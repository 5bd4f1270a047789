// SPDX-License-Identifier: Apache-2.0
//
// Every rank puts 64 bytes into the memory of the next one, by DCMF.
#include <dcmf.h>
#include <dcmf_globalcollectives.h>
#include <stdio.h>
#include <string.h>

enum { BYTES = 64 };

static char source[BYTES], target[BYTES];
static DCMF_Memregion_t mine, of_next;
static volatile unsigned missing = 1;  // the region of the next rank

static void receive_region(void* clientdata, const DCMF_Control_t* info, size_t peer) {
  (void)clientdata, (void)peer;
  memcpy(&of_next, info, sizeof of_next);
  missing = 0;
}

static void count_down(void* count, DCMF_Error_t* error) {
  (void)error;
  --*(volatile unsigned*)count;
}

static void wait_for(volatile unsigned* count) {
  while (*count != 0) (void)DCMF_Messager_advance();
}

int main(void) {
  (void)DCMF_Messager_initialize();
  const size_t rank = DCMF_Messager_rank(), ranks = DCMF_Messager_size();
  DCMF_Protocol_t control, put, barrier;
  DCMF_Control_Configuration_t of_control = {DCMF_DEFAULT_CONTROL_PROTOCOL, DCMF_DEFAULT_NETWORK, receive_region, NULL};
  DCMF_Put_Configuration_t of_put = {DCMF_DEFAULT_PUT_PROTOCOL, DCMF_DEFAULT_NETWORK};
  DCMF_GlobalBarrier_Configuration_t of_barrier = {DCMF_DEFAULT_GLOBALBARRIER_PROTOCOL};
  if (DCMF_Control_register(&control, &of_control) != DCMF_SUCCESS) return 1;
  if (DCMF_Put_register(&put, &of_put) != DCMF_SUCCESS) return 1;
  if (DCMF_GlobalBarrier_register(&barrier, &of_barrier) != DCMF_SUCCESS) return 1;

  // A region is memory that others may reach. Its description goes to the rank that will put something there.
  size_t bytes;
  DCMF_Control_t info;
  if (DCMF_Memregion_create(&mine, &bytes, BYTES, target, 0) != DCMF_SUCCESS) return 1;
  memcpy(&info, &mine, sizeof mine);
  (void)DCMF_Control(&control, DCMF_SEQUENTIAL_CONSISTENCY, (rank + ranks - 1) % ranks, &info);
  DCMF_Memregion_t own;
  if (DCMF_Memregion_create(&own, &bytes, BYTES, source, 0) != DCMF_SUCCESS) return 1;
  wait_for(&missing);

  snprintf(source, BYTES, "a message from rank %zu", rank);
  volatile unsigned here = 1, there = 1, all = 1;
  DCMF_Request_t request, barrier_request;
  if (DCMF_Put(&put, &request, (DCMF_Callback_t){count_down, (void*)&here}, DCMF_SEQUENTIAL_CONSISTENCY,
               (rank + 1) % ranks, BYTES, &own, &of_next, 0, 0,
               (DCMF_Callback_t){count_down, (void*)&there}) != DCMF_SUCCESS)
    return 1;
  wait_for(&here);   // the source may be used again
  wait_for(&there);  // the message is in the memory of the next rank
  (void)DCMF_GlobalBarrier(&barrier, &barrier_request, (DCMF_Callback_t){count_down, (void*)&all});
  wait_for(&all);  // and that of the rank before this one is here

  printf("rank %zu: %s\n", rank, target);
  (void)DCMF_Messager_finalize();
  return 0;
}
