// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "hw/machine/hardware.h"
#include "hw/trace/writer.h"
#include "torus/torus/families/blue_gene_lp_network.h"
#include "torus/tree/network.h"

namespace toroid {

class BglHardware;

/// What a reader of a trace must know of torus and tree (docs/reference/trace_file.md).
void bgl_describe_trace(const BglHardware& machine, nlohmann::ordered_json& metadata);
/// Records the packets of both.
std::unique_ptr<NetworkTrace> bgl_record(TorusNetwork& torus, TreeNetwork& tree, trace::Writer& writer, bool contents);

}  // namespace toroid
