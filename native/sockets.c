// Moves bytes for the TCP and Unix sockets of one thread, many of them per call into JavaScript, and reports when the kernel received what it
// read (SO_TIMESTAMPING). It connects to addresses, and takes over sockets that node:net has connected. It knows no HTTP and no names, and
// keeps no bytes: JavaScript owns the buffers that it reads into and sends from, and what a full socket did not take. JavaScript sees
// numbers only: a group of sockets, a socket in it.
//
// One epoll descriptor holds the sockets of a group, edge-triggered, so that neither a read nor a write needs a call of epoll_ctl.
// libuv watches that descriptor.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/net_tstamp.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <node_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

// What is used of libuv 1, whose headers are no part of those of Node-API. Its ABI is stable (docs.libuv.org, "Versioning").
typedef struct uv_loop_s uv_loop_t;
typedef struct uv_handle_s uv_handle_t;
typedef struct uv_poll_s uv_poll_t;
enum { UV_POLL_TYPE = 8, UV_READABLE_EVENT = 1 };
size_t uv_handle_size(int type);
int uv_poll_init(uv_loop_t *loop, uv_poll_t *handle, int fd);
int uv_poll_start(uv_poll_t *handle, int events, void (*callback)(uv_poll_t *handle, int status, int events));
int uv_poll_stop(uv_poll_t *handle);
void uv_close(uv_handle_t *handle, void (*callback)(uv_handle_t *handle));
void *uv_handle_get_data(const uv_handle_t *handle);
void uv_handle_set_data(uv_handle_t *handle, void *data);
int uv_ip4_addr(const char *text, int port, struct sockaddr_in *address);
int uv_ip6_addr(const char *text, int port, struct sockaddr_in6 *address);

enum {
  MOST_GROUPS = 1 << 16,
  READY = 256,             // how many sockets one epoll_wait may return
  LARGEST_READ = 64 * 1024,
  READS_PER_TURN = 16,     // of one socket, before others have their turn
  EVENT_FIELDS = 3,        // socket, kind or length, offset
  SEND_FIELDS = 4,         // socket, offset, length, how many bytes the kernel took, or -errno
  WRITABLE = INT32_MAX,    // in place of a length
  CONNECTED = INT32_MAX - 1
};

// Edges of all kinds: a socket is registered once.
#define INTEREST (EPOLLIN | EPOLLPRI | EPOLLOUT | EPOLLRDHUP | EPOLLET)

// A read may take less than there is: it ends at urgent data, and the end of the stream has no event of its own.
#define NOT_ALL (EPOLLPRI | EPOLLRDHUP | EPOLLHUP | EPOLLERR)

// In place of an arrival time: the bytes came between the last two polls, or nobody knows when.
#define WITHIN_GAP 0.0
#define UNKNOWN (-1.0)

typedef struct {
  int fd;       // -1 when closed
  bool connecting;
  bool stamped; // whether the kernel gives arrival times
  bool full;    // whether it took less than it was given: JavaScript waits until it takes more
} Socket;

typedef struct Env Env;

typedef struct {
  Env *env;
  uv_poll_t *poll;
  int epoll;
  bool polling, closing;
  Socket *sockets;
  int32_t size, used, open;
  int32_t *free, *closed; // numbers that may be given out, and those that may be from the next turn on: the turn's events name them
  int32_t frees, closeds;
  // Of JavaScript; `keep` holds them.
  napi_ref keep, onTurn;
  uint8_t *in, *out;
  size_t inSize, outSize;
  int32_t *events, *sends;
  int32_t mostEvents, mostSends;
  double *arrivals, *sentAt; // ms on the clock of JavaScript
  double *clock;             // [0] when the turn's bytes were read, [1] how long before that the last poll was, ms
  double origin;             // what the clock of JavaScript calls 0, ms of CLOCK_MONOTONIC
  double gap;                // reads after a longer gap between two polls have an arrival time, ms; infinite: none has
  double polledAt, offset, steppedAt;
  int32_t count;             // of events that wait to be delivered
} Group;

