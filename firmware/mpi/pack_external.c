// SPDX-License-Identifier: Apache-2.0
// Packing in the standard's "external32" format: big-endian, with the sizes of the C and Fortran types that the machine
// has itself. So it is MPI_Pack()'s format, with the bytes of each number reversed on little-endian machines.
#include <string.h>

#include "firmware/mpi/request.h"

static int check(const char* function, const char* datarep) {
  mpii_enter(function);
  MPII_TRY(mpii_check_given(NULL, datarep, "datarep"));
  if (strcmp(datarep, "external32") == 0) return MPI_SUCCESS;
  return mpii_fail(NULL, MPI_ERR_ARG, "the data representation is '%s'; \"external32\" is known", datarep);
}

/// Where a basic element is made of two numbers: bytes of the first.
static size_t first_number(mpii_basic_t basic, size_t size) {
  switch (basic) {
    case MPII_COMPLEX64:
    case MPII_COMPLEX128:
    case MPII_COMPLEX256:
    case MPII_2INT:
    case MPII_2REAL:
    case MPII_2DOUBLE:
      return size / 2;
    case MPII_FLOAT_INT:
    case MPII_DOUBLE_INT:
    case MPII_LONG_INT:
    case MPII_SHORT_INT:
    case MPII_LONG_DOUBLE_INT:
      return size - sizeof(int);
    default:
      return size;
  }
}

static void reverse(uint8_t* bytes, size_t count) {
  for (size_t i = 0; i < count / 2; ++i) {
    const uint8_t byte = bytes[i];
    bytes[i] = bytes[count - 1 - i];
    bytes[count - 1 - i] = byte;
  }
}

/// Between the machine's order of bytes and big-endian.
static void convert(uint8_t* packed, int count, MPI_Datatype handle) {
  if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) return;
  const mpii_datatype_t* datatype = mpii_object(handle, MPII_DATATYPE);
  for (int copy = 0; copy < count; ++copy) {
    for (uint32_t number = 0; number < datatype->run_count; ++number) {
      const mpii_run_t* run = &datatype->runs[number];
      const size_t size = mpii_basic_size(run->basic), first = first_number(run->basic, size);
      for (size_t i = 0; i < run->count; ++i, packed += size) {
        reverse(packed, first);
        reverse(packed + first, size - first);
      }
    }
  }
}

int PMPI_Pack_external(const char* datarep, const void* in, int count, MPI_Datatype datatype, void* out, MPI_Aint size,
                       MPI_Aint* position) {
  MPII_TRY(check("MPI_Pack_external", datarep));
  MPII_TRY(mpii_check_given(NULL, position, "position"));
  int place = (int)*position;
  MPII_TRY(PMPI_Pack(in, count, datatype, out, (int)size, &place, MPI_COMM_WORLD));
  convert((uint8_t*)out + *position, count, datatype);
  *position = place;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Pack_external);

/// From a copy in the machine's order of bytes.
static int unpack_converted(const void* in, int size, int* position, void* out, int count, MPI_Datatype datatype) {
  int bytes, at = 0;
  MPII_TRY(PMPI_Pack_size(count, datatype, MPI_COMM_WORLD, &bytes));
  const int there = *position >= 0 && *position <= size ? size - *position : 0;
  uint8_t* copy = mpii_allocate((size_t)bytes);
  if (bytes <= there) {
    memcpy(copy, (const uint8_t*)in + *position, (size_t)bytes);
    convert(copy, count, datatype);
  }
  const int error = PMPI_Unpack(copy, there < bytes ? there : bytes, &at, out, count, datatype, MPI_COMM_WORLD);
  mpii_free(copy);
  *position += at;
  return error;
}

int PMPI_Unpack_external(const char* datarep, const void* in, MPI_Aint size, MPI_Aint* position, void* out, int count,
                         MPI_Datatype datatype) {
  MPII_TRY(check("MPI_Unpack_external", datarep));
  MPII_TRY(mpii_check_given(NULL, position, "position"));
  int place = (int)*position;
  if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) {
    MPII_TRY(PMPI_Unpack(in, (int)size, &place, out, count, datatype, MPI_COMM_WORLD));
  } else {
    MPII_TRY(unpack_converted(in, (int)size, &place, out, count, datatype));
  }
  *position = place;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Unpack_external);

int PMPI_Pack_external_size(const char* datarep, int count, MPI_Datatype datatype, MPI_Aint* size) {
  int bytes;
  MPII_TRY(check("MPI_Pack_external_size", datarep));
  MPII_TRY(mpii_check_given(NULL, size, "size"));
  MPII_TRY(PMPI_Pack_size(count, datatype, MPI_COMM_WORLD, &bytes));
  *size = bytes;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Pack_external_size);
