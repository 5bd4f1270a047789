/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sizes of DCMF's opaque objects on this machine. Programs embed these objects in their own structures, keep them on
 * their stack and copy memory regions into control messages, so that a region is never larger than a control message.
 *
 * The published dcmf.h includes a file of this name that is not published itself. 32 quads a protocol is the size that
 * its comments state; the other sizes are assumed, those of the collectives after the CCMI interface of DCMF's
 * successor.
 */
#ifndef __dcmf_impl_h__
#define __dcmf_impl_h__

/* 16 bytes, aligned to their size. */
typedef struct DCQuad {
  unsigned w0;
  unsigned w1;
  unsigned w2;
  unsigned w3;
} __attribute__((__aligned__(16))) DCQuad;

/* In quads. */
#define DCMF_PROTOCOL_NQUADS 32
#define DCMF_REQUEST_NQUADS 32
#define DCMF_ERROR_NQUADS 4
#define DCMF_CONTROL_NQUADS 8
#define DCMF_MEMREGION_NQUADS 2

/* Not 0 while the layer ends the process because of an error that it has told: libraries above need tell no other. */
extern int DCMF_Failing_flag;

#endif
