// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unicorn/unicorn.h>

#include <vector>

#include "hw/isa/block_code.h"
#include "hw/isa/engine.h"
#include "hw/isa/unicorn/processor.h"

namespace toroid::unicorn {

/// The code of a block in the library's words.
class BlockOperations {
 public:
  /// What `client` has at the beginning of `block`.
  void generate(EngineClient& client, const Block& block, const Architecture& architecture);
  const uc_block_op* data() const { return operations_.data(); }
  std::size_t size() const { return operations_.size(); }

 private:
  BlockCode code_;
  std::vector<uc_block_op> operations_;
};

}  // namespace toroid::unicorn
