'use strict'

const t = require('tap')
const { StolenTime, ticksOf } = require('../../lib/machine/stolen-time')

t.test('ticks of all cores', async t => {
  t.strictSame(ticksOf('cpu  100 1 50 900 7 3 2 40 9 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n'), { busy: 156, steal: 40 })
  t.strictSame(ticksOf('cpu  100 1 50 900\n'), { busy: 151, steal: 0 }, 'of an old kernel')
  for (const text of [null, '', 'cpu0 1 2 3\n', 'nonsense']) t.equal(ticksOf(text), null)
})

t.test('what the host and the quota took since the last time', async t => {
  const files = { '/proc/stat': 'cpu  100 0 0 900 0 0 0 0 0 0\n', '/proc/self/cgroup': '0::/x\n', '/sys/fs/cgroup/x/cpu.max': '50000 100000\n', '/sys/fs/cgroup/x/cpu.stat': 'throttled_usec 5000\n' }
  const stolen = new StolenTime(path => files[path] ?? null)
  t.strictSame(stolen.take(500), { stolenMs: 0, throttledMs: 0 })
  files['/proc/stat'] = 'cpu  200 0 0 900 0 0 0 25 0 0\n'
  files['/sys/fs/cgroup/x/cpu.stat'] = 'throttled_usec 9000\n'
  t.strictSame(stolen.take(400), { stolenMs: 100, throttledMs: 4 }, 'a quarter of what the cores had')
  t.strictSame(stolen.take(400), { stolenMs: 0, throttledMs: 0 }, 'nothing passed')
  delete files['/sys/fs/cgroup/x/cpu.stat']
  delete files['/proc/stat']
  t.strictSame(stolen.take(400), { stolenMs: 0, throttledMs: 0 }, 'files that can not be read')
  files['/sys/fs/cgroup/x/cpu.stat'] = 'throttled_usec 9000\n'
  t.strictSame(stolen.take(400), { stolenMs: 0, throttledMs: 0 })
})

t.test('without a quota or a /proc nothing is taken', async t => {
  t.strictSame(new StolenTime(() => null).take(100), { stolenMs: 0, throttledMs: 0 })
})
