// SPDX-License-Identifier: Apache-2.0
// Threads that call MPI at the same time, if the machine provides MPI_THREAD_MULTIPLE; otherwise the main thread does
// the work of all.
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "check.h"

enum { THREADS = 4, TURNS = 6, ALONE_TURNS = 2 };

static int rank, size, level;
static int turns = TURNS;   ///< fewer where the main thread does all
static int team = THREADS;  ///< threads that there are, or whose work the main thread does
static pthread_mutex_t report = PTHREAD_MUTEX_INITIALIZER, gate = PTHREAD_MUTEX_INITIALIZER;

#define CHECK_HERE(...)            \
  do {                             \
    pthread_mutex_lock(&report);   \
    CHECK(__VA_ARGS__);            \
    pthread_mutex_unlock(&report); \
  } while (0)

/// What a thread works with.
typedef struct {
  int number;
  MPI_Comm comm;  ///< its own, of all processes
} own_t;

/// Messages between two processes, a tag for each thread, of lengths that take every protocol.
static void ping_pong(const own_t* own) {
  static const int lengths[] = {0, 8, 200, 1000, 5000, 40000};
  enum { LENGTHS = sizeof lengths / sizeof *lengths };
  const int peer = rank ^ 1;
  if (peer >= size) return;
  unsigned char* buffer = malloc(40000);
  for (int turn = 0; turn < turns * LENGTHS; ++turn) {
    const int length = lengths[turn % LENGTHS];
    const unsigned char mine = (unsigned char)(16 * own->number + turn), theirs = mine;
    MPI_Status status;
    int got;
    memset(buffer, mine, (size_t)length);
    if (rank < peer) MPI_Send(buffer, length, MPI_BYTE, peer, own->number, MPI_COMM_WORLD);
    memset(buffer, 0xFF, rank < peer ? (size_t)length : 0);
    MPI_Recv(buffer, length, MPI_BYTE, peer, own->number, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_BYTE, &got);
    CHECK_HERE(got == length && status.MPI_SOURCE == peer && status.MPI_TAG == own->number,
               "%d bytes of %d from rank %d with tag %d", got, length, status.MPI_SOURCE, status.MPI_TAG);
    for (int i = 0; i < length; ++i) {
      if (buffer[i] == theirs) continue;
      CHECK_HERE(false, "byte %d of %d is %d, not %d", i, length, buffer[i], theirs);
      break;
    }
    if (rank > peer) MPI_Send(buffer, length, MPI_BYTE, peer, own->number, MPI_COMM_WORLD);
  }
  free(buffer);
}

/// Waiting for any, for some and for all, while other threads wait as well.
static void waits(const own_t* own) {
  enum { COUNT = 6 };
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  for (int turn = 0; turn < turns; ++turn) {
    int from[COUNT], to[COUNT], index, left = COUNT;
    MPI_Request receives[COUNT], sends[COUNT];
    for (int i = 0; i < COUNT; ++i) {
      MPI_Irecv(&from[i], 1, MPI_INT, previous, i, own->comm, &receives[i]);
    }
    for (int i = COUNT; i-- > 0;) {
      to[i] = 1000 * own->number + 10 * turn + i;
      MPI_Issend(&to[i], 1, MPI_INT, next, i, own->comm, &sends[i]);
    }
    while (left != 0 && turn % 2 == 0) {
      MPI_Waitany(COUNT, receives, &index, MPI_STATUS_IGNORE);
      left -= 1;
    }
    while (left != 0) {
      int indices[COUNT], done;
      MPI_Waitsome(COUNT, receives, &done, indices, MPI_STATUSES_IGNORE);
      left -= done;
    }
    for (int flag = 0; !flag;) MPI_Testall(COUNT, sends, &flag, MPI_STATUSES_IGNORE);
    for (int i = 0; i < COUNT; ++i) CHECK_HERE(from[i] == to[i], "%d instead of %d", from[i], to[i]);
  }
}

