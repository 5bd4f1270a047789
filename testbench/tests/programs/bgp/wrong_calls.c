// SPDX-License-Identifier: Apache-2.0
//
// Wrong use of DCMF, OSPRI and ARMCI, one kind an argument. "collective" is followed by what each rank starts; the last
// one is for all others: barrier, bcast:ROOT:BYTES or reduce:OPERATION:COUNT over the networks of their own, and the
// same with an m in front by messages.
#include <a1.h>
#include <armci.h>
#include <dcmf.h>
#include <dcmf_collectives.h>
#include <dcmf_globalcollectives.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GEOMETRY = 7, MOST_RANKS = 64 };

static char data[4096], result[4096];
static DCMF_Protocol_t zeroed;
static unsigned rank, size;

static void count_down(void* left, DCMF_Error_t* error) {
  (void)error;
  --*(volatile int*)left;
}

static void take_short(void* unused, const DCQuad* info, unsigned count, size_t peer, const char* bytes,
                       size_t length) {
  (void)unused, (void)info, (void)count, (void)peer, (void)bytes, (void)length;
}

// OSPRI and ARMCI ------------------------------------------------------------------------------------------------

static void a1_put(void) {
  A1_Put(0, data, result, 8);
}

static void a1_handle(void) {
  A1_handle_t handle;
  A1_Allocate_handle(&handle);
}

static void a1_barrier(void) {
  A1_Barrier_group(A1_GROUP_WORLD);
}

static void a1_use(void) {
  A1_Initialize(A1_THREAD_SINGLE);
  A1_Finalize();
}

static void a1_put_after(void) {
  a1_use();
  a1_put();
}

static void a1_handle_after(void) {
  a1_use();
  a1_handle();
}

static void a1_barrier_after(void) {
  a1_use();
  a1_barrier();
}

static void armci_put(void) {
  ARMCI_Put(data, result, 8, 0);
}

static void armci_put_after(void) {
  ARMCI_Init();
  ARMCI_Finalize();
  armci_put();
}

// DCMF -----------------------------------------------------------------------------------------------------------

static void dcmf_begin(void) {
  DCMF_Messager_initialize();
  rank = (unsigned)DCMF_Messager_rank();
  size = (unsigned)DCMF_Messager_size();
}

// Rank 0 sends by a protocol that nobody has registered.
static void send_unregistered(void) {
  dcmf_begin();
  DCMF_Request_t request;
  DCMF_Callback_t nothing = {NULL, NULL};
  if (rank == 0) DCMF_Send(&zeroed, &request, nothing, DCMF_MATCH_CONSISTENCY, 1, 8, data, NULL, 0);
  for (;;) DCMF_Messager_advance();
}

static void control_unregistered(void) {
  dcmf_begin();
  DCMF_Control_t message;
  memset(&message, 0, sizeof message);
  if (rank == 0) DCMF_Control(&zeroed, DCMF_MATCH_CONSISTENCY, 1, &message);
  for (;;) DCMF_Messager_advance();
}

static void again(void) {
  dcmf_begin();
  DCMF_Messager_finalize();
  DCMF_Messager_initialize();
}

static void send_after(void) {
  static DCMF_Protocol_t protocol;
  DCMF_Send_Configuration_t configuration = {.protocol = DCMF_DEFAULT_SEND_PROTOCOL, .cb_recv_short = take_short};
  DCMF_Request_t request;
  DCMF_Callback_t nothing = {NULL, NULL};
  dcmf_begin();
  DCMF_Send_register(&protocol, &configuration);
  DCMF_Messager_finalize();
  DCMF_Send(&protocol, &request, nothing, DCMF_MATCH_CONSISTENCY, 0, 8, data, NULL, 0);
}

static void barrier_at_once(void) {
  DCMF_Request_t request;
  DCMF_Callback_t nothing = {NULL, NULL};
  DCMF_GlobalBarrier(&zeroed, &request, nothing);
}

static void barrier_after(void) {
  dcmf_begin();
  DCMF_Messager_finalize();
  barrier_at_once();
}

static void advance_after(void) {
  dcmf_begin();
  DCMF_Messager_finalize();
  for (;;) DCMF_Messager_advance();
}

// Collective operations ------------------------------------------------------------------------------------------

static DCMF_Protocol_t barrier, bcast, allreduce;
static DCMF_CollectiveProtocol_t message_barrier, message_bcast, message_allreduce;
static DCMF_Geometry_t geometry;

static DCMF_Geometry_t* find_geometry(int id) {
  (void)id;
  return &geometry;
}

