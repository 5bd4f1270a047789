// SPDX-License-Identifier: Apache-2.0
// All-to-all by packets: one packet to one rank, then one to the next, so that no link has to carry many in a row.
// Packets are routed adaptively and carry their own destination: word 2 of the header names the sender, word 3 the
// offset in the block, and the first quad of the payload the exchange, which leaves 224 bytes.
#include "drivers/bgl/cache.h"
#include "drivers/bgl/torus_full.h"
#include "firmware/bgl/msglayer/activity.h"
#include "firmware/bgl/msglayer/exchange_order.h"
#include "firmware/bgl/msglayer/state.h"

enum {
  PAYLOAD = BGLML_EXCHANGE_PAYLOAD,
  WIRE_OVERHEAD = 14,  // bytes a packet (message-layer paper, section 3)
  // This fraction (one part in so many) of the busiest links' rate is left free. Measured (docs/validation.md): at
  // exactly their rate buffers fill up in the course of an exchange, 1 % below they do not.
  PACE_MARGIN = 100,
};

_Static_assert((int)BGLML_PACKET_STREAMS == (int)BGLML_QUEUES, "a stream a send queue");

_Static_assert(sizeof(bglml_exchange_peer_t) >= 2 * sizeof(uint32_t), "the workspace holds two numbers a rank");

_Static_assert(sizeof(bglml_exchange_lead_t) == sizeof(bglml_quad_t), "what a packet's first quad says");

