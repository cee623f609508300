/* Preloaded into a program: what it does to files below FAULT_UNDER can be made to fail, and be recorded.
   FAULT_AT names the call that fails, or the first of all that do; FAULT_LOCK=1 refuses every lock as a file system
   without a lock service does. RECORD_TO is a file to which each call that came through is added: a line
   "CALL OFFSET SIZE PATH" (for a rename both paths, a tab between them), and behind it the bytes that were written. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static char round_now[32];
static long calls;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int is_under(const char *path) {
  const char *under = getenv("FAULT_UNDER");
  return under && *under && strncmp(path, under, strlen(under)) == 0;
}

/* The path that a descriptor is open on, if it is below FAULT_UNDER. */
static int is_under_fd(int fd, char path[4096]) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, 4095);
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

/* Held from before a call until it is recorded, so that the record has them in their order. */
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;

static void begin(void) { pthread_mutex_lock(&order); }

/* Records a call that gave `result`, which goes on to the caller. */
static long end(long result, const char *call, const char *path, off_t at, const struct iovec *data, int parts) {
  static int record = -2;
  int error = errno;
  const char *to = getenv("RECORD_TO");
  if (record == -2) record = to && *to ? open(to, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
  if (record >= 0 && result >= 0) {
    char head[8300];
    long size = parts ? result : 0, left = size;
    int length = snprintf(head, sizeof head, "%s %lld %ld %s\n", call, (long long)at, size, path);
    REAL(write)(record, head, length);
    for (int part = 0; part < parts && left > 0; part += 1) {
      long taken = left < (long)data[part].iov_len ? left : (long)data[part].iov_len;
      REAL(write)(record, data[part].iov_base, taken);
      left -= taken;
    }
  }
  pthread_mutex_unlock(&order);
  errno = error;
  return result;
}

static off_t end_of(int fd, ssize_t written) { return lseek(fd, 0, SEEK_CUR) - written; }

ssize_t write(int fd, const void *data, size_t size) {
  char path[4096];
  if (!is_under_fd(fd, path)) return REAL(write)(fd, data, size);
  if (fails()) return -1;
  struct iovec whole = {(void *)data, size};
  begin();
  ssize_t written = REAL(write)(fd, data, size);
  return end(written, "write", path, end_of(fd, written), &whole, 1);
}
ssize_t writev(int fd, const struct iovec *data, int parts) {
  char path[4096];
  if (!is_under_fd(fd, path)) return REAL(writev)(fd, data, parts);
  if (fails()) return -1;
  begin();
  ssize_t written = REAL(writev)(fd, data, parts);
  return end(written, "write", path, end_of(fd, written), data, parts);
}
ssize_t pwrite(int fd, const void *data, size_t size, off_t at) {
  char path[4096];
  if (!is_under_fd(fd, path)) return REAL(pwrite)(fd, data, size, at);
  if (fails()) return -1;
  struct iovec whole = {(void *)data, size};
  begin();
  return end(REAL(pwrite)(fd, data, size, at), "write", path, at, &whole, 1);
}
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) { return pwrite(fd, data, size, at); }

int fsync(int fd) {
  char path[4096];
  if (!is_under_fd(fd, path)) return REAL(fsync)(fd);
  if (fails()) return -1;
  begin();
  return end(REAL(fsync)(fd), "fsync", path, 0, NULL, 0);
}
int fdatasync(int fd) { return fsync(fd); }

int ftruncate(int fd, off_t size) {
  char path[4096];
  if (!is_under_fd(fd, path)) return REAL(ftruncate)(fd, size);
  if (fails()) return -1;
  begin();
  return end(REAL(ftruncate)(fd, size), "truncate", path, size, NULL, 0);
}
int ftruncate64(int fd, off64_t size) { return ftruncate(fd, size); }

int rename(const char *from, const char *to) {
  char both[8200];
  if (!is_under(to)) return REAL(rename)(from, to);
  if (fails()) return -1;
  snprintf(both, sizeof both, "%s\t%s", from, to);
  begin();
  return end(REAL(rename)(from, to), "rename", both, 0, NULL, 0);
}

/* Removing fails for nobody: it needs no room. */
int unlink(const char *path) {
  if (!is_under(path)) return REAL(unlink)(path);
  begin();
  return end(REAL(unlink)(path), "unlink", path, 0, NULL, 0);
}
int remove(const char *path) {
  if (!is_under(path)) return REAL(remove)(path);
  begin();
  return end(REAL(remove)(path), "unlink", path, 0, NULL, 0);
}

static int refuses_lock(int fd, int command) {
  char path[4096];
  const char *refused = getenv("FAULT_LOCK");
  return refused && *refused == '1' && (command == F_SETLK || command == F_SETLKW) && is_under_fd(fd, path);
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
