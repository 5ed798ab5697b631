'use strict'

const t = require('tap')
const fc = require('fast-check')
const path = require('node:path')
const { Rate } = require('../../lib/shapes/rate')
const { normalize } = require('../../lib/options/normalize')
const { TABLE } = require('../../lib/options/table')
const { parseSeconds } = require('../../lib/core/numbers')

/** @param {{ name: string }} option */
const label = ({ name }) => name

/**
 * @param {string} name
 * @param {unknown} given
 * @returns {{ value?: unknown, problem?: string }} what became of one option
 */
function one (name, given) {
  const { values, problems } = normalize({ [name]: given }, label)
  return problems.length === 0 ? { value: values[name] } : { problem: problems.join('\n') }
}

/** @param {unknown} value */
function show (value) {
  if (typeof value === 'function' || typeof value === 'symbol') return String(value)
  return typeof value === 'bigint' ? `${value}n` : JSON.stringify(value) ?? String(value)
}

/** @param {any} read @returns {any} the same with a rate as users write it */
const written = read => read.value instanceof Rate ? { value: read.value.toJSON() } : read

/**
 * @param {any} t
 * @param {string} name
 * @param {Array<[given: unknown, value: unknown]>} cases
 */
function accepts (t, name, cases) {
  for (const [given, value] of cases) t.strictSame(written(one(name, given)), { value }, `${name}: ${show(given)}`)
}

/**
 * @param {any} t
 * @param {string} name
 * @param {Array<[given: unknown, problem: string | RegExp]>} cases
 */
function refuses (t, name, cases) {
  for (const [given, problem] of cases) {
    const message = one(name, given).problem
    if (typeof problem === 'string') t.equal(message, `${name}: ${problem}`)
    else t.match(message, problem, `${name}: ${show(given)}`)
  }
}

t.test('what is not given has its default', async t => {
  const defaults = Object.fromEntries(TABLE.map(option => [option.name, option.default]))
  t.strictSame(normalize({}, label), { values: defaults, placed: [], problems: [] })
  t.strictSame(normalize(Object.fromEntries(TABLE.map(({ name }) => [name, null])), label), { values: defaults, placed: [], problems: [] }, 'null is not given')
  t.strictSame(normalize(Object.fromEntries(TABLE.map(({ name }) => [name, undefined])), label), { values: defaults, placed: [], problems: [] }, 'undefined is not given')
})

t.test('a pace', async t => {
  accepts(t, 'pace', [['even', 'even'], ['batched', 'batched']])
  refuses(t, 'pace', [['evenly', "expected even or batched, got 'evenly', did you mean 'even'?"], [true, 'expected even or batched, got true'], ['', "expected even or batched, got ''"]])
})

t.test('whole numbers', async t => {
  accepts(t, 'connections', [
    [1, 1],
    [100_000, 100_000],
    [5.0, 5],
    [5n, 5],
    ['5', 5],
    [' 5 ', 5],
    ['1e3', 1000]
  ])
  const bounds = 'expected a whole number, at least 1 and at most 100,000, got '
  refuses(t, 'connections', [
    [0, bounds + '0'],
    [-0, bounds + '0'],
    [-1, bounds + '-1'],
    [1.5, bounds + '1.5'],
    [100_001, bounds + '100001'],
    [2 ** 53, bounds + '9007199254740992'],
    [2n ** 53n, bounds + '9007199254740992'],
    [NaN, bounds + 'NaN'],
    [Infinity, bounds + 'Infinity'],
    [-Infinity, bounds + '-Infinity'],
    ['', bounds + "''"],
    [' ', bounds + "' '"],
    ['ten', bounds + "'ten'"],
    ['5x', bounds + "'5x'"],
    ['1,000', bounds + "'1,000'"],
    ['Infinity', bounds + "'Infinity'"],
    ['x'.repeat(100), bounds + `'${'x'.repeat(59)}…'`],
    [true, bounds + 'true'],
    [[], bounds + 'an array'],
    [[5], bounds + 'an array'],
    [{}, bounds + 'an object'],
    [new Date(5), bounds + 'a Date'],
    [() => 5, bounds + 'a function'],
    [Symbol('five'), bounds + 'Symbol(five)']
  ])
})

