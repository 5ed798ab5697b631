/* global __ENV */

import http from 'k6/http'
import { check } from 'k6'

export { handleSummary } from './k6.js'

export default function () {
  const answer = http.post(`${__ENV.URL}/login`, JSON.stringify({ email: 'ada@shop.example', password: 'secret' }), { headers: { 'content-type': 'application/json' } })
  check(answer, { 'logged in': ({ status }) => status === 200 })
  const headers = { authorization: `Bearer ${answer.json('auth.token')}` }
  for (let page = 0; page < 3; page++) {
    check(http.get(`${__ENV.URL}/page/${page}`, { headers }), { page: ({ status, body }) => status === 200 && body.includes('hello') })
  }
}

export const options = { summaryTrendStats: ['med', 'p(99)'], noCookiesReset: false }
