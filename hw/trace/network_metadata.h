// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "hw/machine/hardware.h"
#include "hw/trace/network_recorder.h"
#include "hw/trace/writer.h"
#include "torus/torus/network.h"
#include "torus/tree/network.h"

namespace toroid {

/// What the second half of a torus packet's header holds.
enum class TorusHeader {
  software_port,  ///< fields of the message layer: the number of a handler, the sender's rank, an argument
  mu,             ///< 20 bytes more: the Messaging Unit's
  dma,            ///< fields of a DMA engine: offset, counter, bytes, or the number of a function and its argument
};

/// What a reader of a trace must know of a torus and of a tree (docs/reference/trace_file.md).
nlohmann::ordered_json torus_metadata(const AnyTorusNetwork& network, TorusHeader header);
nlohmann::ordered_json tree_metadata(const TreeNetwork& network);

/// Records the packets of a machine that has both.
class TorusAndTreeTrace final : public NetworkTrace {
 public:
  /// `torus` is of any router family.
  template <typename Torus>
  TorusAndTreeTrace(Torus& torus, TreeNetwork& tree, trace::Writer& writer, bool contents)
      : torus_(writer, torus.topology(), torus.config().clock_mhz, torus.family().chunk_bytes, contents),
        tree_(writer, torus.config().clock_mhz, contents) {
    torus.observe(torus_);
    tree.observe(tree_);
  }

 private:
  trace::TorusRecorder torus_;
  trace::TreeRecorder tree_;
};

}  // namespace toroid
