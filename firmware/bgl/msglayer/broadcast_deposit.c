// SPDX-License-Identifier: Apache-2.0
// Broadcast with the deposit bit: packets that the network copies to every node of the line they travel. Word 2 of the
// header names the broadcast, its root and the piece; word 3 is the packet's offset in the message, or, for a piece's
// last packet, the offset after it. So ranks that do not agree on root or size never accept each other's data. A piece
// reaches a node from one sender over one link, so its packets arrive in order.
#include <stdio.h>

#include "drivers/bgl/torus.h"
#include "firmware/bgl/msglayer/state.h"

enum {
  PACKET = BGLML_ONE_PACKET_MAX,
  // Of an id: the piece, the root's rank on the largest machine with two processes a node, and the broadcast's sequence
  // number. Few bits suffice, because the barriers keep ranks within one operation.
  PIECE_BITS = 3,
  ROOT_BITS = 17,
  PIECE_MASK = (1 << PIECE_BITS) - 1,
  ROOT_MASK = (1 << ROOT_BITS) - 1,
  SEQUENCE_MASK = BGLML_WORD2_ID_MAX >> (PIECE_BITS + ROOT_BITS),
};

_Static_assert(TORUS_PIECES_MAX <= PIECE_MASK + 1, "an id has room for the pieces");

