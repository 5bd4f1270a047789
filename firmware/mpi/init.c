// SPDX-License-Identifier: Apache-2.0
// MPI_Init(), MPI_Finalize(), MPI_Abort(), and what is known of the machine.
#include "firmware/mpi/init.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/mpi/bsend.h"
#include "firmware/mpi/environment.h"
#include "firmware/mpi/info.h"
#include "firmware/mpi/matching.h"
#include "firmware/mpi/op.h"
#include "firmware/mpi/threads.h"
#include "firmware/mpi/transport.h"

void mpii_end_job(int status) {
  mpit_end_job(status);
}

/// A process that ends between MPI_Init() and MPI_Finalize() leaves others waiting.
static void at_exit(void) {
  if (mpii_phase == MPII_BEFORE || mpii_phase == MPII_AFTER) return;
  if (mpit_is_failing()) mpii_end_job(MPII_EXIT_ERROR);  // which has been said
  mpii_running = "exit";
  mpii_end("the process ends without MPI_Finalize()");
}

static void start(const char* function) {
  mpii_running = function;
  if (mpii_phase != MPII_BEFORE) mpii_end("called a second time");
  mpii_phase = MPII_BETWEEN;
  mpit_init();
  mpii_threads_init();
  mpii_lock();
  mpii_environment_init();
  mpii_errhandler_init();
  mpii_comm_init();
  mpii_info_init();
  mpii_datatype_init();
  mpii_op_init();
  mpii_messages_init();
  atexit(at_exit);
  mpit_meet();  // all can receive
  mpii_threads_agree();
  mpii_unlock();
}

int PMPI_Init(int* argc, char*** argv) {
  (void)argc, (void)argv;
  mpii_require_threads(MPI_THREAD_FUNNELED);
  start("MPI_Init");
  return MPI_SUCCESS;
}
MPII_PUBLIC(Init);

int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  (void)argc, (void)argv;
  if (required < MPI_THREAD_SINGLE || required > MPI_THREAD_MULTIPLE) {
    mpii_running = "MPI_Init_thread";
    mpii_end(
        "the required level of threads is %d; it must be MPI_THREAD_SINGLE (%d), MPI_THREAD_FUNNELED (%d), "
        "MPI_THREAD_SERIALIZED (%d) or MPI_THREAD_MULTIPLE (%d)",
        required, MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE);
  }
  mpii_require_threads(required);
  start("MPI_Init_thread");
  MPII_TRY(mpii_check_given(NULL, provided, "provided"));
  *provided = mpii_provided_to(required);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Init_thread);

int PMPI_Query_thread(int* provided) {
  mpii_enter("MPI_Query_thread");
  MPII_TRY(mpii_check_given(NULL, provided, "provided"));
  *provided = mpii_thread_level();
  return MPI_SUCCESS;
}
MPII_PUBLIC(Query_thread);

int PMPI_Is_thread_main(int* flag) {
  mpii_enter("MPI_Is_thread_main");
  MPII_TRY(mpii_check_given(NULL, flag, "flag"));
  *flag = mpii_is_main_thread();
  return MPI_SUCCESS;
}
MPII_PUBLIC(Is_thread_main);

int PMPI_Initialized(int* flag) {
  MPII_TRY(mpii_check_anytime("MPI_Initialized", flag, "flag"));
  *flag = mpii_phase != MPII_BEFORE;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Initialized);

int PMPI_Finalized(int* flag) {
  MPII_TRY(mpii_check_anytime("MPI_Finalized", flag, "flag"));
  *flag = mpii_phase == MPII_AFTER;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Finalized);

int PMPI_Finalize(void) {
  mpii_enter("MPI_Finalize");
  mpii_comm_finish();
  mpii_bsend_drain();
  mpit_meet();              // until all have sent what they had to send
  while (mpit_advance()) {  // messages that arrived and were not received
  }
  mpii_matching_finish();
  mpii_phase = MPII_AFTER;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Finalize);

int PMPI_Abort(MPI_Comm comm, int code) {
  (void)comm;
  mpii_running = "MPI_Abort";
  char line[96];
  snprintf(line, sizeof line, "MPI rank %u: MPI_Abort() with code %d ends the job\n",
           mpii_phase == MPII_BEFORE ? 0 : mpit_rank(), code);
  fflush(NULL);
  fputs(line, stderr);
  mpii_end_job(code);
}
MPII_PUBLIC(Abort);

int PMPI_Get_version(int* version, int* subversion) {
  MPII_TRY(mpii_check_anytime("MPI_Get_version", version, "version"));
  MPII_TRY(mpii_check_anytime("MPI_Get_version", subversion, "subversion"));
  *version = MPI_VERSION;
  *subversion = MPI_SUBVERSION;
  return MPI_SUCCESS;
}
MPII_PUBLIC(Get_version);

int PMPI_Get_library_version(char* version, int* length) {
  MPII_TRY(mpii_check_anytime("MPI_Get_library_version", version, "version"));
  MPII_TRY(mpii_check_anytime("MPI_Get_library_version", length, "length"));
  *length = snprintf(version, MPI_MAX_LIBRARY_VERSION_STRING, "Toroid MPI on %s", mpit_name);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Get_library_version);

int PMPI_Get_processor_name(char* name, int* length) {
  mpii_enter("MPI_Get_processor_name");
  MPII_TRY(mpii_check_given(NULL, name, "name"));
  MPII_TRY(mpii_check_given(NULL, length, "length"));
  mpit_processor_name(name);
  *length = (int)strlen(name);
  return MPI_SUCCESS;
}
MPII_PUBLIC(Get_processor_name);

int PMPI_Pcontrol(const int level, ...) {
  (void)level;  // there is no profiler to control; one that is linked has this function itself
  return MPI_SUCCESS;
}
MPII_PUBLIC(Pcontrol);
