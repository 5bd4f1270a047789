// SPDX-License-Identifier: Apache-2.0
//
// The shared headers compiled as C11; test_bgl_headers.cpp compiles them as C++17 and compares.
#include "nic/bgl/addresses.h"
#include "nic/bgl/torus_packet.h"
#include "nic/bgl/torus_regs.h"
#include "nic/torus/dcr_regs.h"

_Static_assert(sizeof(torus_header_t) == TORUS_HEADER_BYTES, "the header is one quad");
_Static_assert(_Alignof(torus_header_t) == TORUS_QUAD_BYTES, "a quad is aligned");

unsigned long bgl_headers_c11_header_size(void);
unsigned long bgl_headers_c11_fields_size(void);
uint32_t bgl_headers_c11_encode0(const torus_fields_t* fields);
uint32_t bgl_headers_c11_last_dcr(void);

unsigned long bgl_headers_c11_header_size(void) {
  return sizeof(torus_header_t);
}
unsigned long bgl_headers_c11_fields_size(void) {
  return sizeof(torus_fields_t);
}
uint32_t bgl_headers_c11_encode0(const torus_fields_t* fields) {
  return torus_encode0(fields);
}
uint32_t bgl_headers_c11_last_dcr(void) {
  return BGL_TORUS_DCR_BASE + TORUS_DCR_RECOVERABLE_OFFSET + TORUS_DCR_RECOVERABLE_COUNT - 1u;
}
