/* SPDX-License-Identifier: Apache-2.0 */
/* Who reports an event to the control system, and about which unit. The error codes of each unit are the control
 * system's; programs give their own numbers. */
#ifndef _BGP_RAS_H_
#define _BGP_RAS_H_

#include <common/namespace.h>

typedef enum {
  _bgp_sev_none = 0,
  _bgp_sev_trace,
  _bgp_sev_debug,
  _bgp_sev_info,
  _bgp_sev_warn,
  _bgp_sev_error,
  _bgp_sev_fatal,
  _bgp_sev_unknown,
  _bgp_sev_max
} _BGP_Severity;

typedef enum {
  _bgp_fac_none = 0x00,
  _bgp_fac_kernel = 0x01,
  _bgp_fac_application = 0x02,
  _bgp_fac_card = 0x03,
  _bgp_fac_mc = 0x04,
  _bgp_fac_mcserver = 0x05,
  _bgp_fac_mmcs = 0x06,
  _bgp_fac_diags = 0x07,
  _bgp_fac_max
} _BGP_Facility;

typedef enum {
  _bgp_unit_none = 0x00,
  _bgp_unit_ppc450 = 0x01,
  _bgp_unit_fpu = 0x02,
  _bgp_unit_snoop = 0x03,
  _bgp_unit_dp0 = 0x04,
  _bgp_unit_dp1 = 0x05,
  _bgp_unit_l2 = 0x06,
  _bgp_unit_l3 = 0x07,
  _bgp_unit_ddr = 0x08,
  _bgp_unit_sram = 0x09,
  _bgp_unit_dma = 0x0A,
  _bgp_unit_lockbox = 0x0D,
  _bgp_unit_collective = 0x0F,
  _bgp_unit_torus = 0x10,
  _bgp_unit_globint = 0x11,
  _bgp_unit_upc = 0x13,
  _bgp_unit_dcr = 0x14,
  _bgp_unit_bic = 0x15,
  _bgp_unit_kernel = 0x1D,
  _bgp_unit_ciod = 0x1E,
  _bgp_unit_diagnostic = 0x20,
  _bgp_unit_application = 0x21,
  _bgp_unit_max = 0xFF
} _BGP_RAS_Units;

#endif
