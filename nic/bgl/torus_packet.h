// SPDX-License-Identifier: Apache-2.0
/// What Blue Gene/L's software adds to torus packets: plain C11 and C++17, shared by the device model and the driver.
///
/// Source: the torus packet interface of the machine's own drivers (BGL_TorusPktSPI.h), as described in
/// docs/guide/bgl_torus_fifo.md.
#ifndef TOROID_NIC_BGL_TORUS_PACKET_H_
#define TOROID_NIC_BGL_TORUS_PACKET_H_

#include "nic/torus/torus_packet.h"

/// The chunks of an injection FIFO that software may fill; not all, because the count in the status may lag.
#define BGL_TORUS_USABLE_CHUNKS 24u

/// Software header, words 2 and 3: the convention of the machine's packet interface. Another layer may define its own
/// layout. Word 2 [0:9] extra argument, [10:31] handler as a word address; word 3 a 32-bit argument.
#define BGL_TORUS_HEADER2_ARGUMENT_SHIFT 22
#define BGL_TORUS_HEADER2_ARGUMENT_WIDTH 10
#define BGL_TORUS_HEADER2_ARGUMENT_MASK 0xFFC00000u
#define BGL_TORUS_HEADER2_HANDLER_SHIFT 0
#define BGL_TORUS_HEADER2_HANDLER_WIDTH 22
#define BGL_TORUS_HEADER2_HANDLER_MASK 0x003FFFFFu

#endif  // TOROID_NIC_BGL_TORUS_PACKET_H_
