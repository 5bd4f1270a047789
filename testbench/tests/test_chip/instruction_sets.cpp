// SPDX-License-Identifier: Apache-2.0
//
// The instruction sets that test chips have, a machine each. One more is one more line at the end, a folder
// test-<isa> with a description and a toolchain, and its name in CMakeLists.txt.
#include "hw/isa/ppc32/ppc32.h"
#include "hw/isa/ppc64/ppc64.h"
#include "hw/isa/x86_64/x86_64.h"
#include "hw/kernel/abi/linux_ppc32/linux_ppc32.h"
#include "hw/kernel/abi/linux_ppc64/linux_ppc64.h"
#include "hw/kernel/abi/linux_x86_64/linux_x86_64.h"
#include "hw/machine/machine_description.h"
#include "testbench/tests/test_chip/test_chip.h"

namespace toroid {
namespace test_chip {
namespace {

/// With the parameters of an instruction set's pipelines, and of the caches that its machines have.
template <typename Pipeline, MemoryConfig::Levels kLevels>
struct WholeConfig : Config {
  WholeConfig() { core.memory.levels = kLevels; }

  Pipeline pipeline;

  void visit_parameters(ParameterVisitor& visitor) {
    Config::visit_parameters(visitor);
    pipeline.visit_parameters(visitor);
  }
};

template <typename Pipeline, MemoryConfig::Levels kLevels, typename MakeIsa>
std::unique_ptr<MachineModel> make_model(const char* name, const MachineDescription& description, MakeIsa make_isa,
                                         const Abi& abi) {
  auto config = description.parameters.read<WholeConfig<Pipeline, kLevels>>();
  description.parameters.require_all_used();
  config.core.isa = make_isa(config.pipeline, config.core.pipeline);
  return std::make_unique<TestModel>(name, config, abi, description.modes);
}

}  // namespace
}  // namespace test_chip

/// `ISA` is the name of a folder of hw/isa and of the namespace in it, `ABI` the function of a folder of hw/kernel/abi,
/// `LEVELS` one of MemoryConfig::Levels.
#define TEST_MACHINE(ISA, ABI, LEVELS)                                                                         \
  std::unique_ptr<MachineModel> make_test_##ISA##_model(const MachineDescription& description) {               \
    const auto make_isa = [](const ISA::PipelineConfig& pipeline, bool modelled) {                             \
      return ISA::make_isa(pipeline, modelled);                                                                \
    };                                                                                                         \
    return test_chip::make_model<ISA::PipelineConfig, MemoryConfig::Levels::LEVELS>("test-" #ISA, description, \
                                                                                    make_isa, ABI());          \
  }                                                                                                            \
  void visit_test_##ISA##_parameters(ParameterVisitor& visitor) {                                              \
    test_chip::WholeConfig<ISA::PipelineConfig, MemoryConfig::Levels::LEVELS>().visit_parameters(visitor);     \
  }

TEST_MACHINE(ppc32, linux_ppc32, l2_prefetch)
TEST_MACHINE(x86_64, linux_x86_64, victim)
TEST_MACHINE(ppc64, linux_ppc64, l1p_prefetch)

}  // namespace toroid
