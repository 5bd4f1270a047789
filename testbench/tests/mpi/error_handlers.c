// SPDX-License-Identifier: Apache-2.0
// Error handlers: the program's own, whom they are called for, inheritance, references; error classes, codes and texts.
#include <stdbool.h>
#include <string.h>

#include "check.h"

static int rank, size;
static int seen_code, seen_count;
static MPI_Comm seen_comm;

static void handle(MPI_Comm* comm, int* code, ...) {
  seen_comm = *comm;
  seen_code = *code;
  ++seen_count;
}

static int second_count;
static void second_handle(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  ++second_count;
}

static void own(void) {
  MPI_Errhandler handler, second, got;
  MPI_Comm comm, copy;
  int value = 0;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Errhandler_create(second_handle, &second);
  MPI_Comm_set_errhandler(comm, handler);
  CHECK_ERROR(MPI_ERR_RANK, MPI_Send(&value, 1, MPI_INT, size, 0, comm));
  CHECK(seen_count == 1 && seen_code == MPI_ERR_RANK && seen_comm == comm, "handler called %d times, for error %d",
        seen_count, seen_code);
  CHECK_ERROR(MPI_ERR_TAG, MPI_Send(&value, 1, MPI_INT, 0, -5, comm));
  CHECK(seen_count == 2 && seen_code == MPI_ERR_TAG, "handler called %d times, for error %d", seen_count, seen_code);
  // Freed by the program, it stays with the communicator and with copies of it.
  MPI_Errhandler_free(&handler);
  CHECK(handler == MPI_ERRHANDLER_NULL, "a freed handler's handle is null");
  MPI_Comm_dup(comm, &copy);
  MPI_Errhandler_set(comm, second);
  CHECK_ERROR(MPI_ERR_COUNT, MPI_Send(&value, -1, MPI_INT, 0, 0, copy));
  CHECK(seen_count == 3 && seen_comm == copy && second_count == 0, "a copy's handler was called %d times", seen_count);
  CHECK_ERROR(MPI_ERR_COUNT, MPI_Send(&value, -1, MPI_INT, 0, 0, comm));
  CHECK(seen_count == 3 && second_count == 1, "the new handler was called %d times", second_count);
  // What get gives is a handle of its own.
  MPI_Comm_get_errhandler(copy, &got);
  MPI_Comm_set_errhandler(comm, got);
  MPI_Errhandler_free(&got);
  CHECK_ERROR(MPI_ERR_TYPE, MPI_Send(&value, 1, MPI_DATATYPE_NULL, 0, 0, comm));
  CHECK(seen_count == 4, "the handler that was got was called %d times", seen_count);
  MPI_Errhandler_get(comm, &got);
  MPI_Comm_get_errhandler(comm, &handler);
  CHECK(got == handler, "two handles of one handler are equal");
  MPI_Errhandler_free(&got);
  CHECK_ERROR(MPI_SUCCESS, MPI_Comm_set_errhandler(copy, handler));
  MPI_Errhandler_free(&handler);
  // Communicators of the other makers inherit too.
  MPI_Comm part;
  MPI_Comm_split(copy, rank % 2, 0, &part);
  MPI_Comm_call_errhandler(part, MPI_ERR_OTHER);
  CHECK(seen_count == 5 && seen_comm == part && seen_code == MPI_ERR_OTHER, "called %d times", seen_count);
  MPI_Comm_free(&part);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&comm);
  MPI_Errhandler_free(&second);
  // What belongs to no communicator goes to MPI_COMM_WORLD's.
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  CHECK_ERROR(MPI_ERR_COMM, MPI_Comm_size(MPI_COMM_NULL, &value));
  CHECK_ERROR(MPI_ERR_TYPE, MPI_Type_size(MPI_DATATYPE_NULL, &value));
  CHECK_ERROR(MPI_ERR_GROUP, MPI_Group_size(MPI_GROUP_NULL, &value));
  CHECK(seen_count == 8 && seen_comm == MPI_COMM_WORLD, "called %d times", seen_count);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Errhandler_free(&handler);
  CHECK_ERROR(MPI_ERR_ARG, MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRHANDLER_NULL));
  CHECK_ERROR(MPI_ERR_ARG, MPI_Errhandler_free(&handler));
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got);
  CHECK(got == MPI_ERRORS_RETURN, "the handler is 0x%X", got);
  MPI_Errhandler_free(&got);
  MPI_Comm_get_errhandler(MPI_COMM_SELF, &got);
  CHECK(got == MPI_ERRORS_ARE_FATAL, "the handler of MPI_COMM_SELF is 0x%X", got);
}

