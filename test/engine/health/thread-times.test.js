'use strict'

const t = require('tap')
const { ThreadTimes } = require('../../../lib/engine/health/thread-times')

t.test('the time of this thread on a core grows while it works, and what it waited for one is told on Linux', async t => {
  const times = new ThreadTimes()
  times.open()
  t.teardown(() => times.close())
  const before = times.read()
  let after = before
  for (const end = performance.now() + 5000; after.cpuMs - before.cpuMs < 20 && performance.now() < end;) after = times.read()
  t.ok(after.cpuMs - before.cpuMs >= 20)
  if (process.platform !== 'linux') t.equal(after.runDelayMs, null)
  else t.ok(after.runDelayMs >= before.runDelayMs && before.runDelayMs >= 0, `${before.runDelayMs}, then ${after.runDelayMs}`)
})

t.test('where the system has no schedstat, the time on a core is that of the process, and what it waited is not known', async t => {
  const times = new ThreadTimes()
  // As on another system: the file was never opened.
  const { cpuMs, runDelayMs } = times.read()
  t.ok(cpuMs > 0)
  t.equal(runDelayMs, null)
  times.close()
})
