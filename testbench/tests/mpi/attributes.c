// SPDX-License-Identifier: Apache-2.0
// Attributes of communicators and datatypes: the library's own, copy and delete functions, their order and errors, keys
// that are freed while in use; and that those of MPI_COMM_SELF go at MPI_Finalize().
#include <string.h>

#include "check.h"

static int rank, size;

/// What functions were called, a letter each: key number, c(opied) or d(eleted).
static char called[64];
static int keys[4];
static int extras[4];
static int refuse;  ///< the number of the key whose functions return an error

static void note(int key, void* extra, char what) {
  const int number = (int)((int*)extra - extras);
  const size_t length = strlen(called);
  if (keys[number] != MPI_KEYVAL_INVALID) CHECK(key == keys[number], "called for key %d", key);
  if (length + 3 < sizeof called) {
    called[length] = (char)('0' + number);
    called[length + 1] = what;
    called[length + 2] = '\0';
  }
}

static int copy(MPI_Comm comm, int key, void* extra, void* in, void* out, int* flag) {
  (void)comm;
  note(key, extra, 'c');
  if (&extras[refuse] == extra) return MPI_ERR_OTHER;
  *(void**)out = (char*)in + 1;
  *flag = 1;
  return MPI_SUCCESS;
}

static int copy_not(MPI_Comm comm, int key, void* extra, void* in, void* out, int* flag) {
  (void)comm, (void)in, (void)out;
  note(key, extra, 'n');
  *flag = 0;
  return MPI_SUCCESS;
}

static int drop(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)value;
  note(key, extra, 'd');
  return &extras[refuse] == extra ? MPI_ERR_INTERN : MPI_SUCCESS;
}

static void* value_of(MPI_Comm comm, int key) {
  void* value = NULL;
  int flag;
  MPI_Comm_get_attr(comm, key, &value, &flag);
  return flag ? value : NULL;
}

static void own(void) {
  int* value;
  int flag;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
  CHECK(flag && *value >= 32767, "MPI_TAG_UB is %d", flag ? *value : -1);
  MPI_Attr_get(MPI_COMM_SELF, MPI_TAG_UB, &value, &flag);
  CHECK(flag && *value >= 32767, "MPI_TAG_UB of MPI_COMM_SELF is %d", flag ? *value : -1);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &value, &flag);
  CHECK(flag && *value == size, "MPI_UNIVERSE_SIZE is %d", flag ? *value : -1);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &value, &flag);
  CHECK(flag && *value == 0, "MPI_APPNUM is %d", flag ? *value : -1);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_HOST, &value, &flag);
  CHECK(flag && *value == MPI_PROC_NULL, "MPI_HOST is %d", flag ? *value : -1);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_IO, &value, &flag);
  CHECK(flag && *value == MPI_ANY_SOURCE, "MPI_IO is %d", flag ? *value : -1);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &flag);
  CHECK(flag && *value == 1, "MPI_WTIME_IS_GLOBAL is %d", flag ? *value : -1);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag);
  CHECK(flag && *value >= MPI_ERR_LASTCODE, "MPI_LASTUSEDCODE is %d", flag ? *value : -1);
  int key = MPI_TAG_UB;
  CHECK_ERROR(MPI_ERR_KEYVAL, MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_TAG_UB, &key));
  CHECK_ERROR(MPI_ERR_KEYVAL, MPI_Comm_delete_attr(MPI_COMM_WORLD, MPI_TAG_UB));
  CHECK_ERROR(MPI_ERR_KEYVAL, MPI_Comm_free_keyval(&key));
  CHECK_ERROR(MPI_ERR_KEYVAL, MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_KEYVAL_INVALID, &value, &flag));
}

