/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reception FIFOs: the table of receive functions, and polling. Polling keeps the head in the structure's shadow and
 * tells the hardware of it after DMA_MAX_NUM_PACKETS_BEFORE_MOVING_HEAD packets, and when it stops.
 */
#include <limits.h>

#include "drivers/bgp/spi_internal.h"

#define MOST_FUNCTIONS 256
#define MOST_PAYLOAD (8 * 32 - (int)sizeof(DMA_PacketHeader_t))
/* Thresholds of reception FIFOs: group 2 of the interrupt controller, from this line on, one a group of FIFOs. */
#define THRESHOLD_GROUP 2
#define THRESHOLD_LINE 28

typedef struct {
  DMA_RecFifoRecvFunction_t function;
  void* parameter;
} Receiver;

static Receiver receivers[MOST_FUNCTIONS];
static Receiver header_receiver;
static Receiver error_receiver = {DMA_RecFifoDefaultErrorRecvFunction, NULL};

static DMA_RecFifoGroup_t groups[DMA_NUM_REC_FIFO_GROUPS];
static int group_is_known[DMA_NUM_REC_FIFO_GROUPS];

int DMA_RecFifoDefaultErrorRecvFunction(DMA_RecFifo_t* f_ptr, DMA_PacketHeader_t* packet_ptr, void* recv_func_parm,
                                        char* payload_ptr, int payload_bytes) {
  (void)recv_func_parm, (void)payload_ptr;
  printf(
      "reception FIFO %d: a packet of %d bytes for receive function %u, which is not registered; its header is "
      "%08x %08x %08x %08x\n",
      f_ptr->global_fifo_id, payload_bytes, (unsigned)packet_ptr->Func_Id, packet_ptr->word0, packet_ptr->word1,
      packet_ptr->word2, packet_ptr->word3);
  SPI_assert(0);
  return -1;
}

int DMA_RecFifoRegisterRecvFunction(DMA_RecFifoRecvFunction_t recv_func, void* recv_func_parm, int is_error_function,
                                    int is_header_fifo) {
  const Receiver receiver = {recv_func, recv_func_parm};
  if (recv_func == NULL || (is_error_function && is_header_fifo)) return -EINVAL;
  if (is_header_fifo) {
    if (header_receiver.function != NULL) return -EBUSY;
    header_receiver = receiver;
    return 0;
  }
  if (is_error_function) {
    if (error_receiver.function != DMA_RecFifoDefaultErrorRecvFunction) return -EBUSY;
    error_receiver = receiver;
    return 0;
  }
  for (int number = 0; number < MOST_FUNCTIONS; number++)
    if (receivers[number].function == NULL) {
      receivers[number] = receiver;
      return number;
    }
  return -EBUSY;
}

int DMA_RecFifoDeRegisterRecvFunction(int registrationId, int is_error_function, int is_header_fifo) {
  const Receiver none = {NULL, NULL};
  if (registrationId >= MOST_FUNCTIONS) return -EINVAL;
  if (is_header_fifo) header_receiver = none;
  if (is_error_function) error_receiver.function = DMA_RecFifoDefaultErrorRecvFunction;
  if (registrationId >= 0) receivers[registrationId] = none;
  return 0;
}

DMA_RecFifoGroup_t* DMA_RecFifoGetFifoGroup(int grp, int target, Kernel_CommThreadHandler normal_handler,
                                            void* normal_handler_parm, Kernel_CommThreadHandler header_handler,
                                            void* header_handler_parm, Kernel_InterruptGroup_t interruptGroup) {
  SPI_assert(grp >= 0 && grp < DMA_NUM_REC_FIFO_GROUPS);
  SPI_assert(target >= 0 && target < _BGP_NUM_CORES);
  (void)header_handler, (void)header_handler_parm; /* header FIFOs have no interrupt of their own */
  if (group_is_known[grp]) return &groups[grp];
  if (normal_handler != NULL &&
      Kernel_SetCommThreadConfig(Kernel_MkInterruptID(THRESHOLD_GROUP, THRESHOLD_LINE + grp),
                                 (COMMTHRD_OPCODE_CORE0 + target) | COMMTHRD_OPCODE_CALLFUNC |
                                     COMMTHRD_OPCODE_DISABLEINTONENTRY | COMMTHRD_OPCODE_ENABLEINTONPOOF,
                                 (LockBox_Counter_t)interruptGroup, normal_handler, (uint32_t)normal_handler_parm, 0, 0,
                                 0) != 0)
    return NULL;
  if (Kernel_RecFifoGetFifoGroup((uint32_t*)(void*)&groups[grp], grp, target, NULL, NULL, NULL, NULL, NULL) != 0)
    return NULL;
  group_is_known[grp] = 1;
  return &groups[grp];
}