struct Env {
  napi_env env;
  Group **groups;
  int32_t size;
  int32_t left; // groups whose handle is not closed
  napi_async_cleanup_hook_handle hook;
  bool ending;
};

static double ms_of(struct timespec time) { return time.tv_sec * 1e3 + time.tv_nsec / 1e6; }

static double clock_ms(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return ms_of(time);
}

// Sockets and their numbers.

static bool grow(Group *group) {
  if (group->used < group->size) return true;
  int32_t size = group->size == 0 ? 64 : 2 * group->size;
  Socket *sockets = realloc(group->sockets, size * sizeof *sockets);
  if (sockets == NULL) return false;
  group->sockets = sockets;
  int32_t *free_ = realloc(group->free, size * sizeof *free_);
  if (free_ == NULL) return false;
  group->free = free_;
  int32_t *closed = realloc(group->closed, size * sizeof *closed);
  if (closed == NULL) return false;
  group->closed = closed;
  group->size = size;
  return true;
}

static bool is_open(const Group *group, int32_t number) {
  return number >= 0 && number < group->used && group->sockets[number].fd >= 0;
}

// What the socket is ready for is reported once more, without an edge.
static bool report_again(Group *group, int32_t number) {
  struct epoll_event again = { .events = INTEREST, .data.u32 = number };
  return epoll_ctl(group->epoll, EPOLL_CTL_MOD, group->sockets[number].fd, &again) == 0;
}

static void shut(Group *group, int32_t number) {
  if (!is_open(group, number)) return;
  close(group->sockets[number].fd); // leaves the epoll set with its last descriptor
  group->sockets[number].fd = -1;
  group->closed[group->closeds++] = number;
  if (--group->open == 0 && group->polling) {
    uv_poll_stop(group->poll);
    group->polling = false;
  }
}

// Reading.

static void deliver(Group *group) {
  if (group->count == 0) return;
  napi_env env = group->env->env;
  napi_handle_scope scope;
  if (napi_open_handle_scope(env, &scope) != napi_ok) return;
  napi_value function, global, count;
  napi_get_reference_value(env, group->onTurn, &function);
  napi_get_global(env, &global);
  napi_create_int32(env, group->count, &count);
  group->count = 0;
  // Runs what JavaScript has queued (process.nextTick, promises) as well.
  if (napi_make_callback(env, NULL, global, function, 1, &count, NULL) == napi_pending_exception) {
    napi_value error;
    if (napi_get_and_clear_last_exception(env, &error) == napi_ok) napi_fatal_exception(env, error);
  }
  napi_close_handle_scope(env, scope);
}

static void report(Group *group, int32_t number, int32_t kind, size_t offset, double arrival) {
  int32_t *event = group->events + EVENT_FIELDS * group->count;
  event[0] = number;
  event[1] = kind;
  event[2] = (int32_t) offset;
  group->arrivals[group->count++] = arrival;
}

// Both clocks, and what has to be added to the one on the wall. A clock that was set makes the stamps around that moment useless.
static void take_times(Group *group) {
  double now = clock_ms(CLOCK_MONOTONIC);
  double offset = now - clock_ms(CLOCK_REALTIME);
  if (fabs(offset - group->offset) > 1) group->steppedAt = now;
  group->offset = offset;
  group->clock[0] = now - group->origin;
  group->clock[1] = now - group->polledAt;
}

// The kernel's stamp in what came beside the bytes; tv_sec is 0 without one. Lengths of another kernel are not trusted.
static struct timespec stamp_of(struct msghdr *message, size_t room) {
  struct timespec stamp = { 0 };
  if (message->msg_controllen > room) return stamp;
  for (struct cmsghdr *head = CMSG_FIRSTHDR(message); head != NULL; head = CMSG_NXTHDR(message, head)) {
    if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_TIMESTAMPING || head->cmsg_len < CMSG_LEN(sizeof stamp)) continue;
    memcpy(&stamp, CMSG_DATA(head), sizeof stamp); // the first of three: software
    if (stamp.tv_sec != 0) break;
  }
  return stamp;
}

