/* SPDX-License-Identifier: Apache-2.0 */
/* Dimensions and directions of class routes. Coordinates are those of a Classroute_impl.h that the compiler finds, as
 * on the machine (spi/include/mu/pami has PAMI's), or else plain ones. */
#ifndef _MUSPI_CLASSROUTE_H_
#define _MUSPI_CLASSROUTE_H_

#include <hwi/include/bqc/classroute.h>
#include <spi/include/kernel/cnk/kernel_impl.h>

#define CR_SIGN_POS 0
#define CR_SIGN_NEG 1
#define CR_NUM_DIRS 2

#define CR_AXIS_A 0
#define CR_AXIS_B 1
#define CR_AXIS_C 2
#define CR_AXIS_D 3
#define CR_AXIS_E 4
#define CR_NUM_DIMS 5

#define CR_DIM_NAMES "ABCDE"
#define CR_DIR_NAMES "+-"

#define CR_COLL_CLASS_LINK_MASK                                                                        \
  (BGQ_CLASS_LINK_AM | BGQ_CLASS_LINK_AP | BGQ_CLASS_LINK_BM | BGQ_CLASS_LINK_BP | BGQ_CLASS_LINK_CM | \
   BGQ_CLASS_LINK_CP | BGQ_CLASS_LINK_DM | BGQ_CLASS_LINK_DP | BGQ_CLASS_LINK_EM | BGQ_CLASS_LINK_EP)
#define CR_COLL_CLASS_OUTPUT_MASK CR_COLL_CLASS_LINK_MASK
#define CR_COLL_CLASS_INPUT_MASK (CR_COLL_CLASS_LINK_MASK | BGQ_CLASS_INPUT_LINK_LOCAL | BGQ_CLASS_INPUT_VC_MASK)

#if __has_include("Classroute_impl.h")
#include "Classroute_impl.h"
#else
#include <spi/include/mu/default/Classroute_impl.h>
#endif

#endif
