// SPDX-License-Identifier: Apache-2.0
// Walking over the data of a type that is applied to an address and repeats there without end. Offsets count bytes of
// data. All types here are complete ones.
#ifndef TOROID_PAMI_TYPES_WALK_H
#define TOROID_PAMI_TYPES_WALK_H

#include "firmware/bgq/pami/types/layout.h"

// Where in its type a walk is.
typedef struct {
  const pami_layout_t* layout;
  int64_t element;  // displacement of the element's origin
  uint64_t run, block;
  uint64_t into;  // bytes of the block that are behind the walk
} pami_walk_t;

// The walk begins at byte `offset` of the type's data.
void pami_walk_start(pami_walk_t* walk, pami_type_t type, size_t offset);

// The next contiguous piece, of at most `most` bytes (> 0): returns its size and sets its displacement from the address
// that the type is applied to. Returns 0 if the type has no data.
size_t pami_walk_next(pami_walk_t* walk, size_t most, ptrdiff_t* displacement);

// Gathers bytes `offset` to `offset + bytes` of the data at `base` into contiguous memory, and the other way round.
void pami_type_pack(void* to, const void* base, pami_type_t type, size_t offset, size_t bytes);
void pami_type_unpack(void* base, pami_type_t type, size_t offset, const void* from, size_t bytes);

// The same, but what becomes of each piece is `function`'s decision (PAMI_DATA_COPY: copy). A program's own function is
// called with whole atoms of the type. A predefined one combines elements of the type that lies scattered: `type`.
// Returns PAMI_INVAL if that operation has no meaning for these elements or cuts one in two.
pami_result_t pami_type_consume(void* base, pami_type_t type, size_t offset, const void* from, size_t bytes,
                                pami_data_function function, void* cookie);
pami_result_t pami_type_produce(void* to, const void* base, pami_type_t type, size_t offset, size_t bytes,
                                pami_data_function function, void* cookie);

#endif
