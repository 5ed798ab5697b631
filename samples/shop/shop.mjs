// Visitors of a shop, as in shop.yaml, as functions: conditions, loops and parallel requests are JavaScript. Run it with
//
//   autocannon run samples/shop/shop.mjs --on-port / -- node samples/shop/server.js

export const options = {
  connections: 200,
  stages: ['1s:20 iterations/s', 'peak=1s:60 iterations/s', '1s:60 iterations/s'],
  data: { users: 'users.csv' },
  redirects: 2,
  thresholds: ['iterations: completed > 99%', 'iterations: p95 < 5s', 'login: p95 < 2s', 'failures == 0', 'checks > 99%']
}

/** One iteration. Three in four visitors only browse. */
export default async function visit (visitor) {
  const { http, group, random } = visitor
  await http.get('/', { name: 'front page' })
  if (random() < 0.75) await group('browse', () => browse(visitor))
  else await group('buy', () => buy(visitor))
}

async function browse ({ http, pause, random }) {
  await pause('100ms', '500ms')
  const found = await http.get('/products', { query: { q: random.pick(['tea', 'cup', 'pot']) }, name: 'search' })
  // The cheapest two, at the same time.
  const cheapest = found.json('products').sort((a, b) => a.price - b.price).slice(0, 2)
  await pause('300ms')
  await Promise.all(cheapest.map(({ id }) => http.get(`/products/${id}`, { name: 'product', expect: { status: 200 } })))
}

async function buy ({ http, pause, check, data, random }) {
  const { email, password } = data.users
  const login = await http.post('/login', { json: { email, password }, name: 'login' })
  if (!check(login, { 'is logged in': response => response.cookie('session') !== undefined })) return
  const auth = { bearer: login.json('auth.token') }

  for (let items = random.int(1, 3); items > 0; items--) {
    await pause('100ms', '300ms')
    await http.post('/cart', { json: { product: random.int(1, 6) }, auth, name: 'cart', expect: { status: 201 } })
  }
  // Of the order, to which the response to the checkout redirects.
  await http.post('/checkout', { auth, name: 'checkout', expect: { json: { status: 'paid' } } })
}
