'use strict'

// The wire form of plans, orders, reports and errors: JSON text. JSON values stay unchanged, except for long lists of
// integers. Other values become an object with the key `$`, which names their kind. Repeated values (a body that all
// URLs share, or a cycle) are sent once. As with structuredClone, prototypes are lost and functions are refused.
//
// A library does not replace it, because agents may be hostile: v8.deserialize is not for data from a network,
// @ungap/structured-clone makes an object of any global class that the sender names, and neither it nor devalue (an ES
// module, for Node.js 20.19 and later) limits a BigInt: a million digits take 0.3 s. Cost of a snapshot with 10,200
// numbers per histogram: 0.9 ms and 36 KB here; msgpackr (2.7 MB installed) the same time and 71 KB in base64, devalue
// 10 ms and 132 KB, @ungap/structured-clone 15 ms and 154 KB (2026-11-25).

const { types } = require('node:util')
const { AutocannonError, OptionsError, HookError, ProtocolError, ConnectionError } = require('../core/errors')
const { cut, isRecord, printableLines, withoutColours } = require('../core/foreign-text')
const { isPackable, pack, unpack } = require('./whole-numbers')

/** The limit of digits of a BigInt, because parsing takes more than linear time. */
const LONGEST_BIGINT = 1000
const TOO_LARGE = 10n ** BigInt(LONGEST_BIGINT)

/** The depth limit: both sides recurse into values, and must not overflow the stack. */
const MOST_LEVELS = 500

/** Subclasses first. Errors of any other class arrive as an Error with their name. @type {Record<string, Function>} */
const CLASSES = {
  OptionsError, HookError, ProtocolError, ConnectionError, AutocannonError, EvalError, RangeError, ReferenceError,
  SyntaxError, TypeError, URIError, Error
}

/**
 * Bytes are sent as base64, which keeps messages of many numbers small. Multi-byte numbers are little-endian.
 * @type {Record<string, any>}
 */
const BYTES = {
  Buffer,
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  DataView,
  ArrayBuffer
}

/** The value cannot be encoded or decoded. The caller adds the consequence. */
class CodecError extends Error {}

/**
 * @param {unknown} value
 * @returns {any} a JSON value
 * @throws {OptionsError} with the place of a value that can't be sent
 */
function encode (value) {
  const encoder = new Encoder()
  try {
    return encoder.encode(value)
  } catch (error) {
    if (!(error instanceof CodecError)) throw error
    // Names options, because users do not know the plan.
    throw new OptionsError([`${encoder.place.replace(/^plan\./, '')}: ${error.message}`])
  }
}

/**
 * @param {unknown} message a JSON value, untrusted
 * @returns {any} the decoded value
 * @throws {AutocannonError}
 */
function decode (message) {
  try {
    return new Decoder().decode(message)
  } catch (error) {
    throw new AutocannonError('AC_WORKER', `a message cannot be read: ${/** @type {Error} */ (error).message}`, {
      cause: error
    })
  }
}

class Encoder {
  constructor () {
    /** @type {Map<object, number>} the index of each object, in the order of encoding */
    this.seen = new Map()
    /** @type {Array<string | number>} the path to the current value */
    this.path = []
  }

  /** @returns {string} the place of the current value */
  get place () {
    return cut(
      this.path.map(key => typeof key === 'number' ? `[${key}]` : `.${key}`).join('').replace(/^\./, '') || 'the value',
      100
    )
  }

