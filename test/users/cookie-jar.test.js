'use strict'

// Which cookies a server can set, and which go back: on the clock of the run, and within bounds.

const t = require('tap')
const { Jar, jarWith } = require('../../lib/users/cookie-jar')
const { parseTarget } = require('../../lib/requests/target')

const HTTP = parseTarget('http://www.shop.example.com/')
const HTTPS = parseTarget('https://www.shop.example.com/')
const T0 = Date.parse('2026-01-01T00:00:00Z')

/** What goes back after the lines were set one after another. */
const back = (lines, { target = HTTP, path = '/', to = target, at = '/', after = 0 } = {}) => {
  const jar = new Jar()
  for (const line of lines) jar.take([line], target, path, T0)
  return jar.text(to, at, T0 + after)
}

t.test('goes back where it belongs', async t => {
  t.equal(back(['a=1', 'b=2']), 'a=1; b=2')
  t.equal(back(['a=1', 'a=2']), 'a=2')
  t.equal(back(['a=1; Path=/x', 'b=2'], { at: '/x/y' }), 'a=1; b=2', 'longer paths first')
  t.equal(back(['a=1; Path=/x'], { at: '/xy' }), '')
  t.equal(back(['a=1'], { path: '/x/y', at: '/z' }), '', 'the path of the request where it says none')
  t.equal(back(['a=1; Secure'], { target: HTTPS, to: HTTP }), '')
  t.equal(back(['a=1; Secure'], { target: HTTPS }), 'a=1')
  t.equal(back(['a=1; Domain=shop.example.com'], { to: parseTarget('http://pay.shop.example.com') }), 'a=1')
  t.equal(back(['a=1'], { to: parseTarget('http://pay.shop.example.com') }), '', 'one without a domain is for its host alone')
  t.equal(back(['a=1'], { to: parseTarget('http://www.shop.example.com:8080') }), 'a=1', 'cookies know no ports')
  t.equal(back(['__proto__=1', 'constructor=2', 'a=3; Path=/__proto__'], { at: '/' }), '__proto__=1; constructor=2')
  t.equal(Object.prototype.a, undefined)
  t.equal(back(['b=1', '2=2', 'a=3', '1=4', 'b=5']), 'b=5; 2=2; a=3; 1=4', 'in the order in which they were first set')
  t.equal(back(['b=1', 'a=2', 'b=; Max-Age=0', 'b=3']), 'a=2; b=3')
})

t.test('nothing stays of cookies that are deleted or have expired, whatever their paths and domains are', async t => {
  const jar = new Jar()
  jar.take(['keep=1'], HTTP, '/', T0)
  const before = JSON.stringify(jar.store.idx)
  for (let i = 0; i < 300; i++) {
    jar.take([`a=1; Path=/item/${i}; Max-Age=0`, `b=; Path=/list/${i}; Expires=Thu, 01 Jan 1970 00:00:00 GMT`], HTTP, '/', T0)
    jar.take(['c=1; Domain=shop.example.com; Max-Age=0', `d=1; Path=/${i}; Max-Age=5`], parseTarget(`http://shop${i}.shop.example.com/`), '/', T0)
    jar.take([`e=1; Path=/${i}`], HTTP, '/', T0)
    jar.take([`e=; Path=/${i}; Max-Age=0`], HTTP, '/', T0)
  }
  t.equal(jar.store.count, 301)
  t.equal(jar.text(HTTP, '/', T0 + 5000), 'keep=1')
  t.equal(JSON.stringify(jar.store.idx), before)
  t.strictSame([...jar.store.perDomain], [['www.shop.example.com', 1]])
  t.match(jar.store, { count: 1, bytes: 6, partial: 0, expiresAt: Infinity })
})

t.test('refuses what browsers refuse', async t => {
  for (const line of ['a=1; Domain=com', 'a=1; Domain=co.uk', 'a=1; Domain=evil.test', 'a=1; Domain=other.shop.example.com', 'a=1; Secure', '__Secure-a=1', '__Host-a=1; Secure; Path=/', 'x', '', '=', ';', '=1; Path=/']) t.equal(back([line]), '', line)
  t.equal(back(['__Host-a=1; Secure; Path=/'], { target: HTTPS }), '__Host-a=1')
  t.equal(back(['__Host-a=1; Secure; Path=/; Domain=shop.example.com'], { target: HTTPS }), '')
  const address = parseTarget('http://127.0.0.1:8080')
  t.equal(back(['a=1', 'b=2; Domain=0.0.1', 'c=3; Domain=127.0.0.1'], { target: address }), 'a=1; c=3')
})

