'use strict'

// The part of a plan for templates: which steps have templates, the sources of their values, and the split over several
// load generators.

const { mostOf, rampsConnections } = require('../../shapes/stages')
const { chooseScenarios } = require('../../users/choice')
const { escapeTemplate, hasExpression, nameIn, parseTemplate, pathOf } = require('../../requests/expression')
const { mapTexts } = require('../../requests/request')
const { pathText, textsOf, textsOfExpectation } = require('./templates')

/**
 * @typedef {import('../../requests/expression').Expression} Expression
 * @typedef {import('../../requests/request').Request} Request
 * @typedef {import('./data').DataSource} DataSource
 * @typedef {import('../normalize').Values} Values
 * @typedef {import('../../templates/shared-values').PlannedSharedValues} PlannedSharedValues
 */

/**
 * @param {import('../../requests/target').Target} target
 * @returns {import('../../requests/target').Target} with its path as written
 */
function withPathText (target) {
  return hasExpression(target.url) ? { ...target, path: pathText(target.url) } : target
}

/**
 * @param {ReadonlyArray<import('../plan').Scenario>} scenarios
 * @param {Values} values that have templates, or data
 * @param {ReadonlyArray<import('../../requests/target').Target>} targets
 * @returns {ReadonlyArray<import('../plan').Scenario>} with templates marked in their steps
 */
function withTemplates (scenarios, { data, har, headers = [] }, targets) {
  const sources = data?.sources ?? []
  const own = new Set(headers.map((/** @type {[string, string]} */ [, value]) => value))
  /** @param {import('../plan').Step} step */
  const read = step => {
    const request = har === undefined ? step.request : Object.freeze(literalRequest(step.request, own))
    const path = request.path ?? targets[step.target].path
    const templates = templatesOf({ ...request, path }, step.rule, sources, step.parts)
    return templates === null ? step : Object.freeze({ ...step, request, templates })
  }
  /** @type {(userScenario: import('../plan').UserScenario) => import('../plan').UserScenario} */
  const readUserScenario = ({ before = null, after = null, ...userScenario }) => Object.freeze({
    ...userScenario,
    steps: Object.freeze(withSources(userScenario.steps.map(read), userScenario, sources)),
    ...before !== null && { before: readUserScenario(before) },
    ...after !== null && { after: readUserScenario(after) }
  })
  return Object.freeze(scenarios.map(scenario => Object.freeze({
    ...scenario,
    steps: Object.freeze(scenario.steps.map(read)),
    userScenarios: scenario.userScenarios === null
      ? null
      : Object.freeze(scenario.userScenarios.map(readUserScenario))
  })))
}

/**
 * Adds the sources in expressions of a flow to its first request after those with `once`.
 * @type {(steps: import('../plan').Step[], of: import('../plan').UserScenario, sources: ReadonlyArray<DataSource>) =>
 *   import('../plan').Step[]}
 */
function withSources (steps, { flow, once }, sources) {
  const names = flow === null ? [] : require('../users/flows').namesIn(flow).map(nameIn)
  const named = [...sources.keys()].filter(i => names.includes(sources[i].name))
  const step = steps[once]
  if (named.length === 0) return steps
  const { sources: own = [], title = step.rule.name ?? step.rule.title } = step.templates ?? {}
  return steps.with(once, Object.freeze({
    ...step, templates: Object.freeze({ sources: Object.freeze([...new Set([...own, ...named])]), title })
  }))
}

/**
 * @param {Request} request
 * @param {import('../../checks/rule').Rule} rule
 * @param {ReadonlyArray<DataSource>} sources
 * @param {ReadonlyArray<unknown>} [parts] of a multipart body
 * @returns {import('../../users/compiled-scenario').Templates | null} null without templates
 */
function templatesOf ({ path, headers, body }, { name, title, expect }, sources, parts = []) {
  const texts = [path, ...headers.map(([, value]) => value), body, ...parts, ...Array.from(
    textsOfExpectation(expect, '', new Set()), ({ text }) => text
  )]
    .filter(text => typeof text === 'string' && hasExpression(text))
  if (texts.length === 0) return null
  const names = texts.flatMap(text => expressionsOf(/** @type {string} */ (text))).map(expression =>
    nameIn(pathOf(expression)))
  return Object.freeze({
    sources: Object.freeze([...sources.keys()].filter(i => names.includes(sources[i].name))), title: name ?? title
  })
}

/** @type {(text: string) => Expression[]} */
function expressionsOf (text) {
  return parseTemplate(text).flatMap(part => typeof part === 'string' ? [] : [part])
}

/**
 * @param {Request} request a recorded request
 * @param {ReadonlySet<string>} templates values of headers from options
 * @returns {Request} a template in which recorded text is escaped
 */
