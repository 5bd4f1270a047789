// SPDX-License-Identifier: Apache-2.0
// One-sided communication as programs use it: halos between fences, tasks from a counter, a pipeline of post and start,
// a mutex, a distributed hash table, a transposition. Each is checked against what one process computes.
#include <string.h>

#include "check.h"

static int rank, size;

/// Heat on a ring of cells: each rank's cells with a ghost at each end, put there by the neighbours.
static void halo_exchange(void) {
  enum { CELLS = 20, STEPS = 15 };
  double *cells, *all = malloc((size_t)(CELLS * size) * sizeof *all),
                 *now = malloc((size_t)(CELLS * size) * sizeof *now);
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  MPI_Win win;
  MPI_Win_allocate((CELLS + 2) * sizeof *cells, sizeof *cells, MPI_INFO_NULL, MPI_COMM_WORLD, &cells, &win);
  for (int i = 0; i < CELLS * size; ++i) all[i] = i * i % 23;
  for (int i = 0; i < CELLS; ++i) cells[i + 1] = all[rank * CELLS + i];
  MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
  for (int step = 0; step < STEPS; ++step) {
    MPI_Put(&cells[1], 1, MPI_DOUBLE, left, CELLS + 1, 1, MPI_DOUBLE, win);
    MPI_Put(&cells[CELLS], 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    double before = cells[0];
    for (int i = 1; i <= CELLS; ++i) {
      const double here = cells[i];
      cells[i] = (before + 2 * here + cells[i + 1]) / 4;
      before = here;
    }
    MPI_Win_fence(0, win);
    for (int i = 0; i < CELLS * size; ++i) {
      now[i] = (all[(i + CELLS * size - 1) % (CELLS * size)] + 2 * all[i] + all[(i + 1) % (CELLS * size)]) / 4;
    }
    memcpy(all, now, (size_t)(CELLS * size) * sizeof *all);
  }
  for (int i = 0; i < CELLS; ++i) CHECK(cells[i + 1] == all[rank * CELLS + i], "cell %d", i);
  MPI_Win_free(&win);
  free(all);
  free(now);
}

/// Tasks of different length, drawn from a counter at rank 0, which works as well.
static void task_counter(void) {
  enum { TASKS = 60 };
  int *counter, one = 1, task, *done = calloc(TASKS, sizeof *done), *sums = malloc(TASKS * sizeof *sums);
  MPI_Win win;
  MPI_Win_allocate(rank == 0 ? sizeof *counter : 0, sizeof *counter, MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &win);
  if (rank == 0) *counter = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  for (;;) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Fetch_and_op(&one, &task, MPI_INT, 0, 0, MPI_SUM, win);
    MPI_Win_unlock(0, win);
    if (task >= TASKS) break;
    volatile int work = 0;
    for (int i = 0; i < 50 * (task % 7); ++i) work += i;
    done[task] += 1;
  }
  MPI_Reduce(done, sums, TASKS, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  for (int i = 0; i < TASKS && rank == 0; ++i) CHECK(sums[i] == 1, "task %d was done %d times", i, sums[i]);
  MPI_Win_free(&win);
  free(done);
  free(sums);
}

/// Blocks go from rank to rank, each of which adds something.
static void pipeline(void) {
  enum { BLOCKS = 6, LENGTH = 100 };
  int *block, next[LENGTH];
  MPI_Win win;
  MPI_Group world, source, sink;
  const int up = rank - 1, down = rank + 1;
  MPI_Win_allocate(LENGTH * sizeof *block, sizeof *block, MPI_INFO_NULL, MPI_COMM_WORLD, &block, &win);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, rank > 0 ? 1 : 0, &up, &source);
  MPI_Group_incl(world, down < size ? 1 : 0, &down, &sink);
  for (int number = 0; number < BLOCKS; ++number) {
    if (rank == 0) {
      for (int i = 0; i < LENGTH; ++i) block[i] = number * i;
    } else {
      MPI_Win_post(source, 0, win);
      MPI_Win_wait(win);
      for (int i = 0; i < LENGTH; ++i) {
        CHECK(block[i] == number * i + rank - 1, "block %d, number %d: %d", number, i, block[i]);
        block[i] += 1;
      }
    }
    if (down == size) continue;
    memcpy(next, block, sizeof next);
    MPI_Win_start(sink, 0, win);
    MPI_Put(next, LENGTH, MPI_INT, down, 0, LENGTH, MPI_INT, win);
    MPI_Win_complete(win);
  }
  MPI_Group_free(&world);
  MPI_Group_free(&source);
  MPI_Group_free(&sink);
  MPI_Win_free(&win);
}

