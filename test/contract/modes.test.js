'use strict'

// In which modes a contract is proven.

const t = require('tap')
const { pairwise } = require('./modes')

const LISTS = [['abc', '123'], ['abc', '12'], ['abc', '1'], ['ab', '1234'], ['abc', '12345']].map(pair => pair.map(text => [...text]))

t.test('a test has each place and each wire, and as many tests as the shorter list is long have each pair', async t => {
  for (const [places, wires] of LISTS) {
    for (const first of [0, 1, 2]) {
      const pairings = Array.from({ length: Math.min(places.length, wires.length) }, (_, i) => pairwise(places, wires, first + i))
      for (const pairs of pairings) {
        t.equal(pairs.length, Math.max(places.length, wires.length))
        t.strictSame([...new Set(pairs.flat())].sort(), [...places, ...wires].sort())
      }
      t.equal(new Set(pairings.flat().map(String)).size, places.length * wires.length, `${places} and ${wires} from pairing ${first} on`)
    }
  }
})
