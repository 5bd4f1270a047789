// SPDX-License-Identifier: Apache-2.0
// Communicators: dup, split, create, create_group, split_type; isolation, names, hints, freeing while messages are
// under way, wrong arguments.
#include <string.h>

#include "check.h"

static int rank, size;

/// Whether messages go to the right members: each tells the next one, round the ring, who it is in MPI_COMM_WORLD;
/// `members` are in rank order, or NULL: not known.
static void ring(MPI_Comm comm, const int* members, const char* what) {
  int me, count, before = -1;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &count);
  const int from = (me + count - 1) % count;
  MPI_Sendrecv(&rank, 1, MPI_INT, (me + 1) % count, 3, &before, 1, MPI_INT, from, 3, comm, MPI_STATUS_IGNORE);
  if (members != NULL) {
    CHECK(members[me] == rank, "%s: rank %d in it is the world's %d, not %d", what, me, rank, members[me]);
    CHECK(before == members[from], "%s: a message from rank %d came from the world's %d", what, from, before);
  }
}

static void duplicates(void) {
  MPI_Comm copy, second;
  int result, *world = malloc((size_t)size * sizeof *world);
  for (int i = 0; i < size; ++i) world[i] = i;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_dup(copy, &second);
  MPI_Comm_compare(MPI_COMM_WORLD, copy, &result);
  CHECK(result == MPI_CONGRUENT, "a duplicate compares as %d", result);
  MPI_Comm_compare(copy, copy, &result);
  CHECK(result == MPI_IDENT, "a communicator compares with itself as %d", result);
  MPI_Comm_compare(copy, MPI_COMM_SELF, &result);
  CHECK(result == (size > 1 ? MPI_UNEQUAL : MPI_CONGRUENT), "a duplicate compares with MPI_COMM_SELF as %d", result);
  ring(copy, world, "duplicate");
  // Messages stay in their communicator, whatever is asked for first.
  int one = 1, two = 2, three = 3, got[3] = {0};
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  MPI_Request requests[3];
  MPI_Isend(&one, 1, MPI_INT, to, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&two, 1, MPI_INT, to, 0, copy, &requests[1]);
  MPI_Isend(&three, 1, MPI_INT, to, 0, second, &requests[2]);
  MPI_Recv(&got[2], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, second, MPI_STATUS_IGNORE);
  MPI_Recv(&got[1], 1, MPI_INT, from, 0, copy, MPI_STATUS_IGNORE);
  MPI_Recv(&got[0], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  CHECK(got[0] == 1 && got[1] == 2 && got[2] == 3, "received %d, %d, %d", got[0], got[1], got[2]);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&second);
  CHECK(copy == MPI_COMM_NULL, "a freed communicator's handle is null");
  free(world);
}

static void splits(void) {
  // Thirds, backwards.
  MPI_Comm part;
  int* members = malloc((size_t)size * sizeof *members);
  int count = 0, found;
  for (int i = size - 1; i >= 0; --i) {
    if (i % 3 == rank % 3) members[count++] = i;
  }
  MPI_Comm_split(MPI_COMM_WORLD, rank % 3, -rank, &part);
  MPI_Comm_size(part, &found);
  CHECK(found == count, "a third has %d members, not %d", found, count);
  ring(part, members, "split");
  // A part of the part; ranks 0 of the parts stay out. Equal keys keep the order.
  MPI_Comm smaller;
  int me;
  MPI_Comm_rank(part, &me);
  MPI_Comm_split(part, me == 0 ? MPI_UNDEFINED : 5, 0, &smaller);
  CHECK((smaller == MPI_COMM_NULL) == (me == 0), "who names no colour gets no communicator");
  if (smaller != MPI_COMM_NULL) {
    ring(smaller, members + 1, "split of a split");
    MPI_Comm_free(&smaller);
  }
  MPI_Comm_free(&part);
  // The processes of a node.
  MPI_Comm node;
  char mine[MPI_MAX_PROCESSOR_NAME], other[MPI_MAX_PROCESSOR_NAME];
  int length;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &found);
  MPI_Comm_rank(node, &me);
  MPI_Get_processor_name(mine, &length);
  *strstr(mine, " core") = '\0';
  memset(other, 0, sizeof other);
  MPI_Sendrecv(mine, sizeof mine, MPI_CHAR, (me + 1) % found, 0, other, sizeof other, MPI_CHAR,
               (me + found - 1) % found, 0, node, MPI_STATUS_IGNORE);
  CHECK(strcmp(mine, other) == 0, "%s and %s are one node", mine, other);
  MPI_Comm_free(&node);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_UNDEFINED, 0, MPI_INFO_NULL, &node);
  CHECK(node == MPI_COMM_NULL, "who names no type gets no communicator");
  free(members);
}

