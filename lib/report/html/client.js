/* global uPlot, getComputedStyle, devicePixelRatio, ResizeObserver */
'use strict'

// Owns what the page does in the browser: it draws the charts, reads their values out, and changes between light and dark.

;(() => {
  const HEIGHT = 220
  const root = document.documentElement
  const dark = window.matchMedia('(prefers-color-scheme: dark)')
  const charts = JSON.parse(document.getElementById('charts').textContent)
  const plots = []

  const color = name => getComputedStyle(root).getPropertyValue(name).trim()
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

  /** Values at even distances on a log scale, at the places of a histogram's bins. */
  function binTicks (edges) {
    const ticks = []
    for (let decade = 10 ** Math.floor(Math.log10(edges[0])); decade <= edges[edges.length - 1]; decade *= 10) {
      for (const step of [1, 2, 5]) {
        const value = Number((decade * step).toPrecision(3))
        const bin = edges.findIndex((edge, i) => edge <= value && value < edges[i + 1])
        if (bin !== -1) ticks.push([bin + (value - edges[bin]) / (edges[bin + 1] - edges[bin]) - 0.5, value])
      }
    }
    return ticks
  }

  /** Percentiles are spread by what is left above them: 90, 99 and 99.9 are equally far from each other. */
  const spread = percentile => -Math.log10(1 - percentile / 100)

  function xAxis (chart) {
    if (chart.kind === 'bins') {
      const ticks = binTicks(chart.edges)
      return { splits: () => ticks.map(([at]) => at), values: () => ticks.map(([, value]) => short(value)) }
    }
    if (chart.kind === 'percentiles') {
      const ticks = [0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999]
      return {
        splits: (u, axis, min, max) => ticks.map(spread).filter(at => at <= max + 1e-9),
        values: (u, splits) => splits.map((_, i) => i === 0 ? '' : `${ticks[i]} %`)
      }
    }
    return { values: (u, splits) => splits.map(value => `${round(value, 6)} s`) }
  }

  function xWords (chart, x) {
    if (chart.kind === 'bins') return `${show(chart.edges[x])} to ${show(chart.edges[x + 1])} ms`
    if (chart.kind === 'percentiles') return `${round(100 * (1 - 10 ** -x), 8)} %`
    return `${round(x, 6)} s`
  }

  function data (chart) {
    const runs = chart.runs.map(([x, ...values]) => [chart.kind === 'percentiles' ? x.map(spread) : x, ...values])
    return runs.length === 1 ? runs[0] : uPlot.join(runs)
  }

  /** A log scale has a line at 1, 2 and 5 of each decade; at 1 only, when there are many. */
  function logTicks (u, splits) {
    const kept = u.scales.y.max > 200 * u.scales.y.min ? [1] : [1, 2, 5]
    return splits.map(value => kept.includes(Number(value.toExponential(6).split('e')[0])) ? value : null)
  }

  function axes (chart) {
    const common = { stroke: () => color('--soft'), ticks: { show: false }, font: '12px system-ui, sans-serif' }
    const grid = { stroke: () => color('--faint'), width: 1 }
    const log = chart.log ? { filter: logTicks } : {}
    return [
      { ...common, ...xAxis(chart), grid: { show: chart.kind !== 'bins', ...grid }, space: 56, size: 30, gap: 8 },
      { ...common, ...log, grid: { ...grid, ...log }, space: 36, gap: 8, values: (u, splits) => splits.map(short), size: (u, values) => Math.max(28, ...(values ?? []).map(text => text.length * 7.5 + 12)) }
    ]
  }

  function lines (chart, points) {
    const few = points <= 60 && chart.kind === 'time'
    return chart.runs.flatMap((_, run) => chart.lines.map(({ label, color: name, bars }) => {
      const stroke = () => color(name)
      if (bars && run === 0) return { label, stroke, fill: () => color(name) + 'b0', width: 0, paths: uPlot.paths.bars({ size: [0.86, 100] }), points: { show: false } }
      return {
        label: run === 0 ? label : `${label}, baseline`,
        stroke: bars ? () => color('--ink') : stroke,
        width: run === 0 ? 2 : 1.5,
        dash: run === 0 ? undefined : [4, 4],
        paths: bars ? uPlot.paths.stepped({ align: 0 }) : undefined,
        points: { show: few && run === 0, size: 5, stroke, fill: stroke }
      }
    }))
  }

  function scales (chart) {
    const time = { time: false }
    const x = chart.kind === 'bins' ? { ...time, range: [-0.5, chart.edges.length - 1.5] } : { ...time, range: (u, min, max) => min === max ? [min - 0.5, max + 0.5] : [min, max] }
    if (chart.log) return { x, y: { distr: 3 } }
    return { x, y: { range: (u, min, max) => [0, Math.max(chart.most ?? 0, max * 1.08) || 1] } }
  }

  /** The line that a value should stay below. */
  function drawMark (u, mark) {
    const y = Math.round(u.valToPos(mark, 'y', true))
    const { ctx, bbox } = u
    ctx.save()
    ctx.strokeStyle = color('--bad')
    ctx.globalAlpha = 0.6
    ctx.setLineDash([3 * devicePixelRatio, 4 * devicePixelRatio])
    ctx.lineWidth = devicePixelRatio
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
    ctx.restore()
  }

  function addEntry (legend, label, className, stroke) {
    const entry = legend.appendChild(document.createElement('span'))
    const swatch = entry.appendChild(document.createElement('i'))
    swatch.className = className
    swatch.style.borderTopColor = `var(${stroke})`
    entry.append(label + ' ')
    return entry.appendChild(document.createElement('b'))
  }

  function makeLegend (legend, chart) {
    const { lines } = chart
    const cells = lines.map(({ label, color: name }) => addEntry(legend, label, '', name))
    if (chart.runs.length > 1) addEntry(legend, 'Baseline', 'before', lines.length > 1 ? '--soft' : lines[0].bars ? '--ink' : lines[0].color)
    const at = legend.parentNode.appendChild(document.createElement('span'))
    at.className = 'at'
    return (u, i) => {
      const isSomewhere = i !== null && i !== undefined
      at.textContent = isSomewhere ? xWords(chart, u.data[0][i]) : ''
      cells.forEach((cell, line) => {
        const values = chart.runs.map((_, run) => show(u.data[1 + run * lines.length + line][i]))
        cell.textContent = isSomewhere ? values.join(' · ') : ''
      })
    }
  }

  function draw (figure, chart) {
    const place = figure.querySelector('.plot')
    const read = makeLegend(figure.querySelector('.legend'), chart)
    const values = data(chart)
    const plot = new uPlot({ // eslint-disable-line new-cap
      width: place.clientWidth,
      height: HEIGHT,
      padding: [8, 24, 0, 0],
      scales: scales(chart),
      axes: axes(chart),
      series: [{}, ...lines(chart, values[0].length)],
      legend: { show: false },
      cursor: { y: false, drag: { setScale: false, x: false, y: false }, points: { size: 8 }, ...chart.kind === 'time' && { sync: { key: 'time' } } },
      hooks: { setCursor: [u => read(u, u.cursor.idx)], draw: chart.mark === undefined ? [] : [u => drawMark(u, chart.mark)] }
    }, values, place)
    place.addEventListener('keydown', event => {
      const last = plot.data[0].length - 1
      const at = plot.cursor.idx
      const next = { ArrowLeft: (at ?? last + 1) - 1, ArrowRight: (at ?? -1) + 1, Home: 0, End: last }[event.key]
      if (next === undefined) return
      event.preventDefault()
      const i = Math.min(last, Math.max(0, next))
      plot.setCursor({ left: plot.valToPos(plot.data[0][i], 'x'), top: 10 })
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

  // Paper is white.
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
