// SPDX-License-Identifier: Apache-2.0
// The advance loop: reads the status of the FIFOs of both groups, passes arrived packets to the handlers, and sends as
// many packets as there is room for.
//
// An iteration that finds nothing to do stores nothing outside its stack frame. If the loop would have to wait (nothing
// arrived, no room) it returns; it never spins.
#include <string.h>

#include "drivers/bgl/torus.h"
#include "drivers/bgl/torus_full.h"
#include "firmware/bgl/msglayer/state.h"

/// Chunks sent to the process's own rank in one iteration: the usable size of an injection FIFO.
enum { SELF_CHUNKS = BGL_TORUS_USABLE_CHUNKS };

static uint8_t bind(bglml_handler_t handler, void (*callback)(void), void* context, uint32_t sources) {
  bglml_state_t* state = bglml_instance;
  bglml_require("a port registered");
  if (state->handler_count == BGLML_MAX_HANDLERS) bglml_fatal("more than %d ports registered", BGLML_MAX_HANDLERS);
  state->handlers[state->handler_count] = (bglml_binding_t){handler, callback, context, sources, NULL, false};
  return (uint8_t)state->handler_count++;
}

uint8_t bglml_register_handler(bglml_handler_t handler, void (*callback)(void), void* context) {
  return bind(handler, callback, context, bglml_instance->size);
}

uint8_t bglml_register_port(const bglml_protocol_t* protocol, bglml_handler_t handler, void (*callback)(void),
                            void* context) {
  const uint8_t number = bglml_register_handler(handler, callback, context);
  bglml_instance->handlers[number].protocol = protocol;
  return number;
}

uint8_t bglml_register_id_handler(bglml_handler_t handler, void (*callback)(void), void* context) {
  return bind(handler, callback, context, BGLML_WORD2_ID_MAX + 1u);
}

void bglml_dispatch(bglml_packet_t* packet, uint32_t handler) {
  const bglml_state_t* state = bglml_instance;
  if (handler >= state->handler_count || packet->source >= state->handlers[handler].sources) {
    bglml_fatal("packet in FIFO R%u of group %u for port %u from rank %u; there are %u ports and %u ranks",
                packet->fifo, packet->group, handler, packet->source, state->handler_count, state->size);
  }
  const bglml_binding_t* binding = &state->handlers[handler];
  binding->handler(binding, packet);
}

/// Counts the packets received by a stream. Not called for each packet, because that would cost as much as receiving
/// it.
static void count_flow(bglml_state_t* state, bglml_inflow_t* flow) {
  state->counters.received.packets[flow->kind] += flow->taken;
  state->counters.received.direct += flow->taken * (uint64_t)BGLML_ONE_PACKET_MAX;
  flow->taken = 0;
}

const bglml_counters_t* bglml_counters(void) {
  bglml_state_t* state = bglml_instance;
  for (unsigned fifo = 0; fifo < BGLML_GROUPS * BGLML_RECEPTION_FIFOS; ++fifo) {
    count_flow(state, &state->flows[fifo / BGLML_RECEPTION_FIFOS][fifo % BGLML_RECEPTION_FIFOS]);
  }
  return &state->counters;
}

