// SPDX-License-Identifier: Apache-2.0
// MPI_Comm_idup(): duplicates that are begun in other orders at other ranks, and meanwhile other communicators; between
// two groups; of duplicates; what they keep of the original.
#include "check.h"

static int rank, size;

/// Whether a message comes through on a communicator, and not on another one with the same tag.
static void apart(MPI_Comm first, MPI_Comm second, const char* what) {
  int me, many, from_first = -1, from_second = -1;
  MPI_Request requests[2];
  MPI_Comm_rank(first, &me);
  MPI_Comm_size(first, &many);
  const int next = (me + 1) % many, previous = (me + many - 1) % many;
  const int of_second = me + 1000;
  MPI_Isend(&of_second, 1, MPI_INT, next, 7, second, &requests[0]);
  MPI_Isend(&me, 1, MPI_INT, next, 7, first, &requests[1]);
  MPI_Recv(&from_first, 1, MPI_INT, previous, 7, first, MPI_STATUS_IGNORE);
  MPI_Recv(&from_second, 1, MPI_INT, previous, 7, second, MPI_STATUS_IGNORE);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK(from_first == previous && from_second == previous + 1000, "%s: %d and %d came from %d", what, from_first,
        from_second, previous);
}

/// Every rank is in two communicators of two: with the next rank, and with the one before it. They are duplicated in
/// the order that would hang, were one to wait for the other.
static void in_any_order(void) {
  MPI_Comm pairs[2] = {MPI_COMM_NULL, MPI_COMM_NULL}, copies[2] = {MPI_COMM_NULL, MPI_COMM_NULL};
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pairs[0]);
  MPI_Comm_split(MPI_COMM_WORLD, (rank + 1) / 2, rank, &pairs[1]);
  MPI_Request requests[2];
  for (int i = 0; i < 2; ++i) {
    const int which = (rank + i) % 2;
    CHECK_ERROR(MPI_SUCCESS, MPI_Comm_idup(pairs[which], &copies[which], &requests[i]));
  }
  MPI_Comm other;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);  // takes contexts while the duplicates are under way
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 2; ++i) {
    int result;
    MPI_Comm_compare(pairs[i], copies[i], &result);
    CHECK(result == MPI_CONGRUENT, "a duplicate compares as %d", result);
    apart(copies[i], pairs[i], "a pair and its duplicate");
  }
  apart(other, MPI_COMM_WORLD, "a blocking duplicate beside them");
  MPI_Comm_free(&other);
  for (int i = 0; i < 2; ++i) {
    MPI_Comm_free(&pairs[i]);
    MPI_Comm_free(&copies[i]);
  }
}

static int copied;

static int copy(MPI_Comm comm, int key, void* extra, void* in, void* out, int* flag) {
  (void)comm, (void)key, (void)extra;
  *(void**)out = in;
  *flag = 1;
  ++copied;
  return MPI_SUCCESS;
}

static void many(void) {
  enum { COPIES = 5 };
  MPI_Comm copies[COPIES], again;
  MPI_Request requests[COPIES];
  int key, value = 5, flag = 0, *found = NULL;
  MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, &value);
  for (int i = 0; i < COPIES; ++i) MPI_Comm_idup(MPI_COMM_WORLD, &copies[i], &requests[i]);
  MPI_Waitall(COPIES, requests, MPI_STATUSES_IGNORE);
  CHECK(copied == COPIES, "the copy function was called %d times", copied);
  MPI_Comm_get_attr(copies[0], key, &found, &flag);
  CHECK(flag && found == &value, "the attribute is copied");
  MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
  MPI_Comm_free_keyval(&key);
  for (int i = 1; i < COPIES; ++i) apart(copies[i], copies[i - 1], "duplicates of one");
  MPI_Comm_idup(copies[2], &again, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  apart(again, copies[2], "a duplicate of a duplicate");
  int sum = 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, again);
  CHECK(sum == size * (size - 1) / 2, "the sum of the ranks is %d", sum);
  MPI_Comm_free(&again);
  for (int i = 0; i < COPIES; ++i) MPI_Comm_free(&copies[i]);
}

static void between_groups(void) {
  if (size < 2) return;
  MPI_Comm half, both, copy_of_both;
  MPI_Request request;
  const int upper = rank >= size / 2;
  MPI_Comm_split(MPI_COMM_WORLD, upper, upper ? -rank : rank, &half);
  // The leaders are the first of each half: of the upper one, the last rank.
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, upper ? 0 : size - 1, 3, &both);
  MPI_Comm_idup(both, &copy_of_both, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  int me, others, sum = -1, result;
  MPI_Comm_rank(both, &me);
  MPI_Comm_remote_size(both, &others);
  MPI_Comm_compare(both, copy_of_both, &result);
  CHECK(result == MPI_CONGRUENT, "a duplicate between groups compares as %d", result);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, copy_of_both);
  int expected = 0;
  for (int other = 0; other < size; ++other) {
    if ((other >= size / 2) != upper) expected += other;
  }
  CHECK(sum == expected, "the other group's sum is %d, not %d", sum, expected);
  if (me < others) {
    int first = -1, second = -1;
    MPI_Request requests[2];
    MPI_Isend(&rank, 1, MPI_INT, me, 0, both, &requests[0]);
    MPI_Isend(&me, 1, MPI_INT, me, 0, copy_of_both, &requests[1]);
    MPI_Recv(&second, 1, MPI_INT, me, 0, copy_of_both, MPI_STATUS_IGNORE);
    MPI_Recv(&first, 1, MPI_INT, me, 0, both, MPI_STATUS_IGNORE);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK(second == me && first != rank, "%d and %d came between the groups", first, second);
  }
  MPI_Comm_free(&copy_of_both);
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  in_any_order();
  many();
  between_groups();
  return check_end();
}
