// SPDX-License-Identifier: Apache-2.0
/// Info objects: lists of keys and values. For the library's own files.
#ifndef TOROID_FIRMWARE_MPI_INFO_H
#define TOROID_FIRMWARE_MPI_INFO_H

#include "firmware/mpi/comm.h"

struct mpii_info;

/// The object of a handle, or MPI_ERR_INFO at `comm`.
int mpii_info(mpii_comm_t* comm, MPI_Info handle, struct mpii_info** info);

/// A copy, without a handle; of NULL an empty object.
struct mpii_info* mpii_info_copy(const struct mpii_info* info);

/// Give it a handle.
MPI_Info mpii_info_open(struct mpii_info* info);

/// The value of a key; NULL if it has none.
const char* mpii_info_value(const struct mpii_info* info, const char* key);
/// Whether it has a key with this value.
bool mpii_info_says(const struct mpii_info* info, const char* key, const char* value);
/// Give a key a value.
void mpii_info_set(struct mpii_info* info, const char* key, const char* value);

/// Free one that has no handle, or NULL.
void mpii_info_free(struct mpii_info* info);

void mpii_info_init(void);

#endif
