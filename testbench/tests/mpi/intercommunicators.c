// SPDX-License-Identifier: Apache-2.0
// Intercommunicators: made, duplicated, split, cut down and merged; messages go to the other group.
#include "check.h"

static int rank, size;
static int upper, split_at;  // this process's group; the first rank of the second group

/// A process's rank in MPI_COMM_WORLD: rank i of either group.
static int world_rank(int group, int i) {
  return group ? split_at + i : i;
}

static void talk(MPI_Comm inter, int others, const int* other_ranks, const char* what) {
  // Everybody tells all of the other group who it is.
  MPI_Request* requests = malloc((size_t)others * sizeof *requests);
  for (int i = 0; i < others; ++i) MPI_Isend(&rank, 1, MPI_INT, i, 9, inter, &requests[i]);
  for (int i = 0; i < others; ++i) {
    int who = -1;
    MPI_Status status;
    MPI_Recv(&who, 1, MPI_INT, i, MPI_ANY_TAG, inter, &status);
    CHECK(status.MPI_SOURCE == i && status.MPI_TAG == 9, "%s: a message from %d, tag %d", what, status.MPI_SOURCE,
          status.MPI_TAG);
    CHECK(who == other_ranks[i], "%s: rank %d of the other group is %d, not %d", what, i, who, other_ranks[i]);
  }
  MPI_Waitall(others, requests, MPI_STATUSES_IGNORE);
  free(requests);
}

static void merge(MPI_Comm inter, int high) {
  MPI_Comm both;
  int me, count;
  MPI_Intercomm_merge(inter, high, &both);
  MPI_Comm_rank(both, &me);
  MPI_Comm_size(both, &count);
  CHECK(count == size, "merged there are %d processes", count);
  // The group that says it is high comes last.
  const int mine = upper ? size - split_at : split_at;
  const int expected = (high ? size - mine : 0) + (upper ? rank - split_at : rank);
  CHECK(me == expected, "merged with high %d it is rank %d, not %d", high, me, expected);
  int before;
  MPI_Sendrecv(&rank, 1, MPI_INT, (me + 1) % count, 0, &before, 1, MPI_INT, (me + count - 1) % count, 0, both,
               MPI_STATUS_IGNORE);
  MPI_Comm_free(&both);
  // Where both say the same each group is together, in the same order everywhere.
  MPI_Intercomm_merge(inter, 1, &both);
  MPI_Comm_rank(both, &me);
  int first = rank;
  if (me == 0) {
    for (int i = 1; i < size; ++i) MPI_Send(&first, 1, MPI_INT, i, 0, both);
  } else {
    MPI_Recv(&first, 1, MPI_INT, 0, 0, both, MPI_STATUS_IGNORE);
  }
  const int mine_first = (first >= split_at) == upper;
  CHECK(me == (mine_first ? 0 : size - mine) + (upper ? rank - split_at : rank), "merged it is rank %d", me);
  MPI_Comm_free(&both);
}

static void split_up(MPI_Comm inter, int mine, int others) {
  // By parity, backwards; then a colour that only one side has.
  MPI_Comm part;
  int me = rank - (upper ? split_at : 0), count = 0;
  int* other_ranks = malloc((size_t)size * sizeof *other_ranks);
  for (int i = others - 1; i >= 0; --i) {
    if (i % 2 == me % 2) other_ranks[count++] = world_rank(!upper, i);
  }
  MPI_Comm_split(inter, me % 2, -me, &part);
  CHECK((part == MPI_COMM_NULL) == (count == 0), "a part without others is null");
  if (part != MPI_COMM_NULL) {
    int here, there, is_inter, my_rank;
    MPI_Comm_size(part, &here);
    MPI_Comm_remote_size(part, &there);
    MPI_Comm_test_inter(part, &is_inter);
    MPI_Comm_rank(part, &my_rank);
    CHECK(is_inter && there == count && here == (mine + 1 - me % 2) / 2, "a part has %d and %d processes", here, there);
    CHECK(my_rank == here - 1 - me / 2, "in it it is rank %d", my_rank);
    talk(part, count, other_ranks, "split");
    MPI_Comm_free(&part);
  }
  MPI_Comm_split(inter, upper, 0, &part);
  CHECK(part == MPI_COMM_NULL, "a colour of one side only is null");

  // The first process of either side alone.
  MPI_Group local, one;
  MPI_Comm pair;
  int first = 0;
  MPI_Comm_group(inter, &local);
  MPI_Group_incl(local, 1, &first, &one);
  MPI_Comm_create(inter, one, &pair);
  CHECK((pair != MPI_COMM_NULL) == (me == 0), "only the first ones are in it");
  if (pair != MPI_COMM_NULL) {
    other_ranks[0] = world_rank(!upper, 0);
    talk(pair, 1, other_ranks, "create");
    MPI_Comm_free(&pair);
  }
  MPI_Comm_create(inter, upper ? local : MPI_GROUP_EMPTY, &pair);
  CHECK(pair == MPI_COMM_NULL, "one side without members gives no communicator");
  MPI_Group_free(&local);
  MPI_Group_free(&one);
  free(other_ranks);
}

