'use strict'

// How a test reads what a scraper gets: the text format of Prometheus 0.0.4, and OpenMetrics 1.0, strictly: what either specification forbids
// throws.

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/s
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/y

/**
 * @typedef {{ name: string, labels: Record<string, string>, value: number }} Sample
 * @typedef {{ name: string, type: string, help: string, samples: Sample[] }} Family
 */

/**
 * @param {string} text
 * @param {boolean} isOpen OpenMetrics
 * @returns {Map<string, Family>}
 */
function parseExposition (text, isOpen) {
  const lines = text.split('\n')
  if (lines.pop() !== '') throw new Error('the last line has no end')
  if (isOpen && lines.pop() !== '# EOF') throw new Error('no # EOF at the end')
  /** @type {Map<string, Family>} */
  const families = new Map()
  const seen = new Set()
  /** @type {Family | null} */
  let current = null
  for (const line of lines) {
    if (line === '' && !isOpen) continue
    const [, keyword, name, rest] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? []
    if (keyword !== undefined) {
      if (current?.name !== name) {
        if (families.has(name)) throw new Error(`${name} twice`)
        families.set(name, current = { name, type: '', help: '', samples: [] })
      }
      const key = keyword === 'HELP' ? 'help' : 'type'
      if (current[key] !== '' || current.samples.length > 0) throw new Error(`a second ${keyword} of ${name}, or behind its samples`)
      current[key] = rest
      continue
    }
    if (line.startsWith('#') || current === null) throw new Error(`unexpected: ${line}`)
    const sample = sampleOf(line)
    const suffixes = current.type === 'histogram' ? ['_bucket', '_sum', '_count'] : [current.type === 'counter' && isOpen ? '_total' : '']
    if (!suffixes.some(suffix => sample.name === `${current?.name}${suffix}`)) throw new Error(`${sample.name} in ${current.name}`)
    if (current.type === 'counter' && !(sample.value >= 0)) throw new Error(`a counter of ${sample.value}`)
    const series = `${sample.name}${JSON.stringify(Object.entries(sample.labels).sort())}`
    if (seen.has(series)) throw new Error(`a series twice: ${series}`)
    seen.add(series)
    current.samples.push(sample)
  }
  for (const family of families.values()) {
    if (!['counter', 'gauge', 'histogram'].includes(family.type)) throw new Error(`${family.name} is a ${family.type}`)
    if (family.type === 'histogram') checkHistogram(family)
  }
  return families
}

/**
 * @param {string} line
 * @returns {Sample}
 */
function sampleOf (line) {
  const [matches, name, inner, text] = SAMPLE.exec(line) ?? []
  if (matches === undefined) throw new Error(`not a sample: ${line}`)
  /** @type {Record<string, string>} */
  const labels = {}
  LABEL.lastIndex = 0
  for (let at = 0; at < (inner?.length ?? 0); at = LABEL.lastIndex) {
    const [found, label, value] = LABEL.exec(inner) ?? []
    if (found === undefined || Object.hasOwn(labels, label)) throw new Error(`wrong labels: ${line}`)
    labels[label] = value.replace(/\\(.)/g, (_, escaped) => escaped === 'n' ? '\n' : escaped)
  }
  const value = ({ '+Inf': Infinity, '-Inf': -Infinity })[text] ?? Number(text)
  if (Number.isNaN(value)) throw new Error(`not a number: ${line}`)
  return { name, labels, value }
}

/** @param {Family} family */
function checkHistogram ({ name, samples }) {
  /** @type {Map<string, { les: number[], counts: number[], sum?: number, count?: number }>} */
  const groups = new Map()
  for (const { name: sample, labels: { le, ...labels }, value } of samples) {
    const key = JSON.stringify(labels)
    const group = groups.get(key) ?? { les: [], counts: [] }
    groups.set(key, group)
    if (sample.endsWith('_sum')) group.sum = value
    else if (sample.endsWith('_count')) group.count = value
    else {
      group.les.push(le === '+Inf' ? Infinity : Number(le))
      group.counts.push(value)
    }
  }
  for (const { les, counts, sum, count } of groups.values()) {
    if (les.at(-1) !== Infinity || counts.at(-1) !== count || sum === undefined) throw new Error(`${name}: +Inf, count and sum do not agree`)
    if (les.some((le, i) => i > 0 && !(le > les[i - 1])) || counts.some((n, i) => i > 0 && n < counts[i - 1])) throw new Error(`${name}: buckets do not rise`)
  }
}

module.exports = { parseExposition }
