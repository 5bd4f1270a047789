// SPDX-License-Identifier: Apache-2.0
// Groups: set operations, ranks and ranges, comparison, translation, handles, wrong arguments.
#include "check.h"

static int rank, size;

/// Whether a group has these members of MPI_COMM_WORLD, in this order.
static int has(MPI_Group group, int count, const int* members) {
  MPI_Group world;
  int found, same = 1;
  MPI_Group_size(group, &found);
  if (found != count) return 0;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  for (int i = 0; i < count; ++i) {
    int at = i, is;
    MPI_Group_translate_ranks(group, 1, &at, world, &is);
    same &= is == members[i];
  }
  MPI_Group_free(&world);
  return same;
}

static void sets(MPI_Group world) {
  // Even ranks backwards, and all that three divides.
  int* evens = malloc((size_t)size * sizeof *evens);
  int* threes = malloc((size_t)size * sizeof *threes);
  int* expected = malloc(2 * (size_t)size * sizeof *expected);
  int even_count = 0, three_count = 0, count = 0;
  for (int i = size - 1; i >= 0; --i) {
    if (i % 2 == 0) evens[even_count++] = i;
  }
  for (int i = 0; i < size; i += 3) threes[three_count++] = i;
  MPI_Group even, three, made;
  MPI_Group_incl(world, even_count, evens, &even);
  MPI_Group_incl(world, three_count, threes, &three);
  CHECK(has(even, even_count, evens), "incl keeps the order of the list");

  for (int i = 0; i < even_count; ++i) expected[count++] = evens[i];
  for (int i = 0; i < three_count; ++i) {
    if (threes[i] % 2 != 0) expected[count++] = threes[i];
  }
  MPI_Group_union(even, three, &made);
  CHECK(has(made, count, expected), "union is the first group, then the rest of the second");
  MPI_Group_free(&made);
  CHECK(made == MPI_GROUP_NULL, "a freed group's handle is null");

  count = 0;
  for (int i = 0; i < even_count; ++i) {
    if (evens[i] % 3 == 0) expected[count++] = evens[i];
  }
  MPI_Group_intersection(even, three, &made);
  CHECK(has(made, count, expected), "intersection is in the first group's order");
  MPI_Group_free(&made);

  count = 0;
  for (int i = 0; i < even_count; ++i) {
    if (evens[i] % 3 != 0) expected[count++] = evens[i];
  }
  MPI_Group_difference(even, three, &made);
  CHECK(has(made, count, expected), "difference is in the first group's order");
  if (count == 0) CHECK(made == MPI_GROUP_EMPTY, "an empty group is MPI_GROUP_EMPTY");
  MPI_Group_free(&made);

  count = 0;
  for (int i = 1; i < size; i += 2) expected[count++] = i;
  MPI_Group_excl(world, even_count, evens, &made);
  CHECK(has(made, count, expected), "excl keeps the order of the group");
  int my_rank;
  MPI_Group_rank(made, &my_rank);
  CHECK(my_rank == (rank % 2 != 0 ? rank / 2 : MPI_UNDEFINED), "rank %d in the odd group", my_rank);
  MPI_Group_free(&made);
  MPI_Group_difference(world, world, &made);
  CHECK(made == MPI_GROUP_EMPTY, "nothing is left");
  MPI_Group_free(&made);
  MPI_Group_free(&even);
  MPI_Group_free(&three);
  free(evens);
  free(threes);
  free(expected);
}

static void ranges(MPI_Group world) {
  int list[3][3] = {{size - 1, 0, -2}, {0, 0, 1}, {0, 0, 1}};
  int* expected = malloc((size_t)size * sizeof *expected);
  int count = 0;
  MPI_Group made;
  for (int i = size - 1; i >= 0; i -= 2) expected[count++] = i;
  MPI_Group_range_incl(world, 1, list, &made);
  CHECK(has(made, count, expected), "a range downwards by twos");
  MPI_Group_free(&made);
  count = 0;
  for (int i = 0; i < size; ++i) {
    if ((size - 1 - i) % 2 != 0) expected[count++] = i;
  }
  MPI_Group_range_excl(world, 1, list, &made);
  CHECK(has(made, count, expected), "the ranks outside the range");
  MPI_Group_free(&made);
  MPI_Group_range_incl(world, 0, NULL, &made);
  CHECK(made == MPI_GROUP_EMPTY, "no ranges, no members");
  if (size >= 2) {
    int twice[2][3] = {{0, 1, 1}, {1, 1, 1}};
    CHECK_ERROR(MPI_ERR_RANK, MPI_Group_range_incl(world, 2, twice, &made));
  }
  int beyond[1][3] = {{0, size, 1}}, no_step[1][3] = {{0, 0, 0}};
  CHECK_ERROR(MPI_ERR_RANK, MPI_Group_range_incl(world, 1, beyond, &made));
  CHECK_ERROR(MPI_ERR_ARG, MPI_Group_range_excl(world, 1, no_step, &made));
  free(expected);
}

