'use strict'

// Finds the templates in options, and checks that all names in them exist. requests/expression.js has the syntax, and
// shared-values.js the plan.

const { show } = require('../../core/foreign-text')
const { problemWith, problemAt } = require('../../core/problem')
const { parseExpectation } = require('../../checks/expectation')
const { BUILT_IN, hasExpression, nameIn, parseTemplate, pathOf } = require('../../requests/expression')
const { parseHeaders } = require('../../requests/headers')
const { isJsonPath, valueAt } = require('../../requests/json-path')
const { Rows } = require('../../templates/rows')
const { findColumn } = require('../../templates/sources')
const { suggestOf } = require('../../core/suggest')
const { writtenAs } = require('./block-kinds')
const { entriesIn, isBlock } = require('./requests')

/**
 * @typedef {import('../../requests/expression').Expression} Expression
 * @typedef {import('./data').DataSource} DataSource
 * @typedef {import('../normalize').Values} Values
 *
 * @typedef {object} Text
 * @property {string} text the template
 * @property {string} place its place
 * @property {'path' | 'header' | 'body' | 'expect'} kind
 * @property {string} [header] the name of the header
 * @property {ReadonlySet<string>} context names in the context when it is filled
 */

/** Framing headers: a value in them could end the request early. */
const FRAMING = new Set(['content-length', 'transfer-encoding'])

/** The limit of names in a list. */
const MOST_NAMES = 20

/** @type {import('../normalize').Rules} */
function aboutTemplates (values, call) {
  const problems = aboutSources(values, call)
  for (const text of textsOf(values)) {
    if (!hasExpression(text.text)) continue
    const reasons = values.targets === undefined
      ? reasonsOf(text, values)
      : [`templates cannot be combined with ${call('targets')}, which has no texts: use ${call('requests')} and data`]
    problems.push(...reasons.map(reason => text.place === 'headers'
      ? problemWith(call, 'headers', `${text.header}: ${reason}`)
      : problemAt(call, text.place, reason)))
  }
  return problems
}

/** @type {import('../normalize').Rules} */
function aboutSources (values, call) {
  const { data, targets, initialContext = {}, warmup } = values
  if (data === undefined) return []
  const problems = []
  if (targets !== undefined) {
    problems.push(problemWith(call, ['data', 'targets'], 'each set the content of requests: use one of them'))
  }
  for (const { name, pick } of data.sources) {
    for (const [place, entry] of entriesIn(values)) {
      if (captured(entry).includes(name)) {
        problems.push(problemWith(call, ['data', `${place}.capture`], `both have ${name}: rename one of them`))
      }
    }
    if (Object.hasOwn(initialContext, name)) {
      problems.push(problemWith(call, ['data', 'initialContext'], `both have ${name}: rename one of them`))
    }
    if (pick === 'once' && warmup !== undefined) {
      problems.push(problemWith(call, 'warmup', `and data.${name}: a warm-up would use up rows that are used only ` +
        `once; exclude the start with ${call('skipFirst')}`))
    }
  }
  return problems
}

/** @param {Values} values @returns {Generator<Text>} every text that may be a template */
function * textsOf (values) {
  const { url = [], headers = [], har, expect } = values
  const lists = listsOf(values)
  const context = new Set(lists.flatMap(({ list, context }) => [...context, ...namesIn(list)]))
  for (const [name, value] of headers) {
    yield { text: value, place: 'headers', kind: 'header', header: name, context }
  }
  yield * textsOfExpectation(expect ?? null, 'expect', context)
  if (har !== undefined) return
  for (const one of url) yield { text: one, place: 'url', kind: 'path', context }
  for (const name of ['body', 'input', 'dataBody', 'jsonBody']) {
    if (typeof values[name] === 'string') {
      yield { text: values[name], place: name === 'dataBody' ? 'data' : name, kind: 'body', context }
    }
  }
  for (const one of lists) yield * textsOfEntries(one)
}

/**
 * @typedef {{ place: string, list: ReadonlyArray<Record<string, any>>, context: ReadonlySet<string> }} List of a list
 *   of requests, with the initial names of its context
 *
 * @typedef {{ place: string, entry: Record<string, any>, known: ReadonlySet<string> }} Walked an entry, with the names
 *   in the context at that place
 *
 * @param {Values} values
 * @returns {List[]}
 */
function listsOf ({ requests = [], scenarios = [], initialContext = {} }) {
  const context = new Set(Object.keys(initialContext))
  return [{ place: 'requests', list: requests, context }, ...scenarios.flatMap((
    /** @type {Record<string, Array<Record<string, any>>>} */ { setup = [], requests, teardown = [] },
    /** @type {number} */ i
  ) => {
    const place = `scenarios[${i}]`
    const afterSetup = new Set([...context, ...namesIn(setup)])
    return [
      { place: `${place}.setup`, list: setup, context },
      { place: `${place}.requests`, list: requests, context: afterSetup },
      { place: `${place}.teardown`, list: teardown, context: afterSetup }
    ]
  })]
}