// One read, with the arrival time of its last segment where that can differ from now.
static ssize_t take(Group *group, Socket *socket, uint8_t *into, double *arrival) {
  *arrival = group->clock[1] <= group->gap ? WITHIN_GAP : UNKNOWN;
  if (!socket->stamped || *arrival == WITHIN_GAP) return recv(socket->fd, into, LARGEST_READ, MSG_DONTWAIT);
  union { struct cmsghdr head; char bytes[256]; } control;
  struct iovec part = { .iov_base = into, .iov_len = LARGEST_READ };
  struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes };
  ssize_t size = recvmsg(socket->fd, &message, MSG_DONTWAIT);
  if (size <= 0) return size;
  struct timespec stamp = stamp_of(&message, sizeof control.bytes);
  double at = ms_of(stamp) + group->offset;
  if (stamp.tv_sec != 0 && at > group->steppedAt && at < group->clock[0] + group->origin + 1) *arrival = at - group->origin;
  return size;
}

// Makes room for one more event and the bytes of one more read.
static void make_room(Group *group, size_t *offset) {
  if (group->inSize - *offset >= LARGEST_READ && group->count < group->mostEvents) return;
  deliver(group);
  *offset = 0;
  if (!group->closing) take_times(group);
}

static void read_socket(Group *group, int32_t number, bool all, size_t *offset) {
  for (int i = 0; i < READS_PER_TURN; i++) {
    make_room(group, offset);
    // A callback may have closed it.
    if (group->closing || !is_open(group, number)) return;
    double arrival;
    ssize_t size = take(group, group->sockets + number, group->in + *offset, &arrival);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (size > LARGEST_READ) size = -1, errno = EIO;
    report(group, number, size < 0 ? -errno : (int32_t) size, *offset, arrival);
    if (size <= 0) return;
    *offset += (size + 7) & ~7;
    // Less than there was room for: all has been read.
    if (size < LARGEST_READ && !all) return;
  }
  // There may be more: after the others.
  if (report_again(group, number)) return;
  int error = errno;
  make_room(group, offset);
  if (!group->closing && is_open(group, number)) report(group, number, -error, 0, UNKNOWN);
}