static void of_communicators(void) {
  MPI_Comm comm, second;
  int data[8], flag;
  void* value;
  refuse = 3;  // whose functions are not used here
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_keyval(copy, drop, &keys[0], &extras[0]);
  MPI_Comm_create_keyval(copy_not, drop, &keys[1], &extras[1]);
  MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, &keys[2], NULL);
  MPI_Comm_get_attr(comm, keys[0], &value, &flag);
  CHECK(!flag, "an attribute that nobody has set");
  MPI_Comm_set_attr(comm, keys[0], &data[0]);
  MPI_Comm_set_attr(comm, keys[1], &data[1]);
  MPI_Attr_put(comm, keys[2], &data[2]);
  CHECK(
      value_of(comm, keys[0]) == &data[0] && value_of(comm, keys[1]) == &data[1] && value_of(comm, keys[2]) == &data[2],
      "attributes are not what they were set to");
  CHECK(called[0] == '\0', "functions were called: %s", called);
  MPI_Comm_dup(comm, &second);
  CHECK(strcmp(called, "0c1n") == 0, "dup called %s", called);
  CHECK(value_of(second, keys[0]) == (char*)&data[0] + 1, "the copy function's value is not there");
  CHECK(value_of(second, keys[1]) == NULL, "what the copy function did not copy is there");
  CHECK(value_of(second, keys[2]) == &data[2], "MPI_DUP_FN did not copy");
  // Split does not copy.
  MPI_Comm part;
  called[0] = '\0';
  MPI_Comm_split(comm, 0, rank, &part);
  CHECK(called[0] == '\0' && value_of(part, keys[2]) == NULL, "split called %s", called);
  MPI_Comm_free(&part);
  // Setting again deletes the old value.
  MPI_Comm_set_attr(comm, keys[0], &data[4]);
  CHECK(strcmp(called, "0d") == 0 && value_of(comm, keys[0]) == &data[4], "setting again called %s", called);
  called[0] = '\0';
  CHECK_ERROR(MPI_SUCCESS, MPI_Attr_delete(comm, keys[1]));
  CHECK(strcmp(called, "1d") == 0 && value_of(comm, keys[1]) == NULL, "deleting called %s", called);
  CHECK_ERROR(MPI_ERR_KEYVAL, MPI_Comm_delete_attr(comm, keys[1]));
  // A key that is freed lives on in its attributes.
  const int kept = keys[0];
  CHECK_ERROR(MPI_SUCCESS, MPI_Comm_free_keyval(&keys[0]));
  CHECK(keys[0] == MPI_KEYVAL_INVALID, "a freed key is %d", keys[0]);
  CHECK(value_of(comm, kept) == &data[4], "the attribute of a freed key is gone");
  called[0] = '\0';
  MPI_Comm_set_attr(second, keys[1], &data[5]);
  MPI_Comm_free(&second);
  CHECK(strcmp(called, "1d0d") == 0, "free called %s", called);  // the latest first
  MPI_Comm_free(&comm);
  CHECK_ERROR(MPI_ERR_KEYVAL, MPI_Comm_get_attr(MPI_COMM_WORLD, kept, &value, &flag));
  CHECK_ERROR(MPI_SUCCESS, MPI_Comm_free_keyval(&keys[1]));
  CHECK_ERROR(MPI_SUCCESS, MPI_Keyval_free(&keys[2]));
  CHECK_ERROR(MPI_ERR_KEYVAL, MPI_Keyval_free(&keys[2]));
}

static void errors(void) {
  MPI_Comm comm, second = MPI_COMM_WORLD;
  int data[4];
  refuse = 1;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_keyval(copy, drop, &keys[0], &extras[0]);
  MPI_Comm_create_keyval(copy, drop, &keys[1], &extras[1]);
  MPI_Comm_set_attr(comm, keys[0], &data[0]);
  MPI_Comm_set_attr(comm, keys[1], &data[1]);
  called[0] = '\0';
  CHECK_ERROR(MPI_ERR_OTHER, MPI_Comm_dup(comm, &second));
  CHECK(second == MPI_COMM_NULL, "a dup that fails gives a communicator");
  CHECK(strcmp(called, "0c1c0d") == 0, "a dup that fails called %s", called);
  CHECK_ERROR(MPI_ERR_INTERN, MPI_Comm_delete_attr(comm, keys[1]));
  CHECK(value_of(comm, keys[1]) == &data[1], "what could not be deleted is gone");
  CHECK_ERROR(MPI_ERR_INTERN, MPI_Comm_set_attr(comm, keys[1], &data[2]));
  CHECK(value_of(comm, keys[1]) == &data[1], "what could not be deleted is replaced");
  CHECK_ERROR(MPI_ERR_INTERN, MPI_Comm_free(&comm));
  CHECK(comm != MPI_COMM_NULL, "a communicator whose attributes stay is freed");
  refuse = 3;
  CHECK_ERROR(MPI_SUCCESS, MPI_Comm_free(&comm));
  MPI_Comm_free_keyval(&keys[0]);
  MPI_Comm_free_keyval(&keys[1]);
  // After all that a communicator can still be made.
  CHECK_ERROR(MPI_SUCCESS, MPI_Comm_dup(MPI_COMM_WORLD, &comm));
  MPI_Comm_free(&comm);
}