const blocks = () => require('./blocks')

/** @type {(list: ReadonlyArray<Record<string, any>>) => string[]} */
function namesIn (list) {
  return list.some(isBlock) ? blocks().namesIn(list) : list.flatMap(captured)
}

/** @param {List} list @returns {Iterable<Walked>} each entry, and those in blocks */
function walk ({ list, place, context }) {
  const placed = list.map((entry, i) => /** @type {[string, Record<string, any>]} */ ([`${place}[${i}]`, entry]))
  return list.some(isBlock) ? blocks().walk(placed, context) : walkRequests(placed, context)
}

/**
 * @type {(list: Array<[place: string, entry: Record<string, any>]>, context: ReadonlySet<string>) => Iterable<Walked>}
 */
function * walkRequests (list, context) {
  const known = new Set(context)
  for (const [place, entry] of list) {
    yield { place, entry, known: new Set(known) }
    // Captures are available to later requests.
    for (const name of captured(entry)) known.add(name)
  }
}

/** @param {List} list @returns {Generator<Text>} */
function * textsOfEntries (list) {
  for (const { place, entry, known } of walk(list)) {
    const { path, headers, body, expect } = entry
    if (typeof path === 'string') {
      yield { text: path, place: `${place}.${writtenAs(entry, 'path')}`, kind: 'path', context: known }
    }
    for (const [name, value] of headers === undefined || headers === null ? [] : parseHeaders(headers)) {
      yield { text: value, place: `${place}.headers.${name}`, kind: 'header', header: name, context: known }
    }
    if (typeof body === 'string') {
      const key = ['json', 'form'].find(form => (entry[form] ?? null) !== null) ?? writtenAs(entry, 'body')
      yield { text: body, place: `${place}.${key}`, kind: 'body', context: known }
    }
    for (const part of entry.multipart?.parts ?? []) {
      if (typeof part === 'string') yield { text: part, place: `${place}.multipart`, kind: 'body', context: known }
    }
    if (expect !== undefined && expect !== null) {
      yield * textsOfExpectation(parseExpectation(expect), `${place}.expect`, known)
    }
  }
}

/** @param {Record<string, any>} entry of requests */
const captured = ({ capture }) => Object.keys(capture ?? {})

/**
 * @param {import('../../checks/expectation').Expectation | null} expect
 * @param {string} place
 * @param {ReadonlySet<string>} context
 * @returns {Generator<Text>}
 */
function * textsOfExpectation (expect, place, context) {
  const { headers, body, json, events } = expect ?? { headers: null, body: null, json: null, events: null }
  for (const [name, value] of headers ?? []) {
    if (typeof value === 'string') yield { text: value, place: `${place}.headers.${name}`, kind: 'expect', context }
  }
  for (const [path, value] of Array.isArray(json) ? json : []) {
    if (typeof value === 'string') yield { text: value, place: `${place}.json.${path}`, kind: 'expect', context }
  }
  const texts = body === null
    ? []
    : 'includes' in body
      ? body.includes
      : 'exact' in body && typeof body.exact === 'string'
        ? [body.exact]
        : []
  for (const text of texts) yield { text, place: `${place}.body`, kind: 'expect', context }
  if (events === null) return
  const { textsOfEvents } = require('../../checks/events')
  for (const [key, text] of textsOfEvents(events)) {
    yield { text, place: `${place}.events.${key}`, kind: 'expect', context }
  }
}

/** Returns its problems. @type {(given: Text, values: Values) => string[]} */
function reasonsOf (given, values) {
  const { kind, header } = given
  if (header !== undefined && FRAMING.has(header.toLowerCase())) {
    return ['expected no template, because it marks the end of the request; omit it']
  }
  try {
    // The text is checked as written, because the path of a URL has encoded braces.
    if (kind === 'path') parseTemplate(given.text)
    const text = kind === 'path' ? pathText(given.text) : given.text
    return parseTemplate(text).flatMap(part =>
      typeof part === 'string' ? [] : problemOf(part, given, values) ?? [])
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return [error.message]
  }
}

