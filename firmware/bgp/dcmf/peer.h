// SPDX-License-Identifier: Apache-2.0
/// The other processes of the job: where they are, and how messages get there.
#ifndef TOROID_FIRMWARE_DCMF_PEER_H
#define TOROID_FIRMWARE_DCMF_PEER_H

#include "firmware/bgp/dcmf/ring.h"
#include "firmware/bgp/dcmf/spi.h"

#ifdef __cplusplus
extern "C" {
#endif

struct dcmf_reception;

typedef struct {
  uint8_t x, y, z, t;
  uint8_t ring;                  ///< of messages to it
  uint8_t fetch;                 ///< ring of its node into which remote gets go
  uint8_t group;                 ///< of its FIFOs and counters
  uint8_t here;                  ///< hints of data that comes from there: where both ways are equally long, by parity
  uint16_t fetches;              ///< remote gets on their way to it
  uint16_t ordered;              ///< rendezvous to it whose data later sequential operations may not pass
  struct dcmf_reception* eager;  ///< message of which it is sending the data
} dcmf_peer_t;

/// Fills in the table of ranks.
void dcmf_find_peers(void);

typedef struct {
  uint8_t size[3];  ///< x, y, z
  uint8_t self[3];
  uint8_t torus[3];  ///< 1: a ring
} dcmf_place_t;

/// Directions in the order of the rings: X+, X-, Y+, Y-, Z+, Z-; 6 if both places are the same. `from` to `to` by the
/// shortest way, X first; plus if both ways are equally long, as the hardware decides.
unsigned dcmf_first_direction(const dcmf_place_t* place, const uint8_t* from, const uint8_t* to);
/// Hint bits of a packet whose way is to be spread over both directions of a ring by the parity of where it comes from;
/// 0, so that the hardware decides, if no dimension has two ways.
unsigned dcmf_spread_hints(const dcmf_place_t* place, const uint8_t* from, const uint8_t* to);

#ifdef __cplusplus
}
#endif

#endif