static void register_all(void) {
  static DCMF_CollectiveRequest_t request;
  static DCMF_CollectiveProtocol_t* barriers[] = {&message_barrier};
  DCMF_GlobalBarrier_Configuration_t b = {DCMF_GI_GLOBALBARRIER_PROTOCOL};
  DCMF_GlobalBcast_Configuration_t c = {DCMF_TREE_GLOBALBCAST_PROTOCOL};
  DCMF_GlobalAllreduce_Configuration_t a = {DCMF_TREE_GLOBALALLREDUCE_PROTOCOL};
  DCMF_Barrier_Configuration_t mb = {DCMF_TORUS_BINOMIAL_BARRIER_PROTOCOL, find_geometry};
  DCMF_Broadcast_Configuration_t mc = {DCMF_TORUS_BINOMIAL_BROADCAST_PROTOCOL};
  DCMF_Allreduce_Configuration_t ma = {DCMF_TORUS_BINOMIAL_ALLREDUCE_PROTOCOL, find_geometry, 0};
  unsigned ranks[MOST_RANKS];
  DCMF_GlobalBarrier_register(&barrier, &b);
  DCMF_GlobalBcast_register(&bcast, &c);
  DCMF_GlobalAllreduce_register(&allreduce, &a);
  DCMF_Barrier_register(&message_barrier, &mb);
  DCMF_Broadcast_register(&message_bcast, &mc);
  DCMF_Allreduce_register(&message_allreduce, &ma);
  for (unsigned i = 0; i < size; ++i) ranks[i] = i;
  DCMF_Geometry_initialize(&geometry, GEOMETRY, ranks, size, barriers, 1, barriers, 1, &request, 1, 1);
}

static int start(const char* what, DCMF_Callback_t done) {
  static DCMF_Request_t request;
  static DCMF_CollectiveRequest_t collective;
  unsigned root, bytes, count;
  char operation[8];
  const DCMF_Consistency any = DCMF_MATCH_CONSISTENCY;
  if (strcmp(what, "barrier") == 0) return DCMF_GlobalBarrier(&barrier, &request, done);
  if (strcmp(what, "mbarrier") == 0) return DCMF_Barrier(&geometry, done, any);
  if (sscanf(what, "bcast:%u:%u", &root, &bytes) == 2)
    return DCMF_GlobalBcast(&bcast, &request, done, any, root, data, bytes);
  if (sscanf(what, "mbcast:%u:%u", &root, &bytes) == 2)
    return DCMF_Broadcast(&message_bcast, &collective, done, any, &geometry, root, data, bytes);
  const bool by_messages = what[0] == 'm';
  if (sscanf(what + by_messages, "reduce:%7[a-z]:%u", operation, &count) != 2) return -1;
  const DCMF_Op op = strcmp(operation, "sum") == 0 ? DCMF_SUM : DCMF_MAX;
  if (by_messages)
    return DCMF_Allreduce(&message_allreduce, &collective, done, any, &geometry, data, result, count, DCMF_SIGNED_INT,
                          op);
  return DCMF_GlobalAllreduce(&allreduce, &request, done, any, -1, data, result, count, DCMF_SIGNED_INT, op);
}

static int collective(int argc, char** argv) {
  dcmf_begin();
  register_all();
  volatile int left = 1;
  const int number = rank + 2 < (unsigned)argc ? (int)rank + 2 : argc - 1;
  if (start(argv[number], (DCMF_Callback_t){count_down, (void*)&left}) != 0) return 2;
  while (left != 0) DCMF_Messager_advance();
  DCMF_Messager_finalize();
  return 0;
}

static const struct {
  const char* name;
  void (*run)(void);
} uses[] = {
    {"a1 put", a1_put},
    {"a1 handle", a1_handle},
    {"a1 barrier", a1_barrier},
    {"a1 put after", a1_put_after},
    {"a1 handle after", a1_handle_after},
    {"a1 barrier after", a1_barrier_after},
    {"armci put", armci_put},
    {"armci put after", armci_put_after},
    {"send unregistered", send_unregistered},
    {"control unregistered", control_unregistered},
    {"again", again},
    {"send after", send_after},
    {"barrier", barrier_at_once},
    {"barrier after", barrier_after},
    {"advance after", advance_after},
};

int main(int argc, char** argv) {
  if (argc > 2 && strcmp(argv[1], "collective") == 0) return collective(argc, argv);
  for (unsigned i = 0; i < sizeof uses / sizeof *uses; ++i) {
    if (argc == 2 && strcmp(argv[1], uses[i].name) == 0) uses[i].run();
  }
  return 0;
}
