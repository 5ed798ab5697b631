'use strict'

// Owns which texts of the options are templates, whether everything that they name is there, and what the plan says of them. What a template may say is
// the business of scenario/expression.js.

const { variable } = require('../env')
const { show } = require('../foreign-text')
const { parseExpectation } = require('../checks/expectation')
const { BUILT_IN, escapeTemplate, hasExpression, parseTemplate } = require('../scenario/expression')
const { parseHeaders } = require('../scenario/headers')
const { suggest } = require('../suggest')
const { entriesIn } = require('./requests')

/**
 * @typedef {import('../scenario/expression').Expression} Expression
 * @typedef {import('../scenario/request').Request} Request
 * @typedef {import('./data').DataSource} DataSource
 * @typedef {import('./normalize').Values} Values
 *
 * @typedef {object} Text
 * @property {string} text that is a template
 * @property {string} place of it, for messages
 * @property {'path' | 'header' | 'body' | 'expect'} kind
 * @property {string} [header] the name of the header
 * @property {ReadonlySet<string>} context names that the context of a round has when it is filled
 */

/** What frames a message: a value in it could end the message early. */
const FRAMING = new Set(['content-length', 'transfer-encoding'])

/** Of a list of names so many are told. */
const MOST_NAMES = 20

/**
 * @param {Values} values
 * @param {(name: string) => string} call how the user calls an option
 * @returns {string[]} a sentence for each thing that is wrong
 */
function aboutTemplates (values, call) {
  const problems = aboutSources(values, call)
  for (const text of textsOf(values, call)) {
    if (!hasExpression(text.text)) continue
    if (values.targets !== undefined) {
      problems.push(`${text.place}: templates do not go with ${call('targets')}, whose requests are not made of texts: use ${call('requests')} and data`)
      continue
    }
    problems.push(...problemsOf(text, values.data?.sources ?? []))
  }
  return [...new Set(problems), ...aboutLengths(values, call)]
}

/**
 * @param {Values} values
 * @param {(name: string) => string} call
 * @returns {string[]}
 */
function aboutSources (values, call) {
  const { data, targets, initialContext = {}, warmup } = values
  if (data === undefined) return []
  const problems = []
  if (targets !== undefined) problems.push(`${call('data')} and ${call('targets')} each say what requests are made of: use one of them`)
  for (const { name, pick } of data.sources) {
    for (const [place, entry] of entriesIn(values)) if (captured(entry).includes(name)) problems.push(`${call('data')} and ${place}.capture both have ${name}: call one of them something else`)
    if (Object.hasOwn(initialContext, name)) problems.push(`${call('data')} and ${call('initialContext')} both have ${name}: call one of them something else`)
    if (pick === 'once' && warmup !== undefined) problems.push(`${call('warmup')} and data.${name}: a warm-up would use rows up that are for one time only; leave the start out with ${call('skipFirst')}`)
  }
  return problems
}

/**
 * @param {Values} values
 * @param {(name: string) => string} call
 * @returns {Generator<Text>} every text that may be a template
 */
function * textsOf (values, call) {
  const { url = [], headers = [], har, expect, requests = [], scenarios = [] } = values
  const initial = new Set(Object.keys(values.initialContext ?? {}))
  const lists = [['requests', requests], ...scenarios.map((/** @type {{ requests: unknown[] }} */ { requests }, /** @type {number} */ i) => [`scenarios[${i}].requests`, requests])]
  const context = new Set([...initial, ...lists.flatMap(([, entries]) => entries.flatMap(captured))])
  for (const [name, value] of headers) yield { text: value, place: `${call('headers')} ${name}`, kind: 'header', header: name, context }
  yield * textsOfExpectation(expect ?? null, call('expect'), context)
  if (har !== undefined) return
  for (const one of url) yield { text: one, place: call('url'), kind: 'path', context }
  for (const name of ['body', 'input', 'dataBody', 'jsonBody']) if (typeof values[name] === 'string') yield { text: values[name], place: call(name === 'dataBody' ? 'data' : name), kind: 'body', context }
  for (const [list, entries] of lists) yield * textsOfEntries(list, entries, initial)
}

/**
 * @param {string} list its place
 * @param {Array<Record<string, any>>} entries of requests
 * @param {ReadonlySet<string>} initial names that the context begins with
 * @returns {Generator<Text>}
 */
function * textsOfEntries (list, entries, initial) {
  const context = new Set(initial)
  for (const [i, entry] of entries.entries()) {
    const place = `${list}[${i}]`
    const { path, headers, body, expect } = entry
    const known = new Set(context)
    if (typeof path === 'string') yield { text: path, place: `${place}.path`, kind: 'path', context: known }
    for (const [name, value] of headers === undefined || headers === null ? [] : parseHeaders(headers)) yield { text: value, place: `${place}.headers.${name}`, kind: 'header', header: name, context: known }
    if (typeof body === 'string') yield { text: body, place: `${place}.body`, kind: 'body', context: known }
    if (expect !== undefined && expect !== null) yield * textsOfExpectation(parseExpectation(expect), `${place}.expect`, known)
    // What an answer gives is there for the requests behind it.
    for (const name of captured(entry)) context.add(name)
  }
}

