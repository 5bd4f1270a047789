// SPDX-License-Identifier: Apache-2.0
// The torus of Blue Gene/L and Blue Gene/P, under the names that their devices and machines use.
#pragma once

#include "torus/torus/families/blue_gene_lp_family.h"
#include "torus/torus/link_recovery.h"
#include "torus/torus/network.h"
#include "torus/torus/router.h"
#include "torus/torus/router_stand_in.h"
#include "torus/torus/stuck_report.h"
#include "torus/torus/tlm_local_port.h"
#include "torus/torus/torus_link.h"

namespace toroid {

using Router = BasicRouter<BlueGeneLpFamily>;
using RouterStandIn = BasicRouterStandIn<BlueGeneLpFamily>;
using TorusLink = BasicTorusLink<BlueGeneLpFamily>;
using LinkRecovery = BasicLinkRecovery<BlueGeneLpFamily>;
using TorusNetwork = BasicTorusNetwork<BlueGeneLpFamily>;
using TlmLocalPort = BasicTlmLocalPort<BlueGeneLpFamily>;
using LinkSocketPort = BasicLinkSocketPort<BlueGeneLpFamily>;

inline constexpr const RouterFamily& kBlueGeneLpRouters = kRouterFamily<BlueGeneLpFamily>;

}  // namespace toroid
