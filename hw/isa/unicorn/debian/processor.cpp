// SPDX-License-Identifier: Apache-2.0
//
// Processors of an unpatched library.
#include "hw/isa/unicorn/processor.h"

#include "hw/isa/unicorn/debian/fast_stores.h"
#include "hw/isa/unicorn/debian/find_registers.h"
#include "hw/isa/unicorn/own_processor.h"

namespace toroid::unicorn {
namespace {

class DebianProcessor final : public OwnProcessor, private StorePolicy {
 public:
  using OwnProcessor::OwnProcessor;

  void begin(std::uint64_t) override { StorePolicy::begin(); }

  const void* general_registers() override {
    if (!searched_ && cpu() != nullptr) {
      searched_ = true;
      registers_ = find_general_registers(uc(), cpu());
    }
    return registers_;
  }
  std::uint64_t* float_registers() override {
    if (floats_ == nullptr) floats_ = find_float_registers(uc(), cpu());
    return floats_;
  }

 private:
  bool is_plain_memory(std::uint32_t address) const override { return OwnProcessor::is_plain_memory(address); }

  const std::uint32_t* registers_ = nullptr;
  std::uint64_t* floats_ = nullptr;
  bool searched_ = false;  ///< for registers_
};

}  // namespace

std::unique_ptr<Processor> make_own_processor(const Architecture& architecture, UnicornEngine& engine,
                                              Observation observation) {
  return std::make_unique<DebianProcessor>(architecture, engine, observation);
}

std::unique_ptr<Processor> make_shared_processor(const Architecture&, UnicornEngine&) {
  return nullptr;
}

}  // namespace toroid::unicorn
