'use strict'

const t = require('tap')
const { ProtocolError } = require('../../../lib/core/errors')
const { HeadMemo } = require('../../../lib/protocols/head-memo')
const { HEAD_FORMAT, rawTrailers } = require('../../../lib/protocols/http1/head-format')
const { ResponseParser, BODY, NO_BODY, UNREQUESTED, TUNNEL, MAX_HEAD } = require('../../../lib/protocols/http1/response-parser')

// The tables below are bytes → events. A row is [promise, bytes, events, options]: the bytes are one string, or one for each
// response, whose lengths are then the sizes to be credited. Every row is run whole, byte by byte and cut in two at every
// offset, alone and in the middle of a pipeline; see `differences`.

const PLAIN = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'

/** A head with status 200. */
const ok = (...lines) => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n')
/** What is told of a response that leaves the connection open. */
const kept = (status, body = '') => body ? [`head ${status}`, `body ${body}`, 'complete kept'] : [`head ${status}`, 'complete kept']
/** What is told of a connection's last response. */
const last = (status, body = '') => [...kept(status, body).slice(0, -1), 'complete last', 'stopped']
/** What is told of a response that is malformed, behind its head or in it. */
const bad = (code, ...before) => [...before, `error ${code}`]

/** Gives the parser the spans between the cuts, each in a read buffer whose rest is stale. */
function feed (parser, bytes, cuts) {
  const read = Buffer.alloc(bytes.length + 8, '\r\n')
  let from = 0
  for (const to of [...cuts, bytes.length]) {
    bytes.copy(read, 0, from, to)
    read.write('\r\n\r\n\r\n\r\n', to - from)
    parser.execute(read, to - from)
    from = to
  }
}

/** @returns {string[]} what a parser tells of a stream that comes in several reads */
function tell (bytes, cuts, { verdicts = [], eof = false, wantsBody = true, wantsTrailers = false, memo = new HeadMemo(HEAD_FORMAT) } = {}) {
  const events = []
  let body = ''
  let heads = 0
  const parser = new ResponseParser({
    wantsBody,
    wantsTrailers: wantsTrailers && wantsBody,
    onHead (status, buf, start, end) {
      if (buf.latin1Slice(end - 4, end) !== '\r\n\r\n' || buf.latin1Slice(start, start + 5) !== 'HTTP/') events.push('no head')
      events.push(`head ${status}`)
      return verdicts[heads++] ?? BODY
    },
    onBody (buf, start, end) { body += buf.latin1Slice(start, end) },
    onTrailers (section) { body += ` trailers ${JSON.stringify(rawTrailers(section))}` },
    onComplete (size) {
      if (body) events.push(`body ${body}`)
      body = ''
      events.push(`complete ${size} ${parser.stopped ? 'last' : 'kept'}`)
    }
  }, memo)
  feed(parser, bytes, cuts)
  if (eof) parser.finish()
  if (body) events.push(`body ${body}`)
  if (parser.error) events.push(`error ${parser.error.code}`)
  else if (parser.stopped) events.push('stopped')
  else if (parser.inside) events.push('inside')
  return events
}

/** Every place to cut a stream; of a long one, those near its ends and near the limit of a head. */
function offsets (length) {
  const all = Array.from({ length: length - 1 }, (_, i) => i + 1)
  if (length < 2000) return all
  return all.filter(i => i < 20 || i > length - 40 || (i > MAX_HEAD - 9 && i < MAX_HEAD + 9) || i % 4999 === 0)
}

/** @returns {object[]} each way of reading the responses that tells something else than expected; at most three */
function differences (responses, expected, options) {
  const bytes = Buffer.from(responses.join(''), 'latin1')
  let completed = 0
  const wanted = expected.map(event => event.replace('complete', () => `complete ${responses[completed++].length}`))
  const found = []
  const check = (how, cuts, more) => {
    const told = tell(bytes, cuts, { ...options, ...more })
    const want = more?.wantsBody === false ? wanted.filter(event => !event.startsWith('body')) : wanted
    if (found.length < 3 && told.join('\n') !== want.join('\n')) found.push({ how, told, wanted: want })
  }
  const single = offsets(bytes.length)
  const memo = new HeadMemo(HEAD_FORMAT)
  check('whole', [], { memo })
  check('whole, heads remembered', [], { memo })
  check('whole, bodies not wanted', [], { wantsBody: false })
  check('byte by byte', single)
  check('byte by byte, bodies not wanted', single, { wantsBody: false })
  for (const offset of offsets(bytes.length)) check(`cut at ${offset}`, [offset])
  return found
}

function table (title, rows) {
  t.test(title, async t => {
    for (const [promise, bytes, events, { verdicts = [BODY], ...options } = {}] of rows) {
      const responses = [bytes].flat()
      t.strictSame(differences(responses, events, { ...options, verdicts }), [], promise)
      const open = events.at(-1) === 'complete kept'
      t.strictSame(differences(
        open ? [PLAIN, PLAIN, ...responses, PLAIN] : [PLAIN, PLAIN, ...responses],
        [...kept(200, 'ok'), ...kept(200, 'ok'), ...events, ...(open ? kept(200, 'ok') : [])],
        { ...options, verdicts: [BODY, BODY, ...verdicts] }
      ), [], `${promise}, in a pipeline`)
    }
  })
}

const line = bytes => `${bytes}\r\nContent-Length: 0\r\n\r\n`

