/* global plots */
'use strict'

// The script of every page: draws the charts, and switches between light and dark.

;(() => {
  const root = document.documentElement
  const dark = window.matchMedia('(prefers-color-scheme: dark)')

  const button = document.getElementById('theme')
  const isDark = () => root.dataset.theme === undefined ? dark.matches : root.dataset.theme === 'dark'
  function relabel () {
    button.textContent = isDark() ? 'Light' : 'Dark'
    plots.redraw()
  }
  button.hidden = false
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark'
    relabel()
  })
  dark.addEventListener('change', relabel)
  window.matchMedia('(forced-colors: active)').addEventListener('change', plots.redraw)

  // A page is printed on white.
  let before
  window.addEventListener('beforeprint', () => {
    before = root.dataset.theme
    root.dataset.theme = 'light'
    plots.redraw()
  })
  window.addEventListener('afterprint', () => {
    if (before === undefined) delete root.dataset.theme
    else root.dataset.theme = before
    plots.redraw()
  })

  for (const chart of JSON.parse(document.getElementById('charts').textContent)) {
    plots.show(document.querySelector(`[data-chart=${chart.id}]`), chart)
  }
  relabel()
})()
