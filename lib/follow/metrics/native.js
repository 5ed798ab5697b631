'use strict'

// Writes metrics for Prometheus as protobuf, the only format with native histograms. Their exponential buckets give a
// distribution to 9 % (https://prometheus.io/docs/specs/native_histograms/). Classic buckets are included. protobufjs
// encodes the bytes.

const { BOUNDS, classicOf, exponentialOf } = require('./buckets')

const TYPE = 'application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited'

/** Values up to 2^-128 count as zero, as in clients of Prometheus. */
const ZERO_THRESHOLD = 2 ** -128

/** The used part of io/prometheus/client/metrics.proto. */
const COUNTER = 0
const GAUGE = 1
const HISTOGRAM = 4
const SCHEMA = {
  LabelPair: { name: ['string', 1], value: ['string', 2] },
  Value: { value: ['double', 1] },
  Bucket: { cumulativeCount: ['uint64', 1], upperBound: ['double', 2] },
  Span: { offset: ['sint32', 1], length: ['uint32', 2] },
  Histogram: {
    sampleCount: ['uint64', 1], sampleSum: ['double', 2], bucket: ['Bucket', 3, true], schema: ['sint32', 5],
    zeroThreshold: ['double', 6], zeroCount: ['uint64', 7], positiveSpan: ['Span', 12, true],
    positiveDelta: ['sint64', 13, true]
  },
  Metric: { label: ['LabelPair', 1, true], gauge: ['Value', 2], counter: ['Value', 3], histogram: ['Histogram', 7] },
  MetricFamily: { name: ['string', 1], help: ['string', 2], type: ['int32', 3], metric: ['Metric', 4, true] }
}

/**
 * @typedef {{ name: string, help: string, type: import('./families').Family['type'], samples: Array<{ labels:
 *   Record<string, string>, value: import('./families').Value }> }} Written
 */

/** @returns {((families: Written[]) => Buffer) | null} null if protobufjs is not installed */
function nativeWriter () {
  const protobuf = load()
  if (protobuf === null) return null
  const nested = Object.fromEntries(Object.entries(SCHEMA).map(([name, fields]) => [name, {
    fields: Object.fromEntries(Object.entries(fields).map(([field, [type, id, repeated]]) =>
      [field, { type: String(type), id: Number(id), ...repeated && { rule: 'repeated' } }]))
  }]))
  const family = protobuf.Root.fromJSON({ nested }).lookupType('MetricFamily')
  return families =>
    Buffer.concat(families.map(one => family.encodeDelimited(family.fromObject(familyOf(one))).finish()))
}

/** @param {Written} written */
function familyOf ({ name, help, type, samples }) {
  return {
    name,
    help,
    type: type === 'histogram' ? HISTOGRAM : type === 'counter' ? COUNTER : GAUGE,
    metric: samples.map(({ labels, value }) => ({
      label: Object.entries(labels).map(([name, value]) => ({ name, value })),
      ...typeof value !== 'number'
        ? { histogram: histogramOf(value) }
        : type === 'counter'
          ? { counter: { value } }
          : { gauge: { value } }
    }))
  }
}

/** @param {import('./buckets').Histogram} histogram in µs */
function histogramOf (histogram) {
  const { scale, offset, counts } = exponentialOf(histogram)
  return {
    sampleCount: histogram.count,
    sampleSum: histogram.sum / 1e6 + 0,
    bucket: classicOf(histogram).map((count, i) => ({ cumulativeCount: count, upperBound: BOUNDS[i] })),
    schema: scale,
    zeroThreshold: ZERO_THRESHOLD,
    zeroCount: 0,
    // The index of a bucket is the power at its end, not at its start as in OpenTelemetry. An empty span marks a native
    // histogram.
    positiveSpan: [counts.length === 0 ? { offset: 0, length: 0 } : { offset: offset + 1, length: counts.length }],
    positiveDelta: counts.map((count, i) => count - (counts[i - 1] ?? 0))
  }
}

function load () {
  try {
    return require('protobufjs')
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'MODULE_NOT_FOUND') throw error
    return null
  }
}

module.exports = { TYPE, nativeWriter }