int main(int argc, char** argv) {
  MPI_Comm half, inter, copy;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (size < 2) {
    CHECK_ERROR(MPI_ERR_RANK, MPI_Intercomm_create(MPI_COMM_WORLD, 1, MPI_COMM_WORLD, 0, 0, &inter));
    CHECK_ERROR(MPI_ERR_COMM, MPI_Intercomm_create(MPI_COMM_WORLD, 0, MPI_COMM_NULL, 0, 0, &inter));
    return check_end();
  }
  split_at = (size + 2) / 3;
  upper = rank >= split_at;
  const int mine = upper ? size - split_at : split_at, others = size - mine;
  int* other_ranks = malloc((size_t)others * sizeof *other_ranks);
  for (int i = 0; i < others; ++i) other_ranks[i] = world_rank(!upper, i);
  MPI_Comm_split(MPI_COMM_WORLD, upper, 0, &half);

  // Wrong, at the leaders: all members hear of it.
  CHECK_ERROR(MPI_ERR_COMM, MPI_Intercomm_create(half, 0, MPI_COMM_NULL, 0, 1, &inter));
  CHECK_ERROR(MPI_ERR_RANK, MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, size, 1, &inter));
  CHECK_ERROR(MPI_ERR_RANK, MPI_Intercomm_create(half, mine, MPI_COMM_WORLD, 0, 1, &inter));

  // The last of each are the leaders; only they know the communicator of both.
  MPI_Comm peer = rank == split_at - 1 || rank == size - 1 ? MPI_COMM_WORLD : MPI_COMM_NULL;
  MPI_Intercomm_create(half, mine - 1, peer, upper ? split_at - 1 : size - 1, 7, &inter);
  int flag, here, there, me;
  MPI_Comm_test_inter(inter, &flag);
  MPI_Comm_size(inter, &here);
  MPI_Comm_remote_size(inter, &there);
  MPI_Comm_rank(inter, &me);
  CHECK(flag && here == mine && there == others, "there are %d and %d processes", here, there);
  CHECK(me == (upper ? rank - split_at : rank), "rank %d", me);
  talk(inter, others, other_ranks, "intercommunicator");
  CHECK_ERROR(MPI_ERR_RANK, MPI_Send(&me, 1, MPI_INT, others, 0, inter));
  MPI_Group group;
  MPI_Comm_remote_group(inter, &group);
  MPI_Group_size(group, &here);
  MPI_Group_rank(group, &me);
  CHECK(here == others && me == MPI_UNDEFINED, "the remote group has %d members; this is its %d", here, me);
  MPI_Group_free(&group);

  MPI_Comm_dup(inter, &copy);
  MPI_Comm_compare(inter, copy, &flag);
  CHECK(flag == MPI_CONGRUENT, "a duplicate compares as %d", flag);
  MPI_Comm_compare(inter, half, &flag);
  CHECK(flag == MPI_UNEQUAL, "inter and intra compare as %d", flag);
  talk(copy, others, other_ranks, "duplicate");
  MPI_Comm_free(&copy);

  merge(inter, upper);
  merge(inter, !upper);
  split_up(inter, mine, others);
  CHECK_ERROR(MPI_ERR_COMM, MPI_Intercomm_create(inter, 0, MPI_COMM_WORLD, 0, 1, &copy));
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
  free(other_ranks);
  return check_end();
}
