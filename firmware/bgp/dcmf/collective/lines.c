// SPDX-License-Identifier: Apache-2.0
// Broadcasts along lines of the torus: packets with the deposit bit, which the network leaves at every node of the line
// that they travel (the plan: firmware/torus/broadcast_plan.h). A barrier of messages comes first: from then on all
// ranks know where the packets are to go, so that nothing waits in memory of its own. The packets go to the reception
// FIFO; what has come is sent on along the lines that begin at this node, from the program's buffer.
//
// A piece reaches a node from one sender over one link, so its packets come in order. A geometry has one such broadcast
// at a time, the others wait; those of several geometries are under way side by side. A packet names its geometry,
// broadcast and piece, and its place in the message, so that ranks that do not agree never take each other's data.
#include "firmware/bgp/dcmf/collective/networks.h"
#include "firmware/torus/broadcast_plan.h"

enum {
  PACKET = DCMF_PACKET_PAYLOAD,
  // Of a packet's argument.
  PIECE_BITS = 3,
  OPERATION_BITS = 5,
  GEOMETRY_BITS = 16,
  PIECE_MASK = (1 << PIECE_BITS) - 1,
  OPERATION_MASK = (1 << OPERATION_BITS) - 1,
  MOST_GEOMETRY = (1 << GEOMETRY_BITS) - 1,  // stands for the geometry of all processes
};
_Static_assert(TORUS_PIECES_MAX <= PIECE_MASK + 1, "an argument has room for the pieces");
_Static_assert(PIECE_BITS + OPERATION_BITS + GEOMETRY_BITS <= 24, "SW_Arg has 24 bits");

typedef struct {
  uint32_t begin;  // in the message
  uint32_t end;
  uint32_t come;  // all before this place in the message is here
} piece_t;

typedef struct {
  dcmf_request_t sent;  // complete when the last descriptor is
  uint8_t direction;
  uint8_t piece;
  uint8_t last;   // coordinate of its last node
  uint32_t next;  // place in the message of what is to be sent next
} line_t;

struct dcmf_lines {
  dcmf_lines_t* next;
  dcmf_collective_t* collective;
  enum { WAITING, MEETING, MOVING, DONE } stage;
  uint32_t argument;  // of packets, without the piece
  uint32_t physical;  // of the buffer
  uint32_t open;      // lines that are not sent whole
  uint32_t line_count;
  torus_broadcast_plan_t plan;
  piece_t pieces[TORUS_PIECES_MAX];
  line_t lines[TORUS_DIRECTIONS];
};

static uint32_t id_of(const dcmf_geometry_t* geometry) {
  return geometry->id == DCMF_WORLD ? MOST_GEOMETRY : geometry->id;
}

bool dcmf_lines_serve(const dcmf_geometry_t* geometry) {
  const bool named = geometry->id == DCMF_WORLD || geometry->id < MOST_GEOMETRY;
  return dcmf_instance->processes == 1 && geometry->rectangle && named;
}

// The message in pieces of whole packets, as even as they can be.
static void cut(dcmf_lines_t* lines, uint32_t bytes) {
  const uint32_t pieces = lines->plan.pieces;
  const uint32_t packets = bytes / PACKET + (bytes % PACKET != 0);
  uint32_t begin = 0;
  for (uint32_t number = 0; number < pieces; ++number) {
    const uint64_t end = (uint64_t)packets * (number + 1) / pieces * PACKET;
    piece_t* piece = &lines->pieces[number];
    piece->begin = piece->come = begin;
    piece->end = end < bytes ? (uint32_t)end : bytes;
    begin = piece->end;
  }
}

static void line_sent(void* clientdata, DCMF_Error_t* error) {
  (void)error;
  --((dcmf_lines_t*)clientdata)->open;
}