/// Handle the `chunks` chunks of whole packets that a reception FIFO holds.
static void drain(bglml_state_t* state, unsigned group, unsigned fifo, unsigned chunks) {
  const uintptr_t window = bgl_torus_reception_window(group, fifo);
  bglml_inflow_t* flow = &state->flows[group][fifo];
  bglml_packet_exchange_t* exchange = &state->packet_exchange;
  torus_header_t header;
  bglml_quad_t ahead[BGL_TORUS_AHEAD_QUADS - 1];
  bglml_packet_t packet = {.group = (uint8_t)group, .fifo = (uint8_t)fifo, .flow = flow};
  unsigned held = 0;   // quads in `ahead`
  bool known = false;  // `header` is that of the next packet already
  state->in_turn = true;
  while (chunks != 0) {
    if (known) {
      known = false;
    } else if ((flow->word2 != BGLML_NO_INFLOW || exchange->takes) && chunks >= TORUS_MAX_CHUNKS) {
      const bgl_torus_ahead_t quads = bgl_torus_peek_ahead(window, &header);
      uint8_t* to = bglml_inflow_take(flow, &header);
      if (to != NULL) {
        bgl_torus_read_full(window, &quads, to);
        chunks -= TORUS_MAX_CHUNKS;
        continue;
      }
      bgl_torus_keep_ahead(&quads, ahead[0].bytes);
      if (exchange->takes) {
        bglml_exchange_lead_t lead;
        memcpy(&lead, &ahead[0], sizeof lead);
        to = bglml_exchange_take(exchange, &header, &lead, state->size);
        if (to != NULL) {
          bgl_torus_read_full_behind_lead(window, &quads, to);
          chunks -= TORUS_MAX_CHUNKS;
          continue;
        }
      }
      held = BGL_TORUS_AHEAD_QUADS - 1;
    } else {
      bgl_torus_peek(group, fifo, &header);
    }
    if (flow->taken != 0) count_flow(state, flow);
    const uint32_t word2 = bgl_torus_software(&header, 2);
    const unsigned quads = bgl_torus_rest_quads(&header);
    packet.source = bglml_word2_source(word2);
    packet.argument = bgl_torus_software(&header, 3);
    packet.quads = quads;
    packet.held = ahead;
    packet.held_quads = (uint8_t)(held < quads ? held : quads);
    chunks -= bgl_torus_header_chunks(&header);
    bglml_dispatch(&packet, bglml_word2_handler(word2));
    if (packet.quads != packet.held_quads) bgl_torus_discard(group, fifo, packet.quads - packet.held_quads);
    if (held > quads) {  // a packet of one chunk: the other two quads are the first ones of the next packet
      memcpy(&header, &ahead[1], sizeof header);
      ahead[0] = ahead[2];
      held = 1;
      known = true;
    } else {
      held = 0;
    }
  }
}

/// Drains the non-empty reception FIFOs, lower numbers first: from R0 on, whose bytes of the status are the upper ones
/// of the first word, then from R4 on.
static bool receive(bglml_state_t* state, unsigned group, const bgl_torus_status_t* status) {
  uint32_t words[2];
  memcpy(words, status->chunks, sizeof words);
  words[1] = torus_be32(words[1]) & 0xFFFFFF00u;  // without I0
  words[0] = torus_be32(words[0]);
  if ((words[0] | words[1]) == 0) return false;
  for (unsigned half = 0; half < 2; ++half) {
    for (uint32_t word = words[half]; word != 0;) {
      const unsigned byte = (unsigned)__builtin_clz(word) / 8;
      const unsigned shift = 24 - 8 * byte;
      drain(state, group, 4 * half + byte, word >> shift & 0xFFu);
      word &= ~(UINT32_C(0xFF) << shift);
    }
  }
  return true;
}

/// Moves the lane at the head of a FIFO's queue to the end after it has sent a packet. Removes it if it has nothing to
/// send.
static void next_turn(bglml_send_queue_t* queue) {
  bglml_lane_t* lane = queue->head;
  const bool stays = lane->head != NULL && !lane->waiting;
  if (stays && lane->next == NULL) return;  // the only lane: it sends again
  queue->head = lane->next;
  lane->queued = stays;
  if (!stays) return;
  queue->tail->next = lane;
  queue->tail = lane;
  lane->next = NULL;
}

/// Sends the control packets of a queue, of one chunk each, while there is `room`. Returns the room left.
static unsigned send_controls(bglml_state_t* state, bglml_send_queue_t* queue, unsigned room) {
  while (queue->control_head != NULL && room != 0) {
    bglml_control_t* control = queue->control_head;
    queue->control_head = control->next;
    state->in_turn = true;
    room -= 1;
    const bglml_head_t head = {
        .word2 = bglml_word2(control->handler, state->rank),
        .argument = control->argument,
        .lead = control->lead,
        .lead_quads = control->lead != NULL,
        .routing = control->routing,
        .group = control->connection->reception_group,
    };
    state->counters.sent.packets[BGLML_COUNT_CONTROL] += 1;
    void (*sent)(bglml_control_t*) = control->sent;  // without `sent`, the memory may be reused at any time
    bglml_inject_packet(control->connection, &head, NULL, 0);
    if (sent != NULL) sent(control);
  }
  return room;
}

