// SPDX-License-Identifier: Apache-2.0
// Stress in random order: each rank sends messages to random peers (itself among them), with random protocol, size,
// alignment and layout, several at a time, the next one posted from the senddone of the one before; some rendezvous
// messages are accepted late. Both ends work the message out from (seed, source, peer, number in sequence), so the
// receiver checks its protocol, its length, each of its bytes, that no byte beside it was touched, and that messages of
// a peer begin in the order of their posting. Prints, on rank 0:
//   stress ranks=32 messages=6400 bytes=3271844 mismatches=0 disordered=731 early=2931 packets=41311 direct=1213312 ...
// disordered: messages of which a packet came before its predecessor; early: those packets. A run with adaptively
// routed protocols in which there were none shows nothing of what they are for, and fails.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/programs/bgl/arrangement.h"
#include "firmware/programs/bgl/program.h"

enum { SLOTS = 8, LINE = 32 };

typedef enum { ONE_PACKET, EAGER, ADAPTIVE_EAGER, RENDEZVOUS, PROTOCOLS } protocol_t;

static const char* const protocol_names[PROTOCOLS] = {"one-packet", "eager", "adaptive-eager", "rendezvous"};

/// What both ends know of a message.
typedef struct {
  protocol_t protocol;
  uint32_t length;
  uint32_t key;
} shape_t;

/// A message on its way out.
typedef struct {
  union {
    bglml_one_packet_t one_packet;
    bglml_eager_t eager;
    bglml_adaptive_t adaptive;
    bglml_rendezvous_t rendezvous;
  } message;
  arrangement_t arrangement;
  uint8_t* area;
} slot_t;

/// A message on its way in.
typedef struct incoming {
  union {
    bglml_eager_receive_t eager;
    bglml_adaptive_receive_t adaptive;
    bglml_rendezvous_receive_t rendezvous;
  } receive;
  struct incoming* next;  // of those to be accepted late
  bglml_rendezvous_offer_t offer;
  arrangement_t arrangement;
  uint8_t* area;
  uint32_t source, number, key;
} incoming_t;

/// What a rank knows of a peer: messages in sequence.
typedef struct {
  uint32_t sent, begun;
} peer_t;

typedef struct {
  uint64_t bytes, packets, early, direct, realigned, copied;
  uint32_t messages, mismatches, disordered;
} totals_t;

enum { ANY_RANK = 0xFFFFFF };

static uint32_t seed = 1, count = 200, max_size = 4000, size_draws = 1, least_disordered = 1, target = ANY_RANK;
static protocol_t protocols[PROTOCOLS];
static uint32_t protocol_count;
static uint32_t started, finished;  // messages of this rank: posted, sent
static uint32_t begun, completed;   // messages to this rank
static peer_t* peers;
static slot_t slots[SLOTS];
static incoming_t *late, *last_late;
static uint8_t* scratch;
static bglml_port_t ports[PROTOCOLS], end_port, totals_port;
static totals_t mine, all;
static uint32_t ended;     // peers that have sent all they had for this rank
static uint32_t reported;  // ranks whose totals have come to rank 0

/// 0 bytes, or a number of bits up to that of the greatest size, and then any number of so many bits.
static uint32_t random_length(uint32_t random) {
  uint32_t classes = 1, bits = UINT32_MAX;
  while (max_size >> (classes - 1) != 0) ++classes;
  for (uint32_t draw = 0; draw < size_draws; ++draw) {
    const uint32_t drawn = program_hash(random, 8 + draw) % classes;
    if (drawn < bits) bits = drawn;
  }
  if (bits == 0) return 0;
  const uint32_t low = UINT32_C(1) << (bits - 1);
  const uint32_t high = low * 2 - 1 < max_size ? low * 2 - 1 : max_size;
  return low + program_hash(random, 2) % (high - low + 1);
}

static shape_t shape_of(uint32_t source, uint32_t peer, uint32_t number) {
  const uint32_t key = program_hash(program_hash(seed, source), program_hash(peer, number));
  shape_t shape = {protocols[program_hash(key, 3) % protocol_count], random_length(key), key};
  if (shape.protocol == ONE_PACKET) shape.length %= BGLML_ONE_PACKET_MAX + 1;
  return shape;
}