static void plan(dcmf_lines_t* lines) {
  const dcmf_collective_t* collective = lines->collective;
  const dcmf_geometry_t* geometry = collective->geometry;
  const dcmf_place_t* machine = &dcmf_instance->place;
  const dcmf_peer_t* from = dcmf_peer(dcmf_member(geometry, collective->root));
  const uint8_t root[] = {from->x, from->y, from->z};
  torus_broadcast_place_t place;
  memset(&place, 0, sizeof place);
  for (unsigned d = 0; d < 3; ++d) {
    place.size[d] = geometry->extent[d];
    place.root[d] = (uint8_t)(root[d] - geometry->least[d]);
    place.here[d] = (uint8_t)(machine->self[d] - geometry->least[d]);
    // Part of a ring is a mesh.
    if (machine->torus[d] && geometry->extent[d] == machine->size[d]) place.ring |= (uint8_t)(1u << d);
  }
  torus_broadcast_plan(&place, &lines->plan);
  cut(lines, collective->bytes);
  for (unsigned direction = 0; direction < TORUS_DIRECTIONS; ++direction) {
    const torus_broadcast_line_t planned = lines->plan.lines[direction];
    const piece_t* piece = &lines->pieces[planned.piece];
    if (planned.hops == 0 || piece->begin == piece->end) continue;
    const unsigned d = direction / 2, size = machine->size[d];
    line_t* line = &lines->lines[lines->line_count++];
    line->direction = (uint8_t)direction;
    line->piece = planned.piece;
    line->last = (uint8_t)((machine->self[d] + (direction % 2 ? size - planned.hops : planned.hops)) % size);
    line->next = piece->begin;
    line->sent.due = line->sent.parts = 1;
    line->sent.cb_done = (DCMF_Callback_t){line_sent, lines};
  }
  lines->open = lines->line_count;
}

// Sends what has come and is not sent yet, in whole packets. Returns whether there was any.
static bool relay(dcmf_lines_t* lines, line_t* line) {
  enum { FIRST_HINT = DMA_PACKET_HINT_XP };
  dcmf_state_t* state = dcmf_instance;
  const piece_t* piece = &lines->pieces[line->piece];
  const uint32_t bytes = piece->come - line->next;
  if (bytes == 0) return false;
  dcmf_ring_t* ring = &state->rings[line->direction];
  // What waits for the ring was there before.
  if (ring->first != NULL || !dcmf_ring_has(ring, 1)) return false;
  DMA_InjDescriptor_t descriptor;
  DMA_TorusMemFifoBcastDescriptor(&descriptor, line->last, state->group, FIRST_HINT >> line->direction,
                                  lines->argument | line->piece, state->networks->lines_function, state->group,
                                  DCMF_COUNTER_MEMORY, lines->physical + line->next, bytes);
  descriptor.hwHdr.Single_Packet_Parameter = line->next;
  line->next = piece->come;
  dcmf_ring_inject(ring, &descriptor, line->next == piece->end ? &line->sent : NULL);
  return true;
}

static bool is_complete(const dcmf_lines_t* lines) {
  if (lines->stage != MOVING || lines->open != 0) return false;
  for (unsigned number = 0; number < lines->plan.pieces; ++number) {
    if (lines->pieces[number].come != lines->pieces[number].end) return false;
  }
  return true;
}

