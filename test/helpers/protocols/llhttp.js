'use strict'

// A run of llhttp, the parser of Node.js and undici, over a stream of responses: the oracle of our own parser. It is the
// WebAssembly that undici carries, instantiated as undici/lib/dispatcher/client-h1.js does.

/* global WebAssembly */

const { ERROR, TYPE } = require('undici/lib/llhttp/constants.js')
const { NO_BODY, TUNNEL } = require('../../../lib/protocols/http1/response-parser')

const OK = 0
const SKIP_BODY = 1
const UPGRADE = 2

/** The handler of the one stream that is being read. */
let current

const wasm = new WebAssembly.Module(require('undici/lib/llhttp/llhttp-wasm.js'))
const { exports: llhttp } = new WebAssembly.Instance(wasm, {
  env: {
    wasm_on_message_begin: () => OK,
    wasm_on_url: () => OK,
    wasm_on_status: () => OK,
    wasm_on_header_field: () => OK,
    wasm_on_header_value: () => OK,
    wasm_on_headers_complete: (parser, status) => current.onHead(status),
    wasm_on_body: (parser, at, length) => current.onBody(Buffer.from(llhttp.memory.buffer, at, length).latin1Slice()),
    wasm_on_message_complete: parser => current.onComplete(llhttp.llhttp_should_keep_alive(parser) === 1)
  }
})
llhttp._initialize()

const READ = 8192
const read = llhttp.malloc(READ)

/**
 * Tells what llhttp finds in bytes that are followed by the end of the connection.
 * @param {Buffer} bytes at most 8192
 * @param {number[]} verdicts what onHead answers for each response
 * @returns {{ told: string[], why: string }} for each response up to the connection's last one its status, its fate (kept, last,
 *   truncated, refused) and its body; why it was refused
 */
function runLlhttp (bytes, verdicts) {
  const told = []
  let status = '-'
  let body = ''
  let interim = false
  let heads = 0
  let over = false
  const tell = fate => {
    told.push(`${status} ${fate} ${body}`)
    status = '-'
    body = ''
  }
  current = {
    onHead (code) {
      interim = code >= 100 && code < 200 && code !== 101
      if (interim || over) return OK
      status = String(code)
      const verdict = verdicts[heads++]
      if (verdict === NO_BODY) return SKIP_BODY
      return code === 101 || (verdict === TUNNEL && code >= 200 && code < 300) ? UPGRADE : OK
    },
    onBody (span) {
      body += span
      return OK
    },
    onComplete (keepAlive) {
      if (over || interim) return OK
      over = !keepAlive
      // What follows is of no interest: not even whether llhttp refuses it.
      tell(over ? 'last' : 'kept')
      return OK
    }
  }
  const parser = llhttp.llhttp_alloc(TYPE.RESPONSE)
  new Uint8Array(llhttp.memory.buffer, read, READ).set(bytes)
  let code = llhttp.llhttp_execute(parser, read, bytes.length)
  const why = reason(parser)
  // It pauses behind 101 and the answer to CONNECT, where HTTP ends.
  if (code === ERROR.PAUSED_UPGRADE && !over) told[told.length - 1] = told.at(-1).replace('kept', 'last')
  else if (!over) {
    if (code === ERROR.OK) code = llhttp.llhttp_finish(parser)
    if (!over && code !== ERROR.OK) tell(why === '' ? 'truncated' : 'refused')
  }
  llhttp.llhttp_free(parser)
  return { told, why }
}

/** @returns {string} why llhttp refused, in its own words; empty when it did not */
function reason (parser) {
  const at = llhttp.llhttp_get_error_reason(parser)
  if (at === 0) return ''
  const bytes = Buffer.from(llhttp.memory.buffer)
  return bytes.latin1Slice(at, bytes.indexOf(0, at))
}

module.exports = { runLlhttp }
