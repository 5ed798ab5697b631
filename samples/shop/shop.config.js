'use strict'

// Visitors of a shop, as in shop.yaml, where functions do what YAML has no words for:
//
//   autocannon --config samples/shop/shop.config.js --on-port / -- node samples/shop/server.js

const json = { 'content-type': 'application/json' }
const loggedIn = { authorization: 'Bearer {{token}}' }

const frontPage = { name: 'front page', path: '/' }

module.exports = {
  url: process.env.SHOP ?? 'http://localhost:3000',
  connections: 200,
  stages: ['1s:20 iterations/s', 'peak=1s:60 iterations/s', '1s:60 iterations/s'],
  data: { users: 'users.csv' },
  cookies: true,
  redirects: 2,
  scenarios: [
    {
      name: 'browse',
      weight: 3,
      requests: [
        frontPage,
        { pause: ['100ms', '500ms'] },
        {
          name: 'search',
          path: '/products?q={{pick tea cup pot}}',
          // Whichever a visitor likes best: the cheapest.
          capture: { product: response => response.json().products.sort((a, b) => a.price - b.price)[0].id }
        },
        { pause: { exponential: '300ms' } },
        { name: 'product', path: '/products/{{product}}', expect: { status: 200 } }
      ]
    },
    {
      name: 'buy',
      weight: 1,
      requests: [
        frontPage,
        {
          name: 'login',
          method: 'POST',
          path: '/login',
          headers: json,
          body: JSON.stringify({ email: '{{users.email}}', password: '{{users.password}}' }),
          capture: { token: 'json auth.token' }
        },
        { pause: ['100ms', '300ms'] },
        { name: 'cart', method: 'POST', path: '/cart', headers: { ...json, ...loggedIn }, body: '{"product":{{random 1 6}}}', expect: { status: 201 } },
        { name: 'checkout', method: 'POST', path: '/checkout', headers: loggedIn, check: response => response.json().status === 'paid' || 'the order is not paid' }
      ]
    }
  ],
  thresholds: ['scenario buy: completed > 99%', 'scenario browse: p95 < 5s', 'login: p95 < 2s', 'failures == 0']
}
