// SPDX-License-Identifier: Apache-2.0
#include "firmware/bgp/dcmf/collective/networks.h"

void dcmf_networks_initialize(void) {
  if (dcmf_instance->networks != NULL) return;  // what the processes of the node share is theirs to the end
  struct dcmf_networks* networks = dcmf_allocate(sizeof *networks, 16);
  dcmf_instance->networks = networks;
  dcmf_node_initialize(&networks->node);
  dcmf_interrupt_barrier_initialize(&networks->barrier);
  dcmf_lines_initialize();
}

void dcmf_networks_finalize(void) {
  dcmf_tree_t* tree = &dcmf_instance->networks->tree;
  const dcmf_node_t* node = &dcmf_instance->networks->node;
  if (!node->complete || node->self != 0 || tree->queue.first != NULL) return;
  dcmf_tree_look(tree);
  if (tree->ready != 0) dcmf_refuse_packet(tree, tree_take(NULL, 0));
}

unsigned dcmf_networks_settle(void) {
  const struct dcmf_networks* networks = dcmf_instance->networks;
  unsigned events = 0;
  if (networks->barrier.queue.first) events += dcmf_interrupt_barrier_settle();
  if (networks->tree.queue.first) events += dcmf_tree_settle();
  if (networks->lines) events += dcmf_lines_settle();
  return events;
}