static void* allocate(size_t bytes) {
  void* memory = aligned_alloc(32, (bytes + 31u) / 32u * 32u);
  if (memory == NULL) {
    fprintf(stderr, "stress: rank %u has no memory for %lu bytes more\n", bglml_rank(), (unsigned long)bytes);
    exit(PROGRAM_EXIT_MISMATCH);
  }
  return memory;
}

static void mismatch(uint32_t source, uint32_t number, const char* what, uint32_t is, uint32_t expected) {
  fprintf(stderr, "stress: rank %u: message %u from rank %u: %s is %u, expected %u\n", bglml_rank(), number, source,
          what, is, expected);
  mine.mismatches += 1;
}

static void complete(uint32_t length) {
  mine.messages += 1;
  mine.bytes += length;
  completed += 1;
}

// ---------------------------------------------------------------------------------------------------------------
// Receiving

/// Checks the metadata of a message, and prepares its buffer. Ends the process if a buffer could be too small.
static incoming_t* begin(uint32_t source, uint32_t number, protocol_t protocol, uint32_t length) {
  const uint32_t expected = peers[source].begun++;
  const shape_t shape = shape_of(source, bglml_rank(), expected);
  begun += 1;
  if (number != expected) mismatch(source, expected, "number", number, expected);
  if (protocol != shape.protocol) mismatch(source, expected, "protocol", protocol, shape.protocol);
  if (length != shape.length) mismatch(source, expected, "length", length, shape.length);
  if (number != expected || length != shape.length) exit(PROGRAM_EXIT_MISMATCH);
  if (protocol == ONE_PACKET) return NULL;
  incoming_t* incoming = allocate(sizeof *incoming);
  incoming->source = source;
  incoming->number = number;
  incoming->key = shape.key;
  incoming->area = allocate(arrangement_area(length));
  arrangement_make(&incoming->arrangement, program_hash(shape.key, 5), length, true);
  arrangement_guard(&incoming->arrangement, incoming->area);
  return incoming;
}

static void recvdone(void* context) {
  incoming_t* incoming = context;
  const arrangement_t* arrangement = &incoming->arrangement;
  const uint32_t wrong = arrangement_check(arrangement, incoming->area, incoming->key, scratch);
  if (wrong != arrangement->length) {
    mismatch(incoming->source, incoming->number, "first wrong byte", wrong, arrangement->length);
  }
  if (!arrangement_guarded(arrangement, incoming->area)) mismatch(incoming->source, incoming->number, "guard", 0, 1);
  complete(arrangement->length);
  free(incoming->area);
  free(incoming);
}

static uint32_t number_in(const bglml_metadata_t* metadata) {
  uint32_t number;
  memcpy(&number, metadata, sizeof number);
  return number;
}

static void one_packet_recvnew(void* context, uint32_t source, uint32_t number, const void* buffer, uint32_t length) {
  (void)context;
  begin(source, number, ONE_PACKET, length);
  const uint32_t wrong = program_check(buffer, length, shape_of(source, bglml_rank(), number).key);
  if (wrong != length) mismatch(source, number, "first wrong byte", wrong, length);
  complete(length);
}

static bglml_eager_receive_t* eager_recvnew(void* context, uint32_t source, const bglml_metadata_t* metadata,
                                            uint32_t length) {
  (void)context;
  incoming_t* incoming = begin(source, number_in(metadata), EAGER, length);
  const arrangement_t* arrangement = &incoming->arrangement;
  uint8_t* buffer = arrangement_buffer(arrangement, incoming->area);
  if (arrangement->contiguous) {
    bglml_eager_receive_init(&incoming->receive.eager, buffer, recvdone, incoming);
  } else {
    bglml_eager_receive_init_layout(&incoming->receive.eager, buffer, &arrangement->layout, recvdone, incoming);
  }
  return &incoming->receive.eager;
}

static bglml_adaptive_receive_t* adaptive_recvnew(void* context, uint32_t source, const bglml_metadata_t* metadata,
                                                  uint32_t length) {
  (void)context;
  incoming_t* incoming = begin(source, number_in(metadata), ADAPTIVE_EAGER, length);
  const arrangement_t* arrangement = &incoming->arrangement;
  uint8_t* buffer = arrangement_buffer(arrangement, incoming->area);
  if (arrangement->contiguous) {
    bglml_adaptive_receive_init(&incoming->receive.adaptive, buffer, recvdone, incoming);
  } else {
    bglml_adaptive_receive_init_layout(&incoming->receive.adaptive, buffer, &arrangement->layout, recvdone, incoming);
  }
  return &incoming->receive.adaptive;
}

