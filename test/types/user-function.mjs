// @ts-check
// A user function with types in comments.

/** @type {import('autocannon').UserFunction} */
export default async function ({ http, check }) {
  check(await http.get('/'), { ok: r => r.status === 200 })
}

/** @type {import('autocannon').UserFunction} */
export async function setup ({ http }) {
  await http.get('/')
}