static inline uint32_t smaller(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

static void handle(const bglml_binding_t* binding, bglml_packet_t* packet) {
  bglml_packet_exchange_t* exchange = &bglml_instance->packet_exchange;
  (void)binding;
  const uint32_t offset = packet->argument;
  bglml_quad_t quad;
  bglml_exchange_lead_t lead;
  bglml_packet_read(packet, &quad, sizeof quad);
  memcpy(&lead, &quad, sizeof lead);
  if (lead.sequence != exchange->sequence || lead.bytes != exchange->bytes || offset >= lead.bytes) {
    bglml_fatal(
        "packet for byte %u of %u from rank %u, of all-to-all %u, in number %u of %u bytes; "
        "all ranks must call the same operations in the same order, with the same sizes",
        offset, lead.bytes, packet->source, lead.sequence, exchange->sequence, exchange->bytes);
  }
  const uint32_t bytes = smaller(lead.bytes - offset, PAYLOAD);
  uint8_t* to = exchange->receive + (size_t)packet->source * lead.bytes + offset;
  bglml_traffic_t* traffic = &bglml_instance->counters.received;
  traffic->packets[BGLML_COUNT_COLLECTIVE] += 1;
  bglml_packet_read(packet, to, bytes);
  bglml_count_bytes(traffic, to, bytes);
  exchange->remaining -= bytes;
}

/// Like bglml_inject_packet(), but writes full packets from whole quads in one straight-line run.
static void inject(bglml_connection_t* connection, const bglml_head_t* head, const uint8_t* from, uint32_t bytes) {
  if (bytes != PAYLOAD || (uintptr_t)from % BGLML_QUAD_BYTES != 0 || connection->path != BGLML_PATH_TORUS) {
    bglml_inject_packet(connection, head, from, bytes);
    return;
  }
  const torus_header_t header = bglml_make_header(connection, head, TORUS_MAX_CHUNKS);
  bglml_instance->counters.sent.direct += PAYLOAD;
  bgl_torus_inject_full_behind_lead(bgl_torus_injection_window(connection->group, connection->fifo), &header,
                                    head->lead, from);
}

/// Prefetches the data of the next packet: each comes from another block, and few of them are in the cache.
static inline void touch_next(const bglml_packet_exchange_t* exchange, const bglml_packet_stream_t* stream) {
  const uint32_t rank = stream->ranks[stream->at];
  const bglml_connection_t* connection = &bglml_instance->connections[rank];
  bgl_cache_touch(&connection->headers[BGLML_ADAPTIVE], sizeof connection->headers[BGLML_ADAPTIVE]);
  bgl_cache_touch(&connection->queue, 1);
  const uint8_t* from = exchange->send + (size_t)rank * exchange->bytes + stream->offset;
  if (exchange->bytes - stream->offset < PAYLOAD) {
    bgl_cache_touch(from, exchange->bytes - stream->offset);
  } else {
#pragma GCC unroll 8
    for (unsigned line = 0; line < PAYLOAD; line += BGL_CACHE_LINE_BYTES) bgl_access_touch_line(from + line);
  }
}

static bglml_push_t push(bglml_connection_t* way, bglml_message_t* base) {
  bglml_packet_stream_t* stream = (bglml_packet_stream_t*)base;
  bglml_packet_exchange_t* exchange = &bglml_instance->packet_exchange;
  (void)way;
  const uint32_t rank = stream->ranks[stream->at];
  bglml_connection_t* connection = bglml_connect(rank);
  const bglml_head_t head = {
      .word2 = bglml_word2(base->handler, bglml_instance->rank),
      .argument = stream->offset,
      .lead = &exchange->lead,
      .lead_quads = 1,
      .routing = BGLML_ADAPTIVE,
      .group = connection->reception_group,
  };
  bglml_instance->counters.sent.packets[BGLML_COUNT_COLLECTIVE] += 1;
  inject(connection, &head, exchange->send + (size_t)rank * exchange->bytes + stream->offset,
         smaller(exchange->bytes - stream->offset, PAYLOAD));
  const uint8_t chunks = base->chunks;
  if (++stream->at == stream->count) {
    stream->at = 0;
    stream->offset += PAYLOAD;
    if (stream->offset >= exchange->bytes) return BGLML_DONE;
    base->chunks = bglml_packet_chunks(smaller(exchange->bytes - stream->offset, PAYLOAD), 1);
  }
  touch_next(exchange, stream);
  if (stream->interval == 0) return BGLML_MORE;
  stream->due += chunks == TORUS_MAX_CHUNKS ? stream->interval : stream->interval * chunks / TORUS_MAX_CHUNKS;
  if ((int32_t)(stream->due - exchange->next_due) < 0) exchange->next_due = stream->due;
  return BGLML_WAIT;
}

static const bglml_protocol_t protocol = {push, NULL};

// ---------------------------------------------------------------------------------------------------------------
// The order of the ranks

static uint32_t next_random(uint32_t* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state;  // only the upper bits are used
}

/// The numbers 1..count-1 in a random order determined by `seed`.
static void draw(uint32_t* numbers, uint32_t count, uint32_t seed) {
  for (uint32_t i = 1; i < count; ++i) numbers[i - 1] = i;
  for (uint32_t left = count - 1; left > 1; --left) {
    const uint32_t other = (uint32_t)((uint64_t)next_random(&seed) * left >> 32);
    const uint32_t number = numbers[other];
    numbers[other] = numbers[left - 1];
    numbers[left - 1] = number;
  }
}

static unsigned behind(unsigned from, unsigned to, unsigned size) {
  return to >= from ? to - from : to + size - from;
}

/// Whether every place of the machine has a rank.
static bool every_place(void) {
  const bglml_coordinates_t shape = bglml_instance->mapping.shape;
  return bglml_size() == (uint32_t)shape.x * shape.y * shape.z * shape.t;
}

/// Writes to `ranks` the rank at each distance from this one: along each dimension if every place has a rank, otherwise
/// in rank numbers. Each distance makes a permutation of the ranks.
static void ranks_by_distance(uint32_t* ranks) {
  const bglml_mapping_t* mapping = &bglml_instance->mapping;
  const bglml_coordinates_t shape = mapping->shape, self = mapping->self;
  const uint32_t size = bglml_size();
  const bool full = every_place();
  for (uint32_t rank = 0; rank < size; ++rank) {
    uint32_t distance = behind(bglml_rank(), rank, size);
    if (full) {
      const bglml_coordinates_t place = bglml_place(mapping, rank);
      distance = behind(self.t, place.t, shape.t);
      distance = distance * shape.z + behind(self.z, place.z, shape.z);
      distance = distance * shape.y + behind(self.y, place.y, shape.y);
      distance = distance * shape.x + behind(self.x, place.x, shape.x);
    }
    ranks[distance] = rank;
  }
}

/// Nodes of a ring whose links are as busy as those of a dimension: twice as many as there are for a mesh. 0: no links.
static uint32_t ring_length(unsigned dimension) {
  const bglml_mapping_t* mapping = &bglml_instance->mapping;
  const uint8_t sizes[] = {mapping->shape.x, mapping->shape.y, mapping->shape.z};
  if (sizes[dimension] == 1) return 0;
  return sizes[dimension] * ((mapping->torus >> dimension & 1u) != 0 ? 1u : 2u);
}

/// All distances but 0, evenly spread: those along the longest dimension change fastest, because its links are the
/// busiest. `scratch` has room for one number for each rank.
static void spread_distances(uint32_t* distances, uint32_t* scratch) {
  const bglml_coordinates_t shape = bglml_instance->mapping.shape;
  bglml_exchange_order_t order = {{shape.x, shape.y, shape.z, shape.t}, {3, 0, 1, 2}};
  uint8_t* const slowest = order.slowest_first + 1;
  for (unsigned end = 2; end > 0; --end) {
    for (unsigned i = 0; i < end; ++i) {
      const uint8_t dimension = slowest[i];
      if (ring_length(dimension) <= ring_length(slowest[i + 1])) continue;
      slowest[i] = slowest[i + 1];
      slowest[i + 1] = dimension;
    }
  }
  bglml_exchange_order(&order, distances, scratch);
  memmove(distances, distances + 1, (bglml_size() - 1) * sizeof *distances);
}

// ---------------------------------------------------------------------------------------------------------------
// Pace. If sources send as fast as they can, a torus whose dimensions differ in length fills up with packets that wait
// for the links of the longest one; when they also fill the buffers of the other dimensions, the packets there have to
// wait behind them. If nodes send slightly slower than the rate of the busiest links, the buffers stay free.

/// Cycles in which the busiest links carry a byte from each node, in 8ths: from each of half of the nodes of a line, a
/// quarter of its blocks crosses the middle of a ring in one direction, and half the middle of a mesh.
static uint32_t cycles_a_byte(void) {
  enum { LINK_CYCLES = 4 };  // 0.25 bytes a core cycle (message-layer paper, section 3)
  uint32_t most = 0;
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    if (ring_length(dimension) > most) most = ring_length(dimension);
  }
  return LINK_CYCLES * most * bglml_instance->mapping.shape.t;
}

