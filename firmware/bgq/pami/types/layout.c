// SPDX-License-Identifier: Apache-2.0
// Making, describing and serializing types.
#include "firmware/bgq/pami/types/layout.h"

#include <string.h>

static uint64_t divisor(uint64_t a, uint64_t b) {
  while (b) {
    const uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// A type that a program may still add to.
static pami_layout_t* open_layout(pami_type_t type) {
  pami_layout_t* layout = type;
  return layout && layout->header.magic == PAMI_LAYOUT_MAGIC && !layout->header.complete ? layout : NULL;
}

static pami_layout_t* make(void) {
  pami_layout_t* layout = calloc(1, sizeof *layout);
  if (layout == NULL) return NULL;
  layout->header.magic = PAMI_LAYOUT_MAGIC;
  layout->run = &layout->own;
  layout->room = 1;
  return layout;
}

static pami_result_t make_room(pami_layout_t* layout, uint64_t runs) {
  if (runs <= layout->room) return PAMI_SUCCESS;
  if (runs > SIZE_MAX / 2 / sizeof(pami_run_t)) return PAMI_ENOMEM;
  const uint64_t room = runs > 2 * layout->room ? runs : 2 * layout->room;
  pami_run_t* moved = realloc(layout->run == &layout->own ? NULL : layout->run, room * sizeof *moved);
  if (moved == NULL) return PAMI_ENOMEM;
  if (layout->run == &layout->own) moved[0] = layout->own;
  layout->run = moved;
  layout->room = room;
  return PAMI_SUCCESS;
}

// Blocks that touch are one block, so that what lies together is moved together.
static pami_result_t append(pami_layout_t* layout, int64_t displacement, uint64_t bytes, uint64_t count,
                            int64_t stride) {
  pami_layout_header_t* header = &layout->header;
  if (bytes == 0 || count == 0) return PAMI_SUCCESS;
  if (count > 1 && stride == (int64_t)bytes) {
    bytes *= count;
    count = 1;
  }
  if (count == 1) stride = (int64_t)bytes;
  pami_run_t* last = header->runs ? &layout->run[header->runs - 1] : NULL;
  if (last && last->count == 1 && count == 1 && last->displacement + (int64_t)last->bytes == displacement) {
    last->bytes += bytes;
    last->stride = (int64_t)last->bytes;
  } else {
    const pami_result_t result = make_room(layout, header->runs + 1);
    if (result != PAMI_SUCCESS) return result;
    layout->run[header->runs++] = (pami_run_t){displacement, stride, bytes, count, header->size};
  }
  header->size += bytes * count;
  return PAMI_SUCCESS;
}

pami_result_t PAMI_Type_create(pami_type_t* type) {
  if (type == NULL) return PAMI_INVAL;
  pami_layout_t* layout = make();
  if (layout == NULL) return PAMI_ENOMEM;
  *type = layout;
  return PAMI_SUCCESS;
}

// What all parts of a type are; raw if they differ.
static void is_made_of(pami_layout_header_t* header, pami_element_t element) {
  header->element = header->unit == 0 || header->element == element ? element : PAMI_ELEMENT_RAW;
}

pami_result_t PAMI_Type_add_simple(pami_type_t type, size_t bytes, size_t offset, size_t count, size_t stride) {
  pami_layout_t* layout = open_layout(type);
  if (layout == NULL) return PAMI_INVAL;
  layout->header.extent += (int64_t)offset;
  const pami_result_t result = append(layout, layout->header.extent, bytes, count, (int64_t)stride);
  if (result != PAMI_SUCCESS) return result;
  if (count && bytes) {
    is_made_of(&layout->header, PAMI_ELEMENT_RAW);
    layout->header.unit = divisor(layout->header.unit, bytes);
  }
  layout->header.extent += (int64_t)(count * stride);
  return PAMI_SUCCESS;
}

pami_result_t PAMI_Type_add_typed(pami_type_t type, pami_type_t subtype, size_t offset, size_t count, size_t stride) {
  pami_layout_t* layout = open_layout(type);
  const pami_layout_t* part = pami_layout(subtype);
  if (layout == NULL || part == NULL) return PAMI_INVAL;
  pami_layout_header_t* header = &layout->header;
  header->extent += (int64_t)offset;
  pami_result_t result = PAMI_SUCCESS;
  if (part->header.runs == 1 && part->run->count == 1) {
    result = append(layout, header->extent + part->run->displacement, part->run->bytes, count, (int64_t)stride);
  } else {
    for (size_t i = 0; i < count && result == PAMI_SUCCESS; ++i) {
      const int64_t origin = header->extent + (int64_t)(i * stride);
      for (uint64_t r = 0; r < part->header.runs && result == PAMI_SUCCESS; ++r) {
        const pami_run_t* run = &part->run[r];
        result = append(layout, origin + run->displacement, run->bytes, run->count, run->stride);
      }
    }
  }
  if (result != PAMI_SUCCESS) return result;
  if (count && part->header.size) {
    is_made_of(header, (pami_element_t)part->header.element);
    header->unit = divisor(header->unit, part->header.unit);
  }
  header->extent += (int64_t)(count * stride);
  return PAMI_SUCCESS;
}

pami_result_t PAMI_Type_complete(pami_type_t type, size_t atom_size) {
  pami_layout_t* layout = open_layout(type);
  if (layout == NULL || atom_size == 0 || layout->header.unit % atom_size) return PAMI_INVAL;
  pami_layout_header_t* header = &layout->header;
  header->atom = atom_size;
  header->contiguous =
      header->extent == (int64_t)header->size &&
      (header->runs == 0 || (header->runs == 1 && layout->run->count == 1 && layout->run->displacement == 0));
  header->complete = 1;
  return PAMI_SUCCESS;
}

pami_result_t PAMI_Type_destroy(pami_type_t* type) {
  pami_layout_t* layout = type ? *type : NULL;
  if (layout == NULL || layout->header.magic != PAMI_LAYOUT_MAGIC || layout->predefined) return PAMI_INVAL;
  if (layout->run != &layout->own) free(layout->run);
  free(layout->serialized);
  layout->header.magic = 0;
  free(layout);
  *type = PAMI_TYPE_NULL;
  return PAMI_SUCCESS;
}

static size_t serialized_bytes(uint64_t runs) {
  return sizeof(pami_layout_header_t) + runs * sizeof(pami_run_t);
}

pami_result_t PAMI_Type_serialize(pami_type_t type, void** address, size_t* size) {
  if (pami_layout(type) == NULL || address == NULL || size == NULL) return PAMI_INVAL;
  pami_layout_t* layout = type;
  const size_t bytes = serialized_bytes(layout->header.runs);
  if (layout->serialized == NULL) {
    char* memory = malloc(bytes);
    if (memory == NULL) return PAMI_ENOMEM;
    memcpy(memory, &layout->header, sizeof layout->header);
    memcpy(memory + sizeof layout->header, layout->run, layout->header.runs * sizeof *layout->run);
    layout->serialized = memory;
  }
  *address = layout->serialized;
  *size = bytes;
  return PAMI_SUCCESS;
}

// What a walk relies on; the bytes may have come from anywhere.
static bool consistent(const pami_layout_t* layout) {
  const pami_layout_header_t* header = &layout->header;
  uint64_t size = 0;
  for (uint64_t r = 0; r < header->runs; ++r) {
    const pami_run_t* run = &layout->run[r];
    if (run->bytes == 0 || run->count == 0 || run->before != size) return false;
    if (run->count > UINT64_MAX / 4 / run->bytes) return false;
    size += run->bytes * run->count;
  }
  return size == header->size && header->complete == 1 && header->element < PAMI_ELEMENT_COUNT && header->atom &&
         header->unit % header->atom == 0;
}

pami_result_t PAMI_Type_deserialize(pami_type_t* type, void* address, size_t size) {
  if (type == NULL || address == NULL || size < sizeof(pami_layout_header_t)) return PAMI_INVAL;
  pami_layout_header_t header;
  memcpy(&header, address, sizeof header);
  if (header.magic != PAMI_LAYOUT_MAGIC || header.runs > size || size != serialized_bytes(header.runs)) {
    return PAMI_INVAL;
  }
  pami_layout_t* layout = make();
  if (layout == NULL) return PAMI_ENOMEM;
  pami_result_t result = make_room(layout, header.runs);
  if (result == PAMI_SUCCESS) {
    layout->header = header;
    memcpy(layout->run, (const char*)address + sizeof header, header.runs * sizeof *layout->run);
    if (!consistent(layout)) result = PAMI_INVAL;
  }
  *type = layout;
  if (result != PAMI_SUCCESS) PAMI_Type_destroy(type);
  return result;
}

pami_result_t PAMI_Type_query(pami_type_t type, pami_configuration_t configuration[], size_t num_configs) {
  const pami_layout_t* layout = pami_layout(type);
  if (layout == NULL || (num_configs && configuration == NULL)) return PAMI_INVAL;
  for (size_t i = 0; i < num_configs; ++i) {
    switch (configuration[i].name) {
      case PAMI_TYPE_DATA_SIZE:
        configuration[i].value.intval = layout->header.size;
        break;
      case PAMI_TYPE_DATA_EXTENT:
        configuration[i].value.intval = (size_t)layout->header.extent;
        break;
      case PAMI_TYPE_ATOM_SIZE:
        configuration[i].value.intval = layout->header.atom;
        break;
      default:
        return PAMI_INVAL;
    }
  }
  return PAMI_SUCCESS;
}
