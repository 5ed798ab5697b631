'use strict'

// What is made of the table that bench/arrival.js writes: its p99 as a chart (SVG), and the sentence of the README.

/** What the table calls the truth: it is a line of the chart, and no bar. */
const LOG = "the server's log"

/** The server responds after so many ms. */
const DELAY = 2

/** Busy processes beside the tool, in the order of the columns. */
const NEIGHBOURS = ['no busy process', '1', '3']

const WIDTH = 720
/** Where bars begin, and how much room their figures take behind them. */
const LEFT = 200
const RIGHT = 60
const BAR = 11
/** Between tools, and what the name of a load takes. */
const GAP = 9
const HEADING = 26

/**
 * @typedef {object} Row
 * @property {string} load
 * @property {string} tool
 * @property {number[]} p99 in ms, with as many busy processes as NEIGHBOURS has
 */

/** @param {string} page with the table, or the table alone */
function rowsIn (page) {
  return Array.from(page.matchAll(/^\| (closed loop|[\d,]+ requests\/s) \| ([^|]+) \| ([\d./ ]+) \| ([\d./ ]+) \| ([\d./ ]+) \|$/gm), ([, load, tool, ...cells]) => ({ load, tool: tool.replaceAll('`', ''), p99: cells.map(cell => Number(cell.split(' / ')[1])) })).filter(({ tool }) => tool !== LOG)
}

/** @returns {string} a chart that can be read on white and on black */
function chartOf (rows) {
  const most = Math.max(...rows.flatMap(({ p99 }) => p99))
  const scale = (/** @type {number} */ ms) => Math.round((WIDTH - LEFT - RIGHT) * ms / most * 10) / 10
  const parts = []
  let y = 30
  for (const load of new Set(rows.map(({ load }) => load))) {
    parts.push(`<text class="load" x="0" y="${y + 14}">${load}</text>`)
    y += HEADING
    const from = y
    for (const { tool, p99 } of rows.filter(row => row.load === load)) {
      parts.push(`<text x="${LEFT - 10}" y="${y + 1.5 * BAR + 4}" text-anchor="end">${tool}</text>`)
      for (const [i, ms] of p99.entries()) {
        parts.push(`<rect class="n${i}" x="${LEFT}" y="${y}" width="${scale(ms)}" height="${BAR - 1}"/><text class="ms" x="${LEFT + scale(ms) + 5}" y="${y + BAR - 2}">${ms.toFixed(2)}</text>`)
        y += BAR
      }
      y += GAP
    }
    parts.push(`<path class="truth" d="M${LEFT + scale(DELAY)} ${from - 4}V${y - GAP + 3}"/>`)
  }
  const key = NEIGHBOURS.map((words, i) => `<rect class="n${i}" x="${LEFT + 130 * i}" y="6" width="10" height="10"/><text x="${LEFT + 130 * i + 15}" y="15">${words}${i > 0 ? ` busy process${words === '1' ? '' : 'es'}` : ''}</text>`)
  const truth = `<path class="truth" d="M${LEFT + 398} 4v14"/><text x="${LEFT + 404}" y="15">the server: ${DELAY} ms</text>`
  const title = `p99 in ms that tools report of a server that responds after exactly ${DELAY} ms, beside 0, 1 and 3 busy processes on their core`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}" role="img" aria-label="${title}">
<title>${title}</title>
<style>
text{font:12px system-ui,sans-serif;fill:#1f2328}.load{font-weight:600}.ms{font-size:10px}.n0{fill:#9dc3ea}.n1{fill:#4a8fd0}.n2{fill:#1b5a9a}.truth{stroke:#cf222e;stroke-width:1.5;stroke-dasharray:4 3;fill:none}
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.n0{fill:#2f5f92}.n1{fill:#5a9be0}.n2{fill:#b3d6fb}.truth{stroke:#ff7b72}}
</style>
<text x="0" y="15">p99, ms, with</text>
${[...key, truth, ...parts].join('\n')}
</svg>
`
}

/** @returns {string} what the README says of them */
function claimOf (rows) {
  const busiest = (/** @type {string} */ tool) => rows.find(row => row.load === 'closed loop' && row.tool === tool)?.p99.at(-1)?.toFixed(2)
  const others = ['wrk', 'oha', 'autocannon 9'].filter(tool => busiest(tool) !== undefined).map(tool => `${tool} ${busiest(tool)}`)
  return `A server responds after exactly ${DELAY} ms, and three busy processes share the core of the tool. This tool reports a p99 of ${busiest('autocannon')} ms${others.length === 0 ? '' : `, ${others.join(', ')}`}.`
}

module.exports = { LOG, chartOf, claimOf, rowsIn }
