/* SPDX-License-Identifier: Apache-2.0 */
/* The step of the chip that the headers are for: the second. */
#ifndef _BGP_CHIPVERSION_H_
#define _BGP_CHIPVERSION_H_

#define BGP_CHIPVERSION_DD2

#endif
