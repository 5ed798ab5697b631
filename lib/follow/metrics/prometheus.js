'use strict'

// Writes metrics for Prometheus: names, labels and buckets. prom-client writes text, and native.js protobuf.

const { AutocannonError } = require('../../core/errors')
const { BOUNDS, classicOf } = require('./buckets')
const { TYPE, nativeWriter } = require('./native')

/**
 * Suffixes for units, from the specification of OpenTelemetry in Prometheus.
 * @type {Readonly<Record<string, string>>}
 */
const UNITS = Object.freeze({ s: '_seconds', By: '_bytes', 1: '_ratio', '{request}/s': '_per_second' })

/** Bounds with a decimal point, as OpenMetrics requires for le, so that a series has the same name in both formats. */
const LE = BOUNDS.map(bound => Number.isInteger(bound) ? `${bound}.0` : String(bound))

/** @param {string} name of a label or a tag */
function labelName (name) {
  return name.replace(/[^\w]/g, '_').replace(/^(?=\d)/, '_')
}

/** Returns its name in Prometheus. @type {(family: import('./families').Family) => string} */
function nameOf ({ name, unit, type }) {
  return `${labelName(name)}${UNITS[unit] ?? ''}${type === 'counter' ? '_total' : ''}`
}

/**
 * @typedef {import('./ledger').Reading} Reading
 * @typedef {{ type: string, text: string | Buffer }} Exposition
 * @typedef {'text' | 'openmetrics' | 'protobuf'} Kind
 *
 * @typedef {{ metricName?: string, labels: Record<string, string>, value: number }} Line
 */

class Prometheus {
  /**
   * @param {Record<string, string>} tags labels of every series
   * @throws {AutocannonError} if prom-client is not installed
   */
  constructor (tags) {
    this.tags = Object.fromEntries(Object.entries(tags).map(([name, value]) => [labelName(name), value]))
    this.client = load()
    /** Undefined until the first request for protobuf. @type {ReturnType<typeof nativeWriter> | undefined} */
    this.native = undefined
  }

  /**
   * @param {Reading[]} readings
   * @param {Kind} kind as requested; without protobufjs, text of OpenMetrics is written instead of protobuf
   * @returns {Promise<Exposition>}
   */
  async write (readings, kind) {
    if (kind === 'protobuf') {
      this.native ??= nativeWriter()
      if (this.native !== null) {
        return { type: TYPE, text: this.native(readings.map(reading => this.familyOf(reading))) }
      }
    }
    return this.text(readings, kind !== 'text')
  }

  /** @param {Reading} reading */
  familyOf ({ family, points }) {
    const { help, type } = family
    return {
      name: nameOf(family), help, type,
      samples: points.map(({ labels, value }) => ({ labels: { ...this.tags, ...labelsOf(labels) }, value }))
    }
  }

  /**
   * @param {Reading[]} readings
   * @param {boolean} isOpen whether the format is OpenMetrics
   * @returns {Promise<Exposition>}
   */
  async text (readings, isOpen) {
    const { Registry } = this.client
    const type = isOpen ? Registry.OPENMETRICS_CONTENT_TYPE : Registry.PROMETHEUS_CONTENT_TYPE
    // The registry changes the names of its metrics, so each text needs a new one.
    /** @type {import('prom-client').Registry} */
    const registry = new (/** @type {any} */ (Registry))(type)
    registry.setDefaultLabels(this.tags)
    for (const { family, points } of readings) {
      const name = nameOf(family)
      const values = points.flatMap(({ labels, value }) => linesOf(name, labelsOf(labels), value))
      const type = family.type === 'updown' ? 'gauge' : family.type
      const metric = {
        name, help: family.help, type, get: async () => ({ name: metric.name, help: family.help, type, values })
      }
      registry.registerMetric(/** @type {any} */ (metric))
    }
    return { type, text: await registry.metrics() }
  }
}

/** @param {Record<string, string>} labels */
function labelsOf (labels) {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [labelName(name), value]))
}

/** @type {(name: string, labels: Record<string, string>, value: import('./families').Value) => Line[]} */
function linesOf (name, labels, value) {
  if (typeof value === 'number') return [{ labels, value }]
  return [
    ...classicOf(value).map(
      (count, i) => ({ metricName: `${name}_bucket`, labels: { ...labels, le: LE[i] }, value: count })
    ),
    { metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: value.count },
    { metricName: `${name}_sum`, labels, value: value.sum / 1e6 + 0 },
    { metricName: `${name}_count`, labels, value: value.count }
  ]
}

function load () {
  try {
    return require('prom-client')
  } catch (error) {
    throw new AutocannonError('AC_VIEW', '--metrics-listen needs the package prom-client: npm install prom-client', {
      cause: error
    })
  }
}

module.exports = { Prometheus, nameOf, labelName }
