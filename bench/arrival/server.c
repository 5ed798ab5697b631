// An HTTP server that responds exactly DELAY ms after it has read a request, by a thread that does nothing but look at the clock.
// It logs how long each response really took, from the kernel's stamp of the request's arrival to the end of its send: at SIGTERM it
// prints p50, p99 and p99.9 of that, in ms, as a line of JSON. A hypervisor that takes its core away is in that log.
//
//   server PORT DELAY

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 1 << 22, READY = 256 };

static const char RESPONSE[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
static double arrived[MOST], due[MOST], took[MOST];
static int from[MOST];
static volatile sig_atomic_t ended;

static void on_end(int signal) { ended = signal; }

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

// How long ago the bytes that recvmsg() gave arrived in the kernel, ms; 0 where it gave no stamp.
static double age(struct msghdr *message) {
  for (struct cmsghdr *one = CMSG_FIRSTHDR(message); one != NULL; one = CMSG_NXTHDR(message, one)) {
    if (one->cmsg_level != SOL_SOCKET || one->cmsg_type != SCM_TIMESTAMPNS) continue;
    struct timespec stamp;
    memcpy(&stamp, CMSG_DATA(one), sizeof stamp);
    return now(CLOCK_REALTIME) - (stamp.tv_sec * 1e3 + stamp.tv_nsec / 1e6);
  }
  return 0;
}

static int ascending(const void *a, const void *b) {
  double difference = *(const double *) a - *(const double *) b;
  return (difference > 0) - (difference < 0);
}

// The same rank as that of the tool: of 6,000 responses, p99.9 is the sixth from the end of a tail in which neighbours are far apart.
static double percentile(const double *sorted, long count, long permille) {
  return sorted[(count * permille + 999) / 1000 - 1];
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const double delay = atof(argv[2]);
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), poll = epoll_create1(0), on = 1;
  struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(atoi(argv[1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(listener, (struct sockaddr *) &address, sizeof address) != 0 || listen(listener, 1024) != 0) {
    perror("listen");
    return 1;
  }
  struct epoll_event interest = { .events = EPOLLIN, .data.fd = listener }, ready[READY];
  epoll_ctl(poll, EPOLL_CTL_ADD, listener, &interest);
  signal(SIGTERM, on_end);
  puts("listening");
  fflush(stdout);
  long read = 0, sent = 0;
  while (!ended) {
    const int count = epoll_wait(poll, ready, READY, 0);
    for (int i = 0; i < count; i++) {
      const int fd = ready[i].data.fd;
      if (fd == listener) {
        const int accepted = accept(listener, NULL, NULL);
        if (accepted < 0) continue;
        setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        setsockopt(accepted, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
        interest = (struct epoll_event) { .events = EPOLLIN, .data.fd = accepted };
        epoll_ctl(poll, EPOLL_CTL_ADD, accepted, &interest);
        continue;
      }
      char bytes[65536], control[CMSG_SPACE(sizeof(struct timespec))];
      struct iovec into = { .iov_base = bytes, .iov_len = sizeof bytes };
      struct msghdr message = { .msg_iov = &into, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control };
      if (recvmsg(fd, &message, 0) <= 0) {
        close(fd);
        continue;
      }
      if (read - sent == MOST) return 1;
      const double at = now(CLOCK_MONOTONIC);
      arrived[read % MOST] = at - age(&message);
      due[read % MOST] = at + delay;
      from[read++ % MOST] = fd;
    }
    for (; sent < read && due[sent % MOST] <= now(CLOCK_MONOTONIC); sent++) {
      send(from[sent % MOST], RESPONSE, sizeof RESPONSE - 1, MSG_NOSIGNAL);
      took[sent % MOST] = now(CLOCK_MONOTONIC) - arrived[sent % MOST];
    }
  }
  const long kept = sent < MOST ? sent : MOST;
  qsort(took, kept, sizeof *took, ascending);
  if (kept > 0) printf("{\"p50\":%.3f,\"p99\":%.3f,\"p99_9\":%.3f}\n", percentile(took, kept, 500), percentile(took, kept, 990), percentile(took, kept, 999));
  return 0;
}
