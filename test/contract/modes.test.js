'use strict'

// In which modes a contract is proven.

const t = require('tap')
const { pairwise } = require('./modes')

const LISTS = [['abc', '123'], ['abc', '12'], ['abc', '1'], ['ab', '1234'], ['abc', '12345']].map(pair => pair.map(text => [...text]))

t.test('a test has each place and each protocol, and as many tests as the shorter list is long have each pair', async t => {
  for (const [places, protocols] of LISTS) {
    for (const first of [0, 1, 2]) {
      const pairings = Array.from({ length: Math.min(places.length, protocols.length) }, (_, i) => pairwise(places, protocols, first + i))
      for (const pairs of pairings) {
        t.equal(pairs.length, Math.max(places.length, protocols.length))
        t.strictSame([...new Set(pairs.flat())].sort(), [...places, ...protocols].sort())
      }
      t.equal(new Set(pairings.flat().map(String)).size, places.length * protocols.length, `${places} and ${protocols} from pairing ${first} on`)
    }
  }
})
