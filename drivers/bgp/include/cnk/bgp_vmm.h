/* SPDX-License-Identifier: Apache-2.0 */
/* The granule in which the kernel maps a process's text and data: a megabyte. */
#ifndef _BGP_VMM_H_
#define _BGP_VMM_H_

#define _BGP_VMM_PAGE_MASK 0x000FFFFFu

#endif
