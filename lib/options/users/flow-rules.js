'use strict'

// Checks that the names in expressions of flows exist, and which options cannot be combined with flows.

const { parseFormula, parseMessageFormula, pathsIn, textOf } = require('../../flows/formula')
const { BUILT_IN: OF_FORMULAS, OF_MESSAGES } = require('../../flows/value')
const { show } = require('../../core/foreign-text')
const { problemAt } = require('../../core/problem')
const { BUILT_IN: OF_TEMPLATES } = require('../../requests/expression')
const { inIterations, isPaced, pacedBy } = require('../load/load')
const { kindOf } = require('../requests/block-kinds')
const { leavesIn, listsIn, namesIn, partsOfEach, placed } = require('../requests/blocks')
const { isFlow } = require('../requests/requests')
const { listsOf, problemOfName, walk } = require('../requests/templates')

/** Built-in names in expressions. */
const OWN = Object.keys(OF_FORMULAS)
const OF_RECEIVE = Object.keys(OF_MESSAGES)

/**
 * @typedef {import('../requests/blocks').Entry} Entry
 * @typedef {import('../requests/blocks').Placed} Placed
 * @typedef {import('../requests/templates').Walked} Walked
 * @typedef {import('../normalize').Values} Values
 * @typedef {import('../../core/problem').Call} Call
 * @typedef {import('../../core/problem').Problem} Problem
 */

/** @type {import('../normalize').Rules} */
function aboutFlows (values, call) {
  const problems = []
  for (const given of listsOf(values)) {
    const { place, list, context } = given
    if (!isFlow(list)) continue
    if (isPaced(values) && inIterations(values) === null && !/\.(setup|teardown)$/.test(place)) {
      const number = values.rate?.number ?? 50
      problems.push(problemAt(call, pacedBy(values), `${place} has a condition, a loop, parallel requests or a ` +
        `WebSocket, so the rate must be in iterations: use ${call('rate')} '${number} iterations/s'`))
    }
    problems.push(...aboutIndex(list, place, context, values))
    for (const walked of walk(given)) problems.push(...aboutBlock(walked, values, call))
  }
  return problems
}

/**
 * In templates, `index` is the loop index as well.
 * @type {(list: ReadonlyArray<Entry>, place: string, context: ReadonlySet<string>, values: Values) => Problem[]}
 */
function aboutIndex (list, place, context, { data }) {
  const leaves = leavesIn(placed(list, place))
  const [at] = leaves.find(([, { capture }]) => Object.hasOwn(capture ?? {}, 'index')) ?? []
  const where = at !== undefined
    ? `${at}.capture`
    : context.has('index')
      ? 'initialContext'
      : data?.sources.some((/** @type {{ name: string }} */ { name }) => name === 'index') ? 'data' : null
  return where === null
    ? []
    : [problemAt(String, where, `index is the loop index in a loop of ${place}: expected another name`)]
}

/** @type {(walked: Walked, values: Values, call: Call) => Problem[]} */
function aboutBlock ({ entry, place, known }, values, call) {
  const kind = kindOf(entry)
  if (kind === undefined) {
    return (entry.receive ?? null) === null
      ? aboutUrl(entry, place, values, call)
      : aboutNames(parseMessageFormula(entry.receive), OF_RECEIVE, `${place}.receive`, known, values, call)
  }
  if (kind === 'parallel') return aboutBranches(listsIn(entry, place), call)
  const formula = kind === 'forEach' ? partsOfEach(entry.forEach).list : parseFormula(entry[kind])
  const problems = aboutNames(formula, OWN, `${place}.${kind}`, known, values, call)
  if (kind !== 'forEach') return problems
  return [...problems, ...aboutItem(entry, place, known, values, call)]
}

/**
 * @type {(formula: import('../../flows/formula').Formula | null, own: string[], place: string, known:
 *   ReadonlySet<string>, values: Values, call: Call) => Problem[]} `own` are the built-in names there
 */
function aboutNames (formula, own, place, known, values, call) {
  return formula === null
    ? []
    : pathsIn(formula).flatMap(path => {
      const problem = problemOf(path, own, known, values, formula)
      return problem === null ? [] : [problemAt(call, place, problem)]
    })
}