/// Sends packets from queue `number`, from each lane in turn a packet or a run of full ones, while there is `room`.
static bool send(bglml_state_t* state, unsigned number, unsigned room) {
  bglml_send_queue_t* queue = &state->queues[number];
  const unsigned before = room;
  if (queue->control_head != NULL) room = send_controls(state, queue, room);
  while (queue->head != NULL) {
    bglml_lane_t* lane = queue->head;
    if (lane->flow.packets != 0) {
      if (room < TORUS_MAX_CHUNKS) break;
      state->in_turn = true;
      room = bglml_outflow_send(&lane->flow, lane->connection->group, lane->connection->fifo, room);
      if (lane->flow.packets == 0 && lane->head->chunks == 0) lane->waiting = true;  // for more to be sent
      next_turn(queue);
      continue;
    }
    bglml_message_t* message = lane->head;
    if (message->chunks > room) break;
    room -= message->chunks;
    state->in_turn = true;
    const bglml_push_t pushed = message->protocol->push(lane->connection, message);
    if (pushed & BGLML_LEAVE) lane->head = message->next;
    if (pushed & BGLML_WAIT) lane->waiting = true;
    next_turn(queue);
    // All is in order again: the callback may post anything, this message too.
    if ((pushed & BGLML_DONE) == BGLML_DONE) bglml_message_done(message);
  }
  if (room == before) return false;
  if (queue->head == NULL && queue->control_head == NULL) state->busy &= ~(UINT32_C(1) << number);
  return true;
}

static inline unsigned room_in(const bgl_torus_status_t* status, unsigned fifo) {
  const unsigned held = bgl_torus_injection_chunks(status, fifo);
  return held < BGL_TORUS_USABLE_CHUNKS ? BGL_TORUS_USABLE_CHUNKS - held : 0;
}

static inline bool waits(const bglml_state_t* state, unsigned queue) {
  return (state->busy >> queue & 1u) != 0;
}

/// The status read in an iteration: of the process's groups in order, and the quad of the scratchpad that this mode
/// polls.
typedef struct {
  bgl_torus_status_t torus[BGLML_GROUPS];
  bgl_scratchpad_quad_t pad;
} seen_t;

/// Sends from the queues of `numbers`, one bit for each. Injection FIFOs can only have emptied since their status was
/// read.
static inline bool send_from(bglml_state_t* state, const seen_t* seen, uint32_t numbers) {
  bool happened = false;
  for (; numbers != 0; numbers &= numbers - 1) {
    const unsigned number = (unsigned)__builtin_ctz(numbers);
    const bgl_torus_status_t* status = &seen->torus[number / BGLML_PINNED_FIFOS - state->first_group];
    if (send(state, number, room_in(status, number % BGLML_PINNED_FIFOS))) happened = true;
  }
  return happened;
}

/// Sends what does not leave the node: to the process itself, and to the other one.
static inline bool send_inside(bglml_state_t* state, const seen_t* seen) {
  bool happened = waits(state, BGLML_SELF_QUEUE) && send(state, BGLML_SELF_QUEUE, SELF_CHUNKS);
  if (waits(state, BGLML_VIRTUAL_QUEUE) &&
      send(state, BGLML_VIRTUAL_QUEUE, bglml_virtual_room(&state->virtual_fifos, &seen->pad))) {
    happened = true;
  }
  return happened;
}

