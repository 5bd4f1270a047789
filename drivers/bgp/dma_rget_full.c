/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A remote get for an injection FIFO that has less than 512 bytes free stops reception and interrupts all cores. They
 * come to a barrier; each calls the handlers of those FIFOs that it registered and that are full; they come to a
 * barrier again, so that none leaves, and meets the interrupt once more, before its cause is gone.
 */
#include "drivers/bgp/spi_internal.h"

DMA_InjFifoRgetFifoFullHandlerEntry_t DMA_RgetFifoFullHandlerTable[DMA_NUM_INJ_FIFOS];
int DMA_InjFifoRgetFifoFullInitHasBeenDone;

static void (*barrier)(void*);
static void* barrier_argument;

static int is_full(const DMA_InjFifoRgetFifoFullHandlerEntry_t* entry, int fifo) {
  return DMA_InjFifoGetFreeSpaceById(entry->fg_ptr, fifo, 1, 1) <=
         DMA_MIN_INJECT_SIZE_IN_QUADS + DMA_FIFO_DESCRIPTOR_SIZE_IN_QUADS;
}

static void on_interrupt(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  (void)a, (void)b, (void)c, (void)d;
  if (DMA_InjFifoRgetFifoFullInitHasBeenDone) {
    const uint32_t core = (uint32_t)Kernel_PhysicalProcessorID();
    barrier(barrier_argument);
    for (int number = 0; number < DMA_NUM_INJ_FIFOS; number++) {
      const DMA_InjFifoRgetFifoFullHandlerEntry_t* entry = &DMA_RgetFifoFullHandlerTable[number];
      const int fifo = number % DMA_NUM_INJ_FIFOS_PER_GROUP;
      if (entry->handler != NULL && entry->core_num == core && is_full(entry, fifo))
        entry->handler(entry->fg_ptr, fifo, entry->handler_parm);
    }
    barrier(barrier_argument);
  }
  (void)pthread_poof_np();
}

void bgp_rget_init_2(Kernel_InterruptGroup_t rget_interruptGroup, void (*rget_barrier)(void*), void* rget_barrier_arg) {
  memset(DMA_RgetFifoFullHandlerTable, 0, sizeof DMA_RgetFifoFullHandlerTable);
  if (rget_interruptGroup != NULL) (void)LockBox_FetchAndClear((LockBox_Counter_t)rget_interruptGroup);
  barrier = rget_barrier;
  barrier_argument = rget_barrier_arg;
  const int error =
      Kernel_SetCommThreadConfig(Kernel_MkInterruptID(_BGP_IC_DMA_NFT_G3_HIER_POS, BGP_IC_DMA_RGET_FIFO_FULL),
                                 COMMTHRD_OPCODE_BCAST | COMMTHRD_OPCODE_CALLFUNC,
                                 (LockBox_Counter_t)rget_interruptGroup, on_interrupt, 0, 0, 0, 0);
  SPI_assert(error == 0);
  (void)error;
}

static void lockbox_barrier(void* argument) {
  (void)LockBox_Barrier((LockBox_Barrier_t*)argument);
}

void DMA_InjFifoRgetFifoFullInit(Kernel_InterruptGroup_t rget_interruptGroup, LockBox_Barrier_t* rget_barrier) {
  bgp_rget_init_2(rget_interruptGroup, lockbox_barrier, rget_barrier);
}

void bgp_rget_register(int grp, int num_fifos, const int* fifo_ids, DMA_InjFifoRgetFifoFullHandler_t rget_handler,
                       void* rget_handler_parm, DMA_InjFifoGroup_t* fg_ptr) {
  for (int i = 0; i < num_fifos; i++) {
    DMA_InjFifoRgetFifoFullHandlerEntry_t* entry =
        &DMA_RgetFifoFullHandlerTable[grp * DMA_NUM_INJ_FIFOS_PER_GROUP + fifo_ids[i]];
    entry->fg_ptr = fg_ptr;
    entry->handler_parm = rget_handler_parm;
    entry->core_num = (uint32_t)Kernel_PhysicalProcessorID();
    entry->handler = rget_handler;
  }
  DMA_InjFifoRgetFifoFullInitHasBeenDone = 1;
}
