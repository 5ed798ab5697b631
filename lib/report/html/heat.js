/* global drawing, units */
'use strict'

// A heat map in the browser: its cells, its legend, and its text for screen readers.

window.heat = (() => {
  const { color } = drawing
  const { formatInteger, plural } = units

  /** The shade of a cell, on a log scale, so that a single value is visible beside thousands. */
  const shadeOf = (count, most) => most <= 1 ? 1 : 0.15 + 0.85 * Math.log(Math.max(1, count)) / Math.log(most)

  const mostOf = rows => rows.reduce((most, counts) => counts.reduce((max, count) => Math.max(max, count), most), 1)

  function draw (u, { heat: edges, steps: [step] }) {
    const [x, ...rows] = u.data
    const most = mostOf(rows)
    const { ctx } = u
    const tops = edges.map(edge => Math.round(u.valToPos(edge, 'y', true)))
    ctx.save()
    ctx.beginPath()
    ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height)
    ctx.clip()
    ctx.fillStyle = color('--line')
    for (let i = 0; i < x.length; i++) {
      // Shared edges are whole px, so that there is no seam.
      const [left, right] = [-step / 2, step / 2].map(far => Math.round(u.valToPos(x[i] + far, 'x', true)))
      rows.forEach((counts, row) => {
        if (!(counts[i] > 0)) return
        ctx.globalAlpha = shadeOf(counts[i], most)
        ctx.fillRect(left, tops[row + 1], Math.max(1, right - left), tops[row] - tops[row + 1])
      })
    }
    ctx.restore()
  }

  /** The legend shows the shades, and the cell at the cursor, or the fullest cell of its column. */
  function makeLegend (figure, { heat: edges, lines }) {
    const legend = figure.querySelector('.legend')
    const at = figure.querySelector('.at')
    legend.replaceChildren()
    const scale = legend.appendChild(document.createElement('span'))
    const cell = legend.appendChild(document.createElement('b'))
    let [columns, words] = [[], new Map()]
    const wordsOf = (row, i) => `${lines[row].label}: ${formatInteger(columns[1 + row][i])}`
    const rowsAt = i => lines.flatMap((_, row) => columns[1 + row][i] > 0 ? [row] : [])
    const rowOf = (u, rows, i) => {
      const value = u.posToVal(u.cursor.top, 'y')
      const pointed = rows.find(row => edges[row] <= value && value < edges[row + 1])
      return pointed ?? rows.reduce((most, row) => columns[1 + row][i] > columns[1 + most][i] ? row : most, rows[0])
    }
    return {
      take (data) {
        ({ columns, words } = data)
        const most = mostOf(columns.slice(1))
        scale.replaceChildren('1 ', drawing.shades([0, 0.25, 0.5, 0.75, 1].map(share =>
          shadeOf(most ** share, most))), ` ${plural(Math.round(most), 'value')}`)
      },
      read (u, i) {
        const rows = i === null || i === undefined ? [] : rowsAt(i)
        at.textContent = i === null || i === undefined ? '' : words.get(u.data[0][i]) ?? '–'
        cell.textContent = rows.length === 0 ? '' : wordsOf(rowOf(u, rows, i), i)
      },
      words: i => `${words.get(columns[0][i]) ?? ''}: ${rowsAt(i).map(row => wordsOf(row, i)).join(', ') || 'none'}`
    }
  }

  return { draw, makeLegend }
})()
