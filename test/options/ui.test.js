'use strict'

// Where a live page is: what --ui takes, on the command line and in a config.

const t = require('tap')
const { readFlags, grammarOf } = require('../../lib/cli/args')
const { normalize } = require('../../lib/options/normalize')
const { VERSUS } = require('../../lib/experiments/versus/flags')
const { TABLE } = require('../../lib/options/table')
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

t.test('the word after --ui is its address where a URL comes as well', async t => {
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
  const versus = readFlags('--ui a:1 b:2'.split(' '), {}, undefined, grammarOf([...TABLE, ...VERSUS], 'two urls')).raw
  t.strictSame([versus.ui, versus.url], ['', ['a:1', 'b:2']], 'versus takes two')
  t.ok(mayBeUi(':80') && !mayBeUi('80') && !mayBeUi('x'))
})

t.test('a config with a URL makes the word after --ui its address', async t => {
  /** @param {string} line @param {Record<string, any>} config */
  const read = (line, config = { url: 'http://localhost:3000' }) => {
    const { raw: { ui, url }, problems } = readFlags(line.split(' '), {}, config)
    return [ui, url, ...problems]
  }
  t.strictSame(read('--config c.yaml --ui 127.0.0.1:8896'), ['127.0.0.1:8896', undefined], 'the URL stays that of the config')
  t.strictSame(read('--config c.yaml --ui 8896'), ['8896', undefined])
  t.strictSame(read('--config c.yaml --ui 127.0.0.1:8896 localhost:3000'), ['127.0.0.1:8896', ['localhost:3000']])
  t.strictSame(read('--config c.yaml --ui localhost:3000', {}), ['', ['localhost:3000']], 'a config without a URL needs one')
  t.strictSame(read('--config c.yaml --ui http://localhost:3000'), ['', ['http://localhost:3000']], 'a URL of its own wins')
  const versus = readFlags('--config c.yaml --ui a:1'.split(' '), {}, { url: ['http://a', 'http://b'] }, grammarOf([...TABLE, ...VERSUS], 'two urls')).raw
  t.strictSame([versus.ui, versus.url], ['a:1', undefined])
})

t.test('an address that may be that of the page or the server is refused', async t => {
  const either = '--ui 127.0.0.1:8896: the page or the server may be meant: write --ui=127.0.0.1:8896 for the address of the page, or http://127.0.0.1:8896 for a server to load'
  /** @param {string} line @param {Record<string, any>} [config] */
  const problems = (line, config) => readFlags(line.split(' '), {}, config).problems
  t.strictSame(problems('--on-port --ui 127.0.0.1:8896 -- node server.js'), [either])
  t.strictSame(problems('--ui 127.0.0.1:8896 -- node server.js'), [either])
  t.strictSame(problems('--targets list.txt --ui 127.0.0.1:8896'), [either])
  t.strictSame(problems('--config c.yaml --ui 127.0.0.1:8896', { onPort: ['node', 'server.js'] }), [either])
  t.strictSame(problems('--config c.yaml --ui 127.0.0.1:8896', { targets: 'list.txt' }), [either])
  t.strictSame(problems('--config c.yaml --on-port --ui 127.0.0.1:8896 -- node server.js'), [], 'before the config is read')
  t.strictSame(problems('--on-port / --ui 127.0.0.1:8896 -- node server.js'), [], 'with a URL there is no doubt')

  const none = '--open 127.0.0.1:8896: --open takes no value: write --ui=127.0.0.1:8896 for the address of the page, or http://127.0.0.1:8896 for a server to load'
  t.strictSame(problems('--ui --open 127.0.0.1:8896 localhost:3000'), [none])
  t.strictSame(problems('--ui --open 127.0.0.1:8896', { url: 'http://localhost:3000' }), [none])
  t.strictSame(problems('--ui --ui-allow-remote 0.0.0.0:80 localhost:3000'), [none.replaceAll('--open', '--ui-allow-remote').replaceAll('127.0.0.1:8896', '0.0.0.0:80')])
  t.strictSame(problems('--ui --open localhost:3000'), [], 'the one URL there is')
  t.strictSame(problems('--ui=:80 --open localhost:3000 localhost:3001'), [], 'the page has its address')
})

t.test('other machines come to it only when that is said', async t => {
  const url = 'http://localhost:3000'
  t.throws(() => validate({ url, ui: '0.0.0.0:8080' }), { message: 'ui 0.0.0.0:8080: other machines could see the page there, and anyone with its link can watch the run and end it, over plain HTTP: add uiAllowRemote if that is meant, or omit the address' })
  t.strictSame(validate({ url, ui: '0.0.0.0:8080', uiAllowRemote: true }).values.ui, { host: '0.0.0.0', port: 8080, isLoopback: false })
  t.throws(() => validate({ url, open: true }), { message: 'open: expected ui as well, got none: there is no page' })
  t.throws(() => validate({ url, uiAllowRemote: true }), { message: /^uiAllowRemote: expected ui as well/ })
  t.throws(() => validate({ url, ui: 'x', open: true }), { message: /^ui: expected an address[^\n]*$/ }, 'one sentence')
  t.equal(normalize({}, ({ name }) => name).values.ui, undefined)
})
