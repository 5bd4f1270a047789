// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgq/mu_resources.h"

#include "nic/bgq/kernel_services.h"
#include "nic/bgq/mu_layout.h"
#include "nic/bgq/mu_regs.h"

namespace toroid {
namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};
constexpr std::uint64_t kGroups = 8;  // bytes from one group's control register to the next one's

unsigned injection_place(unsigned fifo) {
  return BGQ_MU_INJ_FIFO_START_OFFSET + fifo * BGQ_MU_INJ_FIFO_START_STRIDE;
}
unsigned reception_place(unsigned fifo) {
  return BGQ_MU_REC_FIFO_START_OFFSET + fifo * BGQ_MU_REC_FIFO_START_STRIDE;
}
unsigned base_place(unsigned slot) {
  return BGQ_MU_BASE_ADDRESS_OFFSET + slot * BGQ_MU_BASE_ADDRESS_STRIDE;
}

// The protection of base addresses: a bit a subgroup in two words.
constexpr unsigned kBitsOfAWord = 64;
unsigned base_dcr(unsigned subgroup) {
  return subgroup < kBitsOfAWord ? BGQ_MU_DCR_RPUTBASE_SYSTEM0_OFFSET : BGQ_MU_DCR_RPUTBASE_SYSTEM1_OFFSET;
}
std::uint64_t base_bit(unsigned subgroup) {
  return std::uint64_t{1} << (kBitsOfAWord - 1 - subgroup % kBitsOfAWord);
}

}  // namespace

void MuResources::change(unsigned dcr, std::uint64_t bits, bool set) {
  const std::uint64_t before = mu_.dcr(dcr);
  mu_.set_dcr(dcr, set ? before | bits : before & ~bits);
}

void MuResources::change_injection(unsigned dcr, unsigned subgroup, unsigned fifo, bool set) {
  const unsigned number = subgroup * kMuInjectionOfASubgroup + fifo;
  change(dcr + static_cast<unsigned>(kGroups) * (number / kMuInjectionOfAGroup), mu_injection_bit(number), set);
}

void MuResources::change_reception(unsigned dcr, unsigned subgroup, unsigned fifo, bool set) {
  const unsigned number = subgroup * kMuReceptionOfASubgroup + fifo;
  change(dcr + static_cast<unsigned>(kGroups) * (number / kMuReceptionOfAGroup), mu_reception_bit(number), set);
}

void MuResources::set_up(std::uint64_t memory_bytes) {
  mu_.set_dcr(BGQ_MU_DCR_RESET_OFFSET, 0);
  mu_.set_dcr(BGQ_MU_DCR_IME_ENABLE_OFFSET, kAll);
  mu_.set_dcr(BGQ_MU_DCR_RME_ENABLE_OFFSET, kAll);
  mu_.set_dcr(BGQ_MU_DCR_USER_RANGE_MIN_OFFSET, 0);
  mu_.set_dcr(BGQ_MU_DCR_USER_RANGE_MAX_OFFSET, memory_bytes - 1);
  mu_.set_dcr(BGQ_MU_DCR_SYS_BARRIER_OFFSET, 0x7FFF);
  for (const unsigned errors : {BGQ_MU_DCR_MASTER_PORT0_NONCRITICAL_OFFSET, BGQ_MU_DCR_MASTER_PORT1_NONCRITICAL_OFFSET,
                                BGQ_MU_DCR_MASTER_PORT2_NONCRITICAL_OFFSET, BGQ_MU_DCR_MCSRAM_NONCRITICAL_OFFSET,
                                BGQ_MU_DCR_ICSRAM_NONCRITICAL_OFFSET, BGQ_MU_DCR_RCSRAM_NONCRITICAL_OFFSET,
                                BGQ_MU_DCR_RPUTSRAM_NONCRITICAL_OFFSET, BGQ_MU_DCR_RME0_NONCRITICAL_OFFSET,
                                BGQ_MU_DCR_RME1_NONCRITICAL_OFFSET, BGQ_MU_DCR_MISC_NONCRITICAL_OFFSET})
    mu_.set_dcr(errors, kAll);
}

// Injection FIFOs. ----------------------------------------------------------------------------------------------------

bool MuResources::is_injection_free(unsigned subgroup, unsigned fifo) const {
  return mu_.register_value(subgroup, injection_place(fifo)) == 0;
}

void MuResources::take_injection(unsigned subgroup, unsigned fifo, const InjectionSettings& settings) {
  set_priority(subgroup, fifo, settings.priority);
  change_injection(BGQ_MU_DCR_IMFIFO_RGET_OFFSET, subgroup, fifo, settings.remote_get);
  change_injection(BGQ_MU_DCR_IMFIFO_SYSTEM_OFFSET, subgroup, fifo, false);
  mu_.set_register(subgroup, injection_place(fifo), BGQ_INJ_FIFO_ALLOCATED);
}

void MuResources::set_priority(unsigned subgroup, unsigned fifo, bool priority) {
  const std::uint64_t bit = mu_injection_bit(subgroup * kMuInjectionOfASubgroup + fifo);
  const std::uint64_t before = mu_.register_value(subgroup, BGQ_MU_INJ_PRIORITY_OFFSET);
  mu_.set_register(subgroup, BGQ_MU_INJ_PRIORITY_OFFSET, priority ? before | bit : before & ~bit);
}

