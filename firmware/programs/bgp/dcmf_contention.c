// SPDX-License-Identifier: Apache-2.0
// Contention: every node, or every second or fourth plane of nodes along X, puts to, gets from or sends to the node at
// half of the machine in all dimensions, many operations back to back; how long one takes, by node.
//   dcmf_contention put|get|send static|dynamic EVERY BYTES:COUNT...
// static: with sequential consistency; dynamic: with relaxed consistency, which lets data of gets and of long sends
// take any shortest way. COUNT operations are begun together, then awaited; a node's time is what they take together,
// divided by COUNT.
//   dcmf_contention operation=put routes=static every=1 bytes=4096 count=20 senders=512 min=19.000 mean=60.000
//   max=82.000
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/programs/bgp/dcmf_program.h"

enum { MOST = 1 << 20, MOST_COUNT = 128 };

typedef enum { PUT, GET, SEND, KINDS } kind_t;
static const char* const kNames[KINDS] = {"put", "get", "send"};
static DCMF_Consistency consistency = DCMF_SEQUENTIAL_CONSISTENCY;

static char source[MOST], target[MOST];
static void *there_source, *there_target;
static DCMF_Protocol_t put, get, send;
static DCMF_Request_t requests[MOST_COUNT], receptions[MOST_COUNT];
static volatile unsigned due, received;
static unsigned rank, size, partner;
static uint32_t bytes;
static float* times;  // of rank 0: of all ranks, us; 0 of those that do nothing
static void* there_times;

static void arrived(void* clientdata, DCMF_Error_t* error) {
  (void)clientdata, (void)error;
  ++received;
}

static void receive_short(void* clientdata, const DCQuad* msginfo, unsigned count, size_t peer, const char* src,
                          size_t length) {
  (void)msginfo, (void)count, (void)peer;
  memcpy(target, src, length);
  arrived(clientdata, NULL);
}

static DCMF_Request_t* receive(void* clientdata, const DCQuad* msginfo, unsigned count, size_t peer, size_t length,
                               size_t* taken, char** buffer, DCMF_Callback_t* done) {
  (void)clientdata, (void)count, (void)peer;
  *taken = length;
  *buffer = target;
  *done = (DCMF_Callback_t){arrived, NULL};
  return &receptions[msginfo->w0];
}

static void start(kind_t kind, unsigned i) {
  const DCMF_Callback_t done = {program_count_down, (void*)&due}, none = {NULL, NULL};
  DCQuad info = {i, 0, 0, 0};
  DCMF_Result result;
  if (kind == PUT) {
    result = DCMF_Put(&put, &requests[i], none, consistency, partner, bytes, program_region(rank),
                      program_region(partner), (size_t)source, (size_t)there_target, done);
  } else if (kind == GET) {
    result = DCMF_Get(&get, &requests[i], done, consistency, partner, bytes, program_region(partner),
                      program_region(rank), (size_t)there_source, (size_t)target);
  } else {
    result = DCMF_Send(&send, &requests[i], done, consistency, partner, bytes, source, &info, 1);
  }
  if (result != DCMF_SUCCESS) abort();
}

// us an operation. The others advance in the barrier behind it.
static float measure(kind_t kind, unsigned count, unsigned clock) {
  const unsigned long long begin = DCMF_Timebase();
  due = count;
  for (unsigned i = 0; i < count; ++i) start(kind, i);
  program_wait(&due);
  return (float)(DCMF_Timebase() - begin) / (float)clock / (float)count;
}

// Rank 0 learns the time of each rank.
static void gather(float own) {
  static float sent;
  if (rank == 0) {
    times[0] = own;
  } else {
    sent = own;
    volatile unsigned acks = 1;
    DCMF_Request_t request;
    const DCMF_Callback_t none = {NULL, NULL}, ack = {program_count_down, (void*)&acks};
    if (DCMF_Put(&put, &request, none, DCMF_SEQUENTIAL_CONSISTENCY, 0, sizeof sent, program_region(rank),
                 program_region(0), (size_t)&sent, (size_t)there_times + rank * sizeof sent, ack) != DCMF_SUCCESS) {
      abort();
    }
    program_wait(&acks);
  }
  program_barrier();
}

