'use strict'

// Owns --print-config: the options of a run as JSON that a config may be made of, without its secrets.

const { toJson } = require('../foreign-text')
const { headersObject } = require('../request/headers')
const { TABLE } = require('../options/table')

const HIDDEN = '***'
const SECRET = 'authorization|cookie|passw|pwd|passphrase|secret|token|api-?_?key|credential|signature|session'

/** A name of which the value is nobody's business. */
const SECRET_NAME = new RegExp(`${SECRET}|^(key|pfx|auth)$`, 'i')
/** `authorization: …` and `x-api-key=…` as a header on the command line. */
const SECRET_LINE = new RegExp(`^([\\w-]*(?:${SECRET})[\\w-]*\\s*[:=]\\s*).+$`, 'is')
/** `?token=…` and `&password=…` of a URL or a form. */
const SECRET_FIELD = new RegExp(`((?:^|[?&;])[\\w-]*(?:${SECRET})[\\w-]*=)[^&;#\\s]*`, 'gi')
/** `https://user:password@host` */
const USER_INFO = /(\/\/)[^/?#\s]*@/g

const NOT_OF_THE_RUN = new Set(['config', 'printConfig', 'help', 'version'])

/**
 * @param {Record<string, any>} values typed
 * @param {Record<string, any>} raw as they were given
 * @returns {string} JSON, ends with a line break
 */
function printedConfig (values, raw) {
  /** @type {Record<string, unknown>} */
  const shown = {}
  for (const { name } of TABLE) {
    const value = valueOf(name, values[name], raw[name])
    // A config may not say it, and false is what goes without saying.
    const isFlagOnly = name === 'onPort' && value === false
    if (value !== undefined && !isFlagOnly && !NOT_OF_THE_RUN.has(name)) shown[name] = redacted(name, value)
  }
  return toJson(shown, 2) + '\n'
}

/**
 * @param {string} name
 * @param {any} typed
 * @param {any} given
 * @returns {unknown} the one that says more
 */
function valueOf (name, typed, given) {
  if (name === 'headers') return typed === undefined ? undefined : headersObject(typed)
  if (name === 'url') return typed.length === 1 ? typed[0] : typed
  return typeof typed === 'number' || typeof typed === 'boolean' || given === undefined || given === null ? typed : given
}

/**
 * @param {string} name
 * @param {unknown} value
 * @returns {unknown}
 */
function redacted (name, value) {
  // `--key` is the path of a file, or its content.
  if (SECRET_NAME.test(name)) return HIDDEN
  if (typeof value === 'string') return redactedText(value)
  if (typeof value === 'function') return `[function ${value.name || 'without a name'}]`
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Uint8Array) return `[${value.length} bytes]`
  if (value instanceof URL) return redactedText(value.href)
  if (value instanceof RegExp) return String(value)
  if (Array.isArray(value)) {
    // ['authorization', '…'] is a header, too.
    return value.map((one, i) => i > 0 && typeof value[i - 1] === 'string' && SECRET_NAME.test(value[i - 1]) && !/[\s:=]/.test(value[i - 1]) ? HIDDEN : redacted('', one))
  }
  const entries = Symbol.iterator in value ? Array.from(/** @type {Iterable<[string, unknown]>} */ (value)) : Object.entries(value)
  // A HAR says of each header { name, value }.
  const { name: named } = /** @type {{ name?: unknown }} */ (value)
  const isSecret = typeof named === 'string' && SECRET_NAME.test(named)
  return Object.fromEntries(entries.map(([key, one]) => [key, isSecret && key === 'value' ? HIDDEN : redacted(key, one)]))
}

/** @param {string} text */
function redactedText (text) {
  if (/^\s*[{[]/.test(text)) {
    try {
      return JSON.stringify(redacted('', JSON.parse(text)))
    } catch {
      // It only looked like JSON.
    }
  }
  return text.replace(USER_INFO, `$1${HIDDEN}@`).replace(SECRET_LINE, `$1${HIDDEN}`).replace(SECRET_FIELD, `$1${HIDDEN}`)
}

module.exports = { printedConfig }
