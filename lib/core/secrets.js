'use strict'

// Detects secrets in user input by name and position, and replaces them with `***`. Secrets without a telling name are
// not detected (SECURITY.md).

const { tryOr } = require('./try-or')

const HIDDEN = '***'

/** The place of a captured value, or a module that finds it. These texts are not secrets. */
const SOURCE =
  /^\s*(?:(?:json|header|cookie|html|event)\s|(?:status|body)\s*$|\/.*\/[dgimsuvy]*(?:\s|$)|\S+\.[cm]?[jt]s$)/s

/** Parts of secret names, anywhere in a name. */
const ANYWHERE =
  'authorization|cookie|passw|pwd|passphrase|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|credential|' +
  'signature|session|bearer|assertion|(?<!by|com)pass(?![a-z])'
/** Parts of secret names, as whole words only. */
const WORD = 'auth|jwt|sid|key|pfx'

const SECRET_NAME = new RegExp(`${ANYWHERE}|^(${WORD})$|[-_.](auth|jwt|sid)$|^(auth|jwt|sid)[-_.]`, 'i')

// The length of names is limited, because long texts would take too long.

/** `authorization: …`, `x-api-key=…` and `user.token=…`, each on a separate line. */
const LINE = new RegExp(
  `^([ \\t]{0,20}[\\w.$[\\]-]{0,60}(?:${ANYWHERE}|(?<![a-z])(?:auth|jwt|sid)(?![a-z]))` +
    '[\\w.$[\\]-]{0,60}[ \\t]{0,20}[:=][ \\t]*).+$',
  'gim'
)
/** `?token=…` and `&user[password]=…` of a URL or a form. */
const FIELD = new RegExp(`((?:^|[?&;])[^=&;?#\\s]{0,60}(?:${ANYWHERE})[^=&;?#\\s]{0,60}=)[^&;#\\n]*`, 'gi')
/** `token=…` within a sentence. */
const ASSIGNED = new RegExp(`((?<=\\s)[\\w.-]{0,60}(?:${ANYWHERE})[\\w.-]{0,60}=)[^\\s&;#"'<>]+`, 'gi')
/** A part of a multipart body: its head, and its content. */
const PART = new RegExp(
  `(\\bname="?[^"\\n]{0,60}(?:${ANYWHERE})[^\\n]{0,200}\\n(?:[^\\r\\n]{1,200}\\r?\\n){0,5}\\r?\\n)[^]*?(?=\\r?\\n--|$)`,
  'gi'
)
/** `<password>…`, also with attributes. */
const ELEMENT = new RegExp(`(<[\\w:.-]{0,60}(?:${ANYWHERE})[\\w:.-]{0,60}(?:\\s[^<>]{0,200})?>)[^<]+`, 'gi')
/** `password="…"` in a tag. */
const ATTRIBUTE = new RegExp(
  `(\\s[\\w:.-]{0,60}(?:${ANYWHERE})[\\w:.-]{0,60}\\s{0,20}=\\s{0,20}(["']))[^]*?(?=\\2)`,
  'gi'
)
/**
 * The key before a value: `"password": ` in invalid JSON or in JSON within a JSON string, `password: "` of GraphQL, and
 * `{password: `.
 */
