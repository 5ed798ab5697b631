'use strict'

// The Clients of connections, through which hooks and listeners read and change requests.

const { makeRule } = require('../checks/rule')
const { show } = require('../core/foreign-text')
const { framed } = require('../requests/framing')
const { toRequest } = require('../requests/request')
const { Client } = require('../response/client')

/**
 * @typedef {import('./connection').Connection} Connection
 * @typedef {import('./connection-maker').Step} Step
 * @typedef {import('./connection-maker').ConnectionSource} ConnectionSource
 */

class Clients {
  /** @param {import('./connection-maker').ConnectionMaker} maker */
  constructor (maker) {
    this.maker = maker
    if (maker.plan.hooks.setupClient !== undefined) loadForClients()
  }

  /** @type {(connection: Connection) => Client} */
  make (connection) {
    const { defaults, pipelining } = this.maker.plan
    const source = () => /** @type {ConnectionSource} */ (connection.source)
    const client = new Client({
      defaults,
      currentRequest: () => source().current,
      editRequest: request => { connection.source = source().edit(request) },
      replaceRequests: given => this.replace(connection, this.maker.compile(this.readSteps(given, source().target)))
    }, pipelining)
    this.maker.readersOf(connection).client = client
    return client
  }

  /**
   * @param {Array<Record<string, any>>} given to setRequests
   * @param {import('../requests/target').Target} target
   * @returns {Step[]}
   * @throws {TypeError}
   */
  readSteps (given, target) {
    const { defaults, ruleBase } = this.maker.plan
    return given.map((entry, i) => {
      const request = framed(toRequest(entry, defaults))
      const { setupRequest, onResponse, check, checkEvent } = entry
      const hooks = { setupRequest, onResponse, check, checkEvent }
      for (const [name, hook] of Object.entries(hooks)) {
        if (hook !== undefined && typeof hook !== 'function') {
          throw new TypeError(`setRequests: ${name} of request ${i} has to be a function, got ${show(hook)}`)
        }
      }
      return { target, request, rule: makeRule(entry, ruleBase, request, target, given.length === 1), hooks }
    })
  }

  /**
   * Assigns another scenario to the connection, from its first step on.
   * @type {(connection: Connection, scenario: import('../users/compiled-scenario').CompiledScenario) => void}
   */
  replace (connection, scenario) {
    const outer = /** @type {ConnectionSource} */ (connection.source)
    const source = 'source' in outer ? outer.source : outer
    // A Script may be writing a request, because one of its own hooks may have called this.
    if ('replace' in source) source.replace(scenario)
    else connection.source = this.maker.walk(connection, scenario, 0)
  }
}

/**
 * Loads the modules for changes of requests. During the run connections may use all file descriptors, so that no file
 * can be opened.
 */
function loadForClients () {
  require('../checks/expectation')
  require('../checks/compile')
  require('../templates/own')
  require('../users/script')
  require('re2js')
}

module.exports = { Clients }
