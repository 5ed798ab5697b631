// Visitors of a shop with a GraphQL API read its list page by page, look at some products at the same time, and order
// one. Each operation has its own results, and an error within a response with status 200 is a failed check. Run it with
//
//   autocannon run samples/graphql/graphql.mjs --on-port / -- node samples/graphql/server.js

export const options = {
  connections: 20,
  duration: 2,
  thresholds: ['Products: p95 < 1s', 'checks > 99%']
}

const QUERIES = {
  Products: 'query Products ($first: Int!, $after: String) { products(first: $first, after: $after) { nodes { id stock } pageInfo { hasNextPage endCursor } } }',
  Product: 'query Product ($id: ID!) { product(id: $id) { id name stock } }',
  Order: 'mutation Order ($id: ID!) { order(id: $id) { product { id } status } }'
}

export default async function visit ({ http, pause, check, random }) {
  /** Returns `data` of the response; undefined if it has errors. */
  async function send (operationName, variables) {
    const json = { query: QUERIES[operationName], operationName, variables }
    const response = await http.post('/graphql', { json, name: operationName, expect: { status: 200 } })
    const { data, errors } = response.json()
    if (check(response, { 'no errors': errors === undefined })) return data
  }

  const products = []
  for (let after = null; ;) {
    const page = await send('Products', { first: 10, after })
    if (page === undefined) return
    products.push(...page.products.nodes)
    if (!page.products.pageInfo.hasNextPage) break
    after = page.products.pageInfo.endCursor
    await pause('20ms', '100ms')
  }

  await Promise.all(random.sample(products, 3).map(({ id }) => send('Product', { id })))

  const { id } = random.pick(products.filter(({ stock }) => stock > 0))
  const ordered = await send('Order', { id })
  check(ordered, { 'order is placed': data => data?.order.status === 'PLACED' })
  await pause('100ms', '300ms')
}
