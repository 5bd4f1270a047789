// SPDX-License-Identifier: Apache-2.0
// Messages between two processes: modes, order, wildcards, probes, persistent requests, cancelling, statuses, errors.
#include <string.h>

#include "check.h"

static int rank, size, next, previous;

static void fill(unsigned char* buffer, int bytes, unsigned seed) {
  for (int i = 0; i < bytes; ++i) buffer[i] = (unsigned char)check_random(&seed);
}

static int same(const unsigned char* buffer, int bytes, unsigned seed) {
  for (int i = 0; i < bytes; ++i) {
    if (buffer[i] != (unsigned char)check_random(&seed)) return 0;
  }
  return 1;
}

/// Around the ring by every mode and at every size where the protocol changes; offsets make buffers unaligned.
static void modes(void) {
  static const int sizes[] = {0, 1, 15, 224, 225, 240, 999, 1000, 1001, 5000, 70001};
  static unsigned char out[80000], in[80000], room[200000];
  MPI_Buffer_attach(room, sizeof room);
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    for (int mode = 0; mode < 4; ++mode) {
      const int bytes = sizes[i], from = (int)i % 3, to = (int)i % 5;
      const unsigned seed = 17u * i + (unsigned)mode;
      MPI_Request request, receive;
      MPI_Status status;
      fill(out + from, bytes, seed + (unsigned)rank);
      memset(in, 0xAA, sizeof in);
      MPI_Irecv(in + to, bytes + 10, MPI_BYTE, previous, mode, MPI_COMM_WORLD, &receive);
      if (mode == 0) MPI_Isend(out + from, bytes, MPI_BYTE, next, mode, MPI_COMM_WORLD, &request);
      if (mode == 1) MPI_Ibsend(out + from, bytes, MPI_BYTE, next, mode, MPI_COMM_WORLD, &request);
      if (mode == 2) MPI_Issend(out + from, bytes, MPI_BYTE, next, mode, MPI_COMM_WORLD, &request);
      if (mode == 3) MPI_Irsend(out + from, bytes, MPI_BYTE, next, mode, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      CHECK(request == MPI_REQUEST_NULL, "mode %d leaves a request", mode);
      if (mode == 1) memset(out + from, 0, (size_t)bytes);  // sent from the attached buffer
      MPI_Wait(&receive, &status);
      int count;
      MPI_Get_count(&status, MPI_BYTE, &count);
      CHECK(count == bytes && status.MPI_SOURCE == previous && status.MPI_TAG == mode, "status of %d bytes: %d from %d",
            bytes, count, status.MPI_SOURCE);
      CHECK(same(in + to, bytes, seed + (unsigned)previous), "mode %d: %d bytes came wrong", mode, bytes);
      CHECK(in[to + bytes] == 0xAA, "mode %d: %d bytes: the byte behind is written", mode, bytes);
    }
  }
  void* back;
  int length;
  MPI_Buffer_detach(&back, &length);
  CHECK(back == room && length == (int)sizeof room, "detached another buffer");
}

/// Messages of one sender do not overtake each other, whatever their protocols and whether expected or not.
static void order(void) {
  enum { MESSAGES = 60, MOST = 3000 };
  static int out[MESSAGES][MOST], in[MOST];
  MPI_Request requests[MESSAGES];
  unsigned seed = 5;
  int lengths[MESSAGES];
  for (int i = 0; i < MESSAGES; ++i) {
    lengths[i] = 1 + (int)(check_random(&seed) % (i % 3 == 0 ? 10u : i % 3 == 1 ? 200u : MOST));
    for (int k = 0; k < lengths[i]; ++k) out[i][k] = i;
    MPI_Isend(out[i], lengths[i], MPI_INT, next, 9, MPI_COMM_WORLD, &requests[i]);
  }
  if (rank % 2 == 1) {  // all have come before the first is asked for
    MPI_Status status;
    MPI_Probe(previous, 9, MPI_COMM_WORLD, &status);
  }
  for (int i = 0; i < MESSAGES; ++i) {
    MPI_Status status;
    int count;
    MPI_Recv(in, MOST, MPI_INT, MPI_ANY_SOURCE, i % 2 == 0 ? MPI_ANY_TAG : 9, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(count == lengths[i] && in[0] == i && in[count - 1] == i, "message %d is number %d of %d", i, in[0], count);
  }
  MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE);
}