static void report(kind_t kind, unsigned every, unsigned count) {
  float least = 0, most = 0;
  double sum = 0;
  unsigned senders = 0;
  for (unsigned i = 0; i < size; ++i) {
    if (times[i] == 0) continue;
    if (senders == 0 || times[i] < least) least = times[i];
    if (times[i] > most) most = times[i];
    sum += times[i];
    ++senders;
  }
  const char* const routes = consistency == DCMF_SEQUENTIAL_CONSISTENCY ? "static" : "dynamic";
  printf("dcmf_contention operation=%s routes=%s every=%u bytes=%u count=%u senders=%u min=%.3f mean=%.3f max=%.3f\n",
         kNames[kind], routes, every, (unsigned)bytes, count, senders, (double)least, sum / senders, (double)most);
}

static int usage(void) {
  if (rank == 0) {
    fprintf(stderr,
            "dcmf_contention put|get|send static|dynamic EVERY BYTES:COUNT...: up to %d bytes, up to %d operations\n",
            MOST, MOST_COUNT);
  }
  return program_end(EXIT_FAILURE);
}

int main(int argc, char** argv) {
  program_start();
  rank = (unsigned)DCMF_Messager_rank();
  size = (unsigned)DCMF_Messager_size();
  kind_t kind = PUT;
  while (kind < KINDS && argc > 1 && strcmp(argv[1], kNames[kind]) != 0) ++kind;
  const bool dynamic = argc > 2 && strcmp(argv[2], "dynamic") == 0;
  const unsigned every = argc > 3 ? (unsigned)atoi(argv[3]) : 0;
  if (argc < 5 || kind == KINDS || every == 0 || (!dynamic && strcmp(argv[2], "static") != 0)) return usage();
  if (dynamic) consistency = DCMF_RELAXED_CONSISTENCY;
  DCMF_Put_Configuration_t put_configuration = {DCMF_DEFAULT_PUT_PROTOCOL, DCMF_DEFAULT_NETWORK};
  DCMF_Get_Configuration_t get_configuration = {DCMF_DEFAULT_GET_PROTOCOL, DCMF_DEFAULT_NETWORK};
  DCMF_Send_Configuration_t send_configuration = {
      DCMF_DEFAULT_SEND_PROTOCOL, DCMF_DEFAULT_NETWORK, receive_short, NULL, receive, NULL};
  DCMF_Hardware_t hardware;
  DCMF_NetworkCoord_t place;
  size_t other;
  DCMF_Network network;
  DCMF_Put_register(&put, &put_configuration);
  DCMF_Get_register(&get, &get_configuration);
  DCMF_Send_register(&send, &send_configuration);
  DCMF_Hardware(&hardware);
  DCMF_Messager_rank2network(rank, DCMF_TORUS_NETWORK, &place);
  const bool active = place.torus.x % every == 0;
  const bool served = (place.torus.x + hardware.xSize - hardware.xSize / 2) % hardware.xSize % every == 0;
  place.torus.x = (place.torus.x + hardware.xSize / 2) % hardware.xSize;
  place.torus.y = (place.torus.y + hardware.ySize / 2) % hardware.ySize;
  place.torus.z = (place.torus.z + hardware.zSize / 2) % hardware.zSize;
  if (DCMF_Messager_network2rank(&place, &other, &network) != DCMF_SUCCESS) abort();
  partner = (unsigned)other;
  times = calloc(size, sizeof *times);
  there_source = program_address(source, partner);
  there_target = program_address(target, partner);
  there_times = program_address(times, 0);
  for (int i = 4; i < argc; ++i) {
    unsigned length = 0, count = 0;
    if (sscanf(argv[i], "%u:%u", &length, &count) != 2 || length == 0 || length > MOST || count == 0 ||
        count > MOST_COUNT) {
      return usage();
    }
    bytes = length;
    received = 0;
    program_barrier();
    const float own = active ? measure(kind, count, hardware.clockMHz) : 0;
    while (kind == SEND && served && received < count) DCMF_Messager_advance();
    gather(own);
    if (rank == 0) report(kind, every, count);
  }
  return program_end(EXIT_SUCCESS);
}
