'use strict'

// The part of a plan for scenarios with conditions, loops and parallel requests: their requests as steps, and a tree of
// nodes. It is plain data, which flows/flow.js runs.

const { parseFormula, parseMessageFormula, pathsIn, textOf } = require('../../flows/formula')
const { kindOf, socketIn, socketKindOf } = require('../requests/block-kinds')
const { leavesIn, listsIn, partsOfEach, placed } = require('../requests/blocks')
const { isPause } = require('../requests/requests')
const { placedPause, stepsFor } = require('./steps')

/**
 * @typedef {import('../../flows/formula').Formula} Formula
 * @typedef {import('../../users/pause').Pause} Pause
 * @typedef {import('../requests/blocks').Placed} Placed
 *
 * @typedef {{ kind: 'request', step: number }} RequestNode index into the steps
 * @typedef {{ kind: 'ws', step: number, options: Readonly<{ protocols: ReadonlyArray<string>, compressed: boolean,
 *   timeoutMs: number | null, keeps: boolean, as: string }> }} SocketNode `keeps`: whether unsolicited messages are
 *   kept for a later entry; `as`: its name, empty for none
 * @typedef {{ kind: 'send', step: number, on: string, match: string, timeoutMs: number | null }} SendNode
 * @typedef {{ kind: 'receive', step: number, on: string, test: Formula | null, count: number, timeoutMs: number | null
 *   }} ReceiveNode any message if `test` is null
 * @typedef {{ kind: 'close', on: string }} CloseNode
 * @typedef {{ kind: 'pause', pauses: ReadonlyArray<Pause> }} PauseNode
 * @typedef {{ kind: 'if', text: string, test: Formula, then: ReadonlyArray<Node>, otherwise: ReadonlyArray<Node> }}
 *   IfNode `text` is as given
 * @typedef {{ kind: 'repeat', text: string, times: Formula, body: ReadonlyArray<Node> }} RepeatNode
 * @typedef {{ kind: 'while', text: string, test: Formula, most: number, body: ReadonlyArray<Node> }} WhileNode
 * @typedef {{ kind: 'forEach', text: string, list: Formula, name: string, body: ReadonlyArray<Node> }} EachNode
 * @typedef {{ kind: 'parallel', branches: ReadonlyArray<ReadonlyArray<Node>> }} ParallelNode
 * @typedef {RequestNode | SocketNode | SendNode | ReceiveNode | CloseNode | PauseNode
 *   | IfNode | RepeatNode | WhileNode | EachNode | ParallelNode} Node
 */

/**
 * @typedef {object} Known
 * @property {ReadonlyMap<string, number>} numbers index of the step by place
 * @property {Readonly<Record<string, string | undefined>>} env variables of the environment
 * @property {boolean} receives whether an entry waits for unsolicited messages
 *
 * @param {ReadonlyArray<Record<string, any>>} entries
 * @param {string} place of the list, such as `scenarios[1].requests`
 * @param {Parameters<typeof stepsFor>[1]} means
 * @param {Readonly<Record<string, string | undefined>>} env variables of the environment
 * @returns {{ steps: import('../plan').Step[][], flow: ReadonlyArray<Node> }} steps for each target
 */
function flowOf (entries, place, means, env) {
  const list = placed(entries, place)
  const leaves = leavesIn(list).filter(([, entry]) => !isPause(entry) && entry.close === undefined)
  const numbers = new Map(leaves.map(([at], i) => [at, i]))
  const receives = leaves.some(([, entry]) => entry.receive !== undefined)
  const steps = stepsFor(leaves.map(([at, entry]) => ({
    entry, pauses: pausesOf(at, entry),
    called: at.slice(place.length).replaceAll('.requests', '').replaceAll('[', '.').replaceAll(']', '').slice(1)
  })), means)
  return { steps, flow: nodesOf(list, { numbers, env, receives }) }
}

/** @type {(place: string, entry: Record<string, any>) => Pause[]} */
function pausesOf (place, { pause }) {
  return (pause ?? null) === null ? [] : [placedPause(pause, `${place}.pause`)]
}

