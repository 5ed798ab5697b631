'use strict'

// Files that can be read only once: standard input, and what a shell makes of <(…).

const t = require('tap')
const path = require('node:path')
const { shell } = require('../helpers/processes/cli')
const { serve, valuesOf } = require('../helpers/servers/http-server')

const WINDOWS = process.platform === 'win32' ? { skip: 'no shell with pipes' } : {}

/** Each way to give a file whose content comes once; `$FILE` has the content. */
const WAYS = {
  '/dev/stdin': (/** @type {string} */ flags) => `cat "$FILE" | $AUTOCANNON -j -c 1 -a 1 ${flags.replace('@', '/dev/stdin')}`,
  '-': (/** @type {string} */ flags) => `cat "$FILE" | $AUTOCANNON -j -c 1 -a 1 ${flags.replace('@', '-')}`,
  // As bash does for <(…).
  '<(…)': (/** @type {string} */ flags) => `cat "$FILE" | { $AUTOCANNON -j -c 1 -a 1 ${flags.replace('@', '/dev/fd/3')} 3<&0 </dev/null; }`
}

/** A result that a run may be compared with. */
const BASELINE = { requests: { average: 1, total: 1 }, throughput: { average: 1 }, errors: 0, latency: { p50: 1 }, start: new Date(0), duration: 1 }

t.test('a file that can be read only once is read once', WINDOWS, async t => {
  const server = await serve(t)
  const dir = t.testdir({
    'a.har': JSON.stringify({ log: { entries: [{ request: { method: 'PUT', url: server.url + '/recorded' } }] } }),
    'a.form': JSON.stringify({ field: { type: 'text', value: 'from a pipe' } }),
    'a.json': JSON.stringify({ method: 'DELETE', headers: { 'x-from': 'a pipe' } }),
    'base.json': JSON.stringify(BASELINE),
    'targets.txt': 'PUT /listed\nX-A: b',
    'a.txt': 'x'.repeat(200_000)
  })
  for (const [way, script] of Object.entries(WAYS)) {
    for (const [file, flags, expected] of /** @type {Array<[string, string, any]>} */ ([
      ['a.har', '--har @', { method: 'PUT', url: '/recorded' }],
      ['targets.txt', '--targets @', { method: 'PUT', url: '/listed' }],
      ['a.form', '-F @', { method: 'POST', body: /from a pipe/ }],
      ['a.txt', '-F \'{"a":{"type":"file","path":"@"}}\'', { method: 'POST', body: /x{200000}/ }],
      ['a.json', '--config @', { method: 'DELETE' }],
      ['base.json', '--baseline @', { method: 'GET' }],
      ['a.txt', '-i @ -m POST', { method: 'POST', body: 'x'.repeat(200_000) }]
    ])) {
      const before = server.requests.length
      const { code, stderr } = await shell(`${script(`${flags} ${server.url}`)}`, { env: { FILE: path.join(dir, file) } })
      t.equal(code, 0, `${flags} by ${way}: ${stderr}`)
      t.match(server.requests.slice(before), [expected], `${flags} by ${way}`)
      if (file === 'a.json') t.strictSame(valuesOf(server.requests[before], 'x-from'), ['a pipe'])
    }
  }
})

t.test('two things that want standard input are refused', WINDOWS, async t => {
  const dir = t.testdir({ 'a.json': '{ "input": "-" }' })
  for (const [flags, named] of [
    ['-i - --har /dev/stdin', '--har'],
    ['--config - -i -', '-i/--input'],
    [`--config ${path.join(dir, 'a.json')} --baseline -`, '--baseline'],
    ['-F \'{"a":{"type":"file","path":"-"},"b":{"type":"file","path":"/dev/stdin"}}\'', '-F/--form']
  ]) {
    const { code, stderr } = await shell(`echo '{}' | $AUTOCANNON ${flags} http://127.0.0.1:1`)
    t.equal(code, 2, stderr)
    t.match(stderr, new RegExp(`^autocannon: ${named}: .*standard input can be read only once, and something else has read it$`, 'm'))
  }
})