/* Tells the hardware how far the packets have been taken. */
static void move_head(DMA_RecFifo_t* fifo) {
  if (fifo->num_packets_processed_since_moving_fifo_head == 0) return;
  DMA_FifoSetHead(&fifo->dma_fifo, fifo->dma_fifo.va_head);
  fifo->num_packets_processed_since_moving_fifo_head = 0;
}

/* Calls the receive function of the packet at the head. *stop: polling ends, with this result. */
static int take_packet(DMA_RecFifo_t* fifo, int* stop) {
  DMA_PacketHeader_t* header = (DMA_PacketHeader_t*)fifo->dma_fifo.va_head;
  char* payload = (char*)(header + 1);
  const int bytes = ((int)header->Chunks + 1) * 32 - (int)sizeof *header;
  const int before_end = (int)((char*)fifo->dma_fifo.va_end - payload);
  char whole[MOST_PAYLOAD] ALIGN_QUADWORD;
  if (bytes > before_end) {
    memcpy(whole, payload, (size_t)before_end);
    memcpy(whole + before_end, fifo->dma_fifo.va_start, (size_t)(bytes - before_end));
    payload = whole;
  }
  const Receiver* receiver = &receivers[header->Func_Id];
  *stop = receiver->function == NULL;
  if (*stop) receiver = &error_receiver;
  const int result = receiver->function(fifo, header, receiver->parameter, payload, bytes);
  *stop |= result != 0;
  fifo->dma_fifo.va_head = bgp_fifo_advance(&fifo->dma_fifo, header, (unsigned)(bytes + (int)sizeof *header) / 16);
  return result;
}

/* The packet of a header FIFO is a header alone. */
static int take_header(DMA_RecFifo_t* fifo, int* stop) {
  DMA_PacketHeader_t* header = (DMA_PacketHeader_t*)fifo->dma_fifo.va_head;
  const Receiver* receiver = header_receiver.function != NULL ? &header_receiver : &error_receiver;
  const int result = receiver->function(fifo, header, receiver->parameter, NULL, 0);
  *stop = result != 0 || header_receiver.function == NULL;
  fifo->dma_fifo.va_head = bgp_fifo_advance(&fifo->dma_fifo, header, 1);
  return result;
}

/* One look at a FIFO, which takes the packets that are there, at most `limit`. Returns how many. */
static int poll_once(DMA_RecFifo_t* fifo, int limit, int* stop, int* result) {
  int taken = 0;
  const void* tail = DMA_FifoGetTailNoFreeSpaceUpdate(&fifo->dma_fifo);
  *stop = 0;
  while (fifo->dma_fifo.va_head != tail && taken < limit && !*stop) {
    *result = fifo->global_fifo_id < DMA_NUM_NORMAL_REC_FIFOS ? take_packet(fifo, stop) : take_header(fifo, stop);
    taken++;
    if (++fifo->num_packets_processed_since_moving_fifo_head == DMA_MAX_NUM_PACKETS_BEFORE_MOVING_HEAD) move_head(fifo);
  }
  move_head(fifo);
  return taken;
}

/* Whether a FIFO of those in `bits` of the status word has a packet: looks `passes` times more if none has. */
static unsigned wait_for_packets(DMA_RecFifoGroup_t* group, int word, unsigned bits, int passes, int delay) {
  for (;;) {
    const unsigned there = DMA_RecFifoGetNotEmpty(group, word) & bits;
    if (there != 0 || passes-- <= 0) return there;
    _bgp_Delay((uint32_t)(delay > 0 ? delay : 0));
  }
}

/* What a poll returns: packets, or what a receive function returned. A packet that names no function ends it, too. */
static int end_of_poll(int stop, int result, int taken) {
  return stop && result != 0 ? result : taken;
}

/* A poll of the normal FIFOs of fifos[] from `first` on, by turns. Limits of 0 or less: none. looks: those that find
 * packets. *next: where the next poll should begin. */
