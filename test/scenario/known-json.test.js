'use strict'

// Lines of JSON that are like one before are read without a parser: as the parser reads them, whatever stands in them.

const t = require('tap')
const assert = require('node:assert/strict')
const fc = require('fast-check')
const { base64End, decodeBase64, decodedLength } = require('../../lib/scenario/base64')
const { KnownJson } = require('../../lib/scenario/known-json')
const { parseTargets } = require('../../lib/scenario/target-file')

const { copy } = KnownJson.prototype
let copied = 0
KnownJson.prototype.copy = function (...args) {
  copied++
  return copy.apply(this, args)
}

/**
 * @param {Buffer} content
 * @returns {{ list?: import('../../lib/scenario/target-list').TargetList, relative?: string | null, mistake?: string }}
 */
function read (content) {
  try {
    const collector = parseTargets(content)
    return { list: collector.end(), relative: collector.relative }
  } catch (error) {
    assert.doesNotMatch(error.message, /Cannot read/)
    return { mistake: error.message }
  }
}

/**
 * A line that begins with a space is never like another: it is left to the parser.
 * @param {string[]} lines in latin1
 * @param {string} before each line
 */
const fileOf = (lines, before) => Buffer.from(lines.map(line => before + line).join('\n'), 'latin1')

/** @param {string[]} lines in latin1 */
function bothWays (lines) {
  copied = 0
  const parsed = read(fileOf(lines, ' '))
  assert.equal(copied, 0)
  assert.deepStrictEqual(read(fileOf(lines, '')), parsed)
  return { parsed, copied }
}

const LIKE = {
  'as vegeta and jq write them': [i => JSON.stringify({ method: 'POST', url: `http://a/items/${i}?q=${i}`, body: btoa(`{"id":${i}}`), header: { 'Content-Type': ['application/json'], 'X-Id': [String(i)] } })],
  'without a body, without headers, with headers that are no lists': [i => `{"url":"http://a/${i}"}`, i => `{"url":"/${i}","header":{"A":"${i}","a":"b${i}"}}`, i => `{"url": "https://b/${i}", "headers": null, "body": ""}`],
  'in any order, with white space': [i => `{ "header" : {"A" : [ "1" , "${i}" ]},\t"body":"${btoa(`x${i}`)}" , "url":"http://a/${i}" }`],
  'with CRLF': [i => `{"url":"http://a/${i}"}\r`]
}

for (const [name, kinds] of Object.entries(LIKE)) {
  t.test(`lines ${name} are copied`, async t => {
    const lines = Array.from({ length: 60 }, (_, i) => kinds[i % kinds.length](i))
    const { parsed, copied } = bothWays([...lines, ''])
    t.equal(parsed.list?.starts.length, 60)
    t.equal(copied, 60 - kinds.length)
  })
}

t.test('more kinds of lines than are known at a time are read as well; kinds are learned as long as that pays', async t => {
  const lines = (kinds, length, turn) => Array.from({ length }, (_, i) => `{"method":"M${turn(i) % kinds}","url":"http://h${turn(i) % kinds}/${i}"}`)
  const many = bothWays(lines(17, 2000, i => i))
  t.equal(many.parsed.list?.starts.length, 2000)
  t.ok(many.copied >= 1500, 'those that are known when no more are learned')
  t.equal(bothWays(lines(300, 3000, i => Math.floor(i / 10))).copied, 2700, 'one kind after the other')
})

