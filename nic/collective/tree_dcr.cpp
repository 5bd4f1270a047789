// SPDX-License-Identifier: Apache-2.0
#include "nic/collective/tree_dcr.h"

namespace toroid {

using namespace tree_dcr;

const TreeDcr::Bank& TreeDcr::bank() {
  using Register = Bank::Register;
  static const Bank registers(kBlock, {"the tree control registers", "a tree control register", "", ""},
                              {
                                  Register(kClasses).reads(&TreeDcr::classes).writes(&TreeDcr::set_classes),
                                  Register(kFifoPointers).reads(&TreeDcr::fifo_pointers),
                                  Register(kNodeAddress).reads(&TreeDcr::address).writes(&TreeDcr::set_address),
                                  Register(kVcConfiguration).writes(&TreeDcr::configure),
                                  Register(kReceptionException).reads(&TreeDcr::reception_exceptions),
                                  Register(kReceptionEnable),
                                  Register(kInjectionException).reads(&TreeDcr::injection_exceptions),
                                  Register(kInjectionEnable),
                                  Register(kChecksum),
                              });
  return registers;
}

TreeDcr::TreeDcr(TreeFifoNode& node, const Injections& injection, const Receptions& reception)
    : node_(node), injection_(injection), reception_(reception) {
  bank().reset(node_.dcrs.data());
}

std::uint32_t TreeDcr::classes(unsigned pair) const {
  return std::uint32_t{node_.router().descriptor(2 * pair)} << 16 | node_.router().descriptor(2 * pair + 1);
}

void TreeDcr::set_classes(unsigned pair, std::uint32_t descriptors) {
  node_.router().set_descriptor(2 * pair, static_cast<std::uint16_t>(descriptors >> 16));
  node_.router().set_descriptor(2 * pair + 1, static_cast<std::uint16_t>(descriptors));
}

std::uint32_t TreeDcr::fifo_pointers(unsigned) const {
  std::uint32_t value = 0;
  for (const TreeInjection& vc : injection_) value = value << 8 | vc.pointers();
  for (const TreeReception& vc : reception_) value = value << 8 | vc.pointers();
  return value;
}

std::uint32_t TreeDcr::address(unsigned) const {
  return node_.router().address();
}

void TreeDcr::set_address(unsigned, std::uint32_t address) {
  node_.router().set_address(address);
}

void TreeDcr::configure(unsigned vc, std::uint32_t settings) {
  node_.router().set_accepts_all(vc, vc_configuration::kAcceptAll.of(settings) != 0);
}

std::uint32_t TreeDcr::reception_exceptions(unsigned) const {
  std::uint32_t flags = node_.dcr(kReceptionException);
  for (unsigned vc = 0; vc < TREE_VCS; ++vc) {
    const unsigned mark = vc_configuration::kReceptionWatermark.of(node_.dcr(kVcConfiguration, vc));
    flags |= reception_exception::kAbove0.at(reception_[vc].headers(sc_core::sc_time_stamp()) > mark) >> vc;
  }
  return flags;
}

std::uint32_t TreeDcr::injection_exceptions(unsigned) const {
  std::uint32_t flags = node_.dcr(kInjectionException);
  for (unsigned vc = 0; vc < TREE_VCS; ++vc) {
    const unsigned mark = vc_configuration::kInjectionWatermark.of(node_.dcr(kVcConfiguration, vc));
    flags |= injection_exception::kBelow0.at(injection_[vc].headers(sc_core::sc_time_stamp()) < mark) >> vc;
  }
  return flags;
}

}  // namespace toroid
