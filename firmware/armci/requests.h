// SPDX-License-Identifier: Apache-2.0
/// Requests between processes: their kinds and headers, of which the kind is the first byte. Both sides run the same
/// library, so that headers are structures, and cookies addresses of the process that sent them first.
#ifndef TOROID_FIRMWARE_ARMCI_REQUESTS_H
#define TOROID_FIRMWARE_ARMCI_REQUESTS_H

#include "firmware/armci/bottom.h"
#include "firmware/armci/include/armci.h"

typedef enum {
  ARMCII_PUT_PATCH = 1,  ///< rows of a patch: armcii_patch_header_t, and the rows
  ARMCII_ACC_PATCH,
  ARMCII_GET_PATCH,  ///< the same header, answered by DATA
  ARMCII_PUT_LIST,  ///< segments: armcii_list_header_t, their addresses, and their data from the next multiple of 16 on
  ARMCII_ACC_LIST,
  ARMCII_GET_LIST,  ///< the same header and the addresses, answered by DATA
  ARMCII_DATA,      ///< armcii_word_t, and what a GET asked for
  ARMCII_UPDATE,    ///< read-modify-write: armcii_update_t, answered by UPDATED with the old value
  ARMCII_UPDATED,
  ARMCII_LOCK,  ///< of mutex `value`, answered by GRANT
  ARMCII_GRANT,
  ARMCII_UNLOCK,
  ARMCII_NOTIFY,
  ARMCII_FENCE,  ///< answered by FENCED
  ARMCII_FENCED,
  ARMCII_MESSAGE,  ///< armcii_message_t, and the message
  ARMCII_OFFER,    ///< armcii_message_t with its address, answered by TAKEN
  ARMCII_TAKEN,
  ARMCII_KINDS
} armcii_kind_t;

/// A header without more.
typedef struct {
  uint8_t kind;
  int32_t value;
  uint64_t cookie;
} armcii_word_t;

/// Rows `first` to `first + rows - 1` of a patch in the target's memory, in the order of its levels.
typedef struct {
  uint8_t kind;
  uint8_t levels;
  uint16_t operation;  ///< of an accumulate
  uint32_t bytes;      ///< of a row
  uint32_t first, rows;
  uint64_t address;
  union {
    uint64_t cookie;    ///< GET
    uint8_t scale[16];  ///< ACC
  };
  /// Then only as many levels as there are.
  struct {
    uint32_t count;
    int32_t stride;
  } level[ARMCI_MAX_STRIDE_LEVEL];
} armcii_patch_header_t;
_Static_assert(sizeof(armcii_patch_header_t) <= ARMCIB_HEADER_MAX, "a request's header");

typedef struct {
  uint8_t kind;
  uint16_t operation;
  uint32_t count, bytes;  ///< segments, and the size of each
  union {
    uint64_t cookie;
    uint8_t scale[16];
  };
} armcii_list_header_t;

typedef struct {
  uint8_t kind;
  int32_t operation;
  int64_t operand;
  uint64_t address, cookie;
} armcii_update_t;

typedef struct {
  uint8_t kind;
  uint8_t channel;
  int32_t tag;
  uint64_t bytes;
  uint64_t address, cookie;  ///< OFFER
} armcii_message_t;

// Handlers, each where its subject is.
void armcii_handle_put_patch(const armcii_patch_header_t* header, const void* payload);
void armcii_handle_acc_patch(const armcii_patch_header_t* header, const void* payload);
void armcii_handle_get_patch(uint32_t source, const armcii_patch_header_t* header);
void armcii_handle_put_list(const armcii_list_header_t* header, const void* payload);
void armcii_handle_acc_list(const armcii_list_header_t* header, const void* payload);
void armcii_handle_get_list(uint32_t source, const armcii_list_header_t* header, const void* payload);
void armcii_handle_data(const armcii_word_t* word, const void* payload);
void armcii_handle_update(uint32_t source, const armcii_update_t* update);
void armcii_handle_updated(const armcii_update_t* update);
void armcii_handle_lock(uint32_t source, const armcii_word_t* word);
void armcii_handle_grant(const armcii_word_t* word);
void armcii_handle_unlock(uint32_t source, const armcii_word_t* word);
void armcii_handle_notify(uint32_t source);
void armcii_handle_fence(uint32_t source, const armcii_word_t* word);
void armcii_handle_fenced(const armcii_word_t* word);
void armcii_handle_message(uint32_t source, const armcii_message_t* message, const void* payload);
void armcii_handle_taken(const armcii_word_t* word);

#endif
