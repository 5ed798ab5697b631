'use strict'

// Formats every quantity: latencies, durations, rates, counts, shares, sizes and differences. The HTML page loads this
// file in the browser as well.

/** Shown for a quantity without a value. */
const UNKNOWN = '–'

/**
 * @param {number} value
 * @param {number} digits significant ones
 * @param {number} [most] decimals
 * @returns {string} the number with thousands separators; an integer keeps all its digits
 */
function significant (value, digits, most = digits) {
  const exponent = Number(value.toExponential(digits - 1).split('e')[1])
  const [whole, decimals] = value.toFixed(Math.min(most, Math.max(0, digits - 1 - exponent))).split('.')
  // Not toLocaleString: its first call in a process takes 15 ms.
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  const isWhole = decimals === undefined || Number(value.toFixed(most)) === 0
  return isWhole ? grouped.replace('-0', '0') : `${grouped}.${decimals}`
}

/** @param {string} digits */
function trim (digits) {
  return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits
}

/**
 * @param {number | null | undefined} ms
 * @param {number} [digits] significant ones
 * @returns {string} `0.728 ms`, `5.95 ms`, `102 ms`, `1.50 s`
 */
function formatLatency (ms, digits = 3) {
  if (ms === null || ms === undefined || Number.isNaN(ms)) return UNKNOWN
  return ms < 999.5 ? `${significant(ms, digits)} ms` : `${significant(ms / 1000, digits)} s`
}

/** Removes repeated units: `1 ms`, `2 ms` become `1`, `2 ms`. @type {(quantities: string[]) => string[]} */
function withOneUnit (quantities) {
  const units = quantities.map(text => text.split(' ')[1])
  return quantities.map((text, i) => {
    return units[i] !== undefined && units[i] === units[i + 1] ? text.slice(0, -units[i].length - 1) : text
  })
}

/**
 * @param {number} low ms
 * @param {number} high
 * @returns {string} `0.728 – 0.912 ms`, `950 ms – 1.10 s`
 */
function formatLatencies (low, high) {
  return withOneUnit([formatLatency(low), formatLatency(high)]).join(' – ')
}

/**
 * Formats a total duration, such as that of a run: `0.08 s`, `6 s`, `6.01 s`, `3 min 20 s`, `2 h 5 min`.
 * @type {(seconds: number) => string}
 */
function formatDuration (seconds) {
  if (Number.isNaN(seconds)) return UNKNOWN
  if (seconds < 119.995) return `${Number(seconds < 0.01 ? seconds.toPrecision(1) : seconds.toFixed(2))} s`
  const whole = Math.round(seconds)
  /** @type {Array<[number, string]>} */
  const parts = whole < 7200
    ? [[Math.floor(whole / 60), 'min'], [whole % 60, 's']]
    : [[Math.floor(whole / 3600), 'h'], [Math.floor(whole % 3600 / 60), 'min']]
  return parts.filter(([n]) => n > 0).map(([n, unit]) => `${formatInteger(n)} ${unit}`).join(' ')
}

/** Formats a count with thousands separators. @type {(n: number) => string} */
function formatInteger (n) {
  return Number.isNaN(n) ? UNKNOWN : significant(Math.round(n), 1)
}

/**
 * @param {number} perSecond
 * @param {number} [digits] significant ones
 * @returns {string} `0.5`, `95.1`, `8,359`
 */
function formatRate (perSecond, digits = 3) {
  return Number.isNaN(perSecond) ? UNKNOWN : trim(significant(perSecond, digits))
}

/**
 * @param {number} share
 * @param {number} [digits] significant ones
 * @returns {string} `<0.01 %`, `0.98 %`, `2.1 %`, `13.5 %`, `184 %`; exact only for none (0 %) and all (100 %)
 */
