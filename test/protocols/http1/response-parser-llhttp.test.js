'use strict'

const assert = require('node:assert/strict')
const t = require('tap')
const fc = require('fast-check')
const { HeadMemo } = require('../../../lib/protocols/head-memo')
const { HEAD_FORMAT } = require('../../../lib/protocols/http1/head-format')
const { ResponseParser, BODY, NO_BODY, TUNNEL } = require('../../../lib/protocols/http1/response-parser')
const { runLlhttp } = require('../../helpers/protocols/llhttp')

// Compares the parser with llhttp over generated streams: valid ones, where both have to tell what the stream was made of, and
// damaged ones, where both have to tell the same or differ for a reason in the table below. Always the same streams, unless
// FUZZ_SEED and FUZZ_RUNS say otherwise: FUZZ_SEED=$RANDOM FUZZ_RUNS=100000 node test/protocols/http1/response-parser-llhttp.test.js

const SEED = Number(process.env.FUZZ_SEED ?? 9112)
const RUNS = Number(process.env.FUZZ_RUNS ?? 8000)

// Two heads are the same to a memo that saw one: shared by all streams, as by all connections of a thread.
const memo = new HeadMemo(HEAD_FORMAT)

/**
 * Tells what our parser finds in reads that are followed by the end of the connection.
 * @returns {{ told: string[], why: string, sizes: number[] }} as runLlhttp does, and the size of each response
 */
function runOurs (reads, verdicts) {
  const told = []
  const sizes = []
  let status = '-'
  let body = ''
  let heads = 0
  const tell = fate => {
    told.push(`${status} ${fate} ${body}`)
    status = '-'
    body = ''
  }
  const parser = new ResponseParser({
    wantsBody: true,
    onHead (code) {
      status = String(code)
      return verdicts[heads++] ?? BODY
    },
    onBody (buf, start, end) { body += buf.latin1Slice(start, end) },
    onComplete (size) {
      sizes.push(size)
      tell(parser.stopped ? 'last' : 'kept')
    }
  }, memo)
  for (const read of reads) parser.execute(read)
  parser.finish()
  if (parser.error) tell('refused')
  else if (parser.inside) tell('truncated')
  return { told, why: parser.error?.code ?? '', sizes }
}

// What is generated.

const TOKEN = "!#$%&'*+-.^_`|~09AZaz"
const text = (units, maxLength) => fc.string({ unit: fc.constantFrom(...units), maxLength })
const value = text('aZ09 \t,;:="\x80\xe9\xff', 12).map(string => string.trim())
const field = fc.tuple(text(TOKEN, 6), value, fc.constantFrom('', ' ', ' \t ')).map(([name, value, space]) => `X${name}:${space}${value}${space}`)
const fields = fc.array(field, { maxLength: 2 })
const often = (usual, ...others) => fc.oneof({ arbitrary: fc.constant(usual), weight: 2 * others.length }, ...others.map(fc.constant))

const response = fc.record({
  interims: often([], ['HTTP/1.1 100 Continue'], ['HTTP/1.1 103 Early Hints', 'Link: </x>'], ['HTTP/1.1 102 ', '', 'HTTP/1.1 100']),
  verdict: often(BODY, NO_BODY, TUNNEL),
  version: often('1.1', '1.0'),
  status: fc.oneof(fc.constantFrom(200, 204, 304, 404), fc.integer({ min: 200, max: 999 }), fc.constant(101)),
  reason: often(' OK', '', ' ', ' Nicht gef\xfcnden\t '),
  before: fields,
  after: fields,
  framing: often('length', 'chunked', 'chunked', 'none'),
  body: text('ab0\r\n\0\xff HTTP/1.', 20),
  chunkSize: fc.integer({ min: 1, max: 20 }),
  chunkZeros: often('', '0', '0000'),
  extension: often('', ';a', ';a=b;c', ';a="b \\" ;c"'),
  trailers: fields,
  connection: often('', 'close', 'keep-alive', 'Keep-Alive', 'te, CLOSE', 'keep-alive ,te', 'upgrade')
})

