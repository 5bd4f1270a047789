// SPDX-License-Identifier: Apache-2.0
// Between buffers with gaps and those without.
#include <string.h>

#include "firmware/mpi/request.h"

void mpii_pack(const void* buffer, uint32_t count, const mpii_datatype_t* datatype, void* packed) {
  const uint8_t* from = buffer;
  uint8_t* to = packed;
  if (datatype->dense) {
    if (count != 0 && datatype->size != 0) memcpy(to, from + datatype->blocks[0].offset, count * datatype->size);
    return;
  }
  for (; count != 0; --count, from += datatype->extent) {
    for (uint32_t block = 0; block < datatype->block_count; ++block) {
      memcpy(to, from + datatype->blocks[block].offset, datatype->blocks[block].bytes);
      to += datatype->blocks[block].bytes;
    }
  }
}

void mpii_unpack(const void* packed, uint32_t bytes, void* buffer, uint32_t count, const mpii_datatype_t* datatype) {
  const uint8_t* from = packed;
  uint8_t* to = buffer;
  if (bytes == 0) return;
  if (datatype->dense) {
    memcpy(to + datatype->blocks[0].offset, from, bytes);
    return;
  }
  for (; count != 0; --count, to += datatype->extent) {
    for (uint32_t number = 0; number < datatype->block_count; ++number) {
      const mpit_block_t* block = &datatype->blocks[number];
      const uint32_t length = block->bytes < bytes ? block->bytes : bytes;
      memcpy(to + block->offset, from, length);
      from += length;
      bytes -= length;
      if (bytes == 0) return;
    }
  }
}

static int packed_bytes(mpii_comm_t* comm, const void* buffer, int count, MPI_Datatype handle,
                        mpii_datatype_t** datatype, uint32_t* bytes) {
  MPII_TRY(mpii_check_buffer(comm, buffer, count, handle, datatype));
  *bytes = (uint32_t)count * (*datatype)->size;
  return MPI_SUCCESS;
}

static int check_room(mpii_comm_t* comm, int position, int size, uint32_t bytes) {
  if (position < 0 || size < 0 || position > size) {
    return mpii_fail(comm, MPI_ERR_ARG, "position %d in a packed buffer of %d bytes", position, size);
  }
  if (bytes > (uint32_t)(size - position)) {
    return mpii_fail(comm, MPI_ERR_TRUNCATE, "%u bytes at position %d of a packed buffer of %d bytes", bytes, position,
                     size);
  }
  return MPI_SUCCESS;
}

int PMPI_Pack(const void* in, int count, MPI_Datatype handle, void* out, int size, int* position,
              MPI_Comm comm_handle) {
  mpii_comm_t* comm;
  mpii_datatype_t* datatype;
  uint32_t bytes;
  MPII_TRY(mpii_enter_comm("MPI_Pack", comm_handle, &comm));
  MPII_TRY(mpii_check_given(comm, position, "position"));
  MPII_TRY(packed_bytes(comm, in, count, handle, &datatype, &bytes));
  MPII_TRY(check_room(comm, *position, size, bytes));
  if (out == NULL && bytes != 0) return mpii_fail(comm, MPI_ERR_BUFFER, "the packed buffer is a null pointer");
  mpii_pack(in, (uint32_t)count, datatype, (uint8_t*)out + *position);
  *position += (int)bytes;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Pack);

int PMPI_Unpack(const void* in, int size, int* position, void* out, int count, MPI_Datatype handle,
                MPI_Comm comm_handle) {
  mpii_comm_t* comm;
  mpii_datatype_t* datatype;
  uint32_t bytes;
  MPII_TRY(mpii_enter_comm("MPI_Unpack", comm_handle, &comm));
  MPII_TRY(mpii_check_given(comm, position, "position"));
  MPII_TRY(packed_bytes(comm, out, count, handle, &datatype, &bytes));
  MPII_TRY(check_room(comm, *position, size, bytes));
  if (in == NULL && bytes != 0) return mpii_fail(comm, MPI_ERR_BUFFER, "the packed buffer is a null pointer");
  mpii_unpack((const uint8_t*)in + *position, bytes, out, (uint32_t)count, datatype);
  *position += (int)bytes;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Unpack);

int PMPI_Pack_size(int count, MPI_Datatype handle, MPI_Comm comm_handle, int* size) {
  mpii_comm_t* comm;
  mpii_datatype_t* datatype;
  MPII_TRY(mpii_enter_comm("MPI_Pack_size", comm_handle, &comm));
  MPII_TRY(mpii_check_given(comm, size, "size"));
  MPII_TRY(mpii_datatype_any(comm, handle, &datatype));
  if (count < 0) return mpii_fail(comm, MPI_ERR_COUNT, "count is %d; it must be 0 or more", count);
  *size = count * (int)datatype->size;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Pack_size);