t.test('expires by the clock of the run', async t => {
  const expires = new Date(T0 + 5000).toUTCString()
  t.equal(back(['a=1; Max-Age=5'], { after: 4999 }), 'a=1')
  t.equal(back(['a=1; Max-Age=5'], { after: 5000 }), '')
  t.equal(back([`a=1; Expires=${expires}`], { after: 4999 }), 'a=1')
  t.equal(back([`a=1; Expires=${expires}`, 'b=2'], { after: 5000 }), 'b=2')
  t.equal(back([`a=1; Max-Age=9; Expires=${expires}`], { after: 8000 }), 'a=1', 'Max-Age wins')
  t.equal(back(['a=1', 'a=1; Max-Age=0']), '')
  t.equal(back(['a=1', 'a=; Max-Age=-1']), '')
  t.equal(back([`a=1; Max-Age=${'9'.repeat(300)}`], { after: 1e12 }), 'a=1')
  const jar = new Jar()
  for (let ms = 0; ms < 60_000; ms += 500) {
    jar.take(['a=1; Max-Age=2'], HTTP, '/', T0 + ms)
    t.equal(jar.text(HTTP, '/', T0 + ms), 'a=1')
  }
  t.equal(jar.text(HTTP, '/', T0 + 62_000), '', 'the same lines make it last longer')
  jar.take(['a=1; Max-Age=2'], HTTP, '/', T0 + 62_001)
  t.equal(jar.text(HTTP, '/', T0 + 62_001), 'a=1')
})

t.test('a line that came before with another value means the same', async t => {
  for (const attributes of ['', '; Path=/x', '; Domain=shop.example.com; HttpOnly', '; Max-Age=3', '; secure']) {
    for (let i = 0; i < 3; i++) {
      t.equal(back([`again=${i}${attributes}`], { target: HTTPS, at: '/x' }), `again=${i}`, attributes)
      t.equal(back([`again=${i}${attributes}`], { target: HTTPS, at: '/x', to: HTTP }), attributes === '; secure' ? '' : `again=${i}`)
      t.equal(back([`again=${i}${attributes}`], { target: HTTPS, at: '/x', after: 4000 }), attributes === '; Max-Age=3' ? '' : `again=${i}`)
      t.equal(back([`again= a=${i} ${attributes}`, 'b=1', `again=${i}${attributes}`], { target: HTTPS, at: '/x' }), `again=${i}; b=1`)
    }
  }
  t.equal(back(['n=1', `n=${'x'.repeat(4096)}`]), 'n=1')
  t.equal(back(['n=1', 'n=a\0b', 'n=\x01']), 'n=1')
})

t.test('is bounded', async t => {
  t.equal(back([`a=${'x'.repeat(4095)}`]).length, 4097)
  t.equal(back([`a=${'x'.repeat(4096)}`]), '')
  t.equal(back([`a=1; Path=/${'x'.repeat(10_000)}`], { at: `/${'x'.repeat(10_000)}` }), '')
  const many = Array.from({ length: 1000 }, (_, i) => `a${i}=1`)
  t.equal(back(many).split('; ').length, 180)
  t.equal(back([...many.slice(0, 180), 'a0=2']).split('; ').length, 180, 'one that is there can change')
  t.ok(back(Array.from({ length: 100 }, (_, i) => `a${i}=${'x'.repeat(4000)}`)).length < 70_000)
  t.equal(back([...many.slice(0, 180), ...many.slice(0, 180).map(line => line + '; Max-Age=0'), 'b=1']), 'b=1', 'what is gone makes room')
  const jar = new Jar()
  for (let i = 0; i < 1000; i++) jar.text(HTTP, `/${i}`, T0)
  jar.take(['a=1; Path=/1'], HTTP, '/', T0)
  for (let i = 0; i < 1000; i++) jar.text(HTTP, `/${i}`, T0)
  t.ok(jar.texts.size <= 100)
})

t.test('begins with what it is given, again when it is emptied', async t => {
  const first = jarWith(['a=1; Path=/', 'ü=ö; Path=/'], [HTTP, HTTPS], T0)
  const [one, two] = [new Jar(first), new Jar(first)]
  t.equal(one.text(HTTP, '/', T0), 'a=1; ü=ö')
  one.take(['a=2; Path=/', 'b=3'], HTTP, '/', T0)
  t.equal(one.text(HTTP, '/', T0), 'a=2; ü=ö; b=3')
  t.equal(two.text(HTTPS, '/', T0), 'a=1; ü=ö')
  one.empty()
  t.equal(one.text(HTTP, '/', T0), 'a=1; ü=ö')
  one.take(['a=2; Path=/', 'b=3'], HTTP, '/', T0)
  t.equal(one.text(HTTP, '/', T0), 'a=2; ü=ö; b=3', 'the same lines again')
})

t.test('bytes come back as they were', async t => {
  const received = Buffer.from('a=é€').toString('latin1')
  t.equal(Buffer.from(back([received])).toString('latin1'), received)
})
