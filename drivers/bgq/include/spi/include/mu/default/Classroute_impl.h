/* SPDX-License-Identifier: Apache-2.0 */
/* Coordinates and rectangles of nodes. */
#ifndef _MUSPI_CLASSROUTE_IMPL_H_
#define _MUSPI_CLASSROUTE_IMPL_H_

#include <stdint.h>
#include <sys/types.h>

typedef struct {
  uint32_t coords[CR_NUM_DIMS];
} CR_COORD_T;
#define CR_COORD_INIT(c...) \
  (CR_COORD_T) {            \
    { c }                   \
  }
#define CR_COORD_DIM(c, d) (c)->coords[d]

/* Lower left and upper right corner, both in it. */
typedef struct {
  CR_COORD_T ll;
  CR_COORD_T ur;
} CR_RECT_T;
#define CR_RECT_LL(r) (&(r)->ll)
#define CR_RECT_UR(r) (&(r)->ur)

#endif