const STRANGE = [
  // A name twice: the last one counts, in the place of the first.
  ['{"url":"http://a/1","url":"http://a/1"}', '{"url":"http://a/2","url":"http://a/1"}', '{"url":"http://a/1","url":"http://a/3"}'],
  ['{"url":"/","header":{"A":["1"]},"header":{"A":["1"]}}', '{"url":"/","header":{"A":["2"]},"header":{"A":["1"]}}', '{"url":"/","header":{"A":["1"]},"header":{"A":["3"]}}'],
  ['{"url":"/","header":{"A":["1"],"A":1}}', '{"url":"/","header":{"A":["2"],"A":1}}'],
  ['{"url":"/","header":{"A":["1"],"A":["1"]}}', '{"url":"/","header":{"A":["2"],"A":["1"]}}'],
  ['{"url":"/","header":{"A":[],"B":["1"],"A":["1"]}}', '{"url":"/","header":{"A":[],"B":["2"],"A":["3"]}}'],
  ['{"url":"/","header":{"A":["1"]},"headers":{"A":["1"]}}', '{"url":"/","header":{"A":["2"]},"headers":{"A":["1"]}}', '{"url":"/","header":{"A":["1"]},"headers":{"A":["3"]}}'],
  ['{"url":"/","header":{"A":["1"]},"headers":null}', '{"url":"/","header":{"A":["2"]},"headers":null}'],
  ['{"url":"/","body":"QQ==","body":"QQ=="}', '{"url":"/","body":"Qg==","body":"QQ=="}'],
  ['{"url":"/","body":"QQ==","body":null}', '{"url":"/","body":"Qg==","body":null}'],
  ['{"url":"/","body":null,"body":"QQ=="}', '{"url":"/","body":null,"body":"Qg=="}'],
  // Names of digits come first.
  ['{"url":"/","header":{"b":["1"],"1":["1"]}}', '{"url":"/","header":{"b":["2"],"1":["3"]}}'],
  ['{"url":"/","header":{"__proto__":["1"],"b":"1"}}', '{"url":"/","header":{"__proto__":["2"],"b":"3"}}'],
  ['{"url":"/","__proto__":{"body":"QQ=="}}', '{"url":"/","__proto__":{"body":"Qg=="}}'],
  // Credentials, and slashes that begin no path.
  ['{"url":"http://u:p@a/1"}', '{"url":"http://u:p@a/2"}'],
  ['{"url":"http://u:p@a/1","header":{"authorization":["x"]}}', '{"url":"http://u:p@a/2","header":{"authorization":["y"]}}'],
  ['{"url":"http://a?x=/1"}', '{"url":"http://a?x=/2"}'],
  ['{"url":"a:80?x=http://b/1"}', '{"url":"a:80?x=http://b/2"}'],
  ['{"url":"http://a"}', '{"url":"http://a"}'],
  ['{"url":"http://a/1"}', '{"url":"http://a//2"}', '{"url":"http://a/b/../3"}', '{"url":"http://a/b/%2e./3"}', '{"url":"http://a/ "}'],
  ['{"url":"/1"}', '{"url":"//a/2"}'],
  // What ends where it should not.
  ['{"url":"http://a/1"}', '{"url":"http://a/2"} x'],
  ['{"url":"http://a/1"}', '{"url":"http://a/2"}}'],
  ['{"url":"http://a/1"}', '{"url":"http://a/2"'],
  ['{"url":"http://a/1"}', '{"url":"http://a/2'],
  ['{"url":"http://a/1"}', '{"url":"http://a/2"} ', '\t{"url":"http://a/3"}', '', '# c', '{"url":"http://a/4"}\r'],
  // Texts.
  ...['\\u0032', '\\"', '\\n', '\xc3\xbc', '\xff', '\x7f', '\xfe', '\x1f', '\0', '\r', '\t', '', ' ', '\xe2\x80\xa8'].map(text => ['{"url":"/","header":{"A":["1"]}}', `{"url":"/","header":{"A":["${text}"]}}`]),
  // Base64, with all that Buffer takes and does not.
  ...['', '=', '==', 'A', 'AA', 'AAA', 'AAAA', 'AA=', 'AA==', 'AAA=', 'AAA==', 'AAAA=', 'AAAA==', 'A===', 'AB==', 'AAB=', '-_+/', 'A A=', 'AA\\u003d=', '*AAA', 'AAAAAAAAAAAA', '=AAA', 'AA=A'].map(text => ['{"url":"/","body":"QUJD"}', `{"url":"/","body":"${text}"}`])
]

t.test('what is strange is read as the parser reads it', async () => {
  for (const lines of STRANGE) bothWays(lines)
  for (const lines of STRANGE) for (const others of STRANGE) bothWays([...others.slice(0, 1), ...lines])
})

