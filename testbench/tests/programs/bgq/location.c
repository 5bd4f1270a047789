/* SPDX-License-Identifier: Apache-2.0 */
/* Prints where the node is in its rack, as the personality says it. */
#include <firmware/include/personality.h>
#include <hwi/include/common/uci.h>
#include <spi/include/kernel/location.h>
#include <stdio.h>

int main(void) {
  Personality_t personality;
  unsigned row, column, midplane, board, card;
  if (Kernel_GetPersonality(&personality, sizeof personality) != 0) return 1;
  const BG_UniversalComponentIdentifier uci = personality.Kernel_Config.UCI;
  bg_decodeComputeCardOnNodeBoardUCI(uci, &row, &column, &midplane, &board, &card);
  const int same = uci == bg_encodeComputeCardOnNodeBoardUCI(row, column, midplane, board, card);
  printf("%u %s R%x%x-M%u-N%02u-J%02u%s\n", bg_decodeComponent(uci), BG_UCI_Pattern_ComputeCardOnNodeBoard, row, column,
         midplane, board, card, same ? "" : ": not the same again");
  return 0;
}
