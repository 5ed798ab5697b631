'use strict'

// What shows a run beside the terminal: opened before, told of each run, ended whatever happens.

const t = require('tap')
const { openViews } = require('../../lib/cli/output/views')

/** @param {string[]} said */
const known = said => ({
  one: { doc: '', load: () => async () => ({ follow (/** @type {any} */ instance, /** @type {any} */ about) { said.push(`one follows ${instance} ${about?.side}`) }, async end () { said.push('one ends') } }) },
  two: { doc: '', load: () => async () => ({ follow () { said.push('two follows') }, async end () { said.push('two ends') } }) },
  full: { doc: '', load: () => async () => { throw new Error('in use') } }
})
const surroundings = /** @type {any} */ ({})

t.test('those that are asked for follow each run and end', async t => {
  /** @type {string[]} */
  const said = []
  const views = await openViews(/** @type {any} */ ({ two: 5, one: '' }), surroundings, known(said))
  views.follow(/** @type {any} */ ('a run'), { side: 'new', run: 1 })
  await views.end()
  t.strictSame(said, ['one follows a run new', 'two follows', 'one ends', 'two ends'])
})

t.test('when one can\'t be opened, those that are open end', async t => {
  /** @type {string[]} */
  const said = []
  await t.rejects(openViews(/** @type {any} */ ({ one: 1, full: 1 }), surroundings, known(said)), { message: 'in use' })
  t.strictSame(said, ['one ends'])
})

t.test('a run without views loads none of them', async t => {
  const views = await openViews(/** @type {any} */ ({}), surroundings, known([]))
  views.follow(/** @type {any} */ (null))
  await views.end()
})
