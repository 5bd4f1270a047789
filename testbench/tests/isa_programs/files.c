// SPDX-License-Identifier: Apache-2.0
//
// Files in the job's directory.
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  FILE* file = fopen("isa_programs.txt", "w+");
  if (file == NULL) return 1;
  for (int i = 0; i < 500; ++i) fprintf(file, "line %d %.3f\n", i, i / 7.0);
  fflush(file);
  struct stat status;
  const int known = stat("isa_programs.txt", &status);
  printf("%d %ld %d\n", known, (long)status.st_size, S_ISREG(status.st_mode) != 0);
  fseek(file, 1000, SEEK_SET);
  char text[100];
  fputs(fgets(text, sizeof text, file), stdout);
  printf("%ld\n", ftell(file));
  fseek(file, -20, SEEK_END);
  while (fgets(text, sizeof text, file) != NULL) fputs(text, stdout);
  printf("%d\n", feof(file) != 0);
  rewind(file);
  int number, sum = 0;
  float value;
  while (fscanf(file, "line %d %f\n", &number, &value) == 2) sum += number;
  printf("%d\n", sum);
  fclose(file);
  const int renamed = rename("isa_programs.txt", "isa_programs.old");
  printf("%d %d\n", renamed, unlink("isa_programs.old"));
  printf("%d\n", fopen("isa_programs.txt", "r") == NULL);
  return 0;
}
