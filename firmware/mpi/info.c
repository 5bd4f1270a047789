// SPDX-License-Identifier: Apache-2.0
#include "firmware/mpi/info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/mpi/threads.h"

/// A key and its value, in one piece of memory.
typedef struct entry {
  struct entry* next;
  char* value;
  char key[];
} entry_t;

struct mpii_info {
  mpii_object_t object;
  entry_t* first;  ///< in the order in which they were set
};

int mpii_info(mpii_comm_t* comm, MPI_Info handle, struct mpii_info** info) {
  *info = mpii_object(handle, MPII_INFO);
  if (*info != NULL) return MPI_SUCCESS;
  if (handle == MPI_INFO_NULL) return mpii_fail(comm, MPI_ERR_INFO, "the info object is MPI_INFO_NULL");
  return mpii_fail(comm, MPI_ERR_INFO, "0x%X is no info object, or a freed one", (unsigned)handle);
}

static struct mpii_info* make(void) {
  struct mpii_info* info = mpii_allocate(sizeof *info);
  info->object.references = 1;
  return info;
}

/// Where the entry with a key is, or the next one would be.
static entry_t** find(struct mpii_info* info, const char* key) {
  entry_t** place = &info->first;
  while (*place != NULL && strcmp((*place)->key, key) != 0) place = &(*place)->next;
  return place;
}

void mpii_info_set(struct mpii_info* info, const char* key, const char* value) {
  const size_t key_bytes = strlen(key) + 1, value_bytes = strlen(value) + 1;
  entry_t* entry = mpii_allocate(sizeof *entry + key_bytes + value_bytes);
  memcpy(entry->key, key, key_bytes);
  entry->value = entry->key + key_bytes;
  memcpy(entry->value, value, value_bytes);
  entry_t** place = find(info, key);
  if (*place != NULL) {
    entry->next = (*place)->next;
    free(*place);
  }
  *place = entry;
}

struct mpii_info* mpii_info_copy(const struct mpii_info* info) {
  struct mpii_info* copy = make();
  if (info == NULL) return copy;
  for (const entry_t* entry = info->first; entry != NULL; entry = entry->next)
    mpii_info_set(copy, entry->key, entry->value);
  return copy;
}

const char* mpii_info_value(const struct mpii_info* info, const char* key) {
  for (const entry_t* entry = info->first; entry != NULL; entry = entry->next) {
    if (strcmp(entry->key, key) == 0) return entry->value;
  }
  return NULL;
}

bool mpii_info_says(const struct mpii_info* info, const char* key, const char* value) {
  const char* said = mpii_info_value(info, key);
  return said != NULL && strcmp(said, value) == 0;
}

MPI_Info mpii_info_open(struct mpii_info* info) {
  return mpii_object_open(info, MPII_INFO);
}

void mpii_info_free(struct mpii_info* info) {
  if (info == NULL) return;
  while (info->first != NULL) {
    entry_t* entry = info->first;
    info->first = entry->next;
    free(entry);
  }
  free(info);
}

/// What MPI_INFO_ENV says.
void mpii_info_init(void) {
  static struct mpii_info environment;
  char number[16];
  mpii_object_open_as(&environment, MPI_INFO_ENV);
  snprintf(number, sizeof number, "%u", mpit_size());
  mpii_info_set(&environment, "maxprocs", number);
  mpii_info_set(&environment, "soft", number);
  mpii_info_set(&environment, "arch", mpit_architecture);
  static const char* const levels[] = {
      [MPI_THREAD_SINGLE] = "MPI_THREAD_SINGLE",
      [MPI_THREAD_FUNNELED] = "MPI_THREAD_FUNNELED",
      [MPI_THREAD_SERIALIZED] = "MPI_THREAD_SERIALIZED",
      [MPI_THREAD_MULTIPLE] = "MPI_THREAD_MULTIPLE",
  };
  mpii_info_set(&environment, "thread_level", levels[mpii_thread_level()]);
}

// ---------------------------------------------------------------------------------------------------------------

static int enter(const char* function, MPI_Info handle, struct mpii_info** info) {
  mpii_enter(function);
  return mpii_info(NULL, handle, info);
}

static int check_key(const char* key) {
  const size_t length = key != NULL ? strlen(key) : 0;
  if (length != 0 && length < MPI_MAX_INFO_KEY) return MPI_SUCCESS;
  return mpii_fail(NULL, MPI_ERR_INFO_KEY, "the key has %lu characters; it must have 1 to %d", (unsigned long)length,
                   MPI_MAX_INFO_KEY - 1);
}

int PMPI_Info_create(MPI_Info* handle) {
  mpii_enter("MPI_Info_create");
  MPII_TRY(mpii_check_given(NULL, handle, "info"));
  *handle = mpii_info_open(make());
  return MPI_SUCCESS;
}
MPII_PUBLIC(Info_create);