function literalRequest (request, templates) {
  const header = (/** @type {string} */ value) => templates.has(value) ? value : escapeTemplate(value)
  return mapTexts(request, { path: escapeTemplate, header, body: escapeTemplate })
}

/**
 * @param {Values} values that have templates, or data
 * @param {ReadonlyArray<import('../plan').Scenario>} scenarios
 * @returns {import('../../templates/shared-values').PlannedSharedValues}
 */
function sharedValuesOf (values, scenarios) {
  const { data, env, seed = 1 } = values
  const named = new Set(scenarios.flatMap(stepsIn).flatMap(sourcesOf))
  const again = new Set(
    scenarios.flatMap(({ steps, userScenarios }) =>
      [...steps, ...(userScenarios ?? []).flatMap(({ steps, once }) => steps.slice(once))])
      .flatMap(sourcesOf)
  )
  const variables = Array.from(textsOf(values))
    .flatMap(({ text }) => hasExpression(text) ? expressionsOf(pathText(text)) : [])
    .filter(({ kind }) => kind === 'env')
    .map(({ args: [name] }) => name)
  const turn = Object.freeze({ part: 0, parts: 1 })
  const sources = (data?.sources ?? []).map((
    /** @type {DataSource} */ { name, pick, end, source, rows }, /** @type {number} */ i
  ) =>
    Object.freeze({
      name, pick, end, always: !named.has(i), lasts: named.has(i) && !again.has(i), used: true, turn, seed: seed + i,
      isOfRequests: source === null, ...rows
    }))
  return Object.freeze({
    sources: Object.freeze(sources),
    env: Object.freeze(Object.fromEntries(variables.map(name => [name, env[name] ?? '']))),
    turn,
    seed
  })
}

/**
 * Load generators alternate in counters, and in the rows of each source that their scenarios use.
 * @param {import('../plan').Plan & { sharedValues: PlannedSharedValues }} plan
 * @param {ReadonlyArray<{ connections: number, firstConnection: number, groups?: ReadonlyArray<import('../plan').Group>
 *   }>} generators
 * @returns {PlannedSharedValues[]} by generator
 */
function splitSharedValues (plan, generators) {
  const { sharedValues, scenarios } = plan
  const users = sharedValues.sources.map(({ always }, source) => new Set([...scenarios.keys()].filter(i =>
    always || stepsIn(scenarios[i]).some(({ templates }) => templates?.sources.includes(source)))))
  const chosen = generators.map(generator => chosenBy(plan, generator))
  return generators.map((_, part) => Object.freeze({
    ...sharedValues,
    turn: Object.freeze({ part, parts: generators.length }),
    sources: Object.freeze(sharedValues.sources.map((source, i) => {
      const has = chosen.map(choices => choices.some(choice => users[i].has(choice)))
      return Object.freeze({
        ...source,
        used: has[part],
        turn: Object.freeze({
          part: has.slice(0, part).filter(Boolean).length, parts: Math.max(1, has.filter(Boolean).length)
        })
      })
    }))
  }))
}

/**
 * @param {import('../plan').Plan} plan
 * @param {{ connections: number, firstConnection: number, groups?: ReadonlyArray<import('../plan').Group> }} generator
 * @returns {number[]} the scenarios that its connections walk
 */
function chosenBy (plan, { connections, firstConnection, groups }) {
  const { scenarios } = plan
  // Where connections come and go, each load generator may have any scenario.
  if (groups !== undefined) return groups.flatMap(group => chosenIn(group, plan))
  return rampsConnections(plan) ? [...scenarios.keys()] : chooseScenarios(scenarios, firstConnection, connections)
}

/**
 * Returns indexes of the scenarios of its connections.
 * @type {(group: import('../plan').Group, plan: import('../plan').Plan) => number[]}
 */
function chosenIn ({ from, until, before, connections, ramp }, { scenarios: all, streams }) {
  const scenarios = all.slice(from, until)
  const choices = ramp === null
    ? chooseScenarios(scenarios, before, connections)
    : mostOf(ramp) * streams > before
      ? [...scenarios.keys()]
      : []
  return choices.map(choice => from + choice)
}

/** @param {import('../plan').Step} step */
const sourcesOf = ({ templates }) => templates?.sources ?? []

/** @param {import('../plan').Scenario} scenario */
const stepsIn = ({ steps, userScenarios }) => [...steps, ...(userScenarios ?? []).flatMap(({ steps, before, after }) =>
  [...steps, ...before?.steps ?? [], ...after?.steps ?? []])]

module.exports = { sharedValuesOf, splitSharedValues, withPathText, withTemplates }
