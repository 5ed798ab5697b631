/*
 * A QEMU plugin that counts the instructions each virtual core executes, as `perf stat` of a process would: user and kernel
 * apart, and in places of their own what the idle task does (with the interrupts that wake it) and the timer interrupts.
 *
 *   -plugin count.so,counters=FILE,idle=HEX,busy=HEX,timer=HEX,return=HEX
 *
 * FILE holds uint64s, eight per core: user, kernel, idle task, timer. The addresses are those of functions in the guest's kernel:
 * do_idle, and finish_task_switch, which ends it; asm_sysvec_apic_timer_interrupt, and irqentry_exit. What has no address is
 * counted as "kernel".
 *
 * The prototypes stand here because Debian ships QEMU without its plugin header. They are those of API version 1 (QEMU 4.2 to
 * 8.2), and the few of them did not change until version 2 (from 9.0 on the oldest that QEMU takes); PLUGIN_API says which.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CORES = 64, FIELDS = 8, FILE_SIZE = CORES * FIELDS * sizeof(uint64_t) };
enum field { USER, KERNEL, IDLE, TIMER };

typedef uint64_t plugin_id;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_info { const char *target; struct { int oldest, newest; } api; };
typedef void translated(plugin_id, struct qemu_plugin_tb *);
typedef void executed(unsigned int core, void *data);

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, translated *);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, executed *, int registers, void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *);
/* Until API version 2 it takes one argument and returns where the bytes are; from 3 on it copies them. One that takes fewer
 * arguments than it is given leaves the others alone. */
uintptr_t qemu_plugin_insn_data(const struct qemu_plugin_insn *, void *copy, size_t size);

int qemu_plugin_version = PLUGIN_API;

static volatile uint64_t *counters;
static uint64_t idle_at, busy_at, timer_at, return_at;
static bool copies;
static struct { bool idle, timer; char padding[62]; } cores[CORES];

static void run_user(unsigned int core, void *n) { counters[core * FIELDS + USER] += (uintptr_t)n; }

static void run_kernel(unsigned int core, void *n) {
  enum field field = cores[core].idle ? IDLE : cores[core].timer ? TIMER : KERNEL;
  counters[core * FIELDS + field] += (uintptr_t)n;
}

static void set_idle(unsigned int core, void *yes) { cores[core].idle = yes != NULL; }

static void set_timer(unsigned int core, void *yes) { cores[core].timer = yes != NULL; }

/* Whether it is a string instruction (movs, cmps, stos, lods, scas, ins, outs) that repeats. */
static bool repeats(const struct qemu_plugin_insn *insn) {
  uint8_t copy[16] = { 0 };
  size_t size = qemu_plugin_insn_size(insn);
  uintptr_t data = qemu_plugin_insn_data(insn, copy, sizeof copy);
  const uint8_t *bytes = copies ? copy : (const uint8_t *)data;
  bool rep = false;
  for (size_t i = 0; i < size; i++) {
    uint8_t b = bytes[i];
    if (b == 0xf2 || b == 0xf3) rep = true;
    else if (b != 0x66 && b != 0x67 && (b & 0xf0) != 0x40)
      return rep && ((b >= 0xa4 && b <= 0xa7) || (b >= 0xaa && b <= 0xaf) || (b >= 0x6c && b <= 0x6f));
  }
  return false;
}

static void on_translated(plugin_id id, struct qemu_plugin_tb *tb) {
  (void)id;
  uint64_t at = qemu_plugin_tb_vaddr(tb);
  uintptr_t n = qemu_plugin_tb_n_insns(tb);
  if (at == idle_at || at == busy_at) qemu_plugin_register_vcpu_tb_exec_cb(tb, set_idle, 0, at == idle_at ? tb : NULL);
  if (at == timer_at || at == return_at) qemu_plugin_register_vcpu_tb_exec_cb(tb, set_timer, 0, at == timer_at ? tb : NULL);
  /* QEMU enters the block anew for each iteration; a processor retires one instruction. That one is left out, so that a copy
   * of a page counts nothing instead of 4,096. */
  if (repeats(qemu_plugin_tb_get_insn(tb, 0))) n--;
  if (n > 0) qemu_plugin_register_vcpu_tb_exec_cb(tb, at >> 63 ? run_kernel : run_user, 0, (void *)n);
}

int qemu_plugin_install(plugin_id id, const struct qemu_info *info, int argc, char **argv) {
  int file = -1;
  for (int i = 0; i < argc; i++) {
    if (strncmp(argv[i], "counters=", 9) == 0) file = open(argv[i] + 9, O_RDWR | O_CREAT, 0644);
    if (strncmp(argv[i], "idle=", 5) == 0) idle_at = strtoull(argv[i] + 5, NULL, 16);
    if (strncmp(argv[i], "busy=", 5) == 0) busy_at = strtoull(argv[i] + 5, NULL, 16);
    if (strncmp(argv[i], "timer=", 6) == 0) timer_at = strtoull(argv[i] + 6, NULL, 16);
    if (strncmp(argv[i], "return=", 7) == 0) return_at = strtoull(argv[i] + 7, NULL, 16);
  }
  if (file < 0 || ftruncate(file, FILE_SIZE) != 0) return 1;
  counters = mmap(NULL, FILE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  copies = info->api.newest >= 3;
  qemu_plugin_register_vcpu_tb_trans_cb(id, on_translated);
  return counters == MAP_FAILED;
}