/// A mutex as a queue of those who wait (a byte each at rank 0); who leaves it wakes the next one by a message.
static void mutex(void) {
  unsigned char *waiting, mine, others[256];
  int *shared, value;
  MPI_Win win, data;
  MPI_Win_allocate(rank == 0 ? size : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &waiting, &win);
  MPI_Win_allocate(rank == 0 ? sizeof *shared : 0, sizeof *shared, MPI_INFO_NULL, MPI_COMM_WORLD, &shared, &data);
  if (rank == 0) {
    memset(waiting, 0, (size_t)size);
    *shared = 0;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int turn = 0; turn < 4; ++turn) {
    mine = 1;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Put(&mine, 1, MPI_UNSIGNED_CHAR, 0, rank, 1, MPI_UNSIGNED_CHAR, win);
    MPI_Get(others, size, MPI_UNSIGNED_CHAR, 0, 0, size, MPI_UNSIGNED_CHAR, win);
    MPI_Win_unlock(0, win);
    int before = 0;
    for (int i = 0; i < size; ++i) before |= i != rank && others[i] != 0;
    if (before) MPI_Recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, data);
    MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, data);
    MPI_Win_flush(0, data);
    value += 1;
    MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, data);
    MPI_Win_unlock(0, data);

    mine = 0;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Put(&mine, 1, MPI_UNSIGNED_CHAR, 0, rank, 1, MPI_UNSIGNED_CHAR, win);
    MPI_Get(others, size, MPI_UNSIGNED_CHAR, 0, 0, size, MPI_UNSIGNED_CHAR, win);
    MPI_Win_unlock(0, win);
    for (int i = 1; i < size; ++i) {
      const int next = (rank + i) % size;
      if (others[next] == 0) continue;
      MPI_Send(NULL, 0, MPI_INT, next, 11, MPI_COMM_WORLD);
      break;
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) CHECK(*shared == 4 * size, "%d turns in the mutex, not %d", *shared, 4 * size);
  MPI_Win_free(&data);
  MPI_Win_free(&win);
}

/// Keys go to a place that their hash names, or the next free one, claimed by compare-and-swap.
static void hash_table(void) {
  enum { PLACES = 32, KEYS = 10 };
  struct {
    int key, value;
  } * table;
  int none = -1, was, values[KEYS];  // what is put stays as it is until it is there
  MPI_Win win;
  MPI_Win_allocate(PLACES * sizeof *table, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &table, &win);
  for (int i = 0; i < PLACES; ++i) table[i].key = -1;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, win);
  for (int number = 0; number < KEYS; ++number) {
    const int key = number * size + rank;
    values[number] = 3 * key + 1;
    for (unsigned at = (unsigned)key * 2654435761u >> 4;; ++at) {
      const int place = (int)(at % (unsigned)(PLACES * size)), owner = place / PLACES;
      const MPI_Aint displacement = place % PLACES * 2;
      MPI_Compare_and_swap(&key, &none, &was, MPI_INT, owner, displacement, win);
      MPI_Win_flush(owner, win);
      if (was != -1) continue;
      MPI_Put(&values[number], 1, MPI_INT, owner, displacement + 1, 1, MPI_INT, win);
      break;
    }
  }
  MPI_Win_flush_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  // Each looks for the keys of the next one.
  for (int number = 0; number < KEYS; ++number) {
    const int key = number * size + (rank + 1) % size;
    int found[2] = {-1, -1};
    for (unsigned at = (unsigned)key * 2654435761u >> 4; found[0] != key; ++at) {
      const int place = (int)(at % (unsigned)(PLACES * size)), owner = place / PLACES;
      MPI_Get(found, 2, MPI_INT, owner, place % PLACES * 2, 2, MPI_INT, win);
      MPI_Win_flush(owner, win);
      if (found[0] == -1) break;
    }
    CHECK(found[0] == key && found[1] == 3 * key + 1, "key %d: %d, %d", key, found[0], found[1]);
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
}

/// A matrix, of which each rank has some rows, is transposed by putting columns where rows are.
static void transposition(void) {
  enum { ROWS = 6 };
  const int width = ROWS * size;
  double *to, *from = malloc((size_t)(ROWS * width) * sizeof *from);
  MPI_Win win;
  MPI_Datatype column;
  MPI_Win_allocate((MPI_Aint)((size_t)(ROWS * width) * sizeof *to), sizeof *to, MPI_INFO_NULL, MPI_COMM_WORLD, &to,
                   &win);
  MPI_Type_vector(ROWS, 1, width, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  for (int i = 0; i < ROWS * width; ++i) from[i] = rank * ROWS * width + i;
  MPI_Win_fence(0, win);
  for (int other = 0; other < size; ++other) {
    for (int i = 0; i < ROWS; ++i) {
      MPI_Put(&from[i * width + other * ROWS], ROWS, MPI_DOUBLE, other, rank * ROWS + i, 1, column, win);
    }
  }
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  int wrong = 0;
  for (int i = 0; i < ROWS; ++i) {
    for (int j = 0; j < width; ++j) wrong += to[i * width + j] != j * width + rank * ROWS + i;
  }
  CHECK(wrong == 0, "%d elements of the transposed matrix are wrong", wrong);
  MPI_Type_free(&column);
  MPI_Win_free(&win);
  free(from);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  halo_exchange();
  task_counter();
  pipeline();
  mutex();
  hash_table();
  transposition();
  return check_end();
}
