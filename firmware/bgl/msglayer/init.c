// SPDX-License-Identifier: Apache-2.0
// Initialisation: one instance for each process, from the kernel's information and the user's options.
#include <stdlib.h>

#include "firmware/bgl/msglayer/state.h"

_Static_assert(_Alignof(bglml_connection_t) <= _Alignof(max_align_t), "calloc aligns the connections' headers");

static bglml_state_t process_instance = {.in_turn = true};  // no iteration before bglml_init()
bglml_state_t* bglml_instance = &process_instance;

static void init_mapping(bglml_mapping_t* mapping, const bglml_personality_t* personality) {
  mapping->table = personality->table;
  mapping->shape = personality->shape;
  mapping->torus = personality->torus;
  mapping->self = bglml_place(mapping, personality->rank);
}

/// Virtual node mode: the torus FIFOs are split by groups; the scratchpad serves the two processes of the node where
/// both take part.
static void init_virtual_node(bglml_state_t* state) {
  bglml_coordinates_t other = state->mapping.self;
  other.t = 1 - other.t;
  state->virtual_node = true;
  state->first_group = state->mapping.self.t;
  state->end_group = state->first_group + 1;
  if (bglml_rank_at(other) == BGLML_NO_RANK) return;
  bglml_scratchpad_init(state->mapping.self.t, true);
  bglml_virtual_init(&state->virtual_fifos, state->mapping.self.t);
}

/// Coprocessor mode: the node is this process's own.
static void init_coprocessor(bglml_state_t* state, uint32_t cores, const bglml_options_t* options) {
  state->end_group = BGLML_GROUPS;
  if (options != NULL && options->second_core > BGLML_SECOND_CORE_UNUSED) {
    bglml_fatal("bglml_init() with second_core %u; it is COMMUNICATES (%d) or UNUSED (%d)", options->second_core,
                BGLML_SECOND_CORE_COMMUNICATES, BGLML_SECOND_CORE_UNUSED);
  }
  if (cores < 2 || (options != NULL && options->second_core == BGLML_SECOND_CORE_UNUSED)) return;
  bglml_scratchpad_init(0, false);
  bglml_coprocessor_open(&state->coprocessor);
  state->end_group = BGLML_CO_GROUP;
}

void bglml_init(const bglml_options_t* options) {
  bglml_state_t* state = bglml_instance;
  if (state->initialised) bglml_fatal("bglml_init() called twice; a process has one message layer");
  state->initialised = true;

  bglml_personality_t personality;
  bglml_personality(&personality);
  state->rank = personality.rank;
  state->size = personality.ranks;
  if (options != NULL && options->max_ranks != 0 && options->max_ranks < state->size) state->size = options->max_ranks;
  if (state->rank >= state->size) exit(EXIT_SUCCESS);  // this processor is not needed

  if (personality.shape.t > 2) bglml_fatal("%u processes a node; there are FIFO groups for two", personality.shape.t);
  init_mapping(&state->mapping, &personality);
  if (personality.shape.t == 2) {
    init_virtual_node(state);
  } else {
    init_coprocessor(state, personality.cores, options);
  }
  for (unsigned fifo = 0; fifo < BGLML_GROUPS * BGLML_RECEPTION_FIFOS; ++fifo) {
    state->flows[fifo / BGLML_RECEPTION_FIFOS][fifo % BGLML_RECEPTION_FIFOS].word2 = BGLML_NO_INFLOW;
  }
  // Zeroed pages cost nothing until there is a message to or from the peer.
  state->connections = calloc(state->size, sizeof *state->connections);
  if (state->connections == NULL) bglml_fatal("no memory for %u connections", state->size);
  bglml_confirmation_init();
  bglml_rendezvous_start(&state->receptions);
  bglml_barrier_init(&state->barrier, state->size);
  bglml_wired_barrier_init(&state->wired_barrier, state->size == personality.ranks);
  state->in_turn = false;
  bglml_collectives_init();
  bglml_tree_init(&state->tree, state->size == personality.ranks);
}
