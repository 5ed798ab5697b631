'use strict'

// Checks which options cannot be combined with user functions.

const { problemWith, problemAt } = require('../../core/problem')
const { hasExpressionWithin } = require('../../requests/expression')
const { inIterations, isPaced } = require('../load/load')

/** Other options that define requests. */
const REQUESTS = ['scenarios', 'requests', 'har']
const BODIES = ['form', 'body', 'bodyRaw', 'input', 'jsonBody', 'dataBody']

/** @type {import('../normalize').Rules} */
function aboutFunctions (values, call) {
  const { user, scenarios = [], headers = [], url } = values
  const problems = []
  const place = user === undefined
    ? `scenarios[${scenarios.findIndex((/** @type {Record<string, any>} */ one) => one.user !== undefined)}].user`
    : 'user'
  if (user !== undefined) {
    for (const name of REQUESTS) {
      if (values[name] !== undefined) {
        problems.push(problemWith(call, [name, place], 'each set the requests: use one of them'))
      }
    }
    const body = BODIES.find(name => values[name] !== undefined)
    if (body !== undefined) {
      problems.push(problemAt(call, [body === 'dataBody' ? 'data' : body, place], 'a user function gives the body of ' +
        'each request itself, as in http.post(path, { json })'))
    }
  }
  if (isPaced(values) && inIterations(values) === null) {
    const number = values.rate?.number ?? 50
    problems.push(problemWith(call, place, 'and a rate of requests: a function sends its requests one after another, ' +
      `so the rate is one of iterations, such as ${call('rate')} '${number} iterations/s'`))
  }
  if (hasExpressionWithin([headers, url])) {
    problems.push(problemAt(call, place, 'a template {{…}} in ' +
      `${hasExpressionWithin([url]) ? 'the URL' : call('headers')} has no value in a user function, which gives its ` +
      'own, as in http.get(path, { headers })'))
  }
  return problems
}

module.exports = { aboutFunctions }
