// SPDX-License-Identifier: Apache-2.0
#include "nic/bgq/mu_errors.h"

#include <iterator>

#include "nic/bgq/mu_dcr.h"

namespace toroid {
namespace {

using namespace bgq_mu_dcr;

// The registers of a group of errors follow each other: state, force, first, machine check, critical, non-critical.
constexpr unsigned kFirst = 2, kMachineCheck = 3, kNoncritical = 5;

/// Where a rule lies in the state registers.
struct Entry {
  char letter;
  std::uint8_t bit;                  ///< IBM's number
  const RegisterDescription* state;  ///< nullptr: the network's, which has no register here
};

// In the order of MuRule.
constexpr Entry kEntries[] = {
    {'M', 15, &kMcsramState},
    {'M', 16, &kMcsramState},
    {'M', 17, &kMcsramState},
    {'M', 18, &kMcsramState},
    {'M', 19, &kMcsramState},
    {'M', 20, &kMcsramState},
    {'M', 21, &kMcsramState},
    {'M', 22, &kMcsramState},
    {'M', 23, &kMcsramState},
    {'M', 24, &kMcsramState},
    {'M', 25, &kMcsramState},
    {'M', 26, &kMcsramState},
    {'M', 27, &kMcsramState},
    {'M', 31, &kMcsramState},
    {'N', 1, nullptr},
    {'N', 2, nullptr},
    {'X', 24, &kMasterPort0State},
    {'X', 25, &kMasterPort0State},
    {'R', 12, &kRcsramState},
    {'R', 14, &kRcsramState},
    {'P', 8, &kRputsramState},
    {'P', 9, &kRputsramState},
    {'P', 11, &kRputsramState},
    {'P', 12, &kRputsramState},
    {'P', 13, &kRputsramState},
    {'H', 60, &kRme0State},
    {'H', 61, &kRme0State},
    {'H', 62, &kRme0State},
    {'G', 3, &kMiscState},
    {'G', 4, &kMiscState},
    {'G', 5, &kMiscState},
    {'I', 21, &kIcsramState},
    {'I', 22, &kIcsramState},
    {'R', 15, &kRcsramState},
    {'I', 0, nullptr},
    {'R', 0, nullptr},
    {'S', 25, &kSlavePortState},
    {'S', 26, &kSlavePortState},
    {'S', 27, &kSlavePortState},
    {'F', 14, &kMmregsState},
    {'F', 15, &kMmregsState},
    {'F', 16, &kMmregsState},
    {'F', 18, &kMmregsState},
};
static_assert(std::size(kEntries) == static_cast<std::size_t>(MuRule::count));

const Entry& entry(MuRule rule) {
  return kEntries[static_cast<std::size_t>(rule)];
}

struct Place {
  unsigned place;
  unsigned bit;
};
/// A master port has a group of registers of its own, a reception engine a bit in one of two.
Place place_of(MuRule rule, unsigned unit) {
  const Entry& is = entry(rule);
  constexpr const RegisterDescription* kPorts[] = {&kMasterPort0State, &kMasterPort1State, &kMasterPort2State};
  if (is.letter == 'X') return {kPorts[unit % kMuMasters]->place, is.bit};
  if (is.letter == 'H') return {(unit < 8 ? kRme0State : kRme1State).place, 5 + 6 * (unit % 8)};
  return {is.state->place, is.bit};
}

}  // namespace

std::string MuErrors::name(MuRule rule) {
  return std::string("MU-") + entry(rule).letter + std::to_string(entry(rule).bit);
}

bool MuErrors::interrupts(unsigned place, unsigned bit) const {
  std::uint64_t enabled = 0;
  for (unsigned word = kMachineCheck; word <= kNoncritical; ++word) enabled |= dcr_.word(place + word);
  return (enabled >> (63 - bit) & 1) != 0;
}

bool MuErrors::set(unsigned place, unsigned bit) {
  std::uint64_t& state = dcr_.word(place);
  if (state == 0) dcr_.word(place + kFirst) = std::uint64_t{1} << (63 - bit);
  state |= std::uint64_t{1} << (63 - bit);
  return interrupts(place, bit);
}

bool MuErrors::wants_text(MuRule rule, unsigned unit) const {
  if (violations_.none_of(static_cast<std::size_t>(rule))) return true;
  if (entry(rule).state == nullptr) return true;
  const Place place = place_of(rule, unit);
  return interrupts(place.place, place.bit);
}

bool MuErrors::report(const MuFault& fault, unsigned unit, sc_core::sc_time when) {
  violations_.add(static_cast<std::size_t>(fault.rule), fault.text, when);
  if (entry(fault.rule).state == nullptr) return true;
  const Place place = place_of(fault.rule, unit);
  return set(place.place, place.bit);
}

void MuErrors::note(MuRule rule) {
  const Place place = place_of(rule, 0);
  set(place.place, place.bit);
}

}  // namespace toroid
