/* global uPlot, ResizeObserver, drawing, axes, heat, units */
'use strict'

// A chart in the browser: its lines and legend, its text for screen readers, and updates during a run.

window.plots = (() => {
  const HEIGHT = 220
  const { ROW, STYLES, OTHER_DASH, color } = drawing
  const { short, spread, binPlace } = axes
  const { formatLatencies, formatValue, withOneUnit } = units
  const drawn = new Map()

  /**
   * The columns of uPlot, and the names of the x values. A point is in the middle of its time. A line has a gap for
   * missing points.
   */
  function dataOf (chart) {
    const words = new Map()
    const runs = chart.runs.map(([x, ...values], run) => {
      if (chart.kind !== 'time') {
        const places = x.map(at => chart.kind === 'percentiles' ? spread(at) : at)
        const wordsOf = at =>
          chart.kind === 'bins' ? formatLatencies(chart.edges[at], chart.edges[at + 1]) : `p${at}`
        places.forEach((place, i) => words.set(place, wordsOf(x[i])))
        return [places, ...values]
      }
      const step = chart.steps[run]
      const columns = [[], ...values.map(() => [])]
      const add = (at, row) =>
        [Math.round((at + step / 2) * 1e6) / 1e6, ...row].forEach((value, column) => columns[column].push(value))
      x.forEach((at, i) => {
        if (i > 0 && at - x[i - 1] > 1.5 * step) add(x[i - 1] + step, values.map(() => null))
        add(at, values.map(column => column[i]))
        words.set(columns[0].at(-1), `${short(at)} s`)
      })
      return columns
    })
    return { columns: runs.length === 1 ? runs[0] : uPlot.join(runs), words }
  }

  /** The lines of a heat map are rows of cells. */
  const isHeatMap = chart => chart.heat !== undefined

  function lookOf (chart, run, line) {
    const { bars, thin, color: stroke } = chart.lines[line]
    if (thin) return { stroke, dash: run === 0 ? [] : OTHER_DASH, thin }
    const { dash, marker } = STYLES[chart.lines.slice(0, line).filter(before => !before.thin).length]
    if (bars) return run === 0 ? { stroke, bars, fill: true } : { stroke: '--ink', bars, dash: OTHER_DASH }
    return {
      stroke,
      marker: chart.kind === 'time' ? marker : undefined,
      dash: run === 0 ? dash : OTHER_DASH,
      hollow: run > 0
    }
  }

  /** All lines of a chart, with the column of each. */
  const linesOf = chart => isHeatMap(chart)
    ? []
    : chart.runs.flatMap((_, run) => chart.lines.map((line, i) => ({
      ...lookOf(chart, run, i), run, line: i, label: line.label, column: 1 + run * chart.lines.length + i
    })))

  /** Above this number of points, dashes are invisible: markers and names distinguish the lines. */
  const DENSE = 300

  function series (chart, points) {
    if (isHeatMap(chart)) return chart.lines.map(({ label }) => ({ label, paths: () => null, points: { show: false } }))
    return linesOf(chart).map(({ label, run, bars, fill, thin, stroke: name, dash }) => {
      const stroke = () => color(name)
      if (fill) {
        return {
          label, stroke, fill: stroke, width: 0, paths: uPlot.paths.bars({ size: [0.86, 100] }), points: { show: false }
        }
      }
      return {
        label: run === 0 ? label : `${label}, ${chart.names?.[run] ?? 'baseline'}`,
        stroke,
        width: thin || points > DENSE ? 1 : run === 0 ? 2 : 1.5,
        dash: points > DENSE ? [] : dash,
        cap: dash === OTHER_DASH ? 'round' : 'butt',
        paths: bars ? uPlot.paths.stepped({ align: 0 }) : undefined,
        points: { show: false }
      }
    })
  }

  /** The names at the ends of lines. A single line has the name of its run. */
  function labelsOf (chart) {
    const all = linesOf(chart).filter(({ bars }) => !bars)
    if (chart.lines.length > 1) {
      return all.filter(({ run, line }) => run === 0 && !chart.lines[line].inLegend)
        .map(({ label, column }) => ({ text: label.replace('/s', ''), column }))
    }
    return chart.runs.length === 1
      ? []
      : all.map(({ run, column }) => ({ text: chart.names?.[run] ?? (run === 0 ? 'this run' : 'baseline'), column }))
  }

  /** Each entry of the legend has room for its longest value, so that nothing moves with the cursor. */
  function makeLegend (figure, chart) {
    const legend = figure.querySelector('.legend')
    const at = figure.querySelector('.at')
    let [columns, words] = [[], new Map()]
    const longest = texts => texts.reduce((most, { length }) => Math.max(most, length), 0)
    const addEntry = (label, look) => {
      const entry = legend.appendChild(document.createElement('span'))
      entry.append(drawing.swatch(look), label + ' ')
      return entry
    }
    legend.replaceChildren()
    const valuesAt = (line, i) => withOneUnit(chart.runs.map((_, run) =>
      formatValue(chart.unit, columns[1 + run * chart.lines.length + line][i]))).join(' · ')
    const cells = chart.lines.map(({ label }, line) =>
      addEntry(label, lookOf(chart, 0, line)).appendChild(document.createElement('b')))
    if (chart.limits?.length > 0) addEntry('Threshold', { stroke: '--bad', dash: drawing.LIMIT_DASH })
    if (chart.runs.length > 1) {
      addEntry(chart.names?.[1] ?? 'Baseline', {
        ...lookOf(chart, 1, 0), ...chart.lines.length > 1 && { stroke: '--soft' }
      })
    }
    const widths = cells.map(() => 0)
    const isSomewhere = i => i !== null && i !== undefined
    return {
      /** During a run, only points from `from` on are new. */
      take (data, from) {
        ({ columns, words } = data)
        cells.forEach((cell, line) => {
          widths[line] = Math.max(widths[line], longest(columns[0].slice(from).map((_, i) => valuesAt(line, from + i))))
          cell.style.minWidth = `${widths[line]}ch`
        })
        at.style.minWidth = `${longest([...words.values()])}ch`
      },
      read (u, i) {
        at.textContent = isSomewhere(i) ? words.get(u.data[0][i]) ?? '–' : ''
        cells.forEach((cell, line) => { cell.textContent = isSomewhere(i) ? valuesAt(line, i) : '' })
      },
      words: i =>
        `${words.get(columns[0][i]) ?? ''}: ` +
        chart.lines.map(({ label }, line) => `${label} ${valuesAt(line, i)}`).join(', ')
    }
  }

  /** Announces the selection of the arrow keys to screen readers. */
  const announcer = document.body.appendChild(document.createElement('p'))
  announcer.className = 'hidden'
  announcer.setAttribute('role', 'status')

  /** The marks of a distribution, at their places among its bins. */
  const marksOf = ({ edges, marks = [] }) =>
    marks.map(({ label, value }, i) => ({ label, at: binPlace(edges, value), dash: i === 0 ? [2, 3] : [7, 3] }))

  /** A plot is made again if one of these changes. */
  const formOf = ({ log, lines, runs, marks = [], stages = [] }, { columns }) =>
    JSON.stringify([log, lines, runs.length, marks.length, stages.length > 0, columns[0].length > DENSE])

  function draw (figure, chart, data) {
    const place = figure.querySelector('.plot')
    const unit = figure.querySelector('h3 .unit')
    if (unit !== null) unit.textContent = `, ${chart.unit}${chart.log ? ', log scale' : ''}`
    const legend = isHeatMap(chart) ? heat.makeLegend(figure, chart) : makeLegend(figure, chart)
    const [labels, lines] = [labelsOf(chart), linesOf(chart)]
    legend.take(data, 0)
    const plot = new uPlot({ // eslint-disable-line new-cap
      width: place.clientWidth,
      height: HEIGHT,
      padding: [
        8 + ((chart.marks ?? []).length + Math.min(1, (chart.stages ?? []).length)) * ROW,
        Math.max(34, drawing.widthOf(labels.map(({ text }) => text)) + 16),
        0,
        0
      ],
      scales: axes.scales(chart),
      axes: axes.axes(chart),
      series: [{}, ...series(chart, data.columns[0].length)],
      legend: { show: false },
      cursor: {
        y: false,
        drag: { setScale: false, x: false, y: false },
        points: isHeatMap(chart) ? { show: false } : { size: 8 },
        ...chart.kind === 'time' && { sync: { key: 'time' } }
      },
      hooks: {
        setCursor: [u => legend.read(u, u.cursor.idx)],
        draw: [u => {
          if (isHeatMap(chart)) heat.draw(u, chart)
          // The lines and markers of this run are on top.
          for (const { marker, stroke, hollow, column, line } of [...lines].sort((a, b) => b.run - a.run)) {
            if (marker !== undefined) drawing.markers(u, column, { marker, stroke, hollow, offset: line * 9 })
          }
          drawing.limits(u, chart.mark === undefined ? chart.limits ?? [] : [{ value: chart.mark }])
          drawing.marks(u, marksOf(chart))
          drawing.stages(u, chart.stages ?? [])
          drawing.endLabels(u, labels)
        }]
      }
    }, data.columns, place)
    // For inspection in the console of the browser.
    figure.plot = plot
    return { plot, legend, chart, form: formOf(chart, data) }
  }

  /** Arrow keys announce values. A chart is resized with its element. */
  function watch (figure, place) {
    place.addEventListener('keydown', event => {
      const { plot, legend } = drawn.get(figure)
      const last = plot.data[0].length - 1
      const at = plot.cursor.idx
      const next = { ArrowLeft: (at ?? last + 1) - 1, ArrowRight: (at ?? -1) + 1, Home: 0, End: last }[event.key]
      if (next === undefined || last < 0) return
      event.preventDefault()
      const i = Math.min(last, Math.max(0, next))
      plot.setCursor({ left: plot.valToPos(plot.data[0][i], 'x'), top: 10 })
      announcer.textContent = legend.words(i)
    })
    place.addEventListener('blur', () => drawn.get(figure).plot.setCursor({ left: -10, top: -10 }))
    new ResizeObserver(() => {
      const { plot } = drawn.get(figure)
      if (place.clientWidth > 0 && place.clientWidth !== plot.width) {
        plot.setSize({ width: place.clientWidth, height: HEIGHT })
      }
    }).observe(place)
  }

  function show (figure, next) {
    const before = drawn.get(figure)
    const data = dataOf(next)
    if (before === undefined) {
      drawn.set(figure, draw(figure, { ...next }, data))
      watch(figure, figure.querySelector('.plot'))
    } else if (before.form === formOf(next, data)) {
      const known = before.plot.data[0].length
      Object.assign(before.chart, next)
      before.legend.take(data, next.kind === 'time' ? Math.min(known, data.columns[0].length) : 0)
      before.plot.setData(data.columns)
    } else {
      before.plot.destroy()
      drawn.set(figure, draw(figure, { ...next }, data))
    }
  }

  const redraw = () => drawn.forEach(({ plot }) => plot.redraw(false, true))

  return { show, redraw }
})()
