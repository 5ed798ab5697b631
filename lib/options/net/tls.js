'use strict'

// Converts the TLS options for tls.connect, and reports contradictions. Only OpenSSL knows the ciphers: net/transport
// checks them.

const { show } = require('../../core/foreign-text')
const { problemAt } = require('../../core/problem')

/** Versions as users write them → as Node.js does, oldest first. */
const VERSIONS = Object.freeze({ '1.0': 'TLSv1', 1.1: 'TLSv1.1', 1.2: 'TLSv1.2', 1.3: 'TLSv1.3' })

/** Those below it need the security level 0 of OpenSSL 3: their signatures are SHA-1. */
const MODERN = '1.2'

/** The longest name of a protocol, bytes (RFC 7301 §3.1). */
const LONGEST_PROTOCOL = 255

/** Options that mean nothing without TLS. -k is given out of habit, also where it does nothing; its contrary is not. */
const FOR_TLS = ['tlsMin', 'tlsMax', 'ciphers', 'alpn', 'tlsSessionReuse']

/**
 * @param {unknown} given such as '1.2', 1.2 or TLSv1.2
 * @returns {string} a key of VERSIONS
 * @throws {TypeError}
 */
function parseTlsVersion (given) {
  const [, version] =
    /^(?:TLSv?)?\s*(1(?:\.\d)?)$/i.exec(
      typeof given === 'string' || typeof given === 'number' ? String(given).trim() : ''
    ) ??
      []
  const full = version === '1' ? '1.0' : version
  if (full === undefined || !Object.hasOwn(VERSIONS, full)) {
    throw new TypeError(
      `expected ${Object.keys(VERSIONS).join(', ').replace(/, (?=[^,]*$)/, ' or ')}, got ${show(given)}`
    )
  }
  return full
}

/**
 * @param {unknown} given the names of protocols, or a text of them with commas; none offers nothing
 * @returns {string[]}
 * @throws {TypeError}
 */
function parseAlpn (given) {
  const list = typeof given === 'string' ? given.split(',').map(name => name.trim()) : given
  if (list instanceof Array && list.length === 1 && list[0] === 'none') return []
  // Array.from makes holes undefined.
  const names = Array.isArray(list) ? Array.from(list) : []
  if (!Array.isArray(list) || (typeof given === 'string' && names.length === 0) || !names.every(isProtocol)) {
    throw new TypeError(`expected names of protocols such as http/1.1 or h2,http/1.1, or none, got ${show(given)}`)
  }
  return [...new Set(names)]
}

/** @param {unknown} name */
function isProtocol (name) {
  return typeof name === 'string' && /^[\x21-\x2b\x2d-\x7e]+$/.test(name) && name.length <= LONGEST_PROTOCOL
}

/**
 * @param {string} ciphers as OpenSSL takes them
 * @returns {string[]} its parts
 */
function cipherWords (ciphers) {
  return ciphers.split(/[:,\s]+/).filter(word => word !== '')
}

/** @param {string} word of a list of ciphers @returns {boolean} whether it is a suite of TLS 1.3 */
const isSuite13 = word => word.startsWith('TLS_')

/** @param {string} ciphers @returns {string[]} without directives such as !RC4 and @SECLEVEL=1 */
const namedCiphers = ciphers => cipherWords(ciphers).filter(word => !/^[!@+-]/.test(word))

/** @param {import('../../judge/threshold').Threshold['metric']} metric */
const isOfHandshakes = ({ row: { time, of } }) => time === 'handshake' || of === 'handshakes' || of === 'resumed'

