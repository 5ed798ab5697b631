/* global getComputedStyle, devicePixelRatio, Path2D */
'use strict'

// What is drawn into a chart on top of uPlot: markers of lines, names at their ends, marks of a distribution, and the
// lines of limits. Line styles differ even without colour.

window.drawing = (() => {
  const FONT = 'system-ui, sans-serif'
  /** Height of a line of text, px. */
  const ROW = 15
  /** The least distance between markers of a line, px. */
  const APART = 26

  /** The styles of the lines of a chart. The second run is dotted, with hollow markers of the same shapes. */
  const STYLES = [
    { dash: [], marker: 'circle' },
    { dash: [8, 4], marker: 'square' },
    { dash: [12, 4, 2, 4], marker: 'triangle' }
  ]
  const OTHER_DASH = [2, 4]
  const LIMIT_DASH = [3, 4]

  const probe = document.body.appendChild(document.createElement('span'))
  probe.className = 'probe'

  /** The current value of a custom property of the style sheet. */
  function color (name) {
    probe.style.color = `var(${name})`
    return getComputedStyle(probe).color
  }

  /** The path of a marker around a point. */
  function shape (marker, x, y, size) {
    const path = new Path2D()
    if (marker === 'circle') path.arc(x, y, size, 0, 2 * Math.PI)
    else if (marker === 'square') path.rect(x - size * 0.9, y - size * 0.9, size * 1.8, size * 1.8)
    else path.addPath(new Path2D(`M${x} ${y - size * 1.2}L${x + size * 1.2} ${y + size * 0.9}H${x - size * 1.2}Z`))
    return path
  }

  /** Draws in CSS pixels, and restores the state of the canvas. */
  function withCanvas (u, draw) {
    const { ctx } = u
    ctx.save()
    ctx.textAlign = 'left'
    ctx.textBaseline = 'middle'
    ctx.font = `600 12px ${FONT}`
    ctx.setLineDash([])
    ctx.lineWidth = 1.5
    ctx.scale(devicePixelRatio, devicePixelRatio)
    const box = Object.fromEntries(Object.entries(u.bbox).map(([key, value]) => [key, value / devicePixelRatio]))
    draw(ctx, { ...box, right: box.left + box.width, bottom: box.top + box.height })
    ctx.restore()
  }

  /** Where a point is on the canvas, px. */
  const placeOf = (u, column, i) => [[u.data[0][i], 'x'], [u.data[column][i], 'y']]
    .map(([value, axis]) => u.valToPos(value, axis, true) / devicePixelRatio)

  /**
   * The points of a line that have a marker: some of many, and each isolated one, which would be invisible without.
   * @param {number} offset of the first one, px, so that markers of overlapping lines do not overlap
   */
  function marked (u, column, offset) {
    const [x, values] = [u.data[0], u.data[column]]
    const found = []
    let next = -Infinity
    let before
    for (let i = 0; i < x.length; i++) {
      // An undefined value belongs to the other run, and does not interrupt the line.
      if (values[i] === undefined) continue
      const after = values.slice(i + 1, i + 50).find(value => value !== undefined)
      const alone = (before === null || before === undefined) && (after === null || after === undefined)
      before = values[i]
      if (values[i] === null) continue
      const at = u.valToPos(x[i], 'x')
      if (next === -Infinity && !alone) next = at + (x.length * APART > u.over.clientWidth ? offset : 0)
      if (at < next && !alone) continue
      found.push(i)
      if (at >= next) next = at + APART
    }
    return found
  }

  function markers (u, column, { marker, stroke, hollow, offset }) {
    withCanvas(u, ctx => {
      ctx.strokeStyle = color(stroke)
      ctx.fillStyle = hollow ? color('--card') : ctx.strokeStyle
      for (const i of marked(u, column, offset)) {
        const path = shape(marker, ...placeOf(u, column, i), 3.2)
        ctx.fill(path)
        ctx.stroke(path)
      }
    })
  }

  /** The names of lines at their ends, without overlaps. */
  function endLabels (u, labels) {
    withCanvas(u, (ctx, box) => {
      ctx.fillStyle = color('--ink')
      const ends = labels.flatMap(({ text, column }) => {
        const last = u.data[column].findLastIndex(value => value !== null && value !== undefined)
        if (last === -1) return []
        const [x, y] = placeOf(u, column, last)
        return [{ text, x: x + 8, y: Math.min(y, box.bottom - 4) }]
      }).sort((a, b) => b.y - a.y)
      // Moved up from the lowest one, then down from the top if there is no room.
      ends.forEach((end, i) => { if (i > 0) end.y = Math.min(end.y, ends[i - 1].y - ROW) })
      ends.reverse().forEach((end, i) => { end.y = Math.max(end.y, i === 0 ? ROW / 2 : ends[i - 1].y + ROW) })
      ctx.strokeStyle = color('--card')
      ctx.lineWidth = 4
      ctx.lineJoin = 'round'
      for (const { text, x, y } of ends) {
        ctx.strokeText(text, x, y)
        ctx.fillText(text, x, y)
      }
    })
  }

  /** The width of the widest text, px. */
  function widthOf (texts) {
    const ctx = document.createElement('canvas').getContext('2d')
    ctx.font = `600 12px ${FONT}`
    return Math.ceil(Math.max(0, ...texts.map(text => ctx.measureText(text).width)))
  }

  /** Marks of values on the x axis: a label above the chart, each in its own row, and a line down from it. */
  function marks (u, list) {
    withCanvas(u, (ctx, box) => {
      ctx.strokeStyle = color('--ink')
      list.forEach(({ label, at, dash }, i) => {
        const x = Math.round(u.valToPos(at, 'x', true)) / devicePixelRatio
        const y = box.top - (list.length - i - 0.5) * ROW - 2
        ctx.setLineDash(dash)
        ctx.beginPath()
        ctx.moveTo(x, y - ROW / 2)
        ctx.lineTo(x, box.bottom)
        ctx.stroke()
        const width = ctx.measureText(label).width
        const left = x + 5 + width <= u.width ? x + 5 : x - 5 - width
        ctx.fillStyle = color('--card')
        ctx.fillRect(left - 2, y - ROW / 2, width + 4, ROW)
        ctx.fillStyle = color('--ink')
        ctx.fillText(label, left, y)
      })
    })
  }

  /** The starts and names of stages, in one row above the chart. Names without room are left out. */
  function stages (u, list) {
    withCanvas(u, (ctx, box) => {
      ctx.strokeStyle = color('--soft')
      ctx.fillStyle = color('--soft')
      ctx.lineWidth = 1
      ctx.setLineDash([1, 3])
      for (const { label, from, to } of list) {
        const [x, end] = [from, to].map(at => Math.round(u.valToPos(at, 'x', true)) / devicePixelRatio)
        if (from > 0) {
          ctx.beginPath()
          ctx.moveTo(x, box.top - ROW)
          ctx.lineTo(x, box.bottom)
          ctx.stroke()
        }
        const words = [label, label.split(' ')[0]].find(text => ctx.measureText(text).width + 8 <= end - x)
        if (words !== undefined) ctx.fillText(words, x + 4, box.top - ROW / 2 - 2)
      }
    })
  }

  /**
   * Limits: a line with its name, over the whole chart or a part of the time. The name of a limit outside of the range
   * is at the edge, with an arrow.
   */
  function limits (u, list) {
    withCanvas(u, (ctx, box) => {
      let used = []
      for (const { label, value, from, to } of list) {
        const y = Math.round(u.valToPos(value, 'y', true)) / devicePixelRatio
        const [left, right] = [from, to].map((at, i) =>
          at === undefined ? [box.left, box.right][i] : Math.round(u.valToPos(at, 'x', true)) / devicePixelRatio)
        const isInside = y >= box.top && y <= box.bottom
        ctx.strokeStyle = color('--bad')
        ctx.lineWidth = 1
        ctx.setLineDash(LIMIT_DASH)
        if (isInside) {
          ctx.beginPath()
          ctx.moveTo(left, y)
          ctx.lineTo(right, y)
          ctx.stroke()
        }
        if (label === undefined) continue
        const text = isInside ? label : `${y < box.top ? '↑' : '↓'} ${label}`
        const width = ctx.measureText(text).width
        const place = {
          x: Math.max(box.left, Math.min(left + 4, box.right - width)),
          y: Math.max(box.top + ROW / 2, Math.min(box.bottom - ROW / 2, y - ROW / 2))
        }
        // Names must not overlap.
        const overlaps = other =>
          Math.abs(other.y - place.y) < ROW && other.x < place.x + width && place.x < other.x + other.width
        while (used.some(overlaps)) place.y += ROW
        used = [...used, { ...place, width }]
        ctx.setLineDash([])
        ctx.strokeStyle = color('--card')
        ctx.lineWidth = 4
        ctx.lineJoin = 'round'
        ctx.strokeText(text, place.x, place.y)
        ctx.fillStyle = color('--bad')
        ctx.fillText(text, place.x, place.y)
      }
    })
  }

  function make (parent, name, attributes) {
    const element = parent.appendChild(document.createElementNS('http://www.w3.org/2000/svg', name))
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
    return element
  }

  /** An empty symbol of a legend. */
  function swatchOf (stroke) {
    const svg = make(document.createElement('i'), 'svg', {
      class: 'swatch', viewBox: '0 0 30 10', 'aria-hidden': 'true'
    })
    svg.style.color = `var(${stroke})`
    return svg
  }

  /** The shades of a heat map, from few to many. */
  function shades (list) {
    const svg = swatchOf('--line')
    list.forEach((opacity, i) => make(svg, 'rect', {
      x: i * 30 / list.length, width: 30 / list.length, height: 10, fill: 'currentColor', 'fill-opacity': opacity
    }))
    return svg
  }

  /** The symbol of a line or of bars, as in the chart. */
  function swatch ({ stroke, dash = [], marker, hollow = false, fill = false }) {
    const svg = swatchOf(stroke)
    if (fill) make(svg, 'rect', { x: 8, width: 14, height: 10, fill: 'currentColor' })
    else {
      make(svg, 'path', {
        d: 'M0 5h30', fill: 'none', stroke: 'currentColor', 'stroke-width': 2, 'stroke-dasharray': dash.join(' ')
      })
    }
    const look = { stroke: 'currentColor', 'stroke-width': 1.5, fill: 'currentColor' }
    if (marker === 'circle') make(svg, 'circle', { cx: 15, cy: 5, r: 3.2, ...look })
    else if (marker === 'square') make(svg, 'rect', { x: 12, y: 2, width: 6, height: 6, ...look })
    else if (marker === 'triangle') make(svg, 'path', { d: 'M15 1L19 8H11Z', ...look })
    if (hollow) svg.lastChild.style.fill = 'var(--card)'
    return svg
  }

  return {
    FONT, ROW, STYLES, OTHER_DASH, color, markers, endLabels, widthOf, marks, stages, limits, LIMIT_DASH, shades,
    swatch
  }
})()
