'use strict'

// Worker threads that die: the run ends at once with AC_WORKER, why, and the result of the others. Going on without them
// would be another load than the one that was asked for. test/contract/run/workers.test.js has one that throws.

const t = require('tap')
const path = require('node:path')
const { Running } = require('../helpers/processes/cli')
const { serve } = require('../helpers/servers/http-server')
const { conserves } = require('../helpers/results/conservation')

const ROOT = path.join(__dirname, '../..')

/**
 * Runs two workers of which the first that is told so dies, in a process of its own.
 * @param {any} t
 * @param {string} death what the hook of the worker does; `keep` is an array of its own
 * @param {{ flags?: string[] }} [options]
 */
async function withDeath (t, death, { flags = [] } = {}) {
  const folder = t.testdir({
    'hook.js': `
      let keep = []
      module.exports = (status, body) => { if (body === 'die') { ${death} } }
    `
  })
  /** @type {import('node:net').Socket | undefined} */
  let doomed
  let others = 0
  const server = await serve(t, ({ socket }, response) => {
    doomed ??= socket
    if (socket !== doomed) others++
    // Once both have had samples.
    response.end(socket === doomed && others >= 200 ? 'die' : 'ok')
  })
  const script = `
    const autocannon = require(${JSON.stringify(ROOT)})
    autocannon({
      url: '${server.url}', workers: 2, connections: 2, connectionRate: 500, duration: 60, sampleInt: 200,
      requests: [{ onResponse: ${JSON.stringify(path.join(folder, 'hook.js'))} }]
    }).then(() => { console.log('{}') }, ({ code, message, result }) => { console.log(JSON.stringify({ code, message, result })) })
  `
  const { code, stdout, stderr } = await new Running(process.execPath, [...flags, '-e', script], {}).ended
  t.equal(code, 0, 'the process lives and ends by itself')
  t.equal(stderr.replace(/<---[^]*--->[^]*/, ''), '')
  return { ...JSON.parse(stdout), requests: server.requests.length, others }
}

/** @type {Array<[title: string, death: string, flags: string[], message: RegExp]>} */
const DEATHS = [
  ['calls process.exit()', 'process.exit(0)', [], /^a worker thread ended with code 0 before its run was over: did a hook call process\.exit\(\)\?$/],
  ['calls process.exit(3)', 'process.exit(3)', [], /^a worker thread ended with code 3 before its run was over/],
  ['throws outside of any catch', "setImmediate(() => { throw new Error('nobody catches') })", [], /^a worker thread failed: nobody catches$/],
  ['rejects outside of any catch', "Promise.reject(new Error('nobody catches'))", [], /^a worker thread failed: nobody catches$/],
  ['runs out of memory', 'for (;;) keep.push(new Array(10000).fill(keep.length))', ['--max-old-space-size=48'],
    /^a worker thread failed: .*memory.*\. Do its hooks keep what they get\? More memory: NODE_OPTIONS=--max-old-space-size=4096 \(MB\)$/]
]

t.test('a worker that', async t => {
  t.jobs = 2
  for (const [title, death, flags, expected] of DEATHS) {
    t.test(title, { buffered: true }, async t => {
      const { code, message, result, requests, others } = await withDeath(t, death, { flags })
      t.equal(code, 'AC_WORKER')
      t.match(message, expected)
      t.ok(result.duration < 60, 'the run ends at once')
      t.ok(result.requests.total >= 200 && result.requests.total <= requests, `${result.requests.total} answers are known, ${others} of the other`)
      t.equal(result.errors, 0, 'the server is not to blame')
      conserves(t, result)
    })
  }
})