/** @type {import('../normalize').Rules} */
function aboutTls (values, call) {
  const {
    url = [], redirectsAnywhere, tlsMin, tlsMax, ciphers, alpn, thresholds = [], abortOn = [], dispatcher, http = '1.1'
  } = values
  const given = FOR_TLS.filter(name => values[name] !== undefined && values[name] !== false)
  const judged = [...thresholds, ...abortOn].find(({ metric }) => isOfHandshakes(metric))
  if (judged !== undefined && dispatcher !== undefined) {
    return [problemAt(call, 'thresholds', `${show(judged.expression)}: a dispatcher does not report handshakes; omit ` +
      `it, or omit ${call('dispatcher')}`)]
  }
  if (values.insecure === false) given.push('insecure')
  if (judged !== undefined) given.push('thresholds')
  if (given.length > 0 && url.length > 0 && !redirectsAnywhere &&
    url.every((/** @type {string} */ one) => !/^(?:https|wss):/i.test(one))) {
    return [problemAt(call, given, `expected an https:// URL, got ${url.map(show).slice(0, 3).join(', ')}: nothing is ` +
      'sent over TLS')]
  }
  const problems = []
  if (!values.insecure && values.ca?.some((/** @type {Buffer} */ file) =>
    !/-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----/.test(String(file)))) {
    problems.push(problemAt(call, 'ca', 'expected a file with certificates in PEM (-----BEGIN CERTIFICATE-----), got ' +
      'one without any: no certificate would be trusted'))
  }
  // As texts they are in order.
  if (tlsMin !== undefined && tlsMax !== undefined && tlsMin > tlsMax) {
    problems.push(problemAt(call, ['tlsMin', 'tlsMax'], 'expected a lowest version that is not above the highest, ' +
      `got ${tlsMin} and ${tlsMax}`))
  }
  if (ciphers !== undefined) {
    const named = namedCiphers(ciphers)
    if (named.length === 0) {
      problems.push(problemAt(call, 'ciphers', 'expected names of ciphers such as ECDHE-RSA-AES128-GCM-SHA256 or ' +
        `TLS_AES_128_GCM_SHA256, with : between them, got ${show(ciphers)}`))
    } else if (tlsMin === '1.3' && !named.some(isSuite13)) {
      problems.push(problemAt(call, ['ciphers', 'tlsMin'], 'expected a suite of TLS 1.3 such as ' +
        `TLS_AES_128_GCM_SHA256 as well, got ${show(ciphers)}: TLS 1.3 has no other`))
    } else if (tlsMax < '1.3' && named.every(isSuite13)) {
      problems.push(problemAt(call, ['ciphers', 'tlsMax'], `expected a cipher of TLS ${tlsMax} such as ` +
        `ECDHE-RSA-AES128-GCM-SHA256 as well, got ${show(ciphers)}: these are suites of TLS 1.3`))
    }
  }
  if (http === '2' && tlsMax < MODERN) {
    problems.push(problemAt(call, 'tlsMax', `expected 1.2 or 1.3, got ${tlsMax}: HTTP/2 is not sent over an older ` +
      'version (RFC 9113 §9.2)'))
  }
  if (alpn !== undefined) {
    if (http === '2' && !alpn.includes('h2')) {
      problems.push(problemAt(call, 'alpn', `expected h2 among them, got ${alpn.join(', ') || 'none'}: that is what ` +
        'HTTP/2 is called over TLS'))
    }
    if (http === '1.1' && alpn.includes('h2')) {
      problems.push(problemAt(call, 'alpn', 'h2 is HTTP/2, and a server that accepts it would not understand this ' +
        `run: use HTTP/2 (${call('http2')}), or omit h2`))
    }
  }
  return problems
}

/**
 * @param {import('../normalize').Values} values
 * @returns {Record<string, any>} for tls.connect: tlsOptions take precedence, except over `insecure`
 */
function tlsOptionsOf (values) {
  const { tlsOptions, tlsMin, tlsMax, ciphers, alpn, insecure, http } = values
  const isOld = tlsMin < MODERN || tlsMax < MODERN
  const lowest = tlsMin ?? (tlsMax < MODERN ? '1.0' : undefined)
  // OpenSSL would add its own suites of TLS 1.3.
  const highest = tlsMax ?? (ciphers === undefined || namedCiphers(ciphers).some(isSuite13) ? undefined : '1.2')
  return {
    // The two would be refused together.
    ...tlsOptions?.secureProtocol === undefined && {
      ...lowest !== undefined && { minVersion: VERSIONS[/** @type {keyof typeof VERSIONS} */ (lowest)] },
      ...highest !== undefined && { maxVersion: VERSIONS[/** @type {keyof typeof VERSIONS} */ (highest)] }
    },
    ...(ciphers !== undefined || isOld) &&
      { ciphers: cipherList(ciphers ?? require('node:crypto').constants.defaultCipherList, isOld) },
    // Where servers could choose, and one chose HTTP/1.1, another one must not choose otherwise.
    ...alpn !== undefined &&
      { ALPNProtocols: http === '1.1' ? alpn.filter((/** @type {string} */ name) => name !== 'h2') : alpn },
    ...tlsOptions,
    ...insecure !== undefined && { rejectUnauthorized: !insecure }
  }
}

/** @type {(values: import('../normalize').Values) => import('../plan').Plan['tls']} */
function tlsPlanOf ({ tlsSessionReuse, ciphers = '' }) {
  return tlsSessionReuse || ciphers !== ''
    ? Object.freeze({ sessionReuse: tlsSessionReuse, ciphers: Object.freeze(namedCiphers(ciphers)) })
    : null
}

/** @type {(ciphers: string, isOld: boolean) => string} */
function cipherList (ciphers, isOld) {
  const words = cipherWords(ciphers)
  return [...words, ...isOld && !/@SECLEVEL/.test(ciphers) ? ['@SECLEVEL=0'] : []].join(':')
}

module.exports = { aboutTls, parseAlpn, parseTlsVersion, tlsOptionsOf, tlsPlanOf }
