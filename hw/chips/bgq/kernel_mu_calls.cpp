// SPDX-License-Identifier: Apache-2.0
//
// Kernel calls about FIFOs and base addresses of the Messaging Unit. Whoever takes the first of them has memory from
// then on that the unit writes while the process polls it.
#include <array>
#include <cerrno>
#include <optional>

#include "hw/chips/bgq/kernel_calls.h"
#include "hw/chips/bgq/node_kernel.h"
#include "hw/kernel/guest_structure.h"
#include "hw/kernel/process.h"
#include "nic/bgq/kernel_services.h"
#include "nic/bgq/mu_layout.h"
#include "nic/bgq/mu_regs.h"

namespace toroid {
namespace {

constexpr std::uint64_t kGroupBytes = 0x10000;  // of pages

/// Where users find a register of a subgroup.
std::uint64_t address_of(unsigned subgroup, std::uint64_t offset) {
  return BGQ_MU_BASE + subgroup / kMuSubgroupsOfAGroup * kGroupBytes +
         subgroup % kMuSubgroupsOfAGroup * std::uint64_t{BGQ_MU_GROUP_STRIDE} + offset;
}

MuResources& resources_of(const Call& call) {
  return bgq_node_kernel(call.process).mu();
}

/// Some of the things of a subgroup: words in a program's memory.
class Numbers {
 public:
  /// nullopt if the process has no `count` words there, or if one is no number below `of`.
  static std::optional<Numbers> read(const Call& call, std::uint64_t count, std::uint64_t address, unsigned of,
                                     int& error) {
    Numbers numbers;
    error = EFAULT;
    if (count == 0 || count > of) {
      error = EINVAL;
      return std::nullopt;
    }
    const std::uint8_t* const words = call.process.memory()->readable(address, count * 4);
    if (words == nullptr) return std::nullopt;
    error = EINVAL;
    for (; numbers.count_ < count; ++numbers.count_) {
      numbers.numbers_[numbers.count_] = load_be32(words + numbers.count_ * 4);
      if (numbers.numbers_[numbers.count_] >= of) return std::nullopt;
    }
    return numbers;
  }

  const std::uint32_t* begin() const { return numbers_.data(); }
  const std::uint32_t* end() const { return numbers_.data() + count_; }