/** @returns {{ bytes: string, told: string, last: boolean }} a response on the wire, and what is to be told of it */
function render ({ interims, verdict, version, status, reason, before, after, framing, body, chunkSize, chunkZeros, extension, trailers, connection }) {
  const lines = interims.length > 0 ? [...interims, ''] : []
  // HTTP/1.0 knows no chunks.
  if (version === '1.0' && framing === 'chunked') framing = 'length'
  lines.push(`HTTP/${version} ${String(status).padStart(3, '0')}${reason}`, ...before)
  if (connection !== '') lines.push(`Connection: ${connection}`)
  if (framing === 'length') lines.push(`Content-Length: ${body.length}`)
  if (framing === 'chunked') lines.push('Transfer-Encoding: chunked')
  const head = [...lines, ...after, '', ''].join('\r\n')
  const tunnel = status === 101 || (verdict === TUNNEL && status >= 200 && status < 300)
  const empty = tunnel || verdict === NO_BODY || status === 204 || status === 304
  const close = tunnel || /close/i.test(connection) || (version === '1.0' && !/keep-alive/i.test(connection))
  const last = close || (!empty && framing === 'none')
  const told = `${status} ${last ? 'last' : 'kept'} ${empty ? '' : body}`
  if (empty) return { bytes: head, told, last }
  if (framing !== 'chunked') return { bytes: head + body, told, last }
  let chunks = ''
  for (let i = 0; i < body.length; i += chunkSize) {
    const data = body.slice(i, i + chunkSize)
    chunks += `${chunkZeros}${data.length.toString(16)}${extension}\r\n${data}\r\n`
  }
  return { bytes: head + chunks + [`0${extension}`, ...trailers, '', ''].join('\r\n'), told, last }
}

/** Responses up to the last one of a connection. */
const stream = fc.array(response, { minLength: 1, maxLength: 4 }).map(responses => {
  const rendered = responses.map(render)
  const end = rendered.findIndex(({ last }) => last) + 1 || rendered.length
  const sent = rendered.slice(0, end)
  return {
    bytes: sent.map(({ bytes }) => bytes).join(''),
    told: sent.map(({ told }) => told),
    sizes: sent.map(({ bytes }) => bytes.length),
    verdicts: responses.map(({ verdict }) => verdict)
  }
})

const place = fc.noBias(fc.integer({ min: 0, max: 9999 })).map(n => n / 10000)
const cuts = fc.array(place, { maxLength: 6 })

/** @returns {Buffer[]} a stream cut into reads at fractions of its length */
function cut (bytes, places) {
  const all = Buffer.from(bytes, 'latin1')
  const offsets = places.map(place => Math.floor(place * all.length)).sort((a, b) => a - b)
  return [...offsets, all.length].map((end, i) => all.subarray(offsets[i - 1] ?? 0, end))
}

const SNIPPETS = [
  '\r', '\n', '\r\n', '\r\n\r\n', '\0', '\t', ' ', '\x7f', '\x01', ',', ';', ':', '"', '0', '1', '8', 'f', '-', '+', 'ffffffffffffff',
  'HTTP/', 'chunked', 'close', 'keep-alive', ', gzip', ', chunked', 'x'
]
const LINES = [
  'HTTP/1.1 200 OK', 'HTTP/1.1 100 Continue', 'HTTP/1.0 103 x', 'HTTP/1.1 150 x', 'HTTP/2.0 200 OK', '', '0', '2', ' x', '\tx',
  'Content-Length: 0', 'content-length: 3', 'Content-Length: 99999999999999999999', 'Content-Length: 10000000000000000', 'Content-Length:', 'Content-Length: 1,1', 'Content-Length : 1',
  'Transfer-Encoding: chunked', 'transfer-encoding:CHUNKED', 'Transfer-Encoding: gzip', 'Transfer-Encoding: gzip, chunked', 'Transfer-Encoding: chunked, chunked', 'Transfer-Encoding:', 'Transfer-Encoding: chunked;a', 'Transfer-Encoding: xchunked, ,',
  'Connection: close', 'Connection: keep-alive', 'Connection: close, keep-alive', 'Connection: ,, close ,', 'Connection: closed', 'Connection: upgrade', 'Connection: close x', 'Connection:', 'Upgrade: x',
  'X', ': x', 'X Y: z', 'Proxy-Connection: close', 'Content-Length-X: 4'
]
const mutation = fc.record({
  how: fc.constantFrom('change', 'drop', 'insert', 'snippet', 'line', 'line'),
  place,
  byte: fc.integer({ min: 0, max: 255 }),
  snippet: fc.constantFrom(...SNIPPETS),
  line: fc.constantFrom(...LINES)
})
const mutated = fc.tuple(stream, fc.array(mutation, { minLength: 1, maxLength: 3 })).map(([{ bytes, verdicts }, mutations]) => ({ bytes: mutations.reduce(mutate, bytes), verdicts }))