int PMPI_Info_dup(MPI_Info handle, MPI_Info* made) {
  struct mpii_info* info;
  MPII_TRY(enter("MPI_Info_dup", handle, &info));
  MPII_TRY(mpii_check_given(NULL, made, "made"));
  *made = mpii_info_open(mpii_info_copy(info));
  return MPI_SUCCESS;
}
MPII_PUBLIC(Info_dup);

int PMPI_Info_free(MPI_Info* handle) {
  struct mpii_info* info;
  mpii_enter("MPI_Info_free");
  MPII_TRY(mpii_check_given(NULL, handle, "info"));
  MPII_TRY(enter("MPI_Info_free", *handle, &info));
  if (*handle == MPI_INFO_ENV) return mpii_fail(NULL, MPI_ERR_INFO, "MPI_INFO_ENV cannot be freed");
  mpii_object_close(info);
  mpii_info_free(info);
  *handle = MPI_INFO_NULL;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Info_free);

int PMPI_Info_set(MPI_Info handle, const char* key, const char* value) {
  struct mpii_info* info;
  MPII_TRY(enter("MPI_Info_set", handle, &info));
  if (handle == MPI_INFO_ENV) return mpii_fail(NULL, MPI_ERR_INFO, "MPI_INFO_ENV cannot be changed");
  MPII_TRY(check_key(key));
  if (value == NULL || strlen(value) >= MPI_MAX_INFO_VAL) {
    return mpii_fail(NULL, MPI_ERR_INFO_VALUE, "the value of \"%s\" must have at most %d characters", key,
                     MPI_MAX_INFO_VAL - 1);
  }
  mpii_info_set(info, key, value);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Info_set);

int PMPI_Info_delete(MPI_Info handle, const char* key) {
  struct mpii_info* info;
  MPII_TRY(enter("MPI_Info_delete", handle, &info));
  if (handle == MPI_INFO_ENV) return mpii_fail(NULL, MPI_ERR_INFO, "MPI_INFO_ENV cannot be changed");
  MPII_TRY(check_key(key));
  entry_t** place = find(info, key);
  entry_t* entry = *place;
  if (entry == NULL) return mpii_fail(NULL, MPI_ERR_INFO_NOKEY, "the key \"%s\" is not in the info object", key);
  *place = entry->next;
  free(entry);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Info_delete);

int PMPI_Info_get(MPI_Info handle, const char* key, int length, char* value, int* flag) {
  struct mpii_info* info;
  MPII_TRY(enter("MPI_Info_get", handle, &info));
  MPII_TRY(check_key(key));
  MPII_TRY(mpii_check_given(NULL, value, "value"));
  MPII_TRY(mpii_check_given(NULL, flag, "flag"));
  if (length < 0) return mpii_fail(NULL, MPI_ERR_ARG, "the length is %d; it must be 0 or more", length);
  const entry_t* entry = *find(info, key);
  *flag = entry != NULL;
  if (entry == NULL) return MPI_SUCCESS;
  const size_t whole = strlen(entry->value), part = whole < (size_t)length ? whole : (size_t)length;
  memcpy(value, entry->value, part);
  value[part] = '\0';  // `length` does not count it
  return MPI_SUCCESS;
}
MPII_PUBLIC(Info_get);

int PMPI_Info_get_valuelen(MPI_Info handle, const char* key, int* length, int* flag) {
  struct mpii_info* info;
  MPII_TRY(enter("MPI_Info_get_valuelen", handle, &info));
  MPII_TRY(check_key(key));
  MPII_TRY(mpii_check_given(NULL, length, "length"));
  MPII_TRY(mpii_check_given(NULL, flag, "flag"));
  const entry_t* entry = *find(info, key);
  *flag = entry != NULL;
  if (entry != NULL) *length = (int)strlen(entry->value);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Info_get_valuelen);

static int count(const struct mpii_info* info) {
  int keys = 0;
  for (const entry_t* entry = info->first; entry != NULL; entry = entry->next) ++keys;
  return keys;
}

int PMPI_Info_get_nkeys(MPI_Info handle, int* keys) {
  struct mpii_info* info;
  MPII_TRY(enter("MPI_Info_get_nkeys", handle, &info));
  MPII_TRY(mpii_check_given(NULL, keys, "count"));
  *keys = count(info);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Info_get_nkeys);

int PMPI_Info_get_nthkey(MPI_Info handle, int n, char* key) {
  struct mpii_info* info;
  MPII_TRY(enter("MPI_Info_get_nthkey", handle, &info));
  MPII_TRY(mpii_check_given(NULL, key, "key"));
  if (n < 0 || n >= count(info)) {
    return mpii_fail(NULL, MPI_ERR_ARG, "key %d is asked for; there are %d", n, count(info));
  }
  const entry_t* entry = info->first;
  while (n-- > 0) entry = entry->next;
  strcpy(key, entry->key);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Info_get_nthkey);