static bglml_rendezvous_receive_t* rendezvous_recvnew(void* context, const bglml_rendezvous_offer_t* offer) {
  (void)context;
  incoming_t* incoming = begin(offer->source, number_in(&offer->metadata), RENDEZVOUS, offer->length);
  const arrangement_t* arrangement = &incoming->arrangement;
  uint8_t* buffer = arrangement_buffer(arrangement, incoming->area);
  if (arrangement->contiguous) {
    // Whole lines of 32 bytes where the buffer begins with one, the guard behind it included: the coprocessor may take
    // it.
    const uint32_t capacity =
        (uintptr_t)buffer % LINE == 0 ? (arrangement->length + LINE - 1) / LINE * LINE : arrangement->length;
    bglml_rendezvous_receive_init(&incoming->receive.rendezvous, buffer, capacity, recvdone, incoming);
  } else {
    bglml_rendezvous_receive_init_layout(&incoming->receive.rendezvous, buffer, &arrangement->layout, recvdone,
                                         incoming);
  }
  if (program_hash(incoming->key, 6) % 4 != 0) return &incoming->receive.rendezvous;
  incoming->offer = *offer;
  incoming->next = NULL;
  if (late != NULL) {
    last_late->next = incoming;
  } else {
    late = incoming;
  }
  last_late = incoming;
  return NULL;
}

/// A turn of the advance loop. What was not accepted at once is when nothing else happens, outside of the callbacks. A
/// turn without anything to do stores nothing: a core that waits costs the simulator nothing.
static void turn(void) {
  if (bglml_advance() || late == NULL) return;
  incoming_t* incoming = late;
  late = incoming->next;
  bglml_rendezvous_accept(&incoming->offer, &incoming->receive.rendezvous);
}

// ---------------------------------------------------------------------------------------------------------------
// Sending

static void start_next(slot_t* slot);

static void senddone(void* context) {
  slot_t* slot = context;
  finished += 1;
  free(slot->area);
  start_next(slot);
}

static void post(slot_t* slot, protocol_t protocol, uint32_t peer, uint32_t number) {
  const arrangement_t* arrangement = &slot->arrangement;
  const bglml_layout_t* layout = &arrangement->layout;
  const void* buffer = arrangement_buffer(arrangement, slot->area);
  const uint32_t length = arrangement->length;
  bglml_metadata_t metadata = {{0}};
  memcpy(&metadata, &number, sizeof number);
  switch (protocol) {
    case EAGER:
      if (arrangement->contiguous) {
        bglml_eager_init(&slot->message.eager, ports[EAGER], peer, &metadata, buffer, length, senddone, slot);
      } else {
        bglml_eager_init_layout(&slot->message.eager, ports[EAGER], peer, &metadata, buffer, layout, senddone, slot);
      }
      bglml_eager_post(&slot->message.eager);
      break;
    case ADAPTIVE_EAGER:
      if (arrangement->contiguous) {
        bglml_adaptive_init(&slot->message.adaptive, ports[ADAPTIVE_EAGER], peer, &metadata, buffer, length, senddone,
                            slot);
      } else {
        bglml_adaptive_init_layout(&slot->message.adaptive, ports[ADAPTIVE_EAGER], peer, &metadata, buffer, layout,
                                   senddone, slot);
      }
      bglml_adaptive_post(&slot->message.adaptive);
      break;
    case RENDEZVOUS:
      if (arrangement->contiguous) {
        bglml_rendezvous_init(&slot->message.rendezvous, ports[RENDEZVOUS], peer, &metadata, buffer, length, senddone,
                              slot);
      } else {
        bglml_rendezvous_init_layout(&slot->message.rendezvous, ports[RENDEZVOUS], peer, &metadata, buffer, layout,
                                     senddone, slot);
      }
      bglml_rendezvous_post(&slot->message.rendezvous);
      break;
    default:
      if (arrangement->contiguous) {
        bglml_one_packet_init(&slot->message.one_packet, ports[ONE_PACKET], peer, number, buffer, length, senddone,
                              slot);
      } else {
        bglml_one_packet_init_layout(&slot->message.one_packet, ports[ONE_PACKET], peer, number, buffer, layout,
                                     senddone, slot);
      }
      bglml_one_packet_post(&slot->message.one_packet);
      break;
  }
}