 private:
  std::array<std::uint32_t, kMuInjectionOfASubgroup> numbers_{};
  unsigned count_ = 0;
};

/// Stores how many of the `of` things of a subgroup are free, and which.
template <typename IsFree>
CallResult query(const Call& call, unsigned of, const IsFree& is_free) {
  if (call.word(0) >= kMuSubgroups) return EINVAL;
  if (!GuestStructure::is_there(call.process, call[1], 4) || !GuestStructure::is_there(call.process, call[2], of * 4))
    return EFAULT;
  std::uint32_t count = 0;
  GuestStructure numbers(call.process, call[2], of * 4);
  for (unsigned each = 0; each < of; ++each) {
    if (is_free(call.word(0), each)) numbers.set_word(4 * count++, each);
  }
  GuestStructure(call.process, call[1], 4).set_word(0, count);
  return 0;
}

/// A word of attributes for each of `count` FIFOs; nullptr if they are not there.
const std::uint8_t* attributes_at(const Call& call, std::uint64_t address, std::uint64_t count) {
  return call.process.memory()->readable(address, count * 4);
}

bool any_has(const std::uint8_t* attributes, std::uint64_t count, std::uint32_t bit) {
  for (std::uint64_t i = 0; i < count; ++i) {
    if ((load_be32(attributes + 4 * i) & bit) != 0) return true;
  }
  return false;
}

/// The subgroup that the kernel has written into a structure for FIFOs; nullopt if it is none.
std::optional<unsigned> subgroup_in(const Call& call, unsigned at) {
  const std::uint8_t* const word = call.process.memory()->readable(call[0] + at, 4);
  if (word == nullptr || load_be32(word) >= kMuSubgroups) return std::nullopt;
  return load_be32(word);
}

}  // namespace

// Injection FIFOs. ----------------------------------------------------------------------------------------------------

CallResult bgq_calls::query_injection(const Call& call) {
  const MuResources& mu = resources_of(call);
  return query(call, kMuInjectionOfASubgroup,
               [&mu](unsigned subgroup, unsigned fifo) { return mu.is_injection_free(subgroup, fifo); });
}

CallResult bgq_calls::allocate_injection(const Call& call) {
  const unsigned subgroup = call.word(0);
  if (subgroup >= kMuSubgroups) return EINVAL;
  if (!GuestStructure::is_there(call.process, call[1], BGQ_SG_INJ_BYTES)) return EFAULT;
  int error = 0;
  const auto fifos = Numbers::read(call, call.word(2), call[3], kMuInjectionOfASubgroup, error);
  if (!fifos) return error;
  const std::uint8_t* const attributes = attributes_at(call, call[4], call.word(2));
  if (attributes == nullptr) return EFAULT;
  if (any_has(attributes, call.word(2), BGQ_ATTRIBUTE_SYSTEM)) return EACCES;
  MuResources& mu = resources_of(call);
  for (const std::uint32_t fifo : *fifos) {
    if (!mu.is_injection_free(subgroup, fifo)) return EAGAIN;
  }
  GuestStructure group(call.process, call[1], BGQ_SG_INJ_BYTES);
  group.clear(BGQ_SG_INJ_BYTES);
  group.set_wide(BGQ_SG_INJ_STATUS_AT, address_of(subgroup, BGQ_MU_INJ_IS_ENABLED_OFFSET));
  group.set_word(BGQ_SG_INJ_SUBGROUP_AT, subgroup);
  unsigned place = 0;
  for (const std::uint32_t fifo : *fifos) {
    const std::uint32_t wanted = load_be32(attributes + std::uint64_t{4} * place++);
    const std::uint64_t registers = std::uint64_t{fifo} * BGQ_MU_INJ_FIFO_START_STRIDE;
    mu.take_injection(subgroup, fifo,
                      {(wanted & BGQ_ATTRIBUTE_REMOTE_GET) != 0, (wanted & BGQ_ATTRIBUTE_PRIORITY) != 0});
    group.set_wide(fifo * BGQ_SG_INJ_FIFO_BYTES + BGQ_FIFO_HARDWARE_AT,
                   address_of(subgroup, BGQ_MU_INJ_FIFO_START_OFFSET + registers));
    group.set_wide(fifo * BGQ_SG_INJ_FIFO_BYTES + BGQ_SG_INJ_COUNT_AT,
                   address_of(subgroup, BGQ_MU_INJ_FIFO_DESC_COUNT_OFFSET + registers));
  }
  call.process.share_node_memory();
  return 0;
}

/// Of FIFOs that are free, too, as on the machine: they stay free. The same holds of reception FIFOs and base
/// addresses.
CallResult bgq_calls::deallocate_injection(const Call& call) {
  const std::optional<unsigned> subgroup = subgroup_in(call, BGQ_SG_INJ_SUBGROUP_AT);
  if (!subgroup) return EFAULT;
  int error = 0;
  const auto fifos = Numbers::read(call, call.word(1), call[2], kMuInjectionOfASubgroup, error);
  if (!fifos) return error;
  for (const std::uint32_t fifo : *fifos) resources_of(call).free_injection(*subgroup, fifo);
  return 0;
}

CallResult bgq_calls::configure_injection_interrupts(const Call& call) {
  const std::optional<unsigned> subgroup = subgroup_in(call, BGQ_SG_INJ_SUBGROUP_AT);
  if (!subgroup) return EFAULT;
  int error = 0;
  const auto fifos = Numbers::read(call, call.word(1), call[2], kMuInjectionOfASubgroup, error);
  if (!fifos) return error;
  const std::uint8_t* attributes = attributes_at(call, call[3], call.word(1));
  if (attributes == nullptr) return EFAULT;
  for (const std::uint32_t fifo : *fifos) {
    const std::uint32_t wanted = load_be32(attributes);
    resources_of(call).set_injection_interrupt(*subgroup, fifo, (wanted & BGQ_INTERRUPT_THRESHOLD) != 0);
    attributes += 4;
  }
  return 0;
}

CallResult bgq_calls::configure_injection_thresholds(const Call& call) {
  AddressSpace& memory = *call.process.memory();
  const std::uint8_t* const normal = call[0] == 0 ? nullptr : memory.readable(call[0], 8);
  const std::uint8_t* const remote = call[1] == 0 ? nullptr : memory.readable(call[1], 8);
  if ((call[0] != 0 && normal == nullptr) || (call[1] != 0 && remote == nullptr)) return EFAULT;
  if (normal != nullptr) resources_of(call).set_injection_threshold(load_be64(normal));
  if (remote != nullptr) resources_of(call).set_remote_get_threshold(load_be64(remote));
  return 0;
}

// Reception FIFOs. ----------------------------------------------------------------------------------------------------

CallResult bgq_calls::query_reception(const Call& call) {
  const MuResources& mu = resources_of(call);
  return query(call, kMuReceptionOfASubgroup,
               [&mu](unsigned subgroup, unsigned fifo) { return mu.is_reception_free(subgroup, fifo); });
}

CallResult bgq_calls::allocate_reception(const Call& call) {
  const unsigned subgroup = call.word(0);
  if (subgroup >= kMuSubgroups) return EINVAL;
  if (!GuestStructure::is_there(call.process, call[1], BGQ_SG_REC_BYTES)) return EFAULT;
  int error = 0;
  const auto fifos = Numbers::read(call, call.word(2), call[3], kMuReceptionOfASubgroup, error);
  if (!fifos) return error;
  const std::uint8_t* const attributes = attributes_at(call, call[4], call.word(2));
  if (attributes == nullptr) return EFAULT;
  if (any_has(attributes, call.word(2), BGQ_ATTRIBUTE_REC_SYSTEM)) return EACCES;
  MuResources& mu = resources_of(call);
  for (const std::uint32_t fifo : *fifos) {
    if (!mu.is_reception_free(subgroup, fifo)) return EAGAIN;
  }
  GuestStructure group(call.process, call[1], BGQ_SG_REC_BYTES);
  group.clear(BGQ_SG_REC_BYTES);
  group.set_wide(BGQ_SG_REC_STATUS_AT, address_of(subgroup, BGQ_MU_INJ_IS_ENABLED_OFFSET));
  group.set_word(BGQ_SG_REC_SUBGROUP_AT, subgroup);
  for (const std::uint32_t fifo : *fifos) {
    mu.take_reception(subgroup, fifo);
    group.set_wide(fifo * BGQ_SG_REC_FIFO_BYTES + BGQ_FIFO_HARDWARE_AT,
                   address_of(subgroup, BGQ_MU_REC_FIFO_START_OFFSET + fifo * BGQ_MU_REC_FIFO_START_STRIDE));
  }
  call.process.share_node_memory();
  return 0;
}

CallResult bgq_calls::deallocate_reception(const Call& call) {
  const std::optional<unsigned> subgroup = subgroup_in(call, BGQ_SG_REC_SUBGROUP_AT);
  if (!subgroup) return EFAULT;
  int error = 0;
  const auto fifos = Numbers::read(call, call.word(1), call[2], kMuReceptionOfASubgroup, error);
  if (!fifos) return error;
  for (const std::uint32_t fifo : *fifos) resources_of(call).free_reception(*subgroup, fifo);
  return 0;
}

CallResult bgq_calls::enable_reception(const Call& call) {
  if (call.word(0) >= kMuGroups) return EINVAL;
  resources_of(call).enable_reception(call.word(0), call[1]);
  return 0;
}

CallResult bgq_calls::configure_reception_interrupts(const Call& call) {
  const std::optional<unsigned> subgroup = subgroup_in(call, BGQ_SG_REC_SUBGROUP_AT);
  if (!subgroup) return EFAULT;
  int error = 0;
  const auto fifos = Numbers::read(call, call.word(1), call[2], kMuReceptionOfASubgroup, error);
  if (!fifos) return error;
  const std::uint8_t* attributes = attributes_at(call, call[3], call.word(1));
  if (attributes == nullptr) return EFAULT;
  for (const std::uint32_t fifo : *fifos) {
    const std::uint32_t wanted = load_be32(attributes);
    resources_of(call).set_reception_interrupts(*subgroup, fifo, (wanted & BGQ_INTERRUPT_THRESHOLD) != 0,
                                                (wanted & BGQ_INTERRUPT_PACKET) != 0);
    attributes += 4;
  }
  return 0;
}

CallResult bgq_calls::configure_reception_threshold(const Call& call) {
  resources_of(call).set_reception_threshold(call[0]);
  return 0;
}

// Base addresses. -----------------------------------------------------------------------------------------------------

CallResult bgq_calls::query_bases(const Call& call) {
  const MuResources& mu = resources_of(call);
  return query(call, kMuBasesOfASubgroup,
               [&mu](unsigned subgroup, unsigned slot) { return mu.is_base_free(subgroup, slot); });
}

CallResult bgq_calls::allocate_bases(const Call& call) {
  const unsigned subgroup = call.word(0);
  if (subgroup >= kMuSubgroups) return EINVAL;
  if (!GuestStructure::is_there(call.process, call[1], BGQ_SG_BAT_BYTES)) return EFAULT;
  int error = 0;
  const auto slots = Numbers::read(call, call.word(2), call[3], kMuBasesOfASubgroup, error);
  if (!slots) return error;
  if (call.word(4) != 0) return EACCES;
  MuResources& mu = resources_of(call);
  for (const std::uint32_t slot : *slots) {
    if (!mu.is_base_free(subgroup, slot)) return EAGAIN;
  }
  GuestStructure group(call.process, call[1], BGQ_SG_BAT_BYTES);
  group.set_byte(BGQ_SG_BAT_SUBGROUP_AT, subgroup);
  group.set_wide(BGQ_SG_BAT_HARDWARE_AT, address_of(subgroup, BGQ_MU_BASE_ADDRESS_OFFSET));
  std::uint32_t permissions = 0;
  for (const std::uint32_t slot : *slots) {
    permissions |= 0x80u >> slot;
    group.set_wide(BGQ_SG_BAT_SHADOW_AT + 8 * slot, 0);
    mu.take_base(subgroup, slot);
  }
  group.set_byte(BGQ_SG_BAT_PERMISSIONS_AT, permissions);
  call.process.share_node_memory();
  return 0;
}

CallResult bgq_calls::deallocate_bases(const Call& call) {
  if (!GuestStructure::is_there(call.process, call[0], BGQ_SG_BAT_BYTES)) return EFAULT;
  int error = 0;
  const auto slots = Numbers::read(call, call.word(1), call[2], kMuBasesOfASubgroup, error);
  if (!slots) return error;
  GuestStructure group(call.process, call[0], BGQ_SG_BAT_BYTES);
  const unsigned subgroup = group.byte(BGQ_SG_BAT_SUBGROUP_AT);
  if (subgroup >= kMuSubgroups) return EINVAL;
  std::uint32_t permissions = group.byte(BGQ_SG_BAT_PERMISSIONS_AT);
  for (const std::uint32_t slot : *slots) {
    permissions &= ~(0x80u >> slot);
    resources_of(call).free_base(subgroup, slot);
  }
  group.set_byte(BGQ_SG_BAT_PERMISSIONS_AT, permissions);
  return 0;
}

CallResult bgq_calls::clear_injection_checksum(const Call& call) {
  constexpr CallResult kMinusOne = 0xFFFFFFFF;  // of C's type int: no errno
  if (call[0] >= kMuEngines) return kMinusOne;
  bgq_node_kernel(call.process).unit().clear_injection_checksum(static_cast<unsigned>(call[0]));
  return 0;
}

CallResult bgq_calls::configure_aggregation(const Call& call) {
  if (call.word(0) >= kMuSubgroups) return EINVAL;
  resources_of(call).set_aggregation(call.word(0), call.word(1) != 0);
  return 0;
}

}  // namespace toroid
