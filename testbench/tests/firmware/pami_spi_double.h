/* SPDX-License-Identifier: Apache-2.0 */
/* Included before PAMI's files on the host, where there is no Messaging Unit: the names of its types that PAMI's own
 * headers use. */
#ifndef TOROID_TESTS_PAMI_SPI_DOUBLE_H
#define TOROID_TESTS_PAMI_SPI_DOUBLE_H

#define TOROID_FIRMWARE_BGQ_PAMI_SPI_H

#include <stdint.h>

#ifdef __cplusplus
#define _Noreturn [[noreturn]]
#endif

typedef struct {
  uint8_t bytes[64];
} MUHWI_Descriptor_t;
typedef struct {
  int unused;
} MUSPI_InjFifo_t;
typedef struct {
  int unused;
} MUSPI_InjFifoSubGroup_t;

#endif
