'use strict'

// The sources of connections for a plan with a list of requests. Connections to one origin share its requests and the
// position in the list.

const { makeRule } = require('../checks/rule')
const { makeInspectors } = require('../response/inspector')
const { Listed, ListedRequests, ListedWithIds } = require('../users/listed')
const { cursorOf, shareOfOnce } = require('../requests/picks')

class ListSources {
  /**
   * @param {import('../options/plan').Plan} plan
   * @param {import('../options/plan').Listing} list of the plan
   * @param {import('../users/compiled-scenario').Means} means
   * @param {Record<string, any>} hooks for all requests
   * @param {import('../record/recorder').Recorder} recorder
   */
  constructor ({ targets, defaults, ruleBase }, list, means, hooks, recorder) {
    this.targets = targets
    this.hasOwnValues = means.tags.length > 0 || (means.trace ?? null) !== null
    const titles = list.titles ?? [undefined]
    /** @type {import('../users/listed').ListMeans['describe']} */
    const describe = (shape, name) => {
      const target = targets[list.shapes[shape].origin]
      const rule = makeRule({ name: titles[name] }, { ...ruleBase, byRequest: false }, defaults, target, true)
      const inspectors = makeInspectors([{ target, rule, hooks: {} }], hooks, recorder)
      return { target, request: defaults, inspector: inspectors === null ? null : inspectors[0] }
    }
    this.requests = new ListedRequests({ list, defaults, targets, means, describe })
    /** Whether responses are inspected. */
    this.inspects = describe(0, 0).inspector !== null
    /** The number of requests of this generator to each origin; null if they are sent repeatedly. */
    this.limits = list.pick === 'once' ? list.origins.map(({ count }, i) => shareOfOnce(count, list.turns[i])) : null
    this.cursors = list.origins.map((origin, i) => cursorOf(list.pick, origin, list.turns[i], list.seed))
  }

  /** @param {number} origin index */
  source (origin) {
    return new (this.hasOwnValues ? ListedWithIds : Listed)(this.requests, this.cursors[origin], this.targets[origin])
  }
}

module.exports = { ListSources }