void MuResources::free_injection(unsigned subgroup, unsigned fifo) {
  mu_.set_register(subgroup, BGQ_MU_INJ_DISABLE_OFFSET, mu_injection_bit(subgroup * kMuInjectionOfASubgroup + fifo));
  set_priority(subgroup, fifo, false);
  mu_.set_register(subgroup, injection_place(fifo), 0);
  change_injection(BGQ_MU_DCR_IMFIFO_RGET_OFFSET, subgroup, fifo, false);
  change_injection(BGQ_MU_DCR_IMFIFO_SYSTEM_OFFSET, subgroup, fifo, true);
}

void MuResources::set_injection_interrupt(unsigned subgroup, unsigned fifo, bool threshold) {
  change_injection(BGQ_MU_DCR_IMFIFO_THRESHOLD_INT_ENABLE_OFFSET, subgroup, fifo, threshold);
}

void MuResources::set_injection_threshold(std::uint64_t value) {
  mu_.set_dcr(BGQ_MU_DCR_IMU_THRESHOLD_OFFSET, value);
}

void MuResources::set_remote_get_threshold(std::uint64_t value) {
  mu_.set_dcr(BGQ_MU_DCR_RGET_THRESHOLD_OFFSET, value);
}

// Reception FIFOs. ----------------------------------------------------------------------------------------------------

bool MuResources::is_reception_free(unsigned subgroup, unsigned fifo) const {
  return mu_.register_value(subgroup, reception_place(fifo)) == 0;
}

void MuResources::take_reception(unsigned subgroup, unsigned fifo) {
  change_reception(BGQ_MU_DCR_RMFIFO_SYSTEM_OFFSET, subgroup, fifo, false);
  mu_.set_register(subgroup, reception_place(fifo), BGQ_REC_FIFO_ALLOCATED);
}

void MuResources::free_reception(unsigned subgroup, unsigned fifo) {
  change_reception(BGQ_MU_DCR_RMFIFO_ENABLE_OFFSET, subgroup, fifo, false);
  mu_.set_register(subgroup, reception_place(fifo), 0);
  change_reception(BGQ_MU_DCR_RMFIFO_SYSTEM_OFFSET, subgroup, fifo, true);
}

void MuResources::enable_reception(unsigned group, std::uint64_t bits) {
  change(BGQ_MU_DCR_RMFIFO_ENABLE_OFFSET + static_cast<unsigned>(kGroups) * group, bits & 0xFFFF, true);
}

void MuResources::set_reception_interrupts(unsigned subgroup, unsigned fifo, bool threshold, bool packet) {
  change_reception(BGQ_MU_DCR_RMFIFO_THRESHOLD_INT_ENABLE_OFFSET, subgroup, fifo, threshold);
  change_reception(BGQ_MU_DCR_RMFIFO_PACKET_INT_ENABLE_OFFSET, subgroup, fifo, packet);
}

void MuResources::set_reception_threshold(std::uint64_t value) {
  mu_.set_dcr(BGQ_MU_DCR_RMU_THRESHOLD_OFFSET, value);
}

// Where interrupts go. ------------------------------------------------------------------------------------------------

void MuResources::set_aggregation(unsigned subgroup, bool on) {
  constexpr unsigned kOfAWord = 32, kOfTheLast = 4;  // subgroups
  const unsigned word = subgroup / kOfAWord, within = subgroup % kOfAWord;
  const unsigned last = (word == 2 ? kOfTheLast : kOfAWord) - 1;
  change(BGQ_MU_DCR_GEA_INT_ENABLE_0_7_OFFSET + static_cast<unsigned>(kGroups) * word,
         std::uint64_t{1} << (last - within), on);
}

void MuResources::set_barrier_interrupt(unsigned number, unsigned bit, bool on) {
  constexpr unsigned kBitsOfAClass = 4, kLast = 63;  // the first of the four is not used
  change(BGQ_MU_DCR_BARRIER_INT_ENABLE_OFFSET, std::uint64_t{1} << (kLast - (number * kBitsOfAClass + bit + 1)), on);
}

// Base addresses. -----------------------------------------------------------------------------------------------------

bool MuResources::are_bases_system(unsigned subgroup) const {
  return (mu_.dcr(base_dcr(subgroup)) & base_bit(subgroup)) != 0;
}

bool MuResources::is_base_free(unsigned subgroup, unsigned slot) const {
  return are_bases_system(subgroup) || mu_.register_value(subgroup, base_place(slot)) == BGQ_BASE_FREE;
}

/// The slots of a subgroup become free ones when the first of them is taken: a unit that nobody uses keeps no
/// registers.
void MuResources::take_base(unsigned subgroup, unsigned slot) {
  if (are_bases_system(subgroup)) {
    for (unsigned each = 0; each < kMuBasesOfASubgroup; ++each)
      mu_.set_register(subgroup, base_place(each), BGQ_BASE_FREE);
    change(base_dcr(subgroup), base_bit(subgroup), false);
  }
  mu_.set_register(subgroup, base_place(slot), 0);
}

/// A subgroup of which nobody has any is the system's again.
void MuResources::free_base(unsigned subgroup, unsigned slot) {
  if (are_bases_system(subgroup)) return;
  mu_.set_register(subgroup, base_place(slot), BGQ_BASE_FREE);
  for (unsigned each = 0; each < kMuBasesOfASubgroup; ++each) {
    if (!is_base_free(subgroup, each)) return;
  }
  change(base_dcr(subgroup), base_bit(subgroup), true);
}

}  // namespace toroid