/** @returns {string} a stream with one thing wrong, perhaps */
function mutate (bytes, { how, place, byte, snippet, line }) {
  const at = Math.floor(place * bytes.length)
  if (how === 'line') {
    const start = bytes.lastIndexOf('\n', at) + 1
    return `${bytes.slice(0, start)}${line}\r\n${bytes.slice(start)}`
  }
  const added = how === 'drop' ? '' : how === 'snippet' ? snippet : String.fromCharCode(byte)
  return bytes.slice(0, at) + added + bytes.slice(how === 'change' || how === 'drop' ? at + 1 : at)
}

// Where we differ on purpose. Both runs are compared response by response; the first one that differs has to be in this table:
// what we tell of it, what llhttp tells of it, and what has to be in the stream from its start on. Each row is proved by its
// examples, so that none outlives its reason.

const PLAIN = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const CHUNKS = '2\r\nok\r\n0\r\n\r\n'
const ok = (...lines) => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n')
const chunked = bytes => ok('Transfer-Encoding: chunked') + bytes
const ANYTHING = /^/

const DIFFERENCES = [
  {
    why: 'we judge a head when it is whole, llhttp byte by byte: a head that is malformed and cut off is truncated to us',
    examples: ['HTTP/1.1 200 OK\r\nX Y: z\r\n'],
    ours: /^- truncated/,
    theirs: /^- refused/,
    where: ANYTHING
  },
  {
    why: 'stricter: RFC 9112 §2.2 has servers skip empty lines before a message, not clients; to us they are a response without a request',
    examples: ['\r\n' + PLAIN, '\n' + PLAIN, '\r' + PLAIN],
    ours: /^- refused \(AC_STATUS_LINE\)/,
    theirs: ANYTHING,
    where: /(^|\r\n\r\n)[\r\n]/
  },
  {
    why: 'stricter: we speak HTTP/1.0 and HTTP/1.1 (RFC 9112 §2.3), llhttp knows of others',
    examples: ['HTTP/2.0 200 OK\r\n\r\n', 'HTTP/0.9 200 OK\r\n\r\n', 'RTSP/1.0 200 OK\r\n\r\n', 'ICE/1.0 200 OK\r\n\r\n'],
    ours: /^- refused \(AC_STATUS_LINE\)/,
    theirs: ANYTHING,
    where: /(^|\r\n\r\n)(HTTP\/2\.0|HTTP\/0\.9|RTSP\/|ICE\/)/
  },
  {
    why: 'stricter: a status below 100 is in no class (RFC 9110 §15); llhttp reads any three digits',
    examples: ['HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n', 'HTTP/1.0 000\r\n\r\n'],
    ours: /^- refused \(AC_STATUS_LINE\)/,
    theirs: ANYTHING,
    where: /(^|\r\n\r\n)HTTP\/1\.[01] 0\d\d/
  },
  {
    why: 'stricter: RFC 9112 §4 has no NUL in a reason',
    examples: ['HTTP/1.1 200 O\0K\r\nContent-Length: 0\r\n\r\n'],
    ours: /^- refused \(AC_STATUS_LINE\)/,
    theirs: ANYTHING,
    where: /(^|\r\n\r\n)HTTP\/1\.[01] \d{3} [^\r\n]*\0/
  },
  {
    why: 'more lenient: RFC 9112 §5.2 has a user agent read folded values; llhttp refuses them',
    examples: [ok('Content-Length: 0', 'X: a', ' b'), ok('Content-Length: 0', 'X:', '\tb'), chunked('0\r\nX: a\r\n b\r\n\r\n')],
    ours: /^\d/,
    theirs: /refused \((Unexpected whitespace after header value|Invalid header value char)\)/,
    where: /\r\n[ \t]/
  },
  {
    why: 'stricter: a CR in the status line that ends nothing is refused (RFC 9112 §2.2); llhttp takes two of them for its end',
    examples: ['HTTP/1.1 200 OK\r\rX: y\r\nContent-Length: 0\r\n\r\n'],
    ours: /^- refused \(AC_STATUS_LINE\)/,
    theirs: ANYTHING,
    where: /(^|\r\n\r\n)HTTP\/1\.[01] \d{3}.*\r\r/
  },
  {
    why: 'more lenient: the white space around a value and its items may be tabs (RFC 9110 §5.6.3); llhttp takes one behind a word for a part of it',
    examples: [ok('Content-Length: 2\t') + 'ok', ok('Content-Length: 0', 'Connection: close\t'), ok('Transfer-Encoding: chunked\t') + CHUNKS],
    ours: /^\d/,
    theirs: /^(\d|- refused \(Invalid character in Content-Length\))/,
    where: /\n(content-length|transfer-encoding|connection):.*[0-9a-z][ \t]*\t[ \t]*[,\r]/i
  },
  {
    why: 'stricter: chunked comes once (RFC 9112 §6.1), without parameters (§7.1), and last; if it is not, §6.3 would read on to the end of the connection, which hides the mistake',
    examples: ['chunked, gzip', 'chunked, chunked', 'chunked,', 'chunked;q=1', 'chunked\xa0', 'chunked\r\nTransfer-Encoding: gzip'].map(codings => ok(`Transfer-Encoding: ${codings}`) + CHUNKS),
    ours: /^- refused \(AC_TRANSFER_ENCODING\)/,
    theirs: ANYTHING,
    where: /\ntransfer-encoding:.*chunked([ \t]*[^ \t\r]|[^]*\ntransfer-encoding:)/i
  },
  {
    why: 'stricter: Content-Length beside Transfer-Encoding is refused (RFC 9112 §6.3) even if that is empty',
    examples: [ok('Transfer-Encoding:', 'Content-Length: 2') + 'ok'],
    ours: /^- refused \(AC_CONTENT_LENGTH\)/,
    theirs: ANYTHING,
    where: /\ntransfer-encoding:[ \t]*\r\n/i
  },
  {
    why: 'stricter: a length has to be an exact number in JavaScript; RFC 9110 §8.6 asks for no loss of precision',
    examples: [ok('Content-Length: 9007199254740992')],
    ours: /^- refused \(AC_CONTENT_LENGTH\)/,
    theirs: ANYTHING,
    where: /\ncontent-length:[ \t]*\d{16,}/i
  },
  {
    why: 'stricter: so has the size of a chunk (RFC 9112 §7.1)',
    examples: [chunked('20000000000000\r\nok')],
    ours: /^\d+ refused \(AC_CHUNK\)/,
    theirs: /^\d/,
    where: /\n[0-9a-f]{14,}/i
  },
  {
    why: 'more lenient: some servers pad the size of a chunk; RFC 9112 §7.1.1 has us read such white space before an extension',
    examples: [chunked('2  \r\nok\r\n0\r\n\r\n'), chunked('2 ;a\r\nok\r\n0\r\n\r\n')],
    ours: /^\d/,
    theirs: /refused \(Invalid character in chunk size\)/,
    where: /\n[0-9a-f]+[ \t]+([;\r]|$)/i
  },
  {
    why: 'more lenient: RFC 9112 §7.1.1 has us ignore extensions that we do not know, and we know none: whatever has no control character is one',
    examples: [chunked('2; a\r\nok\r\n0\r\n\r\n'), chunked('2;a="\r\nok\r\n0\r\n\r\n')],
    ours: /^\d/,
    theirs: /refused \(Invalid (character|quoted-pair) in chunk extensions/,
    where: /\n[0-9a-f]+[ \t]*;/i
  },
  {
    why: 'stricter: DEL is a control character in a quoted extension, too (RFC 9110 §5.6.4)',
    examples: [chunked('2;a="\x7f"\r\nok\r\n0\r\n\r\n')],
    ours: /^\d+ refused \(AC_CHUNK\)/,
    theirs: /^\d/,
    where: /\n[0-9a-f]+[ \t]*;.*\x7f/i
  },
  {
    why: 'RFC 9110 §6.5.1: a trailer field does not frame the message; llhttp takes it for a header',
    examples: ['Content-Length: 3', 'Transfer-Encoding: gzip', 'Connection: close', 'Proxy-Connection: close'].map(line => chunked(`0\r\n${line}\r\n\r\n`)),
    ours: /^\d/,
    theirs: /^\d+ (kept|last|refused \((Content-Length can't|Transfer-Encoding can't|Invalid character in Content-L|Empty Content-L|Duplicate Content-L|Content-Length overflow))/,
    where: /\n0+[ \t]*(;.*)?\r\n(.+\r\n)*(content-length|transfer-encoding|(proxy-)?connection):/i
  },
  {
    why: 'RFC 9110 §15.2: an interim response is not the answer, so it neither ends the connection nor is it enough',
    examples: ['HTTP/1.1 100 x\r\nConnection: close\r\n\r\n' + PLAIN, 'HTTP/1.0 100 x\r\n\r\n' + PLAIN, 'HTTP/1.1 100 x\r\n\r\n'],
    ours: ANYTHING,
    theirs: /^(- refused \(Data after `Connection: close`\)|nothing)/,
    where: /^HTTP\/1\.[01] 1(?!01)\d\d/
  },
  {
    why: 'RFC 9112 §6.3: no interim response has a body; llhttp knows of 100, 102 and 103 only',
    examples: ['HTTP/1.1 104 x\r\nContent-Length: 3\r\n\r\n' + PLAIN, 'HTTP/1.1 199 x\r\nTransfer-Encoding: chunked\r\n\r\n' + PLAIN],
    ours: ANYTHING,
    theirs: ANYTHING,
    where: /(^|\r\n\r\n)HTTP\/1\.[01] 1(0[4-9]|[1-9]\d)[^]*\n(content-length|transfer-encoding):/i
  },
  {
    why: 'RFC 9112 §9.3: close comes before keep-alive; to llhttp, keep-alive comes first in HTTP/1.0',
    examples: ['HTTP/1.0 200 OK\r\nContent-Length: 0\r\nConnection: close, keep-alive\r\n\r\n'],
    ours: /^\d+ last/,
    theirs: /^\d+ kept/,
    where: /(^|\r\n\r\n)HTTP\/1\.0(?=[^]*\nconnection:.*keep-alive)[^]*\nconnection:.*close/i
  },
  {
    why: 'RFC 9112 §6.1: an HTTP/1.0 message with Transfer-Encoding is the last one',
    examples: ['HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n' + CHUNKS],
    ours: /^\d+ last/,
    theirs: /^\d+ kept/,
    where: /(^|\r\n\r\n)HTTP\/1\.0[^]*\ntransfer-encoding:/i
  },
  {
    why: 'more lenient: close and keep-alive with more words behind them are still understood; RFC 9110 §7.6.1 has none',
    examples: [ok('Content-Length: 0', 'Connection: close x'), 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive;x\r\n\r\n'],
    ours: /^\d+ (kept|last)/,
    theirs: /^\d+ (kept|last)/,
    where: /\nconnection:.*(close|keep-alive)(?![!#$%&'*+.^_`|~0-9a-z-])[ \t]*[^, \t\r]/i
  },
  {
    why: 'Proxy-Connection is no header of HTTP (RFC 9112 §C.2.2); llhttp takes it for Connection',
    examples: [ok('Content-Length: 0', 'Proxy-Connection: close')],
    ours: /^\d+ (kept|last)/,
    theirs: /^\d+ (kept|last)/,
    where: /\nproxy-connection:/i
  }
]

/** What a run tells of its n-th response. */
const tale = ({ told, why }, n) => told[n]?.replace(/^(\S+ refused) /, `$1 (${why}) `) ?? 'nothing'

/** @returns {null | { ours: string, theirs: string, rest: string }} the first response that a stream's two runs differ in */
function compare (bytes, places, verdicts) {
  const ours = runOurs(cut(bytes, places), verdicts)
  const theirs = runLlhttp(Buffer.from(bytes, 'latin1'), verdicts)
  const n = ours.told.findIndex((told, i) => told !== theirs.told[i])
  if (n === -1 && theirs.told.length <= ours.told.length) return null
  const first = n === -1 ? ours.told.length : n
  const start = ours.sizes.slice(0, first).reduce((sum, size) => sum + size, 0)
  return { ours: tale(ours, first), theirs: tale(theirs, first), rest: bytes.slice(start) }
}

const explains = (difference, { ours, theirs, rest }) => difference.ours.test(ours) && difference.theirs.test(theirs) && difference.where.test(rest)

t.test('finds in valid streams what llhttp finds and what they were made of', async () => {
  fc.assert(fc.property(stream, cuts, ({ bytes, told, sizes, verdicts }, places) => {
    const ours = runOurs(cut(bytes, places), verdicts)
    assert.deepEqual([ours.told, ours.sizes], [told, sizes])
    assert.deepEqual(runLlhttp(Buffer.from(bytes, 'latin1'), verdicts).told, told)
  }), { seed: SEED, numRuns: RUNS })
})

t.test('finds in damaged streams what llhttp finds, but for the differences in the table', async () => {
  fc.assert(fc.property(mutated, cuts, ({ bytes, verdicts }, places) => {
    const found = compare(bytes, places, verdicts)
    assert.ok(found === null || DIFFERENCES.some(difference => explains(difference, found)), JSON.stringify(found))
  }), { seed: SEED, numRuns: 2 * RUNS })
})

for (const difference of DIFFERENCES) {
  t.test(`differs from llhttp: ${difference.why}`, async t => {
    for (const example of difference.examples) {
      const found = compare(PLAIN + example, [], [BODY, BODY])
      t.ok(found !== null && explains(difference, found), JSON.stringify(example), { found })
    }
  })
}
