// SPDX-License-Identifier: Apache-2.0
#include "hw/bus/address_decoder.h"

#include <algorithm>
#include <stdexcept>

namespace toroid {

AddressDecoder::AddressDecoder(const sc_core::sc_module_name& name, std::vector<Target> targets)
    : sc_module(name), in("in"), targets_(std::move(targets)) {
  for (const Target& target : targets_) {
    if (target.size == 0 || target.last() < target.base)
      throw std::invalid_argument("address range of " + target.name + " is empty or leaves the 64-bit address space");
    for (const Target& other : targets_) {
      if (&other != &target && target.base <= other.last() && other.base <= target.last())
        throw std::invalid_argument("address range of " + target.name + " overlaps that of " + other.name);
    }
    outputs_.push_back(std::make_unique<OutputSocket>(target.name.c_str()));
  }
  in.register_b_transport(this, &AddressDecoder::b_transport);
  in.register_transport_dbg(this, &AddressDecoder::transport_dbg);
  in.register_get_direct_mem_ptr(this, &AddressDecoder::get_direct_mem_ptr);
}

std::size_t AddressDecoder::index_of(std::uint64_t address) {
  if (last_ < targets_.size() && targets_[last_].holds(address)) return last_;
  const auto found =
      std::find_if(targets_.begin(), targets_.end(), [address](const Target& target) { return target.holds(address); });
  const auto index = static_cast<std::size_t>(found - targets_.begin());
  if (found != targets_.end()) last_ = index;
  return index;
}

AddressDecoder::OutputSocket* AddressDecoder::find(tlm::tlm_generic_payload& payload) {
  const std::size_t index = index_of(payload.get_address());
  if (index < targets_.size()) {
    const Target& target = targets_[index];
    if (payload.get_data_length() <= target.size - (payload.get_address() - target.base)) return outputs_[index].get();
  }
  payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  return nullptr;
}

void AddressDecoder::b_transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (OutputSocket* socket = find(payload)) (*socket)->b_transport(payload, delay);
}

unsigned AddressDecoder::transport_dbg(int, tlm::tlm_generic_payload& payload) {
  OutputSocket* socket = find(payload);
  return socket == nullptr ? 0 : (*socket)->transport_dbg(payload);
}

bool AddressDecoder::get_direct_mem_ptr(int, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  const std::uint64_t address = payload.get_address();
  const std::size_t index = index_of(address);
  if (index < targets_.size()) {
    const Target& target = targets_[index];
    if (!(*outputs_[index])->get_direct_mem_ptr(payload, dmi)) return false;
    dmi.set_start_address(std::max<sc_dt::uint64>(dmi.get_start_address(), target.base));
    dmi.set_end_address(std::min<sc_dt::uint64>(dmi.get_end_address(), target.last()));
    return true;
  }
  dmi.set_start_address(address);
  dmi.set_end_address(address);
  return false;
}

}  // namespace toroid
