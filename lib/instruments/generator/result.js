'use strict'

const { lagOf } = require('../../record/usage')
const { endsByArrival } = require('../clock/arrivals')
const { paceCircumstances } = require('../rate/kept-pace')
const rate = require('../rate/result')
const { healthOf, latencyOf } = require('./health')
const { rounded } = require('../../figures/parts')
const { round } = require('../../core/units')

/** Options of a run and of its requests that may be functions. */
const HOOKS = ['setupClient', 'verifyBody', 'check', 'checkEvent', 'setupRequest', 'onResponse']

/** @param {unknown} _ @param {import('../../figures/result').Context} context */
function derive (_, context) {
  const { outcome: { totals, usages, series, targetRate, users, agents = null }, identity } = context
  const paced = targetRate !== null
  const kept = paced ? rate.derive(_, context) : { rate: undefined }
  const iterations = dueIterations(totals, users)
  const lag = paced || iterations !== undefined ? lagOf(totals.distributions.lag) : undefined
  const circumstances = {
    byArrival: endsByArrival(totals),
    hasHooks: hasHooks(identity),
    latency: latencyOf(totals.distributions.latency),
    ...paceCircumstances({ ...kept, iterations })
  }
  const health = agents === null
    ? healthOf(usages, lag, series, undefined, circumstances)
    : require('../agents/result').healthOfAll(agents, usages, lag, series, circumstances)
  return { generator: roundedHealth(health) }
}

/**
 * @param {import('../../record/totals').Totals} totals
 * @param {import('../../figures/result').Outcome['users']} users
 * @returns {{ target: number, due: number, neverStarted: number } | undefined} undefined without a rate of iterations
 */
function dueIterations ({ instruments: { iterations } }, users) {
  const target = users?.rate ?? null
  if (target === null) return undefined
  const { arrived, neverStarted } = iterations?.allArrivals ?? { arrived: 0, neverStarted: 0 }
  return { target, due: arrived + neverStarted, neverStarted }
}

/**
 * @param {import('../../figures/result').Context['identity']} identity
 * @returns {boolean} whether the run calls functions of the user; true if the result has no options
 */
function hasHooks ({ options }) {
  if (options === undefined) return true
  const { requests = [], scenarios = [] } = /** @type {Record<string, any>} */ (options)
  const steps = [requests, ...scenarios.map((/** @type {any} */ one) => one.requests)].flat()
  return [options, ...steps].some(one => HOOKS.some(name => one?.[name] !== undefined))
}

/** @param {import('./health').GeneratorHealth} health */
function roundedHealth ({
  stolenMs, throttledMs, delayed, cpu, cpuTotal, eventLoopUtilization, lag, gcMs, stalledMs, runDelayMs, blockedMs,
  saturated, verdict, reason, cause
}) {
  return {
    ...rounded({ cpu, cpuTotal, eventLoopUtilization }),
    lag: rounded(lag),
    ...rounded({ gcMs, stalledMs, blockedMs }),
    runDelayMs: runDelayMs === null ? null : round(runDelayMs),
    stolenMs: stolenMs === null ? null : round(stolenMs),
    throttledMs: throttledMs === null ? null : round(throttledMs),
    delayed: delayed && rounded(delayed),
    saturated,
    verdict,
    reason,
    cause
  }
}

module.exports = { derive }
