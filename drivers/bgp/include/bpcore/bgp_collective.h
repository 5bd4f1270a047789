/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _BGP_COLLECTIVE_H_
#define _BGP_COLLECTIVE_H_

#include <bpcore/collective.h>

#endif