t.test('bounds are those of the table', async t => {
  for (const option of TABLE.filter(({ type }) => type === 'integer' || type === 'number' || type === 'seconds')) {
    const { name, min, above, max } = option
    t.not(max, undefined, `${name} has a highest value`)
    t.not(min ?? above, undefined, `${name} has a lowest value`)
    accepts(t, name, [[max, max], [String(max), max]])
    if (min !== undefined) accepts(t, name, [[min, min]])
    for (const outside of [max * 2, (min ?? above) - 1, ...above === undefined ? [] : [above], NaN, Infinity, -Infinity, '', [], {}, true]) {
      t.match(one(name, outside).problem, /^\w+: expected .*(at least|more than) .* and at most .*, got /, `${name}: ${show(outside)}`)
    }
  }
})

t.test('durations', async t => {
  accepts(t, 'duration', [
    [10, 10],
    [0.25, 0.25],
    ['10', 10],
    ['0.5', 0.5],
    ['.5', 0.5],
    ['500ms', 0.5],
    ['30s', 30],
    ['2m', 120],
    ['1m30s', 90],
    ['1m 30s', 90],
    ['1h', 3600],
    ['1d', 86_400]
  ])
  const bounds = 'expected seconds or a time such as 1m30s, more than 0 and at most 2,000,000, got '
  refuses(t, 'duration', [
    [0, bounds + '0'],
    [-1, bounds + '-1'],
    [2_000_001, bounds + '2000001'],
    [NaN, bounds + 'NaN'],
    [Infinity, bounds + 'Infinity'],
    ['', bounds + "''"],
    ['0s', bounds + "'0s'"],
    ['soon', bounds + "'soon'"],
    ['5x', bounds + "'5x'"],
    ['s', bounds + "'s'"],
    ['1 fortnight', bounds + "'1 fortnight'"],
    ['1e400', bounds + "'1e400'"],
    [[1], bounds + 'an array'],
    [{}, bounds + 'an object'],
    [true, bounds + 'true']
  ])
})

t.test('a negative time is refused', async t => {
  t.match(one('duration', '-5').problem, /^duration: expected seconds/)
  for (const given of ['-5s', '1m-30s']) t.match(one('duration', given).problem, /^duration: expected seconds/, given)
})

t.test('a time is read whole or refused: what is left over is never dropped', async t => {
  for (const given of ['1m30', '1,5s', '2,5s', '1 5s', '1..5s', '1.5.5s', '5.s', '5s!', '!5s', 's5', '1m,30s', '1m and 30s', '1h:30m', '1_000s', '10 s 5', '1e3s', '0x10s', '5s\0']) {
    t.match(one('duration', given).problem, /^duration: expected seconds or a time such as 1m30s/, given)
    t.match(one('warmup', { duration: given }).problem, /^warmup\.duration: expected seconds or a time such as 1m30s/, given)
  }
  accepts(t, 'duration', [['2 min 5 sec', 125], [' 1h  30m ', 5400], ['1.5h', 5400], ['.5s', 0.5], ['1D', 86_400], ['1s1s', 2]])
})

t.test('every text that is taken for a time is a number, or a sequence of numbers with units, and worth their sum', async t => {
  const UNITS = { ms: 0.001, milli: 0.001, s: 1, sec: 1, seconds: 1, m: 60, min: 60, minutes: 60, h: 3600, hrs: 3600, d: 86_400, days: 86_400, w: 604_800 }
  const unit = fc.constantFrom(...Object.keys(UNITS))
  const blank = fc.constantFrom('', '', ' ', '  ')
  const digits = fc.tuple(fc.nat(999), fc.option(fc.nat(99), { nil: null })).map(([whole, part]) => part === null ? `${whole}` : `${whole}.${part}`)
  const pair = fc.tuple(digits, blank, unit, blank).map(parts => ({ text: parts.join(''), seconds: Number(parts[0]) * UNITS[parts[2]] }))
  fc.assert(fc.property(fc.array(pair, { minLength: 1, maxLength: 4 }), pairs => {
    const sum = pairs.reduce((sum, { seconds }) => sum + seconds, 0)
    return Math.abs(parseSeconds(pairs.map(({ text }) => text).join('')) - sum) <= sum * 1e-12
  }), { seed: 9, numRuns: 2000 })

  let taken = 0
  const piece = fc.oneof(digits, unit, blank, fc.constantFrom(...' .,:;-+_eExX0159smhd\t\n', 'fortnight', 'Infinity', 'and'))
  fc.assert(fc.property(fc.array(piece, { maxLength: 7 }).map(pieces => pieces.join('')), text => {
    if (Number.isNaN(parseSeconds(text))) return true
    taken++
    // Letter by letter, and not by the pattern that the code has.
    let rest = text.trim()
    if (!Number.isNaN(Number(rest))) return true
    while (rest !== '') {
      const number = /^[\d.]+/.exec(rest)?.[0] ?? ''
      const unit = /^[a-z]+/i.exec(rest.slice(number.length).trimStart())?.[0] ?? ''
      if (number === '' || unit === '' || Number.isNaN(Number(number))) return false
      rest = rest.slice(number.length).trimStart().slice(unit.length).trimStart()
    }
    return true
  }), { seed: 15, numRuns: 20_000 })
  t.ok(taken > 500, `${taken} texts were taken`)
})