/** @type {(entry: Entry, place: string, values: Values, call: Call) => Problem[]} */
function aboutUrl (entry, place, values, call) {
  const { url } = entry
  if ((url ?? null) === null) return []
  const { origin } = new URL(url)
  return [...values.url, ...values.origins ?? []].some(one => new URL(one).origin === origin)
    ? []
    : [problemAt(call, `${place}.${entry.ws === undefined ? 'url' : 'ws'}`, `${show(origin)} is not an origin of ` +
      `this run: allow it with --origin ${origin}, or origins: ['${origin}']`)]
}

/** @type {(entry: Entry, place: string, known: ReadonlySet<string>, values: Values, call: Call) => Problem[]} */
function aboutItem (entry, place, known, { data }, call) {
  const { name } = partsOfEach(entry.forEach)
  const problem = [...OWN, 'env'].includes(name)
    ? 'has its own meaning'
    : known.has(name)
      ? 'is in the context, too'
      : data?.sources.some((/** @type {{ name: string }} */ one) => one.name === name)
        ? 'is a source of data, too'
        : namesIn([entry]).includes(name) ? 'is captured in the loop, too' : null
  return problem === null
    ? []
    : [problemAt(call, `${place}.forEach`, `${show(name)} ${problem}: give the item another name`)]
}

/**
 * Branches share the context, so their items need different names.
 * @type {(branches: Placed[][], call: Call) => Problem[]}
 */
function aboutBranches (branches, call) {
  /** @type {Map<string, number>} */
  const names = new Map()
  return branches.flatMap((branch, i) => itemsIn(branch).flatMap(([place, name]) => {
    const before = names.get(name) ?? i
    names.set(name, before)
    return before === i
      ? []
      : [problemAt(call, `${place}.forEach`, `another branch has ${show(name)}, too: give the item another name`)]
  }))
}

/** @type {(list: Placed[]) => Array<[place: string, name: string]>} */
function itemsIn (list) {
  return list.flatMap(([place, entry]) => {
    if (kindOf(entry) === undefined) return []
    const inside = listsIn(entry, place).flatMap(itemsIn)
    return entry.forEach === undefined ? inside : [[place, partsOfEach(entry.forEach).name], ...inside]
  })
}

/**
 * @param {import('../../flows/formula').Path} path of an unknown name
 * @param {import('../../flows/formula').Formula} formula
 * @returns {string} advice to quote a word that is compared; empty otherwise
 */
function quoteHint (path, formula) {
  const isCompared = (/** @type {any} */ one) => Array.isArray(one.of) &&
    ((['==', '!='].includes(one.op) && one.of[1] === path) || one.of.some(isCompared))
  return path.steps.length === 0 && isCompared(formula) ? `; text has quotes: '${path.root}'` : ''
}

/**
 * @param {import('../../flows/formula').Path} path
 * @param {string[]} own built-in names
 * @param {ReadonlySet<string>} known names of the context
 * @param {Values} values
 * @param {import('../../flows/formula').Formula} formula that contains the path
 */
function problemOf (path, own, known, values, formula) {
  const { root, steps } = path
  if (root === 'index') {
    return known.has('index') ? null : 'index is the loop index, but no loop surrounds it'
  }
  if (own.includes(root)) {
    const where = known.has(root)
      ? 'in the context'
      : !OWN.includes(root) && values.data?.sources.some((/** @type {{ name: string }} */ { name }) => name === root)
          ? 'a source of data'
          : null
    return where === null ? null : `${root} has its own meaning, and is ${where}, too: rename it there`
  }
  if (root === 'env') {
    const [name] = steps
    if (steps.length !== 1 || typeof name !== 'string') return 'expected a variable of the environment, as env.TOKEN'
    return values.env[name] === undefined ? `the environment has no variable ${show(name)}` : null
  }
  if (OF_TEMPLATES.some(one => one === root)) return `{{${root}}} is for templates: an expression has no such value`
  const ofMessage = own === OF_RECEIVE ? `; of a message it is json ${textOf(path)}` : ''
  return problemOfName(textOf(path), known, values, own, quoteHint(path, formula) || ofMessage)
}

module.exports = { aboutFlows }
