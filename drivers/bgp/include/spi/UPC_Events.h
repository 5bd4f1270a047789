/* SPDX-License-Identifier: Apache-2.0 */
/* Events of the universal performance counter: see spi/UPC.h. */
#ifndef _UPC_EVENTS_H_
#define _UPC_EVENTS_H_

#define BGP_UPC_MAX_MONITORED_EVENTS 256

#endif
