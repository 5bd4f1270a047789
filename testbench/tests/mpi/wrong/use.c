// SPDX-License-Identifier: Apache-2.0
// Wrong use as it happens, one kind an argument: programs that wait for ever, and errors that end the job.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { LONG = 50000 };  // elements: by rendezvous

static int rank, size, other, value, values[LONG];
static MPI_Comm world = MPI_COMM_WORLD;
static MPI_Comm copy;
static MPI_Request requests[2];

static void receive(int from, int tag) {
  MPI_Recv(&value, 1, MPI_INT, from, tag, world, MPI_STATUS_IGNORE);
}

static void send(int to, int tag) {
  MPI_Send(&value, 1, MPI_INT, to, tag, world);
}

// Waiting for ever -----------------------------------------------------------------------------------------------

static void receives_first(void) {
  receive(other, 1);
  send(other, 1);
}

static void long_sends_first(void) {
  MPI_Send(values, LONG, MPI_INT, other, 2, world);
  MPI_Recv(values, LONG, MPI_INT, other, 2, world, MPI_STATUS_IGNORE);
}

static void ring(void) {
  receive((rank + size - 1) % size, 3);
  send((rank + 1) % size, 3);
}

static void wrong_tag(void) {
  if (rank == 0) send(1, 4);
  if (rank == 1) receive(0, 5);
}

static void wrong_communicator(void) {
  if (rank == 0) send(1, 6);
  if (rank == 1) MPI_Recv(&value, 1, MPI_INT, 0, 6, copy, MPI_STATUS_IGNORE);
}

static void nobody_answers(void) {
  if (rank == 0) MPI_Ssend(&value, 1, MPI_INT, 1, 7, world);
}

static void to_itself(void) {
  if (rank == 0) receive(MPI_ANY_SOURCE, MPI_ANY_TAG);
}

static void two_requests(void) {
  MPI_Irecv(&values[0], 1, MPI_INT, other, 8, world, &requests[0]);
  MPI_Irecv(&values[1], 1, MPI_INT, other, 9, world, &requests[1]);
  send(other, 8);
}