/// A receive takes the message with its tag, not an earlier one with another.
static void tags(void) {
  int out[3] = {1, 2, 3}, in = 0;
  MPI_Request requests[3];
  for (int i = 0; i < 3; ++i) MPI_Isend(&out[i], 1, MPI_INT, next, 20 + i, MPI_COMM_WORLD, &requests[i]);
  for (int i = 2; i >= 0; --i) {
    MPI_Recv(&in, 1, MPI_INT, previous, 20 + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(in == out[i], "tag %d brought %d", 20 + i, in);
  }
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
}

static void probes(void) {
  int out[5] = {1, 2, 3, 4, 5}, in[5], flag = 0, count;
  MPI_Request request;
  MPI_Status status;
  MPI_Message message;
  MPI_Iprobe(previous, 31, MPI_COMM_WORLD, &flag, &status);
  CHECK(!flag, "a message that nobody sent");
  MPI_Isend(out, 5, MPI_INT, next, 30, MPI_COMM_WORLD, &request);
  while (!flag) MPI_Iprobe(MPI_ANY_SOURCE, 30, MPI_COMM_WORLD, &flag, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(count == 5 && status.MPI_SOURCE == previous, "probe says %d from %d", count, status.MPI_SOURCE);
  MPI_Mprobe(previous, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
  MPI_Iprobe(previous, 30, MPI_COMM_WORLD, &flag, &status);
  CHECK(!flag, "a message that was taken is found again");
  MPI_Mrecv(in, 5, MPI_INT, &message, &status);
  CHECK(memcmp(in, out, sizeof in) == 0 && message == MPI_MESSAGE_NULL, "a matched message came wrong");
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &message, &status);
  CHECK(message == MPI_MESSAGE_NO_PROC && status.MPI_SOURCE == MPI_PROC_NULL, "probe of MPI_PROC_NULL");
  MPI_Mrecv(in, 5, MPI_INT, &message, &status);
  CHECK(status.MPI_SOURCE == MPI_PROC_NULL, "receive from MPI_PROC_NULL");
}

static void persistent(void) {
  int out = 0, in = 0;
  MPI_Request requests[2];
  MPI_Status statuses[2];
  MPI_Send_init(&out, 1, MPI_INT, next, 40, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(&in, 1, MPI_INT, previous, 40, MPI_COMM_WORLD, &requests[1]);
  int flag = 0;
  MPI_Test(&requests[0], &flag, &statuses[0]);
  CHECK(flag && statuses[0].MPI_SOURCE == MPI_ANY_SOURCE, "an inactive request has an empty status");
  for (int turn = 0; turn < 5; ++turn) {
    out = 100 * turn + rank;
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, statuses);
    CHECK(in == 100 * turn + previous, "turn %d brought %d", turn, in);
    CHECK(requests[0] != MPI_REQUEST_NULL, "a persistent request is gone");
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  CHECK(requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL, "freed requests");
}

static void many(void) {
  enum { COUNT = 6 };
  int out[COUNT], in[COUNT], index, flag, done, indices[COUNT], seen = 0;
  MPI_Request sends[COUNT], receives[COUNT];
  MPI_Status statuses[COUNT];
  for (int i = 0; i < COUNT; ++i) {
    out[i] = 10 * rank + i;
    MPI_Irecv(&in[i], 1, MPI_INT, previous, 50 + i, MPI_COMM_WORLD, &receives[i]);
  }
  for (int i = COUNT; i-- > 0;) MPI_Isend(&out[i], 1, MPI_INT, next, 50 + i, MPI_COMM_WORLD, &sends[i]);
  MPI_Waitany(COUNT, receives, &index, &statuses[0]);
  CHECK(index >= 0 && index < COUNT && in[index] == 10 * previous + index && receives[index] == MPI_REQUEST_NULL,
        "waitany: %d", index);
  seen = 1;
  MPI_Waitsome(COUNT, receives, &done, indices, statuses);
  CHECK(done >= 1, "waitsome: %d", done);
  for (int i = 0; i < done; ++i) CHECK(in[indices[i]] == 10 * previous + indices[i], "waitsome brought a wrong one");
  seen += done;
  while (seen < COUNT) {
    MPI_Testsome(COUNT, receives, &done, indices, statuses);
    if (done > 0) seen += done;
  }
  MPI_Testsome(COUNT, receives, &done, indices, statuses);
  CHECK(done == MPI_UNDEFINED, "testsome of nothing: %d", done);
  MPI_Waitany(COUNT, receives, &index, &statuses[0]);
  CHECK(index == MPI_UNDEFINED, "waitany of nothing: %d", index);
  MPI_Testany(COUNT, receives, &index, &flag, &statuses[0]);
  CHECK(flag && index == MPI_UNDEFINED, "testany of nothing: %d", index);
  do {
    MPI_Testall(COUNT, sends, &flag, statuses);
  } while (!flag);
  for (int i = 0; i < COUNT; ++i) CHECK(sends[i] == MPI_REQUEST_NULL, "testall leaves request %d", i);
}

static void cancelling(void) {
  int in = 7, flag;
  MPI_Request request;
  MPI_Status status;
  MPI_Irecv(&in, 1, MPI_INT, previous, 61, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &flag);
  CHECK(flag && in == 7, "a receive that nothing matched is cancelled");
  int out = rank;
  MPI_Isend(&out, 1, MPI_INT, next, 60, MPI_COMM_WORLD, &request);
  MPI_Recv(&in, 1, MPI_INT, previous, 60, MPI_COMM_WORLD, &status);
  MPI_Test_cancelled(&status, &flag);
  CHECK(!flag && in == previous, "the next receive brought %d", in);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void exchanges(void) {
  int out[2] = {rank, -rank}, in[2];
  MPI_Status status;
  MPI_Sendrecv(out, 2, MPI_INT, next, 70, in, 2, MPI_INT, previous, 70, MPI_COMM_WORLD, &status);
  CHECK(in[0] == previous && in[1] == -previous, "sendrecv brought %d", in[0]);
  MPI_Sendrecv_replace(out, 2, MPI_INT, next, 71, previous, 71, MPI_COMM_WORLD, &status);
  CHECK(out[0] == previous && status.MPI_SOURCE == previous, "sendrecv_replace brought %d", out[0]);
  MPI_Sendrecv(out, 2, MPI_INT, MPI_PROC_NULL, 0, in, 2, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
  int count;
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(count == 0 && status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG, "MPI_PROC_NULL's status");
}

static void errors(void) {
  char byte = 0, two[2];
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK_ERROR(MPI_ERR_RANK, MPI_Send(&byte, 1, MPI_CHAR, size, 0, MPI_COMM_WORLD));
  CHECK_ERROR(MPI_ERR_RANK, MPI_Send(&byte, 1, MPI_CHAR, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD));
  CHECK_ERROR(MPI_ERR_TAG, MPI_Send(&byte, 1, MPI_CHAR, 0, -1, MPI_COMM_WORLD));
  CHECK_ERROR(MPI_ERR_COUNT, MPI_Send(&byte, -1, MPI_CHAR, 0, 0, MPI_COMM_WORLD));
  CHECK_ERROR(MPI_ERR_TYPE, MPI_Send(&byte, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD));
  CHECK_ERROR(MPI_ERR_TYPE, MPI_Send(NULL, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
  CHECK_ERROR(MPI_ERR_TYPE, MPI_Recv(NULL, 0, MPI_DATATYPE_NULL, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status));
  CHECK_ERROR(MPI_ERR_COMM, MPI_Send(&byte, 1, MPI_CHAR, 0, 0, MPI_COMM_NULL));
  CHECK_ERROR(MPI_ERR_BUFFER, MPI_Send(NULL, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD));
  CHECK_ERROR(MPI_ERR_TAG, MPI_Recv(&byte, 1, MPI_CHAR, 0, -7, MPI_COMM_WORLD, &status));
  CHECK_ERROR(MPI_ERR_BUFFER, MPI_Bsend(&byte, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD));
  request = 0x7777777;
  CHECK_ERROR(MPI_ERR_REQUEST, MPI_Wait(&request, &status));
  MPI_Datatype type;
  MPI_Type_contiguous(2, MPI_INT, &type);
  CHECK_ERROR(MPI_ERR_TYPE, MPI_Send(two, 1, type, 0, 0, MPI_COMM_WORLD));  // not committed
  MPI_Type_free(&type);
  for (int bytes = 2; bytes <= 5000; bytes += 4998) {  // longer than the receive, expected and not
    static char out[5000];
    MPI_Isend(out, bytes, MPI_CHAR, next, 80, MPI_COMM_WORLD, &request);
    two[1] = 'x';
    CHECK_ERROR(MPI_ERR_TRUNCATE, MPI_Recv(two, 1, MPI_CHAR, previous, 80, MPI_COMM_WORLD, &status));
    CHECK(two[1] == 'x', "a message wrote behind the buffer of its receive");
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  double real = 1;
  int whole;
  MPI_Isend(&real, 1, MPI_DOUBLE, next, 81, MPI_COMM_WORLD, &request);
  CHECK_ERROR(MPI_ERR_TYPE, MPI_Recv(&real, 2, MPI_INT, previous, 81, MPI_COMM_WORLD, &status));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Isend(&rank, 1, MPI_UNSIGNED, next, 82, MPI_COMM_WORLD, &request);
  CHECK_ERROR(MPI_SUCCESS, MPI_Recv(&whole, 1, MPI_INTEGER, previous, 82, MPI_COMM_WORLD, &status));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  next = (rank + 1) % size;
  previous = (rank + size - 1) % size;
  modes();
  order();
  tags();
  probes();
  persistent();
  many();
  cancelling();
  exchanges();
  errors();
  return check_end();
}
