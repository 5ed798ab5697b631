'use strict'

// Where a live page is: what --ui takes, on the command line and in a config.

const t = require('tap')
const { readFlags, grammarOf } = require('../../lib/cli/args')
const { normalize } = require('../../lib/options/normalize')
const { TABLE, VERSUS } = require('../../lib/options/table')
const { validate } = require('../../lib/options/validate')
const { mayBeUi, parseUi } = require('../../lib/options/ui')

t.test('addresses', async t => {
  for (const given of ['', true, 'true', '0', 0]) t.strictSame(parseUi(given), { host: '127.0.0.1', port: 0, isLoopback: true }, String(given))
  for (const given of ['8080', ':8080', 8080]) t.strictSame(parseUi(given), { host: '127.0.0.1', port: 8080, isLoopback: true }, String(given))
  t.strictSame(parseUi('127.1.2.3:1'), { host: '127.1.2.3', port: 1, isLoopback: true })
  t.strictSame(parseUi('[::1]:8080'), { host: '::1', port: 8080, isLoopback: true })
  t.strictSame(parseUi('localhost:8080'), { host: 'localhost', port: 8080, isLoopback: true })
  for (const given of ['0.0.0.0:8080', '[::]:8080', '10.0.0.1:80', 'bench-7:8080', '127.0.0.1.evil.example:80', '128.0.0.1:80', '1.127.0.0:80']) t.equal(parseUi(given)?.isLoopback, false, given)
  t.equal(parseUi(false), undefined)
  for (const given of ['127.0.0.1', 'x', ':', '1:2:3', '::1:80', ':65536', '127.0.0.1:80/x', 'http://localhost:80', ' ', 1.5, -1, {}, []]) t.throws(() => parseUi(given), { message: /^expected an address and a port such as 127\.0\.0\.1:8080/ }, String(given))
})

t.test('what stands behind --ui is its address where a URL comes as well', async t => {
  /** @param {string} line */
  const read = line => {
    const { raw: { ui, url }, problems } = readFlags(line.split(' '), {})
    return [ui, url, ...problems]
  }
  t.strictSame(read('--ui localhost:3000'), ['', ['localhost:3000']])
  t.strictSame(read('localhost:3000 --ui'), ['', ['localhost:3000']])
  t.strictSame(read('--ui 127.0.0.1:8080 localhost:3000'), ['127.0.0.1:8080', ['localhost:3000']])
  t.strictSame(read('localhost:3000 --ui [::1]:8080'), ['[::1]:8080', ['localhost:3000']])
  t.strictSame(read('--ui :8080 localhost:3000'), [':8080', ['localhost:3000']])
  t.strictSame(read('--ui=0.0.0.0:8080 localhost:3000'), ['0.0.0.0:8080', ['localhost:3000']])
  t.strictSame(read('--ui http://localhost:3000'), ['', ['http://localhost:3000']])
  t.strictSame(read('--ui -c 5 localhost:3000'), ['', ['localhost:3000']])
  t.strictSame(read('--ui localhost:3000 localhost:3001'), ['localhost:3000', ['localhost:3001']], 'the first of two is the address, as the help has it')
  t.strictSame(read('--ui localhost:3000/a localhost:3001'), ['', ['localhost:3000/a', 'localhost:3001']])
  const versus = readFlags('--ui a:1 b:2'.split(' '), {}, [], grammarOf([...TABLE, ...VERSUS], 'two urls')).raw
  t.strictSame([versus.ui, versus.url], ['', ['a:1', 'b:2']], 'versus takes two')
  t.ok(mayBeUi(':80') && !mayBeUi('80') && !mayBeUi('x'))
})

t.test('other machines come to it only when that is said', async t => {
  const url = 'http://localhost:3000'
  t.throws(() => validate({ url, ui: '0.0.0.0:8080' }), { message: 'ui 0.0.0.0:8080: other machines could see the page there, and whoever has its link can watch the run and end it, over plain HTTP: add uiAllowRemote if that is meant, or leave the address out' })
  t.strictSame(validate({ url, ui: '0.0.0.0:8080', uiAllowRemote: true }).values.ui, { host: '0.0.0.0', port: 8080, isLoopback: false })
  t.throws(() => validate({ url, open: true }), { message: 'open: expected ui as well, got none: there is no page' })
  t.throws(() => validate({ url, uiAllowRemote: true }), { message: /^uiAllowRemote: expected ui as well/ })
  t.throws(() => validate({ url, ui: 'x', open: true }), { message: /^ui: expected an address[^\n]*$/ }, 'one sentence')
  t.equal(normalize({}, ({ name }) => name).values.ui, undefined)
})
