'use strict'

// Tests that mostly wait, as for a lock that expires: a few of them run at the same time, and each tells in its turn. (Tests of tap that are buffered
// mix their results.)

const t = require('tap')

/** How many run at the same time. */
const AT_ONCE = 6

/** @typedef {{ teardown: (action: () => unknown) => void, equal: Function, match: Function, notMatch: Function, ok: Function, strictSame: Function }} Scene */

/** @type {Array<() => Promise<void>>} */
const waiting = []
let playing = 0

function next () {
  const play = playing < AT_ONCE ? waiting.shift() : undefined
  if (play === undefined) return
  playing++
  play().finally(() => {
    playing--
    next()
  })
}

/**
 * @param {string} name
 * @param {any} options of the test
 * @param {(t: Scene) => Promise<void>} act
 */
function scene (name, options, act) {
  if (options.skip) return void t.test(name, options, () => {})
  /** @type {Array<[method: string, args: unknown[]]>} */
  const said = []
  /** @type {Array<() => unknown>} */
  const teardowns = []
  const note = (/** @type {string} */ method) => (/** @type {unknown[]} */ ...args) => { said.push([method, args]) }
  const stage = { teardown: (/** @type {() => unknown} */ action) => { teardowns.unshift(action) }, ...Object.fromEntries(['equal', 'match', 'notMatch', 'ok', 'strictSame'].map(method => [method, note(method)])) }
  const played = new Promise((resolve, reject) => {
    waiting.push(async () => {
      try {
        await act(/** @type {any} */ (stage))
        resolve(undefined)
      } catch (error) {
        reject(error)
      } finally {
        for (const action of teardowns) await action()
      }
    })
  })
  played.catch(() => {})
  next()
  t.test(name, options, async t => {
    const failure = await played.then(() => null, error => error)
    for (const [method, args] of said) /** @type {any} */ (t)[method](...args)
    if (failure !== null) throw failure
  })
}

module.exports = { scene }
