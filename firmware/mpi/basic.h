// SPDX-License-Identifier: Apache-2.0
/// Basic elements: what datatypes are made of. For the library's own files and for transports.
#ifndef TOROID_FIRMWARE_MPI_BASIC_H
#define TOROID_FIRMWARE_MPI_BASIC_H

#include <stdint.h>

/// What a basic element is: decides which reductions work on it, and whether sent and received types match.
typedef enum {
  MPII_MIXED,  ///< derived, of elements of several kinds
  MPII_RAW,    ///< MPI_BYTE, MPI_PACKED: match anything
  MPII_CHARACTER,
  MPII_INT8,
  MPII_UINT8,
  MPII_INT16,
  MPII_UINT16,
  MPII_INT32,
  MPII_UINT32,
  MPII_INT64,
  MPII_UINT64,
  MPII_FLOAT32,
  MPII_FLOAT64,
  MPII_FLOAT128,
  MPII_COMPLEX64,
  MPII_COMPLEX128,
  MPII_COMPLEX256,
  MPII_LOGICAL8,
  MPII_LOGICAL16,
  MPII_LOGICAL32,
  MPII_LOGICAL64,
  MPII_FLOAT_INT,
  MPII_DOUBLE_INT,
  MPII_LONG_INT,
  MPII_2INT,
  MPII_SHORT_INT,
  MPII_LONG_DOUBLE_INT,
  MPII_2REAL,
  MPII_2DOUBLE,
  MPII_MARKER,  ///< MPI_LB, MPI_UB
  MPII_BASICS
} mpii_basic_t;

/// Size in bytes of a basic element.
uint32_t mpii_basic_size(mpii_basic_t basic);

#endif
