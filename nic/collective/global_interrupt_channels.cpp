// SPDX-License-Identifier: Apache-2.0
#include "nic/collective/global_interrupt_channels.h"

namespace toroid {

GlobalInterruptChannels::GlobalInterruptChannels(GlobalInterrupts& network, std::uint32_t node, NetworkClock& clock)
    : network_(network), clock_(clock), node_(node), changes_("changes") {
  network.attach(node, *this);
}

void GlobalInterruptChannels::send(unsigned channel, bool level) {
  reset(channel);
  network_.send(node_, channel, level);
}

void GlobalInterruptChannels::arm(unsigned channel, bool all) {
  set_interrupt(channel, false);
  set(active_, channel, false);
  set(sticky_, channel, true);
  set(type_, channel, all);
  network_.send(node_, channel, idle_level(channel));
}

void GlobalInterruptChannels::clear(unsigned channel) {
  set_interrupt(channel, false);
  set(active_, channel, false);
  if ((sticky_ & bit(channel)) != 0) network_.send(node_, channel, idle_level(channel));
}

void GlobalInterruptChannels::fire(unsigned channel) {
  set(active_, channel, true);
  network_.send(node_, channel, !idle_level(channel));
  look(channel);
}

void GlobalInterruptChannels::reset(unsigned channel) {
  set_interrupt(channel, false);
  for (std::uint32_t* bits : {&sticky_, &active_, &type_}) set(*bits, channel, false);
  network_.send(node_, channel, false);
}

std::uint32_t GlobalInterruptChannels::received() const {
  std::uint32_t bits = 0;
  for (unsigned channel = 0; channel < kChannels; ++channel) {
    if (network_.received(node_, channel)) bits |= bit(channel);
  }
  return bits;
}

std::uint32_t GlobalInterruptChannels::sent() const {
  std::uint32_t bits = 0;
  for (unsigned channel = 0; channel < kChannels; ++channel) {
    if (network_.sent(node_, channel)) bits |= bit(channel);
  }
  return bits;
}

std::uint32_t GlobalInterruptChannels::upward() const {
  std::uint32_t bits = 0;
  for (unsigned channel = 0; channel < kChannels; ++channel) {
    if (network_.upward(node_, channel)) bits |= bit(channel);
  }
  return bits;
}

void GlobalInterruptChannels::set(std::uint32_t& bits, unsigned channel, bool value) {
  bits = value ? bits | bit(channel) : bits & ~bit(channel);
}

void GlobalInterruptChannels::set_interrupt(unsigned channel, bool value) {
  if (((interrupts_ & bit(channel)) != 0) == value) return;
  set(interrupts_, channel, value);
  if (interrupt_) interrupt_();
}

void GlobalInterruptChannels::look(unsigned channel) {
  if ((sticky_ & bit(channel)) == 0 || network_.received(node_, channel) == idle_level(channel)) return;
  set_interrupt(channel, true);
  set(active_, channel, false);
  network_.send(node_, channel, idle_level(channel));
}

void GlobalInterruptChannels::level_received(unsigned channel, bool) {
  look(channel);
  // SystemC's time must reach this cycle before the network passes it, unless it has already.
  const Cycle now = clock_.wheel().now();
  const sc_core::sc_time when = clock_.time_of(now);
  if (when > sc_core::sc_time_stamp()) clock_.wheel().hold(now);
  changes_.add(when);
}

}  // namespace toroid
