'use strict'

// Pushes metrics by OTLP with the exporter of OpenTelemetry. A collector that is down, slow or hangs costs the run one
// line. The SDK only records single values, but here histograms exist already: the exporter receives data in the form
// of the SDK.

const { randomUUID } = require('node:crypto')
const { AutocannonError } = require('../../core/errors')
const { cut, oneLine } = require('../../core/foreign-text')
const { basicAuthorization, redactedUrl, userinfoOf } = require('../../core/secrets')
const { withTimeout } = require('../../core/timers')
const { exponentialOf } = require('./buckets')
const { Ledger } = require('./ledger')

/** The export interval, ms. */
const INTERVAL = 5000
/** The timeout of an export with the exporter's retries, and of the last exports at the end, ms. */
const EXPORT_TIMEOUT = 3000

/** The limit of a collector's error in a line, characters. */
const LONGEST = 200

/**
 * @typedef {object} Options
 * @property {string} otlp the URL of the collector
 * @property {Record<string, string>} [tag] attributes of the resource
 * @property {string} version of autocannon
 *
 * @typedef {object} Sending
 * @property {import('@opentelemetry/sdk-metrics').PushMetricExporter} exporter
 * @property {import('@opentelemetry/resources').Resource} resource
 * @property {typeof import('@opentelemetry/sdk-metrics')} sdk
 */

class Pusher {
  /**
   * @param {Ledger} ledger
   * @param {Sending & { version: string }} sending
   * @param {(trouble: string) => void} onTrouble called for the first failed export
   */
  constructor (ledger, { exporter, resource, sdk, version }, onTrouble) {
    this.ledger = ledger
    this.exporter = exporter
    this.resource = resource
    this.sdk = sdk
    this.version = version
    this.onTrouble = onTrouble
    this.sent = 0
    /** The pending export. @type {Promise<void> | null} */
    this.sending = null
    /** The error of the last export. */
    this.trouble = null
    this.isReported = false
  }

  /** Exports changes, unless an export is pending. */
  push () {
    if (this.sending !== null || this.ledger.revision === this.sent) return
    this.sent = this.ledger.revision
    this.sending = this.export().finally(() => { this.sending = null })
  }

  /** @returns {Promise<void>} never rejects */
  async export () {
    const { exporter, ledger, resource, sdk, version } = this
    const scopeMetrics = [{
      scope: { name: 'autocannon', version },
      metrics: metricsOf(ledger.read(), sdk, { start: ledger.start ?? Date.now(), now: Date.now() })
    }]
    const error = await new Promise(resolve => {
      try {
        exporter.export({ resource, scopeMetrics }, ({ error, code }) =>
          resolve(error ?? (code === 0 ? null : new Error('it was not taken'))))
      } catch (error) {
        resolve(error)
      }
    })
    this.trouble = error === null ? null : cut(oneLine(String(error.message || error.code || error.name)), LONGEST)
    if (this.trouble === null || this.isReported) return
    this.isReported = true
    this.onTrouble(this.trouble)
  }

  /** @returns {Promise<string | null>} the reason why the last export failed; null after success */
  async end () {
    // The caller reports the last error.
    this.isReported = true
    await withTimeout(EXPORT_TIMEOUT, (async () => {
      await this.sending
      this.push()
      await this.sending
    })())
    return this.sending === null ? this.trouble : `no response in ${EXPORT_TIMEOUT / 1000} s`
  }
}

/**
 * @param {import('./ledger').Reading[]} readings
 * @param {Pick<typeof import('@opentelemetry/sdk-metrics'), 'DataPointType' | 'AggregationTemporality'>} sdk
 * @param {{ start: number, now: number }} times ms since 1970
 * @returns {import('@opentelemetry/sdk-metrics').MetricData[]}
 */
function metricsOf (readings, { DataPointType, AggregationTemporality }, { start, now }) {
  const times = { startTime: hrTime(start), endTime: hrTime(now) }
  return readings.map(({ family: { name, type, unit, help }, points }) => /** @type {any} */ ({
    // 0 (INT) for integers, as in the SDK.
    descriptor: { name, description: help, unit, valueType: type === 'gauge' || unit === 's' ? 1 : 0 },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPointType: type === 'histogram'
      ? DataPointType.EXPONENTIAL_HISTOGRAM
      : type === 'gauge'
        ? DataPointType.GAUGE
        : DataPointType.SUM,
    ...['counter', 'updown'].includes(type) && { isMonotonic: type === 'counter' },
    dataPoints: points.map(({ labels, value }) =>
      ({
        ...times, attributes: attributesOf(labels), value: typeof value === 'number' ? value : exponentialPoint(value)
      }))
  }))
}

