// SPDX-License-Identifier: Apache-2.0
// The tree implemented with messages, for ranks that the network cannot serve: a binary tree of ranks, in which each
// packet is combined on its way to rank 0 as by the network's ALU, and the result returns on the same path. So every
// operation of the network is also possible without it, with the same bits.
//
// A rank has up to SLOTS packets under way. Packet n is given when the result of packet n - SLOTS has been taken, which
// the parent has made of all its children's packets by then: there is always a place for what comes.
#include <stdlib.h>

#include "firmware/bgl/msglayer/state.h"

enum { SLOTS = 8, CHILDREN = 2, WORDS = TREE_PAYLOAD_BYTES / 4 };

/// A packet, and its position while a message carries it.
typedef struct {
  uint32_t words[WORDS] __attribute__((aligned(16)));
  uint32_t header;
  uint32_t present;  ///< 1: it is here
} packet_t;

typedef struct {
  packet_t own, result;
  packet_t from[CHILDREN];
  uint32_t sending;  ///< messages of this slot that have not left
  bglml_eager_t up;
  bglml_eager_t down[CHILDREN];
  bglml_eager_receive_t receive[CHILDREN + 1];
} slot_t;

struct bglml_tree_messages {
  slot_t slots[SLOTS];
  uint32_t parent;  ///< BGLML_NO_RANK: this is the root
  uint32_t children;
  // Counts of packets, modulo 2^32.
  uint32_t given;     ///< by this rank
  uint32_t combined;  ///< and sent on
  uint32_t returned;  ///< results here, and sent on to the children
  uint32_t taken;     ///< by this rank
};

_Static_assert(_Alignof(struct bglml_tree_messages) <= _Alignof(max_align_t), "calloc aligns the packets");

typedef struct {
  uint32_t number;
  uint32_t header;
} lead_t;

static uint32_t child(uint32_t number) {
  return CHILDREN * bglml_rank() + 1 + number;
}

bglml_tree_messages_t* bglml_tree_messages_new(void) {
  bglml_tree_messages_t* messages = calloc(1, sizeof *messages);
  if (messages == NULL) bglml_fatal("no memory for a tree of messages");
  messages->parent = bglml_rank() == 0 ? BGLML_NO_RANK : (bglml_rank() - 1) / CHILDREN;
  while (messages->children < CHILDREN && child(messages->children) < bglml_size()) messages->children += 1;
  return messages;
}

static void is_present(void* packet) {
  ((packet_t*)packet)->present = 1;
}

bglml_eager_receive_t* bglml_tree_messages_recvnew(void* context, uint32_t source, const bglml_metadata_t* metadata,
                                                   uint32_t length) {
  bglml_tree_messages_t* messages = ((bglml_tree_t*)context)->messages;
  lead_t lead;
  memcpy(&lead, metadata->bytes, sizeof lead);
  slot_t* slot = &messages->slots[lead.number % SLOTS];
  const uint32_t number = source - child(0);  // modulo 2^32 for what is no child
  if (length != TREE_PAYLOAD_BYTES || (source != messages->parent && number >= messages->children)) {
    bglml_fatal("%u bytes from rank %u for the tree of messages", length, source);
  }
  packet_t* packet = source == messages->parent ? &slot->result : &slot->from[number];
  bglml_eager_receive_t* receive = &slot->receive[source == messages->parent ? CHILDREN : number];
  packet->header = lead.header;
  bglml_eager_receive_init(receive, packet->words, is_present, packet);
  return receive;
}

static void one_left(void* slot) {
  ((slot_t*)slot)->sending -= 1;
}

static void send(bglml_eager_t* message, slot_t* slot, uint32_t peer, uint32_t number, const packet_t* packet) {
  const lead_t lead = {number, packet->header};
  bglml_metadata_t metadata = {{0}};
  memcpy(metadata.bytes, &lead, sizeof lead);
  slot->sending += 1;
  bglml_eager_init(message, bglml_instance->tree.port, peer, &metadata, packet->words, TREE_PAYLOAD_BYTES, one_left,
                   slot);
  bglml_eager_post(message);
}

/// Whether packet number `combined` of this rank and its children is there; it is then combined.
static bool combine(bglml_tree_messages_t* messages) {
  slot_t* slot = &messages->slots[messages->combined % SLOTS];
  packet_t* own = &slot->own;
  if (messages->combined == messages->given) return false;
  for (uint32_t i = 0; i < messages->children; ++i) {
    const volatile uint32_t* present = &slot->from[i].present;
    if (*present == 0) return false;
  }
  for (uint32_t i = 0; i < messages->children; ++i) {
    if (slot->from[i].header != own->header) {
      const uint32_t number = (tree_header_tag(own->header) - bglml_instance->tree.tag) & TREE_TAG_MASK;
      bglml_tree_refuse(number, own->header, slot->from[i].header, child(i));
    }
    tree_combine(tree_header_opcode(own->header), tree_header_words(own->header), own->words, slot->from[i].words);
    slot->from[i].present = 0;
  }
  return true;
}

void bglml_tree_messages_turn(bglml_tree_t* tree) {
  bglml_tree_messages_t* messages = tree->messages;
  for (; combine(messages); ++messages->combined) {
    slot_t* slot = &messages->slots[messages->combined % SLOTS];
    if (messages->parent == BGLML_NO_RANK) {
      slot->result = slot->own;
      slot->result.present = 1;
    } else {
      send(&slot->up, slot, messages->parent, messages->combined, &slot->own);
    }
  }
  for (; messages->returned != messages->combined; ++messages->returned) {
    slot_t* slot = &messages->slots[messages->returned % SLOTS];
    const volatile uint32_t* present = &slot->result.present;
    if (*present == 0) break;
    slot->result.present = 0;
    for (uint32_t i = 0; i < messages->children; ++i) {
      send(&slot->down[i], slot, child(i), messages->returned, &slot->result);
    }
  }
  tree->ready = messages->returned - messages->taken;
  tree->room = 0;
  for (uint32_t n = messages->given; n - messages->taken < SLOTS; ++n, ++tree->room) {
    const volatile uint32_t* sending = &messages->slots[n % SLOTS].sending;
    if (*sending != 0) break;
  }
}

void bglml_tree_messages_give(bglml_tree_t* tree, uint32_t header, const void* payload, uint32_t bytes) {
  bglml_tree_messages_t* messages = tree->messages;
  packet_t* own = &messages->slots[messages->given % SLOTS].own;
  memcpy(own->words, payload, bytes);
  memset((uint8_t*)own->words + bytes, 0, TREE_PAYLOAD_BYTES - bytes);
  own->header = header;
  messages->given += 1;
}

uint32_t bglml_tree_messages_take(bglml_tree_t* tree, void* payload, uint32_t bytes) {
  bglml_tree_messages_t* messages = tree->messages;
  const packet_t* result = &messages->slots[messages->taken % SLOTS].result;
  if (bytes != 0) memcpy(payload, result->words, bytes);
  messages->taken += 1;
  return result->header;
}

void bglml_tree_messages_finish(bglml_tree_t* tree) {
  for (uint32_t i = 0; i < SLOTS; ++i) {
    const volatile uint32_t* sending = &tree->messages->slots[i].sending;
    while (*sending != 0) bglml_advance();
  }
}