static int poll_group(DMA_RecFifoGroup_t* group, int first, int most, int most_of_fifo, int looks, int passes,
                      int delay, int* next) {
  int taken = 0, at = first, stop = 0, result = 0;
  const int unlimited_looks = looks <= 0;
  while ((most <= 0 || taken < most) && !stop && (unlimited_looks || looks > 0)) {
    const unsigned there = wait_for_packets(group, 0, group->mask, passes, delay);
    if (there == 0) break;
    while ((there & bgp_rec_bits(group, &group->fifos[at])) == 0) {
      at = (at + 1) % group->num_normal_fifos;
      /* Only FIFOs of the map are in fifos[]. */
      if (at == first && (there & bgp_rec_bits(group, &group->fifos[at])) == 0) return taken;
    }
    int limit = most_of_fifo > 0 ? most_of_fifo : INT_MAX;
    if (most > 0 && most - taken < limit) limit = most - taken;
    const int now = poll_once(&group->fifos[at], limit, &stop, &result);
    taken += now;
    looks -= now > 0;
    if (now == 0 || now == most_of_fifo || most_of_fifo <= 0) at = (at + 1) % group->num_normal_fifos;
    first = at;
  }
  if (next != NULL) *next = at;
  return end_of_poll(stop, result, taken);
}

int DMA_RecFifoPollNormalFifos(int total_packets, int packets_per_fifo, int starting_index, int num_empty_passes,
                               int not_empty_poll_delay, DMA_RecFifoGroup_t* fg_ptr, int* next_fifo_index) {
  SPI_assert(fg_ptr != NULL);
  SPI_assert(total_packets > 0 && packets_per_fifo > 0);
  SPI_assert(starting_index >= 0 && starting_index < fg_ptr->num_normal_fifos);
  return poll_group(fg_ptr, starting_index, total_packets, packets_per_fifo, 0, num_empty_passes, not_empty_poll_delay,
                    next_fifo_index);
}

int DMA_RecFifoSimplePollNormalFifos(DMA_RecFifoGroup_t* fg_ptr, int fruitfulPollLimit) {
  SPI_assert(fg_ptr != NULL);
  return poll_group(fg_ptr, 0, 0, 0, fruitfulPollLimit, 0, 0, NULL);
}

/* A poll of one FIFO. */
static int poll_fifo(DMA_RecFifoGroup_t* group, int place, int most, int looks, int passes, int delay) {
  DMA_RecFifo_t* fifo = &group->fifos[place];
  int taken = 0, stop = 0, result = 0;
  const int unlimited_looks = looks <= 0;
  while ((most <= 0 || taken < most) && !stop && (unlimited_looks || looks > 0)) {
    if (wait_for_packets(group, bgp_rec_word(fifo), bgp_rec_bits(group, fifo), passes, delay) == 0) break;
    const int now = poll_once(fifo, most > 0 ? most - taken : INT_MAX, &stop, &result);
    taken += now;
    looks -= now > 0;
  }
  return end_of_poll(stop, result, taken);
}

int DMA_RecFifoPollNormalFifoById(int num_packets, int fifo_id, int num_empty_passes, int not_empty_poll_delay,
                                  DMA_RecFifoGroup_t* fg_ptr) {
  SPI_assert(fg_ptr != NULL);
  SPI_assert(num_packets > 0);
  SPI_assert(fifo_id >= 0 && fifo_id < fg_ptr->num_normal_fifos);
  return poll_fifo(fg_ptr, fifo_id, num_packets, 0, num_empty_passes, not_empty_poll_delay);
}

int DMA_RecFifoSimplePollNormalFifoById(int fifo_id, DMA_RecFifoGroup_t* fg_ptr, int fruitfulPollLimit) {
  SPI_assert(fg_ptr != NULL);
  SPI_assert(fifo_id >= 0 && fifo_id < fg_ptr->num_normal_fifos);
  return poll_fifo(fg_ptr, fifo_id, 0, fruitfulPollLimit, 0, 0);
}

int DMA_RecFifoPollHeaderFifo(int num_packets, int num_empty_passes, int not_empty_poll_delay,
                              DMA_RecFifoGroup_t* fg_ptr) {
  SPI_assert(fg_ptr != NULL);
  SPI_assert(num_packets > 0);
  SPI_assert(fg_ptr->num_hdr_fifos == DMA_NUM_HEADER_REC_FIFOS_PER_GROUP);
  return poll_fifo(fg_ptr, DMA_HEADER_REC_FIFO_ID, num_packets, 0, num_empty_passes, not_empty_poll_delay);
}
