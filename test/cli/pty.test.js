'use strict'

// The command line on a pseudo-terminal.

const t = require('tap')
const { BIN, cleanEnv } = require('../helpers/processes/cli')
const { serve, closedPort } = require('../helpers/servers/http-server')
const { TestScreen } = require('../helpers/processes/screen')
const { lacksTerminal, onTerminal: runOnTerminal } = require('../helpers/processes/terminal')

const ESC = '\x1b['

/**
 * @param {string[]} argv
 * @param {{ env?: Record<string, string>, columns?: number, type?: (said: string) => string | undefined }} [options]
 */
function onTerminal (argv, { env = {}, ...options } = {}) {
  const surroundings = cleanEnv({ TERM: 'xterm-256color', ...env })
  for (const name of ['COLORTERM', 'CI', 'TMUX', 'NODE_DISABLE_COLORS']) delete surroundings[name]
  return runOnTerminal([process.execPath, BIN, ...argv], { env: surroundings, ...options })
}

/** @param {string} text */
// eslint-disable-next-line no-control-regex
const withoutCodes = text => text.replace(/\x1b\[[\d;]*[A-Za-z]/g, '')

t.test('on a terminal', { skip: lacksTerminal }, async t => {
  t.test('the live area is drawn in place with the figures, and cleared before the report', async t => {
    const server = await serve(t)
    const { code, screen } = await onTerminal(['-c', '1', '-d', '2.5', '-L', '100', '--threshold', 'p99 < 5s', server.url])
    t.equal(code, 0)
    t.ok(screen.startsWith(`Running 2.5s test @ ${server.url}\n1 connection\n\n\r`))
    const draws = screen.split('\r').map(withoutCodes)
    t.match(draws[1], /^█*[▏▎▍▌▋▊▉]?░+ +\d+ % {2}[\d.]+ s of 2\.5 s, [\d.]+ s left\n$/, 'from the start')
    const last = draws.findLast(text => text.startsWith('█')) ?? ''
    // A sample that a busy machine was late with is a gap.
    t.match(last, /\nreq\/s +[\d,.]+ {2,}[▁-█][▁-█ ]* +[\d,.]+\np50 .*\np99 .*\nmax .*\n/)
    t.match(last, /\nstatus {7}[\d,]+ × 200\nthresholds {3}✓ p99 < 5s {2}now [\d.]+ ms\nconnections {2}1 open {2}[01] requests? in flight\ngenerator /)
    const seen = new TestScreen(100, 30)
    seen.write(screen)
    t.strictSame(seen.all.slice(0, 3), [`Running 2.5s test @ ${server.url}`, '1 connection', ''], 'nothing of it stays')
    t.match(seen.all[3], /^[\d,.]+ req\/s · /, 'the report starts where it was')
    t.equal(seen.all.filter(line => line.startsWith('requests/s')).length, 0)
    t.match(withoutCodes(seen.all.join('\n')), /\n\S+ requests? in \S+s, \S+ \S?B read\n/)
  })

  t.test('it follows the amount', async t => {
    let count = 0
    // Half of the amount is answered; the rest, once the bar has been seen to say so.
    /** @type {import('node:http').ServerResponse | null} */
    let held = null
    const server = await serve(t, (request, response) => {
      if (++count === 6) held = response
      else response.end('ok')
    })
    const { code, screen } = await onTerminal(['-c', '1', '-a', '10', '-L', '50', server.url], {
      type (said) {
        if (held !== null && withoutCodes(said).includes('5 of 10 requests')) {
          held.end('ok')
          held = null
        }
        return undefined
      }
    })
    t.equal(code, 0)
    t.match(withoutCodes(screen), /█{15}░{15} +50 % {2}5 of 10 requests/)
  })

  t.test('the report has colours', async t => {
    const server = await serve(t)
    const { screen } = await onTerminal(['-c', '1', '-a', '2', '-n', '--renderStatusCodes', server.url])
    t.match(screen, `│ ${ESC}36mStat${ESC}39m `)
    t.match(screen, `│ ${ESC}1mLatency${ESC}22m │`)
    t.match(screen, `│ ${ESC}32m200${ESC}39m `)
    const dead = await onTerminal(['-c', '1', '-a', '2', '-n', `http://127.0.0.1:${await closedPort()}`])
    t.equal(dead.code, 1)
    t.match(dead.screen, `${ESC}31m2 errors:${ESC}39m\n  ${ESC}31m2 × ECONNREFUSED: nothing listens at that address${ESC}39m\n`)
  })

  t.test('NO_COLOR takes the colours, not the area', async t => {
    const server = await serve(t)
    const { screen } = await onTerminal(['-c', '1', '-d', '0.3', '-L', '100', server.url], { env: { NO_COLOR: '1' } })
    t.notMatch(screen, /\x1b\[[\d;]*m/) // eslint-disable-line no-control-regex
    t.match(screen, /[\d.]+ s of 0\.3 s/)
    t.match(screen, '\nreq/s ')
  })

  t.test('a dumb terminal gets no colours and no area', async t => {
    const server = await serve(t)
    const { screen } = await onTerminal(['-c', '1', '-a', '2', server.url], { env: { TERM: 'dumb' } })
    t.notMatch(screen, ESC)
    t.notMatch(screen, '░')
    t.match(screen, '│ Latency │')
  })

  t.test('-n shows nothing while it runs', async t => {
    const server = await serve(t)
    for (const flag of ['-n', '--no-progress']) {
      const { code, screen } = await onTerminal([flag, '-c', '1', '-d', '0.3', '-L', '100', server.url])
      t.equal(code, 0)
      t.match(withoutCodes(screen), new RegExp(`^Running 0.3s test @ ${server.url}\n1 connection\n\n[\\d,.]+ req/s · `), 'the report follows the banner')
      t.notMatch(screen, '░')
      t.notMatch(screen, /\x1b\[\d*[A-HJK]/, 'the cursor stays where it is') // eslint-disable-line no-control-regex
    }
  })

  t.test('--json shows nothing but the line', async t => {
    const server = await serve(t)
    const { code, screen } = await onTerminal(['--json', '-c', '1', '-a', '2', server.url])
    t.equal(code, 0)
    t.match(screen, /^\{[^\n]*\}\n$/)
    t.equal(JSON.parse(screen)['2xx'], 2)
  })

  t.test('a narrow terminal has one line', async t => {
    const server = await serve(t)
    const { screen } = await onTerminal(['-c', '1', '-d', '1.5', '-L', '100', server.url], { columns: 50 })
    const draws = withoutCodes(screen).split(/[\r\n][\d,.]+ req\/s ·/)[0].split('\r').slice(1)
    t.ok(draws.some(text => /^\d+ % {2}\S+ req\/s {2}p99 /.test(text)), draws.join('|'))
    t.strictSame(draws.filter(text => text.trimEnd().length >= 50 || text.trimEnd().includes('\n')), [])
  })

  t.test('what a hook, a server and a notice write stands above the area', async t => {
    const folder = t.testdir({ 'server.js': "let n = 0; require('node:http').createServer((request, response) => { if (++n % 20 === 0) console.log('served ' + n); setTimeout(() => response.end('ok'), 5) }).listen(0)" })
    const { code, screen } = await onTerminal(['-c', '1', '-d', '1.5', '-L', '100', '--on-port', '/', '--', 'node', `${folder}/server.js`])
    t.equal(code, 0)
    const seen = new TestScreen(100, 30)
    seen.write(screen)
    const served = seen.all.filter(line => /^served \d+$/.test(line))
    t.ok(served.length > 5, seen.all.join('\n'))
    t.strictSame(served, Array.from(served, (_, i) => `served ${20 * (i + 1)}`), 'in turn, each a line of its own')
    t.equal(seen.all.filter(line => /░|^requests\/s|^status/.test(line)).length, 0, 'and nothing of the area between them')
  })

  t.test('Ctrl-C clears the area and prints the report so far', async t => {
    const server = await serve(t)
    let typed = false
    const { code, screen } = await onTerminal(['-c', '1', '-d', '60', '-L', '100', server.url], {
      type (said) {
        if (typed || !said.includes('p99')) return undefined
        typed = true
        return '\x03'
      }
    })
    t.equal(code, 130)
    const seen = new TestScreen(100, 30)
    seen.write(screen)
    const report = seen.all.join('\n') + '\n'
    t.match(withoutCodes(report), '│ Latency │')
    t.match(withoutCodes(report), /\n\S+ requests? in \S+s, \S+ \S?B read\n(.+\n)*! Ended by SIGINT, exit code 130.*\n$/)
    t.notMatch(report, /░|^requests\/s/m)
  })
})
