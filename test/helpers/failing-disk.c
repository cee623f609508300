/* Preloaded into a program: one call that writes below FAULT_UNDER fails, the FAULT_AT-th, or all from it on.
   FAULT_LOCK=1 refuses every lock as a file system without a lock service does. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static char round_now[32];
static long calls;

static int is_under(const char *path) {
  const char *under = getenv("FAULT_UNDER");
  return under && *under && strncmp(path, under, strlen(under)) == 0;
}

static int is_under_fd(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_under(path);
}

/* Counts a call, and tells whether it is to fail; FAULT_CALLS says afterwards how many there were. */
static int fails(void) {
  const char *round = getenv("FAULT_ROUND"), *at = getenv("FAULT_AT"), *which = getenv("FAULT_ERRNO");
  char told[32];
  if (!round || !at || !*at) return 0;
  if (strncmp(round, round_now, sizeof round_now - 1) != 0) {
    strncpy(round_now, round, sizeof round_now - 1);
    calls = 0;
  }
  calls += 1;
  snprintf(told, sizeof told, "%ld", calls);
  setenv("FAULT_CALLS", told, 1);
  const char *lasting = getenv("FAULT_LASTS");
  int hit = lasting && *lasting == '1' ? calls >= atol(at) : calls == atol(at);
  if (!hit) return 0;
  errno = which && strcmp(which, "EIO") == 0 ? EIO : ENOSPC;
  return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *data, size_t size) {
  return is_under_fd(fd) && fails() ? -1 : REAL(write)(fd, data, size);
}
ssize_t pwrite(int fd, const void *data, size_t size, off_t at) {
  return is_under_fd(fd) && fails() ? -1 : REAL(pwrite)(fd, data, size, at);
}
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
  return is_under_fd(fd) && fails() ? -1 : REAL(pwrite64)(fd, data, size, at);
}
int fsync(int fd) { return is_under_fd(fd) && fails() ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return is_under_fd(fd) && fails() ? -1 : REAL(fdatasync)(fd); }
int ftruncate(int fd, off_t size) { return is_under_fd(fd) && fails() ? -1 : REAL(ftruncate)(fd, size); }
int ftruncate64(int fd, off64_t size) { return is_under_fd(fd) && fails() ? -1 : REAL(ftruncate64)(fd, size); }
int rename(const char *from, const char *to) { return is_under(to) && fails() ? -1 : REAL(rename)(from, to); }

static int refuses_lock(int fd, int command) {
  const char *refused = getenv("FAULT_LOCK");
  return refused && *refused == '1' && (command == F_SETLK || command == F_SETLKW) && is_under_fd(fd);
}
int fcntl64(int fd, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  if (refuses_lock(fd, command)) {
    errno = ENOLCK;
    return -1;
  }
  return REAL(fcntl64)(fd, command, argument);
}
int fcntl(int fd, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  if (refuses_lock(fd, command)) {
    errno = ENOLCK;
    return -1;
  }
  return REAL(fcntl)(fd, command, argument);
}
