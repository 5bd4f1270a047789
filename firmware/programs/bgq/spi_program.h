/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs on the SPI have in common: this process's place in the job, its FIFOs and base addresses. */
#ifndef TOROID_FIRMWARE_PROGRAMS_BGQ_SPI_PROGRAM_H
#define TOROID_FIRMWARE_PROGRAMS_BGQ_SPI_PROGRAM_H

#include <hwi/include/common/bgq_alignment.h>
#include <spi/include/kernel/MU.h>
#include <spi/include/kernel/location.h>
#include <spi/include/mu/Addressing_inlines.h>
#include <spi/include/mu/Descriptor_inlines.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  uint32_t rank, ranks;
  uint32_t process, processes; /* number on the node, and how many there are */
  uint32_t subgroup;           /* that of the process's first hardware thread: its FIFOs and base addresses are there */
} spi_place_t;

/* Ends the program with a message unless `error` is 0. */
void spi_expect(int error, const char* what);

spi_place_t spi_place(void);
/* Where a rank is, its process on that node, and the subgroup that this process uses. */
BG_CoordinateMapping_t spi_coordinates(uint32_t rank);
uint32_t spi_subgroup(const spi_place_t* place, uint32_t process);
/* Physical address of memory. */
uint64_t spi_physical(const volatile void* at);

/* Injection FIFOs of the process: 0 is its own, to 1 remote gets bring descriptors. */
enum { SPI_SEND, SPI_REMOTE_GET, SPI_INJECTION_FIFOS };
MUSPI_InjFifoSubGroup_t* spi_injection_fifos(const spi_place_t* place);
/* Reception FIFO 0 of the process's subgroup, a ring of `bytes` bytes at `memory`. */
MUSPI_RecFifo_t* spi_reception_fifo(const spi_place_t* place, void* memory, uint64_t bytes);
/* Base addresses 0 to 3 of the process's subgroup. */
enum { SPI_BASES = 4 };
MUSPI_BaseAddressTableSubGroup_t* spi_base_addresses(const spi_place_t* place);

/* The way of a message to a rank: where it is, which network FIFOs it may go through (the local ones to the own node),
 * deterministic routes. And a message to its reception FIFO, a put to its base addresses, of which `counter` has the
 * counter, of `length` bytes at `payload`. */
void spi_way(MUSPI_BaseDescriptorInfoFields_t* base, MUSPI_Pt2PtDescriptorInfoFields_t* pt2pt, uint32_t to);
void spi_describe_message(MUHWI_Descriptor_t* descriptor, const spi_place_t* place, uint32_t to, uint64_t payload,
                          uint64_t length);
void spi_describe_put(MUHWI_Descriptor_t* descriptor, const spi_place_t* place, uint32_t to, uint64_t payload,
                      uint64_t length, uint32_t target, uint64_t offset, uint32_t counter);
/* A remote get: `length` bytes of descriptors at `payload` go to injection FIFO SPI_REMOTE_GET of the rank. */
void spi_describe_get(MUHWI_Descriptor_t* descriptor, const spi_place_t* place, uint32_t to, uint64_t payload,
                      uint64_t length);

/* Injects a descriptor into FIFO SPI_SEND, waiting for room; its number. */
uint64_t spi_inject(MUSPI_InjFifoSubGroup_t* fifos, MUHWI_Descriptor_t* descriptor);
/* Returns when it is done. */
void spi_wait_sent(MUSPI_InjFifoSubGroup_t* fifos, uint64_t number);

/* Returns when all processes of the job have called it: those of a node meet by the L2's operations, the nodes by
 * global interrupts. */
void spi_barrier(void);

#endif
