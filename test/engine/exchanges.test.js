'use strict'

const assert = require('node:assert/strict')
const t = require('tap')
const fc = require('fast-check')
const { Exchanges, NONE } = require('../../lib/engine/exchanges')

const SEED = Number(process.env.FUZZ_SEED ?? 9112)
const RUNS = Number(process.env.FUZZ_RUNS ?? 2000)

const request = name => ({ method: name, path: null, headers: [], body: null })
const stepOf = name => ({ method: name, request: request(name), bytes: Buffer.from(name) })

const action = fc.oneof(
  fc.record({ kind: fc.constant('send'), at: fc.double({ min: 0, max: 1e9, noNaN: true }), origin: fc.double({ min: 0, max: 1e9, noNaN: true }), n: fc.nat({ max: 6 }), made: fc.boolean() }),
  fc.record({ kind: fc.constant('answer'), which: fc.nat() }),
  // A hook failed: what was written into free rows is never sent.
  fc.record({ kind: fc.constant('forget'), n: fc.nat({ max: 6 }) })
)

t.test('knows what is in flight and its order of sending, whatever the order of the answers', async () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 9 }), fc.array(action, { maxLength: 60 }), (capacity, actions) => {
    const table = new Exchanges(capacity)
    const model = []
    let name = 0
    const write = (n, made) => {
      const written = []
      for (let row = table.free; written.length < n; row = table.following(row)) {
        const step = stepOf(`s${name++}`)
        const one = made ? { step, context: { name }, request: request(`m${name}`), bytes: Buffer.from(`m${name}`) } : { step }
        if (made) table.write(row, step, one.context, one.request, one.bytes)
        else table.steps[row] = step
        written.push(one)
      }
      return written
    }
    for (const { kind, at, origin, n, made, which } of actions) {
      const fitting = Math.min(n ?? 0, capacity - table.count)
      if (kind === 'forget') write(fitting, false)
      else if (kind === 'send') for (const one of write(fitting, made)) model.push({ ...one, at, origin, row: table.add(at, origin) })
      else if (model.length > 0) table.remove(model.splice(which % model.length, 1)[0].row)
      assert.equal(table.count, model.length)
      assert.deepEqual(table.rows(), model.map(({ row }) => row))
      assert.equal(table.oldest, model[0]?.row ?? NONE)
      assert.equal(table.newest, model.at(-1)?.row ?? NONE)
      for (const { row, at, origin, step, request = step.request, context, bytes = step.bytes } of model) {
        assert.deepEqual([table.started[row], table.origins[row]], [at, origin])
        assert.equal(table.steps[row], step)
        assert.equal(table.methodOf(row), request.method)
        assert.equal(table.requestOf(row), request)
        assert.equal(table.bytesOf(row), bytes)
        if (context !== undefined) assert.equal(table.contextOf(row), context)
      }
      const older = []
      for (let row = table.newest; row !== NONE; row = table.older[row]) older.unshift(row)
      assert.deepEqual(older, table.rows())
    }
  }), { seed: SEED, numRuns: RUNS })
})

t.test('holds nothing of what hooks made once it is answered', async t => {
  const table = new Exchanges(2)
  table.write(table.free, stepOf('GET'), {}, request('PUT'), Buffer.alloc(1))
  const row = table.add(1, 1)
  table.remove(row)
  t.strictSame([table.contexts[row], table.requests[row], table.bytes[row]], [null, null, null])
})
