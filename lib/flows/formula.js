'use strict'

// Expressions of flows: `status == 200 and cart.items.length > 0`. jsep parses them into a tree of plain data, which
// can be sent to other threads. value.js evaluates the tree.

const jsep = require('jsep')
const { show } = require('../core/foreign-text')

/**
 * @typedef {{ value: string | number | boolean | null }} Literal
 * @typedef {{ list: Formula[] }} List
 * @typedef {{ root: string, steps: Array<string | Formula> }} Path the name of a value, and the path into it; a step is
 *   a key, or an expression for a key
 * @typedef {{ op: string, of: Formula[] }} Operation
 * @typedef {Literal | List | Path | Operation} Formula
 */

const LONGEST = 1000
/** The limit of nesting: each level takes stack frames here and where plans are copied. */
const DEEPEST = 100

/** Spellings of operators. @type {Readonly<Record<string, string>>} */
const OPERATORS = Object.freeze({
  '==': '==', '===': '==', '!=': '!=', '!==': '!=', '<': '<', '<=': '<=', '>': '>', '>=': '>=', in: 'in',
  and: 'and', '&&': 'and', or: 'or', '||': 'or', '+': '+', '-': '-', '*': '*', '/': '/', '%': '%'
})

/** Comparisons take precedence over `not` in some languages only: a comparison after it needs parentheses. */
const COMPARISONS = new Set(['==', '!=', '<', '<=', '>', '>=', 'in'])

/** Operators that are words, with their precedence in jsep. @type {ReadonlyArray<[string, number]>} */
const WORDS = [['or', 1], ['and', 2], ['in', 7]]

const ALLOWED = 'numbers, text, true, false, null, lists, names, comparison, in, and, or, not, + - * / %'

/**
 * @param {unknown} given
 * @param {(text: string) => string} [written] converts the text to an expression of the same length
 * @returns {Formula}
 * @throws {TypeError} with what was expected
 */
function parseFormula (given, written = text => text) {
  if (typeof given === 'number' || typeof given === 'boolean') return { value: given }
  if (typeof given !== 'string' || given.trim() === '') {
    throw new TypeError(`expected an expression such as 'status == 200', got ${show(given)}`)
  }
  if (given.length > LONGEST) {
    throw new TypeError(`expected an expression of up to ${LONGEST} characters, got ${given.length}`)
  }
  if (given.includes('{{')) {
    throw new TypeError(`expected names without braces, as in 'count > 3', got ${show(given)}`)
  }
  return formulaOf(treeOf(written(given), given), given, 0)
}

/** Paths into a message are written as in captures: `json type`. Text in quotation marks is not changed. */
const IN_MESSAGE = /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|\bjson\s(?=\s*[\w$])(?!\s*(?:and|or|in|not)\b)/g

/**
 * @param {unknown} given a condition for the message, such as `json type == 'price'`; `next` for any message
 * @returns {Formula | null} null for any message. Its parsed JSON is `json`, its text is `body`
 * @throws {TypeError} with what was expected
 */
function parseMessageFormula (given) {
  if (given === 'next') return null
  if (typeof given !== 'string' || given.trim() === '') {
    throw new TypeError(`expected next, or an expression such as "json type == 'price'", got ${show(given)}`)
  }
  return parseFormula(given, text => text.replace(IN_MESSAGE, (_, quoted) => quoted ?? 'json.'))
}

/** @type {(text: string, given: string) => import('jsep').Expression} */
function treeOf (text, given) {
  // Modules of the user may use the same instance of jsep, so the operators are removed again.
  for (const [word, precedence] of WORDS) jsep.addBinaryOp(word, precedence)
  jsep.addUnaryOp('not')
  try {
    return jsep(text)
  } catch (error) {
    const { description = 'it is no expression', index } = /** @type {any} */ (error)
    const hint = text.includes('=>')
      ? ': an expression has no functions; a check or setupRequest of a request may be one'
      : /(^|[^=!<>])=($|[^=])/.test(text) ? ': values are compared with ==' : ''
    const at = index === undefined ? '' : ` at character ${index + 1}`
    throw new TypeError(`${show(given)} is no expression: ${lower(description)}${at}${hint}`)
  } finally {
    for (const [word] of WORDS) jsep.removeBinaryOp(word)
    jsep.removeUnaryOp('not')
  }
}

/** @param {string} text */
const lower = text => text.charAt(0).toLowerCase() + text.slice(1)

