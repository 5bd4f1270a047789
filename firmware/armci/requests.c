// SPDX-License-Identifier: Apache-2.0
// Which handler a request goes to.
#include "firmware/armci/requests.h"

#include "firmware/hot.h"

HOT_OF_SENDS void armcii_handle(uint32_t source, const void* header, size_t header_bytes, const void* payload,
                                size_t bytes) {
  (void)header_bytes;
  (void)bytes;
  switch ((armcii_kind_t) * (const uint8_t*)header) {
    case ARMCII_PUT_PATCH:
      return armcii_handle_put_patch(header, payload);
    case ARMCII_ACC_PATCH:
      return armcii_handle_acc_patch(header, payload);
    case ARMCII_GET_PATCH:
      return armcii_handle_get_patch(source, header);
    case ARMCII_PUT_LIST:
      return armcii_handle_put_list(header, payload);
    case ARMCII_ACC_LIST:
      return armcii_handle_acc_list(header, payload);
    case ARMCII_GET_LIST:
      return armcii_handle_get_list(source, header, payload);
    case ARMCII_DATA:
      return armcii_handle_data(header, payload);
    case ARMCII_UPDATE:
      return armcii_handle_update(source, header);
    case ARMCII_UPDATED:
      return armcii_handle_updated(header);
    case ARMCII_LOCK:
      return armcii_handle_lock(source, header);
    case ARMCII_GRANT:
      return armcii_handle_grant(header);
    case ARMCII_UNLOCK:
      return armcii_handle_unlock(source, header);
    case ARMCII_NOTIFY:
      return armcii_handle_notify(source);
    case ARMCII_FENCE:
      return armcii_handle_fence(source, header);
    case ARMCII_FENCED:
      return armcii_handle_fenced(header);
    case ARMCII_MESSAGE:
    case ARMCII_OFFER:
      return armcii_handle_message(source, header, payload);
    case ARMCII_TAKEN:
      return armcii_handle_taken(header);
    case ARMCII_KINDS:
      break;
  }
  armcii_fail("a request of process %u is of no kind", source);
}