  /** @type {(value: any) => any} */
  encode (value) {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value
      case 'number':
        return isPlain(value) ? value : { $: 'number', of: Object.is(value, -0) ? '-0' : String(value) }
      case 'undefined':
        return { $: 'undefined' }
      case 'bigint':
        if (value >= TOO_LARGE || value <= -TOO_LARGE) {
          throw new CodecError(`a number of more than ${LONGEST_BIGINT} digits does not reach another thread`)
        }
        return { $: 'bigint', of: String(value) }
      case 'object':
        return value === null ? null : this.object(value)
      default:
        throw new CodecError(`a ${typeof value} does not reach another thread or ` +
          `process${typeof value === 'function' ? '; give the absolute path of a module that exports it' : ''}`)
    }
  }

  /** @type {(value: any) => any} */
  object (value) {
    const before = this.seen.get(value)
    if (before !== undefined) return { $: 'seen', of: before }
    this.seen.set(value, this.seen.size)
    if (Array.isArray(value)) {
      return isPackable(value)
        ? { $: 'whole', of: pack(value) }
        : arePlain(value)
          ? value
          : Array.from(value, (one, i) => this.at(i, one))
    }
    if (types.isNativeError(value)) return { $: 'error', of: this.error(value) }
    if (types.isRegExp(value)) return { $: 'regexp', of: [value.source, value.flags] }
    if (types.isDate(value)) return { $: 'date', of: this.encode(value.getTime()) }
    if (types.isMap(value)) {
      return { $: 'map', of: Array.from(value, ([key, one]) => [this.at('key', key), this.at('value', one)]) }
    }
    if (types.isSet(value)) return { $: 'set', of: Array.from(value, one => this.at('value', one)) }
    if (types.isBoxedPrimitive(value)) return { $: 'boxed', of: this.encode(value.valueOf()) }
    if (types.isKeyObject(value)) return { $: 'key', of: keyOf(value) }
    const bytes = bytesOf(value)
    if (bytes !== null) return bytes
    const brand = Object.prototype.toString.call(value)
    if (brand !== '[object Object]') {
      throw new CodecError(`${brand.slice(8, -1)} does not reach another thread or process`)
    }
    const entries = Object.keys(value).map(key => /** @type {const} */ ([key, this.at(key, value[key])]))
    // `$` would be decoded as a kind, and `__proto__` as the prototype.
    return Object.hasOwn(value, '$') || Object.hasOwn(value, '__proto__')
      ? { $: 'object', of: entries }
      : Object.fromEntries(entries)
  }

  /** @param {string | number} key @param {unknown} value */
  at (key, value) {
    if (isPlain(value)) return value
    this.path.push(key)
    if (this.path.length > MOST_LEVELS) throw new CodecError(`it is nested more than ${MOST_LEVELS} levels deep`)
    const encoded = this.encode(value)
    this.path.pop()
    return encoded
  }

  /**
   * Encodes the readable parts of an error: hooks throw anything, and reading it may throw again.
   * @param {Error & Record<string, any>} error
   */
  error (error) {
    /** @param {() => any} read */
    const attempt = read => {
      const [known, depth] = [this.seen.size, this.path.length]
      try {
        return read()
      } catch {
        this.path.length = depth
        for (const one of [...this.seen.keys()].slice(known)) this.seen.delete(one)
      }
    }
    /** @param {string} key */
    const text = key => attempt(() => String(error[key])) ?? ''
    // eslint-disable-next-line no-prototype-builtins
    const kind = Object.keys(CLASSES).find(name => CLASSES[name].prototype.isPrototypeOf(error)) ?? 'Error'
    const own =
      attempt(() => Object.entries(error).filter(([key, value]) => !HANDED_OVER.includes(key) && isDetail(value))) ?? []
    return {
      class: kind,
      name: text('name'),
      message: text('message'),
      stack: text('stack'),
      own: Object.fromEntries(own),
      ...attempt(() => Object.hasOwn(error, 'cause') && { cause: this.at('cause', error.cause) })
    }
  }
}

/** Properties of an error that are encoded separately. */
const HANDED_OVER = ['message', 'stack', 'cause', '__proto__']

class Decoder {
  constructor () {
    /** @type {any[]} */
    this.seen = []
    this.level = 0
  }