const bytes = fc.uint8Array({ maxLength: 12 }).map(content => Buffer.from(content).toString('base64'))
/** @template T @param {fc.Arbitrary<T>} usual @param {fc.Arbitrary<T>} strange */
const mostly = (usual, strange) => fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: strange })
const text = mostly(fc.stringMatching(/^[ -!#-[\]-~]{0,6}$/), fc.constantFrom('\\u0041', '\\\\', '\\"', '\xc3\xa4', '\xff', '\x7f'))
const host = mostly(fc.constantFrom('http://a', 'http://a', 'https://b:1', ''), fc.constantFrom('a:80', 'http://u:p@a', 'http://a?x='))
const place = mostly(fc.stringMatching(/^(\/[a-z0-9]{1,4}){1,2}\/?$/), fc.constantFrom('/../x', '/%2e/', '/#', '/\\u0041', '/\xc3\xa4', '/a//b'))
const url = fc.tuple(host, place).map(parts => parts.join(''))
const header = mostly(fc.tuple(text, text).map(([a, b]) => `{"A":["${a}"],"B-c":"${b}"}`), fc.oneof(text.map(a => `{"b":["${a}"],"1":"${a}","__proto__":["x"],"A":[]}`), text.map(a => `{"A":["${a}"],"b":"","A":"${a}"}`), fc.constantFrom('null', '{"A":1}', '{"A":[true]}')))
const body = mostly(bytes.map(content => `"${content}"`), fc.oneof(fc.stringMatching(/^[A-Za-z_/+-]{0,9}={0,2}$/).map(content => `"${content}"`), fc.constant('null')))
const line = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(url, header, body).map(([url, header, body]) => `{"method":"PUT","url":"${url}","header":${header},"body":${body}}`) },
  { weight: 2, arbitrary: fc.tuple(url, body, fc.constantFrom('"GET"', '"post"', 'null')).map(([url, body, method]) => `{"body":${body}, "url" : "${url}","method":${method}}`) },
  { weight: 1, arbitrary: fc.constantFrom('', '# c') }
)
const WRONG = ['{}', '[]', '{"url":1}', '{"url":""}', '{"url":"//a"}', '{"url":"/ "}', '{"url":"/","method":"G T"}', '{"url":"/","body":1}', '{"url":"/","header":{"A":[[]]}}', '{"url":"/","header":{"":""}}', '{"url":"/","header":{"A":"\0"}}']
const PIECES = ['"', '\\', '{', '}', '[', ']', ',', ':', 'null', ' ', '\t', '\r', '=', '\0', '\xff', '\xc3\xa4', '\xef\xbb\xbf', '"url":"http://b/",', '"body":"QQ==",', '"header":{"A":"x"},', '"__proto__":{},', '\\u0022', '/', '#']
/** One place of a line has something else in it. */
const broken = fc.tuple(line, fc.nat(), fc.nat(3), fc.constantFrom('', ...PIECES)).map(([line, at, length, piece]) => {
  const from = at % (line.length + 1)
  return line.slice(0, from) + piece + line.slice(from + length)
})

t.test('whatever stands in the lines: the same requests, or the same mistake in the same line', async t => {
  let copies = 0
  let mistakes = 0
  const whole = fc.array(line, { minLength: 2, maxLength: 8 })
  fc.assert(fc.property(whole, fc.oneof(line, broken, broken, fc.constantFrom(...WRONG)), fc.constantFrom('', '\r'), (lines, last, end) => {
    const all = [...lines, last, ...lines.slice(0, 2)].map(one => one + end)
    const { parsed, copied } = bothWays(all)
    copies += copied
    if (parsed.mistake !== undefined) mistakes++
  }), { seed: 18, numRuns: 1500 })
  t.comment(`${copies} lines were copied, ${mistakes} files had a mistake`)
  t.ok(copies > 1000 && mistakes > 500)
})

t.test('base64 is decoded as Buffer decodes it', async () => {
  fc.assert(fc.property(fc.uint8Array({ minLength: 1, maxLength: 100 }), fc.nat(7), fc.constantFrom('base64', 'base64url'), (content, at, alphabet) => {
    const given = Buffer.from('*'.repeat(at) + Buffer.from(content).toString(alphabet).padEnd(4 * Math.ceil(content.length / 3), '=') + '"')
    const end = base64End(given, at)
    assert.equal(end, given.length - 1)
    const length = decodedLength(given, at, end)
    const out = Buffer.alloc(at + length + 1, 7)
    decodeBase64(given, at, out, at, length)
    assert.deepStrictEqual(out, Buffer.concat([Buffer.alloc(at, 7), content, Buffer.from([7])]))
  }), { seed: 18, numRuns: 1000 })
})
