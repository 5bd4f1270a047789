// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>
#include <vector>

namespace toroid {

/// When something that a core can read changes: times known ahead, each announced when it comes.
///
/// One sc_event holds only its earliest notification, so the later ones wait here and are notified in turn.
class ChangeLog : public sc_core::sc_module {
 public:
  explicit ChangeLog(const sc_core::sc_module_name& name);

  /// Something changes at `at`; what lies in the past is announced at once.
  void add(sc_core::sc_time at);
  /// Notified at each of these times.
  const sc_core::sc_event& changed() const { return changed_; }
  /// The latest of these times that is not in the future, or zero.
  sc_core::sc_time last() const;

 private:
  void announce_next();

  sc_core::sc_event changed_;
  sc_core::sc_time last_;                  ///< latest that was announced
  std::vector<sc_core::sc_time> pending_;  ///< still to be announced, earliest first, each time once
};

}  // namespace toroid
