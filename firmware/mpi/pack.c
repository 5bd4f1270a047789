// SPDX-License-Identifier: Apache-2.0
// Between buffers with gaps and those without.
#include <string.h>

#include "firmware/mpi/datatype.h"

void bglmpi_pack(const void* buffer, uint32_t count, const bglmpi_datatype_t* datatype, void* packed) {
  const uint8_t* from = buffer;
  uint8_t* to = packed;
  if (datatype->dense) {
    if (count != 0 && datatype->size != 0) memcpy(to, from + datatype->blocks[0].offset, count * datatype->size);
    return;
  }
  for (; count != 0; --count, from += datatype->extent) {
    for (uint32_t block = 0; block < datatype->block_count; ++block) {
      memcpy(to, from + datatype->blocks[block].offset, datatype->blocks[block].bytes);
      to += datatype->blocks[block].bytes;
    }
  }
}

void bglmpi_unpack(const void* packed, uint32_t bytes, void* buffer, uint32_t count,
                   const bglmpi_datatype_t* datatype) {
  const uint8_t* from = packed;
  uint8_t* to = buffer;
  if (bytes == 0) return;
  if (datatype->dense) {
    memcpy(to + datatype->blocks[0].offset, from, bytes);
    return;
  }
  for (; count != 0; --count, to += datatype->extent) {
    for (uint32_t number = 0; number < datatype->block_count; ++number) {
      const bglml_block_t* block = &datatype->blocks[number];
      const uint32_t length = block->bytes < bytes ? block->bytes : bytes;
      memcpy(to + block->offset, from, length);
      from += length;
      bytes -= length;
      if (bytes == 0) return;
    }
  }
}
