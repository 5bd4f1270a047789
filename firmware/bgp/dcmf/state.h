// SPDX-License-Identifier: Apache-2.0
/// The one instance of the layer that a process has. For the layer's own files only.
#ifndef TOROID_FIRMWARE_DCMF_STATE_H
#define TOROID_FIRMWARE_DCMF_STATE_H

#include <stddef.h>
#include <string.h>

#include "firmware/bgp/dcmf/peer.h"
#include "firmware/bgp/dcmf/protocol.h"
#include "firmware/bgp/dcmf/ring.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Numbers of FIFOs and counters, the same in the group of each process. They are taken from the top, so that programs
/// that use the SPI beside DCMF find the first ones free.
enum {
  DCMF_FIFO_FIRST_RING = 31,   ///< FIFO of ring 0; ring r has FIFO 31 - r
  DCMF_FIFO_FIRST_FETCH = 22,  ///< FIFO of remote gets whose data goes in direction 0; direction d: 22 - d
  DCMF_FIFO_LOCAL_FETCH = 16,  ///< of remote gets of this node's processes
  DCMF_FETCH_RINGS = 7,
  DCMF_RECEPTION_FIFO = 0,
  DCMF_COUNTER_MEMORY = 63,  ///< injection and reception counter that stand for all of memory
  DCMF_COUNTER_FIRST = 32,   ///< reception counters from here to 62 are for fetched data
  DCMF_COUNTERS = 31,
};

/// Elements of one size, of which a process has as many as it ever needed at a time.
typedef struct {
  void* free;
} dcmf_pool_t;

/// An operation that waits, with a copy of data that the program may change.
struct dcmf_stalled {
  dcmf_operation_t operation;
  dcmf_stalled_t* next;
  char data[DCMF_SHORT_BYTES];
};

/// Messages of collective operations (collective/exchange.c).
enum { DCMF_EXCHANGE_LISTS = 64, DCMF_BUFFER_LEAST = 256, DCMF_BUFFER_CLASSES = 25 };
struct dcmf_waiting;
typedef struct {
  dcmf_protocol_t protocol;
  dcmf_pool_t waiting_pool, sending_pool;
  struct dcmf_waiting* receives[DCMF_EXCHANGE_LISTS];  ///< by rank
  struct dcmf_waiting* messages[DCMF_EXCHANGE_LISTS];
} dcmf_exchange_t;

/// Descriptors that are kept as templates (descriptors.c).
enum {
  DCMF_TEMPLATE_PACKET,
  DCMF_TEMPLATE_PUT,
  DCMF_TEMPLATE_FETCH,
  DCMF_TEMPLATE_REPLY,
  DCMF_TEMPLATE_ACKNOWLEDGE,
  DCMF_TEMPLATES
};
typedef struct {
  DMA_InjDescriptor_t descriptor;
  uint32_t rank;    ///< of the target, plus 1
  uint32_t detail;  ///< what else is in the descriptor
} dcmf_template_t;

/// A counter for fetched data.
typedef struct {
  void (*hit)(void* owner);
  void* owner;
  uint32_t sequence;  ///< of its use
  uint32_t rank;      ///< from which the data comes
} dcmf_counter_t;

/// A put whose acknowledgement is due. Its number travels with the acknowledgement.
enum { DCMF_ACKNOWLEDGEMENTS = 1024 };
typedef struct {
  dcmf_request_t* request;  ///< NULL: free
  uint32_t rank;            ///< of the target
  uint32_t next;            ///< number of the next free one; DCMF_ACKNOWLEDGEMENTS: none
} dcmf_acknowledgement_t;

static const uint32_t DCMF_COUNTERS_ALL = 0xFFFFFFFEu;   ///< bits of all of them, from the highest on
static const uint32_t DCMF_COUNTERS_SOME = 0xFFFF0000u;  ///< of those that acknowledgements may take

