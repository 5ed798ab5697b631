'use strict'

// The server of the sample: a GraphQL server as far as three operations need one. Its errors have status 200, as those
// of GraphQL over HTTP usually have. It listens on PORT.

const http = require('node:http')

const PRODUCTS = Array.from({ length: 25 }, (_, i) => ({ id: String(i + 1), name: `tea ${i + 1}`, stock: i % 10 === 9 ? 0 : 5 }))

/** What each operation returns. */
const OPERATIONS = {
  Products ({ first, after }) {
    const from = after === null ? 0 : Number(after)
    const nodes = PRODUCTS.slice(from, from + first)
    return { products: { nodes, pageInfo: { hasNextPage: from + first < PRODUCTS.length, endCursor: String(from + first) } } }
  },
  Product: ({ id }) => ({ product: PRODUCTS.find(product => product.id === id) ?? null }),
  Order ({ id }) {
    if (PRODUCTS.find(product => product.id === id)?.stock === 0) throw new Error('out of stock')
    return { order: { product: { id }, status: 'PLACED' } }
  }
}

const server = http.createServer((request, response) => {
  let text = ''
  request.setEncoding('utf8').on('data', more => { text += more }).on('end', () => {
    const { operationName, variables } = JSON.parse(text)
    response.writeHead(200, { 'content-type': 'application/json' })
    try {
      response.end(JSON.stringify({ data: OPERATIONS[operationName](variables) }))
    } catch ({ message }) {
      response.end(JSON.stringify({ data: null, errors: [{ message }] }))
    }
  })
})

server.listen(process.env.PORT ?? 0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
