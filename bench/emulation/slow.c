/*
 * LD_PRELOAD for the measured program and its servers in the emulated machine: their time passes TIME_FACTOR times slower. That
 * machine is some twenty times slower than the one it stands for. By its clock a program could not hold a rate there, would start
 * its timers and take its samples once in a few requests, and meet a new date of nginx as often.
 *
 * Slowed are the clocks, except those of CPU time, and epoll_wait, epoll_pwait, poll, nanosleep, usleep and sleep. Other waits are
 * not; nor is a program that asks the kernel itself instead of libc (Go), or is linked statically.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { CLOCKS = 12 };
static const long long SECOND = 1000000000;
static int factor = 1;
static long long origins[CLOCKS];
static int (*real_gettime)(clockid_t, struct timespec *);
static int (*real_epoll_pwait)(int, struct epoll_event *, int, int, const sigset_t *);
static int (*real_poll)(struct pollfd *, nfds_t, int);
static int (*real_nanosleep)(const struct timespec *, struct timespec *);

static long long ns(const struct timespec *t) { return t->tv_sec * SECOND + t->tv_nsec; }

static struct timespec timespec(long long ns) { return (struct timespec){ ns / SECOND, ns % SECOND }; }

__attribute__((constructor)) static void start(void) {
  if (real_gettime) return;
  real_gettime = dlsym(RTLD_NEXT, "clock_gettime");
  real_epoll_pwait = dlsym(RTLD_NEXT, "epoll_pwait");
  real_poll = dlsym(RTLD_NEXT, "poll");
  real_nanosleep = dlsym(RTLD_NEXT, "nanosleep");
  const char *given = getenv("TIME_FACTOR");
  if (given && atoi(given) > 1) factor = atoi(given);
  for (int clock = 0; clock < CLOCKS; clock++) {
    struct timespec t = { 0 };
    real_gettime(clock, &t);
    origins[clock] = ns(&t);
  }
}

int clock_gettime(clockid_t clock, struct timespec *t) {
  start();
  int code = real_gettime(clock, t);
  if (code == 0 && clock >= 0 && clock < CLOCKS && clock != CLOCK_PROCESS_CPUTIME_ID && clock != CLOCK_THREAD_CPUTIME_ID)
    *t = timespec(origins[clock] + (ns(t) - origins[clock]) / factor);
  return code;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone) {
  struct timespec now;
  (void)zone;
  int code = clock_gettime(CLOCK_REALTIME, &now);
  if (code == 0) *t = (struct timeval){ now.tv_sec, now.tv_nsec / 1000 };
  return code;
}

time_t time(time_t *t) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (t) *t = now.tv_sec;
  return now.tv_sec;
}

static int longer(int ms) { return ms > 0 ? ms * factor : ms; }

int epoll_pwait(int fd, struct epoll_event *events, int most, int ms, const sigset_t *signals) {
  return real_epoll_pwait(fd, events, most, longer(ms), signals);
}

int epoll_wait(int fd, struct epoll_event *events, int most, int ms) { return epoll_pwait(fd, events, most, ms, NULL); }

int poll(struct pollfd *fds, nfds_t count, int ms) { return real_poll(fds, count, longer(ms)); }

int nanosleep(const struct timespec *length, struct timespec *rest) {
  struct timespec slow = timespec(ns(length) * factor);
  int code = real_nanosleep(&slow, rest);
  if (code != 0 && errno == EINTR && rest) *rest = timespec(ns(rest) / factor);
  return code;
}

int usleep(useconds_t us) { return nanosleep(&(struct timespec){ us / 1000000, us % 1000000 * 1000 }, NULL); }

unsigned int sleep(unsigned int seconds) {
  struct timespec rest = { 0 };
  return nanosleep(&(struct timespec){ seconds, 0 }, &rest) == 0 ? 0 : (unsigned int)rest.tv_sec;
}
