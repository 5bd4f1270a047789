// SPDX-License-Identifier: Apache-2.0
// Round trips to a rank whose main thread computes: who answers there? `--progress thread`: a helper thread that
// advances; `interrupts`: a function that interrupts call; `none`: the main thread, in between.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/programs/bgp/dcmf_program.h"

enum { ROUNDS = 10, LONG = 3000, PAUSE = 40 };
static DCMF_Protocol_t message, answer;
static volatile unsigned heard, answered, stop;
static char buffer[LONG];
static DCMF_Request_t reception;

static void reply(size_t peer) {
  DCMF_Control_t info;
  memset(info, 0, sizeof info);
  ++heard;
  if (DCMF_Control(&answer, DCMF_MATCH_CONSISTENCY, peer, &info) != DCMF_SUCCESS) abort();
}

static void receive_short(void* clientdata, const DCQuad* msginfo, unsigned count, size_t peer, const char* src,
                          size_t bytes) {
  (void)clientdata, (void)msginfo, (void)count, (void)src, (void)bytes;
  reply(peer);
}

static void received(void* clientdata, DCMF_Error_t* error) {
  (void)error;
  reply((size_t)clientdata);
}

static DCMF_Request_t* receive(void* clientdata, const DCQuad* msginfo, unsigned count, size_t peer, size_t sndlen,
                               size_t* rcvlen, char** rcvbuf, DCMF_Callback_t* cb_done) {
  (void)clientdata, (void)msginfo, (void)count;
  *rcvlen = sndlen;
  *rcvbuf = buffer;
  cb_done->function = received;
  cb_done->clientdata = (void*)peer;
  return &reception;
}

static void note_answer(void* clientdata, const DCMF_Control_t* info, size_t peer) {
  (void)clientdata, (void)info, (void)peer;
  ++answered;
}

static void* help(void* nothing) {
  while (!stop) {
    DCMF_CriticalSection_enter(0);
    DCMF_Messager_advance();
    DCMF_CriticalSection_exit(0);
    for (volatile int i = 0; i < PAUSE; ++i) {
    }
  }
  return nothing;
}

static void ask(size_t bytes, unsigned clock) {
  const DCMF_Callback_t none = {NULL, NULL};
  const unsigned long long begin = DCMF_Timebase();
  for (unsigned i = 0; i < ROUNDS; ++i) {
    DCMF_Request_t request;
    volatile unsigned sending = 1;
    const DCMF_Callback_t done = {program_count_down, (void*)&sending};
    const unsigned before = answered;
    DCMF_CriticalSection_enter(0);
    // A request that nobody waits for is no longer touched; the long one's is, until it is done.
    if (DCMF_Send(&message, &request, bytes > 100 ? done : none, DCMF_MATCH_CONSISTENCY, 1, bytes, buffer, NULL, 0) !=
        DCMF_SUCCESS) {
      abort();
    }
    DCMF_CriticalSection_exit(0);
    while (answered == before || (bytes > 100 && sending)) DCMF_Messager_advance();
  }
  printf("dcmf_progress bytes=%u round_trip=%.2f\n", (unsigned)bytes,
         (double)(DCMF_Timebase() - begin) / clock / ROUNDS);
}

// Computes until it has heard all, or for a second at most.
static int compute(const char* progress, unsigned clock) {
  const unsigned long long begin = DCMF_Timebase();
  while (heard < 2 * ROUNDS && DCMF_Timebase() - begin < 1000000ull * clock) {
    if (strcmp(progress, "none") == 0) DCMF_Messager_advance();
  }
  printf("rank 1 heard %u messages while it computed\n", heard);
  return heard == 2 * ROUNDS ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char** argv) {
  const char* progress = argc == 3 && strcmp(argv[1], "--progress") == 0 ? argv[2] : "";
  const int interrupts = strcmp(progress, "interrupts") == 0, thread = strcmp(progress, "thread") == 0;
  if (!interrupts && !thread && strcmp(progress, "none") != 0) {
    fprintf(stderr, "usage: dcmf_progress --progress none|thread|interrupts\n");
    return EXIT_FAILURE;
  }
  program_start();
  DCMF_Hardware_t hardware;
  DCMF_Hardware(&hardware);
  DCMF_Send_Configuration_t send = {
      DCMF_DEFAULT_SEND_PROTOCOL, DCMF_DEFAULT_NETWORK, receive_short, NULL, receive, NULL};
  DCMF_Control_Configuration_t control = {DCMF_DEFAULT_CONTROL_PROTOCOL, DCMF_DEFAULT_NETWORK, note_answer, NULL};
  DCMF_Send_register(&message, &send);
  DCMF_Control_register(&answer, &control);
  DCMF_Configure_t mode = {thread || interrupts ? DCMF_THREAD_MULTIPLE : DCMF_THREAD_SINGLE,
                           interrupts ? DCMF_INTERRUPTS_ON : DCMF_INTERRUPTS_OFF};
  DCMF_Messager_configure(&mode, &mode);
  if (interrupts && mode.interrupts != DCMF_INTERRUPTS_ON) {
    fprintf(stderr, "dcmf_progress: interrupts cannot be had\n");
    exit(EXIT_FAILURE);
  }
  program_barrier();
  int status = EXIT_SUCCESS;
  const size_t rank = DCMF_Messager_rank();
  if (rank == 0) {
    ask(8, hardware.clockMHz);
    ask(LONG, hardware.clockMHz);
  } else if (rank == 1) {
    pthread_t helper;
    if (thread && pthread_create(&helper, NULL, help, NULL) != 0) abort();
    status = compute(progress, hardware.clockMHz);
    stop = 1;
    if (thread) pthread_join(helper, NULL);
  }
  program_barrier();
  mode.thread_level = DCMF_THREAD_SINGLE;
  mode.interrupts = DCMF_INTERRUPTS_OFF;
  DCMF_Messager_configure(&mode, NULL);
  return program_end(status);
}
