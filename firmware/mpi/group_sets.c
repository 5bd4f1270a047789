// SPDX-License-Identifier: Apache-2.0
// Groups made of groups.
#include <stdlib.h>
#include <string.h>

#include "firmware/mpi/comm.h"

/// A group whose first `size` members are filled in, as the program gets it.
static int finish(mpii_group_t* group, int size, MPI_Group* made) {
  group->size = size;
  if (size == 0) {
    *made = MPI_GROUP_EMPTY;
  } else {
    mpii_group_complete(group);
    *made = mpii_group_open(group);
  }
  mpii_group_release(group);  // the handle has a reference of its own
  return MPI_SUCCESS;
}

/// Append the members of `from` that are in a table, or that are not in it.
static int append(mpii_group_t* group, int size, const mpii_group_t* from, const int* table, bool in) {
  for (int rank = 0; rank < from->size; ++rank) {
    if ((table[from->ranks[rank]] >= 0) == in) group->ranks[size++] = from->ranks[rank];
  }
  return size;
}

static int of_two(const char* function, MPI_Group first_handle, MPI_Group second_handle, mpii_group_t** first,
                  mpii_group_t** second) {
  mpii_enter(function);
  MPII_TRY(mpii_group(NULL, first_handle, first));
  return mpii_group(NULL, second_handle, second);
}

int PMPI_Group_union(MPI_Group first_handle, MPI_Group second_handle, MPI_Group* made) {
  mpii_group_t *first, *second;
  MPII_TRY(of_two("MPI_Group_union", first_handle, second_handle, &first, &second));
  MPII_TRY(mpii_check_given(NULL, made, "made"));
  mpii_group_t* group = mpii_group_new(first->size + second->size);
  if (first->size != 0) memcpy(group->ranks, first->ranks, (size_t)first->size * sizeof *group->ranks);
  int* table = mpii_group_table(first);
  const int size = append(group, first->size, second, table, false);
  free(table);
  return finish(group, size, made);
}
MPII_PUBLIC(Group_union);

static int select_members(const mpii_group_t* first, const mpii_group_t* second, bool in, MPI_Group* made) {
  mpii_group_t* group = mpii_group_new(first->size);
  int* table = mpii_group_table(second);
  const int size = append(group, 0, first, table, in);
  free(table);
  return finish(group, size, made);
}

int PMPI_Group_intersection(MPI_Group first_handle, MPI_Group second_handle, MPI_Group* made) {
  mpii_group_t *first, *second;
  MPII_TRY(of_two("MPI_Group_intersection", first_handle, second_handle, &first, &second));
  MPII_TRY(mpii_check_given(NULL, made, "made"));
  return select_members(first, second, true, made);
}
MPII_PUBLIC(Group_intersection);

int PMPI_Group_difference(MPI_Group first_handle, MPI_Group second_handle, MPI_Group* made) {
  mpii_group_t *first, *second;
  MPII_TRY(of_two("MPI_Group_difference", first_handle, second_handle, &first, &second));
  MPII_TRY(mpii_check_given(NULL, made, "made"));
  return select_members(first, second, false, made);
}
MPII_PUBLIC(Group_difference);

// ---------------------------------------------------------------------------------------------------------------
// By ranks

/// Which ranks a program names, and in what order.
typedef struct {
  const mpii_group_t* group;
  bool* named;  ///< by rank
  int* ranks;   ///< in the order in which they were named
  int count;
} choice_t;

static choice_t choose(const mpii_group_t* group) {
  return (choice_t){group, mpii_allocate((size_t)group->size * sizeof(bool)),
                    mpii_allocate((size_t)group->size * sizeof(int)), 0};
}

static int name(choice_t* choice, int rank) {
  if (rank < 0 || rank >= choice->group->size) {
    return mpii_fail(NULL, MPI_ERR_RANK, "rank %d is named; the group has ranks 0 to %d", rank,
                     choice->group->size - 1);
  }
  if (choice->named[rank]) return mpii_fail(NULL, MPI_ERR_RANK, "rank %d is named twice", rank);
  choice->named[rank] = true;
  choice->ranks[choice->count++] = rank;
  return MPI_SUCCESS;
}

static int name_ranks(choice_t* choice, int count, const int* ranks) {
  for (int i = 0; i < count; ++i) MPII_TRY(name(choice, ranks[i]));
  return MPI_SUCCESS;
}

static int name_ranges(choice_t* choice, int count, int (*ranges)[3]) {
  for (int i = 0; i < count; ++i) {
    const int first = ranges[i][0], last = ranges[i][1], stride = ranges[i][2];
    if (stride == 0) return mpii_fail(NULL, MPI_ERR_ARG, "the stride of range %d is 0", i);
    if (stride > 0 ? first > last : first < last) {
      return mpii_fail(NULL, MPI_ERR_ARG, "range %d goes from %d to %d by steps of %d", i, first, last, stride);
    }
    for (int64_t rank = first; stride > 0 ? rank <= last : rank >= last; rank += stride) {
      MPII_TRY(name(choice, (int)rank));
    }
  }
  return MPI_SUCCESS;
}

/// Those that were named, or the others.
static int take(choice_t* choice, bool include, MPI_Group* made) {
  const mpii_group_t* from = choice->group;
  mpii_group_t* group = mpii_group_new(from->size);
  int size = 0;
  if (include) {
    while (size < choice->count) {
      group->ranks[size] = from->ranks[choice->ranks[size]];
      ++size;
    }
  } else {
    for (int rank = 0; rank < from->size; ++rank) {
      if (!choice->named[rank]) group->ranks[size++] = from->ranks[rank];
    }
  }
  return finish(group, size, made);
}

/// `ranks` has a rank each, or else `ranges` a range.
static int by_ranks(const char* function, MPI_Group handle, int count, const int* ranks, int (*ranges)[3],
                    bool in_ranges, bool include, MPI_Group* made) {
  mpii_group_t* group;
  mpii_enter(function);
  MPII_TRY(mpii_group(NULL, handle, &group));
  if (count < 0) return mpii_fail(NULL, MPI_ERR_ARG, "the number of ranks is %d; it must be 0 or more", count);
  MPII_TRY(in_ranges ? mpii_check_array(NULL, ranges, count, "ranges") : mpii_check_array(NULL, ranks, count, "ranks"));
  MPII_TRY(mpii_check_given(NULL, made, "made"));
  choice_t choice = choose(group);
  int error = in_ranges ? name_ranges(&choice, count, ranges) : name_ranks(&choice, count, ranks);
  if (error == MPI_SUCCESS) error = take(&choice, include, made);
  free(choice.named);
  free(choice.ranks);
  return error;
}

int PMPI_Group_incl(MPI_Group group, int count, const int ranks[], MPI_Group* made) {
  return by_ranks("MPI_Group_incl", group, count, ranks, NULL, false, true, made);
}
MPII_PUBLIC(Group_incl);

int PMPI_Group_excl(MPI_Group group, int count, const int ranks[], MPI_Group* made) {
  return by_ranks("MPI_Group_excl", group, count, ranks, NULL, false, false, made);
}
MPII_PUBLIC(Group_excl);

int PMPI_Group_range_incl(MPI_Group group, int count, int ranges[][3], MPI_Group* made) {
  return by_ranks("MPI_Group_range_incl", group, count, NULL, ranges, true, true, made);
}
MPII_PUBLIC(Group_range_incl);

int PMPI_Group_range_excl(MPI_Group group, int count, int ranges[][3], MPI_Group* made) {
  return by_ranks("MPI_Group_range_excl", group, count, NULL, ranges, true, false, made);
}
MPII_PUBLIC(Group_range_excl);
