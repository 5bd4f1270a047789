// SPDX-License-Identifier: Apache-2.0
#include "nic/bgp/dma_errors.h"

#include <iterator>

#include "nic/bgp/dma_dcr.h"
#include "nic/bgp/dma_descriptor.h"

namespace toroid {
namespace {

using namespace bgp_dma_dcr;

/// The parts of FATAL_CLEAR.
enum class Clears : std::uint8_t { injection, reception, addresses, link, counter };

/// Where a rule lies in the control registers, and what it raises.
struct Entry {
  char side;  ///< I, R or C, as in its name
  Clears clears;
  std::uint8_t irq;
};

// In the order of DmaRule. The distribution over the interrupts of a kind is assumed.
constexpr Entry kEntries[] = {
    {'I', Clears::injection, BGP_DMA_IRQ_INJ_COUNTER_ERROR + 3},
    {'I', Clears::addresses, BGP_DMA_IRQ_READ_DESCRIPTOR},
    {'I', Clears::injection, BGP_DMA_IRQ_INJ_COUNTER_ERROR + 3},
    {'I', Clears::injection, BGP_DMA_IRQ_INJ_COUNTER_ERROR + 3},
    {'I', Clears::injection, BGP_DMA_IRQ_INJ_COUNTER_ERROR + 2},
    {'I', Clears::addresses, BGP_DMA_IRQ_READ_PAYLOAD},
    {'I', Clears::injection, BGP_DMA_IRQ_INJ_COUNTER_ERROR + 3},
    {'I', Clears::injection, BGP_DMA_IRQ_INJ_COUNTER_ERROR + 3},
    {'I', Clears::injection, BGP_DMA_IRQ_INJ_COUNTER_ERROR + 3},
    {'R', Clears::reception, BGP_DMA_IRQ_WRITE_ERROR},
    {'R', Clears::addresses, BGP_DMA_IRQ_WRITE_ERROR + 1},
    {'R', Clears::addresses, BGP_DMA_IRQ_WRITE_ERROR + 2},
    {'R', Clears::reception, BGP_DMA_IRQ_WRITE_ERROR + 3},
    {'R', Clears::reception, BGP_DMA_IRQ_WRITE_ERROR + 3},
    {'R', Clears::link, BGP_DMA_IRQ_LINK_CHECK},
    {'R', Clears::reception, BGP_DMA_IRQ_WRITE_ERROR + 4},
    {'R', Clears::reception, BGP_DMA_IRQ_WRITE_ERROR + 4},
    {'R', Clears::reception, BGP_DMA_IRQ_WRITE_ERROR + 5},
    {'C', Clears::counter, BGP_DMA_IRQ_INJ_COUNTER_ERROR},
    {'C', Clears::counter, BGP_DMA_IRQ_INJ_COUNTER_ERROR + 1},
    {'C', Clears::counter, BGP_DMA_IRQ_REC_COUNTER_ERROR},
    {'C', Clears::counter, BGP_DMA_IRQ_REC_COUNTER_ERROR + 1},
};
static_assert(std::size(kEntries) == static_cast<std::size_t>(DmaRule::count));

constexpr std::size_t first_of(char side) {
  std::size_t first = 0;
  while (kEntries[first].side != side) ++first;
  return first;
}
std::uint32_t bit_of(std::size_t rule) {
  return ibm_bit(static_cast<unsigned>(rule - first_of(kEntries[rule].side)));
}
const RegisterDescription& fatal_of(std::size_t rule) {
  const char side = kEntries[rule].side;
  return side == 'I' ? kFatalInjection : side == 'R' ? kFatalReception : kFatalCounters;
}
const RegisterDescription& enable_of(std::size_t rule) {
  const char side = kEntries[rule].side;
  return side == 'I' ? kFatalEnableInjection : side == 'R' ? kFatalEnableReception : kFatalEnableCounters;
}

}  // namespace

std::string DmaErrors::name(DmaRule rule) {
  const auto number = static_cast<std::size_t>(rule);
  const char side = kEntries[number].side;
  return std::string("DMA-") + side + std::to_string(number - first_of(side) + 1);
}

bool DmaErrors::wants_text(DmaRule rule) const {
  const auto number = static_cast<std::size_t>(rule);
  return violations_.none_of(number) || (dcr_.at(enable_of(number)) & bit_of(number)) != 0;
}

bool DmaErrors::report(const DmaFault& fault, sc_core::sc_time when) {
  const auto number = static_cast<std::size_t>(fault.rule);
  violations_.add(number, fault.text, when);
  dcr_.at(fatal_of(number)) |= bit_of(number);
  return (dcr_.at(enable_of(number)) & bit_of(number)) != 0;
}

void DmaErrors::clear(std::uint32_t bits, std::uint32_t link) {
  constexpr const RegisterField* kCounters[] = {&fatal_clear::kInjCounterUnderflow, &fatal_clear::kInjCounterOverflow,
                                                &fatal_clear::kRecCounterUnderflow, &fatal_clear::kRecCounterOverflow};
  for (std::size_t rule = 0; rule < kRules; ++rule) {
    bool cleared = false;
    switch (kEntries[rule].clears) {
      case Clears::injection:
        cleared = fatal_clear::kInjection.of(bits) != 0;
        break;
      case Clears::reception:
        cleared = fatal_clear::kReception.of(bits) != 0;
        break;
      case Clears::addresses:
        cleared = fatal_clear::kAddresses.of(bits) != 0;
        break;
      case Clears::link:
        cleared = fatal_clear_link::kLinkCheck.of(link) != 0;
        break;
      case Clears::counter:
        cleared = kCounters[rule - first_of('C')]->of(bits) != 0;
        break;
    }
    if (cleared) dcr_.at(fatal_of(rule)) &= ~bit_of(rule);
  }
}

std::uint32_t DmaErrors::interrupts(unsigned bic_group) const {
  if ((dcr_.at(kFatalInjection) | dcr_.at(kFatalReception) | dcr_.at(kFatalCounters)) == 0) return 0;
  std::uint32_t lines = 0;
  for (std::size_t rule = 0; rule < kRules; ++rule) {
    if ((dcr_.at(fatal_of(rule)) & bit_of(rule)) == 0) continue;
    if (kEntries[rule].irq / 32u == bic_group) lines |= ibm_bit(kEntries[rule].irq % 32u);
    if (bic_group == BGP_DMA_IRQ_FATAL / 32u && (dcr_.at(enable_of(rule)) & bit_of(rule)) != 0)
      lines |= ibm_bit(BGP_DMA_IRQ_FATAL % 32u);
  }
  return lines;
}

}  // namespace toroid