function formatPercent (share, digits) {
  if (Number.isNaN(share)) return UNKNOWN
  if (share > 0 && share < 0.0001 && digits === undefined) return '<0.01 %'
  const most = digits ?? 3
  const percent = share < 1 ? Math.min(share * 100, 100 - 10 ** (2 - most)) : share * 100
  const [usual, decimals] = percent < 9.95 ? [2, 9] : [3, 1]
  return `${trim(significant(percent, digits ?? usual, digits ?? decimals))} %`
}

const SIZES = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']

/**
 * @param {number} bytes
 * @param {number} [digits] significant ones
 * @returns {string} such as `2.84 MB`, powers of 1,000
 */
function formatBytes (bytes, digits = 3) {
  if (Number.isNaN(bytes)) return UNKNOWN
  const exponent = Number(bytes.toExponential(digits - 1).split('e')[1])
  const power = Math.min(SIZES.length - 1, Math.max(0, Math.floor(exponent / 3)))
  return `${trim(significant(bytes / 1000 ** power, digits))} ${SIZES[power]}`
}

/**
 * @param {string} unit of a chart: `ms`, `%`, `MB`, a rate such as `req/s`, or none
 * @param {number | null | undefined} value
 * @returns {string} the same format as in the rest of the report
 */
function formatValue (unit, value) {
  if (value === null || value === undefined) return UNKNOWN
  if (unit === 'ms') return formatLatency(value)
  if (unit === '%') return formatPercent(value / 100)
  if (unit === 'MB') return formatBytes(value * 1e6)
  // The unit of a rate per second contains a noun.
  return formatRate(value) + (unit === '' || unit === '/s' ? '' : ` ${unit}`)
}

/** The limit of digits. */
const MOST_DIGITS = 15

/**
 * Formats a value beside its limit, with more digits than usual if both would look equal: `50.02 ms` beside 50 ms.
 * @type {(format: (value: number, digits?: number) => string, value: number, limit: number) => string}
 */
function formatBeside (format, value, limit) {
  const shown = format(value)
  if (value === limit || shown !== format(limit)) return shown
  for (let digits = 4; digits < MOST_DIGITS; digits++) {
    const longer = format(value, digits)
    if (longer !== format(limit, digits) && longer !== shown) return longer
  }
  return format(value, MOST_DIGITS)
}

/** From this ratio on, a factor is easier to read than a percentage. */
const MANIFOLD = 11

/**
 * @param {string} unit of the figure
 * @param {number | null} value of a difference
 * @returns {string} the difference with its sign, or a factor such as ×12
 */
function formatDifference (unit, value) {
  if (value === null) return UNKNOWN
  if (unit !== 'share' && value >= MANIFOLD - 1) return `×${formatInteger(Number((1 + value).toPrecision(2)))}`
  const percent = value * 100
  const digits = Math.abs(percent) < 10 ? percent.toFixed(unit === 'share' ? 2 : 1) : formatInteger(percent)
  return `${value > 0 ? '+' : ''}${digits.replace('-', '−').replace(/^\+?−?(0|0\.0+)$/, '0')} ` +
    `${unit === 'share' ? 'points' : '%'}`
}

/**
 * Formats a count with its noun: `1 error`, `1,204 errors`.
 * @type {(n: number, one: string, many?: string) => string}
 */
function plural (n, one, many = one + 's') {
  return `${formatInteger(n)} ${n === 1 ? one : many}`
}

/**
 * @param {ReadonlyArray<string>} words
 * @param {'and' | 'or'} [last] conjunction before the last item
 */
function listed (words, last = 'and') {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}

/**
 * Rounds to three decimals: a latency in ms then has whole µs, and no other figure needs more.
 * @param {number} value
 */
function round (value) {
  return Math.round(value * 1000) / 1000
}

module.exports = {
  formatBeside, formatBytes, formatDifference, formatDuration, formatInteger, formatLatencies, formatLatency,
  formatPercent, formatRate, formatValue, listed, plural, round, withOneUnit
}
