'use strict'

// The server of the sample: it makes reports in the background. POST /reports orders one and responds with 202 and the
// place of its status, which is pending for 50 to 150 ms; then GET /reports/1/file has the report. It listens on PORT.

const http = require('node:http')

/** @type {Array<{ month: string, readyAt: number }>} the first one has the id 1 */
const reports = []

const server = http.createServer((request, response) => {
  let text = ''
  request.setEncoding('utf8').on('data', more => { text += more }).on('end', () => {
    const [, id, file] = /^\/reports\/(\d+)(\/file)?$/.exec(request.url) ?? []
    const report = reports[id - 1]
    if (request.method === 'POST' && request.url === '/reports') {
      const id = reports.push({ ...JSON.parse(text), readyAt: Date.now() + 50 + (reports.length * 37) % 100 })
      return send(202, { id }, { location: `/reports/${id}` })
    }
    if (report === undefined) return send(404, { error: 'no such report' })
    const isReady = report.readyAt <= Date.now()
    if (file === undefined) return send(200, { id, status: isReady ? 'done' : 'pending' })
    send(isReady ? 200 : 409, isReady ? { month: report.month, sold: 42 } : { error: 'not ready' })
  })

  /** @type {(status: number, body: object, headers?: Record<string, string>) => void} */
  function send (status, body, headers = {}) {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
})

server.listen(process.env.PORT ?? 0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
