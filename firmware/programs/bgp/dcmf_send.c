// SPDX-License-Identifier: Apache-2.0
// Sends messages of many sizes to the next rank, short, eager and by rendezvous, and checks every byte.
#include <stdio.h>
#include <stdlib.h>

#include "firmware/programs/bgp/dcmf_program.h"
#include "firmware/programs/contents.h"

enum { MOST = 100000, PROTOCOLS = 3 };
static const uint32_t kSizes[] = {0, 1, 16, 64, 208, 209, 224, 225, 240, 1000, 1200, 1201, 4096, 65536, MOST};
enum { SIZES = sizeof kSizes / sizeof kSizes[0] };

static uint8_t source[MOST];
static uint8_t target[MOST];
static volatile unsigned due;
static unsigned wrong, shorts, longs;
static uint32_t key_of_current;
static DCMF_Request_t reception;

static void check(const uint8_t* data, uint32_t bytes, uint32_t key) {
  const uint32_t right = program_check(data, bytes, key);
  if (right != bytes) {
    ++wrong;
    printf("message %u of %u bytes: byte %u is wrong\n", key, bytes, right);
  }
  --due;
}

static void receive_short(void* clientdata, const DCQuad* msginfo, unsigned count, size_t peer, const char* src,
                          size_t bytes) {
  (void)clientdata, (void)peer, (void)count;
  ++shorts;
  check((const uint8_t*)src, (uint32_t)bytes, msginfo->w0);
}

static void arrived(void* clientdata, DCMF_Error_t* error) {
  (void)error;
  check(target, (uint32_t)(uintptr_t)clientdata, key_of_current);
}

static DCMF_Request_t* receive(void* clientdata, const DCQuad* msginfo, unsigned count, size_t peer, size_t sndlen,
                               size_t* rcvlen, char** rcvbuf, DCMF_Callback_t* cb_done) {
  (void)clientdata, (void)peer, (void)count;
  ++longs;
  key_of_current = msginfo->w0;
  *rcvlen = sndlen;
  *rcvbuf = (char*)target;
  cb_done->function = arrived;
  cb_done->clientdata = (void*)sndlen;
  return &reception;
}

int main(void) {
  program_start();
  const unsigned rank = (unsigned)DCMF_Messager_rank(), size = (unsigned)DCMF_Messager_size();
  const unsigned next = (rank + 1) % size;
  static DCMF_Protocol_t protocols[PROTOCOLS];
  static const DCMF_Send_Protocol kKinds[PROTOCOLS] = {DCMF_DEFAULT_SEND_PROTOCOL, DCMF_EAGER_SEND_PROTOCOL,
                                                       DCMF_RZV_SEND_PROTOCOL};
  for (unsigned i = 0; i < PROTOCOLS; ++i) {
    DCMF_Send_Configuration_t configuration = {kKinds[i], DCMF_DEFAULT_NETWORK, receive_short, NULL, receive, NULL};
    if (DCMF_Send_register(&protocols[i], &configuration) != DCMF_SUCCESS) abort();
  }
  program_barrier();
  for (unsigned i = 0; i < PROTOCOLS; ++i) {
    for (unsigned s = 0; s < SIZES; ++s) {
      DCMF_Request_t request;
      volatile unsigned sending = 1;
      const DCMF_Callback_t cb_done = {program_count_down, (void*)&sending};
      const uint32_t key = i * SIZES + s;
      uint32_t words[8] = {0};
      uint32_t* info = &words[s % 4];  // as aligned as a client's own structure
      *info = key;
      program_fill(source, kSizes[s], key);
      due = 1;
      program_barrier();  // messages to this rank may come from here on
      if (DCMF_Send(&protocols[i], &request, cb_done, DCMF_MATCH_CONSISTENCY, next, kSizes[s], (char*)source,
                    (DCQuad*)(void*)info, 1) != DCMF_SUCCESS) {
        abort();
      }
      program_wait(&sending);
      program_wait(&due);
    }
  }
  printf("rank %u of %u: %u short and %u long messages, %u wrong\n", rank, size, shorts, longs, wrong);
  return program_end(wrong ? EXIT_FAILURE : EXIT_SUCCESS);
}