static void start_next(slot_t* slot) {
  if (started == count) return;
  const uint32_t random = program_hash(program_hash(seed, bglml_rank()), started) % bglml_size();
  const uint32_t peer = target < bglml_size() ? target : random;
  started += 1;
  const uint32_t number = peers[peer].sent++;
  const shape_t shape = shape_of(bglml_rank(), peer, number);
  arrangement_make(&slot->arrangement, program_hash(shape.key, 4), shape.length, true);
  slot->area = allocate(arrangement_area(shape.length));
  arrangement_fill(&slot->arrangement, slot->area, shape.key, scratch);
  post(slot, shape.protocol, peer, number);
}

// ---------------------------------------------------------------------------------------------------------------
// The end

/// The last message of a peer: how many it has sent before.
static void end_recvnew(void* context, uint32_t source, uint32_t announced, const void* buffer, uint32_t length) {
  (void)context, (void)buffer, (void)length;
  const uint32_t known = peers[source].begun;
  if (announced != known) mismatch(source, known, "last number", known, announced);
  ended += 1;
}

static void totals_recvnew(void* context, uint32_t source, uint32_t argument, const void* buffer, uint32_t length) {
  (void)context, (void)source, (void)argument, (void)length;
  const totals_t* totals = buffer;
  all.messages += totals->messages;
  all.bytes += totals->bytes;
  all.packets += totals->packets;
  all.early += totals->early;
  all.direct += totals->direct;
  all.realigned += totals->realigned;
  all.copied += totals->copied;
  all.mismatches += totals->mismatches;
  all.disordered += totals->disordered;
  reported += 1;
}

static void set(void* flag) {
  *(volatile uint32_t*)flag = 1;
}

static void send_number(bglml_port_t port, uint32_t peer, uint32_t number, const void* buffer, uint32_t length) {
  bglml_one_packet_t message;
  volatile uint32_t sent = 0;
  bglml_one_packet_init(&message, port, peer, number, buffer, length, set, (void*)&sent);
  bglml_one_packet_post(&message);
  while (!sent) turn();
}

static void exchange_all(void) {
  for (unsigned i = 0; i < SLOTS; ++i) start_next(&slots[i]);
  while (finished < count) turn();
  for (uint32_t step = 0; step < bglml_size(); ++step) {  // each rank begins with another peer
    const uint32_t peer = (bglml_rank() + step) % bglml_size();
    send_number(end_port, peer, peers[peer].sent, NULL, 0);
  }
  while (ended < bglml_size() || completed < begun) turn();
}

/// The counters of the layer must match what was checked.
static void take_counters(void) {
  const bglml_counters_t* counters = bglml_counters();
  const bglml_traffic_t* received = &counters->received;
  for (unsigned i = 0; i < BGLML_COUNTED; ++i) mine.packets += received->packets[i];
  mine.early = counters->early_packets;
  mine.disordered = counters->disordered_messages;
  mine.direct = received->direct;
  mine.realigned = received->realigned;
  mine.copied = received->copied;
  const uint64_t counted = received->direct + received->realigned + received->copied;
  const uint64_t expected = mine.bytes + reported * sizeof(totals_t);  // other ranks may have reported already
  if (counted == expected) return;
  fprintf(stderr, "stress: rank %u: %llu bytes were counted on their way, %llu were received\n", bglml_rank(),
          (unsigned long long)counted, (unsigned long long)expected);
  mine.mismatches += 1;
}

static bool uses_adaptive_routing(void) {
  for (uint32_t i = 0; i < protocol_count; ++i) {
    if (protocols[i] == ADAPTIVE_EAGER || protocols[i] == RENDEZVOUS) return true;
  }
  return false;
}

