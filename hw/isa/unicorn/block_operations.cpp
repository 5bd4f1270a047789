// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/unicorn/block_operations.h"

namespace toroid::unicorn {
namespace {

/// By BlockCode::Operation.
constexpr uc_block_op_code kOperations[] = {
    UC_BLOCK_MOVE,       UC_BLOCK_GUEST,       UC_BLOCK_LOAD_8,
    UC_BLOCK_LOAD_16,    UC_BLOCK_LOAD_32,     UC_BLOCK_LOAD_64,
    UC_BLOCK_STORE_64,   UC_BLOCK_ADD,         UC_BLOCK_SUB,
    UC_BLOCK_MUL,        UC_BLOCK_AND,         UC_BLOCK_AND_NOT,
    UC_BLOCK_OR,         UC_BLOCK_XOR,         UC_BLOCK_NOR,
    UC_BLOCK_SHIFT_LEFT, UC_BLOCK_SHIFT_RIGHT, UC_BLOCK_SHIFT_RIGHT_SIGNED,
    UC_BLOCK_NOT_EQUAL,  UC_BLOCK_BELOW,       UC_BLOCK_MOVE_IF_ZERO,
    UC_BLOCK_SWAP_16,    UC_BLOCK_SWAP_32,     UC_BLOCK_SIGN_8,
    UC_BLOCK_SIGN_16,    UC_BLOCK_SIGN_32,     UC_BLOCK_CALL_IF,
};
static_assert(std::size(kOperations) == BlockCode::kOperations);
static_assert(BlockCode::kRegisters == UC_BLOCK_REGISTERS && BlockCode::kLedger == UC_BLOCK_DATA &&
              BlockCode::kConstant == UC_BLOCK_CONSTANT);

}  // namespace

void BlockOperations::generate(EngineClient& client, const Block& block, const Architecture& architecture) {
  code_.clear();
  operations_.clear();
  client.count(block, code_);
  if (code_.empty()) return;
  for (const BlockCode::Step& step : code_.steps()) {
    const uc_block_op_code code = kOperations[static_cast<std::size_t>(step.operation)];
    uc_block_op operation{static_cast<std::uint8_t>(code), step.result, step.first, step.second, step.constant};
    if (code == UC_BLOCK_GUEST)
      operation.constant = static_cast<std::uint64_t>(
          architecture.general != nullptr ? architecture.general[step.constant]
                                          : architecture.first_general + static_cast<int>(step.constant));
    operations_.push_back(operation);
  }
}

}  // namespace toroid::unicorn
