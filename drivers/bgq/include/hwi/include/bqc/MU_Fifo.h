/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of the FIFOs, as structures that lie over them; nic/bgq/mu_regs.h says what they do. */
#ifndef _MUHWI_FIFO_H_
#define _MUHWI_FIFO_H_

#include <hwi/include/bqc/MU_Macros.h>

#define BGQ_MU_DESCRIPTOR_SIZE_IN_BYTES 64
#define BGQ_MU_DESCRIPTOR_SIZE_IN_POWER_OF_2 6
#define BGQ_MU_MIN_INJFIFO_SIZE_IN_BYTES (2 * BGQ_MU_DESCRIPTOR_SIZE_IN_BYTES)
#define BGQ_MU_MIN_INJFIFO_SLOTS (BGQ_MU_MIN_INJFIFO_SIZE_IN_BYTES / BGQ_MU_DESCRIPTOR_SIZE_IN_BYTES)
#define BGQ_MU_MIN_RGETFIFO_SIZE_IN_BYTES (512 + BGQ_MU_DESCRIPTOR_SIZE_IN_BYTES)
#define BGQ_MU_MIN_RECFIFO_SIZE_IN_BYTES (544 + 32)

/* A ring: physical addresses, and its bytes minus 1. */
typedef struct MUHWI_Fifo {
  volatile uint64_t pa_start;
  volatile uint64_t size_1;
  volatile uint64_t pa_head;
  volatile uint64_t pa_tail;
} MUHWI_Fifo_t;

/* Behind the ring of an injection FIFO. */
typedef struct MUHWI_InjFifo {
  volatile uint64_t descCount; /* descriptors that are done */
  volatile uint64_t freeSpace; /* for descriptors */
} MUHWI_InjFifo_t;

/* Of the group, FIFO f of subgroup s: bit 31 - (8 s + f). */
typedef struct MUHWI_InjFifoStatus {
  volatile uint64_t isEnabled;
  volatile uint64_t enable;
  volatile uint64_t disable;
  volatile uint64_t priority;
  volatile uint64_t interruptStatus;
  volatile uint64_t clearInterruptStatus;
} MUHWI_InjFifoStatus_t;

typedef struct MUHWI_RecFifoStatus {
  volatile uint64_t _reserved[4];
  volatile uint64_t interruptStatus;
  volatile uint64_t clearInterruptStatus;
} MUHWI_RecFifoStatus_t;

#endif