t.test('a number is what JavaScript reads as one, whole: nothing before it, behind it or in it', async t => {
  const read = [['1e3', 1000], ['0x10', 16], [' 5 ', 5], ['+5', 5]]
  const refused = ['1_000', '1,000', '1 000', '5x', '5%', '5/s', '0x', '1e', '--5', '5 5', '५']
  for (const name of ['connections', 'amount', 'rate', 'timeout', 'bailout']) {
    accepts(t, name, /** @type {any} */ (read))
    for (const given of refused.filter(given => name !== 'rate' || given !== '5/s')) t.match(one(name, given).problem, /expected .* got /, `${name}: ${given}`)
  }
  accepts(t, 'percentiles', [['50, 99.9', [50, 99.9]], ['1e1', [10]]])
  for (const given of ['50,,99', '50,', '50 99', '50;99', '50%', 'p50', '99,9x']) t.match(one('percentiles', given).problem, /^percentiles: expected percentiles/, given)
  accepts(t, 'expectStatus', [['200, 2xx', ['200', '2xx']]])
  for (const given of ['200,', '200;404', '20', '2000', '2x', '200 OK', '0200', '+200', '1e3']) t.match(one('expectStatus', given).problem, /^expectStatus: expected a status code/, given)
  for (const given of ['p99 < 1,5ms', 'p99 < 1.2.3ms', 'p99 < 5 0ms', 'p99 < 50msms', 'p99 < 0x10', 'p99 < 1_0', 'p99 < 50 ms 5', 'p99 < -5', 'p99 < 5e', 'p 99 < 5', 'p99% < 5', 'errors == 0 0']) {
    t.match(one('thresholds', given).problem, /^thresholds: expected something like 'p99 < 50ms'/, given)
  }
  for (const given of ['p99 +1,5%', 'p99 +10% 5', 'p99 + 1 0%', 'p99 +0x10%', 'p99 +-5%', 'p99 +5%%']) t.match(one('failIf', given).problem, /^failIf: expected something like 'p99 \+10%'/, given)
})

t.test('yes or no', async t => {
  for (const { name } of TABLE.filter(({ type }) => type === 'flag')) {
    accepts(t, name, [[true, true], [false, false], ['true', true], ['false', false]])
    refuses(t, name, [
      ['', "expected true or false, got ''"],
      ['yes', "expected true or false, got 'yes'"],
      [0, 'expected true or false, got 0'],
      [1, 'expected true or false, got 1'],
      [[], 'expected true or false, got an array'],
      [{}, 'expected true or false, got an object']
    ])
  }
})

t.test('texts', async t => {
  accepts(t, 'title', [['before', 'before'], ['0', '0'], ['✓', '✓']])
  refuses(t, 'title', [
    ['', "expected a text, got ''"],
    [5, 'expected a text, got 5'],
    [true, 'expected a text, got true'],
    [[], 'expected a text, got an array'],
    [{}, 'expected a text, got an object']
  ])
})