// The SPI calls this for each packet.
static int receive(DMA_RecFifo_t* fifo, DMA_PacketHeader_t* packet, void* parameter, char* payload, int bytes) {
  (void)fifo, (void)parameter, (void)bytes;
  const uint32_t argument = packet->SW_Arg, number = argument & PIECE_MASK;
  const uint32_t offset = packet->Single_Packet_Parameter;
  dcmf_lines_t* lines = dcmf_instance->networks->lines;
  while (lines && (lines->stage == WAITING || lines->argument != (argument & ~(uint32_t)PIECE_MASK)))
    lines = lines->next;
  piece_t* piece = lines && number < lines->plan.pieces ? &lines->pieces[number] : NULL;
  if (piece == NULL || offset != piece->come || piece->come == piece->end) {
    dcmf_fatal(
        "broadcast along lines: a packet of geometry %u, operation %u (modulo %u), place %u came, which is not due "
        "here; all ranks must start the same operations in the same order, with the same sizes and roots",
        (unsigned)(argument >> (PIECE_BITS + OPERATION_BITS)), (unsigned)(argument >> PIECE_BITS & OPERATION_MASK),
        OPERATION_MASK + 1u, (unsigned)offset);
  }
  const uint32_t left = piece->end - offset, some = left < PACKET ? left : PACKET;
  memcpy(lines->collective->to + offset, payload, some);
  piece->come += some;
  return 0;
}

// Takes a broadcast that is complete from the list, and lets the next one of its geometry begin.
static void leave(dcmf_lines_t* done) {
  dcmf_lines_t** link = &dcmf_instance->networks->lines;
  while (*link != done) link = &(*link)->next;
  *link = done->next;
  --dcmf_instance->in_networks;
  dcmf_lines_t* next = done->next;
  while (next && next->collective->geometry != done->collective->geometry) next = next->next;
  done->stage = DONE;
  dcmf_collective_part_done(done->collective);  // `done` is no more
  if (next) {
    next->stage = MEETING;
    dcmf_collective_part_done(next->collective);
  }
}

unsigned dcmf_lines_settle(void) {
  unsigned events = 0;
  dcmf_lines_t* lines = dcmf_instance->networks->lines;
  while (lines) {
    for (uint32_t i = 0; i < lines->line_count; ++i) events += relay(lines, &lines->lines[i]);
    dcmf_lines_t* next = lines->next;
    if (is_complete(lines)) {
      leave(lines);
      ++events;
      next = dcmf_instance->networks->lines;  // callbacks may have changed the list
    }
    lines = next;
  }
  return events;
}

// Joins the list. True if no other broadcast of the geometry is in it.
static bool enter(dcmf_collective_t* collective) {
  dcmf_lines_t* lines = (dcmf_lines_t*)(void*)dcmf_collective_scratch(collective, sizeof *lines);
  memset(lines, 0, sizeof *lines);
  lines->collective = collective;
  lines->argument = id_of(collective->geometry) << (PIECE_BITS + OPERATION_BITS) |
                    (collective->operation & OPERATION_MASK) << PIECE_BITS;
  if (collective->bytes) lines->physical = dcmf_physical_of("DCMF_Broadcast", collective->to, collective->bytes);
  bool alone = true;
  dcmf_lines_t** link = &dcmf_instance->networks->lines;
  for (; *link; link = &(*link)->next) alone = alone && (*link)->collective->geometry != collective->geometry;
  *link = lines;
  ++dcmf_instance->in_networks;
  plan(lines);
  lines->stage = alone ? MEETING : WAITING;
  return alone;
}

bool dcmf_step_lines(dcmf_collective_t* collective) {
  if (collective->scratch == NULL && !enter(collective)) {
    ++collective->pending;
    return false;
  }
  dcmf_lines_t* lines = (dcmf_lines_t*)(void*)collective->scratch;
  if (lines->stage == DONE) return true;
  if (!dcmf_step_barrier(collective)) return false;
  lines->stage = MOVING;
  if (collective->root == collective->geometry->self) {  // now that all are ready
    for (unsigned number = 0; number < lines->plan.pieces; ++number)
      lines->pieces[number].come = lines->pieces[number].end;
  }
  ++collective->pending;
  (void)dcmf_lines_settle();
  return false;
}

void dcmf_lines_initialize(void) {
  const int id = DMA_RecFifoRegisterRecvFunction(receive, NULL, 0, 0);
  if (id < 0) dcmf_fatal("no number is left for the functions that receive packets");
  dcmf_instance->networks->lines_function = (uint32_t)id;
}
