'use strict'

// The shop of the sample: visitors search, look at products, log in, fill a cart and buy. It remembers who has logged in by a cookie and a
// token, and refuses who has neither. It listens on the port that PORT says.

const http = require('node:http')
const { randomUUID } = require('node:crypto')

const PRODUCTS = ['tea', 'tea pot', 'tea cup', 'cup', 'pot', 'kettle'].map((name, i) => ({ id: i + 1, name, price: 3 + i }))

/** @type {Map<string, { cart: number[] }>} by token */
const sessions = new Map()
let orders = 0

/** What each path answers: a status, what its body is made of, and headers. */
const ROUTES = {
  'GET /': () => [200, '<h1>Tea</h1>', { 'set-cookie': 'visitor=yes; Path=/; HttpOnly' }],
  'GET /products' ({ query }) {
    const products = PRODUCTS.filter(({ name }) => name.includes(query.get('q') ?? ''))
    return [200, { products }]
  },
  'GET /products/:id' ({ id }) {
    const product = PRODUCTS.find(one => one.id === id)
    return product === undefined ? [404, { error: 'no such product' }] : [200, product]
  },
  'POST /login' ({ body: { email, password }, cookies }) {
    if (cookies.visitor !== 'yes') return [400, { error: 'come in by the front door' }]
    if (password !== `secret of ${email}`) return [401, { error: 'who are you?' }]
    const token = randomUUID()
    sessions.set(token, { cart: [] })
    return [200, { auth: { token } }, { 'set-cookie': `session=${token}; Path=/; HttpOnly` }]
  },
  'POST /cart': inSession(({ body }, { cart }) => [201, { items: cart.push(body.product) }]),
  'POST /checkout': inSession((_, session) => {
    session.cart = []
    return [303, '', { location: `/orders/${++orders}` }]
  }),
  'GET /orders/:id': inSession(({ id }) => [200, { order: id, status: 'paid' }])
}

/** @param {(asked: any, session: { cart: number[] }) => unknown} answer for those who have logged in */
function inSession (answer) {
  return asked => {
    const session = sessions.get(asked.cookies.session)
    return session === undefined || asked.token !== asked.cookies.session ? [403, { error: 'log in first' }] : answer(asked, session)
  }
}

/**
 * @param {string} text
 * @returns {Record<string, any>} what is in it, as JSON or as a form
 */
function bodyOf (text) {
  try {
    return Object(JSON.parse(text))
  } catch {
    return Object.fromEntries(new URLSearchParams(text))
  }
}

const server = http.createServer((request, response) => {
  let text = ''
  request.setEncoding('utf8').on('data', more => { text += more }).on('end', () => {
    // Not with URL: it throws for the path //.
    const [pathname, query] = request.url.split('?')
    const [, place, id] = /^(.*?)(?:\/(\d+))?$/.exec(pathname)
    const route = ROUTES[`${request.method} ${place}${id === undefined ? '' : '/:id'}`]
    const asked = {
      id: Number(id),
      query: new URLSearchParams(query),
      token: /^Bearer (.*)$/.exec(request.headers.authorization)?.[1],
      cookies: Object.fromEntries((request.headers.cookie ?? '').split('; ').map(pair => pair.split('='))),
      body: bodyOf(text)
    }
    const [status, body, headers = {}] = route === undefined ? [404, { error: 'not found' }] : route(asked)
    if (typeof body === 'string') response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body)
    else response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  })
})

server.listen(process.env.PORT ?? 0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