const MEMBER = new RegExp(
  `(?:(\\\\{0,7}["'])[^"'\\n]{0,60}?(?:${ANYWHERE})[^"'\\n]{0,60}?\\1\\s{0,20}:\\s{0,20}|` +
  `(?<![\\w-])[\\w-]{0,60}(?:${ANYWHERE})[\\w-]{0,60}\\s{0,20}:\\s{0,20}(?=\\\\{0,7}["'])|` +
  `(?<=[{,]\\s{0,20})[\\w-]{0,60}(?:${ANYWHERE})[\\w-]{0,60}\\s{0,20}:\\s{0,20})`,
  'gi'
)
/** `Bearer …` in a header without a telling name. */
const SCHEME = /\b(Bearer\s+|Basic\s+(?=\S*[\d=+/]))[\w.~+/=-]{4,}/gi
/** `https://user:password@host` within a text. */
const USER_INFO = /(:\/\/)[^/?#\s"'<>]*@/g

/** The shortest known value that is replaced: shorter ones may be part of any word, and are rarely secrets. */
const SHORTEST_KNOWN = 6

/**
 * Values of secret environment variables that a config contains, in each encoding, and their replacements.
 * @type {Map<string, string>}
 */
const known = new Map()

/** @type {RegExp | null} */
let anyKnown = null

/**
 * Registers a value. In this process, all redacted texts then show a reference to its variable in its place.
 * @param {string} variable of the environment
 * @param {string} value
 */
function keepSecret (variable, value) {
  if (!isSecretName(variable) || value.length < SHORTEST_KNOWN) return
  for (const form of formsOf(value)) known.set(form, `\${${variable}}`)
  // The longest first: a value may be a part of another one.
  const forms = Array.from(known.keys()).sort((one, other) => other.length - one.length)
  anyKnown = new RegExp(forms.map(form => form.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')).join('|'), 'g')
}

/**
 * @param {string} value
 * @returns {string[]} the value in a text, in JSON, in a URL, in parts of a path, a query and a form, and in a config,
 *   which writes `${` as `$${`
 */
function formsOf (value) {
  // encodeURI throws at unpaired surrogates.
  const whole = Buffer.from(value).toString()
  const part = encodeURIComponent(whole)
  const forms = [
    value, JSON.stringify(value).slice(1, -1), encodeURI(whole), part, part.replaceAll('%20', '+'),
    whole.replaceAll(' ', '%20')
  ]
  return value.includes('${') ? [...forms, ...forms.map(form => form.replaceAll('${', () => '$${'))] : forms
}

/** Replaces registered values by references such as `${API_TOKEN}`. @type {(text: string) => string} */
function withReferences (text) {
  return anyKnown === null ? text : text.replace(anyKnown, value => /** @type {string} */ (known.get(value)))
}

/** `{{u.password}}`, `{{{token}}}`, `{{env.API_TOKEN}}`. */
const TEMPLATE = /\{\{\{?([^{}]*)\}/g

/**
 * @param {string} text that is a template
 * @returns {boolean} whether it inserts a value with a secret name
 */
function hasSecretTemplate (text) {
  return Array.from(text.matchAll(TEMPLATE), ([, name]) => name.trim()).some(name =>
    isSecretName(name) || name.split(/[.\s[\]]+/).some(isSecretName))
}

/** A tag with the name of a value. `{{pick a b}}` contains the values itself. */
const NAMED = '\\{\\{\\{?\\s{0,5}[\\w$.[\\]-]{1,100}\\s{0,5}\\}?\\}\\}'
/** `{{token}}`, `Bearer {{token}}`, `{{user}}:{{password}}`: templates without secret values in them. */
const NAMED_ALONE = new RegExp(
  '^\\s{0,5}(?:(?:apikey|basic|bearer|digest|dpop|negotiate|token)\\s{1,5})?' +
  `${NAMED}(?:[\\s:;,./=_-]{0,3}${NAMED}){0,20}\\s{0,5}$`, 'i'
)
/** `sid={{sid}}; theme={{theme}}`. */
const NAMED_COOKIES = new RegExp(`^\\s{0,5}[\\w.-]{1,60}=${NAMED}(?:;\\s{0,5}[\\w.-]{1,60}=${NAMED}){0,20}\\s{0,5}$`)

/**
 * @param {string} value
 * @param {string} name under which it stands
 * @returns {boolean} whether it is a template without any part of a secret
 */
function isTemplateAlone (value, name) {
  return value.includes('{{') && (NAMED_ALONE.test(value) || (/cookie/i.test(name) && NAMED_COOKIES.test(value)))
}

/** Returns a secret in redacted form. @type {(value: string, name: string) => string} */
function hidden (value, name) {
  return known.get(value) ?? (isTemplateAlone(value, name) ? value : HIDDEN)
}

/**
 * @param {string} name of a header, a field, an option or a place in JSON
 * @returns {boolean} whether its value is a secret
 */
function isSecretName (name) {
  return SECRET_NAME.test(name)
}

/** Removes user and password from a URL, which may be invalid. @type {(url: string) => string} */
function withoutUserinfo (url) {
  return withReferences(withoutPlainUserinfo(url))
}

/** @param {string} url */
function withoutPlainUserinfo (url) {
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(url)?.[0] ?? ''
  const rest = url.slice(scheme.length)
  // In an invalid URL the password may be anywhere.
  const understood = !/^([a-z]+:)?[/\\]/i.test(rest) && URL.canParse((scheme || 'http://') + rest)
  const userinfo = understood ? /^[^/?#\\]*@/ : /^.*@/s
  return scheme + rest.replace(userinfo, `${HIDDEN}@`)
}

/** Removes user and password from a URL, and redacts secrets in its query. @type {(url: string) => string} */
function redactedUrl (url) {
  return withoutUserinfo(url).replace(FIELD, hideField)
}

/**
 * @param {Pick<URL, 'username' | 'password'>} url
 * @param {string} shown the URL without secrets
 * @returns {{ user: string, password: string } | null} both, decoded; null if the URL has neither
 * @throws {TypeError}
 */
function userinfoOf ({ username, password }, shown) {
  if (username === '' && password === '') return null
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) }
  } catch {
    throw new TypeError(`${shown} has a % in its user or password that starts no encoded character: write it as %25`)
  }
}

/**
 * Returns the value of a header for Basic authentication (RFC 7617).
 * @type {(userinfo: { user: string, password: string }) => string}
 */
function basicAuthorization ({ user, password }) {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

/** @param {string} path of a request, which may be a whole URL */
function pathWithoutUserinfo (path) {
  return /^[a-z]+:\/\//i.test(path) ? withoutUserinfo(path) : withReferences(path)
}

/**
 * Redacts data: returns plain values without secrets.
 * @param {unknown} given
 * @param {string} [name] under which it stands
 * @param {(value: any, name: string, depth: number) => unknown} [shorten] shortens a value before its secrets are
 *   replaced
 * @param {number} [depth]
 * @returns {unknown}
 */
function redacted (given, name = '', shorten = value => value, depth = 0) {
  // A boolean is not a secret: cookies, tlsSessionReuse.
  if (isSecretName(name)) {
    return typeof given === 'boolean' ? given : typeof given === 'string' ? hidden(given, name) : HIDDEN
  }
  const value = shorten(given, name, depth)
  if (typeof value === 'string') return redactedText(value)
  if (typeof value === 'function') return `[function ${value.name || 'without a name'}]`
  if (typeof value === 'symbol') return String(value)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Uint8Array) return `[${value.length} bytes]`
  if (value instanceof URL) return redactedText(value.href)
  if (value instanceof RegExp) return String(value)
  // ['authorization', '…'] is a header, too.
  if (Array.isArray(value)) {
    return value.map((one, i) => i > 0 && isNameAlone(value[i - 1])
      ? valueOf(one, value[i - 1])
      : redacted(one, '', shorten, depth + 1))
  }
  if (name === 'capture') return captures(value, shorten, depth)
  const entries = Symbol.iterator in value
    ? Array.from(/** @type {Iterable<[string, unknown]>} */ (value))
    : Object.entries(value)
  // A HAR has headers as { name, value }.
  const { name: named } = /** @type {{ name?: unknown }} */ (value)
  const isSecret = typeof named === 'string' && isSecretName(named)
  const isBlock = 'requests' in value
  return Object.fromEntries(
    entries.map(([key, one]) => [
      key,
      isSecret && key === 'value'
        ? valueOf(one, named)
        : isBlock && CONDITIONS.has(key) && typeof one === 'string'
          ? withReferences(one)
          : redacted(one, key, shorten, depth + 1)
    ])
  )
}

/** Options with an expression. `token == 'x'` would be mistaken for a name and its value. */
const CONDITIONS = new Set(['if', 'while'])

/**
 * @param {object} given given names of captured values and their places: `{ token: 'json auth.token' }`
 * @param {(value: any, name: string, depth: number) => unknown} shorten as above
 * @param {number} depth
 * @returns {Record<string, unknown>} the redacted option
 */
function captures (given, shorten, depth) {
  return Object.fromEntries(Object.entries(given).map(([name, one]) => [
    name, capture(shorten(one, name, depth + 1), name, shorten, depth + 1)
  ]))
}

/**
 * @param {any} one
 * @param {string} name
 * @param {(value: any, name: string, depth: number) => unknown} shorten
 * @param {number} depth
 * @returns {unknown}
 */
function capture (one, name, shorten, depth) {
  if (typeof one === 'string' && SOURCE.test(one)) return withReferences(one)
  if (one instanceof RegExp) return withReferences(String(one))
  if (typeof one === 'function') return redacted(one)
  if (typeof one?.from !== 'string' && !(one?.from instanceof RegExp)) return redacted(one, name, shorten, depth)
  return Object.fromEntries(Object.entries(one).map(([key, value]) => [
    key,
    key === 'from'
      ? capture(value, name, shorten, depth + 1)
      // null, a number and a list are defaults for a missing value. A string may be a valid secret.
      : redacted(value, key === 'default' && typeof value === 'string' && value !== '' ? name : key, shorten, depth + 1)
  ]))
}

/** Returns a secret value in redacted form. @type {(value: unknown, name: string) => string} */
function valueOf (value, name) {
  return typeof value === 'string' && isTemplateAlone(value, name) ? value : HIDDEN
}

/**
 * @param {unknown} value
 * @returns {boolean} whether the next entry of a list is the value of this name; a file name such as session.js has no
 *   value
 */
function isNameAlone (value) {
  return typeof value === 'string' && /^[\w.$[\]-]+$/.test(value) && !/\.[cm]?[jt]s$/.test(value) && isSecretName(value)
}

/** @param {string} text a URL, a header, a body of any kind */
function redactedText (text) {
  const shown = withReferences(text)
  return redactedJson(shown) ?? redactedLines(shown) ?? redactedWords(shown)
}

/** A string or a number of JSON. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g
/** A number that withQuotes() has quoted. */
const QUOTED = /"\\u0000(-?\d[\d.eE+-]*)"/g

/**
 * JSON.parse rounds integers above 2^53 and drops the zero of 1.10.
 * @param {string} token of JSON
 * @returns {string} a number that JSON.parse would change, as a string; any other token unchanged
 */
function withQuotes (token) {
  return token[0] === '"' || Number.isNaN(Number(token)) || String(Number(token)) === token
    ? token
    : `"\\u0000${token}"`
}

/** Redacts JSON. Returns undefined for invalid JSON. @type {(text: string) => string | undefined} */
function redactedJson (text) {
  if (!/^\s*[{["]/.test(text)) return undefined
  return tryOr(undefined, () => {
    const parsed = JSON.parse(text.replace(TOKEN, withQuotes))
    const shown = JSON.stringify(redacted(parsed))
    // Without secrets, the text keeps its format.
    return shown === JSON.stringify(parsed) ? text : shown.replace(QUOTED, '$1')
  })
}

/**
 * @param {string} text NDJSON
 * @returns {string | undefined} the redacted text; undefined if a line is not JSON
 */
function redactedLines (text) {
  const lines = text.split('\n')
  if (lines.length < 2) return undefined
  const shown = lines.map(line => line.trim() === '' ? line : redactedJson(line))
  return shown.includes(undefined) ? undefined : shown.join('\n')
}

/** @param {string} text that cannot be parsed as a whole */
function redactedWords (text) {
  const url = /^[a-z][a-z0-9+.-]*:\/\/\S*$/i.test(text) ? withoutUserinfo(text) : text
  return withoutMembers(url.replace(USER_INFO, `$1${HIDDEN}@`))
    .replace(PART, hideValue)
    .replace(ELEMENT, hideValue)
    .replace(ATTRIBUTE, hideValue)
    .replace(LINE, hideValue)
    .replace(FIELD, hideField)
    .replace(ASSIGNED, hideField)
    .replace(SCHEME, `$1${HIDDEN}`)
}

/** @param {string} found @param {string} head of it, up to its value */
function hideValue (found, head) {
  return isTemplateAlone(found.slice(head.length), head) ? found : `${head}${HIDDEN}`
}

/** @param {string} found @param {string} name with its = */
function hideField (found, name) {
  // A reference is not a secret, and a config can read it.
  return isReference(found.slice(name.length)) ? found : hideValue(found, name)
}

/** @param {string} text */
function isReference (text) {
  return known.size > 0 && Array.from(known.values()).includes(text)
}

/** @param {string} text with members that have a secret name */
function withoutMembers (text) {
  let shown = ''
  let at = 0
  for (const match of text.matchAll(MEMBER)) {
    const start = match.index + match[0].length
    // The match is inside of a value that is already redacted.
    if (match.index < at) continue
    const end = endOfValue(text, start)
    const value = text.slice(start, end)
    shown += text.slice(at, start) + (isTemplateAlone(value.replace(/^\\{0,7}["']|\\{0,7}["']$/g, ''), match[0])
      ? value
      : `${match[1] ?? '"'}${HIDDEN}${match[1] ?? '"'}`)
    at = end
  }
  return shown + text.slice(at)
}

/**
 * @param {string} text
 * @param {number} start of a value
 * @returns {number} the end of the value; the end of the text if the value is not terminated
 */
function endOfValue (text, start) {
  const [quote] = /^\\{0,7}["']/.exec(text.slice(start, start + 20)) ?? []
  if (quote !== undefined) {
    for (let at = text.indexOf(quote, start + quote.length); at !== -1; at = text.indexOf(quote, at + 1)) {
      // A quotation mark with more backslashes belongs to the value.
      if (text[at - 1] !== '\\') return at + quote.length
    }
    return text.length
  }
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfValue(text, at) - 1
    else if (character === '{' || character === '[') depth++
    else if (depth > 0 && (character === '}' || character === ']')) depth--
    else if (depth === 0 && /[,}\]\n]/.test(character)) return at
  }
  return text.length
}

/** A subprotocol before a token: `bearer`, `access_token`. */
const ANNOUNCES = /^[a-z_-]{1,20}$/i

/** A JWT, or a long word with digits and letters. */
const OPAQUE = /^eyJ|(?=[^.]*\d)(?=[^.]*[a-z])[^.]{24,}/i

/**
 * Redacts tokens in subprotocols: browsers cannot set headers of the handshake, so some servers read a token there.
 * @param {ReadonlyArray<string>} names
 * @returns {string[]} the redacted list
 */
function shownSubprotocols (names) {
  const announces = (/** @type {string} */ name) => ANNOUNCES.test(name) && isSecretName(name)
  return names.map((name, i) => {
    const shown = withReferences(name)
    if (shown !== name || announces(name)) return shown
    return isSecretName(name) || OPAQUE.test(name) || (i > 0 && announces(names[i - 1])) ? HIDDEN : name
  })
}

/**
 * Environment variables for this process only: the key for message signatures, and the URL of Redis with its password.
 */
const OWN = ['AUTOCANNON_KEY', 'AUTOCANNON_REDIS']

/**
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {Record<string, string | undefined>} the environment for another program
 */
function inherited (env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !OWN.includes(name.toUpperCase())))
}

module.exports = {
  inherited, keepSecret, withReferences, hasSecretTemplate, HIDDEN, basicAuthorization, isNameAlone, isSecretName,
  isTemplateAlone, userinfoOf, withoutUserinfo, pathWithoutUserinfo, redactedUrl, redacted, redactedText, isReference,
  shownSubprotocols
}
