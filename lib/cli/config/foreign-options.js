'use strict'

// Options of other tools in a config.

/** In Artillery, users come at a rate that begins with a phase; here, a stage climbs to its rate, of requests. */
const PHASES = "of the phases (Artillery), arrivalRate: 5 for 60 s is rate: '5 iterations/s' with duration: 60, and " +
  "no stages; with rampTo: 50 it is stages: ['0s:5iterations/s', '60s:50iterations/s'] " +
  '(docs/scenarios.md, the table of Artillery)'

const SETUP = 'setup belongs to a scenario, next to its requests; in a module of user functions it is an export'

/** Of k6 and Artillery. @type {Readonly<Record<string, string>>} */
const ELSEWHERE = Object.freeze({
  vus: 'virtual users (k6) are connections',
  iterations: "iterations (k6) are an amount, as in amount: '100 iterations'",
  rps: "a limit of requests per second (k6) is a rate: rate: 50, or rate: '50 iterations/s' for user functions",
  batch: 'the parallel requests of a user (k6) are connectionsPerUser',
  batchPerHost: 'the parallel requests of a user (k6) are connectionsPerUser',
  noCookiesReset: "cookies that outlive an iteration (k6) are cookies: { keep: 'connection' }",
  insecureSkipTLSVerify: 'a certificate that is not verified (k6) is insecure: true, which is the default without ca',
  noConnectionReuse: 'a connection for each request (k6) is reconnectRate: 1',
  noVUConnectionReuse: 'connections stay open between iterations; one for each request (k6) is reconnectRate: 1',
  minIterationDuration: "the shortest time of an iteration (k6) is every, as in every: '5s'",
  maxRedirects: 'redirects that are followed (k6) are redirects, as in redirects: 10',
  summaryTrendStats: 'the report (k6) has further percentiles with percentiles, as in percentiles: [50, 95, 99.9]',
  hosts: 'addresses of hosts (k6) are resolve, or connectTo',
  localIPs: 'addresses of this machine (k6) are localAddress',
  tlsVersion: 'versions of TLS (k6) are tlsMin and tlsMax',
  tlsCipherSuites: 'ciphers of TLS (k6) are ciphers, by their OpenSSL names',
  tlsAuth: 'a client certificate (k6) is --cert and --key on the command line',
  executionSegment: 'a part of the load on each machine (k6) is --agents on the command line',
  config: 'options stand at the top, without config around them: its target (Artillery) is url, its payload is ' +
    `data; ${PHASES}`,
  phases: PHASES,
  target: 'the server (Artillery) is url',
  metrics: "metrics are metricsListen, as in metricsListen: ':9464', or otlp",
  options: 'options are at the top, without options around them',
  setup: SETUP,
  teardown: SETUP.replace('setup', 'teardown'),
  tls: 'options of TLS are at the top: insecure, ca, tlsMin and others (docs/reference.md)',
  websocket: 'a WebSocket is a ws:// URL, or { ws: /chat } in the requests of a scenario (docs/websocket.md)'
})

/** Of k6, which nothing here is like. */
const NOT_HERE = new Set([
  'blacklistIPs', 'blockHostnames', 'cloud', 'discardResponseBodies', 'ext', 'httpDebug', 'linger', 'noUsageReport',
  'paused', 'setupTimeout', 'summaryTimeUnit', 'systemTags', 'tags', 'teardownTimeout', 'throw'
])

/** @type {(name: string) => string | undefined} */
const hintOn = name => {
  if (Object.hasOwn(ELSEWHERE, name)) return ELSEWHERE[name]
  return NOT_HERE.has(name) ? 'an option of k6 that is not needed or has no counterpart here: omit it' : undefined
}

/**
 * @param {string} place of an object in a config
 * @param {string} key of it that is unknown there
 * @returns {string | undefined} a suggestion
 */
function hintInOption (place, key) {
  if (/^\.stages\[\d+\]$/.test(place) && key === 'target') return '; the target of a stage (k6) is connections'
  if (/^\.stages\[\d+\]$/.test(place) && key === 'arrivalRate') return `; ${PHASES}`
  if (/^\.scenarios\[\d+\]$/.test(place) && key === 'engine') {
    return '; omit the engine (Artillery): a WebSocket is { ws: /chat } in requests, with { send: text } behind it ' +
      '(docs/scenarios.md), or with a ws:// URL each request is a message (docs/websocket.md)'
  }
  if (place === '.thresholds' && /^(http_|iteration|checks|vus|data_|dropped_)/.test(key)) {
    return "; thresholds are a list of texts: http_req_duration: ['p(95)<200'] (k6) is 'p95 < 200ms', " +
      "http_req_failed: ['rate<0.01'] is 'failures < 1%'"
  }
  return undefined
}

module.exports = { hintInOption, hintOn }