/** @param {Expression} expression @param {Text} where it stands @param {Values} values */
function problemOf (expression, { context, kind: where }, { data, env, replay }) {
  /** @type {ReadonlyArray<DataSource>} */
  const sources = data?.sources ?? []
  const { text, kind, raw, args } = expression
  const path = pathOf(expression)
  const name = nameIn(path)
  if (kind === 'env') {
    return env[args[0]] === undefined ? `{{${text}}}: the environment has no variable ${show(args[0])}` : null
  }
  if (kind !== 'value' && kind !== 'element') {
    return context.has(name)
      ? `{{${name}}} has its own meaning, and is in the context, too: rename it there`
      : null
  }
  if (kind === 'element' && context.has('pick')) {
    return '{{pick}} has its own meaning, and is in the context, too: rename it there'
  }
  const source = sources.find(one => one.name === name)
  if (source !== undefined) {
    return context.has(source.name)
      ? `{{${source.name}}} is a source of data, and in the context, too: rename one of them`
      : problemOfColumn(
        path,
        source,
        where === 'header' ? 'a header' : where === 'path' && raw ? 'a path as it is' : null
      )
  }
  if (context.has(name)) {
    return isJsonPath(path) ? null : `{{${text}}}: expected a path such as items[0].id or items[-1].id`
  }
  if (kind === 'element') {
    return `nothing provides a list ${show(name)} to pick ` +
      `from${suggestOf(name, [...context], listed([...context]))}; for the word itself omit pick`
  }
  if (name === 'trace' && replay !== undefined) {
    return `{{${text}}}: ` + (replay.rows === null
      ? 'this trace has arrival times only, and no columns'
      : 'a row of a trace belongs to one request, so use a single one, without a HAR, targets, scenarios, user ' +
        'functions and other options of users, such as cookies, redirects and pauses')
  }
  return `nothing provides {{${text}}}` + nearTo(name, sources, [...context, ...BUILT_IN], one => `{{${one}}}`)
}

/**
 * @param {string} text a name in an expression of a flow, such as users.age
 * @param {ReadonlySet<string>} context names in the context
 * @param {Values} values
 * @param {string[]} others further names
 * @param {string} hint a hint for unknown names
 * @returns {string | null} its problem
 */
function problemOfName (text, context, { data }, others, hint) {
  /** @type {ReadonlyArray<DataSource>} */
  const sources = data?.sources ?? []
  const name = nameIn(text)
  const source = sources.find(one => one.name === name)
  if (source === undefined) {
    if (context.has(name)) return null
    return `nothing provides ${name}` + nearTo(name, sources, [...context, ...others], one => one) + hint
  }
  return context.has(name)
    ? `${name} is a source of data, and in the context, too: rename one of them`
    : problemOfColumn(text, source, null)
}

/**
 * @param {string} name an unknown name
 * @param {ReadonlyArray<DataSource>} sources
 * @param {string[]} others
 * @param {(name: string) => string} written
 */
function nearTo (name, sources, others, written) {
  const known = [...new Set([...sources.map(({ name }) => name), ...others])]
  const owner = sources.find(({ rows: { columns } }) => columns?.includes(name))
  return owner === undefined
    ? suggestOf(name, known, listed(known))
    : `, did you mean ${written(`${owner.name}.${name}`)}? There are ${listed(known)}`
}

/**
 * @param {string} text
 * @param {DataSource} source
 * @param {string | null} narrow its place, if values there must have no line breaks
 */
function problemOfColumn (text, { name, file, rows, breaks }, narrow) {
  const { columns, typed } = rows
  const source = file ?? `data.${name}`
  const column = text.slice(name.length + 1)
  if (columns === null && column !== '') return `{{${text}}}: a row of ${source} is one value: write {{${name}}}`
  const { column: index, steps } = findColumn(columns, column)
  if (columns !== null && column === '') {
    return `{{${text}}}: expected a column as well, such as {{${name}.${columns[0]}}}, got none; there are ` +
      `${listed(columns)}`
  }
  if (columns !== null && (index === -1 || (steps.length > 0 && !typed))) {
    return `{{${text}}}: ${source} has no column ${show(column)}${suggestOf(column, [...columns], listed(columns))}` +
      (/[;\t]/.test(columns[0]) ? ': values are separated by commas' : '')
  }
  if (steps.length > 0 && valueAt(JSON.parse(new Rows(rows).json(0, index)), steps) === undefined) {
    return `{{${text}}}: ${source}, row 1 has no value there`
  }
  return narrow !== null && steps.length === 0 && breaks.has(index)
    ? `{{${text}}} is in ${narrow}, which must have no line break and no NUL, but ${source}, ${breaks.get(index)}, ` +
      'has one'
    : null
}

/** @param {ReadonlyArray<string>} names */
function listed (names) {
  const more = names.length - MOST_NAMES
  return names.slice(0, MOST_NAMES).map(name => show(name).slice(1, -1)).join(', ') +
    (more > 0 ? ` and ${more} more` : '')
}

/**
 * @param {string} given a path, or a URL
 * @returns {string} the path, with expressions as written
 */
function pathText (given) {
  if (!/^https?:\/\//i.test(given) || !hasExpression(given)) return given
  const { pathname, search } = new URL(given)
  return (pathname + search).replace(/(?:%7B|\{){2,3}.*?(?:%7D|\}){2,3}/gi, found => decodeURIComponent(found))
}

module.exports = { aboutTemplates, listsOf, pathText, problemOfName, textsOf, textsOfExpectation, walk }