typedef struct {
  uintptr_t page;     ///< address >> DCMF_PAGE_SHIFT, plus 1
  uint32_t physical;  ///< of its first byte
} dcmf_translation_t;
enum { DCMF_PAGE_SHIFT = 20, DCMF_TRANSLATIONS = 64 };

/// Memory that the processes of a node share by name: at the same addresses in all processes of the job.
typedef struct {
  uintptr_t start;
  size_t bytes;     ///< 0: there is none
  uintptr_t delta;  ///< an address, less its physical address
} dcmf_shared_t;

typedef struct {
  bool initialised;
  unsigned users;          ///< who have initialised the layer and not finalised it: MPI beside another library
  bool advancing;          ///< a callback may be running
  bool finalised;          ///< by the last of its users
  unsigned turns_outside;  ///< of DCMF_Messager_advance(), before the layer is ready or after its end
  uint32_t rank;
  uint32_t size;
  uint32_t group;  ///< of the DMA
  uint32_t first_t, processes;
  dcmf_place_t place;
  dcmf_peer_t* peers;
  uint32_t most_fetches;  ///< remote gets on their way to one rank
  uint32_t eager_bytes;

  dcmf_ring_t* rings;    ///< DCMF_RINGS
  uint32_t waiting;      ///< bit r: operations wait for ring r
  uint32_t rings_owned;  ///< bit r: slots of ring r have owners
  uint32_t bounce;       ///< physical address of the first ring's first bounce buffer
  uint32_t scratch;      ///< physical address of a quad that means nothing
  dcmf_shared_t shared;
  dcmf_request_t* completed;
  dcmf_request_t* completed_last;

  uint32_t counters_busy;  ///< bit 0x80000000 >> n: counter DCMF_COUNTER_FIRST + n
  uint32_t counter_sequence;
  dcmf_counter_t counters[DCMF_COUNTERS];

  uint32_t free_acknowledgement;  ///< number of the first one
  dcmf_acknowledgement_t* acknowledgements;

  uint32_t protocol_count;
  uint32_t function[DCMF_PACKETS];  ///< Func_Id of each kind of packet
  dcmf_protocol_t* protocols[DCMF_MOST_PROTOCOLS];
  dcmf_pool_t stalled_pool, reception_pool, held_pool;
  dcmf_pool_t buffers[DCMF_BUFFER_CLASSES];
  dcmf_exchange_t exchange;
  void* world;                     ///< the geometry of all processes
  struct dcmf_networks* networks;  ///< besides the torus (collective/networks.h)
  uint32_t in_networks;            ///< operations that these perform, or that wait for them

  DCMF_Configure_t configuration;
  int interrupts_masked;  ///< they are to be enabled when the critical section ends
  bool interrupts_here;   ///< they come to the core of the program's thread
  dcmf_translation_t translations[DCMF_TRANSLATIONS];

  dcmf_template_t templates[DCMF_RINGS][DCMF_TEMPLATES];
  DMA_InjFifoGroup_t injection;
  DMA_RecFifoGroup_t* reception;
  DMA_CounterGroup_t injection_counters;
  DMA_CounterGroup_t reception_counters;
} dcmf_state_t;

/// The instance. A process has one; the tests run several ranks in one process and set this pointer to each in turn.
extern dcmf_state_t* dcmf_instance;
extern dcmf_state_t dcmf_own_state;

static inline dcmf_peer_t* dcmf_peer(uint32_t rank) {
  return &dcmf_instance->peers[rank];
}
static inline bool dcmf_is_local(const dcmf_peer_t* peer) {
  return peer->ring == DCMF_RING_LOCAL;
}

/// Ends the process with a line that says why.
void dcmf_fatal(const char* format, ...) __attribute__((__format__(printf, 1, 2), __noreturn__));

/// Memory that the DMA can read and write, zero, for as long as the process lives. Aligned to a page at most.
void* dcmf_allocate(size_t bytes, size_t alignment);
dcmf_shared_t dcmf_find_shared(void);
void* dcmf_pool_take(dcmf_pool_t* pool, size_t bytes);
void dcmf_pool_give(dcmf_pool_t* pool, void* element);
/// Memory of any size, to be given back.
char* dcmf_buffer_take(uint32_t bytes);
void dcmf_buffer_give(char* buffer, uint32_t bytes);

