'use strict'

// A live page of a run that a test plays: what has been measured and what time it is are what the test says.

const { LivePage } = require('../../../lib/follow/page/live-page')
const { PageServer } = require('../../../lib/follow/page/server')
const { exampleResult } = require('../results/example-result')

const TOKEN = 'aaaaaaaaaaaaaaaaaaaaaa'

/** A run that goes on as the test tells it to. */
class PlayedRun {
  /** @param {Record<string, any>} opts */
  constructor (opts) {
    this.opts = opts
    /** @type {Record<string, any> | null} */
    this.now = null
    /** @type {any} */
    this.follower = null
  }

  /** @param {any} follower */
  follow (follower) {
    this.follower = follower
  }

  soFar () {
    return this.now
  }
}

/**
 * @param {{ teardown: Function }} t ends it
 * @param {{ opts?: Record<string, any>, about?: any, baseline?: Record<string, any>, names?: string[] }} [options]
 */
async function playedPage (t, { opts = { duration: 20 }, about, baseline, names = ['127.0.0.1'] } = {}) {
  let time = 0
  /** @type {string[]} */
  const said = []
  /** @type {Array<() => void>} */
  let waiting = []
  const pass = () => {
    time += 1000
    const due = waiting
    waiting = []
    for (const then of due) then()
  }
  const page = new LivePage({
    baseline,
    clock: () => time,
    setTimeout: then => {
      waiting.push(then)
      // One that comes late, as on a slow network.
      setImmediate(pass)
      return { unref () {} }
    }
  })
  const server = new PageServer(page, { rules: { token: TOKEN, names: new Set(names), anyAddress: false }, version: '1.0.0', stop: () => { said.push('stop') } })
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  const run = new PlayedRun(opts)
  page.follow(run, about)
  t.teardown(() => server.end())
  return {
    page,
    server,
    run,
    said,
    port,
    link: `http://127.0.0.1:${port}/${TOKEN}/`,
    token: TOKEN,
    start () { run.follower.start({ start: 0 }) },
    /** @param {Record<string, any>} result until now, a second later */
    measure (result) {
      pass()
      run.now = result
      run.follower.sample({ point: { requests: 1, length: 1000 }, inFlight: 1 })
    },
    /** @param {number} seconds that have been measured @param {Record<string, any>} [changes] */
    go (seconds, changes = {}) {
      this.measure(exampleResult({ seconds, ...changes }))
    },
    /** @param {Record<string, any>} result */
    done (result) {
      pass()
      run.follower.done(result)
    }
  }
}

module.exports = { playedPage, PlayedRun }
