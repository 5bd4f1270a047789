// SPDX-License-Identifier: Apache-2.0
/// What the programs on the SPI have in common: this process's place in the job, its DMA group, FIFOs and counters.
#ifndef TOROID_FIRMWARE_PROGRAMS_BGP_SPI_PROGRAM_H_
#define TOROID_FIRMWARE_PROGRAMS_BGP_SPI_PROGRAM_H_

#include <spi/bgp_SPI.h>
#include <stdint.h>

typedef struct {
  uint32_t rank, ranks;
  uint32_t process;  ///< number on the node; also its group of the DMA
} spi_place_t;

typedef struct {
  uint32_t x, y, z, t;
  /// Hint bits of packets to there: none, so that the hardware chooses the way; to the own node that of
  /// a ring, around which they travel.
  uint32_t hints;
} spi_coordinates_t;

/// Ends the program with a message unless `error` is 0.
void spi_expect(int error, const char* what);

spi_place_t spi_place(void);
spi_coordinates_t spi_coordinates(uint32_t rank);

/// Injection FIFOs of the process's group, of 256 descriptors each: 0 to the torus, by one torus FIFO, so that packets
/// on deterministic routes keep their order; 1 to the own node; and 2 for the descriptors that remote gets bring, whose
/// tail the DMA moves.
DMA_InjFifoGroup_t* spi_injection_fifos(const spi_place_t* place);
/// Subgroup 0 of the process's group: counters 0 to 7.
DMA_CounterGroup_t* spi_counters(const spi_place_t* place, DMA_Type_t type);

/// Returns when all processes of the job have called it: those of a node meet by the lockbox, the nodes by a global
/// interrupt.
void spi_barrier(void);

#endif  // TOROID_FIRMWARE_PROGRAMS_BGP_SPI_PROGRAM_H_
