'use strict'

// The sentences on agents, stages, iterations and proxies.

const { countedIn } = require('../core/counted')
const { cut, oneLine } = require('../core/foreign-text')
const { formatDuration, formatInteger, formatLatency, formatPercent, formatRate, plural } = require('../core/units')
const { errorList } = require('../figures/error-words')
const { cutList } = require('../figures/parts')
const { causeWords } = require('./rate')
const { led, whole, withoutStop } = require('./sentence')

/** Characters of the name of an agent. */
const LONGEST_NAME = 60

/** @typedef {import('../core/counted').Counted} Counted */

/** Characters of a message of a proxy, or of a reason of another machine. */
const LONGEST_MESSAGE = 300

/**
 * @param {'requests/s' | 'iterations/s' | 'connections'} unit of the changing load
 * @param {Counted} counted
 * @returns {string} the unit in short, after a figure
 */
function suffixOf (unit, { rate }) {
  return unit === 'requests/s' ? ` ${rate}` : unit === 'connections' ? ' conn.' : ` ${unit}`
}

/** @param {{ name: string, host: string }} agent */
const agentName = ({ name, host }) => cut(name === host ? name : `${name} (${host})`, LONGEST_NAME)

/** @param {{ lost: number, agents: number }} facts @returns {string} such as `2 of 8 agents were lost` */
function agentsLost ({ lost, agents }) {
  if (lost < agents) return `${formatInteger(lost)} of ${plural(agents, 'agent')} ${lost === 1 ? 'was' : 'were'} lost`
  return `${agents === 1 ? 'The agent was' : `All ${formatInteger(agents)} agents were`} lost`
}

/** @type {(missing: { share: number, requests: number | null }, counted: Counted) => string} */
const missingLoad = ({ share, requests }, { one }) =>
  `${formatPercent(share)} of the load${requests === null ? '' : ` (${plural(requests, one)})`}`

/** @param {{ stage: number, name: string | null }} facts */
const stageName = ({ stage, name }) => name === null ? String(stage) : `${stage} (${name})`

/** @type {Record<string, (cause: any, counted: Counted) => string>} causes that a missed rate does not have */
const STAGE_CAUSES = {
  'connecting-failed': ({ errorCodes }) => `connecting failed: ${errorList({ errorCodes })}`,
  'machine-exhausted': ({ errorCodes }) => `this machine has no more for this process: ${errorList({ errorCodes })}`,
  refused: () => 'the server did not take more',
  'busy-connections': () => 'every connection was in an iteration'
}

/** @type {(facts: any, counted: Counted) => string} */
function missedStage ({ unit, achieved, target, cause, ...stage }, counted) {
  const what = unit === 'connections'
    ? `${formatInteger(achieved)} of ${plural(target, 'connection')} were open at the end of it`
    : `${formatRate(achieved)} of ${formatRate(target)}${suffixOf(unit, counted)} ` +
      (unit === 'requests/s' ? 'were sent in it' : 'began in it')
  return `Stage ${stageName(stage)} did not come to its target: ${what}, ` +
    `because ${(STAGE_CAUSES[cause.reason] ?? causeWords)(cause, counted)}.`
}

/** @param {string | null} scenario */
const ofScenario = scenario => scenario === null ? '' : ` of ${scenario}`

/** @param {{ hanging: number, scenario: string | null }} facts */
const hung = ({ hanging, scenario }) =>
  `${plural(hanging, 'iteration')}${ofScenario(scenario)} hung when the run ended: ` +
  `${hanging === 1 ? 'it' : 'each'} waited for the server, ` +
  'and had taken more than twice as long as any that was completed'

/** @param {{ average: number, max: number } | null} wait */
const waitWords = wait =>
  wait === null ? '' : `, ${formatLatency(wait.average)} on average and ${formatLatency(wait.max)} at most`

/** @param {string} [proxy] without credentials */
const proxyName = proxy =>
  proxy === undefined ? 'the proxy' : proxy === 'env' ? 'the proxy of the environment' : `the proxy ${proxy}`

/** @param {string} message untrusted */
function ofProxy (message) {
  const line = oneLine(message, LONGEST_MESSAGE)
  return line.slice(0, 1).toUpperCase() + line.slice(1)
}

/** The sentence on a run in which only a proxy responded. */
const REFUSED = 'The proxy refused every request: no server was reached'

/** @param {{ name: string, host: string }} agent @param {Record<string, any>} result */
function lossOf ({ name, host }, { agents = [] }) {
  const reason = agents.find((/** @type {any} */ one) => one.name === name && one.host === host)?.lost?.reason
  return reason === undefined ? '' : `: ${withoutStop(reason)}`
}

/** @param {number} n @param {number} of @param {string} one */
const someOf = (n, of, one) =>
  of === 1 ? `The ${one}` : n === of ? `All ${plural(of, one)}` : `${formatInteger(n)} of ${plural(of, one)}`