/// Resumes the streams whose time has come.
static inline void keep_pace(bglml_packet_exchange_t* exchange) {
  enum { LATER = 1 << 30 };
  const uint32_t now = bglml_cycles();
  if ((int32_t)(now - exchange->next_due) < 0) return;
  exchange->next_due = now + LATER;
  for (unsigned queue = 0; queue < BGLML_QUEUES; ++queue) {
    bglml_packet_stream_t* stream = &exchange->streams[queue];
    if (!stream->way.ordered.waiting) continue;
    if ((int32_t)(now - stream->due) < 0) {
      if ((int32_t)(stream->due - exchange->next_due) < 0) exchange->next_due = stream->due;
      continue;
    }
    stream->way.ordered.waiting = false;
    bglml_lane_enqueue(&stream->way.ordered);
  }
}

static void stream_sent(void* context) {
  ((bglml_packet_exchange_t*)context)->open -= 1;
}

static void start_stream(bglml_packet_exchange_t* exchange, unsigned queue, const uint32_t* ranks, uint32_t count,
                         bool paced) {
  bglml_packet_stream_t* stream = &exchange->streams[queue];
  memset(stream, 0, sizeof *stream);
  if (count == 0) return;
  exchange->open += 1;
  stream->ranks = ranks;
  stream->count = count;
  stream->base.protocol = &protocol;
  stream->base.senddone = stream_sent;
  stream->base.context = exchange;
  stream->base.handler = exchange->handler;
  stream->base.chunks = bglml_packet_chunks(smaller(exchange->bytes, PAYLOAD), 1);
  if (paced) {
    // All streams end at the same time. The rank's own block is counted: it is one of those that do not cross the
    // middle.
    const uint32_t wire = TORUS_MAX_CHUNKS * TORUS_CHUNK_BYTES + WIRE_OVERHEAD;
    stream->interval = cycles_a_byte() * wire / 8 * bglml_size() / count;
    stream->interval += stream->interval / PACE_MARGIN;
    stream->due = bglml_cycles();
  }
  stream->way.queue = (uint8_t)queue;
  stream->way.ordered.connection = &stream->way;
  stream->way.ordered.head = stream->way.ordered.tail = &stream->base;
}

