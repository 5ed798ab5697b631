/* global uPlot, ResizeObserver, drawing */
'use strict'

// Owns what the page does in the browser: it makes the charts, reads their values out, and changes between light and dark.

;(() => {
  const HEIGHT = 220
  const { FONT, ROW, STYLES, OTHER_DASH, color } = drawing
  const root = document.documentElement
  const dark = window.matchMedia('(prefers-color-scheme: dark)')
  const charts = JSON.parse(document.getElementById('charts').textContent)
  const plots = []

  const round = (value, digits) => String(Number(value.toPrecision(digits)))

  /** A value with the digits that a reader can use. */
  function show (value) {
    if (value === null || value === undefined) return '–'
    return value < 100 ? round(value, 3) : Math.round(value).toLocaleString('en-US')
  }

  /** A value at an axis: as short as it gets. */
  function short (value) {
    if (value === null) return ''
    const size = Math.abs(value)
    if (size >= 1e6) return round(value / 1e6, 4) + 'M'
    if (size >= 1e4) return round(value / 1e3, 4) + 'k'
    return round(value, 6)
  }

  /** A value at an axis, with its unit. */
  const withUnit = (value, unit) => value === null ? '' : short(value) + (unit === '/s' || unit === '' ? unit : ` ${unit}`)

  /** Values at even distances on a log scale, at the places of a histogram's bins. */
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

  /** Where a value is among the bins, whose middles are at 0, 1, 2 … */
  const placeOf = (edges, bin, value) => bin + (value - edges[bin]) / (edges[bin + 1] - edges[bin]) - 0.5

  /** The same for a value of any bin. One that a histogram has rounded may be a little outside of them. */
  function binPlace (edges, value) {
    const bin = edges.findLastIndex((edge, i) => edge <= value && i < edges.length - 1)
    return Math.min(edges.length - 1.5, Math.max(-0.5, placeOf(edges, Math.max(0, bin), value)))
  }

  /** Percentiles are spread by what is left above them: 90, 99 and 99.9 are equally far from each other. */
  const spread = percentile => -Math.log10(1 - percentile / 100)

  /** Steps of a time axis, s. */
  const INCREMENTS = [...[0.001, 0.01, 0.1].flatMap(decade => [1, 2, 5].map(step => decade * step)),
    1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 28800, 86400, 172800, 432000]

  /** A time at an axis: minutes and hours for runs that take so long. */
  function timeWords (seconds, until) {
    if (until <= 120) return `${round(seconds, 6)} s`
    const [unit, size] = until <= 7200 ? ['min', 60] : ['h', 3600]
    const [whole, rest] = [Math.floor(seconds / size), Math.round(seconds % size * 60 / size)]
    return rest === 0 ? `${whole} ${unit}` : `${whole}:${String(rest).padStart(2, '0')} ${unit}`
  }

  /** Those of some places on the x axis whose words have room behind those of the one before. */
  function spaced (u, places, words, span) {
    const perUnit = (u.over?.clientWidth || u.width - 90) / span
    let end = -Infinity
    return places.filter((place, i) => {
      const half = drawing.widthOf([words[i]]) / 2
      if (place * perUnit - half < end + 8) return false
      end = place * perUnit + half
      return true
    })
  }

  function xAxis (chart) {
    if (chart.kind === 'bins') {
      const ticks = binTicks(chart.edges)
      const words = at => withUnit(ticks.find(([place]) => place === at)[1], 'ms')
      // As many as have room beside each other: those at 1 stay longest.
      const kept = u => {
        const sets = [[1, 2, 5], [1, 5], [1]].map(steps => ticks.filter(([, value]) => steps.includes(Number(value.toExponential(6).split('e')[0]))).map(([at]) => at))
        const fitting = some => spaced(u, some, some.map(words), chart.edges.length - 1)
        return sets.find(some => some.length > 0 && fitting(some).length === some.length) ?? fitting(sets.findLast(some => some.length > 0) ?? [])
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
   * The columns of uPlot, and what the x of each row is called. Points of time stand in the middle of what they cover; where
   * some are missing, the line has a gap.
   */
  function dataOf (chart) {
    const words = new Map()
    const runs = chart.runs.map(([x, ...values], run) => {
      if (chart.kind !== 'time') {
        const places = x.map(at => chart.kind === 'percentiles' ? spread(at) : at)
        places.forEach((place, i) => words.set(place, chart.kind === 'bins' ? `${show(chart.edges[x[i]])} to ${show(chart.edges[x[i] + 1])} ms` : `${x[i]} %`))
        return [places, ...values]
      }
      const step = chart.steps[run]
      const columns = [[], ...values.map(() => [])]
      const add = (at, row) => [Math.round((at + step / 2) * 1e6) / 1e6, ...row].forEach((value, column) => columns[column].push(value))
      x.forEach((at, i) => {
        if (i > 0 && at - x[i - 1] > 1.5 * step) add(x[i - 1] + step, values.map(() => null))
        add(at, values.map(column => column[i]))
        words.set(columns[0].at(-1), `${round(at, 6)} s`)
      })
      return columns
    })
    return { columns: runs.length === 1 ? runs[0] : uPlot.join(runs), words }
  }

  /** A log scale has a line at 1, 2 and 5 of each decade; at 1 only, when there are many. */
  function logTicks (u, splits) {
    const kept = u.scales.y.max > 200 * u.scales.y.min ? [1] : [1, 2, 5]
    return splits.map(value => kept.includes(Number(value.toExponential(6).split('e')[0])) ? value : null)
  }

  function axes (chart) {
    const common = { stroke: () => color('--soft'), ticks: { show: false }, font: `12px ${FONT}` }
    const grid = { stroke: () => color('--faint'), width: 1 }
    const log = chart.log ? { filter: logTicks } : {}
    return [
      { ...common, ...xAxis(chart), grid: { show: chart.kind !== 'bins', ...grid }, space: 60, size: 30, gap: 8 },
      {
        ...common,
        ...log,
        grid: { ...grid, ...log },
        space: 36,
        gap: 8,
        values: (u, splits) => splits.map(value => withUnit(value, chart.unit)),
        size: (u, values) => Math.max(28, drawing.widthOf(values ?? []) + 12)
      }
    ]
  }

  /** How the line of a run looks. */
  function lookOf (chart, run, line) {
    const { bars, thin, color: stroke } = chart.lines[line]
    if (thin) return { stroke, dash: run === 0 ? [] : OTHER_DASH, thin }
    const { dash, marker } = STYLES[chart.lines.slice(0, line).filter(before => !before.thin).length]
    if (bars) return run === 0 ? { stroke, bars, fill: true } : { stroke: '--ink', bars, dash: OTHER_DASH }
    return { stroke, marker: chart.kind === 'time' ? marker : undefined, dash: run === 0 ? dash : OTHER_DASH, hollow: run > 0 }
  }

  /** All lines of a chart, with the column of each. */
  const linesOf = chart => chart.runs.flatMap((_, run) => chart.lines.map((line, i) => ({ ...lookOf(chart, run, i), run, line: i, label: line.label, column: 1 + run * chart.lines.length + i })))

  /** Between so many points a dash is not seen: markers and names tell the lines apart. */
  const DENSE = 300

  function series (chart, points) {
    return linesOf(chart).map(({ label, run, bars, fill, thin, stroke: name, dash }) => {
      const stroke = () => color(name)
      if (fill) return { label, stroke, fill: stroke, width: 0, paths: uPlot.paths.bars({ size: [0.86, 100] }), points: { show: false } }
      return {
        label: run === 0 ? label : `${label}, baseline`,
        stroke,
        width: thin || points > DENSE ? 1 : run === 0 ? 2 : 1.5,
        dash: points > DENSE ? [] : dash,
        cap: dash === OTHER_DASH ? 'round' : 'butt',
        paths: bars ? uPlot.paths.stepped({ align: 0 }) : undefined,
        points: { show: false }
      }
    })
  }

  function scales (chart) {
    const x = { time: false }
    if (chart.kind === 'bins') x.range = [-0.5, chart.edges.length - 1.5]
    else if (chart.kind === 'time') x.range = [0, chart.until]
    else x.range = (u, min, max) => min === max ? [min - 0.5, max + 0.5] : [min, max]
    if (chart.log) return { x, y: { distr: 3 } }
    return { x, y: { range: (u, min, max) => [0, Math.max(chart.most ?? 0, max * 1.08) || 1] } }
  }

  /** The names that stand beside the lines: several lines have theirs, a single one that of its run. */
  function labelsOf (chart) {
    const all = linesOf(chart).filter(({ bars }) => !bars)
    if (chart.lines.length > 1) return all.filter(({ run }) => run === 0).map(({ label, column }) => ({ text: label.replace('/s', ''), column }))
    return chart.runs.length === 1 ? [] : all.map(({ run, column }) => ({ text: run === 0 ? 'this run' : 'baseline', column }))
  }

  /** Entries of the legend have room for the longest of their values, so that nothing moves when they are read out. */
  function makeLegend (figure, chart, { columns, words }) {
    const legend = figure.querySelector('.legend')
    const at = figure.querySelector('.at')
    const longest = texts => `${texts.reduce((most, { length }) => Math.max(most, length), 0)}ch`
    const addEntry = (label, look) => {
      const entry = legend.appendChild(document.createElement('span'))
      entry.append(drawing.swatch(look), label + ' ')
      return entry
    }
    const valuesAt = (line, i) => chart.runs.map((_, run) => show(columns[1 + run * chart.lines.length + line][i])).join(' · ')
    const cells = chart.lines.map(({ label }, line) => {
      const cell = addEntry(label, lookOf(chart, 0, line)).appendChild(document.createElement('b'))
      cell.style.minWidth = longest(columns[0].map((_, i) => valuesAt(line, i)))
      return cell
    })
    if (chart.runs.length > 1) addEntry('Baseline', { ...lookOf(chart, 1, 0), ...chart.lines.length > 1 && { stroke: '--soft' } })
    at.style.minWidth = longest([...words.values()])
    const isSomewhere = i => i !== null && i !== undefined
    return {
      read (u, i) {
        at.textContent = isSomewhere(i) ? words.get(u.data[0][i]) ?? '–' : ''
        cells.forEach((cell, line) => { cell.textContent = isSomewhere(i) ? valuesAt(line, i) : '' })
      },
      words: i => `${words.get(columns[0][i]) ?? ''}: ${chart.lines.map(({ label }, line) => `${label} ${valuesAt(line, i)}`).join(', ')}`
    }
  }

  /** Tells those who can't see a chart what the arrow keys have read. */
  const told = document.body.appendChild(document.createElement('p'))
  told.className = 'hidden'
  told.setAttribute('role', 'status')

  function draw (figure, chart) {
    const place = figure.querySelector('.plot')
    const data = dataOf(chart)
    const legend = makeLegend(figure, chart, data)
    const [labels, lines] = [labelsOf(chart), linesOf(chart)]
    const stages = chart.stages ?? []
    const marks = (chart.marks ?? []).map(({ label, value }, i) => ({ label, at: binPlace(chart.edges, value), dash: i === 0 ? [2, 3] : [7, 3] }))
    const plot = new uPlot({ // eslint-disable-line new-cap
      width: place.clientWidth,
      height: HEIGHT,
      padding: [8 + (marks.length + Math.min(1, stages.length)) * ROW, Math.max(34, drawing.widthOf(labels.map(({ text }) => text)) + 16), 0, 0],
      scales: scales(chart),
      axes: axes(chart),
      series: [{}, ...series(chart, data.columns[0].length)],
      legend: { show: false },
      cursor: { y: false, drag: { setScale: false, x: false, y: false }, points: { size: 8 }, ...chart.kind === 'time' && { sync: { key: 'time' } } },
      hooks: {
        setCursor: [u => legend.read(u, u.cursor.idx)],
        draw: [u => {
          // Those of this run are on top, as its lines are.
          for (const { marker, stroke, hollow, column, line } of [...lines].sort((a, b) => b.run - a.run)) {
            if (marker !== undefined) drawing.markers(u, column, { marker, stroke, hollow, offset: line * 9 })
          }
          if (chart.mark !== undefined) drawing.limit(u, chart.mark)
          drawing.marks(u, marks)
          drawing.stages(u, stages)
          drawing.endLabels(u, labels)
        }]
      }
    }, data.columns, place)
    place.addEventListener('keydown', event => {
      const last = plot.data[0].length - 1
      const at = plot.cursor.idx
      const next = { ArrowLeft: (at ?? last + 1) - 1, ArrowRight: (at ?? -1) + 1, Home: 0, End: last }[event.key]
      if (next === undefined || last < 0) return
      event.preventDefault()
      const i = Math.min(last, Math.max(0, next))
      plot.setCursor({ left: plot.valToPos(plot.data[0][i], 'x'), top: 10 })
      told.textContent = legend.words(i)
    })
    place.addEventListener('blur', () => plot.setCursor({ left: -10, top: -10 }))
    new ResizeObserver(() => {
      if (place.clientWidth > 0 && place.clientWidth !== plot.width) plot.setSize({ width: place.clientWidth, height: HEIGHT })
    }).observe(place)
    plots.push(plot)
    // For those who want to look at the figures in the console.
    figure.plot = plot
  }

  const redraw = () => plots.forEach(plot => plot.redraw(false, true))

  const button = document.getElementById('theme')
  const isDark = () => root.dataset.theme === undefined ? dark.matches : root.dataset.theme === 'dark'
  function relabel () {
    button.textContent = isDark() ? 'Light' : 'Dark'
    redraw()
  }
  button.hidden = false
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark'
    relabel()
  })
  dark.addEventListener('change', relabel)
  window.matchMedia('(forced-colors: active)').addEventListener('change', redraw)

  // A page is printed on white.
  let before
  window.addEventListener('beforeprint', () => {
    before = root.dataset.theme
    root.dataset.theme = 'light'
    redraw()
  })
  window.addEventListener('afterprint', () => {
    if (before === undefined) delete root.dataset.theme
    else root.dataset.theme = before
    redraw()
  })

  for (const chart of charts) draw(document.querySelector(`[data-chart=${chart.id}]`), chart)
  relabel()
})()
