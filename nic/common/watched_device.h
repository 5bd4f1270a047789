// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <systemc>

namespace toroid {

/// A device whose readable state stays the same until an event says otherwise.
///
/// A core that polls such a device in a steady loop need not run the loop: it parks until changed() is notified, then
/// moves its clock on by whole turns of the loop. The results are the same with and without parking, because a pure
/// read has no side effect and its answer can differ only after a change that this interface announces.
///
/// All addresses are those of the generic payloads that the device's target socket receives.
class WatchedDevice {
 public:
  virtual ~WatchedDevice() = default;

  /// True where a read of `address` has no side effect and its answer changes only together with changed().
  virtual bool is_pure_read(std::uint64_t address) const = 0;

  /// What tells of changes at `address`: this device, or a part of it whose changed() comes less often, so that a loop
  /// which polls there is not woken by what it does not read.
  virtual const WatchedDevice& part(std::uint64_t address) const {
    (void)address;
    return *this;
  }

  /// Notified for the SystemC time at which something that a pure read can see has changed. Several changes of one time
  /// make one notification; a notification may also come without a change in the words one particular reader looks at.
  virtual const sc_core::sc_event& changed() const = 0;

  /// The time at which the latest change so far became visible: a read that takes effect at or after it sees the new
  /// state. Zero before the first change. Never later than the present time of the network.
  virtual sc_core::sc_time last_change() const = 0;

  /// What a pure read of `address` tells, in a programmer's words: "the status of torus FIFO group 0". Empty where it
  /// has no name.
  virtual std::string name_of(std::uint64_t address) const {
    (void)address;
    return {};
  }
};

}  // namespace toroid
