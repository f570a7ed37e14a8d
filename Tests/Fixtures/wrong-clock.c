// A wall clock that is wrong, for a process that is started with this library before all others
// (LD_PRELOAD). The folder WRONG_CLOCKS has a file for each process, called by its --name or else
// by its command, with the seconds by which its clock is ahead; without a file it is right.
// Monotonic clocks are never touched.

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static char file[4096];

__attribute__((constructor)) static void find_file(void) {
  const char *folder = getenv("WRONG_CLOCKS");
  char line[4096];
  int descriptor = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (!folder || descriptor < 0) return;
  long length = read(descriptor, line, sizeof line - 1);
  close(descriptor);
  if (length <= 0) return;
  line[length] = 0;
  const char *end = line + length, *name = 0;
  int count = 0;
  for (const char *word = line; word < end; word += strlen(word) + 1, count++) {
    const char *next = word + strlen(word) + 1;
    if (count == 1 && !name) name = word;
    if (!strcmp(word, "--name") && next < end) name = next;
  }
  if (name) snprintf(file, sizeof file, "%s/%s", folder, name);
}

static long ahead(void) {
  char text[32];
  int descriptor = file[0] ? open(file, O_RDONLY | O_CLOEXEC) : -1;
  if (descriptor < 0) return 0;
  long length = read(descriptor, text, sizeof text - 1);
  close(descriptor);
  if (length <= 0) return 0;
  text[length] = 0;
  return atol(text);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int status = syscall(SYS_clock_gettime, clock, now);
  if (!status && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
    now->tv_sec += ahead();
  return status;
}

int gettimeofday(struct timeval *now, void *zone) {
  (void)zone;
  struct timespec shown;
  clock_gettime(CLOCK_REALTIME, &shown);
  now->tv_sec = shown.tv_sec;
  now->tv_usec = shown.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *now) {
  struct timespec shown;
  clock_gettime(CLOCK_REALTIME, &shown);
  if (now) *now = shown.tv_sec;
  return shown.tv_sec;
}
