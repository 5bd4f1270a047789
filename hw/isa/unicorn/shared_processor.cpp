// SPDX-License-Identifier: Apache-2.0
#include "hw/isa/unicorn/shared_processor.h"

#include <cstring>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "hw/isa/unicorn/unicorn_engine.h"

namespace toroid::unicorn {
namespace {

// "Physical" addresses, which no guest sees. Code comes first: the library finds translations by the place of their
// code among all memory, for which a 32-bit target has 36 bits.
constexpr std::uint64_t kCode = 0;
constexpr std::uint64_t kDevices = std::uint64_t{1} << 52;
constexpr std::uint64_t kDeviceBytes = std::uint64_t{1} << 51;  // windows of 64-bit cores lie above 4 GiB
constexpr std::uint64_t kHost = std::uint64_t{1} << 48;
// What a process can have: x86-64 gives it 47 bits, and Linux maps nothing at the beginning.
constexpr std::uint64_t kHostBegin = 1 << 16;
constexpr std::uint64_t kHostBytes = (std::uint64_t{1} << 47) - kHostBegin;

constexpr std::uint32_t kMostClusters = 255;  // the library's

void on_entered(void* ledger, void* block) {
  auto* const engine = static_cast<UnicornEngine*>(static_cast<LedgerHead*>(ledger)->engine);
  engine->on_block(*static_cast<const Block*>(block));
}

}  // namespace

RegisterPlaces find_registers(uc_engine* uc, const Architecture& architecture) {
  RegisterPlaces places;
  void* place = nullptr;
  if (uc_reg_pointer(uc, architecture.first_general, &place) == UC_ERR_OK) places.general = place;
  if (uc_reg_pointer(uc, architecture.first_float, &place) == UC_ERR_OK)
    places.floats = static_cast<std::uint64_t*>(place);
  return places;
}

// The instance. -------------------------------------------------------------------------------------------------------

std::shared_ptr<SharedInstance> SharedInstance::of(const Architecture& architecture) {
  static std::vector<std::weak_ptr<SharedInstance>> instances;
  for (const auto& known : instances) {
    auto instance = known.lock();
    if (instance && instance->architecture_ == architecture) return instance;
  }
  auto instance = std::make_shared<SharedInstance>(architecture);
  instances.push_back(instance);
  return instance;
}

SharedInstance::SharedInstance(const Architecture& architecture)
    : architecture_(architecture), uc_(architecture.open()) {
  check(uc_ctl_tlb_mode(uc_, UC_TLB_VIRTUAL), "set up the TLB of");
  uc_hook handle;
  check(uc_hook_add(uc_, &handle, UC_HOOK_TLB_FILL, reinterpret_cast<void*>(&on_tlb_fill), this, 1, 0), "hook into");
  UnicornEngine::add_hooks(uc_, &running_, Observation::none);
  if (architecture_.add_hooks != nullptr) architecture_.add_hooks(uc_, &running_);
  check(uc_set_block_callbacks(uc_, &on_translated, &on_entered, this), "hook into");
  check(uc_mem_map_ptr(uc_, kCode, code_.area_bytes(), UC_PROT_READ | UC_PROT_EXEC, code_.area()), "map the code of");
  check(uc_mmio_map(uc_, kDevices, kDeviceBytes, &on_device_read, this, &on_device_write, this), "map the devices of");
  auto* const host = reinterpret_cast<void*>(kHostBegin);  // NOLINT(performance-no-int-to-ptr)
  for (std::uint32_t number = kMostClusters; number != 0;) free_clusters_.push_back(--number);
  check(uc_mem_map_ptr(uc_, kHost, kHostBytes, UC_PROT_READ | UC_PROT_WRITE, host), "map the memory of");
}

SharedInstance::~SharedInstance() {
  uc_close(uc_);
}

std::uint32_t SharedInstance::add_processor() {
  // The library's first processor is the pattern of all others, and never runs.
  std::uint32_t number = 0;
  check(uc_cpu_add(uc_, &number), "add a processor to");
  return number;
}

std::optional<std::uint64_t> SharedInstance::add_code(std::uint64_t address, const std::uint8_t* bytes,
                                                      std::uint64_t size, const ImagePart& image) {
  const auto offset = code_.add(address, bytes, size, image);
  if (offset || !code_.reclaim()) return offset;
  flush_translations();
  return code_.add(address, bytes, size, image);
}

SharedInstance::Cluster* SharedInstance::cluster_of(const Code& code) {
  if (const auto known = clusters_.find(code); known != clusters_.end()) return &known->second;
  if (free_clusters_.empty()) drop_clusters();
  if (free_clusters_.empty()) return nullptr;
  Cluster& cluster = clusters_[code];
  cluster.number = free_clusters_.back();
  free_clusters_.pop_back();
  return &cluster;
}

void SharedInstance::drop_clusters() {
  for (auto cluster = clusters_.begin(); cluster != clusters_.end();) {
    if (cluster->second.processors == 0) {
      free_clusters_.push_back(cluster->second.number);
      cluster = clusters_.erase(cluster);
    } else {
      ++cluster;
    }
  }
  // Translations of the old clusters are not those of the new ones.
  if (!free_clusters_.empty()) flush_translations();
}

void SharedInstance::flush_translations() {
  check(uc_ctl_flush_tb(uc_), "flush the translations of");
}

void SharedInstance::on_translated(uc_engine*, std::uint64_t address, std::uint32_t size, uc_block_code* code,
                                   void* instance) {
  auto& self = *static_cast<SharedInstance*>(instance);
  EngineClient& client = self.running_->client();
  const Block& block = client.block_at(address, size);
  code->block = const_cast<Block*>(&block);  // NOLINT(cppcoreguidelines-pro-type-const-cast): the library passes it on
  self.block_.generate(client, block, self.architecture_);
  code->ops = self.block_.data();
  code->count = self.block_.size();
}

bool SharedInstance::on_tlb_fill(uc_engine*, std::uint64_t address, uc_mem_type type, uc_tlb_entry* entry,
                                 void* instance) {
  return static_cast<SharedInstance*>(instance)->selected_->fill(address, type, *entry);
}

std::uint64_t SharedInstance::on_device_read(uc_engine*, std::uint64_t offset, unsigned size, void* instance) {
  return static_cast<SharedInstance*>(instance)->running_->on_device_read(offset, size);
}

void SharedInstance::on_device_write(uc_engine*, std::uint64_t offset, unsigned size, std::uint64_t value,
                                     void* instance) {
  static_cast<SharedInstance*>(instance)->running_->on_device_write(offset, size, value);
}

// A processor. --------------------------------------------------------------------------------------------------------

SharedProcessor::SharedProcessor(std::shared_ptr<SharedInstance> instance, UnicornEngine& engine)
    : Processor(instance->uc_), instance_(std::move(instance)), engine_(engine), number_(instance_->add_processor()) {
  select();
  places_ = find_registers(uc(), instance_->architecture_);
  LedgerHead& ledger = engine.client().ledger();
  ledger.engine = &engine;
  check(uc_cpu_set_data(uc(), &ledger), "set up a processor of");
}

SharedProcessor::~SharedProcessor() {
  for (const auto& [address, region] : regions_) {
    if (region.code) instance_->code_.remove(region.physical - kCode);
  }
  if (cluster_ != nullptr) --cluster_->processors;
  if (instance_->selected_ == this) instance_->selected_ = nullptr;
}

void SharedProcessor::begin(std::uint64_t program) {
  if (cluster_ != nullptr && program == program_) return;
  if (choose_cluster()) return;
  throw std::runtime_error(
      "an instruction-set engine has no room for the code of another program: " + std::to_string(kMostClusters) +
      " are in use; with TOROID_ENGINES=own in the environment, each core has an engine of its "
      "own");
}

bool SharedProcessor::add(std::uint64_t address, std::uint64_t size, const Region& region) {
  const auto behind = regions_.upper_bound(address);
  if (behind != regions_.end() && behind->first < address + size) return false;
  if (behind != regions_.begin() && std::prev(behind)->second.end > address) return false;
  regions_.emplace_hint(behind, address, region);
  return true;
}

bool SharedProcessor::map_memory(std::uint64_t address, std::uint64_t size, std::uint8_t* host, unsigned permissions,
                                 ImagePart image) {
  if ((permissions & kExecutable) != 0) return map_code(address, size, host, permissions, image);
  return add(address, size,
             {address + size, kHost + reinterpret_cast<std::uintptr_t>(host) - kHostBegin, permissions, false});
}

bool SharedProcessor::map_code(std::uint64_t address, std::uint64_t size, const std::uint8_t* host,
                               unsigned permissions, const ImagePart& image) {
  if (!add(address, size, {address + size, 0, permissions, true})) return false;
  if (const auto offset = instance_->add_code(address, host, size, image)) {
    regions_[address].physical = kCode + *offset;
    if (choose_cluster()) return true;
    instance_->code_.remove(*offset);
  }
  regions_.erase(address);
  return false;
}

bool SharedProcessor::unmap_memory(std::uint64_t address, std::uint64_t size) {
  const auto found = regions_.find(address);
  if (found == regions_.end() || found->second.end - address != size) return false;
  const Region region = found->second;
  regions_.erase(found);
  if (region.code && !choose_cluster()) {
    regions_[address] = region;
    return false;
  }
  if (region.code) instance_->code_.remove(region.physical - kCode);
  forget_pages();
  return true;
}

bool SharedProcessor::map_device(std::uint64_t address, std::uint64_t size) {
  return address + size <= kDeviceBytes &&
         add(address, size, {address + size, kDevices + address, kReadable | kWritable, false});
}

void SharedProcessor::forget_pages() {
  select();
  uc_ctl_flush_tlb(uc());
}

bool SharedProcessor::choose_cluster() {
  const std::uint64_t program = engine_.client().program();
  if (program == 0) return true;  // begin() will
  SharedInstance::Code code{program, {}};
  for (const auto& [address, region] : regions_) {
    if (region.code) code.pieces.push_back({address, region.end, region.physical - kCode});
  }
  // If this is the only one in its cluster, that may become the new one's number; otherwise the cluster stays.
  if (cluster_ != nullptr) --cluster_->processors;
  SharedInstance::Cluster* const chosen = instance_->cluster_of(code);
  if (chosen == nullptr) {
    if (cluster_ != nullptr) ++cluster_->processors;
    return false;
  }
  program_ = program;
  cluster_ = chosen;
  ++cluster_->processors;
  select();
  check(uc_cpu_set_cluster(uc(), cluster_->number), "choose the translations of");
  return true;
}

const std::pair<const std::uint64_t, SharedProcessor::Region>* SharedProcessor::at(std::uint64_t address) const {
  auto region = regions_.upper_bound(address);
  if (region == regions_.begin()) return nullptr;
  --region;
  return address < region->second.end ? &*region : nullptr;
}

bool SharedProcessor::fetch(std::uint64_t address, void* bytes, std::size_t size) const {
  const auto* const found = at(address);
  if (found == nullptr || !found->second.code || found->second.end - address < size) return false;
  std::memcpy(bytes, instance_->code_.area() + (found->second.physical - kCode) + (address - found->first), size);
  return true;
}

FaultKind SharedProcessor::kind_of_miss(FaultKind unmapped, std::uint64_t address) const {
  if (at(address) == nullptr) return unmapped;
  switch (unmapped) {
    case FaultKind::read_unmapped:
      return FaultKind::read_protected;
    case FaultKind::write_unmapped:
      return FaultKind::write_protected;
    case FaultKind::fetch_unmapped:
      return FaultKind::fetch_protected;
    default:
      return unmapped;
  }
}

bool SharedProcessor::fill(std::uint64_t address, uc_mem_type type, uc_tlb_entry& entry) const {
  const auto* const found = at(address);
  const unsigned wanted = type == UC_MEM_WRITE ? kWritable : type == UC_MEM_FETCH ? kExecutable : kReadable;
  if (found == nullptr || (found->second.permissions & wanted) == 0) return false;
  const auto& [begin, region] = *found;
  entry.paddr = region.physical + (address - begin);
  entry.perms = static_cast<uc_prot>(((region.permissions & kReadable) != 0 ? UC_PROT_READ : 0) |
                                     ((region.permissions & kWritable) != 0 ? UC_PROT_WRITE : 0) |
                                     ((region.permissions & kExecutable) != 0 ? UC_PROT_EXEC : 0));
  return true;
}

}  // namespace toroid::unicorn