/// Errors found when a message comes go to the communicator's handler as well.
static void late(void) {
  MPI_Comm comm;
  MPI_Errhandler handler;
  int out[4] = {1, 2, 3, 4}, in[2] = {0, 0}, to = (rank + 1) % size, from = (rank + size - 1) % size;
  MPI_Request request;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Errhandler_free(&handler);
  seen_count = 0;
  MPI_Isend(out, 4, MPI_INT, to, 0, comm, &request);
  CHECK_ERROR(MPI_ERR_TRUNCATE, MPI_Recv(in, 2, MPI_INT, from, 0, comm, MPI_STATUS_IGNORE));
  CHECK(seen_count == 1 && seen_code == MPI_ERR_TRUNCATE && seen_comm == comm, "called %d times, for %d", seen_count,
        seen_code);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&comm);
}

enum { SEVERAL = 4 };
static MPI_Status statuses[SEVERAL];
static int indices[SEVERAL];

static int by_waitall(MPI_Request* requests, bool ignore) {
  return MPI_Waitall(SEVERAL, requests, ignore ? MPI_STATUSES_IGNORE : statuses);
}

static int by_testall(MPI_Request* requests, bool ignore) {
  int flag, error;
  do {
    error = MPI_Testall(SEVERAL, requests, &flag, ignore ? MPI_STATUSES_IGNORE : statuses);
  } while (error == MPI_SUCCESS && !flag);
  return error;
}

static int by_waitsome(MPI_Request* requests, bool ignore) {
  int done;
  const int error = MPI_Waitsome(SEVERAL, requests, &done, indices, ignore ? MPI_STATUSES_IGNORE : statuses);
  CHECK(done == 3, "MPI_Waitsome says %d", done);
  return error;
}

static int by_testsome(MPI_Request* requests, bool ignore) {
  int done;
  const int error = MPI_Testsome(SEVERAL, requests, &done, indices, ignore ? MPI_STATUSES_IGNORE : statuses);
  CHECK(done == 3, "MPI_Testsome says %d", done);
  return error;
}

/// A message of `count` numbers from this rank to itself, which has come, and a receive that has room for two.
static MPI_Request come(MPI_Comm comm, int count, int* in) {
  static int out[4];
  MPI_Request request;
  MPI_Irecv(in, 2, MPI_INT, rank, 3, comm, &request);
  MPI_Send(out, count, MPI_INT, rank, 3, comm);
  int complete = 0;
  while (!complete) MPI_Request_get_status(request, &complete, MPI_STATUS_IGNORE);
  return request;
}

