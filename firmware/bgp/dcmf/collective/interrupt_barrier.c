// SPDX-License-Identifier: Apache-2.0
// The barrier over the global interrupts, on the channel that the kernel leaves to programs. It is idle when any node
// sends 1, and rings when none does.
//
// The processes of a node meet first; then the first of them fires for all, and tells the others when it rings.
//
// A node may fire again only when no node can still see the previous ring, or the two would be one. That the channel is
// idle here does not tell it of nodes that are farther away, and programs have no second channel that would: so the
// node lets some time pass. The time is what Blue Gene/L's driver allows for 64x32x32 nodes, 1400 cycles of 700 MHz, as
// far as this partition is smaller.
#include "firmware/bgp/dcmf/collective/networks.h"

enum {
  CHANNEL = GLOBINT_CHANNEL_APP_BARRIER,
  POLLS = 8,  // of the channel in each call: together they take about as long as two calls of advance()
  LARGEST_EXTENT = 64 + 32 + 32,
  LARGEST_SETTLE = 1700,
};

void dcmf_interrupt_barrier_initialize(dcmf_interrupt_barrier_t* barrier) {
  const uint8_t* size = dcmf_instance->place.size;
  const GlobInt_Status_t status = GlobInt_GetStatus();
  barrier->usable = (status.userEnables & 8u >> CHANNEL) != 0;
  if (barrier->usable && (status.mode & status.stickyType & 8u >> CHANNEL) == 0) {
    GlobInt_SetARMType(CHANNEL, _BGP_DCR_GLOBINT_SET_ARM_AND);
  }
  barrier->settle = (size[0] + size[1] + size[2]) * LARGEST_SETTLE / LARGEST_EXTENT;
}

static bool may_fire(const dcmf_interrupt_barrier_t* barrier) {
  for (unsigned i = 0; i < POLLS; ++i) {
    if (GlobInt_IsRaised(CHANNEL) && _bgp_GetTimeBase() >= barrier->settled) return true;
  }
  return false;
}

static bool has_rung(void) {
  for (unsigned i = 0; i < POLLS; ++i) {
    if (GlobInt_QueryDone(CHANNEL)) return true;
  }
  return false;
}

/// The first process of a node. Returns whether the barrier is complete.
static bool lead(dcmf_interrupt_barrier_t* barrier, const dcmf_node_t* node) {
  const bool shared = node->processes > 1;
  if (barrier->stage == DCMF_BARRIER_MEETING) {
    const uint32_t all = (barrier->round + 1) * node->processes;
    if (shared && !dcmf_node_reached(node, DCMF_LOCK_ARRIVED, &barrier->known, all)) return false;
    barrier->stage = DCMF_BARRIER_SETTLING;
  }
  if (barrier->stage == DCMF_BARRIER_SETTLING) {
    if (!may_fire(barrier)) return false;
    GlobInt_Disarm(CHANNEL);
    GlobInt_Fire(CHANNEL);
    barrier->stage = DCMF_BARRIER_FIRED;
  }
  if (!has_rung()) return false;
  barrier->settled = _bgp_GetTimeBase() + barrier->settle;
  if (shared) dcmf_node_count(node, DCMF_LOCK_RELEASED);
  return true;
}

unsigned dcmf_interrupt_barrier_settle(void) {
  dcmf_interrupt_barrier_t* barrier = &dcmf_instance->networks->barrier;
  const dcmf_node_t* node = &dcmf_instance->networks->node;
  const unsigned before = barrier->stage;
  if (barrier->stage == DCMF_BARRIER_NEXT) {
    if (node->processes > 1) dcmf_node_count(node, DCMF_LOCK_ARRIVED);
    barrier->stage = DCMF_BARRIER_MEETING;
  }
  const bool done = node->self == 0 ? lead(barrier, node)
                                    : dcmf_node_reached(node, DCMF_LOCK_RELEASED, &barrier->known, barrier->round + 1);
  if (!done) return barrier->stage != before;
  ++barrier->round;
  barrier->stage = DCMF_BARRIER_NEXT;
  dcmf_queue_finish(&barrier->queue);
  return 1;
}

bool dcmf_step_interrupt_barrier(dcmf_collective_t* collective) {
  dcmf_interrupt_barrier_t* barrier = &dcmf_instance->networks->barrier;
  if (collective->phase++ != 0) return true;
  ++collective->pending;
  dcmf_queue_append(&barrier->queue, collective);
  if (barrier->queue.first == collective) (void)dcmf_interrupt_barrier_settle();
  return false;
}

bool dcmf_interrupt_barrier_serves(const dcmf_geometry_t* geometry) {
  const struct dcmf_networks* networks = dcmf_instance->networks;
  return geometry->global && networks->node.complete && networks->barrier.usable;
}
