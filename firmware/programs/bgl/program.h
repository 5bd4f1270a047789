// SPDX-License-Identifier: Apache-2.0
/// What the programs in this folder share: their arguments and their neighbours.
#ifndef TOROID_FIRMWARE_PROGRAMS_BGL_PROGRAM_H
#define TOROID_FIRMWARE_PROGRAMS_BGL_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "firmware/bgl/msglayer/msglayer.h"
#include "firmware/programs/contents.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PROGRAM_EXIT_MISMATCH = 1, PROGRAM_EXIT_USAGE = 2 };

typedef struct {
  const char* name;  ///< with its dashes: "--size"
  const char* help;  ///< one line; names the unit and the default
  uint32_t* number;  ///< where a number goes; NULL: `text` is meant
  const char** text;
  uint32_t least, most;  ///< bounds of the number
} program_option_t;

/// To be called before anything is printed, which `program_options` does: standard output is kept back until its buffer
/// is full or the process ends. A line that went to the I/O node between two measurements would set the second apart
/// from its neighbours.
void program_print_at_the_end(void);

/// Read "--name value" pairs. Ends the process with a message (from the lowest rank only, when `speak` is true) and
/// PROGRAM_EXIT_USAGE at an unknown name, a missing value or a number out of its bounds.
void program_options(int argc, char** argv, const program_option_t* options, unsigned count, bool speak);

/// Whether this process is the job's rank 0; to be asked before bglml_init() too.
bool program_is_first(void);

/// Sets `options` from `--second-core used|unused`. Returns false if the text is neither.
bool program_second_core(const char* text, bglml_options_t* options);
#define PROGRAM_SECOND_CORE_HELP "used (default) or unused: whether it helps in coprocessor mode"

/// A list of numbers, as 1,5,7, of `most_count` at most. Returns how many there are, or 0 where the text is no such
/// list or a number lies out of its bounds.
uint32_t program_numbers(const char* text, uint32_t* numbers, uint32_t most_count, uint32_t least, uint32_t most);

/// Neighbours of a node are numbered by their direction: X+, X-, Y+, Y-, Z+, Z-; the opposite of one is direction ^ 1.
enum { PROGRAM_DIRECTIONS = 6 };

/// The rank at the next node in a direction, with wrap-around; BGLML_NO_RANK if there is none.
uint32_t program_neighbour(uint32_t rank, unsigned direction);

#ifdef __cplusplus
}
#endif

#endif
