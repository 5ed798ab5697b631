'use strict'

// Checks a plan from the queue before an agent runs it: targets must be allowed, code must be files of the agent, and
// options must not affect Node.js otherwise. Threads do not check the plan again.

const { AutocannonError, HookError, OptionsError } = require('../../core/errors')
const { isRecord, show } = require('../../core/foreign-text')
const { withTimeout } = require('../../core/timers')
const { PLAIN } = require('../../net/route')
const { checkAllowed } = require('../../net/transport')
const { located } = require('./modules')

/**
 * The limit of characters sent to an agent for its generators: plans, and shared data and lists of requests. It is half
 * of the limit of a message and of a string in V8.
 */
const MOST = 128 * 1024 * 1024

/** The timeout of name look-ups before the start, ms. Each connection checks its addresses again. */
const LOOKUP_TIMEOUT = 2000

/**
 * Options of tls.connect and tls.createSecureContext with plain values. Others load code (engines), open sockets or
 * write to stderr.
 */
const TLS_OPTIONS = new Set([
  'ca', 'cert', 'key', 'pfx', 'passphrase', 'crl', 'dhparam', 'ciphers', 'sigalgs', 'ecdhCurve', 'honorCipherOrder',
  'minVersion', 'maxVersion', 'secureProtocol', 'secureOptions', 'sessionIdContext', 'allowPartialTrustChain',
  'rejectUnauthorized', 'servername', 'ALPNProtocols', 'session', 'minDHSize', 'requestOCSP'
])

/**
 * @typedef {object} Terms of an agent
 * @property {ReadonlyArray<import('../../net/route').Rule>} allow the allowed destinations of its load
 * @property {string | null} modules the folder of allowed modules; null for none
 * @property {import('node:net').LookupFunction} [lookup] for tests
 */

/**
 * @param {unknown} given a plan from a queue
 * @param {Terms} terms
 * @returns {Promise<import('../../options/plan').Plan>} the plan for this agent
 * @throws {AutocannonError} one sentence, if the agent refuses the plan
 */
async function admit (given, { allow, modules, lookup }) {
  try {
    const plan = /** @type {import('../../options/plan').Plan} */ (given)
    for (const { tlsOptions } of plan.targets) checkTls(tlsOptions)
    if (plan.dispatcher !== null && !allow.some(({ kind, port }) => kind === 'all' && port === null)) {
      throw new HookError('dispatcher: it opens its own connections, which this agent cannot check against --allow: ' +
        'omit it, or start the agent with --allow all')
    }
    const network = { ...PLAIN, ...plan.network, allow }
    await withTimeout(LOOKUP_TIMEOUT, checkAllowed(network, plan.targets, lookup))
    return Object.freeze({ ...await located(plan, modules), network })
  } catch (error) {
    if (error instanceof AutocannonError) throw error
    throw new AutocannonError('AC_AGENT', 'the plan of the run is not valid in this version of autocannon', {
      cause: error
    })
  }
}

/**
 * @param {Record<string, unknown>} tlsOptions
 * @throws {OptionsError}
 */
function checkTls (tlsOptions) {
  const strange = isRecord(tlsOptions) ? Object.keys(tlsOptions).find(name => !TLS_OPTIONS.has(name)) : tlsOptions
  if (strange !== undefined) throw new OptionsError([`tlsOptions: an agent takes no ${show(strange)}: omit it`])
}

/**
 * @param {number} size in characters or bytes
 * @throws {OptionsError} if it exceeds the limit of an agent
 */
function checkSize (size) {
  if (size > MOST) {
    throw new OptionsError(['agents: requests, bodies and data travel to each agent, and may have ' +
      `${MOST / 1024 / 1024} MiB: got ${Math.ceil(size / 1024 / 1024)} MiB; use smaller files, or fewer URLs with ` +
      'bodies of their own'])
  }
}

module.exports = { admit, checkSize }
