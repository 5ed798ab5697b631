/* global EventSource, plots, units */
'use strict'

// The live page in the browser: applies updates of the server to changed elements only. A click on stop ends the run.

;(() => {
  const base = window.location.pathname.replace(/\/?$/, '/')
  const byId = id => document.getElementById(id)
  const [phase, time, progress, viewers] = ['phase', 'time', 'progress', 'viewers'].map(byId)
  const [save, stop, notices] = ['save', 'stop', 'notices'].map(byId)
  /** The current charts, by id. */
  const charts = new Map()
  let status = null
  let statusAt = 0

  const words = seconds => units.formatDuration(Math.floor(seconds))

  /** Writes changes only: a screen reader would repeat the same text. */
  function write (element, text) {
    if (element.textContent !== text) element.textContent = text
  }

  /** Shows the progress of the run; between two events by the clock of the browser. */
  function showTime () {
    if (status === null) return
    const { elapsed, total, share, over } = status
    const since = (window.performance.now() - statusAt) / 1000
    const at = elapsed === null ? null : elapsed + since
    write(time, at === null ? '' : total === null ? words(at) : `${words(Math.min(at, total))} of ${words(total)}`)
    progress.hidden = over || at === null
    if (share === null) progress.removeAttribute('value')
    else progress.value = at === null || total === null ? share : Math.min(1, at / total)
  }

  function showStatus (next) {
    status = next
    statusAt = window.performance.now()
    const { phase: now, name, notices: sentences, viewers: count, over } = next
    write(phase, name === '' ? now : `${now}: ${name}`)
    write(viewers, over || count < 2 ? '' : `${count} viewers`)
    sentences.forEach((sentence, i) =>
      write(notices.children[i] ?? notices.appendChild(document.createElement('li')), sentence))
    while (notices.children.length > sentences.length) notices.lastChild.remove()
    stop.hidden = over
    document.body.dataset.phase = over ? 'over' : now
    showTime()
  }

  /** Makes an element equal to another one, and keeps what the user opened, selected or focused. */
  function become (element, other) {
    // A chart is updated from figures.
    if (element.dataset?.chart !== undefined) {
      element.querySelector('.plot').setAttribute('aria-label', other.querySelector('.plot').getAttribute('aria-label'))
      return
    }
    for (const { name } of [...element.attributes]) {
      if (name !== 'open' && !other.hasAttribute(name)) element.removeAttribute(name)
    }
    for (const { name, value } of other.attributes) {
      if (element.getAttribute(name) !== value) element.setAttribute(name, value)
    }
    fill(element, other)
  }

  function fill (parent, other) {
    let child = parent.firstChild
    for (const next of [...other.childNodes]) {
      if (child === null || !isAlike(child, next)) {
        // New elements are inserted before old ones; the rest is appended.
        parent.insertBefore(next, child)
        continue
      }
      if (child.nodeType === 1) become(child, next)
      else if (child.data !== next.data) child.data = next.data
      child = child.nextSibling
    }
    while (child !== null) {
      const after = child.nextSibling
      child.remove()
      child = after
    }
  }

  const keyOf = ({ dataset = {}, id = '', attributes }) => dataset.chart ?? attributes?.['aria-labelledby']?.value ?? id
  const isAlike = (one, other) => one.nodeName === other.nodeName && keyOf(one) === keyOf(other)

  function putParts (parts) {
    for (const [name, text] of Object.entries(parts)) {
      const template = document.createElement('template')
      template.innerHTML = text
      fill(document.querySelector(`[data-part=${name}]`), template.content)
    }
  }

  function putRows (figure, rows, from) {
    const body = figure.querySelector('tbody')
    while (body.rows.length > from) body.lastElementChild.remove()
    for (const cells of rows) {
      const row = body.insertRow()
      cells.forEach((text, i) => {
        const cell = row.insertCell()
        cell.textContent = text
        if (i > 0) cell.className = 'figure'
      })
    }
  }

  function putChart ({ about, from, runs, rows }) {
    const figure = document.querySelector(`[data-chart=${about.id}]`)
    const known = charts.get(about.id)
    const all = from === 0
      ? runs
      : runs.map((columns, run) =>
        columns.map((values, column) => [...known.runs[run][column].slice(0, from), ...values]))
    const chart = { ...about, runs: all }
    charts.set(about.id, chart)
    putRows(figure, rows, from)
    plots.show(figure, chart)
  }

  function take ({ data }) {
    const { status: next, parts, charts: drawings, report, file: name } = JSON.parse(data)
    putParts(parts)
    drawings.forEach(putChart)
    showStatus(next)
    const headline = document.querySelector('h1 span')?.textContent
    document.title = [next.over ? '' : next.phase, headline ?? 'autocannon'].filter(text => text !== '').join(': ')
    save.hidden = headline === undefined
    if (typeof report === 'string') {
      save.href = URL.createObjectURL(new Blob([report], { type: 'text/html' }))
      save.download = name
      save.textContent = 'Save the report'
    }
  }

  // The full state replaces that of an earlier run, or of a lost connection.
  const takeWhole = event => {
    for (const part of document.querySelectorAll('[data-part]')) {
      if (JSON.parse(event.data).parts[part.dataset.part] === undefined) part.replaceChildren()
    }
    take(event)
  }

  const source = new EventSource(base + 'events')
  source.addEventListener('whole', takeWhole)
  source.addEventListener('change', take)
  source.addEventListener('end', event => {
    source.close()
    takeWhole(event)
  })
  source.addEventListener('error', () => {
    if (status?.over) return
    write(phase, 'No connection')
    write(viewers, 'The run may have ended without a report. Its last figures stay here.')
    document.title = `No connection: ${document.querySelector('h1 span')?.textContent ?? 'autocannon'}`
    // No server responds to these buttons any more.
    stop.hidden = save.hidden = true
    if (status !== null) status = { ...status, elapsed: null }
    progress.hidden = true
  })
  setInterval(showTime, 1000)

  stop.addEventListener('click', async () => {
    stop.disabled = true
    stop.textContent = 'Stopping'
    const response = await fetch(base + 'stop', { method: 'POST' }).catch(() => ({ ok: false }))
    if (response.ok) return
    stop.disabled = false
    stop.textContent = 'Stop'
  })
})()