  /** @type {(message: any) => any} */
  decode (message) {
    if (message === null || typeof message !== 'object') return message
    // The value of a date adds a level.
    if (this.level++ > MOST_LEVELS + 1) throw new CodecError(`it is nested more than ${MOST_LEVELS} levels deep`)
    const value = this.object(message)
    this.level--
    return value
  }

  /** @type {(message: any) => any} */
  object (message) {
    if (Array.isArray(message)) {
      if (arePlain(message)) return this.keep(message)
      const made = this.keep(/** @type {any[]} */ ([]))
      for (const one of message) made.push(this.decode(one))
      return made
    }
    if (!Object.hasOwn(message, '$')) return this.fill(this.keep({}), Object.entries(message))
    const kind = Object.hasOwn(KINDS, message.$) ? KINDS[message.$] : null
    if (kind === null) throw new CodecError(`there is no kind ${String(JSON.stringify(message.$)).slice(0, 50)}`)
    return kind.call(this, message.of)
  }

  /**
   * @template T
   * @param {T} value that may be referenced again
   */
  keep (value) {
    this.seen.push(value)
    return value
  }

  /**
   * Defines a property, because an assignment to `__proto__` would change the prototype.
   * @param {any} object
   * @param {Array<[string, any]>} entries
   */
  fill (object, entries) {
    for (const [key, value] of entries) {
      if (key === '__proto__') {
        Object.defineProperty(object, key, {
          value: this.decode(value), writable: true, enumerable: true, configurable: true
        })
      } else object[key] = this.decode(value)
    }
    return object
  }
}

/** The decoder of each kind. @type {Record<string, (this: Decoder, of: any) => any>} */
const KINDS = {
  undefined: () => undefined,
  number (of) {
    if (isPlain(Number(text(of)))) throw new CodecError('it has a number that is sent as it is')
    return Number(of)
  },
  bigint (of) {
    // The sign does not count as a digit.
    if (text(of).length > LONGEST_BIGINT + 1) {
      throw new CodecError(`it has a number of more than ${LONGEST_BIGINT} digits`)
    }
    return BigInt(of)
  },
  seen (of) {
    if (!(Number.isInteger(of) && of >= 0 && of < this.seen.length)) {
      throw new CodecError('it names what did not come before')
    }
    return this.seen[of]
  },
  object (of) {
    const object = this.keep({})
    return this.fill(object, pairs(of).map(([key, value]) => [text(key), value]))
  },
  whole (of) {
    const numbers = unpack(text(of))
    if (numbers === null) throw new CodecError('it has invalid numbers')
    return this.keep(numbers)
  },
  regexp (of) {
    const [source, flags] = list(of)
    return this.keep(new RegExp(text(source), text(flags)))
  },
  date (of) {
    return this.keep(new Date(this.decode(of)))
  },
  map (of) {
    const map = this.keep(new Map())
    for (const [key, value] of pairs(of)) map.set(this.decode(key), this.decode(value))
    return map
  },
  set (of) {
    const set = this.keep(new Set())
    for (const value of list(of)) set.add(this.decode(value))
    return set
  },
  boxed (of) {
    return this.keep(Object(this.decode(of)))
  },
  bytes (of) {
    const [kind, base64] = list(of)
    const bytes = Buffer.from(text(base64), 'base64')
    if (!Object.hasOwn(BYTES, kind)) throw new CodecError('there are no such bytes')
    if (kind === 'Buffer') return this.keep(bytes)
    // Copies, because the bytes of a Buffer may start anywhere in a shared ArrayBuffer.
    const { buffer } = new Uint8Array(bytes)
    return this.keep(kind === 'ArrayBuffer' ? buffer : new BYTES[kind](buffer))
  },
  key (of) {
    const [kind, pem] = list(of).map(text)
    const { createPrivateKey, createPublicKey, createSecretKey } = require('node:crypto')
    const make = {
      private: createPrivateKey,
      public: createPublicKey,
      secret: (/** @type {string} */ base64) =>
        createSecretKey(base64, 'base64')
    }[kind]
    if (make === undefined) throw new CodecError('there is no such kind of key')
    return this.keep(make(pem))
  },
  error (of) {
    const { class: kind, name, message, stack, own } = of ?? {}
    if (!Object.hasOwn(CLASSES, text(kind)) || !isRecord(own) || !Object.values(own).every(isDetail)) {
      throw new CodecError('it has an invalid error')
    }
    const Class = CLASSES[kind]
    const isOurs = Class.prototype instanceof AutocannonError || Class === AutocannonError
    /** Decodes an error. Messages of our own classes are printable. @param {any} given */
    const clean = given => isOurs && typeof given === 'string' ? printableLines(withoutColours(given)) : given
    // Does not call the constructor of the class, which has other arguments.
    const error = this.keep(Reflect.construct(Error, [clean(text(message))], Class))
    for (const [key, value] of Object.entries(own)) {
      Object.defineProperty(error, key, {
        value: Array.isArray(value) ? value.map(clean) : clean(value), writable: true, enumerable: true,
        configurable: true
      })
    }
    hide(error, 'stack', text(stack))
    if (error.name !== text(name)) hide(error, 'name', name)
    if (Object.hasOwn(of, 'cause')) hide(error, 'cause', this.decode(of.cause))
    return error
  }
}