/// An iteration with work, or with something to send that may find no room. Not inlined, so that an idle iteration does
/// not save the registers that this needs.
static __attribute__((noinline)) bool work(bglml_state_t* state, const seen_t* seen) {
  bool happened = false;
  // Its quad was read if it had something then. What it is given below, a callback of what is sent now may do it, can
  // only end in another turn.
  const bool ended =
      bglml_coprocessor_receiving(&state->coprocessor) != 0 && state->coprocessor.received != seen->pad.word[0];
  // Waiting packets are sent before any are received: otherwise an injection FIFO that holds one packet would run empty
  // while packets are read.
  const uint32_t waiting = state->busy & ((1u << BGLML_FIFOS) - 1);
  if (waiting != 0 && send_from(state, seen, waiting)) happened = true;
  if (ended) {
    state->in_turn = happened = true;
    bglml_coprocessor_finish(&state->coprocessor, seen->pad.word[0]);
  }
  for (unsigned group = state->first_group; group < state->end_group; ++group) {
    if (receive(state, group, &seen->torus[group - state->first_group])) happened = true;
  }
  bglml_virtual_fifos_t* fifos = &state->virtual_fifos;
  if (fifos->present && bglml_virtual_received(fifos, &seen->pad) != 0) {
    state->in_turn = happened = true;
    bglml_virtual_drain(fifos, bglml_virtual_received(fifos, &seen->pad));
  }
  if (state->after_receiving != NULL) state->after_receiving();
  const uint32_t posted = state->busy & ((1u << BGLML_FIFOS) - 1) & ~waiting;
  if (posted != 0 && send_from(state, seen, posted)) happened = true;
  if (send_inside(state, seen)) happened = true;
  if (happened) state->in_turn = false;
  return happened;
}

/// An iteration in virtual node mode: the process's own group of torus FIFOs, and the virtual FIFOs.
static __attribute__((noinline)) bool advance_virtual_node(bglml_state_t* state) {
  const bool shared = state->virtual_fifos.present;
  seen_t seen;
  bgl_torus_read_status(state->first_group, &seen.torus[0]);
  if (shared) bglml_virtual_read_status(&seen.pad);  // under way while the first waits
  if (state->busy == 0 && !bglml_anything_received(&seen.torus[0]) &&
      (!shared || bglml_virtual_received(&state->virtual_fifos, &seen.pad) == 0)) {
    return false;
  }
  return work(state, &seen);
}

/// An iteration while the coprocessor receives.
static __attribute__((noinline)) bool advance_with_coprocessor(bglml_state_t* state) {
  seen_t seen;
  bgl_torus_read_status(0, &seen.torus[0]);
  bgl_torus_read_status(1, &seen.torus[1]);
  bgl_scratchpad_read_quad(BGLML_PAD_RECEPTION, &seen.pad);
  if (state->busy == 0 && !bglml_anything_received(&seen.torus[0]) && seen.pad.word[0] == state->coprocessor.received) {
    return false;
  }
  return work(state, &seen);
}

static __attribute__((noreturn, noinline)) void refuse_turn(const bglml_state_t* state) {
  if (!state->initialised) bglml_fatal("bglml_advance() before bglml_init()");
  bglml_fatal("bglml_advance() called from a callback; a callback may only post");
}

bool bglml_advance(void) {
  bglml_state_t* state = bglml_instance;
  if (state->in_turn) refuse_turn(state);
  if (state->virtual_node) return advance_virtual_node(state);
  if (bglml_coprocessor_receiving(&state->coprocessor) != 0) return advance_with_coprocessor(state);
  seen_t seen;
  bgl_torus_read_status(0, &seen.torus[0]);  // the second read is in flight while the first waits
  bgl_torus_read_status(1, &seen.torus[1]);
  if (state->busy == 0 && !bglml_anything_received(&seen.torus[0]) && !bglml_anything_received(&seen.torus[1])) {
    return false;
  }
  return work(state, &seen);
}

bool bglml_sending(void) {
  return bglml_instance->busy != 0;
}

uint32_t bglml_reception_groups(void) {
  const bglml_state_t* state = bglml_instance;
  return (UINT32_C(1) << state->end_group) - (UINT32_C(1) << state->first_group);
}

bool bglml_advance_sending(void) {
  bglml_state_t* state = bglml_instance;
  if (state->in_turn) refuse_turn(state);
  seen_t seen;
  bgl_torus_read_status(state->first_group, &seen.torus[0]);
  if (!state->virtual_node) bgl_torus_read_status(1, &seen.torus[1]);  // it may send there without receiving there
  if (state->virtual_fifos.present) bglml_virtual_read_status(&seen.pad);
  bool happened = send_from(state, &seen, state->busy & ((1u << BGLML_FIFOS) - 1));
  if (send_inside(state, &seen)) happened = true;
  if (happened) state->in_turn = false;
  return happened;
}
