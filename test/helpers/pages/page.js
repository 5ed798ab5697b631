'use strict'

// How a test writes the page of a result and reads its charts and tables in the browser.

const { mkdtempSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const path = require('node:path')
const { pathToFileURL } = require('node:url')
const { formatResult } = require('../../..')

/**
 * @param {{ teardown: Function }} t removes them
 * @returns {(result: Record<string, any>, baseline?: Record<string, any>) => string} the URL of the page of a result, on disk
 */
function pagesOf (t) {
  const folder = mkdtempSync(path.join(tmpdir(), 'autocannon page '))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  let pages = 0
  return (result, baseline) => {
    const file = path.join(folder, `${++pages}.html`)
    writeFileSync(file, formatResult(/** @type {any} */ (result), 'html', { baseline: /** @type {any} */ (baseline) }))
    return pathToFileURL(file).href
  }
}

/**
 * @param {import('playwright-core').Page} page
 * @param {string} id of a chart
 */
const dataOf = (page, id) => page.evaluate(id => /** @type {any} */ (document.querySelector(`[data-chart=${id}]`)).plot.data.map((/** @type {any} */ column) => Array.from(column)), id)

/**
 * @param {import('playwright-core').Page} page
 * @param {string} id of a chart
 * @returns {Promise<string[][]>} the rows of its table, as text
 */
const tableOf = (page, id) => page.evaluate(id => [...document.querySelectorAll(`[data-chart=${id}] tr`)].map(row => [...row.children].map(cell => cell.textContent ?? '')), id)

/**
 * @param {import('playwright-core').Page} page
 * @param {string} id of a chart
 * @param {number} line which one
 * @returns {Promise<string[]>} the colours of its canvas where its points are
 */
const colorsOf = (page, id, line) => page.evaluate(([id, line]) => {
  const { plot } = /** @type {any} */ (document.querySelector(`[data-chart=${id}]`))
  return plot.data[0].map((/** @type {number} */ x, /** @type {number} */ i) => {
    const at = [plot.valToPos(x, 'x', true), plot.valToPos(plot.data[line][i], 'y', true)].map(Math.round)
    return [...plot.ctx.getImageData(at[0], at[1], 1, 1).data].slice(0, 3).map(byte => byte.toString(16).padStart(2, '0')).join('')
  })
}, /** @type {const} */ ([id, line]))

module.exports = { pagesOf, dataOf, tableOf, colorsOf }