/** @param {object} value @param {string} key @param {unknown} of the value of a non-enumerable property */
function hide (value, key, of) {
  Object.defineProperty(value, key, { value: of, writable: true, enumerable: false, configurable: true })
}

/**
 * @param {any} value
 * @returns {{ $: 'bytes', of: [kind: string, base64: string] } | null} null for any other value
 */
function bytesOf (value) {
  if (!ArrayBuffer.isView(value) && !types.isAnyArrayBuffer(value)) return null
  if (types.isSharedArrayBuffer(ArrayBuffer.isView(value) ? value.buffer : value)) {
    throw new CodecError('memory that is shared does not reach another thread or process: a copy would not be shared')
  }
  const kind = Buffer.isBuffer(value) ? 'Buffer' : Object.prototype.toString.call(value).slice(8, -1)
  const bytes = ArrayBuffer.isView(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : Buffer.from(value)
  return { $: 'bytes', of: [kind, bytes.toString('base64')] }
}

/**
 * @param {import('node:crypto').KeyObject} key for example in tlsOptions
 * @returns {[kind: string, text: string]} PEM, or base64 of a secret
 */
function keyOf (key) {
  if (key.type === 'secret') return [key.type, key.export().toString('base64')]
  return [key.type, String(key.export({ type: key.type === 'private' ? 'pkcs8' : 'spki', format: 'pem' }))]
}

/** @param {unknown} value @returns {boolean} whether it is a JSON value */
function isPlain (value) {
  return typeof value === 'number'
    ? Number.isFinite(value) && !Object.is(value, -0)
    : typeof value === 'string' || typeof value === 'boolean' || value === null
}

/** @param {unknown[]} list @returns {boolean} whether every index exists: `every` would skip holes */
function arePlain (list) {
  for (let i = 0; i < list.length; i++) if (!isPlain(list[i])) return false
  return true
}

/**
 * @param {unknown} value @returns {boolean} whether it may be a property of an error, such as its code or its problems
 */
function isDetail (value) {
  return Array.isArray(value) ? arePlain(value) : isPlain(value)
}

/** @param {unknown} of */
function text (of) {
  if (typeof of !== 'string') throw new CodecError('it has no text where one is needed')
  return of
}

/** @param {unknown} of */
function list (of) {
  if (!Array.isArray(of)) throw new CodecError('it has no list where one is needed')
  return of
}

/** @param {unknown} of */
const pairs = of => list(of).map(list)

module.exports = { decode, encode }