t.test('paths of Unix sockets have at most as many bytes as the system takes', async t => {
  const longest = '/tmp/x' + 'é'.repeat(51)
  const pipe = '\\\\.\\pipe\\' + 'x'.repeat(200)
  const name = 'x'.repeat(107)
  accepts(t, 'socketPath', [[longest, longest], ['\0' + name, '@' + name], [pipe, pipe]])
  refuses(t, 'socketPath', [
    [longest + 'x', `expected at most 108 bytes, all that the path of a Unix socket may have, got 109: '${longest}x'`],
    ['', "expected a text, got ''"]
  ])
})

t.test('methods', async t => {
  accepts(t, 'method', [
    ['GET', 'GET'],
    ['get', 'GET'],
    ['Patch', 'PATCH'],
    ['PROPFIND', 'PROPFIND'],
    ['purge', 'purge']
  ])
  for (const given of ['', ' ', 'GET ', 'GET /', 'GET\r\nx: y', 'GÉT', 5, {}, ['GET'], true]) {
    t.match(one('method', given).problem, /^method: expected an HTTP method such as GET or POST, got /, show(given))
  }
})

t.test('URLs become an array', async t => {
  accepts(t, 'url', [
    ['http://a', ['http://a']],
    ['a', ['http://a']],
    ['localhost:3000', ['http://localhost:3000']],
    ['a/b?c=d', ['http://a/b?c=d']],
    ['[::1]:80', ['http://[::1]:80']],
    ['https://u:p@a/x', ['https://u:p@a/x']],
    ['HTTPS://A', ['HTTPS://A']],
    [['a', 'https://b'], ['http://a', 'https://b']]
  ])
  refuses(t, 'url', [
    ['', "expected a URL such as http://localhost:3000, got ''"],
    [5, 'expected a URL such as http://localhost:3000, got 5'],
    [{}, 'expected a URL such as http://localhost:3000, got an object'],
    [[], 'expected a URL, got an empty array'],
    [['http://a', null], 'expected a URL such as http://localhost:3000, got null'],
    ['ftp://a', "'ftp://a' has the protocol ftp: expected http, https, ws or wss"],
    ['http://', "'http://' is not a URL: expected something like http://localhost:3000/path"],
    ['http://a b', "'http://a b' is not a URL: expected something like http://localhost:3000/path"],
    ['http://a:99999', "'http://a:99999' has port 99999: expected 1 to 65535"],
    ['::1', "'::1' is not a URL: write an IPv6 address in brackets, such as http://[::1]/"],
    ['http:/a', "'http:/a' is not a URL: expected something like http://localhost:3000/path"],
    ['http:a', "'http:a' is not a URL: expected something like http://localhost:3000/path"],
    ['-', "'-' is not a URL: expected something like http://localhost:3000/path"],
    ['5', "'5' is not a URL: expected something like http://localhost:3000/path"],
    ['http://a/\r\nb', "'http://a/\\r\\nb' is not a URL: expected something like http://localhost:3000/path"],
    ['ftp://user:secret@a', "'ftp://***@a' has the protocol ftp: expected http, https, ws or wss"],
    ['http://user:sec/ret@a', "'http://***@a' is not a URL: in a user or password, / ? # are written as %2F %3F %23"],
    ['http://user:99999#ret@a', "'http://***@a' is not a URL: in a user or password, / ? # are written as %2F %3F %23"],
    ['http://user:secr%t@a', /^url: 'http:\/\/\*\*\*@a' has a % /],
    ['http://a:0', "'http://a:0' has port 0: expected 1 to 65535"]
  ])
})

t.test('bodies keep their bytes', async t => {
  const bytes = new Uint8Array([0, 0xff, 0x80])
  for (const given of ['grüße', '', bytes, Buffer.from(bytes)]) {
    const { value } = one('body', given)
    t.strictSame(Buffer.from(/** @type {any} */ (value)), Buffer.from(given))
  }
  for (const given of [5, true, {}, [], new ArrayBuffer(1), new Uint16Array(1)]) {
    t.match(one('body', given).problem, /^body: expected a string or a Buffer, got /, show(given))
  }
  t.equal(one('body', { a: 1 }).problem, "body: expected a string or a Buffer, got an object; JSON is given as a text, such as '{\"a\":1}'")
})

