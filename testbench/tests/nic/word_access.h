// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>

#include "nic/common/bus_master.h"
#include "nic/common/fault_reason.h"

namespace toroid::test {

struct WordAnswer {
  tlm::tlm_response_status status;
  std::uint32_t value;
  std::string reason;  ///< of an error
  bool waited;         ///< the device let the core's local time pass, and no more
};

/// A big-endian word, or an access of another size that begins with it, by core `core` whose local time is 3 ns ahead.
template <typename Socket>
WordAnswer access_word(Socket& bus, std::uint32_t address, bool write, std::uint32_t value, unsigned core,
                       unsigned size) {
  std::uint8_t data[32] = {};
  for (unsigned i = 0; i < 4; ++i) data[i] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
  tlm::tlm_generic_payload payload;
  payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload.set_address(address);
  payload.set_data_ptr(data);
  payload.set_data_length(size);
  payload.set_streaming_width(size);
  FaultReason reason;
  BusMaster master;
  master.core = core;
  payload.set_extension(&reason);
  payload.set_extension(&master);
  const sc_core::sc_time ahead(3, sc_core::SC_NS);
  sc_core::sc_time delay = ahead;
  const sc_core::sc_time before = sc_core::sc_time_stamp();
  bus->b_transport(payload, delay);
  payload.clear_extension(&reason);
  payload.clear_extension(&master);
  const std::uint32_t got =
      std::uint32_t{data[0]} << 24 | std::uint32_t{data[1]} << 16 | std::uint32_t{data[2]} << 8 | data[3];
  const bool waited = sc_core::sc_time_stamp() - before == ahead && delay == sc_core::SC_ZERO_TIME;
  return {payload.get_response_status(), got, reason.text, waited};
}

}  // namespace toroid::test
