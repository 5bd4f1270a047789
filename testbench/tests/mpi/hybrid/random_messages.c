// SPDX-License-Identifier: Apache-2.0
// Random messages between all processes, of all lengths up to 1 MB, modes and alignments, some with gaps at the
// receiver: every byte is checked. An argument is the number of rounds.
#include <stdbool.h>

#include "../check.h"

enum { PER_RANK = 12, MOST = 256, TAGS = 1000 };

typedef struct {
  int from, to, tag, length, offset;
  bool synchronous, with_gaps;
} message_t;

static int rank, size;

/// The same at all ranks.
static message_t draw(unsigned* state, int tag) {
  message_t message = {.tag = tag};
  message.from = (int)(check_random(state) % (unsigned)size);
  message.to = (int)(check_random(state) % (unsigned)size);
  message.synchronous = check_random(state) % 3 == 0;
  message.with_gaps = check_random(state) % 4 == 0;
  message.offset = (int)(check_random(state) % 33);
  const unsigned kind = check_random(state) % 20, most = kind < 8    ? 260
                                                         : kind < 17 ? 5000
                                                         : kind < 19 ? 70000
                                                                     : 1 << 20;
  message.length = (int)(check_random(state) % most) & (message.with_gaps ? ~7 : ~0);
  return message;
}

static unsigned char byte_of(const message_t* message, int i) {
  return (unsigned char)(message->tag * 7 + i * 13 + (i >> 8));
}

/// The place of byte `i` in a buffer with gaps of 8 bytes behind every 8 bytes.
static int place_of(const message_t* message, int i) {
  return message->offset + (message->with_gaps ? i / 8 * 16 + i % 8 : i);
}

static MPI_Request receive(const message_t* message, unsigned char* buffer, bool from_any) {
  MPI_Request request;
  MPI_Datatype type = MPI_BYTE;
  if (message->with_gaps) {
    MPI_Type_vector(message->length / 8, 8, 16, MPI_BYTE, &type);
    MPI_Type_commit(&type);
  }
  MPI_Irecv(buffer + message->offset, message->with_gaps ? 1 : message->length, type,
            from_any ? MPI_ANY_SOURCE : message->from, message->tag, MPI_COMM_WORLD, &request);
  if (message->with_gaps) MPI_Type_free(&type);
  return request;
}

static MPI_Request start(const message_t* message, unsigned char* buffer) {
  MPI_Request request;
  for (int i = 0; i < message->length; ++i) buffer[message->offset + i] = byte_of(message, i);
  (message->synchronous ? MPI_Issend : MPI_Isend)(buffer + message->offset, message->length, MPI_BYTE, message->to,
                                                  message->tag, MPI_COMM_WORLD, &request);
  return request;
}

static void check(const message_t* message, const unsigned char* buffer) {
  for (int i = 0; i < message->length; ++i) {
    const unsigned char got = buffer[place_of(message, i)], wanted = byte_of(message, i);
    if (got == wanted) continue;
    CHECK(got == wanted, "byte %d of %d from rank %d is %d, not %d", i, message->length, message->from, got, wanted);
    return;
  }
}

static void play(int round, unsigned* state) {
  message_t messages[MOST];
  unsigned char* buffers[2 * MOST];
  MPI_Request requests[2 * MOST];
  const int count = PER_RANK * size < MOST ? PER_RANK * size : MOST;
  int used = 0;
  for (int i = 0; i < count; ++i) messages[i] = draw(state, round % TAGS * TAGS + i);
  for (int i = 0; i < count; ++i) {
    if (messages[i].to != rank) continue;
    buffers[used] = calloc(1, 2 * (size_t)messages[i].length + 64);
    requests[used] = receive(&messages[i], buffers[used], round % 2 != 0);
    used += 1;
  }
  if (round % 3 == 0) MPI_Barrier(MPI_COMM_WORLD);
  for (int i = count; i-- > 0;) {
    if (messages[i].from != rank) continue;
    buffers[used] = malloc((size_t)messages[i].length + 64);
    requests[used] = start(&messages[i], buffers[used]);
    used += 1;
  }
  MPI_Waitall(used, requests, MPI_STATUSES_IGNORE);
  for (int i = 0, at = 0; i < count; ++i) {
    if (messages[i].to == rank) check(&messages[i], buffers[at++]);
  }
  while (used > 0) free(buffers[--used]);
}

int main(int argc, char** argv) {
  unsigned state = 20081;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int rounds = argc > 1 ? atoi(argv[1]) : 4;
  for (int round = 0; round < rounds; ++round) play(round, &state);
  return check_end();
}
