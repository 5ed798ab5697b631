/* global drawing, units, uPlot */
'use strict'

// The axes of a chart in the browser: positions, labels, and formatted values.

window.axes = (() => {
  const { FONT, color } = drawing

  /** A value of an axis, without trailing zeros. */
  const short = value => units.formatRate(value, 6)

  /** A value of an axis with its unit. */
  const withUnit = (value, unit) =>
    value === null ? '' : short(value) + (unit.startsWith('/') || unit === '' ? unit : ` ${unit}`)

  /** Round values of a log scale, and their places among the bins of a histogram. */
  function binTicks (edges) {
    const ticks = []
    for (let decade = 10 ** Math.floor(Math.log10(edges[0])); decade <= edges[edges.length - 1]; decade *= 10) {
      for (const step of [1, 2, 5]) {
        const value = Number((decade * step).toPrecision(3))
        const bin = edges.findIndex((edge, i) => edge <= value && value < edges[i + 1])
        if (bin !== -1) ticks.push([placeOf(edges, bin, value), value])
      }
    }
    return ticks
  }

  /** The place of a value in a bin. The middles of bins are at 0, 1, 2 … */
  const placeOf = (edges, bin, value) => bin + (value - edges[bin]) / (edges[bin + 1] - edges[bin]) - 0.5

  /** The same for a value of an unknown bin. A rounded value may be slightly outside of all bins. */
  function binPlace (edges, value) {
    const bin = edges.findLastIndex((edge, i) => edge <= value && i < edges.length - 1)
    return Math.min(edges.length - 1.5, Math.max(-0.5, placeOf(edges, Math.max(0, bin), value)))
  }

  /** The place of a percentile: 90, 99 and 99.9 have equal distances. */
  const spread = percentile => -Math.log10(1 - percentile / 100)

  /** Steps of a time axis, s. */
  const INCREMENTS = [...[0.001, 0.01, 0.1].flatMap(decade => [1, 2, 5].map(step => decade * step)),
    1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 28800, 86400, 172800, 432000]

  /** A time, in minutes or hours for long runs. */
  function timeWords (seconds, until) {
    if (until <= 120) return `${short(seconds)} s`
    const [unit, size] = until <= 7200 ? ['min', 60] : ['h', 3600]
    const [whole, rest] = [Math.floor(seconds / size), Math.round(seconds % size * 60 / size)]
    return rest === 0 ? `${whole} ${unit}` : `${whole}:${String(rest).padStart(2, '0')} ${unit}`
  }

  /** The least gap between two labels, px. The space in "99.9 %" has 4 px. */
  const GAP = 16

  /** Places on the x axis with labels that do not overlap. */
  function spaced (u, places, words, span) {
    // While a plot is made or resized, uPlot has its old size. About 95 px of its width are no plot.
    const perUnit = Math.min(u.over?.clientWidth || Infinity, u.width - 95) / span
    let end = -Infinity
    return places.filter((place, i) => {
      const half = drawing.widthOf([words[i]]) / 2
      if (place * perUnit - half < end + GAP) return false
      end = place * perUnit + half
      return true
    })
  }

  function xAxis (chart) {
    if (chart.kind === 'bins') {
      let ticks = []
      const words = at => withUnit(ticks.find(([place]) => place === at)[1], 'ms')
      // As many as fit; those at 1 are dropped last.
      const kept = u => {
        ticks = binTicks(chart.edges)
        const sets = [[1, 2, 5], [1, 5], [1]].map(steps =>
          ticks.filter(([, value]) => steps.includes(Number(value.toExponential(6).split('e')[0]))).map(([at]) => at))
        const fitting = some => spaced(u, some, some.map(words), chart.edges.length - 1)
        return sets.find(some => some.length > 0 && fitting(some).length === some.length) ??
          fitting(sets.findLast(some => some.length > 0) ?? [])
      }
      return { splits: kept, values: (u, splits) => splits.map(words) }
    }
    if (chart.kind === 'percentiles') {
      const ticks = [0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999]
      return {
        splits: (u, axis, min, max) => ticks.map(spread).filter(at => at <= max + 1e-9),
        values: (u, splits) => {
          const words = splits.map((_, i) => i === 0 ? '' : `${ticks[i]} %`)
          const kept = spaced(u, splits, words, u.scales.x.max - u.scales.x.min)
          return words.map((word, i) => kept.includes(splits[i]) ? word : '')
        }
      }
    }
    return { incrs: INCREMENTS, values: (u, splits) => splits.map(value => timeWords(value, chart.until)) }
  }

  /**
   * A log scale has a line at 1, 2 and 5 of each decade, or at 1 only if there are many. uPlot counts from the lower
   * end of the range: from 15 ms, it would have none of these.
   */
  function logTicks (u, axis, min, max) {
    const ticks = []
    for (let exponent = Math.floor(Math.log10(min)); 10 ** exponent <= max; exponent++) {
      for (const step of max > 200 * min ? [1] : [1, 2, 5]) ticks.push(Number(`${step}e${exponent}`))
    }
    return ticks.filter(value => value >= min && value <= max)
  }

  function axes (chart) {
    const common = { stroke: () => color('--soft'), ticks: { show: false }, font: `12px ${FONT}` }
    const grid = { stroke: () => color('--faint'), width: 1 }
    const all = (u, splits) => splits
    const log = chart.log ? { splits: logTicks, filter: all } : {}
    return [
      { ...common, ...xAxis(chart), grid: { show: chart.kind !== 'bins', ...grid }, space: 60, size: 30, gap: 8 },
      {
        ...common,
        ...log,
        grid: { ...grid, ...chart.log && { filter: all } },
        space: 36,
        gap: 8,
        values: (u, splits) => splits.map(value => withUnit(value, chart.unit)),
        size: (u, values) => Math.max(28, drawing.widthOf(values ?? []) + 12)
      }
    ]
  }

  function scales (chart) {
    const x = { time: false }
    if (chart.kind === 'bins') x.range = () => [-0.5, chart.edges.length - 1.5]
    else if (chart.kind === 'time') x.range = () => [0, chart.until]
    else x.range = (u, min, max) => min === max ? [min - 0.5, max + 0.5] : [min, max]
    // The range includes a threshold if that leaves room for the lines.
    const limits = (max, factor) =>
      (chart.limits ?? []).map(({ value }) => value).filter(value => value <= max * factor)
    const logRange = (u, min, max) => {
      const most = Math.max(max, ...limits(max, 10).map(value => value * 1.2))
      return uPlot.rangeLog(Math.min(min, ...limits(max, 1)), most, 10, false)
    }
    if (chart.heat !== undefined) return { x, y: { distr: 3, range: () => [chart.heat[0], chart.heat.at(-1)] } }
    if (chart.log) return { x, y: { distr: 3, range: logRange } }
    const range = (u, min, max) =>
      [0, Math.max(chart.most ?? 0, max * 1.08, ...limits(max, 4).map(value => value * 1.08)) || 1]
    return { x, y: { range } }
  }

  return { short, spread, binPlace, axes, scales }
})()