static void created(void) {
  MPI_Group world, half;
  MPI_Comm comm;
  const int lower = (size + 1) / 2;
  int range[1][3] = {{0, lower - 1, 1}};
  int* members = malloc((size_t)size * sizeof *members);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  // Both halves at once, each by its own group: they may share a context.
  if (rank >= lower) {
    range[0][0] = size - 1;
    range[0][1] = lower;
    range[0][2] = -1;
  }
  for (int i = 0; i < size; ++i) members[i] = range[0][0] + i * range[0][2];
  MPI_Group_range_incl(world, 1, range, &half);
  MPI_Comm_create(MPI_COMM_WORLD, half, &comm);
  ring(comm, members, "create, of halves");
  // One group, which not all are in; the others pass it or none.
  MPI_Comm few;
  int two[2] = {size - 1, 0};
  MPI_Group pair;
  MPI_Group_incl(world, size > 1 ? 2 : 1, two, &pair);
  const int in = rank == 0 || rank == size - 1;
  MPI_Comm_create(MPI_COMM_WORLD, in || rank % 2 != 0 ? pair : MPI_GROUP_EMPTY, &few);
  CHECK((few != MPI_COMM_NULL) == in, "only members get the communicator");
  if (in) {
    ring(few, two, "create");
    MPI_Comm_free(&few);
  }
  // Called by the members alone; twice with other tags.
  if (in) {
    MPI_Comm again;
    MPI_Comm_create_group(MPI_COMM_WORLD, pair, 0x7FFFFFFF, &few);
    MPI_Comm_create_group(MPI_COMM_WORLD, pair, 0, &again);
    ring(few, two, "create_group");
    ring(again, two, "create_group again");
    int result;
    MPI_Comm_compare(few, again, &result);
    CHECK(result == MPI_CONGRUENT, "both compare as %d", result);
    MPI_Comm_free(&few);
    MPI_Comm_free(&again);
  }
  // Afterwards contexts are still agreed on: some processes have made more communicators than others.
  MPI_Comm all;
  MPI_Comm_dup(MPI_COMM_WORLD, &all);
  ring(all, NULL, "dup after create_group");
  for (int i = 0; i < size; ++i) members[i] = i;
  ring(all, members, "dup after create_group");
  MPI_Comm_free(&all);
  MPI_Comm_free(&comm);
  MPI_Group_free(&world);
  MPI_Group_free(&half);
  MPI_Group_free(&pair);
  free(members);
}

static void freed_early(void) {
  enum { LONG = 5000 };
  static int out[LONG], in[LONG];
  MPI_Comm comm;
  MPI_Request requests[2];
  for (int i = 0; i < LONG; ++i) out[i] = rank + i;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Isend(out, LONG, MPI_INT, (rank + 1) % size, 1, comm, &requests[0]);
  MPI_Irecv(in, LONG, MPI_INT, (rank + size - 1) % size, 1, comm, &requests[1]);
  MPI_Comm kept = comm;
  MPI_Comm_free(&comm);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  const int from = (rank + size - 1) % size;
  CHECK(in[0] == from && in[LONG - 1] == from + LONG - 1, "received %d and %d", in[0], in[LONG - 1]);
  CHECK_ERROR(MPI_ERR_COMM, MPI_Comm_size(kept, &in[0]));
  // Disconnecting waits for what is under way.
  memset(in, 0, sizeof in);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Isend(out, LONG, MPI_INT, (rank + 1) % size, 1, comm, &requests[0]);
  MPI_Irecv(in, LONG, MPI_INT, from, 1, comm, &requests[1]);
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Comm_disconnect(&comm);
  CHECK(comm == MPI_COMM_NULL && in[0] == from && in[LONG - 1] == from + LONG - 1, "received %d and %d", in[0],
        in[LONG - 1]);
}