/// Collective operations of each thread's communicator, and of those that it makes of it.
static void collectives(const own_t* own) {
  for (int turn = 0; turn < turns; ++turn) {
    MPI_Comm copy, part;
    const int mine = rank + 100 * own->number;
    int sum, first = mine;
    MPI_Comm_dup(own->comm, &copy);
    MPI_Comm_split(copy, rank % 2, -rank, &part);
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, copy);
    CHECK_HERE(sum == size * (size - 1) / 2 + 100 * own->number * size, "the sum is %d", sum);
    MPI_Bcast(&first, 1, MPI_INT, size - 1, copy);
    CHECK_HERE(first == size - 1 + 100 * own->number, "%d was broadcast", first);
    MPI_Barrier(own->comm);
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_MAX, part);
    const int last = size - 1 - ((size - 1) % 2 != rank % 2);
    CHECK_HERE(sum == last + 100 * own->number, "the greatest is %d", sum);
    MPI_Comm_free(&part);
    MPI_Comm_free(&copy);
    // One thread is in the operations of all processes that networks perform.
    if (own->number == 0) {
      MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      CHECK_HERE(sum == size * (size - 1) / 2, "the sum of all is %d", sum);
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }
}

/// Messages that any of the threads may take: each is received once.
static int taken[THREADS][TURNS];
static void probes(const own_t* own) {
  enum { TAG = 900 };
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  for (int turn = 0; turn < turns; ++turn) {
    const int mine[2] = {own->number, turn};
    int got[2] = {0, 0}, count;
    MPI_Message message;
    MPI_Status status;
    MPI_Request request;
    MPI_Isend(mine, 2, MPI_INT, next, TAG, MPI_COMM_WORLD, &request);
    MPI_Mprobe(previous, TAG, MPI_COMM_WORLD, &message, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    MPI_Mrecv(got, count, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    pthread_mutex_lock(&report);
    taken[got[0]][got[1]] += 1;
    pthread_mutex_unlock(&report);
  }
}

static int grequest_query(void* extra, MPI_Status* status) {
  (void)extra;
  MPI_Status_set_elements(status, MPI_INT, 0);
  MPI_Status_set_cancelled(status, 0);
  return MPI_SUCCESS;
}

static int grequest_free(void* extra) {
  (void)extra;
  return MPI_SUCCESS;
}

static int grequest_cancel(void* extra, int complete) {
  (void)extra, (void)complete;
  return MPI_SUCCESS;
}

/// A request that one thread waits for and another one completes; and buffered sends of all threads.
static MPI_Request handed[THREADS];

static void await_handed(int number) {
  MPI_Request request;
  pthread_mutex_lock(&report);
  request = handed[number];
  pthread_mutex_unlock(&report);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void complete_handed(int number) {
  MPI_Request request;
  pthread_mutex_lock(&report);
  request = handed[number];
  pthread_mutex_unlock(&report);
  MPI_Grequest_complete(request);
}

static void hand_over(const own_t* own) {
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  complete_handed((own->number + 1) % team);
  if (level == MPI_THREAD_MULTIPLE) await_handed(own->number);
  for (int turn = 0; turn < turns; ++turn) {
    int got = -1;
    MPI_Bsend(&turn, 1, MPI_INT, next, 7, own->comm);
    MPI_Recv(&got, 1, MPI_INT, previous, 7, own->comm, MPI_STATUS_IGNORE);
    CHECK_HERE(got == turn, "%d instead of %d", got, turn);
  }
}

/// All threads of all processes count in one window.
static MPI_Win counter;
static void counting(const own_t* own) {
  const int one = 1;
  for (int turn = 0; turn < turns; ++turn) {
    int before = -1;
    const int target = (rank + own->number + turn) % size;
    MPI_Fetch_and_op(&one, &before, MPI_INT, target, 0, MPI_SUM, counter);
    MPI_Win_flush(target, counter);
    CHECK_HERE(before >= 0 && before < team * turns * size, "the counter was %d", before);
  }
}

/// All threads of all processes write to one file, where its shared pointer is.
static MPI_File file;
static void writing(const own_t* own) {
  for (int turn = 0; turn < turns; ++turn) {
    const int record = (rank * THREADS + own->number) * TURNS + turn;
    MPI_File_write_shared(file, &record, 1, MPI_INT, MPI_STATUS_IGNORE);
  }
}

static void check_file(void) {
  enum { MOST = 4096 };
  static int found[MOST], times[MOST];
  MPI_Offset bytes;
  MPI_File_get_size(file, &bytes);
  CHECK(bytes == (MPI_Offset)sizeof(int) * size * team * turns, "the file has %lld bytes", (long long)bytes);
  MPI_File_read_at(file, 0, found, MOST, MPI_INT, MPI_STATUS_IGNORE);
  for (int i = 0; i < (int)(bytes / (MPI_Offset)sizeof(int)) && i < MOST; ++i) {
    CHECK(found[i] >= 0 && found[i] < MOST && times[found[i]]++ == 0, "record %d is %d", i, found[i]);
  }
}

static void (*const parts[])(const own_t*) = {ping_pong, waits, collectives, probes, hand_over, counting, writing};
enum { PARTS = sizeof parts / sizeof *parts };

/// A thread begins with another part than the next one: all kinds of calls meet.
static void* work(void* context) {
  const own_t* own = context;
  int is_main = -1;
  pthread_mutex_lock(&gate);  // until all have been started
  pthread_mutex_unlock(&gate);
  MPI_Is_thread_main(&is_main);
  CHECK_HERE(is_main == (level != MPI_THREAD_MULTIPLE || own->number == 0), "thread %d: main %d", own->number, is_main);
  for (int i = 0; i < PARTS; ++i) parts[level == MPI_THREAD_MULTIPLE ? (i + own->number) % PARTS : i](own);
  return NULL;
}

int main(int argc, char** argv) {
  int asked = -1, *count;
  own_t own[THREADS];
  static char attached[THREADS * TURNS * (sizeof(int) + MPI_BSEND_OVERHEAD)];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Query_thread(&asked);
  CHECK(asked == level, "level %d was provided, and is %d", level, asked);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (level != MPI_THREAD_MULTIPLE) turns = ALONE_TURNS;
  MPI_Buffer_attach(attached, sizeof attached);
  MPI_Win_allocate(sizeof *count, sizeof *count, MPI_INFO_NULL, MPI_COMM_WORLD, &count, &counter);
  *count = 0;
  MPI_Win_lock_all(0, counter);
  MPI_File_open(MPI_COMM_WORLD, "threads.dat", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
  for (int i = 0; i < THREADS; ++i) {
    own[i].number = i;
    MPI_Comm_dup(MPI_COMM_WORLD, &own[i].comm);
    MPI_Grequest_start(grequest_query, grequest_free, grequest_cancel, NULL, &handed[i]);
  }
  if (level == MPI_THREAD_MULTIPLE) {
    // The machine may have fewer cores for the process.
    pthread_t threads[THREADS];
    pthread_mutex_lock(&gate);
    for (team = 1; team < THREADS; ++team) {
      if (pthread_create(&threads[team], NULL, work, &own[team]) != 0) break;
    }
    pthread_mutex_unlock(&gate);
    work(&own[0]);
    for (int i = 1; i < team; ++i) pthread_join(threads[i], NULL);
  } else {
    for (int i = 0; i < THREADS; ++i) work(&own[i]);
    for (int i = 0; i < THREADS; ++i) await_handed(i);
  }
  for (int i = 0; i < THREADS; ++i) {
    for (int turn = 0; i < team && turn < turns; ++turn) {
      CHECK(taken[i][turn] == 1, "message %d of thread %d was received %d times", turn, i, taken[i][turn]);
    }
    MPI_Comm_free(&own[i].comm);
  }
  MPI_Win_unlock_all(counter);
  MPI_Barrier(MPI_COMM_WORLD);
  check_file();
  MPI_File_close(&file);
  CHECK(*count == team * turns, "the counter is %d", *count);
  MPI_Win_free(&counter);
  int bytes;
  void* buffer;
  MPI_Buffer_detach(&buffer, &bytes);
  return check_end();
}