/** @type {(histogram: import('./buckets').Histogram) => import('@opentelemetry/sdk-metrics').ExponentialHistogram} */
function exponentialPoint (histogram) {
  const { count, sum, min, max } = histogram
  const { scale, offset, counts } = exponentialOf(histogram)
  return {
    count,
    sum: sum / 1e6 + 0,
    ...count > 0 && { min: min / 1e6, max: max / 1e6 },
    scale,
    zeroCount: 0,
    positive: { offset, bucketCounts: counts },
    negative: { offset: 0, bucketCounts: [] }
  }
}

/** Labels with numbers in the semantic conventions. */
const NUMBERS = ['http.response.status_code', 'server.port']

/** @param {import('./families').Labels} labels */
function attributesOf (labels) {
  return Object.fromEntries(
    Object.entries(labels).map(([name, text]) => [name, NUMBERS.includes(name) ? Number(text) : text])
  )
}

/** Returns seconds and the rest in ns. @type {(ms: number) => [number, number]} */
function hrTime (ms) {
  return [Math.floor(ms / 1000), Math.round(ms % 1000 * 1e6)]
}

/**
 * @param {string} url
 * @param {import('node:http').Agent[]} agents receives the created agents
 * @returns {import('@opentelemetry/exporter-metrics-otlp-http').OTLPMetricExporterOptions}
 */
function exporterOptions (url, agents) {
  const target = new URL(url)
  const userinfo = userinfoOf(target, redactedUrl(url))
  target.username = target.password = ''
  /** @type {any} its types lack the options for Node.js */
  const options = {
    url: target.href,
    ...userinfo !== null && { headers: { authorization: basicAuthorization(userinfo) } },
    timeoutMillis: EXPORT_TIMEOUT,
    concurrencyLimit: 2,
    httpAgentOptions: (/** @type {string} */ protocol) => {
      const { Agent } = protocol === 'https:' ? require('node:https') : require('node:http')
      const agent = new Agent({ keepAlive: true })
      agents.push(agent)
      return agent
    }
  }
  return options
}

/**
 * @param {Options} options
 * @param {{ say: (sentence: string) => void }} context
 * @returns {Promise<{ follow: Ledger['follow'], end: () => Promise<void> }>}
 * @throws {AutocannonError} if the packages are not installed
 */
async function openOtlp ({ otlp, tag = {}, version }, { say }) {
  const { sdk, exporter: { OTLPMetricExporter }, resources } = load()
  /** @type {import('node:http').Agent[]} */
  const agents = []
  const exporter = new OTLPMetricExporter(exporterOptions(otlp, agents))
  const resource = resources.resourceFromAttributes({
    'service.name': 'autocannon', 'service.version': version, 'service.instance.id': randomUUID(), ...tag
  })
  const ledger = new Ledger()
  const shown = redactedUrl(otlp)
  const pusher = new Pusher(ledger, { exporter, resource, sdk, version }, trouble =>
    say(`metrics could not be sent to ${shown}: ${trouble}. The run goes on, and they are sent again`))
  const timer = setInterval(() => pusher.push(), INTERVAL).unref()
  /** @type {Promise<void> | null} */
  let ending = null
  const finish = async () => {
    clearInterval(timer)
    const trouble = await pusher.end()
    if (trouble !== null) say(`the last metrics did not reach ${shown}: ${trouble}`)
    // Pending sockets must not keep the process alive.
    for (const agent of agents) agent.destroy()
  }
  return {
    follow: (instance, about) => ledger.follow(instance, about),
    end () {
      ending ??= finish()
      return ending
    }
  }
}

function load () {
  try {
    return {
      sdk: require('@opentelemetry/sdk-metrics'),
      exporter: require('@opentelemetry/exporter-metrics-otlp-http'),
      resources: require('@opentelemetry/resources')
    }
  } catch (error) {
    const packages =
      '@opentelemetry/sdk-metrics @opentelemetry/exporter-metrics-otlp-http @opentelemetry/resources @opentelemetry/api'
    throw new AutocannonError('AC_VIEW', `--otlp needs packages of OpenTelemetry: npm install ${packages}`, {
      cause: error
    })
  }
}

module.exports = { openOtlp }