/** @type {(tree: any, text: string, depth: number) => Formula} */
function formulaOf (tree, text, depth) {
  if (depth > DEEPEST) throw new TypeError(`${show(text)}: expected up to ${DEEPEST} levels of parentheses`)
  const within = (/** @type {any} */ one) => formulaOf(one, text, depth + 1)
  switch (tree?.type) {
    case 'Literal': return literal(tree, text)
    case 'Identifier':
    case 'MemberExpression': return pathOf(tree, text, within)
    case 'ArrayExpression': return { list: tree.elements.map(within) }
    case 'UnaryExpression': return unary(tree, text, within)
    case 'BinaryExpression': {
      const op = Object.hasOwn(OPERATORS, tree.operator) ? OPERATORS[tree.operator] : undefined
      if (op === undefined) throw refused(`the operator ${tree.operator}`, text)
      const of = [within(tree.left), within(tree.right)]
      if (COMPARISONS.has(op) && isNot(tree.left)) {
        throw new TypeError(`${show(text)}: expected parentheses after ${tree.left.operator}, as in ` +
          'not (a == b), got a comparison')
      }
      if (COMPARISONS.has(op) && of.some(one => 'op' in one && COMPARISONS.has(one.op))) {
        throw new TypeError(`${show(text)}: expected one comparison at a time, as in a < b and b < c`)
      }
      return { op, of }
    }
    case 'CallExpression': throw refused('a call', text)
    case 'ConditionalExpression': throw refused('a ? b : c', text)
    case 'ThisExpression': throw refused('this', text)
    case 'Compound':
    case 'SequenceExpression': throw new TypeError(`${show(text)}: expected one expression, got several`)
    default: throw new TypeError(`${show(text)} is no expression: there are ${ALLOWED}`)
  }
}

/** @type {(what: string, text: string) => TypeError} */
const refused = (what, text) => new TypeError(`${show(text)}: an expression cannot have ${what}: there are ${ALLOWED}`)

/** @param {any} tree */
const isNot = ({ type, operator }) => type === 'UnaryExpression' && (operator === '!' || operator === 'not')

/** @type {(tree: any, text: string) => Literal} */
function literal ({ value, raw }, text) {
  if (typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER || !/^\d+$/.test(raw)) return { value }
  throw new TypeError(`${show(text)}: ${raw.slice(0, 30)} is above 2^53, where numbers are rounded: write it as ` +
    `text, as in id == '${raw.slice(0, 30)}'`)
}

/** @type {(tree: any, text: string, within: (one: any) => Formula) => Formula} */
function unary ({ operator, argument }, text, within) {
  const of = within(argument)
  if (operator === '!' || operator === 'not') return { op: 'not', of: [of] }
  if (operator !== '-') throw refused(`the operator ${operator}`, text)
  return 'value' in of && typeof of.value === 'number' ? { value: -of.value } : { op: '-', of: [{ value: 0 }, of] }
}

/** @type {(tree: any, text: string, within: (one: any) => Formula) => Path} */
function pathOf (tree, text, within) {
  /** @type {Array<string | Formula>} */
  const steps = []
  let one = tree
  for (; one.type === 'MemberExpression'; one = one.object) {
    if (one.optional) throw refused('?.', text)
    steps.unshift(stepOf(one, within))
  }
  if (one.type !== 'Identifier') throw new TypeError(`${show(text)}: expected a name before a dot or a bracket`)
  return { root: one.name, steps }
}

/** @type {(tree: any, within: (one: any) => Formula) => string | Formula} */
function stepOf ({ computed, property }, within) {
  if (!computed) return property.name
  const key = within(property)
  return 'value' in key ? String(key.value) : key
}

/** @param {Formula} formula @returns {Path[]} all paths in it */
function pathsIn (formula) {
  if ('value' in formula) return []
  if ('list' in formula) return formula.list.flatMap(pathsIn)
  if ('op' in formula) return formula.of.flatMap(pathsIn)
  return [formula, ...formula.steps.flatMap(step => typeof step === 'string' ? [] : pathsIn(step))]
}

/** @param {Path} path @returns {string} as written in a template, up to the first step that is an expression */
function textOf ({ root, steps }) {
  const end = steps.findIndex(step => typeof step !== 'string')
  const known = end === -1 ? steps : steps.slice(0, end)
  return root + known.map(step => /^-?\d+$/.test(String(step)) ? `[${step}]` : `.${step}`).join('')
}

module.exports = { parseFormula, parseMessageFormula, pathsIn, textOf }
