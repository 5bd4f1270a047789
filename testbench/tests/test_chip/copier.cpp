// SPDX-License-Identifier: Apache-2.0
#include "testbench/tests/test_chip/copier.h"

#include <algorithm>

#include "nic/common/fault_reason.h"
#include "nic/common/time_offset.h"

namespace toroid::test_chip {

using sc_core::sc_time;
using sc_core::sc_time_stamp;

Copier::Copier(const sc_core::sc_module_name& name, const CopierConfig& config, ByteOrder order)
    : sc_module(name), bus("bus"), config_(config), order_(order), changes_("changes") {
  bus.register_b_transport(this, &Copier::b_transport);
}

std::string Copier::name_of(std::uint64_t address) const {
  return address - COPIER_BASE == COPIER_INTERRUPT ? "the copier's interrupt" : "the copier's count";
}

std::uint32_t Copier::interrupts(unsigned core) {
  return pending_ && may_interrupt(core) ? COPIER_INTERRUPT_GROUP : 0;
}

bool Copier::may_interrupt(unsigned core) const {
  const auto found = enabled_.find(core);
  return found != enabled_.end() && found->second != 0;
}

bool Copier::enable(unsigned core, std::uint32_t groups) {
  if ((groups & ~COPIER_INTERRUPT_GROUP) != 0) return false;
  enabled_[core] = groups;
  return true;
}

void Copier::b_transport(tlm::tlm_generic_payload& access, sc_time& delay) {
  wait_out(delay);
  // What memory answers in this instant it has answered before a core looks.
  wait(sc_core::SC_ZERO_TIME);
  const std::string reason = refusal(access);
  if (!respond(access, reason.empty() ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE, reason)) return;
  const auto offset = static_cast<std::uint32_t>(access.get_address() - COPIER_BASE);
  if (offset == COPIER_NOTE) {
    access_note(access);
  } else if (access.is_write()) {
    write(offset, load_u32(access.get_data_ptr(), order_));
  } else {
    store_u32(access.get_data_ptr(), read(offset), order_);
  }
}

void Copier::access_note(tlm::tlm_generic_payload& access) {
  if (access.is_write()) {
    note_ = load_number(access.get_data_ptr(), sizeof note_, order_);
  } else {
    store_number(access.get_data_ptr(), note_, sizeof note_, order_);
  }
}

std::string Copier::refusal(const tlm::tlm_generic_payload& access) const {
  const std::uint64_t offset = access.get_address() - COPIER_BASE;
  if (offset - COPIER_NOTE < sizeof note_)
    return access.get_data_length() == sizeof note_ ? "" : "the copier's note has 8 bytes";
  if (access.get_data_length() != 4 || offset % 4 != 0) return "the copier's registers are words of 4 bytes";
  if (offset > COPIER_INTERRUPT) return "the copier has no register there";
  if (!access.is_write())
    return offset == COPIER_DOORBELL ? "the copier's doorbell can only be written" : std::string();
  if (offset == COPIER_COUNT) return "the copier's count can only be read";
  if (offset != COPIER_INTERRUPT && offset != COPIER_DOORBELL && not_done() != 0)
    return "the copier's ring is changed while it has descriptors that are not done";
  if (offset != COPIER_DOORBELL) return {};
  const std::uint32_t told = load_u32(access.get_data_ptr(), order_), waiting = told - count_;
  if (static_cast<std::int32_t>(told - rung_) < 0)
    return "the copier's doorbell takes back descriptors that it has been told of";
  if (waiting <= slots_) return {};
  return "the copier's doorbell tells of " + std::to_string(waiting) +
         " descriptors that are not done, and its ring has " + std::to_string(slots_) + " slots";
}

std::uint32_t Copier::read(std::uint32_t offset) const {
  switch (offset) {
    case COPIER_RING:
      return ring_;
    case COPIER_SLOTS:
      return slots_;
    case COPIER_COUNT:
      return count_;
    default:
      return pending_ ? 1 : 0;
  }
}

void Copier::write(std::uint32_t offset, std::uint32_t value) {
  switch (offset) {
    case COPIER_RING:
      ring_ = value;
      break;
    case COPIER_SLOTS:
      slots_ = value;
      break;
    case COPIER_DOORBELL:
      rung_ = value;
      fetch();
      return;
    default:
      pending_ = false;
  }
  changes_.add(sc_time_stamp());
}

void Copier::fetch() {
  if (step_ != Step::idle || not_done() == 0 || failed_) return;
  step_ = Step::fetch;
  const std::uint64_t from = std::uint64_t{ring_} + std::uint64_t{count_ % slots_} * COPIER_DESCRIPTOR_BYTES;
  const sc_time at = sc_time_stamp() + sc_time(static_cast<double>(config_.start_ns), sc_core::SC_NS);
  if (!memory_->read(from, descriptor_.data(), descriptor_.size(), at, 0)) fail("lies outside the node's memory");
}

std::uint64_t Copier::field(std::uint32_t offset, unsigned bytes) const {
  return load_number(descriptor_.data() + offset, bytes, order_);
}

void Copier::memory_done(const MemoryAnswer&) {
  switch (step_) {
    case Step::fetch:
      copied_ = 0;
      copy_piece();
      break;
    case Step::read: {
      step_ = Step::write;
      const std::uint32_t bytes = std::min(kPiece, static_cast<std::uint32_t>(field(COPIER_LENGTH, 4)) - copied_);
      if (!memory_->write(field(COPIER_DESTINATION, 8) + copied_, piece_.data(), bytes, sc_time_stamp(), 0))
        return fail("copies to where the node has no memory");
      copied_ += bytes;
      break;
    }
    case Step::write:
      copy_piece();
      break;
    case Step::complete:
      end_descriptor();
      break;
    case Step::idle:
      break;
  }
}

void Copier::copy_piece() {
  const auto length = static_cast<std::uint32_t>(field(COPIER_LENGTH, 4));
  if (copied_ == length) return complete();
  step_ = Step::read;
  const std::uint32_t bytes = std::min(kPiece, length - copied_);
  if (!memory_->read(field(COPIER_SOURCE, 8) + copied_, piece_.data(), bytes, sc_time_stamp(), 0))
    fail("copies from where the node has no memory");
}

void Copier::complete() {
  const std::uint64_t address = field(COPIER_COMPLETION, 8);
  if (address == 0) return end_descriptor();
  step_ = Step::complete;
  store_u32(completion_.data(), static_cast<std::uint32_t>(field(COPIER_VALUE, 4)), order_);
  if (!memory_->write(address, completion_.data(), completion_.size(), sc_time_stamp(), 0))
    fail("has its completion word where the node has no memory");
}

void Copier::end_descriptor() {
  ++count_;
  if ((field(COPIER_FLAGS, 4) & COPIER_FLAG_INTERRUPT) != 0) pending_ = true;
  changes_.add(sc_time_stamp());
  step_ = Step::idle;
  fetch();
}

void Copier::fail(const std::string& what) {
  failed_ = true;
  if (kill_) kill_("descriptor " + std::to_string(count_) + " of the copier " + what);
}

}  // namespace toroid::test_chip