/// Distributes the ranks to the queues of their connections, into `shared`, for each queue in the order of `ranks`.
static void share_out(bglml_packet_exchange_t* exchange, uint32_t* ranks, uint32_t count, bool paced,
                      uint32_t* shared) {
  enum { RANK_BITS = 24 };  // as in the header's word 2: the queue fits above
  uint32_t counts[BGLML_QUEUES] = {0};
  uint32_t* ends[BGLML_QUEUES];
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t queue = bglml_connect(ranks[i])->queue;
    counts[queue] += 1;
    ranks[i] |= queue << RANK_BITS;
  }
  for (unsigned queue = 0; queue < BGLML_QUEUES; ++queue) {
    start_stream(exchange, queue, shared, counts[queue], paced);
    ends[queue] = shared;
    shared += counts[queue];
  }
  for (uint32_t i = 0; i < count; ++i) *ends[ranks[i] >> RANK_BITS]++ = ranks[i] & BGLML_WORD2_ID_MAX;
}

void bglml_packet_exchange(bglml_packet_exchange_t* exchange, const void* send, void* receive, uint32_t bytes,
                           bool scheduled, uint32_t* ranks) {
  const uint32_t size = bglml_size();
  exchange->sequence += 1;
  exchange->send = send;
  exchange->receive = receive;
  exchange->bytes = bytes;
  exchange->remaining = bytes * (size - 1);
  exchange->open = 0;
  exchange->next_due = bglml_cycles();
  exchange->taken = 0;
  exchange->takes = bytes >= PAYLOAD && ((uintptr_t)receive | bytes) % BGLML_QUAD_BYTES == 0;
  exchange->whole_lines = bgl_cache_whole_lines(receive, bytes);
  const bglml_exchange_lead_t lead = {exchange->sequence, bytes, {0, 0}};
  memcpy(&exchange->lead, &lead, sizeof lead);
  const uint32_t count = size - 1;
  if (!scheduled) {
    draw(ranks, size, bglml_rank() + 1);
    for (uint32_t i = 0; i < count; ++i) {
      ranks[i] += bglml_rank();
      if (ranks[i] >= size) ranks[i] -= size;
    }
  } else {
    uint32_t* const at_distance = ranks + size;
    if (every_place()) {
      spread_distances(ranks, at_distance);
    } else {
      draw(ranks, size, 1);
    }
    ranks_by_distance(at_distance);
    for (uint32_t i = 0; i < count; ++i) ranks[i] = at_distance[ranks[i]];
  }
  share_out(exchange, ranks, count, scheduled, ranks + count);
  bglml_barrier();
  for (unsigned queue = 0; queue < BGLML_QUEUES; ++queue) bglml_lane_enqueue(&exchange->streams[queue].way.ordered);
  bglml_say_waiting("an all-to-all by packets, for parts of blocks of %u bytes from all other ranks", bytes, 0, 0, 0);
  const volatile bglml_packet_exchange_t* now = exchange;
  while (now->remaining != 0 || now->open != 0) {
    if (scheduled && now->open != 0) keep_pace(exchange);
    bglml_advance();
  }
  bglml_say_done();
  exchange->takes = false;
  bglml_traffic_t* traffic = &bglml_instance->counters.received;
  traffic->packets[BGLML_COUNT_COLLECTIVE] += exchange->taken;
  traffic->direct += exchange->taken * (uint64_t)PAYLOAD;
}

void bglml_packet_exchange_init(bglml_packet_exchange_t* exchange) {
  exchange->handler = bglml_register_handler(handle, NULL, NULL);
}
