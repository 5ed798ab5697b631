'use strict'

// Which address a connection goes to: as curl has --connect-to and --resolve, and taking turns.

const t = require('tap')
const { Addresses } = require('../../lib/net/addresses')
const { addressesOf, familyOf, placeOf } = require('../../lib/net/route')

t.test('the first redirection that is about a place says where connections go', async t => {
  const all = [
    { host: 'a.test', port: 80, toHost: 'b.test', toPort: 8080 },
    { host: 'a.test', port: null, toHost: null, toPort: 9 },
    { host: null, port: 443, toHost: '::1', toPort: null },
    { host: 'b.test', port: 8080, toHost: 'never', toPort: null }
  ]
  for (const [from, to] of [['a.test:80', 'b.test:8080'], ['a.test:443', 'a.test:9'], ['c.test:443', '::1:443'], ['c.test:80', 'c.test:80']]) {
    const [, host, port] = /(.*):(\d+)$/.exec(from)
    const place = placeOf(all, { host, port: Number(port) })
    t.equal(`${place.host}:${place.port}`, to, from)
  }
})

t.test('a resolution is about a host and a port, the last one counts, and * behind all that have a name', async t => {
  const all = [{ host: 'a', port: 80, addresses: ['1.1.1.1'] }, { host: 'a', port: 80, addresses: ['2.2.2.2', '::2'] }, { host: '*', port: 80, addresses: ['3.3.3.3'] }]
  for (const [host, port, addresses] of [['a', 80, ['2.2.2.2', '::2']], ['b', 80, ['3.3.3.3']], ['a', 443, null]]) t.strictSame(addressesOf(all, { host, port }), addresses)
})

t.test('what is an address, and of which family', async t => {
  for (const [text, family] of [['127.0.0.1', 4], ['255.255.255.255', 4], ['256.0.0.1', 0], ['1.2.3', 0], ['::1', 6], ['::ffff:1.2.3.4', 6], ['fe80::1%eth0', 6], [':::', 0], ['a:b', 0], ['localhost', 0], ['', 0], ['1.2.3.4.5', 0]]) t.equal(familyOf(text), family, text)
})

/**
 * @param {Record<string, string[] | string>} names addresses of each, or the code of an error
 * @param {object} [rules]
 */
function namesOf (names, rules) {
  const asked = []
  const lookup = (host, options, callback) => {
    asked.push(`${host} ${options.family ?? 0}`)
    const found = names[host]
    if (typeof found === 'string') return callback(Object.assign(new Error(found), { code: found }))
    callback(null, found.map(address => ({ address, family: familyOf(address) })).filter(({ family }) => !options.family || family === options.family))
  }
  const addresses = new Addresses(rules === undefined ? null : { family: 0, once: true, resolve: [], ...rules }, { lookup })
  /** @param {string} host */
  const next = (host, { port = 80, all = true } = {}) => {
    const where = addresses.of({ host, port })
    if (familyOf(where.host) !== 0) return where.host
    let told
    where.lookup(where.host, { all }, (error, ...answer) => { told = error === null ? answer : error.code })
    if (typeof told === 'string') return told
    return all ? told[0].map(({ address }) => address).join() : told.join()
  }
  return { asked, next }
}

t.test('all addresses of a name take turns, and the others follow the one whose turn it is', async t => {
  const { asked, next } = namesOf({ 'a.test': ['1.1.1.1', '2.2.2.2', '::3'], 'b.test': ['4.4.4.4'] })
  t.strictSame([1, 2, 3, 4].map(() => next('a.test')), ['1.1.1.1,2.2.2.2,::3', '2.2.2.2,::3,1.1.1.1', '::3,1.1.1.1,2.2.2.2', '1.1.1.1,2.2.2.2,::3'])
  t.strictSame([1, 2].map(() => next('b.test')), ['4.4.4.4', '4.4.4.4'])
  t.equal(next('a.test', { all: false }), '2.2.2.2,4')
  t.strictSame(asked, ['a.test 0', 'b.test 0'], 'each name once')
})

t.test('each time when that is asked for', async t => {
  const { asked, next } = namesOf({ 'a.test': ['1.1.1.1', '2.2.2.2'] }, { once: false })
  t.strictSame([next('a.test'), next('a.test')], ['1.1.1.1,2.2.2.2', '2.2.2.2,1.1.1.1'])
  t.equal(asked.length, 2)
})

t.test('localhost is one machine, and its addresses keep their order', async t => {
  const { next } = namesOf({ localhost: ['::1', '127.0.0.1'] })
  t.strictSame([next('localhost'), next('localhost')], ['::1,127.0.0.1', '::1,127.0.0.1'])
})

t.test('of one family only', async t => {
  const { asked, next } = namesOf({ 'a.test': ['1.1.1.1', '::2'] }, { family: 6, resolve: [{ host: 'c.test', port: 80, addresses: ['1.1.1.1', '::3'] }] })
  t.equal(next('a.test'), '::2')
  t.equal(next('c.test'), '::3')
  t.strictSame(asked, ['a.test 6'])
})

t.test('a look-up that fails is made again', async t => {
  const names = { 'a.test': 'ENOTFOUND' }
  const { next } = namesOf(names)
  t.equal(next('a.test'), 'ENOTFOUND')
  names['a.test'] = ['1.1.1.1']
  t.equal(next('a.test'), '1.1.1.1')
})

t.test('given addresses are used round-robin without a look-up, and an address may be mapped to another', async t => {
  const { asked, next } = namesOf({ 'a.test': ['9.9.9.9'] }, { resolve: [{ host: 'a.test', port: 80, addresses: ['1.1.1.1', '2.2.2.2'] }, { host: '127.0.0.1', port: 80, addresses: ['3.3.3.3', '4.4.4.4'] }] })
  t.strictSame([next('a.test'), next('a.test'), next('a.test', { port: 443 })], ['1.1.1.1,2.2.2.2', '2.2.2.2,1.1.1.1', '9.9.9.9'])
  t.strictSame([next('127.0.0.1'), next('127.0.0.1'), next('127.0.0.1')], ['3.3.3.3', '4.4.4.4', '3.3.3.3'])
  t.strictSame(asked, ['a.test 0'])
})

t.test('who asks while an answer has not come for longer than the timeout does not wait for it', async t => {
  let at = 0
  const answers = []
  const addresses = new Addresses(null, { lookup: (host, options, callback) => answers.push(callback), timeout: 1000, now: () => at })
  const told = []
  const ask = () => addresses.of({ host: 'a.test', port: 80 }).lookup('a.test', { all: true }, (error, found) => told.push(error?.code ?? found[0].address))
  ask()
  at = 999
  ask()
  t.strictSame([answers.length, told], [2, []])
  at = 1000
  ask()
  t.strictSame([answers.length, told], [2, ['AC_LOOKUP_TIMEOUT']])
  // It came after all.
  for (const answer of answers) answer(null, [{ address: '1.1.1.1', family: 4 }])
  ask()
  t.strictSame([answers.length, told], [2, ['AC_LOOKUP_TIMEOUT', '1.1.1.1', '1.1.1.1', '1.1.1.1']])
})