/** @param {Record<string, any>} entry of requests */
const captured = ({ capture }) => Object.keys(capture ?? {})

/**
 * @param {import('../checks/expectation').Expectation | null} expect
 * @param {string} place
 * @param {ReadonlySet<string>} context
 * @returns {Generator<Text>}
 */
function * textsOfExpectation (expect, place, context) {
  const { headers, body, json } = expect ?? { headers: null, body: null, json: null }
  for (const [name, value] of headers ?? []) if (typeof value === 'string') yield { text: value, place: `${place}.headers.${name}`, kind: 'expect', context }
  for (const [path, value] of Array.isArray(json) ? json : []) if (typeof value === 'string') yield { text: value, place: `${place}.json.${path}`, kind: 'expect', context }
  const texts = body === null ? [] : 'includes' in body ? body.includes : 'exact' in body && typeof body.exact === 'string' ? [body.exact] : []
  for (const text of texts) yield { text, place: `${place}.body`, kind: 'expect', context }
}

/**
 * @param {Text} given
 * @param {ReadonlyArray<DataSource>} sources
 * @returns {string[]}
 */
function problemsOf (given, sources) {
  const { place, kind, header } = given
  if (header !== undefined && FRAMING.has(header.toLowerCase())) return [`${place}: expected no template, as it says where the request ends; leave it out`]
  try {
    const text = kind === 'path' ? pathText(given.text) : given.text
    return parseTemplate(text).flatMap(part => {
      const problem = typeof part === 'string' ? null : problemOf(part, given, sources)
      return problem === null ? [] : [`${place}: ${problem}`]
    })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return [`${place}: ${error.message}`]
  }
}

/**
 * @param {Expression} expression
 * @param {Text} where it stands
 * @param {ReadonlyArray<DataSource>} sources
 * @returns {string | null}
 */
function problemOf ({ text, kind, raw, args }, { context, kind: where }, sources) {
  const [name] = text.split(/[.\s]/, 1)
  if (kind === 'env') return variable(args[0]) === undefined ? `{{${text}}}: the environment has no variable ${show(args[0])}` : null
  if (kind !== 'value') return context.has(name) ? `{{${name}}} has a meaning of its own, and is in the context, too: call that something else` : null
  const source = sources.find(one => one.name === text.split('.', 1)[0])
  if (source !== undefined) {
    return context.has(source.name)
      ? `{{${source.name}}} is a source of data, and in the context, too: call one of them something else`
      : problemOfColumn(text, source, where === 'header' ? 'a header' : where === 'path' && raw ? 'a path as it is' : null)
  }
  if (context.has(name)) return null
  const known = [...sources.map(({ name }) => name), ...context, ...BUILT_IN]
  return `nothing provides {{${text}}}${suggest(name, known)}; there are ${listed(known)}`
}

/**
 * @param {string} text
 * @param {DataSource} source
 * @param {string | null} narrow where it stands, if that takes no line breaks
 * @returns {string | null}
 */
function problemOfColumn (text, { name, source, rows: { columns }, breaks }, narrow) {
  const column = text.slice(name.length + 1)
  if (columns === null && column !== '') return `{{${text}}}: a row of ${source} is one value: write {{${name}}}`
  const index = columns === null ? 0 : columns.indexOf(column)
  if (columns !== null && column === '') return `{{${text}}}: expected a column as well, such as {{${name}.${columns[0]}}}, got none; there are ${listed(columns)}`
  if (columns !== null && index === -1) return `{{${text}}}: ${source} has no column ${show(column)}${suggest(column, [...columns])}; there are ${listed(columns)}`
  return narrow !== null && breaks.has(index) ? `{{${text}}} stands in ${narrow}, where no line break and no NUL may be, and ${source}, ${breaks.get(index)}, has one there` : null
}