/** @type {(facts: any, result: Record<string, any>) => string} */
function nodeSockets ({ native, node, connections }, { sockets, workers, agents }) {
  const generator = workers === undefined || agents !== undefined ? 'load generator' : 'worker'
  const reasons = (/** @type {'generators' | 'connections'} */ key) => (sockets?.reasons ?? [])
    .flatMap((/** @type {any} */ one) => one[key] > 0 ? [oneLine(one.reason, LONGEST_MESSAGE)] : [])
    .join('; ')
  const used = (/** @type {string} */ who, /** @type {string} */ why) =>
    `${who} used the sockets of Node.js instead of native ones${why === '' ? '' : ` (${why})`}.`
  return [
    ...node > 0 ? [used(someOf(node, native + node, generator), reasons('generators'))] : [],
    ...connections > 0 ? [used(plural(connections, 'connection'), reasons('connections'))] : [],
    'Their latencies end when responses are read.'
  ].join(' ')
}

/** @type {Record<string, import('./findings').Words>} */
const WORDS = {
  'node-sockets': (facts, _, result) => whole(nodeSockets(facts, result)),
  // The facts do not have the reason of the agent, which is untrusted text.
  'lost-agent': ({ after, missing, ...agent }, _, result) =>
    whole(`The agent ${agentName(agent)} was lost after ${formatDuration(after)}${lossOf(agent, result)}. ` +
      `What it had reported is in the figures; ${missingLoad(missing, countedIn(result))} is missing.`),
  'lost-agents': (facts, _, result) =>
    whole(`${agentsLost(facts)}, and with them ${missingLoad(facts.missing, countedIn(result))}.`),
  'missed-stage': (facts, _, result) => whole(missedStage(facts, countedIn(result))),
  'more-missed-stages': ({ more }) => whole(`${plural(more, 'more stage')} did not come to their targets.`),
  'unreached-stage': facts => whole(`The run ended before stage ${stageName(facts)}.`),
  'aborted-iterations': ({ aborted, ended, cutBy }) =>
    whole(`${formatInteger(aborted)} of ${plural(ended, 'iteration')} ${aborted === 1 ? 'was' : 'were'} aborted ` +
      `(${formatPercent(aborted / ended)}): ${cutList(cutBy)}.`),
  'hanging-iterations': facts => whole(`${hung(facts)}.`),
  'late-iterations': ({ scenario, target, achieved, waited, neverStarted, wait }) => whole([
    `${formatRate(achieved)} of ${formatRate(target)} iterations/s${ofScenario(scenario)} started.`,
    waited > 0 && `${plural(waited, 'iteration')} waited for a free connection${waitWords(wait)}.`,
    neverStarted > 0 && `${plural(neverStarted, 'iteration')} never started.`,
    waited > 0 && 'More connections run more iterations at once.'
  ].filter(Boolean).join(' ')),
  'no-events': ({ opened, kind }) => whole(kind === 'messages'
    ? `No message arrived on ${plural(opened, 'connection')}.`
    : `No event arrived in ${plural(opened, 'stream')}.`),
  'no-ages': ({ path, messages }) =>
    led(`No message had a number at json ${cut(oneLine(path, LONGEST_MESSAGE), LONGEST_NAME)}, of ` +
      `${formatInteger(messages)} that were received`, '--age takes the path of a time in ms since 1970.'),
  'endless-streams': ({ opened, events }) =>
    whole(`${formatInteger(events)} events arrived, and none of ${plural(opened, 'stream')} ended: there is no ` +
      'latency, and no check of a whole stream. --stream-for or --events closes streams in order.'),
  'no-proxy': () =>
    whole('No proxy was used: http_proxy, https_proxy and all_proxy name none for this server, ' +
      'or no_proxy excludes it. HTTP_PROXY is not read.'),
  'proxy-error': ({ message, count }) =>
    whole(`${ofProxy(message)} (${count === 1 ? 'once' : `${formatInteger(count)} times`}).`),
  'more-proxy-errors': ({ more }) =>
    whole(`There were ${plural(more, 'more error')} of other words at the proxy: see proxy.errors of the result.`),
  'proxy-refused': () => led(REFUSED),
  'proxy-authentication' ({ refused, proxy, hasCredentials }) {
    const why = hasCredentials
      ? 'does not take the user and password of its URL'
      : 'requires credentials, or rejected them; set user and password in its URL'
    return whole(`${plural(refused, 'response was', 'responses were')} 407: ${proxyName(proxy)} ${why}.`)
  },
  'proxy-or-server': ({ codes, proxy }) =>
    whole(`${codes.join(', ')} may come from ${proxyName(proxy)} or from the server.`)
}

module.exports = { REFUSED, WORDS, agentName, agentsLost, hung, ofScenario, proxyName, suffixOf }
