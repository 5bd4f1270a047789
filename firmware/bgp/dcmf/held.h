// SPDX-License-Identifier: Apache-2.0
/// Messages that came before the program has said where they shall go: short ones are here, the data of others still is
/// with the sender.
#ifndef TOROID_FIRMWARE_DCMF_HELD_H
#define TOROID_FIRMWARE_DCMF_HELD_H

#include "firmware/bgp/dcmf/state.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dcmf_held dcmf_held_t;
struct dcmf_held {
  dcmf_held_t* next;
  dcmf_header_t header;
  uint32_t source;
  dcmf_reception_t* reception;  ///< NULL: `data` is all
  char data[DCMF_SHORT_BYTES];
};

/// Keeps a message at the end of *list: header->bytes of data, or a reception.
void dcmf_hold(dcmf_held_t** list, const dcmf_header_t* header, uint32_t source, const char* data,
               dcmf_reception_t* reception);
void dcmf_held_give(dcmf_held_t* held);

#ifdef __cplusplus
}
#endif

#endif
