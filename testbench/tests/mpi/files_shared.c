// SPDX-License-Identifier: Apache-2.0
// The shared file pointer, ordered and split accesses, those that do not block, sequential and atomic files.
#include <string.h>

#include "check.h"

enum { ROUNDS = 6, RECORD = 12 };

static int rank, size;

static MPI_File opened(const char* name, int amode) {
  MPI_File file;
  CHECK_ERROR(MPI_SUCCESS, MPI_File_open(MPI_COMM_WORLD, name, amode, MPI_INFO_NULL, &file));
  return file;
}

/// What a process writes: its rank, a number, the rank again.
static void fill(int* record, int of, int number) {
  for (int i = 0; i < RECORD; ++i) record[i] = 1000000 * of + 100 * number + i;
}

static int owner(const int* record) {
  return record[0] / 1000000;
}

static int is_whole(const int* record) {
  for (int i = 1; i < RECORD; ++i) {
    if (record[i] != record[0] + i) return 0;
  }
  return 1;
}

static int count_of(const MPI_Status* status) {
  int count;
  MPI_Get_count(status, MPI_INT, &count);
  return count;
}

/// Each writes records of its own with no regard to the others: every one is somewhere, whole, once; then each is read
/// by somebody once.
static void shared(void) {
  MPI_File file = opened("shared.dat", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
  int record[RECORD];
  MPI_Status status;
  MPI_Offset place;
  MPI_File_set_view(file, 24, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  for (int number = 0; number < ROUNDS; ++number) {
    fill(record, rank, number);
    if (number % 2 == 0) {
      CHECK_ERROR(MPI_SUCCESS, MPI_File_write_shared(file, record, RECORD, MPI_INT, &status));
    } else {
      MPI_Request request;
      CHECK_ERROR(MPI_SUCCESS, MPI_File_iwrite_shared(file, record, RECORD, MPI_INT, &request));
      MPI_Wait(&request, &status);
    }
    CHECK(count_of(&status) == RECORD, "%d were written", count_of(&status));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_get_position_shared(file, &place);
  CHECK(place == ROUNDS * RECORD * size, "the shared pointer is at %lld", place);
  MPI_File_get_position(file, &place);
  CHECK(place == 0, "the own pointer is at %lld", place);

  int* seen = calloc((size_t)(ROUNDS * size), sizeof *seen);
  for (int i = 0; i < ROUNDS * size; ++i) {
    CHECK_ERROR(MPI_SUCCESS, MPI_File_read_at(file, i * RECORD, record, RECORD, MPI_INT, MPI_STATUS_IGNORE));
    CHECK(is_whole(record), "record %d is torn", i);
    seen[owner(record) * ROUNDS + record[0] % 1000000 / 100] += 1;
  }
  for (int i = 0; i < ROUNDS * size; ++i) CHECK(seen[i] == 1, "record %d is there %d times", i, seen[i]);

  CHECK_ERROR(MPI_SUCCESS, MPI_File_seek_shared(file, -ROUNDS * RECORD * size, MPI_SEEK_CUR));
  memset(seen, 0, (size_t)(ROUNDS * size) * sizeof *seen);
  for (int number = 0; number < ROUNDS; ++number) {
    MPI_Request request;
    if (number % 2 == 0) {
      CHECK_ERROR(MPI_SUCCESS, MPI_File_read_shared(file, record, RECORD, MPI_INT, &status));
    } else {
      CHECK_ERROR(MPI_SUCCESS, MPI_File_iread_shared(file, record, RECORD, MPI_INT, &request));
      MPI_Wait(&request, &status);
    }
    CHECK(count_of(&status) == RECORD && is_whole(record), "%d are read", count_of(&status));
    seen[owner(record) * ROUNDS + record[0] % 1000000 / 100] += 1;
  }
  MPI_Allreduce(MPI_IN_PLACE, seen, ROUNDS * size, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < ROUNDS * size; ++i) CHECK(seen[i] == 1, "record %d was read %d times", i, seen[i]);
  free(seen);

  CHECK_ERROR(MPI_SUCCESS, MPI_File_seek_shared(file, -RECORD, MPI_SEEK_END));
  MPI_File_get_position_shared(file, &place);
  CHECK(place == RECORD * (ROUNDS * size - 1), "before the end is %lld", place);
  CHECK_ERROR(MPI_ERR_ARG, MPI_File_seek_shared(file, -1, MPI_SEEK_SET));
  if (size > 1) CHECK_ERROR(MPI_ERR_NOT_SAME, MPI_File_seek_shared(file, rank, MPI_SEEK_SET));
  // One process is refused for what is wrong by itself, and does it again rightly.
  if (rank == 0) CHECK_ERROR(MPI_ERR_ARG, MPI_File_seek_shared(file, -4, MPI_SEEK_SET));
  if (rank == 0) CHECK_ERROR(MPI_ERR_ARG, MPI_File_seek_shared(file, 0, 77));
  CHECK_ERROR(MPI_SUCCESS, MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
  MPI_File_close(&file);
}

/// In rank order, with lengths that differ; some have nothing.
static void ordered(int split) {
  MPI_File file = opened("ordered.dat", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
  int numbers[64], expected = 0, mine = rank % 4, sum = 0, before = 0;
  MPI_Status status;
  MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  for (int other = 0; other < size; ++other) {
    if (other < rank) before += other % 4;
    sum += other % 4;
  }
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < mine; ++i) numbers[i] = round * sum + before + i;
    if (split) {
      CHECK_ERROR(MPI_SUCCESS, MPI_File_write_ordered_begin(file, numbers, mine, MPI_INT));
      CHECK_ERROR(MPI_SUCCESS, MPI_File_write_ordered_end(file, numbers, &status));
    } else {
      CHECK_ERROR(MPI_SUCCESS, MPI_File_write_ordered(file, numbers, mine, MPI_INT, &status));
    }
    CHECK(count_of(&status) == mine, "%d are written", count_of(&status));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 3 * sum; ++i) {
    MPI_File_read(file, &expected, 1, MPI_INT, MPI_STATUS_IGNORE);
    CHECK(expected == i, "number %d is %d", i, expected);
  }
  MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
  for (int round = 0; round < 3; ++round) {
    if (split) {
      CHECK_ERROR(MPI_SUCCESS, MPI_File_read_ordered_begin(file, numbers, mine, MPI_INT));
      CHECK_ERROR(MPI_SUCCESS, MPI_File_read_ordered_end(file, numbers, &status));
    } else {
      CHECK_ERROR(MPI_SUCCESS, MPI_File_read_ordered(file, numbers, mine, MPI_INT, &status));
    }
    for (int i = 0; i < mine; ++i) {
      CHECK(numbers[i] == round * sum + before + i, "round %d, %d is %d", round, i, numbers[i]);
    }
  }
  MPI_File_close(&file);
}

static void split(void) {
  MPI_File file = opened("split.dat", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
  int record[RECORD], again[RECORD];
  MPI_Status status;
  fill(record, rank, 1);
  MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  CHECK_ERROR(MPI_ERR_OTHER, MPI_File_write_all_end(file, record, &status));
  CHECK_ERROR(MPI_SUCCESS, MPI_File_write_at_all_begin(file, rank * RECORD, record, RECORD, MPI_INT));
  CHECK_ERROR(MPI_ERR_OTHER, MPI_File_read_all_begin(file, again, RECORD, MPI_INT));
  CHECK_ERROR(MPI_ERR_OTHER, MPI_File_write_all_end(file, record, &status));
  CHECK_ERROR(MPI_ERR_OTHER, MPI_File_close(&file));
  CHECK_ERROR(MPI_SUCCESS, MPI_File_write_at_all_end(file, record, &status));
  CHECK(count_of(&status) == RECORD, "%d are written", count_of(&status));
  const int other = (rank + 1) % size;
  MPI_File_seek(file, other * RECORD, MPI_SEEK_SET);
  CHECK_ERROR(MPI_SUCCESS, MPI_File_read_all_begin(file, again, RECORD, MPI_INT));
  CHECK_ERROR(MPI_SUCCESS, MPI_File_read_all_end(file, again, &status));
  CHECK(count_of(&status) == RECORD && is_whole(again) && owner(again) == other, "another record is read");
  CHECK_ERROR(MPI_SUCCESS, MPI_File_read_at_all_begin(file, rank * RECORD, again, RECORD, MPI_INT));
  CHECK_ERROR(MPI_SUCCESS, MPI_File_read_at_all_end(file, again, &status));
  CHECK(memcmp(again, record, sizeof record) == 0, "another record is read");
  fill(record, rank, 2);
  MPI_File_seek(file, (size + rank) * RECORD, MPI_SEEK_SET);
  CHECK_ERROR(MPI_SUCCESS, MPI_File_write_all_begin(file, record, RECORD, MPI_INT));
  CHECK_ERROR(MPI_SUCCESS, MPI_File_write_all_end(file, record, MPI_STATUS_IGNORE));
  MPI_Offset place;
  MPI_File_get_position(file, &place);
  CHECK(place == (size + rank + 1) * RECORD, "the pointer is at %lld", place);
  MPI_File_close(&file);
}

static void nonblocking(void) {
  MPI_File file = opened("requests.dat", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
  int records[4][RECORD], again[4][RECORD], flag = 0;
  MPI_Request requests[4];
  MPI_Status statuses[4];
  MPI_File_set_view(file, (MPI_Offset)rank * 4 * RECORD * 4, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  for (int i = 0; i < 4; ++i) fill(records[i], rank, i);
  CHECK_ERROR(MPI_SUCCESS, MPI_File_iwrite(file, records[0], RECORD, MPI_INT, &requests[0]));
  CHECK_ERROR(MPI_SUCCESS, MPI_File_iwrite_all(file, records[1], RECORD, MPI_INT, &requests[1]));
  CHECK_ERROR(MPI_SUCCESS, MPI_File_iwrite_at(file, 2 * RECORD, records[2], RECORD, MPI_INT, &requests[2]));
  CHECK_ERROR(MPI_SUCCESS, MPI_File_iwrite_at_all(file, 3 * RECORD, records[3], RECORD, MPI_INT, &requests[3]));
  MPI_Waitall(4, requests, statuses);
  for (int i = 0; i < 4; ++i) {
    CHECK(requests[i] == MPI_REQUEST_NULL && count_of(&statuses[i]) == RECORD, "request %d: %d", i,
          count_of(&statuses[i]));
  }
  MPI_File_seek(file, 0, MPI_SEEK_SET);
  CHECK_ERROR(MPI_SUCCESS, MPI_File_iread(file, again[0], RECORD, MPI_INT, &requests[0]));
  CHECK_ERROR(MPI_SUCCESS, MPI_File_iread_all(file, again[1], RECORD, MPI_INT, &requests[1]));
  CHECK_ERROR(MPI_SUCCESS, MPI_File_iread_at(file, 2 * RECORD, again[2], RECORD, MPI_INT, &requests[2]));
  CHECK_ERROR(MPI_SUCCESS, MPI_File_iread_at_all(file, 3 * RECORD, again[3], RECORD, MPI_INT, &requests[3]));
  while (!flag) MPI_Testall(4, requests, &flag, statuses);
  for (int i = 0; i < 4; ++i) CHECK(memcmp(again[i], records[i], sizeof again[i]) == 0, "record %d is another", i);
  CHECK_ERROR(MPI_SUCCESS, MPI_File_iread_at(file, 0, again[0], RECORD, MPI_INT, &requests[0]));
  CHECK_ERROR(MPI_SUCCESS, MPI_Request_free(&requests[0]));
  CHECK_ERROR(MPI_ERR_COUNT, MPI_File_iread_at(file, 0, again[0], -1, MPI_INT, &requests[0]));
  CHECK(requests[0] == MPI_REQUEST_NULL, "what could not begin has a request");
  CHECK_ERROR(MPI_SUCCESS, MPI_File_iread_at(file, 0, again[0], RECORD, MPI_INT, &requests[0]));
  MPI_File_close(&file);
  MPI_Wait(&requests[0], &statuses[0]);
  CHECK(count_of(&statuses[0]) == RECORD, "a request that outlives its file has %d", count_of(&statuses[0]));
}

static void sequential(void) {
  MPI_File file = opened("sequential.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL);
  int number = rank;
  MPI_Offset place;
  CHECK_ERROR(MPI_SUCCESS, MPI_File_write_ordered(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE));
  CHECK_ERROR(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_write(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE));
  CHECK_ERROR(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_write_at(file, 0, &number, 1, MPI_INT, MPI_STATUS_IGNORE));
  CHECK_ERROR(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_seek(file, 0, MPI_SEEK_SET));
  CHECK_ERROR(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
  CHECK_ERROR(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_get_position(file, &place));
  CHECK_ERROR(MPI_ERR_UNSUPPORTED_OPERATION, MPI_File_set_size(file, 100));
  CHECK_ERROR(MPI_ERR_ARG, MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  // The rest of the file behind the first number is of doubles.
  CHECK_ERROR(MPI_SUCCESS,
              MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_DOUBLE, MPI_DOUBLE, "native", MPI_INFO_NULL));
  double half = rank + 0.5;
  CHECK_ERROR(MPI_SUCCESS, MPI_File_write_ordered(file, &half, 1, MPI_DOUBLE, MPI_STATUS_IGNORE));
  MPI_File_close(&file);
  file = opened("sequential.dat", MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE);
  MPI_File_get_size(file, &place);
  CHECK(place == 12 * size, "the file has %lld bytes", place);
  for (int other = 0; other < size; ++other) {
    MPI_File_read_at(file, 4 * other, &number, 4, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_read_at(file, 4 * size + 8 * other, &half, 8, MPI_BYTE, MPI_STATUS_IGNORE);
    CHECK(number == other && half == other + 0.5, "process %d wrote %d, %g", other, number, half);
  }
  MPI_File_close(&file);
}

/// All write the same pieces of an atomic file, with gaps between them: what is there afterwards is one process's. So
/// it is whatever is read meanwhile.
static void atomic(void) {
  enum { PIECES = 16 };
  MPI_File file = opened("atomic.dat", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
  int numbers[PIECES], flag = 1;
  MPI_Datatype pieces;
  MPI_Type_vector(PIECES, 1, 1000, MPI_INT, &pieces);
  MPI_Type_commit(&pieces);
  MPI_File_get_atomicity(file, &flag);
  CHECK(!flag, "a new file is atomic");
  CHECK_ERROR(MPI_SUCCESS, MPI_File_set_atomicity(file, 1));
  MPI_File_get_atomicity(file, &flag);
  CHECK(flag, "the file is not atomic");
  if (size > 1) CHECK_ERROR(MPI_ERR_NOT_SAME, MPI_File_set_atomicity(file, rank == 0));
  MPI_File_set_view(file, 0, MPI_INT, pieces, "native", MPI_INFO_NULL);
  for (int i = 0; i < PIECES; ++i) numbers[i] = -1;
  if (rank == 0) MPI_File_write_at(file, 0, numbers, PIECES, MPI_INT, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int round = 0; round < 4; ++round) {
    if (rank % 3 != 2) {
      for (int i = 0; i < PIECES; ++i) numbers[i] = rank;
      CHECK_ERROR(MPI_SUCCESS, MPI_File_write_at(file, 0, numbers, PIECES, MPI_INT, MPI_STATUS_IGNORE));
    } else {
      CHECK_ERROR(MPI_SUCCESS, MPI_File_read_at(file, 0, numbers, PIECES, MPI_INT, MPI_STATUS_IGNORE));
      for (int i = 1; i < PIECES; ++i) CHECK(numbers[i] == numbers[0], "%d and %d are mixed", numbers[0], numbers[i]);
    }
  }
  for (int i = 0; i < PIECES; ++i) numbers[i] = 100 + rank;
  CHECK_ERROR(MPI_SUCCESS, MPI_File_write_at_all(file, 0, numbers, PIECES, MPI_INT, MPI_STATUS_IGNORE));
  MPI_File_read_at(file, 0, numbers, PIECES, MPI_INT, MPI_STATUS_IGNORE);
  for (int i = 1; i < PIECES; ++i) CHECK(numbers[i] == numbers[0], "%d and %d are mixed", numbers[0], numbers[i]);
  MPI_Type_free(&pieces);
  MPI_File_close(&file);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  shared();
  ordered(0);
  ordered(1);
  split();
  nonblocking();
  sequential();
  atomic();
  return check_end();
}