table('status line', [
  ['reads a usual one', line('HTTP/1.1 200 OK'), kept(200)],
  ['needs no reason', line('HTTP/1.1 200 '), kept(200)],
  ['needs no space when there is no reason', line('HTTP/1.1 200'), kept(200)],
  ['takes any reason', line('HTTP/1.1 404 Nicht  gef\xfcnden\t\x80\xff'), kept(404)],
  ['takes the lowest status', line('HTTP/1.1 200 OK'), kept(200)],
  ['takes the highest status', line('HTTP/1.1 999 High'), kept(999)],
  ['takes HTTP/1.0, which ends the connection', line('HTTP/1.0 200 OK'), last(200)],
  ['refuses a status below 100', line('HTTP/1.1 099 Low'), bad('AC_STATUS_LINE')],
  ['refuses status 000', line('HTTP/1.1 000 Zero'), bad('AC_STATUS_LINE')],
  ['refuses a status of two digits', line('HTTP/1.1 20 OK'), bad('AC_STATUS_LINE')],
  ['refuses a status of four digits', line('HTTP/1.1 2000 OK'), bad('AC_STATUS_LINE')],
  ['refuses a status that is no number', line('HTTP/1.1 2x0 OK'), bad('AC_STATUS_LINE')],
  ['refuses a negative status', line('HTTP/1.1 -20 OK'), bad('AC_STATUS_LINE')],
  ['refuses no status', line('HTTP/1.1'), bad('AC_STATUS_LINE')],
  ['refuses no status behind a space', line('HTTP/1.1 '), bad('AC_STATUS_LINE')],
  ['refuses HTTP/2.0', line('HTTP/2.0 200 OK'), bad('AC_STATUS_LINE')],
  ['refuses HTTP/1.2', line('HTTP/1.2 200 OK'), bad('AC_STATUS_LINE')],
  ['refuses HTTP/1.10', line('HTTP/1.10 200 OK'), bad('AC_STATUS_LINE')],
  ['refuses HTTP/11', line('HTTP/11 200 OK'), bad('AC_STATUS_LINE')],
  ['refuses lower case', line('http/1.1 200 OK'), bad('AC_STATUS_LINE')],
  ['refuses no space before the status', line('HTTP/1.1200 OK'), bad('AC_STATUS_LINE')],
  ['refuses two spaces before the status', line('HTTP/1.1  200 OK'), bad('AC_STATUS_LINE')],
  ['refuses a tab before the status', line('HTTP/1.1\t200 OK'), bad('AC_STATUS_LINE')],
  ['refuses no space before the reason', line('HTTP/1.1 200OK'), bad('AC_STATUS_LINE')],
  ['refuses NUL in the reason', line('HTTP/1.1 200 O\0K'), bad('AC_STATUS_LINE')],
  ['refuses a bare CR in the reason', line('HTTP/1.1 200 O\rK'), bad('AC_STATUS_LINE')],
  ['refuses a bare LF at its end', 'HTTP/1.1 200 OK\nContent-Length: 0\r\n\r\n', bad('AC_STATUS_LINE')],
  ['refuses bare LFs as soon as it sees one', 'HTTP/1.1 200 OK\n', bad('AC_STATUS_LINE')],
  ['refuses a bare LF in place of the reason', 'HTTP/1.1 200\n\n', bad('AC_STATUS_LINE')],
  ['refuses an empty line in front', '\r\n' + line('HTTP/1.1 200 OK'), bad('AC_STATUS_LINE')],
  ['refuses white space in front', ' ' + line('HTTP/1.1 200 OK'), bad('AC_STATUS_LINE')],
  ['refuses what is behind a body that is longer than announced', [ok('Content-Length: 2') + 'ok', 'ok'], bad('AC_STATUS_LINE', ...kept(200, 'ok'))],
  ['refuses the banner of an SSH server', 'SSH-2.0-OpenSSH_9.6p1\r\n', bad('AC_STATUS_LINE')],
  ['refuses a TLS alert', '\x15\x03\x01\x00\x02\x02\x0a', bad('AC_TLS_ALERT')],
  ['refuses an HTTP/2 SETTINGS frame', '\x00\x00\x12\x04\x00\x00\x00\x00\x00', bad('AC_STATUS_LINE')],
  ['refuses HTTP/0.9', '<html>hello</html>', bad('AC_STATUS_LINE')],
  ['knows that it is inside one', 'HTTP/1.1 2', ['inside']],
  ['knows that it is inside one that starts well', 'H', ['inside']]
])

const field = (...lines) => ok('Content-Length: 0', ...lines)