// Whether the socket is connected; reports what became of one that was about to be.
static bool is_connected(Group *group, int32_t number, uint32_t events, size_t *offset) {
  if (!is_open(group, number) || !group->sockets[number].connecting) return true;
  if ((events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) == 0) return false;
  make_room(group, offset);
  if (group->closing || !is_open(group, number)) return false;
  int error = 0;
  socklen_t size = sizeof error;
  if (getsockopt(group->sockets[number].fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
  group->sockets[number].connecting = false;
  report(group, number, error == 0 ? CONNECTED : -error, 0, WITHIN_GAP);
  return error == 0;
}

static void turn(Group *group) {
  struct epoll_event ready[READY];
  while (group->closeds > 0) group->free[group->frees++] = group->closed[--group->closeds];
  // Before the poll: a thread that is preempted in it, or behind it, has not seen what came meanwhile.
  double polledAt = clock_ms(CLOCK_MONOTONIC);
  int n = epoll_wait(group->epoll, ready, READY, 0);
  if (n > READY) n = READY;
  take_times(group);
  size_t offset = 0;
  for (int i = 0; i < n && !group->closing; i++) {
    int32_t number = ready[i].data.u32;
    uint32_t events = ready[i].events;
    if (!is_connected(group, number, events, &offset)) continue;
    // First, as the error of a reset is given once: a write after it would only have EPIPE.
    if ((events & ~EPOLLOUT) != 0) read_socket(group, number, (events & NOT_ALL) != 0, &offset);
    if ((events & EPOLLOUT) == 0 || group->closing || !is_open(group, number) || !group->sockets[number].full) continue;
    make_room(group, &offset);
    if (group->closing || !is_open(group, number)) continue;
    group->sockets[number].full = false;
    report(group, number, WRITABLE, 0, WITHIN_GAP);
  }
  if (!group->closing) deliver(group);
  group->polledAt = polledAt;
}

static void on_ready(uv_poll_t *handle, int status, int events) {
  (void) status, (void) events;
  Group *group = uv_handle_get_data((uv_handle_t *) handle);
  if (!group->closing) turn(group);
}

// The end of a group, and of the thread.

static void release(uv_handle_t *handle) {
  Group *group = uv_handle_get_data(handle);
  Env *env = group->env;
  close(group->epoll); // after libuv has let go of it
  free(group->sockets);
  free(group->free);
  free(group->closed);
  free(group);
  free(handle);
  if (--env->left == 0 && env->ending) {
    napi_remove_async_cleanup_hook(env->hook);
    free(env->groups);
    free(env);
  }
}

static void stop_group(Group *group) {
  if (group->closing) return;
  group->closing = true;
  for (int32_t i = 0; i < group->used; i++) if (group->sockets[i].fd >= 0) close(group->sockets[i].fd);
  group->used = 0;
  uv_close((uv_handle_t *) group->poll, release);
}

static void end(napi_async_cleanup_hook_handle hook, void *data) {
  Env *env = data;
  env->ending = true;
  for (int32_t i = 0; i < env->size; i++) {
    if (env->groups[i] != NULL) stop_group(env->groups[i]);
    env->groups[i] = NULL;
  }
  if (env->left > 0) return; // the last handle to be closed ends it
  napi_remove_async_cleanup_hook(hook);
  free(env->groups);
  free(env);
}

// What JavaScript calls.

static napi_value number_of(napi_env env, double value) {
  napi_value result = NULL;
  napi_create_double(env, value, &result);
  return result;
}

static int32_t int_of(napi_env env, napi_value value) {
  int32_t result = -1;
  napi_get_value_int32(env, value, &result);
  return result;
}

static Env *arguments(napi_env env, napi_callback_info info, size_t count, napi_value *values) {
  Env *data = NULL;
  napi_get_cb_info(env, info, &count, values, NULL, (void **) &data);
  return data;
}

static Group *group_of(napi_env env, napi_callback_info info, size_t count, napi_value *values) {
  Env *data = arguments(env, info, count, values);
  int32_t number = int_of(env, values[0]);
  Group *group = number >= 0 && number < data->size ? data->groups[number] : NULL;
  if (group == NULL) napi_throw_error(env, NULL, "no such group of sockets");
  return group;
}

// The elements of a typed array, of at least so many; NULL when it is something else.
static void *elements(napi_env env, napi_value value, napi_typedarray_type type, size_t least, size_t *length) {
  bool is = false;
  napi_typedarray_type given;
  void *data = NULL;
  if (napi_is_typedarray(env, value, &is) != napi_ok || !is) return NULL;
  if (napi_get_typedarray_info(env, value, &given, length, &data, NULL, NULL) != napi_ok) return NULL;
  static uint8_t none; // an empty one may have no address
  if (*length == 0) data = &none;
  return given == type && *length >= least ? data : NULL;
}

// open(onTurn, in, out, events, arrivals, sends, sentAt, clock, now, gap) → number of a group, or -errno.
// now: what the clock of JavaScript says now; gap: see Group, Infinity for no arrival times. clock[0] is what it says at the end: less than it
// does, where the thread was preempted between its look at the clock and the one here.
static napi_value open_group(napi_env env, napi_callback_info info) {
  napi_value values[10];
  Env *data = arguments(env, info, 10, values);
  double before = clock_ms(CLOCK_MONOTONIC), now = 0;
  int32_t number = 0;
  while (number < data->size && data->groups[number] != NULL) number++;
  if (number == MOST_GROUPS || data->ending) return number_of(env, -ENOMEM);
  if (number == data->size) {
    Group **groups = realloc(data->groups, (number + 1) * sizeof *groups);
    if (groups == NULL) return number_of(env, -ENOMEM);
    data->groups = groups;
    data->groups[data->size++] = NULL;
  }
  Group *group = calloc(1, sizeof *group);
  uv_poll_t *poll = calloc(1, uv_handle_size(UV_POLL_TYPE));
  size_t events = 0, arrivals = 0, sends = 0, sentAt = 0, clock = 0;
  uv_loop_t *loop = NULL;
  int error = ENOMEM;
  if (group == NULL || poll == NULL) goto failed;
  error = EINVAL;
  group->in = elements(env, values[1], napi_uint8_array, 2 * LARGEST_READ, &group->inSize);
  group->out = elements(env, values[2], napi_uint8_array, 1, &group->outSize);
  group->events = elements(env, values[3], napi_int32_array, EVENT_FIELDS, &events);
  group->arrivals = elements(env, values[4], napi_float64_array, events / EVENT_FIELDS, &arrivals);
  group->sends = elements(env, values[5], napi_int32_array, SEND_FIELDS, &sends);
  group->sentAt = elements(env, values[6], napi_float64_array, sends / SEND_FIELDS, &sentAt);
  group->clock = elements(env, values[7], napi_float64_array, 2, &clock);
  if (!group->in || !group->out || !group->events || !group->arrivals || !group->sends || !group->sentAt || !group->clock) goto failed;
  if (group->inSize > INT32_MAX || group->outSize > INT32_MAX) goto failed;
  if (napi_get_value_double(env, values[8], &now) != napi_ok || napi_get_value_double(env, values[9], &group->gap) != napi_ok) goto failed;
  group->env = data;
  group->poll = poll;
  group->mostEvents = events / EVENT_FIELDS;
  group->mostSends = sends / SEND_FIELDS;
  group->origin = before - now;
  group->polledAt = before;
  group->offset = before - clock_ms(CLOCK_REALTIME);
  group->epoll = epoll_create1(EPOLL_CLOEXEC);
  if (group->epoll < 0) {
    error = errno;
    goto failed;
  }
  napi_get_uv_event_loop(env, (struct uv_loop_s **) &loop);
  error = -uv_poll_init(loop, poll, group->epoll);
  if (error != 0) {
    close(group->epoll);
    goto failed;
  }
  napi_value keep;
  napi_create_array(env, &keep);
  for (uint32_t i = 1; i <= 7; i++) napi_set_element(env, keep, i, values[i]);
  napi_create_reference(env, keep, 1, &group->keep);
  napi_create_reference(env, values[0], 1, &group->onTurn);
  uv_handle_set_data((uv_handle_t *) poll, group);
  data->groups[number] = group;
  data->left++;
  group->clock[0] = clock_ms(CLOCK_MONOTONIC) - group->origin;
  return number_of(env, number);
failed:
  free(group);
  free(poll);
  return number_of(env, -error);
}

// close(group): its sockets are closed.
static napi_value close_group(napi_env env, napi_callback_info info) {
  napi_value values[1];
  Group *group = group_of(env, info, 1, values);
  if (group == NULL) return NULL;
  group->env->groups[int_of(env, values[0])] = NULL;
  napi_delete_reference(env, group->keep);
  napi_delete_reference(env, group->onTurn);
  stop_group(group);
  return NULL;
}

// Adds the descriptor to the group, or closes it → number of a socket, or -errno.
static int32_t add(Group *group, int fd, bool connecting) {
  if (fd < 0) return -errno;
  int32_t number = group->frees > 0 ? group->free[group->frees - 1] : group->used;
  struct epoll_event event = { .events = INTEREST, .data.u32 = number };
  if (epoll_ctl(group->epoll, EPOLL_CTL_ADD, fd, &event) != 0) {
    int error = errno;
    close(fd);
    return -error;
  }
  int flags = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;
  bool stamped = isfinite(group->gap) && setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &flags, sizeof flags) == 0;
  if (group->frees > 0) group->frees--;
  else group->used++;
  group->sockets[number] = (Socket) { .fd = fd, .connecting = connecting, .stamped = stamped };
  group->open++;
  if (!group->polling) {
    uv_poll_start(group->poll, UV_READABLE_EVENT, on_ready);
    group->polling = true;
    group->polledAt = clock_ms(CLOCK_MONOTONIC);
  }
  return number;
}

// adopt(group, descriptor) → number of a socket, or -errno. The descriptor is duplicated, and stays the caller's.
static napi_value adopt(napi_env env, napi_callback_info info) {
  napi_value values[2];
  Group *group = group_of(env, info, 2, values);
  if (group == NULL) return NULL;
  if (group->frees == 0 && !grow(group)) return number_of(env, -ENOMEM);
  int fd = fcntl(int_of(env, values[1]), F_DUPFD_CLOEXEC, 0);
  int status = fd < 0 ? 0 : fcntl(fd, F_GETFL);
  if (fd >= 0 && (status < 0 || fcntl(fd, F_SETFL, status | O_NONBLOCK) != 0)) {
    int error = errno;
    close(fd);
    return number_of(env, -error);
  }
  return number_of(env, add(group, fd, false));
}

typedef union {
  struct sockaddr any;
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
  struct sockaddr_un path;
} Address;

// The address that a text is, with port -1 the path of a Unix socket → its length, 0 for none.
static socklen_t read_address(napi_env env, napi_value value, int port, Address *address) {
  char text[sizeof address->path.sun_path + 2];
  size_t length = 0;
  memset(address, 0, sizeof *address);
  if (napi_get_value_string_utf8(env, value, text, sizeof text, &length) != napi_ok || length == 0 || strlen(text) != length) return 0;
  if (port >= 0 && uv_ip4_addr(text, port, &address->v4) == 0) return sizeof address->v4;
  if (port >= 0) return uv_ip6_addr(text, port, &address->v6) == 0 ? sizeof address->v6 : 0;
  // A path of 108 bytes has no zero byte behind it (unix(7)).
  if (length > sizeof address->path.sun_path) return 0;
  address->path.sun_family = AF_UNIX;
  memcpy(address->path.sun_path, text, length);
  return offsetof(struct sockaddr_un, sun_path) + length + (length < sizeof address->path.sun_path);
}

// A socket that is about to be connected, or -1 with errno.
static int begin_connection(const Address *address, socklen_t length, const Address *local, socklen_t localLength) {
  int fd = socket(address->any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;
  if (fd < 0) return -1;
  bool begun = address->any.sa_family == AF_UNIX || setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0;
  // The port is chosen by connect, which knows the server: a port may have one connection to each. bind gives each to one socket.
  if (begun && localLength > 0) setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
  // As libuv does.
  if (begun && localLength > 0) begun = setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 && bind(fd, &local->any, localLength) == 0;
  if (begun && (connect(fd, &address->any, length) == 0 || errno == EINPROGRESS)) return fd;
  int error = errno;
  close(fd);
  errno = error;
  return -1;
}

// connect(group, address, port, localAddress) → number of a socket, or -errno. CONNECTED or an error is reported later. The address is an IPv4
// or IPv6 one, with port -1 the path of a Unix socket; the local one is such an address, or undefined.
static napi_value connect_socket(napi_env env, napi_callback_info info) {
  napi_value values[4];
  Group *group = group_of(env, info, 4, values);
  if (group == NULL) return NULL;
  Address address, local;
  int port = int_of(env, values[2]);
  socklen_t length = read_address(env, values[1], port, &address), localLength = read_address(env, values[3], 0, &local);
  napi_valuetype type = napi_undefined;
  napi_typeof(env, values[3], &type);
  if (length == 0 || port > UINT16_MAX || (type == napi_string && localLength == 0)) return number_of(env, -EINVAL);
  if (group->frees == 0 && !grow(group)) return number_of(env, -ENOMEM);
  return number_of(env, add(group, begin_connection(&address, length, &local, localLength), true));
}

static ssize_t give(Group *group, int32_t number, const uint8_t *bytes, size_t length) {
  if (!is_open(group, number)) return -EBADF;
  Socket *socket = group->sockets + number;
  ssize_t taken;
  do taken = send(socket->fd, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL);
  while (taken < 0 && errno == EINTR);
  if (taken < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS)) taken = 0;
  if (taken < 0) return -errno;
  if ((size_t) taken > length) return -EIO;
  socket->full = (size_t) taken < length;
  // A socket that was not full (ENOBUFS) has no edge.
  return socket->full && !report_again(group, number) ? -errno : taken;
}

// A call that took longer than that was preempted, ms: most take some µs.
static const double LONG_CALL = 1;

// When the bytes left that `send` was given at `before`, and that it had sent at `after`, ms. A thread that is preempted within the call has
// mostly done its work, for the kernel preempts it at its end; but not always. How long ago the last data left the kernel knows in
// whole jiffies (1 to 10 ms), which is enough to tell the two ends of a gap apart that is longer than two of them. It does not know it of
// a Unix socket.
static double left_at(const Socket *socket, double before, double after) {
  struct timespec jiffy;
  if (clock_getres(CLOCK_MONOTONIC_COARSE, &jiffy) != 0 || after - before <= 2 * ms_of(jiffy)) return before;
  struct tcp_info info;
  socklen_t length = sizeof info;
  if (getsockopt(socket->fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return before;
  return info.tcpi_last_data_sent < (after - before) / 2 ? after : before;
}

// The same as give(), and when that was: on the clock of JavaScript. `time` is that of the call, and then that behind it.
static ssize_t give_at(Group *group, int32_t number, const uint8_t *bytes, size_t length, double *at, double *time) {
  double before = *time;
  ssize_t taken = give(group, number, bytes, length);
  double after = *time = clock_ms(CLOCK_MONOTONIC);
  *at = (taken > 0 && after - before > LONG_CALL ? left_at(group->sockets + number, before, after) : before) - group->origin;
  return taken;
}

// flush(group, count) → how many of the first `count` sends were not taken in full.
static napi_value flush(napi_env env, napi_callback_info info) {
  napi_value values[2];
  Group *group = group_of(env, info, 2, values);
  if (group == NULL) return NULL;
  int32_t count = int_of(env, values[1]), incomplete = 0;
  if (count > group->mostSends) count = group->mostSends;
  double time = clock_ms(CLOCK_MONOTONIC);
  for (int32_t i = 0; i < count; i++) {
    int32_t *one = group->sends + SEND_FIELDS * i;
    int32_t number = one[0], offset = one[1], length = one[2];
    bool inside = offset >= 0 && length >= 0 && (size_t) offset + (size_t) length <= group->outSize;
    // What is behind a part that was not taken waits with it.
    bool waits = is_open(group, number) && group->sockets[number].full;
    group->sentAt[i] = time - group->origin;
    one[3] = inside ? 0 : -EINVAL;
    if (inside && !waits) one[3] = (int32_t) give_at(group, number, group->out + offset, length, group->sentAt + i, &time);
    if (one[3] != length) incomplete++;
  }
  return number_of(env, incomplete);
}

// send(group, socket, bytes, offset) → how many bytes from there on the kernel took, or -errno; sentAt[0] is when.
static napi_value send_bytes(napi_env env, napi_callback_info info) {
  napi_value values[4];
  Group *group = group_of(env, info, 4, values);
  if (group == NULL) return NULL;
  size_t length = 0;
  uint8_t *bytes = elements(env, values[2], napi_uint8_array, 0, &length);
  int64_t offset = -1;
  napi_get_value_int64(env, values[3], &offset);
  if (bytes == NULL || offset < 0 || (size_t) offset > length) return number_of(env, -EINVAL);
  double time = clock_ms(CLOCK_MONOTONIC);
  return number_of(env, (int32_t) give_at(group, int_of(env, values[1]), bytes + offset, length - offset, group->sentAt, &time));
}

// end(group, socket): it is closed. Its number is not given out again before the next turn.
static napi_value end_socket(napi_env env, napi_callback_info info) {
  napi_value values[2];
  Group *group = group_of(env, info, 2, values);
  if (group != NULL) shut(group, int_of(env, values[1]));
  return NULL;
}

NAPI_MODULE_INIT() {
  Env *data = calloc(1, sizeof *data);
  if (data == NULL) return exports;
  data->env = env;
  const struct { const char *name; napi_callback call; } functions[] = {
    { "open", open_group }, { "close", close_group }, { "adopt", adopt }, { "connect", connect_socket }, { "flush", flush }, { "send", send_bytes }, { "end", end_socket }
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    napi_value function;
    napi_create_function(env, functions[i].name, NAPI_AUTO_LENGTH, functions[i].call, data, &function);
    napi_set_named_property(env, exports, functions[i].name, function);
  }
  napi_add_async_cleanup_hook(env, end, data, &data->hook);
  return exports;
}
