// SPDX-License-Identifier: Apache-2.0
//
// Processors of the library with the patches of third_party/unicorn.
#include "hw/isa/unicorn/own_processor.h"
#include "hw/isa/unicorn/shared_processor.h"

namespace toroid::unicorn {
namespace {

class PatchedProcessor final : public OwnProcessor {
 public:
  PatchedProcessor(const Architecture& architecture, UnicornEngine& engine, Observation observation)
      : OwnProcessor(architecture, engine, observation), places_(find_registers(uc(), architecture)) {}

  const void* general_registers() override { return places_.general; }
  std::uint64_t* float_registers() override { return places_.floats; }

 private:
  const RegisterPlaces places_;
};

}  // namespace

std::unique_ptr<Processor> make_own_processor(const Architecture& architecture, UnicornEngine& engine,
                                              Observation observation) {
  return std::make_unique<PatchedProcessor>(architecture, engine, observation);
}

std::unique_ptr<Processor> make_shared_processor(const Architecture& architecture, UnicornEngine& engine) {
  return std::make_unique<SharedProcessor>(SharedInstance::of(architecture), engine);
}

}  // namespace toroid::unicorn