/** @type {(list: ReadonlyArray<Placed>, known: Known) => ReadonlyArray<Node>} */
function nodesOf (list, known) {
  return Object.freeze(list.map(([place, entry]) => Object.freeze(nodeOf(place, entry, known))))
}

/** @type {(place: string, entry: Record<string, any>, known: Known) => Node} */
function nodeOf (place, entry, known) {
  const { numbers, env } = known
  const kind = kindOf(entry)
  if (kind === undefined) {
    return isPause(entry)
      ? { kind: 'pause', pauses: Object.freeze(pausesOf(place, entry)) }
      : leafOf(entry, /** @type {number} */ (numbers.get(place)), known)
  }
  const lists = listsIn(entry, place).map(list => nodesOf(list, known))
  const [body, otherwise = []] = lists
  const text = String(entry[kind])
  const formula = (/** @type {unknown} */ given) => withEnv(parseFormula(given), env)
  switch (kind) {
    case 'if': return { kind, text, test: formula(entry.if), then: body, otherwise }
    case 'repeat': return { kind, text, times: formula(entry.repeat), body }
    case 'while': return { kind, text, test: formula(entry.while), most: entry.max, body }
    case 'forEach': {
      const { list, name } = partsOfEach(entry.forEach)
      return { kind, text, list: withEnv(list, env), name, body }
    }
    default: return { kind: 'parallel', branches: Object.freeze(lists) }
  }
}

/** @type {(entry: Record<string, any>, step: number, known: Known) => Node} */
function leafOf (entry, step, { env, receives: keeps }) {
  const { match = 'next', timeout, subprotocols = [], compressed = false, count = 1, as = '' } = entry
  const timeoutMs = timeout === undefined ? null : timeout * 1000
  const on = socketIn(entry)
  switch (socketKindOf(entry)) {
    case 'ws': return {
      kind: 'ws',
      step,
      options: Object.freeze({ protocols: Object.freeze(subprotocols), compressed, timeoutMs, keeps, as })
    }
    case 'send': return { kind: 'send', step, on, match, timeoutMs }
    case 'receive': {
      const test = parseMessageFormula(entry.receive)
      return { kind: 'receive', step, on, test: test === null ? null : withEnv(test, env), count, timeoutMs }
    }
    case 'close': return { kind: 'close', on }
    default: return { kind: 'request', step }
  }
}

/**
 * Replaces variables of the environment by their values, because other machines have another environment.
 * @type {(formula: Formula, env: Known['env']) => Formula}
 */
function withEnv (formula, env) {
  if ('value' in formula) return formula
  if ('list' in formula) return { list: formula.list.map(one => withEnv(one, env)) }
  if ('op' in formula) return { op: formula.op, of: formula.of.map(one => withEnv(one, env)) }
  const { root, steps } = formula
  return root === 'env'
    ? { value: env[String(steps[0])] ?? null }
    : { root, steps: steps.map(step => typeof step === 'string' ? step : withEnv(step, env)) }
}

/** @param {Node} node @returns {Formula[]} its expressions */
function formulasOf (node) {
  if ('test' in node) return node.test === null ? [] : [node.test]
  if ('times' in node) return [node.times]
  return 'list' in node ? [node.list] : []
}

/** @param {Node} node @returns {ReadonlyArray<ReadonlyArray<Node>>} its lists */
function bodiesOf (node) {
  if ('body' in node) return [node.body]
  if ('branches' in node) return node.branches
  return 'then' in node ? [node.then, node.otherwise] : []
}

/** @param {ReadonlyArray<Node>} nodes @returns {string[]} the names in their expressions, in the form of templates */
function namesIn (nodes) {
  return nodes.flatMap(node =>
    [...formulasOf(node).flatMap(pathsIn).map(textOf), ...bodiesOf(node).flatMap(namesIn)])
}

/** Returns whether it has parallel requests. @type {(nodes: ReadonlyArray<Node>) => boolean} */
function isParallel (nodes) {
  return nodes.some(node => node.kind === 'parallel' || bodiesOf(node).some(isParallel))
}

module.exports = { flowOf, isParallel, namesIn }
