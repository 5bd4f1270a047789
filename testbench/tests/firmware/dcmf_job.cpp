// SPDX-License-Identifier: Apache-2.0
#include "testbench/tests/firmware/dcmf_job.h"

#include <cstdlib>

namespace toroid::testing {

DcmfJob::DcmfJob(unsigned x, unsigned y, unsigned z, unsigned processes, std::size_t bytes, unsigned rings)
    : dma(x, y, z, processes, bytes, rings) {
  setenv("DCMF_RECFIFO", "16384", 0);  // small, so that it fills up and goes round
  on_all([](unsigned) { DCMF_Messager_initialize(); });
}

void DcmfJob::select(unsigned rank) {
  dcmf_instance = &states_[rank];
  dma.rank = rank;
}

void DcmfJob::on(unsigned rank, const std::function<void()>& work) {
  select(rank);
  work();
}

void DcmfJob::on_all(const std::function<void(unsigned)>& work) {
  for (unsigned rank = 0; rank < size(); ++rank) {
    select(rank);
    work(rank);
  }
}

unsigned DcmfJob::advance(unsigned rank) {
  select(rank);
  return DCMF_Messager_advance();
}

void DcmfJob::settle() {
  for (bool happened = true; happened;) {
    happened = false;
    while (dma.step()) happened = true;
    for (unsigned rank = 0; rank < size(); ++rank) {
      if (advance(rank)) happened = true;
    }
  }
}

}  // namespace toroid::testing

// Such memory is zero.
extern "C" void* dcmf_allocate(size_t bytes, size_t alignment) {
  using toroid::testing::DmaDouble;
  return DmaDouble::current->memory(DmaDouble::current->rank).allocate(bytes, alignment);
}

// Nor do processes share memory by name.
extern "C" dcmf_shared_t dcmf_find_shared(void) {
  return {};
}

// There are no interrupts on the host.
extern "C" bool dcmf_set_interrupts(bool) {
  return false;
}
extern "C" void dcmf_mask_interrupts() {}
extern "C" void dcmf_unmask_interrupts() {}