static void comparison(MPI_Group world) {
  int result, backwards[1][3] = {{size - 1, 0, -1}}, first = 0;
  MPI_Group other, same, one;
  MPI_Group_range_incl(world, 1, backwards, &other);
  MPI_Comm_group(MPI_COMM_WORLD, &same);
  MPI_Group_incl(world, 1, &first, &one);
  MPI_Group_compare(world, same, &result);
  CHECK(result == MPI_IDENT, "the same group compares as %d", result);
  MPI_Group_compare(world, other, &result);
  CHECK(result == (size > 1 ? MPI_SIMILAR : MPI_IDENT), "the group backwards compares as %d", result);
  MPI_Group_compare(world, one, &result);
  CHECK(result == (size > 1 ? MPI_UNEQUAL : MPI_IDENT), "one process compares as %d", result);
  MPI_Group_compare(world, MPI_GROUP_EMPTY, &result);
  CHECK(result == MPI_UNEQUAL, "the empty group compares as %d", result);
  MPI_Group_compare(MPI_GROUP_EMPTY, MPI_GROUP_EMPTY, &result);
  CHECK(result == MPI_IDENT, "two empty groups compare as %d", result);
  int asked[2] = {size - 1, MPI_PROC_NULL}, answer[2];
  MPI_Group_translate_ranks(world, 2, asked, one, answer);
  CHECK(answer[0] == (size > 1 ? MPI_UNDEFINED : 0), "who is not there translates to %d", answer[0]);
  CHECK(answer[1] == MPI_PROC_NULL, "MPI_PROC_NULL translates to %d", answer[1]);
  // Every handle that was given is freed on its own.
  MPI_Group_free(&same);
  int count;
  CHECK_ERROR(MPI_SUCCESS, MPI_Group_size(world, &count));
  MPI_Group_free(&other);
  MPI_Group_free(&one);
}

static void errors(MPI_Group world) {
  MPI_Group made, freed;
  int value, twice[2] = {0, 0};
  MPI_Group_incl(world, 1, twice, &freed);
  MPI_Group kept = freed;
  MPI_Group_free(&freed);
  CHECK_ERROR(MPI_ERR_GROUP, MPI_Group_size(kept, &value));
  CHECK_ERROR(MPI_ERR_GROUP, MPI_Group_size(MPI_GROUP_NULL, &value));
  CHECK_ERROR(MPI_ERR_GROUP, MPI_Group_rank((MPI_Group)MPI_COMM_WORLD, &value));
  CHECK_ERROR(MPI_ERR_RANK, MPI_Group_incl(world, 2, twice, &made));
  CHECK_ERROR(MPI_ERR_RANK, MPI_Group_incl(world, 1, &size, &made));
  CHECK_ERROR(MPI_ERR_ARG, MPI_Group_incl(world, -1, twice, &made));
  CHECK_ERROR(MPI_ERR_RANK, MPI_Group_translate_ranks(world, 1, &size, world, &value));
  MPI_Group_size(MPI_GROUP_EMPTY, &value);
  CHECK(value == 0, "the empty group has %d members", value);
  MPI_Group_rank(MPI_GROUP_EMPTY, &value);
  CHECK(value == MPI_UNDEFINED, "rank %d in the empty group", value);
}

int main(int argc, char** argv) {
  MPI_Group world;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  sets(world);
  ranges(world);
  comparison(world);
  errors(world);
  MPI_Group_free(&world);
  return check_end();
}
