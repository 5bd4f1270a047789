// SPDX-License-Identifier: Apache-2.0
// Info objects; memory and addresses.
#include <string.h>

#include "check.h"

static void lists(void) {
  MPI_Info info, copy;
  char value[MPI_MAX_INFO_VAL], key[MPI_MAX_INFO_KEY], text[MPI_MAX_INFO_VAL + 1];
  int count, flag, length;
  MPI_Info_create(&info);
  MPI_Info_get_nkeys(info, &count);
  CHECK(count == 0, "a new object has %d keys", count);
  MPI_Info_set(info, "one", "1");
  MPI_Info_set(info, "two", "zwei");
  MPI_Info_set(info, "three", "");
  MPI_Info_set(info, "one", "eins");
  MPI_Info_get_nkeys(info, &count);
  CHECK(count == 3, "there are %d keys", count);
  static const char* const order[] = {"one", "two", "three"};
  for (int i = 0; i < 3; ++i) {
    MPI_Info_get_nthkey(info, i, key);
    CHECK(strcmp(key, order[i]) == 0, "key %d is %s", i, key);
  }
  MPI_Info_get(info, "one", MPI_MAX_INFO_VAL - 1, value, &flag);
  CHECK(flag && strcmp(value, "eins") == 0, "one is %s", value);
  memset(value, 'x', sizeof value);
  MPI_Info_get(info, "two", 2, value, &flag);
  CHECK(flag && strcmp(value, "zw") == 0 && value[3] == 'x', "two, cut, is %s", value);
  MPI_Info_get_valuelen(info, "two", &length, &flag);
  CHECK(flag && length == 4, "two has %d characters", length);
  MPI_Info_get(info, "four", 10, value, &flag);
  CHECK(!flag, "there is a key that was not set");
  MPI_Info_dup(info, &copy);
  MPI_Info_delete(info, "two");
  MPI_Info_get_valuelen(info, "two", &length, &flag);
  CHECK(!flag, "a deleted key is there");
  MPI_Info_get_nkeys(copy, &count);
  MPI_Info_get_nthkey(copy, 1, key);
  CHECK(count == 3 && strcmp(key, "two") == 0, "the copy has %d keys, %s", count, key);
  CHECK_ERROR(MPI_ERR_INFO_NOKEY, MPI_Info_delete(info, "two"));
  CHECK_ERROR(MPI_ERR_ARG, MPI_Info_get_nthkey(info, 2, key));
  memset(text, 'k', sizeof text);
  text[MPI_MAX_INFO_VAL] = '\0';
  CHECK_ERROR(MPI_ERR_INFO_VALUE, MPI_Info_set(info, "long", text));
  text[MPI_MAX_INFO_VAL - 1] = '\0';
  CHECK_ERROR(MPI_SUCCESS, MPI_Info_set(info, "long", text));
  CHECK_ERROR(MPI_ERR_INFO_KEY, MPI_Info_set(info, text, "value"));
  CHECK_ERROR(MPI_ERR_INFO_KEY, MPI_Info_set(info, "", "value"));
  CHECK_ERROR(MPI_ERR_INFO, MPI_Info_set(MPI_INFO_NULL, "key", "value"));
  MPI_Info kept = info;
  MPI_Info_free(&info);
  CHECK(info == MPI_INFO_NULL, "a freed object's handle is null");
  CHECK_ERROR(MPI_ERR_INFO, MPI_Info_get_nkeys(kept, &count));
  MPI_Info_free(&copy);
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Info_get(MPI_INFO_ENV, "maxprocs", MPI_MAX_INFO_VAL - 1, value, &flag);
  CHECK(flag && atoi(value) == size, "MPI_INFO_ENV says maxprocs is %s", value);
}

static void memory(void) {
  double* numbers;
  MPI_Aint first, second;
  struct {
    int number;
    double other;
  } pair;
  CHECK_ERROR(MPI_SUCCESS, MPI_Alloc_mem(1000 * sizeof *numbers, MPI_INFO_NULL, &numbers));
  for (int i = 0; i < 1000; ++i) numbers[i] = i;
  CHECK(numbers[999] == 999, "memory does not keep numbers");
  CHECK_ERROR(MPI_SUCCESS, MPI_Free_mem(numbers));
  CHECK_ERROR(MPI_SUCCESS, MPI_Alloc_mem(0, MPI_INFO_NULL, &numbers));
  MPI_Free_mem(numbers);
  CHECK_ERROR(MPI_ERR_ARG, MPI_Alloc_mem(-1, MPI_INFO_NULL, &numbers));
  CHECK_ERROR(MPI_ERR_NO_MEM, MPI_Alloc_mem((MPI_Aint)(~(size_t)0 >> 1), MPI_INFO_NULL, &numbers));
  MPI_Get_address(&pair.number, &first);
  MPI_Address(&pair.other, &second);
  CHECK(second - first == (char*)&pair.other - (char*)&pair.number, "addresses are %ld and %ld", first, second);
  CHECK(MPI_Aint_diff(second, first) == second - first, "the difference is wrong");
  CHECK(MPI_Aint_add(first, MPI_Aint_diff(second, first)) == second, "the sum is wrong");
  MPI_Get_address(MPI_BOTTOM, &first);
  CHECK(first == 0, "MPI_BOTTOM is at %ld", first);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  lists();
  memory();
  return check_end();
}