table('header lines', [
  ['does without', [ok() + 'hello'], last(200, 'hello'), { eof: true }],
  ['allows white space around a value', ok('Content-Length: \t 2 \t ') + 'ok', kept(200, 'ok')],
  ['needs no white space', ok('Content-Length:2') + 'ok', kept(200, 'ok')],
  ['knows names in any case', ok('cONTENT-lENGTH: 2') + 'ok', kept(200, 'ok')],
  ['allows an empty value', field('X-Empty:', 'X-Blank: \t'), kept(200)],
  ['allows every byte of a token in a name', field("!#$%&'*+-.^_`|~09AZaz: x"), kept(200)],
  ['allows tabs and bytes above ASCII in a value', field('X: a\tb \x80\xe9\xff'), kept(200)],
  ['allows a colon in a value', field('X: a: b', 'Y::'), kept(200)],
  ['takes a name that only starts like a framing one for another', ok('Content-Lengthy: 7', 'Xontent-Length: 7', 'Xransfer-Encoding: chunked', 'Content-Length: 2') + 'ok', kept(200, 'ok')],
  ['refuses a line without colon', field('X'), bad('AC_HEADER')],
  ['refuses an empty name', field(': x'), bad('AC_HEADER')],
  ['refuses a space in a name', field('X Y: x'), bad('AC_HEADER')],
  ['refuses a byte above ASCII in a name', field('X\xe9: x'), bad('AC_HEADER')],
  ['refuses a space before the colon', ok('Content-Length : 2') + 'ok', bad('AC_HEADER')],
  ['refuses a tab before the colon', field('X\t: x'), bad('AC_HEADER')],
  ['refuses white space before the first name', ok(' X: x', 'Content-Length: 0'), bad('AC_HEADER')],
  ['reads a folded value', field('X: a', ' b', '\tc', 'Y: d'), kept(200)],
  ['reads a value folded with a tab', field('X: a', '\tb', 'Y: d'), kept(200)],
  ['reads a folded value whose lines are blank', field('X:', ' ', ' \t', 'Y: d'), kept(200)],
  ['reads a folded value of a header that is only as long as a framing one', field('Xontent-Length: a', ' b', 'Xransfer-Encoding: a', ' b', 'Xonnection: a', ' b'), kept(200)],
  ['does not take a folded line for a header', ok('X: a', ' Content-Length: 7', 'Content-Length: 2') + 'ok', kept(200, 'ok')],
  ['reads a folded value at the end of the head', field('X: a', ' b'), kept(200)],
  ['refuses a folded Content-Length', ok('Content-Length: 2', ' 3') + 'ok', bad('AC_HEADER')],
  ['refuses a Content-Length folded in front of its value', ok('Content-Length:', ' 2') + 'ok', bad('AC_HEADER')],
  ['refuses a folded Transfer-Encoding', ok('Transfer-Encoding: gzip,', '\tchunked'), bad('AC_HEADER')],
  ['refuses a folded Connection', field('Connection: close', ' , x'), bad('AC_HEADER')],
  ['refuses a bare LF in a folded line', field('X: a', ' b\nc'), bad('AC_HEADER')],
  ['refuses a bare CR in a folded line', field('X: a', ' b\rc'), bad('AC_HEADER')],
  ['refuses a control character in place of the CR of a folded line', 'HTTP/1.1 200 OK\r\nX: a\r\n b\0\nContent-Length: 0\r\n\r\n', bad('AC_HEADER')],
  ['refuses a control character in place of the CR of a line', 'HTTP/1.1 200 OK\r\nX: a\0\nContent-Length: 0\r\n\r\n', bad('AC_HEADER')],
  ['refuses NUL', field('X: a\0b'), bad('AC_HEADER')],
  ['refuses NUL in a name', field('X\0: a'), bad('AC_HEADER')],
  ['refuses a control character', field('X: a\x01b'), bad('AC_HEADER')],
  ['refuses DEL', field('X: a\x7fb'), bad('AC_HEADER')],
  ['refuses a control character in a folded line', field('X: a', ' \x1b'), bad('AC_HEADER')],
  ['refuses a bare CR in a value', field('X: a\rb'), bad('AC_HEADER')],
  ['refuses a bare CR in place of a name', field('X: a', '\rY: b'), bad('AC_HEADER')],
  ['refuses two CRs at the end of a line', field('X: a\r'), bad('AC_HEADER')],
  ['refuses a bare LF in a value', field('X: a\nY: b'), bad('AC_HEADER')],
  ['refuses a bare LF in a name', field('X\n: a'), bad('AC_HEADER')],
  ['refuses an empty line of a bare LF', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\nok', bad('AC_HEADER')],
  ['refuses empty lines of bare LFs only', 'HTTP/1.1 200 OK\r\nContent-Length: 2\n\nok', bad('AC_HEADER')],
  ['tells the first of several faults', field('X Y: a', 'Content-Length: x', 'Z: a\nb'), bad('AC_HEADER')],
  ['tells the first of several faults, even before a bare LF', ok('Content-Length: x', 'Z: a\nb'), bad('AC_CONTENT_LENGTH')],
  ['knows that it is inside one', 'HTTP/1.1 200 OK\r\nContent-Le', ['inside']],
  ['knows that the empty line is missing', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r', ['inside']]
])

table('Content-Length', [
  ['counts a body', ok('Content-Length: 5') + 'hello', kept(200, 'hello')],
  ['counts none', ok('Content-Length: 0'), kept(200)],
  ['allows leading zeros', ok('Content-Length: 00000000000000000000000002') + 'ok', kept(200, 'ok')],
  ['takes bytes that look like a response for the body', ok(`Content-Length: ${PLAIN.length}`) + PLAIN, kept(200, PLAIN)],
  ['counts the body of any status', 'HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\nok', kept(500, 'ok')],
  ['counts the body of 205', 'HTTP/1.1 205 Reset\r\nContent-Length: 2\r\n\r\nok', kept(205, 'ok')],
  ['knows that the body is not all there', ok('Content-Length: 5') + 'hell', ['head 200', 'body hell', 'inside'], { eof: true }],
  ['takes the largest exact number', ok('Content-Length: 9007199254740991') + 'ok', ['head 200', 'body ok', 'inside']],
  ['refuses the next one', ok('Content-Length: 9007199254740992'), bad('AC_CONTENT_LENGTH')],
  ['refuses one that would be rounded down', ok('Content-Length: 9007199254740993'), bad('AC_CONTENT_LENGTH')],
  ['refuses 2^64 + 2', ok('Content-Length: 18446744073709551618') + 'ok', bad('AC_CONTENT_LENGTH')],
  ['refuses a number that is infinite', ok(`Content-Length: ${'9'.repeat(400)}`), bad('AC_CONTENT_LENGTH')],
  ['refuses a negative one', ok('Content-Length: -1'), bad('AC_CONTENT_LENGTH')],
  ['refuses a sign', ok('Content-Length: +5') + 'hello', bad('AC_CONTENT_LENGTH')],
  ['refuses hexadecimal digits', ok('Content-Length: 0x5') + 'hello', bad('AC_CONTENT_LENGTH')],
  ['refuses a fraction', ok('Content-Length: 5.0') + 'hello', bad('AC_CONTENT_LENGTH')],
  ['refuses what is no number', ok('Content-Length: five'), bad('AC_CONTENT_LENGTH')],
  ['refuses a space in the number', ok('Content-Length: 1 0'), bad('AC_CONTENT_LENGTH')],
  ['refuses an empty one', ok('Content-Length:'), bad('AC_CONTENT_LENGTH')],
  ['refuses a blank one', ok('Content-Length: \t'), bad('AC_CONTENT_LENGTH')],
  ['refuses a list', ok('Content-Length: 5, 5') + 'hello', bad('AC_CONTENT_LENGTH')],
  ['refuses the same one twice', ok('Content-Length: 5', 'Content-Length: 5') + 'hello', bad('AC_CONTENT_LENGTH')],
  ['refuses two', ok('Content-Length: 5', 'Content-Length: 6') + 'hello', bad('AC_CONTENT_LENGTH')],
  ['refuses a malformed one even without a body', 'HTTP/1.1 304 Same\r\nContent-Length: x\r\n\r\n', bad('AC_CONTENT_LENGTH')]
])

table('Transfer-Encoding', [
  ['reads chunks', CHUNKED + '5\r\nhello\r\n0\r\n\r\n', kept(200, 'hello')],
  ['knows chunked in any case', ok('TRANSFER-ENCODING: Chunked') + '2\r\nok\r\n0\r\n\r\n', kept(200, 'ok')],
  ['reads chunks behind another coding', ok('Transfer-Encoding: gzip, chunked') + '2\r\nok\r\n0\r\n\r\n', kept(200, 'ok')],
  ['reads chunks behind another coding without white space', ok('Transfer-Encoding: gzip,chunked') + '2\r\nok\r\n0\r\n\r\n', kept(200, 'ok')],
  ['reads chunks behind another coding on a line of its own', ok('Transfer-Encoding: gzip', 'Transfer-Encoding: chunked') + '2\r\nok\r\n0\r\n\r\n', kept(200, 'ok')],
  ['ignores empty items in front', ok('Transfer-Encoding: ,, \t, chunked') + '2\r\nok\r\n0\r\n\r\n', kept(200, 'ok')],
  ['reads until the connection ends without chunked', ok('Transfer-Encoding: gzip') + 'ok', last(200, 'ok'), { eof: true }],
  ['reads until the connection ends with identity', ok('Transfer-Encoding: identity') + 'ok', last(200, 'ok'), { eof: true }],
  ['reads until the connection ends with no coding', ok('Transfer-Encoding:') + 'ok', last(200, 'ok'), { eof: true }],
  ['takes a coding that only starts or ends like chunked for another', ok('Transfer-Encoding: chunkedx, xchunked, unchunked') + 'ok', last(200, 'ok'), { eof: true }],
  ['refuses chunked that is not the last', ok('Transfer-Encoding: chunked, gzip'), bad('AC_TRANSFER_ENCODING')],
  ['refuses chunked that is not the last line', ok('Transfer-Encoding: chunked', 'Transfer-Encoding: gzip'), bad('AC_TRANSFER_ENCODING')],
  ['refuses chunked twice', ok('Transfer-Encoding: chunked, chunked'), bad('AC_TRANSFER_ENCODING')],
  ['refuses chunked twice around another', ok('Transfer-Encoding: chunked, gzip, chunked'), bad('AC_TRANSFER_ENCODING')],
  ['refuses chunked on two lines', ok('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'), bad('AC_TRANSFER_ENCODING')],
  ['refuses an empty item behind chunked', ok('Transfer-Encoding: chunked,'), bad('AC_TRANSFER_ENCODING')],
  ['refuses a parameter of chunked', ok('Transfer-Encoding: chunked;q=1'), bad('AC_TRANSFER_ENCODING')],
  ['refuses another word behind chunked', ok('Transfer-Encoding: chunked gzip'), bad('AC_TRANSFER_ENCODING')],
  ['refuses a byte behind chunked that only looks like a space', ok('Transfer-Encoding: chunked\xa0'), bad('AC_TRANSFER_ENCODING')],
  ['refuses it behind Content-Length', ok('Content-Length: 5', 'Transfer-Encoding: chunked') + '0\r\n\r\n', bad('AC_CONTENT_LENGTH')],
  ['refuses it before Content-Length', ok('Transfer-Encoding: chunked', 'Content-Length: 5') + '0\r\n\r\n', bad('AC_CONTENT_LENGTH')],
  ['refuses another coding beside Content-Length', ok('Transfer-Encoding: gzip', 'Content-Length: 5') + 'hello', bad('AC_CONTENT_LENGTH')],
  ['refuses no coding beside Content-Length', ok('Transfer-Encoding:', 'Content-Length: 0'), bad('AC_CONTENT_LENGTH')]
])

const CHUNK = bytes => CHUNKED + bytes
const CHUNK_LINE = MAX_HEAD - 2

table('chunks', [
  ['reads several', CHUNK('5\r\nhello\r\n1\r\n,\r\n6\r\n world\r\n0\r\n\r\n'), kept(200, 'hello, world')],
  ['reads none', CHUNK('0\r\n\r\n'), kept(200)],
  ['reads sizes in both cases', CHUNK(`a\r\n${'x'.repeat(10)}\r\nB\r\n${'y'.repeat(11)}\r\n1F\r\n${'z'.repeat(31)}\r\n0\r\n\r\n`), kept(200, 'x'.repeat(10) + 'y'.repeat(11) + 'z'.repeat(31))],
  ['allows leading zeros', CHUNK('00000000000000000000000002\r\nok\r\n000\r\n\r\n'), kept(200, 'ok')],
  ['takes bytes that look like the last chunk for data', CHUNK('5\r\n0\r\n\r\n\r\n0\r\n\r\n'), kept(200, '0\r\n\r\n')],
  ['ignores extensions', CHUNK('2;a;b=c;d = "e f;" ; g\r\nok\r\n0;last\r\n\r\n'), kept(200, 'ok')],
  ['ignores quoted extensions with escapes', CHUNK('2;a="\\"0\\"\t\xe9;\\\\"\r\nok\r\n0\r\n\r\n'), kept(200, 'ok')],
  ['ignores white space before an extension', CHUNK('2 \t;a\r\nok\r\n0 ;b\r\n\r\n'), kept(200, 'ok')],
  ['ignores white space that pads the size', CHUNK('2  \r\nok\r\n0 \t\r\n\r\n'), kept(200, 'ok')],
  ['takes the largest exact size', CHUNK('1fffffffffffff\r\nok'), ['head 200', 'body ok', 'inside']],
  ['refuses the next one', CHUNK('20000000000000\r\n'), bad('AC_CHUNK', 'head 200')],
  ['refuses 2^64 + 2', CHUNK('10000000000000002\r\nok\r\n'), bad('AC_CHUNK', 'head 200')],
  ['refuses a negative size', CHUNK('-1\r\n'), bad('AC_CHUNK', 'head 200')],
  ['refuses a sign', CHUNK('+2\r\nok\r\n0\r\n\r\n'), bad('AC_CHUNK', 'head 200')],
  ['refuses 0x', CHUNK('0x2\r\nok\r\n0\r\n\r\n'), bad('AC_CHUNK', 'head 200')],
  ['refuses no size', CHUNK('\r\nok\r\n0\r\n\r\n'), bad('AC_CHUNK', 'head 200')],
  ['refuses an extension without size', CHUNK(';a\r\n'), bad('AC_CHUNK', 'head 200')],
  ['refuses white space before the size', CHUNK(' 2\r\nok\r\n0\r\n\r\n'), bad('AC_CHUNK', 'head 200')],
  ['refuses a size that is no number', CHUNK('2g\r\n'), bad('AC_CHUNK', 'head 200')],
  ['refuses a second number behind the size', CHUNK('2 2\r\nok\r\n0\r\n\r\n'), bad('AC_CHUNK', 'head 200')],
  ['refuses a bare LF behind the size', CHUNK('2\nok\r\n0\r\n\r\n'), bad('AC_CHUNK', 'head 200')],
  ['refuses a bare CR behind the size', CHUNK('2\rok\r\n0\r\n\r\n'), bad('AC_CHUNK', 'head 200')],
  ['refuses a bare LF behind an extension', CHUNK('2;a\nok\r\n0\r\n\r\n'), bad('AC_CHUNK', 'head 200')],
  ['refuses a bare CR behind an extension', CHUNK('2;a\rok\r\n0\r\n\r\n'), bad('AC_CHUNK', 'head 200')],
  ['refuses a control character in an extension', CHUNK('2;a\0\r\nok\r\n0\r\n\r\n'), bad('AC_CHUNK', 'head 200')],
  ['refuses DEL in an extension', CHUNK('2;a\x7f\r\nok\r\n0\r\n\r\n'), bad('AC_CHUNK', 'head 200')],
  ['refuses a chunk longer than its size', CHUNK('2\r\nokay\r\n0\r\n\r\n'), bad('AC_CHUNK', 'head 200', 'body ok')],
  ['refuses no line end behind the data', CHUNK('2\r\nok0\r\n\r\n'), bad('AC_CHUNK', 'head 200', 'body ok')],
  ['refuses a bare LF behind the data', CHUNK('2\r\nok\n0\r\n\r\n'), bad('AC_CHUNK', 'head 200', 'body ok')],
  ['refuses another byte in place of the CR behind the data', CHUNK('2\r\nok.\n0\r\n\r\n'), bad('AC_CHUNK', 'head 200', 'body ok')],
  ['refuses another byte in place of the LF behind the data', CHUNK('2\r\nok\r.0\r\n\r\n'), bad('AC_CHUNK', 'head 200', 'body ok')],
  ['refuses a bare CR behind the data', CHUNK('2\r\nok\r0\r\n\r\n'), bad('AC_CHUNK', 'head 200', 'body ok')],
  ['knows that the last chunk is missing', CHUNK('2\r\nok\r\n'), ['head 200', 'body ok', 'inside'], { eof: true }],
  ['knows that the empty line is missing', CHUNK('2\r\nok\r\n0\r\n'), ['head 200', 'body ok', 'inside'], { eof: true }],
  ['reads a line of 64 KiB', CHUNK(`2;${'a'.repeat(CHUNK_LINE - 2)}\r\nok\r\n0\r\n\r\n`), kept(200, 'ok')],
  ['reads several of 64 KiB', CHUNK(`1;${'a'.repeat(CHUNK_LINE - 2)}\r\no\r\n1;${'a'.repeat(CHUNK_LINE - 2)}\r\nk\r\n0\r\n\r\n`), kept(200, 'ok')],
  ['refuses a longer extension', CHUNK(`2;${'a'.repeat(CHUNK_LINE - 1)}\r\nok\r\n0\r\n\r\n`), bad('AC_HEAD_SIZE', 'head 200')],
  ['refuses an extension without end', CHUNK(`2;${'a'.repeat(MAX_HEAD)}`), bad('AC_HEAD_SIZE', 'head 200')],
  ['refuses a size of zeros without end', CHUNK('0'.repeat(MAX_HEAD + 1)), bad('AC_HEAD_SIZE', 'head 200')],
  ['refuses padding without end', CHUNK('2' + ' '.repeat(MAX_HEAD)), bad('AC_HEAD_SIZE', 'head 200')]
])

const TRAILER = bytes => CHUNKED + '2\r\nok\r\n0\r\n' + bytes
const INSIDE_TRAILER = ['head 200', 'body ok']
const TRAILER_FIELD = 'X: ' + 'a'.repeat(MAX_HEAD - 7) + '\r\n'

table('trailers', [
  ['reads fields', TRAILER('X: a\r\nY:\r\nZ: \t \xe9 b\r\n\r\n'), kept(200, 'ok')],
  ['never frames by them', TRAILER('Content-Length: 7\r\nTransfer-Encoding: gzip\r\nConnection: close\r\n\r\n'), kept(200, 'ok')],
  ['has them reported where they are wanted', TRAILER('X: a\r\nY:\r\nx: \t \xe9 b\r\n c\r\n\r\n'), kept(200, 'ok trailers ["X","a","Y","","x","é b c"]'), { wantsTrailers: true }],
  ['has nothing reported of an empty section', TRAILER('\r\n'), kept(200, 'ok'), { wantsTrailers: true }],
  ['reads a folded value', TRAILER('X: a\r\n b\r\n\tc\r\nY: d\r\n\r\n'), kept(200, 'ok')],
  ['refuses white space before the first name', TRAILER(' X: a\r\n\r\n'), bad('AC_HEADER', ...INSIDE_TRAILER)],
  ['refuses a line without colon', TRAILER('X\r\n\r\n'), bad('AC_HEADER', ...INSIDE_TRAILER)],
  ['refuses an empty name', TRAILER(': a\r\n\r\n'), bad('AC_HEADER', ...INSIDE_TRAILER)],
  ['refuses a space before the colon', TRAILER('X : a\r\n\r\n'), bad('AC_HEADER', ...INSIDE_TRAILER)],
  ['refuses NUL', TRAILER('X: a\0\r\n\r\n'), bad('AC_HEADER', ...INSIDE_TRAILER)],
  ['refuses DEL', TRAILER('X: a\x7f\r\n\r\n'), bad('AC_HEADER', ...INSIDE_TRAILER)],
  ['refuses a bare LF', TRAILER('X: a\nY: b\r\n\r\n'), bad('AC_HEADER', ...INSIDE_TRAILER)],
  ['refuses a bare CR', TRAILER('X: a\rY: b\r\n\r\n'), bad('AC_HEADER', ...INSIDE_TRAILER)],
  ['refuses another byte in place of the LF of a line', TRAILER('X: a\r.Y: b\r\n\r\n'), bad('AC_HEADER', ...INSIDE_TRAILER)],
  ['refuses an empty line of a bare LF', TRAILER('\n'), bad('AC_HEADER', ...INSIDE_TRAILER)],
  ['refuses an empty line of a bare CR', TRAILER('\rHTTP'), bad('AC_HEADER', ...INSIDE_TRAILER)],
  ['refuses the next response in place of the empty line', TRAILER(PLAIN), bad('AC_HEADER', ...INSIDE_TRAILER)],
  ['reads a section of 64 KiB', TRAILER(`${TRAILER_FIELD}\r\n`), kept(200, 'ok')],
  ['reads a section of 64 KiB in two responses', [TRAILER(`${TRAILER_FIELD}\r\n`), TRAILER(`${TRAILER_FIELD}\r\n`)], [...kept(200, 'ok'), ...kept(200, 'ok')]],
  ['refuses a longer section', TRAILER(`X${TRAILER_FIELD}\r\n`), bad('AC_HEAD_SIZE', ...INSIDE_TRAILER)],
  ['refuses a longer section of many lines', TRAILER('X:\r\n'.repeat(MAX_HEAD / 4) + '\r\n'), bad('AC_HEAD_SIZE', ...INSIDE_TRAILER)],
  ['refuses a name without end', TRAILER('X'.repeat(MAX_HEAD + 1)), bad('AC_HEAD_SIZE', ...INSIDE_TRAILER)]
])

table('bodies that end with the connection', [
  ['counts a response that ends with the connection', ok() + 'hello', last(200, 'hello'), { eof: true }],
  ['counts one without a body', ok('Server: x'), last(200), { eof: true }],
  ['counts one that says that the connection stays', ok('Connection: keep-alive') + 'hello', last(200, 'hello'), { eof: true }],
  ['counts one of HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nhello', last(200, 'hello'), { eof: true }],
  ['takes a response behind it for its body', ok() + PLAIN, last(200, PLAIN), { eof: true }],
  ['goes on until then', ok() + 'hello', ['head 200', 'body hello', 'inside']],
  ['leaves a head that is cut off inside', 'HTTP/1.1 200 OK\r\n', ['inside'], { eof: true }],
  ['does not end twice what has ended', ok('Connection: close', 'Content-Length: 2') + 'ok', last(200, 'ok'), { eof: true }]
])

const INTERIM = 'HTTP/1.1 100 Continue\r\n\r\n'

table('interim responses', [
  ['credits 100 to the response behind it', INTERIM + PLAIN, kept(200, 'ok')],
  ['credits 103 with headers to the response behind it', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nLink: </b>\r\n\r\n' + PLAIN, kept(200, 'ok')],
  ['credits several to the response behind them', [INTERIM + 'HTTP/1.1 102 \r\n\r\n' + INTERIM + 'HTTP/1.1 199 x\r\n\r\n' + PLAIN, PLAIN], [...kept(200, 'ok'), ...kept(200, 'ok')]],
  ['gives them no body whatever they say', 'HTTP/1.1 103 x\r\nContent-Length: 5\r\n\r\nHTTP/1.1 150 x\r\nTransfer-Encoding: chunked\r\n\r\n' + PLAIN, kept(200, 'ok')],
  ['does not end the connection by them', 'HTTP/1.1 100 x\r\nConnection: close\r\n\r\nHTTP/1.0 103 x\r\n\r\n' + PLAIN, kept(200, 'ok')],
  ['is inside a response behind them', INTERIM, ['inside'], { eof: true }],
  ['refuses malformed ones', 'HTTP/1.1 100 x\r\nContent-Length: x\r\n\r\n', bad('AC_CONTENT_LENGTH')],
  ['makes no check whether they were requested', INTERIM + ok('Content-Length: 0'), bad('AC_UNREQUESTED', 'head 200'), { verdicts: [UNREQUESTED] }],
  ['takes 101 for an answer, the last one', ['HTTP/1.1 101 Switch\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', '\x81\x02hi'], last(101)],
  ['gives 101 no body whatever it says', ['HTTP/1.1 101 Switch\r\nContent-Length: 5\r\n\r\n', 'hello'], last(101)],
  ['reads 100 before 101', [INTERIM + 'HTTP/1.1 101 Switch\r\n\r\n', 'x'], last(101)]
])

table('responses without body', [
  ['reads none after HEAD for its Content-Length', ok('Content-Length: 5'), kept(200), { verdicts: [NO_BODY] }],
  ['reads none after HEAD for its chunks', CHUNKED, kept(200), { verdicts: [NO_BODY] }],
  ['reads none after HEAD without framing', ok(), kept(200), { verdicts: [NO_BODY] }],
  ['reads none after HEAD before the connection ends', ok('Connection: close', 'Content-Length: 5'), last(200), { verdicts: [NO_BODY] }],
  ['reads none after HEAD for an error', 'HTTP/1.1 404 x\r\nContent-Length: 5\r\n\r\n', kept(404), { verdicts: [NO_BODY] }],
  ['reads 100 before the answer to HEAD', INTERIM + ok('Content-Length: 5'), kept(200), { verdicts: [NO_BODY] }],
  ['reads HEAD, then GET, with the same head', [ok('Content-Length: 2'), PLAIN, ok('Content-Length: 2'), PLAIN], [...kept(200), ...kept(200, 'ok'), ...kept(200), ...kept(200, 'ok')], { verdicts: [NO_BODY, BODY, NO_BODY, BODY] }],
  ['reads none for 204', 'HTTP/1.1 204 No Content\r\n\r\n', kept(204)],
  ['reads none for 204 with Content-Length', 'HTTP/1.1 204 x\r\nContent-Length: 5\r\n\r\n', kept(204)],
  ['reads none for 204 with chunks', 'HTTP/1.1 204 x\r\nTransfer-Encoding: chunked\r\n\r\n', kept(204)],
  ['reads none for 304', 'HTTP/1.1 304 Not Modified\r\n\r\n', kept(304)],
  ['reads none for 304 with Content-Length', 'HTTP/1.1 304 x\r\nContent-Length: 5\r\n\r\n', kept(304)],
  ['reads none for 304 with chunks', 'HTTP/1.1 304 x\r\nTransfer-Encoding: chunked\r\n\r\n', kept(304)],
  ['ends the connection with 304', ['HTTP/1.1 304 x\r\nConnection: close\r\n\r\n', 'more'], last(304)],
  ['stops at the tunnel that CONNECT opens', [ok('Content-Length: 5'), 'hello'], last(200), { verdicts: [TUNNEL] }],
  ['stops at the tunnel whatever the framing', [CHUNKED, '0\r\n\r\n'], last(200), { verdicts: [TUNNEL] }],
  ['stops at the tunnel of 204', ['HTTP/1.1 204 x\r\n\r\n', '\x16\x03\x01'], last(204), { verdicts: [TUNNEL] }],
  ['reads on when CONNECT is refused', 'HTTP/1.1 407 x\r\nContent-Length: 2\r\n\r\nok', kept(407, 'ok'), { verdicts: [TUNNEL] }],
  ['reads on when CONNECT is redirected', 'HTTP/1.1 300 x\r\nContent-Length: 2\r\n\r\nok', kept(300, 'ok'), { verdicts: [TUNNEL] }],
  ['stops at the tunnel of any success', ['HTTP/1.1 299 x\r\nContent-Length: 2\r\n\r\n', 'ok'], last(299), { verdicts: [TUNNEL] }]
])

const zero = (version, ...lines) => [`HTTP/${version} 200 OK`, 'Content-Length: 2', ...lines, '', 'ok'].join('\r\n')

table('the end of the connection', [
  ['keeps HTTP/1.1', zero('1.1'), kept(200, 'ok')],
  ['ends HTTP/1.1 when told to', [zero('1.1', 'Connection: close'), 'more'], last(200, 'ok')],
  ['ends HTTP/1.1 when told to in any case', [zero('1.1', 'CONNECTION: CLOSE'), PLAIN], last(200, 'ok')],
  ['keeps HTTP/1.1 with keep-alive', zero('1.1', 'Connection: keep-alive', 'Keep-Alive: timeout=5'), kept(200, 'ok')],
  ['ends HTTP/1.0', [zero('1.0'), PLAIN], last(200, 'ok')],
  ['keeps HTTP/1.0 with keep-alive', zero('1.0', 'Connection: Keep-Alive'), kept(200, 'ok')],
  ['ends HTTP/1.0 when told to', [zero('1.0', 'Connection: close'), PLAIN], last(200, 'ok')],
  ['finds close in a list', [zero('1.1', 'Connection: x-hop ,\tclose , te'), PLAIN], last(200, 'ok')],
  ['finds close at the end of a list', [zero('1.1', 'Connection: te,close'), PLAIN], last(200, 'ok')],
  ['finds close on another line', [zero('1.1', 'Connection: te', 'Connection: close', 'Connection: x'), PLAIN], last(200, 'ok')],
  ['finds close between empty items', [zero('1.1', 'Connection: ,, close,'), PLAIN], last(200, 'ok')],
  ['finds keep-alive in a list', zero('1.0', 'Connection: te, keep-alive'), kept(200, 'ok')],
  ['finds keep-alive on another line', zero('1.0', 'Connection: te', 'Connection: keep-alive'), kept(200, 'ok')],
  ['obeys close before keep-alive', [zero('1.1', 'Connection: keep-alive, close'), PLAIN], last(200, 'ok')],
  ['obeys close before keep-alive in HTTP/1.0', [zero('1.0', 'Connection: close, keep-alive'), PLAIN], last(200, 'ok')],
  ['takes words that only start or end like close for others', zero('1.1', 'Connection: closed, disclose, clos', 'Connection:', 'Connection: ,'), kept(200, 'ok')],
  ['takes another header with close for another', zero('1.1', 'Proxy-Connection: close', 'Xonnection: close'), kept(200, 'ok')],
  ['ends after chunks', [ok('Connection: close', 'Transfer-Encoding: chunked') + '2\r\nok\r\n0\r\n\r\n', PLAIN], last(200, 'ok')],
  ['ends after no body', [ok('Connection: close', 'Content-Length: 0'), PLAIN], last(200)],
  ['ends HTTP/1.0 after chunks, which it can not have meant', ['HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n2\r\nok\r\n0\r\n\r\n', PLAIN], last(200, 'ok')],
  ['ends at the first response without a request', [PLAIN, PLAIN], bad('AC_UNREQUESTED', ...kept(200, 'ok'), 'head 200'), { verdicts: [BODY, UNREQUESTED] }]
])

const headOf = (size, ...lines) => {
  const rest = ok(...lines, 'X: ').length
  return ok(...lines, 'X: ' + 'a'.repeat(size - rest))
}

table('the size of a head', [
  ['reads one of 64 KiB', headOf(MAX_HEAD, 'Content-Length: 2') + 'ok', kept(200, 'ok')],
  ['reads several of 64 KiB', [headOf(MAX_HEAD, 'Content-Length: 2') + 'ok', headOf(MAX_HEAD, 'Content-Length: 0')], [...kept(200, 'ok'), ...kept(200)]],
  ['refuses a larger one', headOf(MAX_HEAD + 1, 'Content-Length: 0'), bad('AC_HEAD_SIZE')],
  ['refuses a much larger one', headOf(3 * MAX_HEAD, 'Content-Length: 0'), bad('AC_HEAD_SIZE')],
  ['refuses one without end', headOf(MAX_HEAD + 5).slice(0, MAX_HEAD + 1), bad('AC_HEAD_SIZE')],
  ['waits up to there', headOf(MAX_HEAD + 5).slice(0, MAX_HEAD), ['inside']],
  ['tells a bare LF in one that is too large', headOf(MAX_HEAD + 9, 'Y: a\nb'), bad('AC_HEADER')],
  ['tells the size before a bare LF behind the limit', headOf(MAX_HEAD + 9).slice(0, -4) + '\n\r\n\r\n', bad('AC_HEAD_SIZE')],
  ['tells the size before a bare LF right behind the limit', headOf(MAX_HEAD + 5).slice(0, -4) + '\n\r\n\r\n', bad('AC_HEAD_SIZE')],
  ['tells a bare LF as the first byte behind the limit', headOf(MAX_HEAD + 4).slice(0, -4) + '\n\r\n\r\n', bad('AC_HEADER')],
  ['tells another protocol before its size', 'x'.repeat(2 * MAX_HEAD), bad('AC_STATUS_LINE')]
])

/** A handler that only counts, and answers heads with BODY. */
const counter = () => ({
  wantsBody: true,
  heads: 0,
  bodies: 0,
  sizes: [],
  onHead () { this.heads++; return BODY },
  onBody () { this.bodies++ },
  onComplete (size) { this.sizes.push(size) }
})

const STREAMS = {
  'with Content-Length': PLAIN + PLAIN,
  chunked: (CHUNKED + '2\r\nok\r\n0\r\nX: y\r\n\r\n').repeat(2),
  'until the end': ok() + 'hello'
}

for (const callback of ['onHead', 'onBody', 'onComplete']) {
  for (const [framing, bytes] of Object.entries(STREAMS)) {
    if (callback === 'onComplete' && framing === 'until the end') continue
    t.test(`tells nothing more once stopped inside ${callback} of a body ${framing}`, async t => {
      const whole = Buffer.from(bytes)
      for (const cuts of [[], Array.from({ length: bytes.length - 1 }, (_, i) => i + 1)]) {
        const handler = counter()
        const stopping = handler[callback]
        const parser = new ResponseParser(handler)
        handler[callback] = function (size) {
          const answer = stopping.call(this, size)
          parser.stop()
          return answer
        }
        feed(parser, whole, cuts)
        parser.finish()
        t.equal(handler.heads, 1)
        t.equal(handler.bodies, callback === 'onHead' ? 0 : callback === 'onBody' ? 1 : handler.bodies)
        t.equal(handler.sizes.length, callback === 'onComplete' ? 1 : 0)
        t.equal(parser.stopped, true)
        t.equal(parser.inside, false)
        t.equal(parser.error, null)
      }
    })
  }
}

t.test('has no error when it is stopped by the handler that did not ask for the response', async t => {
  const parser = new ResponseParser({ ...counter(), onHead () { parser.stop(); return UNREQUESTED } })
  parser.execute(Buffer.from(PLAIN))
  t.equal(parser.stopped, true)
  t.equal(parser.error, null)
})

t.test('is inside from the first byte of a response to the one before its last', async t => {
  const bytes = Buffer.from(INTERIM + CHUNKED + '2;x\r\nok\r\n0\r\nX: y\r\n\r\n')
  const parser = new ResponseParser(counter())
  const inside = [parser.inside]
  for (let i = 0; i < bytes.length; i++) {
    parser.execute(bytes.subarray(i, i + 1))
    inside.push(parser.inside)
  }
  t.strictSame(inside, [false, ...Array(bytes.length - 1).fill(true), false])
  t.equal(parser.stopped, false)
})

t.test('reads only as far as it is told', async t => {
  const handler = counter()
  const parser = new ResponseParser(handler)
  const bytes = Buffer.from(PLAIN + PLAIN)
  parser.execute(bytes, 0)
  t.equal(parser.inside, false)
  parser.execute(bytes, PLAIN.length)
  t.strictSame(handler.sizes, [PLAIN.length])
  t.equal(parser.inside, false)
})

t.test('reads nothing after an error, which it keeps', async t => {
  const handler = counter()
  const parser = new ResponseParser(handler)
  parser.execute(Buffer.from('SSH-2.0\r\n'))
  const { error } = parser
  t.ok(error instanceof ProtocolError)
  t.equal(parser.stopped, true)
  t.equal(parser.inside, false)
  parser.execute(Buffer.from(PLAIN))
  parser.finish()
  t.equal(parser.error, error)
  t.equal(handler.heads, 0)
})

t.test('is as new after a reset, wherever the connection ended', async t => {
  const streams = [
    INTERIM + 'HTTP/1.1 200 OK\r\nX: a\r\n b\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2;a\r\nok\r\n0\r\nX: y\r\n\r\n',
    zero('1.0', 'Connection: close') + 'more',
    ok() + 'hello',
    ok('Content-Length: -1'),
    CHUNK('x'),
    headOf(MAX_HEAD).slice(0, -2),
    CHUNK('0'.repeat(MAX_HEAD))
  ]
  for (const stream of streams) {
    const bytes = Buffer.from(stream, 'latin1')
    const different = []
    for (const end of offsets(bytes.length + 1)) {
      const handler = counter()
      const parser = new ResponseParser(handler)
      parser.execute(bytes, end)
      parser.reset()
      const fresh = !parser.inside && !parser.stopped && parser.error === null
      handler.sizes.length = 0
      const next = Buffer.from(CHUNK('2\r\nok\r\n0\r\n\r\n') + PLAIN)
      feed(parser, next, end % 2 ? [] : [3])
      if (!fresh || handler.sizes.join() !== `${next.length - PLAIN.length},${PLAIN.length}`) different.push(end)
    }
    t.strictSame(different, [])
  }
})

// A memo that was tampered with tells a hit: the parser believes it.
const TAMPERED = 299
const statusBy = (memo, head, split = 0) => {
  let seen = 0
  const parser = new ResponseParser({ ...counter(), onHead (status) { seen = status; return NO_BODY } }, memo)
  feed(parser, Buffer.from(head, 'latin1'), split ? [split] : [])
  return seen
}

t.test('remembers a head', async t => {
  const head = ok('Server: x', 'Content-Length: 5')
  const memo = new HeadMemo(HEAD_FORMAT)
  t.equal(statusBy(memo, head), 200)
  memo.status = TAMPERED
  t.equal(statusBy(memo, head), TAMPERED, 'and knows it in another parser')
  t.equal(statusBy(memo, head, 20), TAMPERED, 'and knows it when it comes in two reads')
  for (let i = 0; i < head.length; i++) {
    const other = head.slice(0, i) + String.fromCharCode(head.charCodeAt(i) ^ 1) + head.slice(i + 1)
    const fresh = new HeadMemo(HEAD_FORMAT)
    statusBy(fresh, head)
    fresh.status = TAMPERED
    t.not(statusBy(fresh, other), TAMPERED, `and not one that differs in byte ${i}`)
  }
  t.equal(statusBy(memo, ok('Server: x')), 200, 'and not a shorter one')
  memo.status = TAMPERED
  t.equal(statusBy(memo, ok('Server: x', 'Content-Length: 5', 'X: y')), 200, 'and not a longer one')
})

t.test('remembers the framing of a head with it', async t => {
  const memo = new HeadMemo(HEAD_FORMAT)
  const streams = [
    [CHUNK('2\r\nok\r\n0\r\n\r\n'), kept(200, 'ok')],
    [ok('Content-Length: 2') + 'ok', kept(200, 'ok')],
    [ok('Connection: close', 'Content-Length: 2') + 'ok', last(200, 'ok')],
    [zero('1.0', 'Connection: keep-alive'), kept(200, 'ok')],
    ['HTTP/1.1 204 x\r\n\r\n', kept(204)],
    [INTERIM + PLAIN, kept(200, 'ok')],
    [ok() + 'ok', last(200, 'ok'), { eof: true }]
  ]
  for (const [bytes, events, options] of streams) {
    for (const time of ['first', 'second', 'third']) {
      const told = tell(Buffer.from(bytes), [], { ...options, memo })
      t.strictSame(told.map(event => event.replace(`complete ${bytes.length}`, 'complete')), events, `the ${time} time`)
    }
  }
})

t.test('takes no head for the one it remembers that differs in a byte', async t => {
  // Every length modulo 8, at every place modulo 8: heads are compared in words. 0xff and 0xf8 make words that are NaN.
  for (let extra = 0; extra < 8; extra++) {
    const head = Buffer.from(ok('Content-Length: 5', `X: \u00ff\u00f8\u00ff\u00f8${'y'.repeat(extra)}`), 'latin1')
    const plain = Buffer.from(ok('Content-Length: 5', `X: ${'y'.repeat(extra)}`))
    for (let offset = 0; offset < 8; offset++) {
      for (const sent of [head, plain]) {
        const memo = new HeadMemo(HEAD_FORMAT)
        memo.remember(Buffer.concat([Buffer.alloc(3), sent]), 3, 3 + sent.length, { status: 200, framing: 0, contentLength: 0 })
        const buf = Buffer.concat([Buffer.alloc(offset), sent, Buffer.from('more')])
        const end = offset + sent.length
        if (sent === plain && !memo.matches(buf, offset, buf.length)) t.fail(`${offset}: not the same as itself`)
        if (memo.matches(buf, offset, end - 1)) t.fail(`${offset}: matched before it was whole`)
        for (let i = offset; i < end; i++) {
          for (const byte of [0, buf[i] ^ 1, buf[i] ^ 0x80]) {
            const other = Buffer.from(buf)
            if (other[i] === byte) continue
            other[i] = byte
            if (memo.matches(other, offset, other.length)) t.fail(`${offset}: byte ${i} may be ${byte}`)
          }
        }
      }
    }
  }
  t.pass()
})

t.test('keeps to the head that it remembers last, wherever and in whatever buffer one comes', async t => {
  const framing = { status: 200, framing: 0, contentLength: 0 }
  const [one, other] = ['a', 'b'].map(letter => Buffer.from(ok(`X-Long: ${letter.repeat(50)}`, 'Content-Length: 5').slice(0, -5)))
  const memo = new HeadMemo(HEAD_FORMAT)
  // At the very end of memory that is no multiple of eight, and one buffer filled again and again, as that of the reads is.
  const memory = new ArrayBuffer(one.length + 21)
  const buf = Buffer.from(memory, 1)
  for (const head of [one, other, one, other]) {
    memo.remember(Buffer.concat([Buffer.alloc(2), head]), 2, 2 + head.length, framing)
    for (let pos = 0; pos <= 20; pos++) {
      for (const sent of [one, other]) {
        buf.fill(0)
        sent.copy(buf, pos)
        t.equal(memo.matches(buf, pos, buf.length), sent === head, `at ${pos}`)
      }
    }
  }
})

t.test('does not remember a malformed head', async t => {
  const memo = new HeadMemo(HEAD_FORMAT)
  statusBy(memo, PLAIN)
  t.equal(statusBy(memo, ok('Content-Length: 5', 'X Y: z')), 0)
  t.equal(statusBy(memo, ok('Content-Length: 5', 'X Y: z')), 0)
  memo.status = TAMPERED
  t.equal(statusBy(memo, PLAIN), TAMPERED)
})

t.test('does not remember a head that is larger than its memo', async t => {
  const memo = new HeadMemo(HEAD_FORMAT)
  const length = memo.head.length
  t.equal(statusBy(memo, headOf(length + 1, 'Content-Length: 0')), 200)
  memo.status = TAMPERED
  t.equal(statusBy(memo, headOf(length + 1, 'Content-Length: 0')), 200)
  t.equal(statusBy(memo, headOf(length, 'Content-Length: 0')), 200)
  memo.status = TAMPERED
  t.equal(statusBy(memo, headOf(length, 'Content-Length: 0')), TAMPERED)
})

t.test('keeps the buffer of a head that came in two reads for the next', async t => {
  const parser = new ResponseParser(counter())
  feed(parser, Buffer.from(PLAIN), [10])
  const { partial } = parser
  feed(parser, Buffer.from(PLAIN + PLAIN), [5, PLAIN.length + 20])
  t.equal(parser.partial, partial)
})
