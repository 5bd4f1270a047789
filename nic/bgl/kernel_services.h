/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the kernel of a Blue Gene/L node provides with this machine's networks, beside hw/kernel/kernel_abi.h. Plain C11
 * and C++17, for the host and for the emulated cores.
 */
#ifndef TOROID_NIC_BGL_KERNEL_SERVICES_H
#define TOROID_NIC_BGL_KERNEL_SERVICES_H

/* Classes of the tree that the kernel sets at the start of a job, with the job's nodes as members. Those from 12 on are
 * the kernel's own. */
#define TOROID_TREE_CLASS_REDUCTION 0 /* all contribute, all get the result */
#define TOROID_TREE_CLASS_BROADCAST 1 /* one sends, all others get it */

/* Groups of interrupt lines (TOROID_SYS_SET_INTERRUPT_HANDLER). */
#define TOROID_INTERRUPT_TORUS 1u  /* a torus FIFO has passed its watermark */
#define TOROID_INTERRUPT_TREE 2u   /* a tree packet that requests an interrupt has arrived */
#define TOROID_INTERRUPT_GLOBAL 4u /* a sticky global interrupt is set */

#endif
