// SPDX-License-Identifier: Apache-2.0
// Domains: processes that access each other's memory by loads and stores. Each is its own, as no memory is shared.
#include "firmware/armci/process.h"

static void check(armci_domain_t domain, int number, const char* function) {
  if (domain != ARMCI_DOMAIN_SMP) armcii_fail("%s: there is no kind of domains %d", function, domain);
  armcii_checked(number, function);
}

int armci_domain_nprocs(armci_domain_t domain, int number) {
  // A negative number stands for the own domain.
  if (number >= 0) check(domain, number, "armci_domain_nprocs");
  return 1;
}

int armci_domain_id(armci_domain_t domain, int process) {
  check(domain, process, "armci_domain_id");
  return process;
}

int armci_domain_glob_proc_id(armci_domain_t domain, int number, int place) {
  check(domain, number, "armci_domain_glob_proc_id");
  if (place != 0) armcii_fail("armci_domain_glob_proc_id: domain %d has 1 process, and no number %d", number, place);
  return number;
}

int armci_domain_my_id(armci_domain_t domain) {
  check(domain, 0, "armci_domain_my_id");
  return (int)armcii_self;
}

int armci_domain_count(armci_domain_t domain) {
  check(domain, 0, "armci_domain_count");
  return (int)armcii_size;
}

int armci_domain_same_id(armci_domain_t domain, int process) {
  check(domain, process, "armci_domain_same_id");
  return process == (int)armcii_self;
}

int PARMCI_Same_node(int process) {
  return process == (int)armcii_self;
}
ARMCII_PUBLIC(Same_node);

int armci_sameclusnode(int process) {
  return process == (int)armcii_self;
}

int ARMCI_Uses_shm(void) {
  return 0;
}