static void names_and_hints(void) {
  MPI_Comm comm;
  MPI_Info info, hints;
  char name[MPI_MAX_OBJECT_NAME], value[16], long_name[2 * MPI_MAX_OBJECT_NAME];
  int length, flag;
  MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
  CHECK(strcmp(name, "MPI_COMM_WORLD") == 0 && length == 14, "the name is '%s', %d", name, length);
  MPI_Comm_get_name(MPI_COMM_SELF, name, &length);
  CHECK(strcmp(name, "MPI_COMM_SELF") == 0, "the name is '%s'", name);
  MPI_Info_create(&info);
  MPI_Info_set(info, "hint", "taken");
  MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);
  MPI_Info_free(&info);
  MPI_Comm_get_name(comm, name, &length);
  CHECK(length == 0 && name[0] == '\0', "a new communicator's name is '%s'", name);
  MPI_Comm_set_name(comm, "mine");
  MPI_Comm_get_name(comm, name, &length);
  CHECK(strcmp(name, "mine") == 0 && length == 4, "the name is '%s', %d", name, length);
  memset(long_name, 'x', sizeof long_name);
  long_name[sizeof long_name - 1] = '\0';
  MPI_Comm_set_name(comm, long_name);
  MPI_Comm_get_name(comm, name, &length);
  CHECK(length == MPI_MAX_OBJECT_NAME - 1 && name[length] == '\0', "a long name is cut to %d", length);
  MPI_Comm_get_info(comm, &hints);
  MPI_Info_get(hints, "hint", 15, value, &flag);
  CHECK(flag && strcmp(value, "taken") == 0, "the hint is %s", flag ? value : "missing");
  MPI_Info_free(&hints);
  MPI_Comm copy;
  MPI_Comm_dup(comm, &copy);
  MPI_Comm_get_info(copy, &hints);
  MPI_Info_get(hints, "hint", 15, value, &flag);
  CHECK(flag && strcmp(value, "taken") == 0, "a copy's hint is %s", flag ? value : "missing");
  MPI_Info_free(&hints);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&comm);
}

static void errors(void) {
  MPI_Comm made, world = MPI_COMM_WORLD, self = MPI_COMM_SELF;
  MPI_Group group;
  int value;
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  CHECK_ERROR(MPI_ERR_COMM, MPI_Comm_free(&world));
  CHECK_ERROR(MPI_ERR_COMM, MPI_Comm_free(&self));
  CHECK_ERROR(MPI_ERR_COMM, MPI_Comm_size(MPI_COMM_NULL, &value));
  CHECK_ERROR(MPI_ERR_COMM, MPI_Comm_dup(MPI_COMM_NULL, &made));
  CHECK_ERROR(MPI_ERR_COMM, MPI_Comm_rank((MPI_Comm)MPI_INT, &value));
  CHECK_ERROR(MPI_ERR_COMM, MPI_Comm_remote_size(MPI_COMM_WORLD, &value));
  CHECK_ERROR(MPI_ERR_COMM, MPI_Comm_remote_group(MPI_COMM_WORLD, &group));
  CHECK_ERROR(MPI_ERR_COMM, MPI_Intercomm_merge(MPI_COMM_WORLD, 0, &made));
  CHECK_ERROR(MPI_ERR_ARG, MPI_Comm_split(MPI_COMM_WORLD, -1, 0, &made));
  CHECK_ERROR(MPI_ERR_ARG, MPI_Comm_split_type(MPI_COMM_WORLD, 4711, 0, MPI_INFO_NULL, &made));
  CHECK_ERROR(MPI_ERR_GROUP, MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_NULL, &made));
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  if (size > 1) {
    CHECK_ERROR(MPI_ERR_GROUP, MPI_Comm_create(MPI_COMM_SELF, group, &made));
    CHECK_ERROR(MPI_ERR_GROUP, MPI_Comm_create_group(MPI_COMM_SELF, group, 0, &made));
  }
  CHECK_ERROR(MPI_ERR_TAG, MPI_Comm_create_group(MPI_COMM_WORLD, group, -1, &made));
  MPI_Group_free(&group);
  MPI_Comm_get_parent(&made);
  CHECK(made == MPI_COMM_NULL, "nobody has a parent");
  MPI_Comm_test_inter(MPI_COMM_WORLD, &value);
  CHECK(value == 0, "MPI_COMM_WORLD is no intercommunicator");
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  duplicates();
  splits();
  created();
  freed_early();
  names_and_hints();
  errors();
  return check_end();
}