/// Errors of one of several requests go to the handler of its communicator, once, and to that of the first.
static void several(void) {
  static const struct {
    int (*run)(MPI_Request* requests, bool ignore);
    bool all;  // a status for each request, null ones too
  } ways[] = {{by_waitall, true}, {by_testall, true}, {by_waitsome, false}, {by_testsome, false}};
  MPI_Comm first, second;
  MPI_Errhandler handler, second_handler;
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_create_errhandler(second_handle, &second_handler);
  MPI_Comm_dup(MPI_COMM_WORLD, &second);
  MPI_Comm_set_errhandler(second, second_handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  for (unsigned way = 0; way < sizeof ways / sizeof *ways; ++way) {
    for (int round = 0; round < 3; ++round) {  // with statuses; without; on a communicator that only its request keeps
      int in[SEVERAL][2];
      MPI_Comm_dup(MPI_COMM_WORLD, &first);
      MPI_Comm_set_errhandler(first, handler);
      MPI_Request requests[SEVERAL] = {come(second, 2, in[0]), MPI_REQUEST_NULL, come(first, 3, in[2]),
                                       come(second, 4, in[3])};
      if (round == 2) MPI_Comm_free(&first);
      seen_count = second_count = 0;
      CHECK_ERROR(MPI_ERR_IN_STATUS, ways[way].run(requests, round == 1));
      CHECK(seen_count == 1 && seen_code == MPI_ERR_IN_STATUS && second_count == 0,
            "way %u, round %d: called %d times, for %d; the other one %d times", way, round, seen_count, seen_code,
            second_count);
      CHECK(seen_comm == first, "way %u, round %d: called for 0x%X", way, round, seen_comm);
      for (int i = 0; i < SEVERAL; ++i) CHECK(requests[i] == MPI_REQUEST_NULL, "way %u: request %d stays", way, i);
      const int wrong = ways[way].all ? 2 : 1;
      CHECK(round == 1 || (statuses[0].MPI_ERROR == MPI_SUCCESS && statuses[wrong].MPI_ERROR == MPI_ERR_TRUNCATE &&
                           statuses[wrong + 1].MPI_ERROR == MPI_ERR_TRUNCATE),
            "way %u: errors %d, %d, %d", way, statuses[0].MPI_ERROR, statuses[wrong].MPI_ERROR,
            statuses[wrong + 1].MPI_ERROR);
      if (round != 2) MPI_Comm_free(&first);
    }
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Errhandler_free(&handler);
  MPI_Errhandler_free(&second_handler);
  MPI_Comm_free(&second);
}

static void codes(void) {
  char text[MPI_MAX_ERROR_STRING];
  int length, found, class, code, other;
  int* last;
  for (int i = 0; i <= MPI_ERR_LASTCODE; ++i) {
    CHECK_ERROR(MPI_SUCCESS, MPI_Error_class(i, &found));
    CHECK_ERROR(MPI_SUCCESS, MPI_Error_string(i, text, &length));
    CHECK(found == i && length > 0 && (int)strlen(text) == length, "class %d is %d, \"%s\"", i, found, text);
  }
  CHECK_ERROR(MPI_ERR_ARG, MPI_Error_class(MPI_ERR_LASTCODE + 1, &found));
  CHECK_ERROR(MPI_ERR_ARG, MPI_Error_string(-1, text, &length));
  MPI_Add_error_class(&class);
  MPI_Add_error_code(class, &code);
  MPI_Add_error_code(MPI_ERR_ARG, &other);
  CHECK(class > MPI_ERR_LASTCODE && code > class && other > code, "class %d, codes %d, %d", class, code, other);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &found);
  CHECK(*last == other, "MPI_LASTUSEDCODE is %d", *last);
  MPI_Error_class(code, &found);
  CHECK(found == class, "the code's class is %d", found);
  MPI_Error_class(other, &found);
  CHECK(found == MPI_ERR_ARG, "the other code's class is %d", found);
  MPI_Error_class(class, &found);
  CHECK(found == class, "the class's class is %d", found);
  MPI_Error_string(code, text, &length);
  CHECK(length == 0 && text[0] == '\0', "without a text there is \"%s\"", text);
  MPI_Add_error_string(code, "too much of it");
  MPI_Error_string(code, text, &length);
  CHECK(strcmp(text, "too much of it") == 0 && length == 14, "the text is \"%s\"", text);
  CHECK_ERROR(MPI_ERR_ARG, MPI_Add_error_string(MPI_ERR_ARG, "mine"));
  CHECK_ERROR(MPI_ERR_ARG, MPI_Add_error_code(code, &found));
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  own();
  late();
  several();
  codes();
  return check_end();
}