static int report(void) {
  take_counters();
  send_number(totals_port, 0, 0, &mine, sizeof mine);
  if (bglml_rank() != 0) return mine.mismatches ? PROGRAM_EXIT_MISMATCH : 0;
  while (reported < bglml_size()) turn();
  printf(
      "stress ranks=%u messages=%u bytes=%llu mismatches=%u disordered=%u early=%llu packets=%llu direct=%llu "
      "realigned=%llu copied=%llu\n",
      bglml_size(), all.messages, (unsigned long long)all.bytes, all.mismatches, all.disordered,
      (unsigned long long)all.early, (unsigned long long)all.packets, (unsigned long long)all.direct,
      (unsigned long long)all.realigned, (unsigned long long)all.copied);
  if (uses_adaptive_routing() && all.disordered < least_disordered) {
    fprintf(stderr,
            "stress: %u messages arrived out of order, at least %u are wanted: take more messages or a larger "
            "machine, or --disordered 0\n",
            all.disordered, least_disordered);
    return PROGRAM_EXIT_MISMATCH;
  }
  return all.mismatches ? PROGRAM_EXIT_MISMATCH : 0;
}

/// "eager,rendezvous" or "all". Returns whether all names are known.
static bool read_protocols(const char* text) {
  if (strcmp(text, "all") == 0) {
    for (protocol_count = 0; protocol_count < PROTOCOLS; ++protocol_count) protocols[protocol_count] = protocol_count;
    return true;
  }
  while (protocol_count < PROTOCOLS) {
    const size_t length = strcspn(text, ",");
    protocol_t protocol = ONE_PACKET;
    while (protocol < PROTOCOLS &&
           (strncmp(text, protocol_names[protocol], length) != 0 || protocol_names[protocol][length] != '\0')) {
      ++protocol;
    }
    if (protocol == PROTOCOLS) return false;
    protocols[protocol_count++] = protocol;
    if (text[length] == '\0') return true;
    text += length + 1;
  }
  return false;
}

int main(int argc, char** argv) {
  const char* names = "all";
  const char* second_core = "used";
  const program_option_t options[] = {
      {"--protocols", "a list of one-packet, eager, adaptive-eager, rendezvous; default all", NULL, &names, 0, 0},
      {"--seed", "of the random numbers; default 1", &seed, NULL, 0, UINT32_MAX},
      {"--messages", "sent by each rank; default 200", &count, NULL, 0, BGLML_ARGUMENT_MAX},
      {"--max-size", "bytes; default 4000. Sizes are spread evenly over their number of bits", &max_size, NULL, 1,
       1u << 24},
      {"--size-draws", "numbers of bits drawn for each size, the least of which is taken; default 1", &size_draws, NULL,
       1, 8},
      {"--disordered", "messages that must have arrived out of order, where protocols route adaptively; default 1",
       &least_disordered, NULL, 0, UINT32_MAX},
      {"--target", "rank that all messages go to; default: each message to another", &target, NULL, 0, ANY_RANK},
      {"--second-core", PROGRAM_SECOND_CORE_HELP, NULL, &second_core, 0, 0},
  };
  const bool first = program_is_first();
  program_options(argc, argv, options, sizeof options / sizeof *options, first);
  bglml_options_t layer = {0};
  if (!program_second_core(second_core, &layer)) {
    if (first) fprintf(stderr, "stress: --second-core %s: used or unused\n", second_core);
    return PROGRAM_EXIT_USAGE;
  }
  if (!read_protocols(names)) {
    if (first) {
      fprintf(stderr, "stress: --protocols %s: one-packet, eager, adaptive-eager and rendezvous, with commas, or all\n",
              names);
    }
    return PROGRAM_EXIT_USAGE;
  }
  bglml_init(&layer);
  peers = calloc(bglml_size(), sizeof *peers);
  scratch = allocate(max_size + 32u);
  ports[ONE_PACKET] = bglml_one_packet_register(one_packet_recvnew, NULL);
  ports[EAGER] = bglml_eager_register(eager_recvnew, NULL);
  ports[ADAPTIVE_EAGER] = bglml_adaptive_register(adaptive_recvnew, NULL);
  ports[RENDEZVOUS] = bglml_rendezvous_register(rendezvous_recvnew, NULL);
  end_port = bglml_one_packet_register(end_recvnew, NULL);
  totals_port = bglml_one_packet_register(totals_recvnew, NULL);
  bglml_barrier();
  exchange_all();
  const int status = report();
  bglml_barrier();
  return status;
}