/// Takes FIFOs and counters of the DMA, and gives them back.
void dcmf_take_resources(void);
void dcmf_give_resources(void);

/// The physical address of memory of this process; false unless all `bytes` are one piece of it.
bool dcmf_physical(const void* memory, size_t bytes, uint32_t* physical);
/// The same, of an argument that a program gave: ends the process if it is not its memory.
uint32_t dcmf_physical_of(const char* call, const void* memory, size_t bytes);

/// Takes a counter, of which one is free, that hits zero when `bytes` have arrived; then hit(owner) is called.
unsigned dcmf_counter_take(uint32_t bytes, uint32_t rank, void (*hit)(void*), void* owner);
/// Serves counters that have hit zero. Returns how many.
unsigned dcmf_counters_settle(void);

/// Turns progress by interrupts on or off; false if it cannot be had.
bool dcmf_set_interrupts(bool on);
void dcmf_mask_interrupts(void);
void dcmf_unmask_interrupts(void);
/// Enters the critical section if nobody is in it.
bool dcmf_try_enter(void);

/// Registers the functions that receive packets.
void dcmf_register_packets(void);

/// The largest message that is sent without being asked for, from the environment.
uint32_t dcmf_setting(const char* name, uint32_t otherwise);

/// Descriptors to a rank. Addresses are physical.
void dcmf_packet_descriptor(DMA_InjDescriptor_t* descriptor, uint32_t rank, dcmf_packet_t kind, uint32_t source,
                            uint32_t bytes);
void dcmf_put_descriptor(DMA_InjDescriptor_t* descriptor, const dcmf_operation_t* operation);
/// A remote get: `descriptors` (in a bounce buffer) is what the other node then does.
void dcmf_fetch_descriptor(DMA_InjDescriptor_t* descriptor, uint32_t rank, uint32_t descriptors);
/// What is to be done there: send `bytes` from its `source` to our `destination`, counted by our counter.
void dcmf_reply_descriptor(DMA_InjDescriptor_t* descriptor, uint32_t rank, uint32_t source, unsigned counter,
                           uint32_t destination, uint32_t bytes, bool spread);

/// What is to be done there so that the packet that acknowledges put `number` comes here: `scratch` is memory there.
void dcmf_acknowledge_descriptor(DMA_InjDescriptor_t* descriptor, uint32_t rank, uint32_t number, uint32_t scratch);
void dcmf_make_acknowledgements(void);

/// A remote get may go to `rank` now, if its ring has room.
bool dcmf_can_fetch(uint32_t rank);
/// What is to be fetched: `bytes` from `source` at a rank to `destination` here; then hit(owner) is called.
typedef struct {
  uint32_t rank;
  uint32_t source;
  uint32_t destination;
  uint32_t bytes;
  void (*hit)(void* owner);
  void* owner;
  bool spread;  ///< the data may take any way
} dcmf_fetch_t;
/// Injects a remote get; the ring has room and dcmf_can_fetch() is true.
void dcmf_inject_fetch(dcmf_ring_t* ring, const dcmf_fetch_t* fetch);
/// The start() of operations that fetch.
bool dcmf_start_fetch(dcmf_operation_t* operation);

/// A sequential operation may not pass a message whose data is still to be fetched.
static inline bool dcmf_is_held(const dcmf_operation_t* operation) {
  return operation->consistency == DCMF_SEQUENTIAL_CONSISTENCY && dcmf_peer(operation->rank)->ordered != 0;
}

/// The ring of control packets to a rank.
static inline dcmf_ring_t* dcmf_control_ring(uint32_t rank) {
  return &dcmf_instance->rings[dcmf_is_local(dcmf_peer(rank)) ? DCMF_RING_LOCAL_CONTROL : DCMF_RING_CONTROL];
}

#ifdef __cplusplus
}
#endif

#endif