/** @param {ReadonlyArray<string>} names */
function listed (names) {
  const more = names.length - MOST_NAMES
  return names.slice(0, MOST_NAMES).map(name => show(name).slice(1, -1)).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/**
 * A length that the user tells would not be that of the body with its values.
 * @param {Values} values
 * @param {(name: string) => string} call
 * @returns {string[]}
 */
function aboutLengths ({ headers = [], body, input, dataBody, jsonBody, requests = [], scenarios = [] }, call) {
  const all = input ?? dataBody ?? jsonBody ?? body
  const entries = [{}, ...requests, ...scenarios.flatMap((/** @type {{ requests: unknown[] }} */ { requests }) => requests)]
  return entries.some(entry => {
    const text = entry.body ?? all
    const pairs = [...headers, ...entry.headers === undefined || entry.headers === null ? [] : parseHeaders(entry.headers)]
    return typeof text === 'string' && hasExpression(text) && pairs.some(([name]) => name.toLowerCase() === 'content-length')
  })
    ? [`${call('headers')}: a body that is a template has the length of its values: leave the Content-Length out`]
    : []
}

/**
 * @param {string} given a path, or a URL
 * @returns {string} a path, in which expressions are written as they were
 */
function pathText (given) {
  if (!/^https?:\/\//i.test(given) || !hasExpression(given)) return given
  const { pathname, search } = new URL(given)
  return (pathname + search).replace(/(?:%7B|\{){2,3}.*?(?:%7D|\}){2,3}/gi, found => decodeURIComponent(found))
}

/**
 * @param {import('../scenario/target').Target} target
 * @returns {import('../scenario/target').Target} with its path as it was written
 */
function withPathText (target) {
  return hasExpression(target.url) ? { ...target, path: pathText(target.url) } : target
}

/**
 * @param {ReadonlyArray<import('./plan').Scenario>} scenarios
 * @param {Values} values that have templates, or data
 * @param {ReadonlyArray<import('../scenario/target').Target>} targets
 * @returns {ReadonlyArray<import('./plan').Scenario>} whose steps say which of their texts are templates
 */
function withTemplates (scenarios, { data, har, headers = [] }, targets) {
  const sources = data?.sources ?? []
  const own = new Set(headers.map((/** @type {[string, string]} */ [, value]) => value))
  /** @param {import('./plan').Step} step */
  const read = step => {
    const request = har === undefined ? step.request : Object.freeze(literalRequest(step.request, own))
    const templates = templatesOf({ ...request, path: request.path ?? targets[step.target].path }, step.rule, sources)
    return templates === null ? step : Object.freeze({ ...step, request, templates })
  }
  return Object.freeze(scenarios.map(scenario => Object.freeze({
    ...scenario,
    steps: Object.freeze(scenario.steps.map(read)),
    rounds: scenario.rounds === null ? null : Object.freeze(scenario.rounds.map(round => Object.freeze({ ...round, steps: Object.freeze(round.steps.map(read)) })))
  })))
}

/**
 * @param {Request} request
 * @param {import('../checks/rule').Rule} rule
 * @param {ReadonlyArray<DataSource>} sources
 * @returns {import('../scenario/compiled-scenario').Templates | null} null when there are none in it
 */
function templatesOf ({ path, headers, body }, { name, title, expect }, sources) {
  const texts = [path, ...headers.map(([, value]) => value), body, ...Array.from(textsOfExpectation(expect, '', new Set()), ({ text }) => text)]
    .filter(text => typeof text === 'string' && hasExpression(text))
  if (texts.length === 0) return null
  const names = texts.flatMap(text => expressionsOf(/** @type {string} */ (text))).map(({ text }) => text.split('.', 1)[0])
  return Object.freeze({ sources: Object.freeze([...sources.keys()].filter(i => names.includes(sources[i].name))), title: name ?? title })
}

/**
 * @param {string} text
 * @returns {Expression[]}
 */
function expressionsOf (text) {
  return parseTemplate(text).flatMap(part => typeof part === 'string' ? [] : [part])
}

/**
 * @param {Request} request that was recorded
 * @param {ReadonlySet<string>} templates values of headers that were given
 * @returns {Request} a template of that: what was recorded stands for itself
 */
function literalRequest ({ method, path, headers, body }, templates) {
  return {
    method,
    path: path === null ? null : escapeTemplate(path),
    headers: headers.map(([name, value]) => /** @type {const} */ ([name, templates.has(value) ? value : escapeTemplate(value)])),
    body: typeof body === 'string' ? escapeTemplate(body) : body
  }
}

/**
 * @param {Values} values that have templates, or data
 * @param {ReadonlyArray<import('./plan').Scenario>} scenarios
 * @returns {import('../scenario/provision').PlannedProvision}
 */
function provisionOf (values, scenarios) {
  const { data, seed = 1 } = values
  const steps = scenarios.flatMap(({ steps, rounds }) => [...steps, ...(rounds ?? []).flatMap(({ steps }) => steps)])
  const named = new Set(steps.flatMap(({ templates }) => templates?.sources ?? []))
  const variables = Array.from(textsOf(values, name => name)).flatMap(({ text }) => hasExpression(text) ? expressionsOf(pathText(text)) : []).filter(({ kind }) => kind === 'env').map(({ args: [name] }) => name)
  const turn = Object.freeze({ part: 0, parts: 1 })
  const sources = (data?.sources ?? []).map((/** @type {DataSource} */ { name, pick, end, rows }, /** @type {number} */ i) =>
    Object.freeze({ name, pick, end, always: !named.has(i), turn, seed: seed + i, ...rows }))
  return Object.freeze({
    sources: Object.freeze(sources),
    env: Object.freeze(Object.fromEntries(variables.map(name => [name, variable(name) ?? '']))),
    turn,
    seed
  })
}

/**
 * Generators take turns: in the rows of each source, and in counting.
 * @param {import('../scenario/provision').PlannedProvision} provision
 * @param {number} part which generator
 * @param {number} parts
 * @returns {import('../scenario/provision').PlannedProvision}
 */
function provisionShare (provision, part, parts) {
  const turn = Object.freeze({ part, parts })
  return Object.freeze({ ...provision, turn, sources: Object.freeze(provision.sources.map(source => Object.freeze({ ...source, turn }))) })
}

module.exports = { aboutTemplates, provisionOf, provisionShare, withPathText, withTemplates }
