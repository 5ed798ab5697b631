'use strict'

// The server of the sample: GET /events?n=50&gap=20 sends 50 Server-Sent Events, one every 20 ms, and GET /lines the same as NDJSON.
// With &stall=1000 one event in the middle comes that many ms later, and without n a stream never ends. It listens on PORT.

const http = require('node:http')

const server = http.createServer((request, response) => {
  // Not with URL: it throws for the path //.
  const [pathname, query] = request.url.split('?')
  const asked = new URLSearchParams(query)
  const [n, gap, stall] = Object.entries({ n: Infinity, gap: 20, stall: 0 }).map(([name, or]) => Number(asked.get(name) ?? or))
  const isLines = pathname === '/lines'
  response.writeHead(200, { 'content-type': isLines ? 'application/x-ndjson' : 'text/event-stream' })
  response.flushHeaders()
  let sent = 0
  const send = () => {
    const text = JSON.stringify({ n: ++sent })
    response.write(isLines ? `${text}\n` : `id: ${sent}\ndata: ${text}\n\n`)
    if (sent === n) response.end()
    else timer = setTimeout(send, gap + (sent === Math.ceil(n / 2) ? stall : 0))
  }
  let timer = setTimeout(send, gap)
  response.on('close', () => clearTimeout(timer))
})

server.listen(process.env.PORT ?? 0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
