// SPDX-License-Identifier: Apache-2.0
/// The layer's own ports, in the order in which bglml_init() registers them; a program's ports follow. The trace tools
/// read this table (testbench/toroid/trace/functions.py), and Wireshark's dissector has a copy of it.
#ifndef TOROID_FIRMWARE_MSGLAYER_OWN_PORTS_H
#define TOROID_FIRMWARE_MSGLAYER_OWN_PORTS_H

/// X(name, purpose, protocol of its packets)
#define BGLML_OWN_PORTS(X)                                         \
  X(CONFIRMATION, "confirmation", "control")                       \
  X(FENCE, "fence", "control")                                     \
  X(ACKNOWLEDGEMENT, "rendezvous acknowledgement", "control")      \
  X(DATA, "rendezvous data", "rendezvous data")                    \
  X(BARRIER, "barrier", "one-packet")                              \
  X(COLLECTIVE_EAGER, "collective, eager", "eager")                \
  X(COLLECTIVE_RENDEZVOUS, "collective, rendezvous", "rendezvous") \
  X(BROADCAST, "broadcast with deposit", "packets")                \
  X(ALLTOALL, "all-to-all by packets", "packets")                  \
  X(TREE_BY_MESSAGES, "collective of the tree, by messages", "eager")

#define BGLML_OWN_PORT(name, purpose, protocol) BGLML_HANDLER_##name,
enum { BGLML_OWN_PORTS(BGLML_OWN_PORT) BGLML_HANDLERS_OWN };
#undef BGLML_OWN_PORT

#endif