static void of_datatypes(void) {
  MPI_Datatype type, second;
  int data[4], flag, of_comm;
  void* value;
  refuse = 3;
  MPI_Type_contiguous(3, MPI_INT, &type);
  MPI_Type_create_keyval(copy, drop, &keys[0], &extras[0]);
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &keys[1], NULL);
  MPI_Type_set_attr(type, keys[0], &data[0]);
  MPI_Type_set_attr(type, keys[1], &data[1]);
  called[0] = '\0';
  MPI_Type_dup(type, &second);
  CHECK(strcmp(called, "0c") == 0, "dup called %s", called);
  MPI_Type_get_attr(second, keys[0], &value, &flag);
  CHECK(flag && value == (char*)&data[0] + 1, "the copy function's value is not there");
  MPI_Type_get_attr(second, keys[1], &value, &flag);
  CHECK(!flag, "MPI_TYPE_NULL_COPY_FN copied");
  called[0] = '\0';
  MPI_Type_delete_attr(second, keys[0]);
  CHECK(strcmp(called, "0d") == 0, "deleting called %s", called);
  called[0] = '\0';
  MPI_Type_free(&second);
  CHECK(called[0] == '\0', "free called %s", called);
  MPI_Type_free(&type);
  CHECK(strcmp(called, "0d") == 0, "free called %s", called);
  // Keys are of one kind of object; predefined datatypes have attributes too.
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &of_comm, NULL);
  CHECK_ERROR(MPI_ERR_KEYVAL, MPI_Type_set_attr(MPI_INT, of_comm, &data[0]));
  CHECK_ERROR(MPI_ERR_KEYVAL, MPI_Comm_set_attr(MPI_COMM_SELF, keys[0], &data[0]));
  CHECK_ERROR(MPI_ERR_KEYVAL, MPI_Type_free_keyval(&of_comm));
  MPI_Type_set_attr(MPI_INT, keys[0], &data[0]);
  MPI_Type_get_attr(MPI_INT, keys[0], &value, &flag);
  CHECK(flag && value == &data[0], "an attribute of MPI_INT is not there");
  MPI_Type_delete_attr(MPI_INT, keys[0]);
  MPI_Comm_free_keyval(&of_comm);
  MPI_Type_free_keyval(&keys[0]);
  MPI_Type_free_keyval(&keys[1]);
}

static int drop_key(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)value, (void)extra;
  return MPI_Comm_free_keyval(&key);
}

/// A delete function frees its key, which another attribute still has; then the program frees it as well.
static void freed_twice(void) {
  MPI_Comm comm;
  int key, again, value;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop_key, &key, NULL);
  again = key;
  MPI_Comm_set_attr(comm, key, &value);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, &value);
  CHECK_ERROR(MPI_SUCCESS, MPI_Comm_free(&comm));
  CHECK(value_of(MPI_COMM_SELF, key) == &value, "the other attribute is still there");
  CHECK_ERROR(MPI_SUCCESS, MPI_Comm_free_keyval(&again));
  CHECK_ERROR(MPI_SUCCESS, MPI_Comm_delete_attr(MPI_COMM_SELF, key));
  again = key;
  CHECK_ERROR(MPI_ERR_KEYVAL, MPI_Comm_free_keyval(&again));
}

static char at_the_end[8];

static int last(MPI_Comm comm, int key, void* value, void* extra) {
  int finalized = 1, me = -1;
  (void)key, (void)extra;
  MPI_Finalized(&finalized);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);  // MPI still works
  if (comm == MPI_COMM_SELF && !finalized && me == rank) at_the_end[strlen(at_the_end)] = *(char*)value;
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  static char letters[] = "abc";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  own();
  of_communicators();
  errors();
  of_datatypes();
  freed_twice();
  for (int i = 0; i < 3; ++i) {
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, last, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &letters[i]);
    MPI_Comm_free_keyval(&key);
  }
  const int failed = check_end();
  if (strcmp(at_the_end, "cba") == 0) return failed;
  fprintf(stderr, "rank %d: MPI_Finalize() deleted \"%s\"\n", rank, at_the_end);
  return 1;
}
