/* SPDX-License-Identifier: Apache-2.0 */
/* Info objects: lists of keys and values. For the library's own files. */
#ifndef TOROID_FIRMWARE_MPI_INFO_H
#define TOROID_FIRMWARE_MPI_INFO_H

#include "firmware/mpi/comm.h"

struct bglmpi_info;

/* The object of a handle, or MPI_ERR_INFO at `comm`. */
int bglmpi_info(bglmpi_comm_t* comm, MPI_Info handle, struct bglmpi_info** info);

/* A copy, without a handle; of NULL an object with nothing in it. */
struct bglmpi_info* bglmpi_info_copy(const struct bglmpi_info* info);

/* Give it a handle. */
MPI_Info bglmpi_info_open(struct bglmpi_info* info);

/* The value of a key; NULL where it has none. */
const char* bglmpi_info_value(const struct bglmpi_info* info, const char* key);
/* Whether it has a key with this value. */
bool bglmpi_info_says(const struct bglmpi_info* info, const char* key, const char* value);
/* Give a key a value. */
void bglmpi_info_set(struct bglmpi_info* info, const char* key, const char* value);

/* Free one that has no handle, or NULL. */
void bglmpi_info_free(struct bglmpi_info* info);

void bglmpi_info_init(void);

#endif
