// SPDX-License-Identifier: Apache-2.0
/// What users set by environment variables; docs/guide/ospri.md has the table.
#ifndef TOROID_FIRMWARE_OSPRI_DCMF_SETTINGS_H
#define TOROID_FIRMWARE_OSPRI_DCMF_SETTINGS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The order among blocking operations of one process to another.
typedef enum {
  OSPRI_ORDER_STRICT,   ///< of all
  OSPRI_ORDER_PARTIAL,  ///< of puts among themselves
  OSPRI_ORDER_NONE      ///< only across a flush
} ospri_order_t;

/// How messages that carry blocks of a strided operation are made.
typedef struct {
  unsigned limit;    ///< blocks up to this many bytes are packed
  unsigned packet;   ///< bytes of a message, its header included
  unsigned buffers;  ///< how many of them this process may have under way
  bool limit_is_set;
} ospri_packing_t;

typedef struct {
  bool helper;            ///< a thread that makes progress
  unsigned helper_pause;  ///< cycles from one of its turns to the next
  bool interrupts;
  bool mpi_active;  ///< others than OSPRI use DCMF, so DCMF's own lock is taken
  bool handoff;
  ospri_packing_t put, get, accumulate;
  unsigned requests;
  unsigned handles;
  unsigned flush_window;                       ///< confirmations that flushing a group waits for at a time
  bool bypass;                                 ///< operations on the process's own memory need no network
  unsigned bypass_contiguous, bypass_strided;  ///< up to so many bytes
  bool armci_strict;
  ospri_order_t order;
} ospri_settings_t;

/// Reads the environment. Ends the process with a message if a value cannot be used.
void ospri_read_settings(ospri_settings_t* settings);

/// Adapts what depends on whether somebody makes progress for a process that computes: without, nothing can be handed
/// off, and the sizes up to which blocks are packed are 0 unless they have been set.
void ospri_settle_settings(ospri_settings_t* settings);

#ifdef __cplusplus
}
#endif

#endif
