'use strict'

// What is seen of a server from outside. The figures come from a /proc that the test writes, with a clock that it sets; that a real one is read alike is
// seen once at the end.

const t = require('tap')
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { mkdirSync, rmSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { MOST, ProcessFamily, parseUsage } = require('../../lib/server/process-family')
const { openWatch } = require('../../lib/server/watch')

const LINUX = process.platform === 'linux'
const onLinux = LINUX ? {} : { skip: 'only Linux has /proc' }
const KIB = 1024

/** A machine whose processes the test makes. */
class Machine {
  /** @param {any} t */
  constructor (t) {
    this.proc = t.testdir()
    this.time = 1000
    this.edge = { proc: this.proc, own: 999, clock: () => this.time, platform: 'linux' }
    this.notices = []
  }

  /** Of a process there may be more to say than this. */
  process (pid, { name = 'node', state = 'S', parent = 1, group = pid, session = group, user = 0, system = 0, reaped = 0, threads = 1, pages = 10, files = 3, leader = pid } = {}) {
    const folder = join(this.proc, String(pid))
    mkdirSync(join(folder, 'fd'), { recursive: true })
    for (let i = 0; i < files; i++) writeFileSync(join(folder, 'fd', String(i)), '')
    writeFileSync(join(folder, 'stat'), `${pid} (${name}) ${state} ${parent} ${group} ${session} 0 -1 4194304 1 2 3 4 ${user} ${system} ${reaped} 0 20 0 ${threads} 0 5000 123456 ${pages} 184467 0\n`)
    writeFileSync(join(folder, 'status'), `Name:\t${name}\nState:\t${state} (x)\nTgid:\t${leader}\n`)
  }

  end (pid) {
    // A file of /proc that is still open can't be read any more.
    writeFileSync(join(this.proc, String(pid), 'stat'), '')
    rmSync(join(this.proc, String(pid)), { recursive: true })
  }

  watch (pids, started = null) {
    return openWatch(pids, started, sentence => this.notices.push(sentence), this.edge)
  }

  /** @param {import('../../lib/server/watch').Watch} watch */
  look (watch, ms = 1000) {
    this.time += ms
    const { processes, cpu, rss, threads, files } = watch.look() ?? {}
    return { processes, cpu, rss, threads, files }
  }
}

t.test('a line of /proc/PID/stat, whatever the process calls itself', async t => {
  const line = (name, state = 'S', threads = 11) => `42 (${name}) ${state} 1 42 42 0 -1 4194304 1 2 3 4 250 50 70 80 20 0 ${threads} 0 5000 123456 300 184467 0\n`
  for (const name of ['node', 'a b', ') R 1 (', 'x) Z 9 9 9']) t.strictSame(parseUsage(line(name), 4096), { ended: false, parent: 1, ownMs: 3000, reapedMs: 1500, threads: 11, rss: 300 * 4096 }, name)
  for (const state of ['Z', 'X']) t.match(parseUsage(line('node', state, 1), 4096), { ended: true }, state)
  t.match(parseUsage(line('node', 'Z', 2), 4096), { ended: false }, 'its main thread has ended, and others go on')
  for (const text of ['', '42', '42 (node', '42 (node) S 1']) t.equal(parseUsage(text, 4096), null, JSON.stringify(text))
})

t.test('CPU time is of the time since the last look, all else of now; of all processes together', async t => {
  const machine = new Machine(t)
  machine.process(7, { user: 500, system: 100, threads: 4, pages: 100, files: 5 })
  machine.process(8, { parent: 7, user: 10, threads: 2, pages: 50, files: 2 })
  machine.process(9, { parent: 8 })
  machine.process(50, { user: 7777, pages: 9999 })
  const watch = machine.watch([7])
  watch.begin(0, () => {})
  t.strictSame(machine.look(watch), { processes: 3, cpu: 0, rss: 160 * 4 * KIB, threads: 7, files: 10 })
  machine.process(7, { user: 540, system: 110, threads: 5, pages: 120, files: 5 })
  machine.process(8, { parent: 7, user: 60, threads: 2, pages: 50 })
  t.strictSame(machine.look(watch, 500), { processes: 3, cpu: 2, rss: 180 * 4 * KIB, threads: 8, files: 11 }, '0.5 s and 0.5 s of 0.5 s')
  t.equal(watch.look(), null, 'in no time')
  machine.time += 49
  t.equal(watch.look(), null, 'in too short a time for a clock of 10 ms')
  t.strictSame(machine.look(watch, 1).cpu, 0, 'which is not lost')
  watch.close()
})

t.test('what comes and goes', async t => {
  const machine = new Machine(t)
  machine.process(7, { user: 100 })
  machine.process(20, { parent: 7, user: 100 })
  const watch = machine.watch([7])
  watch.begin(0, () => {})
  machine.process(30, { parent: 7, user: 30 })
  machine.process(31, { parent: 30, user: 20 })
  t.strictSame(machine.look(watch), { processes: 4, cpu: 0.5, rss: 40 * 4 * KIB, threads: 4, files: 12 }, 'all CPU time of those that have started since')
  machine.process(20, { parent: 7, state: 'Z', user: 200 })
  t.match(machine.look(watch), { processes: 3, cpu: 1 }, 'a zombie has ended, and what it did until then counts')
  t.strictSame(machine.notices, ['process 20 of the server (node) ended during the run'])
  machine.end(20)
  machine.process(31, { parent: 1, user: 40 })
  t.match(machine.look(watch), { processes: 3, cpu: 0.2 }, 'one whose parent has ended is known')
  machine.process(20, { parent: 1, user: 5000 })
  t.match(machine.look(watch), { processes: 3, cpu: 0 }, 'a process with the PID of one that has ended is another one')
  machine.process(7, { state: 'Z' })
  machine.process(30, { state: 'Z' })
  machine.process(31, { state: 'Z' })
  t.match(machine.look(watch), { processes: undefined }, 'nothing is left to look at')
  t.equal(machine.notices.length, 1, 'those that came later, and the root, are told of otherwise')
  watch.close()
})

t.test('CPU time of processes that have ended is not lost, and counts once, with any parent', async t => {
  const machine = new Machine(t)
  machine.process(7, { user: 100, reaped: 5000 })
  const watch = machine.watch([7])
  watch.begin(0, () => {})
  machine.process(20, { parent: 7, user: 50 })
  t.match(machine.look(watch), { cpu: 0.5 })
  // It takes 0.3 s more, and its parent takes notice of its end; another one was never observed.
  machine.end(20)
  machine.process(7, { user: 100, reaped: 5000 + 80 + 20 })
  t.match(machine.look(watch), { processes: 1, cpu: 0.5 }, '0.3 s and 0.2 s')
  machine.process(21, { parent: 7, user: 10 })
  machine.process(22, { parent: 21, user: 40 })
  t.match(machine.look(watch), { processes: 3, cpu: 0.5 })
  machine.process(22, { parent: 21, state: 'Z', user: 60 })
  t.match(machine.look(watch), { processes: 2, cpu: 0.2 }, 'no parent has waited for it')
  machine.process(21, { parent: 7, user: 10, reaped: 60 })
  machine.end(22)
  t.match(machine.look(watch), { processes: 2, cpu: 0 }, 'now one has')
  machine.end(21)
  machine.process(7, { user: 110, reaped: 5100 + 75 })
  t.match(machine.look(watch), { processes: 1, cpu: 0.15 }, '0.1 s of the parent and 0.05 s of 21')
  watch.close()
})

t.test('the name of a process that has ended is text', async t => {
  const machine = new Machine(t)
  machine.process(7)
  machine.process(8, { parent: 7, name: 'dienst-ü' })
  const watch = machine.watch([7])
  watch.begin(0, () => {})
  machine.process(8, { parent: 7, state: 'Z' })
  machine.look(watch)
  t.strictSame(machine.notices, ['process 8 of the server (dienst-ü) ended during the run'])
  watch.close()
})

t.test('the ends of a few processes are told', async t => {
  const machine = new Machine(t)
  for (let pid = 7; pid < 20; pid++) machine.process(pid, { parent: 7, name: 'a\u001b[1m)' })
  const watch = machine.watch([7])
  watch.begin(0, () => {})
  for (let pid = 8; pid < 20; pid++) machine.process(pid, { parent: 7, state: 'Z' })
  t.equal(machine.look(watch).processes, 1)
  t.equal(machine.notices.length, 3)
  t.match(machine.notices[2], /^process \d+ of the server \(a\\x1b\[1m\)\) ended during the run; others are not reported$/)
  t.notOk(machine.notices.join().includes('\u001b'))
  watch.close()
})

t.test('a server that is ours: its group and session are of it, with any parents', async t => {
  const machine = new Machine(t)
  machine.process(7)
  machine.process(8, { parent: 1, group: 7 })
  machine.process(9, { parent: 1, group: 9, session: 7 })
  machine.process(10, { parent: 1, group: 10 })
  const started = machine.watch([], { pid: 7, folder: machine.proc })
  t.equal(machine.look(started).processes, 3)
  started.close()
  const given = machine.watch([7])
  t.equal(machine.look(given).processes, 1, 'those of a PID are what it has started')
  given.close()
})

t.test('what autocannon starts is the load, and never of the server', async t => {
  const machine = new Machine(t)
  machine.process(7, { name: 'sh' })
  machine.process(8, { parent: 7 })
  machine.process(999, { parent: 7, name: 'autocannon' })
  machine.process(1000, { parent: 999 })
  const watch = machine.watch([7])
  t.equal(machine.look(watch).processes, 2)
  watch.close()
  t.throws(() => machine.watch([999]), { code: 'AC_WATCH', message: /^process 999 cannot be watched: that is autocannon itself/ })
})

t.test(`${MOST} processes are watched at the most, and that is said`, async t => {
  const machine = new Machine(t)
  machine.process(7)
  for (let pid = 100; pid < 250; pid++) machine.process(pid, { parent: 7 })
  const watch = machine.watch([7])
  t.equal(machine.look(watch).processes, MOST)
  t.strictSame(machine.notices, [`more than ${MOST} processes of the server: the first ${MOST} are watched`])
  watch.close()
})

t.test('a list that takes long is read seldom', async t => {
  const machine = new Machine(t)
  machine.process(7)
  let cost = 0
  const family = new ProcessFamily([{ pid: 7 }], { ...machine.edge, clock: () => { machine.time += cost; return machine.time } })
  cost = 5
  family.read()
  machine.process(8, { parent: 7 })
  cost = 0
  machine.time += 900
  t.equal(family.read().processes, 1, 'not before it is 1/500 of the time')
  machine.time += 200
  t.equal(family.read().processes, 2, 'but after a second all the same')
  family.close()
})

t.test('processes that can not be watched are told of in a line', async t => {
  const machine = new Machine(t)
  machine.process(7, { state: 'Z', name: 'gone\x1b[31m' })
  machine.process(8, { leader: 5, name: 'worker' })
  for (const [pid, message] of [
    [6_000_000, /^process 6000000 cannot be watched: there is none here; a container sees its own alone\. pgrep -f NAME finds those that run$/],
    [7, /^process 7 cannot be watched: it has ended \(gone[^\x1b]*\), and waits for its parent to take notice$/], // eslint-disable-line no-control-regex
    [8, /^process 8 cannot be watched: it is a thread of process 5 \(worker\); give that$/]
  ]) t.throws(() => machine.watch([pid]), { code: 'AC_WATCH', message }, String(pid))
  for (const platform of ['darwin', 'win32']) {
    t.throws(() => openWatch([7], null, () => {}, { platform }), { code: 'AC_WATCH', message: /^a process can be watched only on Linux/ })
    const watch = openWatch([], { pid: 7, folder: machine.proc }, () => {}, { platform, clock: () => machine.time })
    watch.begin(0, () => {})
    t.equal(machine.look(watch).processes, undefined, 'a server of --on-port runs all the same')
    watch.close()
  }
})

t.test('the start that is left out of the figures is left out of these, too', async t => {
  const machine = new Machine(t)
  machine.process(7)
  const watch = machine.watch([7])
  watch.begin(5, () => {})
  machine.process(7, { user: 500 })
  machine.time += 1000
  await new Promise(resolve => setTimeout(resolve, 50))
  machine.process(7, { user: 550 })
  t.equal(machine.look(watch).cpu, 0.5)
  watch.close()
})

t.test('the end of a process that was given is told', async t => {
  const machine = new Machine(t)
  for (const pid of [7, 8]) machine.process(pid)
  const watch = machine.watch([7, 8])
  // A watch keeps no process from its end.
  const load = setInterval(() => {}, 1000)
  t.teardown(() => clearInterval(load))
  const ended = new Promise(resolve => watch.begin(0, resolve))
  machine.process(8, { state: 'Z' })
  t.match(await ended, { code: 'AC_WATCH_ENDED', message: 'the watched process 8 ended during the run. The result is of the time until then.' })
  watch.close()
})

t.test('a real process: what it does is seen, and nothing of it stays open', onLinux, async t => {
  const child = spawn(process.execPath, ['-e', `
    require('fs').openSync(process.execPath)
    require('child_process').spawn(process.execPath, ['-e', 'console.log(); setInterval(() => {}, 1e3)'], { stdio: 'inherit' })
    const end = Date.now() + 3e4
    while (Date.now() < end);`], { stdio: ['ignore', 'pipe', 'ignore'], detached: true })
  t.teardown(() => process.kill(-child.pid, 'SIGKILL'))
  await once(child.stdout, 'data')
  const watch = openWatch([child.pid], null, () => {})
  watch.begin(0, () => {})
  await new Promise(resolve => setTimeout(resolve, 600))
  const { processes, cpu, rss, threads, files } = watch.look()
  t.equal(processes, 2)
  t.ok(cpu > 0.05 && cpu < 2.5, `${cpu} cores`)
  t.ok(rss > 30e6 && rss < 500e6, `${rss} bytes`)
  t.ok(threads >= 4, `${threads} threads`)
  t.ok(files > 10, `${files} files`)
  watch.close()
  t.equal(watch.family.members.size, 0)
})