static void waitall(void) {
  two_requests();
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void waitany(void) {
  int index;
  two_requests();
  for (int i = 0; i < 2; ++i) MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
}

static void waitsome(void) {
  int done = 0;
  two_requests();
  for (int i = 0; i < 2; i += done) MPI_Waitsome(2, requests, &done, values, MPI_STATUSES_IGNORE);
}

static void test(void) {
  int flag = 0;
  two_requests();
  while (!flag) MPI_Test(&requests[1], &flag, MPI_STATUS_IGNORE);
}

static void testall(void) {
  int flag = 0;
  two_requests();
  while (!flag) MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
}

static void testany(void) {
  int flag = 0, index;
  MPI_Irecv(&value, 1, MPI_INT, other, 9, world, &requests[0]);
  while (!flag) MPI_Testany(1, requests, &index, &flag, MPI_STATUS_IGNORE);
}

static void testsome(void) {
  int done = 0;
  MPI_Irecv(&value, 1, MPI_INT, other, 9, world, &requests[0]);
  while (done == 0) MPI_Testsome(1, requests, &done, values, MPI_STATUSES_IGNORE);
}

static void probe(void) {
  MPI_Status status;
  if (rank == 0) MPI_Probe(1, 10, world, &status);
}

static void iprobe(void) {
  int flag = 0;
  while (rank == 0 && !flag) MPI_Iprobe(MPI_ANY_SOURCE, 10, world, &flag, MPI_STATUS_IGNORE);
}

static void counted_tests(void) {
  volatile long turns = 0;
  MPI_Irecv(&value, 1, MPI_INT, other, 9, world, &requests[0]);
  for (int flag = 0; !flag; ++turns) MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
}

static void barrier_without_one(void) {
  if (rank != 0) MPI_Barrier(copy);
}

static void broadcast_without_one(void) {
  if (rank != 0) MPI_Bcast(&value, 1, MPI_INT, 1, world);
}

static void roots(void) {
  MPI_Bcast(&value, 1, MPI_INT, rank == 0 ? 0 : 1, world);
}

static void counts(void) {
  MPI_Allreduce(&values[0], &values[10], rank == 1 ? 3 : 2, MPI_INT, MPI_SUM, world);
}

static void two_collectives(void) {
  if (rank == 0) {
    MPI_Allreduce(&values[0], &values[10], 1, MPI_INT, MPI_SUM, world);
  } else {
    MPI_Bcast(values, 1, MPI_INT, 0, world);
  }
}

static void halves(void) {
  MPI_Comm half;
  MPI_Comm_split(world, rank % 2, rank, &half);
  MPI_Comm_set_name(half, "half");
  if (rank != 0) MPI_Barrier(half);
}

static void no_finalize_of_one(void) {
  if (rank == 1) receive(0, 12);
  if (rank == 0) exit(0);
}

// Errors ---------------------------------------------------------------------------------------------------------

static void truncated(void) {
  if (rank == 0) MPI_Send(values, 5, MPI_INT, 1, 1, world);
  if (rank == 1) MPI_Recv(values, 4, MPI_INT, 0, 1, world, MPI_STATUS_IGNORE);
}

static void truncated_long(void) {
  if (rank == 0) MPI_Send(values, LONG, MPI_INT, 1, 1, world);
  if (rank == 1) MPI_Recv(values, LONG / 2, MPI_INT, 0, 1, world, MPI_STATUS_IGNORE);
}

static void truncated_of_several(void) {
  if (rank == 0) {
    send(1, 8);
    MPI_Send(values, 5, MPI_INT, 1, 9, world);
  }
  if (rank != 1) return;
  MPI_Irecv(&value, 1, MPI_INT, 0, 8, world, &requests[0]);
  MPI_Irecv(values, 4, MPI_INT, 0, 9, world, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void types(void) {
  if (rank == 0) MPI_Send(values, 2, MPI_INT, 1, 1, world);
  if (rank == 1) MPI_Recv(values, 1, MPI_DOUBLE, 0, 1, world, MPI_STATUS_IGNORE);
}

static void uncommitted(void) {
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  if (rank == 1) MPI_Send(values, 1, pair, 0, 1, world);
}

static void freed_communicator(void) {
  MPI_Comm gone = copy;
  MPI_Comm_free(&copy);
  if (rank == 1) MPI_Send(&value, 1, MPI_INT, 0, 1, gone);
}

static void null_buffer(void) {
  if (rank == 1) MPI_Send(NULL, 1, MPI_INT, 0, 1, world);
}

static void null_receive(void) {
  if (rank == 1) MPI_Recv(NULL, 1, MPI_INT, 0, 1, world, MPI_STATUS_IGNORE);
}

static void negative_tag(void) {
  if (rank == 1) send(0, -5);
}

static void no_bsend_buffer(void) {
  if (rank == 1) MPI_Bsend(&value, 1, MPI_INT, 0, 1, world);
}

static void waited_twice(void) {
  MPI_Request again;
  MPI_Irecv(&value, 1, MPI_INT, rank, 1, world, &requests[0]);
  again = requests[0];
  send(rank, 1);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Wait(&again, MPI_STATUS_IGNORE);
}

static void same_buffer(void) {
  if (rank == 1) MPI_Allreduce(values, values, 1, MPI_INT, MPI_SUM, copy);
}

static void same_blocks(void) {
  int counts[4] = {1, 1, 1, 1}, places[4] = {0, 1, 2, 3};
  if (rank == 1) MPI_Alltoallv(values, counts, places, MPI_INT, values, counts, places, MPI_INT, copy);
}

static void leaves(void) {
  if (rank == 1) exit(0);
}

static void falls(void) {
  volatile int* volatile nowhere = NULL;
  if (rank == 1) *nowhere = 1;
}

static void never_received(void) {
  if (rank == 0) send(1, 13);
  if (rank == 0) send(1, 14);
  if (rank == 3) MPI_Irecv(&value, 1, MPI_INT, 2, 16, world, &requests[0]);
  MPI_Barrier(copy);
}

static void after_finalize(void) {
  MPI_Finalize();
  if (rank == 1) send(0, 1);
  exit(0);
}

static void init_twice(void) {
  if (rank == 1) MPI_Init(NULL, NULL);
}

static const struct {
  const char* name;
  void (*run)(void);
} uses[] = {
    {"receives first", receives_first},
    {"long sends first", long_sends_first},
    {"ring", ring},
    {"wrong tag", wrong_tag},
    {"wrong communicator", wrong_communicator},
    {"nobody answers", nobody_answers},
    {"to itself", to_itself},
    {"waitall", waitall},
    {"waitany", waitany},
    {"waitsome", waitsome},
    {"test", test},
    {"testall", testall},
    {"testany", testany},
    {"testsome", testsome},
    {"probe", probe},
    {"iprobe", iprobe},
    {"counted tests", counted_tests},
    {"barrier without one", barrier_without_one},
    {"broadcast without one", broadcast_without_one},
    {"roots", roots},
    {"counts", counts},
    {"two collectives", two_collectives},
    {"halves", halves},
    {"no finalize of one", no_finalize_of_one},
    {"truncated", truncated},
    {"truncated long", truncated_long},
    {"truncated of several", truncated_of_several},
    {"types", types},
    {"uncommitted", uncommitted},
    {"freed communicator", freed_communicator},
    {"null buffer", null_buffer},
    {"null receive", null_receive},
    {"negative tag", negative_tag},
    {"no bsend buffer", no_bsend_buffer},
    {"waited twice", waited_twice},
    {"same buffer", same_buffer},
    {"same blocks", same_blocks},
    {"leaves", leaves},
    {"falls", falls},
    {"never received", never_received},
    {"after finalize", after_finalize},
    {"init twice", init_twice},
};

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  if (strcmp(argv[1], "before init") == 0) MPI_Comm_rank(world, &rank);
  if (strcmp(argv[1], "thread level") == 0) MPI_Init_thread(&argc, &argv, 99, &value);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &size);
  MPI_Comm_dup(world, &copy);
  MPI_Comm_set_name(copy, "copy");
  other = rank ^ 1;
  for (unsigned i = 0; i < sizeof uses / sizeof *uses; ++i) {
    if (strcmp(argv[1], uses[i].name) == 0) uses[i].run();
  }
  if (strcmp(argv[1], "no finalize") == 0) return 0;
  MPI_Finalize();
  return 0;
}
