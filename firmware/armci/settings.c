// SPDX-License-Identifier: Apache-2.0
// Settings that are numbers.
#include <stdlib.h>

#include "firmware/armci/bottom.h"

unsigned armcii_setting(const char* name, unsigned otherwise, unsigned least, unsigned most) {
  const char* const text = getenv(name);
  if (text == NULL) return otherwise;
  char* end;
  const unsigned long value = strtoul(text, &end, 10);
  if (*text == 0 || *end != 0 || value < least || value > most) {
    armcii_fail("%s is '%s'; it may be %u to %u", name, text, least, most);
  }
  return (unsigned)value;
}
