// SPDX-License-Identifier: Apache-2.0
// MPI_Init(), MPI_Finalize(), MPI_Abort(), and what is known of the machine.
#include "firmware/mpi/init.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/bgl/kernel.h"
#include "firmware/bgl/msglayer/protocol.h"
#include "firmware/mpi/bsend.h"
#include "firmware/mpi/environment.h"
#include "firmware/mpi/info.h"
#include "firmware/mpi/matching.h"
#include "firmware/mpi/op.h"

void bglmpi_end_job(int status) {
  bgl_end_job(status);
}

/// A process that ends between MPI_Init() and MPI_Finalize() leaves others waiting.
static void at_exit(void) {
  if (bglmpi_phase == BGLMPI_BEFORE || bglmpi_phase == BGLMPI_AFTER) return;
  if (bglml_is_failing()) bglmpi_end_job(BGLMPI_EXIT_ERROR);  // which has been said
  bglmpi_running = "exit";
  bglmpi_end("the process ends without MPI_Finalize()");
}

static void start(const char* function) {
  bglmpi_running = function;
  if (bglmpi_phase != BGLMPI_BEFORE) bglmpi_end("called a second time");
  bglml_init(NULL);
  bglmpi_phase = BGLMPI_BETWEEN;
  bglmpi_environment_init();
  bglmpi_errhandler_init();
  bglmpi_comm_init();
  bglmpi_info_init();
  bglmpi_datatype_init();
  bglmpi_op_init();
  bglmpi_transport_init();
  atexit(at_exit);
  bglml_barrier();  // all have registered their ports
}

int PMPI_Init(int* argc, char*** argv) {
  (void)argc, (void)argv;
  start("MPI_Init");
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Init);

int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  (void)argc, (void)argv;
  start("MPI_Init_thread");
  BGLMPI_TRY(bglmpi_check_given(NULL, provided, "provided"));
  // The kernel has no threads: whoever calls is the main one.
  *provided = required < MPI_THREAD_FUNNELED ? required : MPI_THREAD_FUNNELED;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Init_thread);

int PMPI_Query_thread(int* provided) {
  bglmpi_enter("MPI_Query_thread");
  BGLMPI_TRY(bglmpi_check_given(NULL, provided, "provided"));
  *provided = MPI_THREAD_FUNNELED;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Query_thread);

int PMPI_Is_thread_main(int* flag) {
  bglmpi_enter("MPI_Is_thread_main");
  BGLMPI_TRY(bglmpi_check_given(NULL, flag, "flag"));
  *flag = 1;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Is_thread_main);

int PMPI_Initialized(int* flag) {
  BGLMPI_TRY(bglmpi_check_anytime("MPI_Initialized", flag, "flag"));
  *flag = bglmpi_phase != BGLMPI_BEFORE;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Initialized);

int PMPI_Finalized(int* flag) {
  BGLMPI_TRY(bglmpi_check_anytime("MPI_Finalized", flag, "flag"));
  *flag = bglmpi_phase == BGLMPI_AFTER;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Finalized);

int PMPI_Finalize(void) {
  bglmpi_enter("MPI_Finalize");
  bglmpi_comm_finish();
  bglmpi_bsend_drain();
  bglml_barrier();           // until all have sent what they had to send
  while (bglml_advance()) {  // what has come and nobody has asked for
  }
  bglmpi_matching_finish();
  bglmpi_phase = BGLMPI_AFTER;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Finalize);

int PMPI_Abort(MPI_Comm comm, int code) {
  (void)comm;
  bglmpi_running = "MPI_Abort";
  char line[96];
  snprintf(line, sizeof line, "MPI rank %u: MPI_Abort() with code %d ends the job\n",
           bglmpi_phase == BGLMPI_BEFORE ? 0 : bglml_rank(), code);
  fflush(NULL);
  fputs(line, stderr);
  bglmpi_end_job(code);
}
BGLMPI_PUBLIC(Abort);

int PMPI_Get_version(int* version, int* subversion) {
  BGLMPI_TRY(bglmpi_check_anytime("MPI_Get_version", version, "version"));
  BGLMPI_TRY(bglmpi_check_anytime("MPI_Get_version", subversion, "subversion"));
  *version = MPI_VERSION;
  *subversion = MPI_SUBVERSION;
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Get_version);

int PMPI_Get_library_version(char* version, int* length) {
  BGLMPI_TRY(bglmpi_check_anytime("MPI_Get_library_version", version, "version"));
  BGLMPI_TRY(bglmpi_check_anytime("MPI_Get_library_version", length, "length"));
  *length = snprintf(version, MPI_MAX_LIBRARY_VERSION_STRING, "Toroid MPI on the Blue Gene/L message layer");
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Get_library_version);

int PMPI_Get_processor_name(char* name, int* length) {
  bglmpi_enter("MPI_Get_processor_name");
  BGLMPI_TRY(bglmpi_check_given(NULL, name, "name"));
  BGLMPI_TRY(bglmpi_check_given(NULL, length, "length"));
  const bglml_coordinates_t place = bglml_coordinates(bglml_rank());
  *length = snprintf(name, MPI_MAX_PROCESSOR_NAME, "node (%u,%u,%u) core %u", place.x, place.y, place.z, place.t);
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Get_processor_name);

int PMPI_Pcontrol(const int level, ...) {
  (void)level;  // there is no profiler to control; one that is linked has this function itself
  return MPI_SUCCESS;
}
BGLMPI_PUBLIC(Pcontrol);