static inline uint32_t smaller(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

static uint32_t id_of(const bglml_deposit_t* deposit, uint32_t piece) {
  return (deposit->sequence << ROOT_BITS | (deposit->root & ROOT_MASK)) << PIECE_BITS | piece;
}

static uint32_t come(const bglml_piece_t* piece) {
  return piece->length - piece->remaining;
}

// ---------------------------------------------------------------------------------------------------------------
// Receiving

static void follow(const bglml_binding_t* binding, const bglml_packet_t* packet, bglml_piece_t* piece) {
  const bglml_follow_t rest = {
      .word2 = bglml_word2(bglml_binding_number(binding), packet->source),
      .address = piece->offset,
      .view = &piece->view,
      .length = piece->length,
      .offset = come(piece),
      .remaining = &piece->remaining,
      .kind = BGLML_COUNT_COLLECTIVE,
  };
  bglml_packet_follow(packet, &rest);
}

/// Word 3 of the packet that begins with byte `begin` of the piece.
static uint32_t place_of(const bglml_piece_t* piece, uint32_t begin) {
  return piece->offset + (piece->length - begin > PACKET ? begin : piece->length);
}

static void __attribute__((noreturn)) refuse(const bglml_packet_t* packet) {
  const bglml_deposit_t* deposit = &bglml_instance->deposit;
  const uint32_t root = packet->source >> PIECE_BITS & ROOT_MASK;
  const uint32_t sequence = packet->source >> (PIECE_BITS + ROOT_BITS);
  const uint32_t number = packet->source & PIECE_MASK;
  char here[96] = "before any broadcast along lines", due[48] = "";
  if (deposit->bytes != 0) {
    snprintf(here, sizeof here, "%sbroadcast along lines number %u (modulo %u) of %u bytes, root %u",
             deposit->active ? "" : "after ", deposit->sequence, SEQUENCE_MASK + 1u, deposit->bytes, deposit->root);
  }
  if (deposit->active && packet->source == id_of(deposit, number) && number < deposit->plan.pieces) {
    const bglml_piece_t* piece = &deposit->pieces[number];
    snprintf(due, sizeof due, piece->remaining != 0 ? ", where place %u is due" : ", where none is due",
             place_of(piece, come(piece)));
  }
  bglml_fatal(
      "%s: a packet of number %u, root %u, came, piece %u, place %u%s; all ranks must call the same operations in the "
      "same order, with the same sizes and roots",
      here, sequence, root, number, packet->argument, due);
}

static void handle(const bglml_binding_t* binding, bglml_packet_t* packet) {
  bglml_deposit_t* deposit = &bglml_instance->deposit;
  const uint32_t number = packet->source & PIECE_MASK;
  if (!deposit->active || packet->source != id_of(deposit, number) || number >= deposit->plan.pieces) refuse(packet);
  bglml_instance->counters.received.packets[BGLML_COUNT_COLLECTIVE] += 1;
  bglml_piece_t* piece = &deposit->pieces[number];
  const uint32_t bytes = smaller(piece->remaining, packet->quads * BGLML_QUAD_BYTES);
  if (packet->argument != place_of(piece, come(piece)) || bytes == 0) refuse(packet);
  bglml_packet_scatter(packet, &piece->view, come(piece), bytes);
  piece->remaining -= bytes;
  if (piece->remaining > PACKET) {
    follow(binding, packet, piece);
  } else if (piece->remaining == 0) {
    bglml_packet_unfollow(packet);
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Sending

/// Chunks of the packet that push would send next, or 0 if its bytes have not arrived.
static uint8_t next_chunks(const bglml_line_t* line) {
  const bglml_piece_t* piece = line->piece;
  const uint32_t bytes = smaller(piece->length - line->next, PACKET);
  return come(piece) >= line->next + bytes ? bglml_packet_chunks(bytes, 0) : 0;
}

/// The last packet of a piece; where the buffer is not aligned, any.
static bglml_push_t push(bglml_connection_t* connection, bglml_message_t* base) {
  bglml_line_t* line = (bglml_line_t*)base;
  const bglml_piece_t* piece = line->piece;
  const uint32_t bytes = smaller(piece->length - line->next, PACKET);
  const bglml_head_t head = {
      .word2 = line->word2,
      .argument = place_of(piece, line->next),
      .routing = BGLML_DETERMINISTIC,
      .group = connection->reception_group,
  };
  bglml_instance->counters.sent.packets[BGLML_COUNT_COLLECTIVE] += 1;
  bglml_inject_packet(connection, &head, piece->view.buffer + line->next, bytes);
  line->next += bytes;
  if (line->next == piece->length) return BGLML_DONE;
  base->chunks = next_chunks(line);
  return base->chunks != 0 ? BGLML_MORE : BGLML_WAIT;
}

static const bglml_protocol_t protocol = {push, NULL};

static void relay(bglml_line_t* line) {
  const uint32_t remaining = line->piece->remaining;
  bglml_lane_t* lane = &line->way.ordered;
  if (line->full != 0) {
    // Full packets, except the last of the piece.
    const uint32_t bytes = smaller((line->seen - remaining) / PACKET * PACKET, line->full);
    lane->flow.packets += bytes / PACKET;
    line->full -= bytes;
  }
  line->seen = remaining;
  if (line->full == 0) line->base.chunks = next_chunks(line);
  if (!lane->waiting) return;
  lane->waiting = lane->flow.packets == 0 && line->base.chunks == 0;
  bglml_lane_enqueue(lane);
}

/// Passes the data that has arrived to the lines.
static void relay_all(void) {
  bglml_deposit_t* deposit = &bglml_instance->deposit;
  for (uint32_t number = 0; number < deposit->line_count; ++number) {
    bglml_line_t* line = &deposit->lines[number];
    if (line->seen != line->piece->remaining) relay(line);
  }
}

/// The place `hops` links on in a direction.
static uint8_t along(unsigned from, unsigned size, unsigned hops, bool minus) {
  return (uint8_t)((from + (minus ? size - hops : hops)) % size);
}

static void line_sent(void* context) {
  ((bglml_deposit_t*)context)->open_lines -= 1;
}

static void start_line(bglml_deposit_t* deposit, unsigned direction) {
  const bglml_mapping_t* mapping = &bglml_instance->mapping;
  const torus_broadcast_line_t planned = deposit->plan.lines[direction];
  const bglml_piece_t* piece = &deposit->pieces[planned.piece];
  if (planned.hops == 0 || piece->length == 0) return;
  bglml_line_t* line = &deposit->lines[deposit->line_count++];
  deposit->open_lines += 1;
  memset(line, 0, sizeof *line);
  line->piece = piece;
  line->seen = piece->remaining;
  line->word2 = bglml_word2(deposit->handler, id_of(deposit, planned.piece));
  line->base.protocol = &protocol;
  line->base.senddone = line_sent;
  line->base.context = deposit;

  const bool minus = direction % 2 != 0;
  bglml_coordinates_t to = mapping->self;
  if (direction / 2 == 0) to.x = along(to.x, mapping->shape.x, planned.hops, minus);
  if (direction / 2 == 1) to.y = along(to.y, mapping->shape.y, planned.hops, minus);
  if (direction / 2 == 2) to.z = along(to.z, mapping->shape.z, planned.hops, minus);
  bglml_connection_t* way = &line->way;
  bglml_pin(way, direction, to);
  const uint8_t destination[] = {to.x, to.y, to.z};
  bgl_torus_deposit_header(&way->headers[BGLML_DETERMINISTIC], destination, TORUS_HINT(direction), way->reception_group,
                           TORUS_MAX_CHUNKS);

  bglml_lane_t* lane = &way->ordered;
  lane->connection = way;
  lane->head = lane->tail = &line->base;
  lane->waiting = true;
  if ((uintptr_t)piece->view.buffer % BGLML_QUAD_BYTES != 0) return;
  const bglml_head_t head = {.word2 = line->word2, .argument = piece->offset, .group = way->reception_group};
  lane->flow.header = bglml_make_header(way, &head, TORUS_MAX_CHUNKS);
  lane->flow.from = piece->view.buffer;
  line->full = line->next = (piece->length - 1) / PACKET * PACKET;
  bglml_traffic_t* traffic = &bglml_instance->counters.sent;
  traffic->packets[BGLML_COUNT_COLLECTIVE] += line->full / PACKET;
  traffic->direct += line->full;
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

/// Pieces of whole packets, as even as they can be.
static void cut(bglml_deposit_t* deposit, uint8_t* buffer, uint32_t bytes) {
  const uint32_t pieces = deposit->plan.pieces;
  const uint32_t packets = (bytes + PACKET - 1) / PACKET;
  uint32_t begin = 0;
  for (uint32_t number = 0; number < pieces; ++number) {
    const uint32_t end = (uint32_t)((uint64_t)packets * (number + 1) / pieces);
    bglml_piece_t* piece = &deposit->pieces[number];
    piece->offset = begin * PACKET;
    piece->length = piece->remaining = smaller(end * PACKET, bytes) - piece->offset;
    bglml_view_init(&piece->view, buffer + piece->offset);
    begin = end;
  }
}

void bglml_plan_here(bglml_coordinates_t root, torus_broadcast_plan_t* plan) {
  const bglml_mapping_t* mapping = &bglml_instance->mapping;
  const bglml_coordinates_t here = mapping->self;
  const torus_broadcast_place_t place = {
      .size = {mapping->shape.x, mapping->shape.y, mapping->shape.z},
      .ring = mapping->torus,
      .root = {root.x, root.y, root.z},
      .here = {here.x, here.y, here.z},
  };
  torus_broadcast_plan(&place, plan);
}

void bglml_deposit_prepare(bglml_deposit_t* deposit, void* buffer, uint32_t bytes, uint32_t root) {
  const bglml_coordinates_t from = bglml_coordinates(root);
  deposit->sequence = (deposit->sequence + 1) & SEQUENCE_MASK;
  deposit->root = root;
  deposit->bytes = bytes;
  if (bglml_instance->mapping.self.t != from.t) return;
  bglml_plan_here(from, &deposit->plan);
  cut(deposit, buffer, bytes);
  deposit->line_count = deposit->open_lines = 0;
  for (unsigned direction = 0; direction < TORUS_DIRECTIONS; ++direction) start_line(deposit, direction);
  deposit->active = true;
  bglml_instance->after_receiving = relay_all;
}

static bool complete(const bglml_deposit_t* deposit) {
  if (*(const volatile uint32_t*)&deposit->open_lines != 0) return false;
  for (unsigned number = 0; number < deposit->plan.pieces; ++number) {
    if (*(const volatile uint32_t*)&deposit->pieces[number].remaining != 0) return false;
  }
  return true;
}

void bglml_deposit_run(bglml_deposit_t* deposit) {
  if (!deposit->active) return;
  for (unsigned number = 0; number < deposit->plan.pieces; ++number) {
    if (deposit->plan.ways[number].direction == TORUS_NO_DIRECTION) deposit->pieces[number].remaining = 0;
  }
  relay_all();
  while (!complete(deposit)) bglml_advance();
  deposit->active = false;
  bglml_instance->after_receiving = NULL;
}

void bglml_deposit_init(bglml_deposit_t* deposit) {
  deposit->handler = bglml_register_id_handler(handle, NULL, NULL);
}