t.test('headers in each form', async t => {
  accepts(t, 'headers', [
    [{}, []],
    [[], []],
    [{ a: 'b' }, [['a', 'b']]],
    [{ A: '1', b: 2, c: true }, [['A', '1'], ['b', '2'], ['c', 'true']]],
    [{ a: ['b', 'c'], d: [] }, [['a', 'b'], ['a', 'c']]],
    [{ a: undefined, b: null, c: 'd' }, [['c', 'd']]],
    [{ a: '' }, [['a', '']]],
    [{ a: 'grüße' }, [['a', 'grüße']]],
    ['a=b', [['a', 'b']]],
    ['a: b', [['a', 'b']]],
    ['a:b', [['a', 'b']]],
    ['a = b ', [['a', 'b']]],
    ['a=', [['a', '']]],
    ['a=b=c', [['a', 'b=c']]],
    ['a: b: c', [['a', 'b: c']]],
    ['link: http://x/?a=b', [['link', 'http://x/?a=b']]],
    ['cookie=a: b', [['cookie', 'a: b']]],
    [['a=b', 'A: c', 'a=b'], [['a', 'b'], ['A', 'c'], ['a', 'b']]],
    [{ "!#$%&'*+-.^_`|~09az": 'token' }, [["!#$%&'*+-.^_`|~09az", 'token']]]
  ])
  const form = (/** @type {string} */ got) => `expected name=value or "name: value", got ${got}`
  const broken = 'the value of a has a line break or a NUL in it'
  refuses(t, 'headers', [
    ['', form("''")],
    ['lonely', form("'lonely'")],
    ['=b', form("'=b'")],
    [': b', form("':…'")],
    [[5], /expected name=value/],
    [5, /expected an object of names and values, got 5/],
    [true, /expected an object of names and values, got true/],
    [{ a: 'b\r\nx: y' }, broken],
    [{ a: 'b\nx: y' }, broken],
    [{ a: 'b\rx' }, broken],
    [{ a: 'b\0' }, broken],
    [{ a: ['ok', 'b\n'] }, broken],
    ['a: b\r\nc: d', broken],
    [{ 'authorization: secret': 'c' }, /^headers: 'authorization:…' is not a header name: /],
    [['Bearer secret'], form("'Bearer…'")],
    [new Map([[5, 'c']]), 'expected names that are strings, got 5'],
    [new Set(['ab']), "expected pairs of names and values, got 'ab'"],
    [Promise.resolve({}), 'expected an object of names and values, got a Promise'],
    [{ 'a b': 'c' }, /^headers: 'a…' is not a header name: /],
    [{ '': 'c' }, /^headers: '' is not a header name: /],
    [{ 'a:': 'c' }, /^headers: 'a:' is not a header name: /],
    [{ 'a\r\nb': 'c' }, /is not a header name: /],
    [{ ä: 'c' }, /^headers: 'ä' is not a header name: /],
    [{ a: {} }, /^headers: the value of a has to be a string, got /],
    [{ a: () => 'b' }, /^headers: the value of a has to be a string, got /],
    [{ a: [['b']] }, /^headers: the value of a has to be a string, got /]
  ])
})

t.test('files', async t => {
  const dir = t.testdir({ body: Buffer.from([0, 0xff]) })
  accepts(t, 'input', [[path.join(dir, 'body'), Buffer.from([0, 0xff])]])
  refuses(t, 'input', [
    [path.join(dir, 'nothing'), /^input: could not read the file '.*nothing': ENOENT/],
    [dir, /^input: could not read the file '.*': EISDIR/],
    ['', /^input: could not read the file '': ENOENT/],
    ['a\0b', /^input: could not read the file /]
  ])
})

t.test('the label of an option stands before its problem, and each problem is told', async t => {
  const { problems } = normalize({ connections: 0, duration: 'x', url: 'ftp://a', headers: 5, title: 'fine' }, ({ name }) => `<${name}>`)
  t.strictSame(problems.map(problem => problem.split(': ')[0]).sort(), ['<connections>', '<duration>', '<headers>', '<url>'])
})

t.test('what is given stays as it is', async t => {
  const given = Object.freeze({ url: Object.freeze(['a']), headers: Object.freeze({ a: Object.freeze(['b', 'c']) }), connections: '5' })
  const { values } = normalize(given, label)
  t.strictSame(given, { url: ['a'], headers: { a: ['b', 'c'] }, connections: '5' })
  t.strictSame([values.url, values.headers, values.connections], [['http://a'], [['a', 'b'], ['a', 'c']], 5])
})
