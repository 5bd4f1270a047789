// SPDX-License-Identifier: Apache-2.0
/// The layout of the node's scratchpad, and the locks of the message layer. One layout and one set-up for both modes of
/// the node: in virtual node mode the two processes use the virtual FIFOs, in coprocessor mode the two cores use the
/// work pool and the reception slots.
///
/// A word has one writer, or is changed under a lock. All that a core polls is in one quad.
#ifndef TOROID_FIRMWARE_MSGLAYER_SCRATCHPAD_H
#define TOROID_FIRMWARE_MSGLAYER_SCRATCHPAD_H

#include <stdbool.h>

#include "drivers/bgl/scratchpad.h"
#include "firmware/bgl/msglayer/msglayer.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Locks of the message layer; those from BGLML_LOCKS on belong to the program.
enum {
  BGLML_LOCK_VIRTUAL_FIFO = 0,  ///< + t: the count of chunks in the virtual FIFO towards process t
  BGLML_LOCK_WORK = 2,          ///< the count of work units that wait
  BGLML_LOCK_BARRIER = 8,       ///< a two-core barrier, which takes eight locks: set-up in virtual node mode
  BGLML_LOCKS = BGLML_USER_LOCK
};

/// Offsets and sizes in bytes.
enum {
  /// The status quad, polled by each process in virtual node mode: words 0 and 1, chunks in the virtual FIFO towards
  /// process 0 and 1.
  BGLML_PAD_STATUS = 0x000,
  /// The work quad, polled by the coprocessor: word 0, transient work units that wait; word 1, permanent work units;
  /// word 2, transient work units that have ended; word 3, messages that the coprocessor was given to receive so far.
  BGLML_PAD_WORK = 0x010,
  /// The reception quad, polled by the main core while there are any: word 0, messages that the coprocessor has
  /// received
  /// so far.
  BGLML_PAD_RECEPTION = 0x020,
  /// Work units, a quad each.
  BGLML_PAD_TRANSIENT = 0x100,
  BGLML_PAD_TRANSIENT_UNITS = 16,
  BGLML_PAD_PERMANENT = 0x200,
  BGLML_PAD_PERMANENT_UNITS = 16,
  /// Messages that the coprocessor receives, a quad each (bglml_data_slot_t), and those received, in the order of
  /// their ends: a ring of quads.
  BGLML_PAD_SLOTS = 0x400,
  BGLML_PAD_SLOT_COUNT = 64,
  BGLML_PAD_RECEIVED = 0x800,
  BGLML_PAD_ADMINISTRATION_BYTES = BGLML_USER_SCRATCHPAD,
  /// In virtual node mode the virtual FIFOs, towards process 0 and towards process 1; otherwise the program's own.
  BGLML_PAD_VIRTUAL_FIFO = 0x1000,
  BGLML_PAD_VIRTUAL_FIFO_BYTES = 0x1800
};

/// Initialises the scratchpad. `t` is the process on this node. If `shared`, the other process of the node calls this
/// too, and neither returns before the scratchpad is ready.
void bglml_scratchpad_init(unsigned t, bool shared);

#ifdef __cplusplus
}
#endif

#endif
