'use strict'

// The command line on a pseudo-terminal.

const t = require('tap')
const { BIN, cleanEnv } = require('../helpers/cli')
const { serve, closedPort } = require('../helpers/http-server')
const { lacksTerminal, spawnOnTerminal } = require('../helpers/terminal')

const ESC = '\x1b['
const CLEAR_LINE = `${ESC}2K${ESC}1G`

/**
 * @param {string[]} argv
 * @param {{ env?: Record<string, string>, columns?: number, type?: (said: string) => string | undefined }} [options]
 *   `type` is asked what to type after each output
 * @returns {Promise<{ code: number, screen: string }>} all that was written to the terminal
 */
function onTerminal (argv, { env = {}, columns, type } = {}) {
  const surroundings = cleanEnv({ TERM: 'xterm-256color', ...env })
  for (const name of ['COLORTERM', 'CI', 'TMUX', 'NODE_DISABLE_COLORS']) delete surroundings[name]
  return new Promise(resolve => {
    let screen = ''
    const terminal = spawnOnTerminal([process.execPath, BIN, ...argv], { env: surroundings, columns })
    terminal.onData(text => {
      screen += text
      const keys = type?.(screen)
      if (keys !== undefined) terminal.write(keys)
    })
    terminal.onExit(({ exitCode }) => resolve({ code: exitCode, screen: screen.replaceAll('\r\n', '\n') }))
  })
}

/** @param {string} text */
// eslint-disable-next-line no-control-regex
const withoutCodes = text => text.replace(/\x1b\[[\d;]*[A-Za-z]/g, '')

t.test('on a terminal', { skip: lacksTerminal }, async t => {
  t.test('the bar is drawn with requests/s and p99, and cleared before the report', async t => {
    const server = await serve(t)
    const { code, screen } = await onTerminal(['-c', '1', '-d', '1.5', '-L', '100', server.url])
    t.equal(code, 0)
    t.equal(screen.slice(0, screen.indexOf(ESC)), `Running 1.5s test @ ${server.url}\n1 connection\n\n`)

    const cleared = screen.indexOf(CLEAR_LINE)
    const bars = screen.slice(screen.indexOf(ESC), cleared).split(`${ESC}1G`).map(withoutCodes).filter(line => line !== '')
    t.ok(bars.length > 3, `drawn ${bars.length} times`)
    t.match(bars[0], /^running \[ {20}\] \d% $/)
    t.ok(bars.every(bar => /^running \[=* *\] \d+% (\| \S+ req\/s, p99 [\d.,]+ ms, generator \d+ %)?$/.test(bar)), bars.join('\n'))
    t.ok(bars.every(bar => bar.indexOf(']') === 'running ['.length + 20), 'the bar keeps its width')
    t.match(bars.at(-1), /^running \[=+ *\] \d+% \| [1-9]\S* req\/s, p99 [\d.,]+ ms, generator \d+ %$/)
    const percents = bars.map(bar => Number(/(\d+)%/.exec(bar)?.[1]))
    t.strictSame(percents, [...percents].sort((a, b) => a - b), 'it only grows')

    const report = screen.slice(cleared + CLEAR_LINE.length)
    t.ok(report.startsWith('\n┌'), 'the report starts on the cleared line')
    t.notMatch(report, 'running [')
    t.match(withoutCodes(report), /\n\S+ requests? in \S+s, \S+ \S?B read\n/)
  })

  t.test('the bar follows the amount', async t => {
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
        if (held !== null && withoutCodes(said).includes('] 50%')) {
          held.end('ok')
          held = null
        }
        return undefined
      }
    })
    t.equal(code, 0)
    t.match(withoutCodes(screen), 'running [==========          ] 50% ')
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

  t.test('NO_COLOR takes the colours, not the bar', async t => {
    const server = await serve(t)
    const { screen } = await onTerminal(['-c', '1', '-d', '0.3', '-L', '100', server.url], { env: { NO_COLOR: '1' } })
    t.notMatch(screen, /\x1b\[[\d;]*m/) // eslint-disable-line no-control-regex
    t.match(screen, 'running [')
    t.match(screen, 'req/s, p99')
  })

  t.test('a dumb terminal gets no colours', async t => {
    const server = await serve(t)
    const { screen } = await onTerminal(['-c', '1', '-a', '2', '-n', server.url], { env: { TERM: 'dumb' } })
    t.notMatch(screen, ESC)
    t.match(screen, '│ Latency │')
  })

  t.test('-n shows no bar', async t => {
    const server = await serve(t)
    for (const flag of ['-n', '--no-progress']) {
      const { code, screen } = await onTerminal([flag, '-c', '1', '-d', '0.3', '-L', '100', server.url])
      t.equal(code, 0)
      t.ok(screen.startsWith(`Running 0.3s test @ ${server.url}\n1 connection\n\n\n┌`), 'the report follows the banner')
      t.notMatch(screen, 'running [')
      t.notMatch(screen, /req\/s, p99/)
      t.notMatch(screen, `${ESC}1G`, 'the cursor stays where it is')
    }
  })

  t.test('--json shows nothing but the line', async t => {
    const server = await serve(t)
    const { code, screen } = await onTerminal(['--json', '-c', '1', '-a', '2', server.url])
    t.equal(code, 0)
    t.match(screen, /^\{[^\n]*\}\n$/)
    t.equal(JSON.parse(screen)['2xx'], 2)
  })

  t.test('the bar fits a narrow terminal', async t => {
    const server = await serve(t)
    const { screen } = await onTerminal(['-c', '1', '-d', '0.3', '-L', '100', server.url], { columns: 50 })
    const cleared = screen.indexOf(CLEAR_LINE)
    const bars = screen.slice(screen.indexOf(ESC), cleared).split(`${ESC}1G`).map(withoutCodes)
    t.ok(bars.some(bar => bar.startsWith('running [')))
    t.strictSame(bars.filter(bar => bar.length >= 50), [])
  })

  t.test('Ctrl-C clears the bar and prints the report so far', async t => {
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
    const report = screen.slice(screen.indexOf(CLEAR_LINE))
    t.match(withoutCodes(report), '│ Latency │')
    t.match(withoutCodes(report), /\n\S+ requests? in \S+s, \S+ \S?B read\n(.+\n)*Interrupted after [\d.]+ of 60 s\n! Ended by SIGINT, exit code 130: .*\n$/)
    t.notMatch(report, 'running [')
  })
})
