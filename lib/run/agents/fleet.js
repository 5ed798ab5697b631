'use strict'

// The agents of a run, as seen by its coordinator: requests agents, waits for them, monitors them, creates channels to
// their generators, and releases them.

const { randomBytes } = require('node:crypto')
const { hostname } = require('node:os')
const { setTimeout: sleep } = require('node:timers/promises')
const { sharedNow } = require('../../core/clock')
const { AgentLostError, AutocannonError } = require('../../core/errors')
const { isRecord, oneLine } = require('../../core/foreign-text')
const { withTimeout } = require('../../core/timers')
const { RemoteChannel } = require('../channel-remote')
const { generatorsOf } = require('./generators')
const { Jobs } = require('./jobs')
const { Mailbox } = require('./mailbox')
const { Member } = require('./member')
const { bareOf } = require('./modules')
const { Presence, announcementOf } = require('./presence')
const { version } = require('./queue')
const { Redis } = require('./redis')
const { RedisClock } = require('./redis-clock')
const { disagreement } = require('./signature')

/** The interval of ticks, which repeat messages and detect silence, ms. */
const TICK = 250

/** The expiry of the key that marks the run as alive, ms. */
const ALIVE = 5000

/** The time in addition to the slowest round trips until every generator has received the start time, ms. */
const LEAD = 50

/** The interval of counting agents, ms, and the wait before a notice. */
const LOOK = 500
const SILENT = 1000

/**
 * After this number of ticks without a response of Redis the run ends. Its agents have aborted by then, but do not
 * count as lost yet.
 */
const MOST_SILENT_TICKS = 24

/** The interval of renewing the expiry of BullMQ's keys, ticks. */
const PROLONG_EVERY = 40

/** The limit of an agent's reason in characters; it is untrusted. */
const LONGEST_REASON = 200

/** The interval of measuring the clock of Redis, ticks: it may be set. */
const CLOCK_EVERY = 20

/**
 * The maximum age of an agent's last message at the start of a run, ticks. Otherwise the others would wait for a killed
 * agent.
 */
const FRESH = 8

/**
 * How long a run keeps its agents while a named agent works for another run, ms. It is random, so that two runs do not
 * release at the same time.
 */
const keepTime = () => 1000 + 2000 * Math.random()

/** The timeout for agents at the end, ms. */
const RELEASE_TIMEOUT = 1000

/**
 * @typedef {object} Wish
 * @property {import('./redis').Settings} redis
 * @property {number | 'all'} agents
 * @property {number} timeout ms
 * @property {number | undefined} workers of each agent
 * @property {Record<string, number> | number[] | undefined} weights
 * @property {'continue' | 'stop'} onLoss
 * @property {string | null} key
 * @property {(plan: import('../../options/plan').Plan) => Promise<import('../../options/plan').Plan>} pack prepares a
 *   plan for other machines
 *
 * @typedef {object} Gathering the agents while the run waits for them
 * @property {number | 'all'} wanted
 * @property {string[]} here
 * @property {string[]} unnamed further agents, without a weight by name
 * @property {string[]} busy
 * @property {Array<{ name: string, version: string }>} others of another version
 *
 * @typedef {object} Listener
 * @property {(sentence: string) => void} notify receives problems
 * @property {(gathering: Gathering) => void} onGathering called during the wait
 * @property {AbortSignal} signal
 *
 * @typedef {object} AgentInfo
 * @property {string} name
 * @property {string} host
 * @property {number} cores
 * @property {string} node version of Node.js
 * @property {number} workers the number of its generators
 * @property {number} clockError the error of its clock relative to the others, ms
 */

class Fleet {
  /** @param {Wish} wish @param {Listener} listener */
  constructor (wish, listener) {
    this.wish = wish
    this.listener = listener
    /** The effect of a lost agent. */
    this.onLoss = wish.onLoss
    this.run = randomBytes(16).toString('hex')
    this.redis = new Redis(wish.redis, listener.notify)
    this.clock = new RedisClock(() => this.redis.time(), sharedNow)
    this.presence = new Presence(this.redis)
    this.mailbox = new Mailbox(this.redis, this.redis.key('run', this.run, 'from'))
    /** By job. @type {Map<string, Member>} */
    this.members = new Map()
    this.jobs = new Jobs(this.redis, this.run, (job, reason) =>
      reason === null ? this.dismiss(job) : this.lose(job, reason))
    /**
     * Agents that have identified themselves, sorted by name once all are connected.
     * @type {Array<{ member: Member, info: AgentInfo }>}
     */
    this.connected = []
    /** The number of generators of all agents. */
    this.size = 0
    /** Returns the index of the agent of a generator. @type {(generator: number) => number} */
    this.agentOf = () => 0
    /** The time until every generator has received the start time, ms. */
    this.lead = LEAD
    this.slowest = 0
    this.closed = false
    this.ticks = 0
    /** Ticks since the last reply of Redis. */
    this.silentTicks = 0
    this.onChange = () => {}
    this.onFree = () => {}
    /** @type {(error: Error) => void} */
    this.onFailure = () => {}
  }

  get agents () {
    return this.connected.map(({ info }) => info)
  }

  /**
   * @returns {Promise<Fleet | null>} resolves when all agents are connected; null if the run ended before
   * @throws {AutocannonError}
   */
  async gather () {
    await this.redis.open()
    const { signal } = this.listener
    // A command may wait for ever while Redis is unreachable.
    const ended = new Promise((resolve, reject) => {
      this.onFailure = reject
      signal.addEventListener('abort', resolve)
      if (signal.aborted) resolve(undefined)
    })
    this.timer = setInterval(() => this.tick(), TICK)
    try {
      await Promise.race([ended, this.follow().then(() => this.requestAgents())])
    } catch (error) {
      await this.release()
      throw this.redis.explained(/** @type {Error} */ (error))
    }
    if (signal.aborted) await this.release()
    return this.closed ? null : this
  }

  /** Starts to receive messages of agents. */
  async follow () {
    await this.clock.measure()
    await this.live()
    this.collecting = this.mailbox.collect(entry => this.take(entry)).catch(error => this.fail(error))
    await this.jobs.open()
  }

  async requestAgents () {
    const { wish: { agents, timeout, redis }, listener: { onGathering } } = this
    const until = performance.now() + timeout
    /** @type {() => void} */
    let wake = () => {}
    this.onChange = () => wake()
    let wanted = agents === 'all' ? 0 : agents
    let last = ''
    const since = performance.now()
    let keptUntil = since + keepTime()
    for (;;) {
      if (this.closed) return
      const announcements = await this.presence.list()
      const ours = new Set([...this.members.values()].map(({ identity }) => identity.agent))
      const same = announcements.filter(one => one.version === version)
      const before = wanted
      // Another run may have taken an agent, and an agent may have left.
      if (agents === 'all') wanted = same.filter(({ busy, id }) => !busy || ours.has(id)).length
      // Named agents need additional jobs, because unnamed agents have taken some.
      else wanted = agents + this.unnamed.length
      await this.jobs.match(wanted, job => this.members.has(job), !this.isNamed)
      // For 'all', the number must be stable: agents become idle one after the other, and one may have joined while
      // jobs were counted.
      const isWhole = agents === 'all'
        ? wanted > 0 && before === wanted && this.connected.length === wanted
        : this.connected.length === agents + this.unnamed.length
      if (isWhole && this.connected.every(({ member }) => member.quiet <= FRESH)) break
      const { unnamed } = this
      const gathering = {
        wanted: agents,
        here: this.connected.filter(one => !unnamed.includes(one)).map(({ info }) => info.name).sort(),
        unnamed: unnamed.map(({ info }) => info.name).sort(),
        busy: same.filter(({ busy, id }) => busy && !ours.has(id)).map(({ name }) => name),
        others: announcements.filter(one => one.version !== version).map(({ name, version }) => ({ name, version }))
      }
      // Avoids a deadlock of two runs that each hold an agent named by the other.
      if (performance.now() > keptUntil && gathering.busy.some(name => this.names(name))) {
        this.drop(this.connected)
        keptUntil = performance.now() + keepTime()
      }
      if (performance.now() > until) {
        throw new AutocannonError('AC_AGENT', tooFew(gathering, timeout, this.redis.shown, redis.prefix))
      }
      if (JSON.stringify(gathering) !== last && performance.now() - since > SILENT) {
        onGathering(gathering)
        last = JSON.stringify(gathering)
      }
      const changed = new Promise(resolve => { wake = () => resolve(undefined) })
      await withTimeout(Math.min(LOOK, Math.max(50, until - performance.now())), changed)
    }
    this.drop(this.unnamed)
    this.settle()
  }

  /** @returns {Fleet['connected']} connected agents without a weight by name */
  get unnamed () {
    const { weights = {} } = this.wish
    return this.isNamed ? this.connected.filter(({ info }) => !Object.hasOwn(weights, info.name)) : []
  }

  /** Whether the run requires certain agents by name. */
  get isNamed () {
    const { agents, weights } = this.wish
    return agents !== 'all' && weights !== undefined && !Array.isArray(weights)
  }

  /**
   * @param {string} name reported by an agent
   * @returns {boolean} whether weights contain the name, or a numbered form of it
   */
  names (name) {
    return this.isNamed && Object.keys(this.wish.weights ?? {}).some(key => key === name || key.startsWith(`${name}#`))
  }

  /** @param {Fleet['connected']} some to release for other runs */
  drop (some) {
    for (const { member } of some) {
      member.end(null)
      this.members.delete(member.identity.job)
      this.jobs.ids.delete(member.identity.job)
    }
    this.connected = this.connected.filter(one => !some.includes(one))
  }

  /** Sorts the connected agents by name, and assigns generators to them alternately. */
  settle () {
    const { weights } = this.wish
    this.connected.sort((a, b) => a.info.name < b.info.name ? -1 : a.info.name > b.info.name ? 1 : 0)
    const { counts, total, agentOf } = generatorsOf(this.agents, weights)
    for (const [i, { info }] of this.connected.entries()) info.workers = counts[i]
    Object.assign(this, { size: total, agentOf })
    for (const { member, info } of this.connected) {
      member.sendRunInfo({ name: info.name, host: hostname(), agents: this.connected.length })
    }
    this.lead = LEAD + 4 * Math.max(this.slowest, this.clock.slowest)
  }

  /**
   * @param {import('../../options/plan').Plan} plan
   * @returns {Promise<import('../../options/plan').Plan>} for the agents
   */
  pack (plan) {
    return this.wish.pack(plan)
  }

  /**
   * Checks the plan before other steps such as `setup`: otherwise agents would reject it only when their generators
   * open it.
   * @param {import('../../options/plan').Plan} plan
   * @param {AbortSignal} signal ends the wait
   * @throws {Error} the reason why an agent refuses the plan
   */
  async check (plan, signal) {
    const bare = await bareOf(await this.pack(plan))
    const ended = new Promise(resolve => signal.addEventListener('abort', resolve))
    if (signal.aborted) return
    await Promise.race([ended, Promise.all(this.connected.map(({ member }) => member.check(bare)))])
  }

  /** @type {import('../channel-local').MakeChannel} */
  makeChannel = (slice, sinks, observer, i) => {
    const { member } = this.connected[this.agentOf(i)]
    return new RemoteChannel(slice, sinks, observer, () => member.transport())
  }

  /** @param {Record<string, string>} entry untrusted */
  take (entry) {
    const { j: job, g: agent, o: nonce, ...rest } = entry
    if (this.closed || !this.jobs.ids.has(job)) return
    const known = this.members.get(job)
    const isNew = known === undefined
    // Another agent that claims the same job is ignored.
    if (!isNew && (known.identity.agent !== agent || known.identity.nonce !== nonce)) return
    if (isNew && (rest.n !== '1' || !/^[\da-f]{1,64}$/.test(agent ?? '') || !/^[\da-f]{32,64}$/.test(nonce ?? ''))) {
      return
    }
    const { redis, clock, run, wish: { key } } = this
    const member = known ?? new Member({ job, agent, nonce }, {
      redis,
      clock,
      key,
      run,
      onJoined: (member, joined) => this.join(member, joined),
      onLost: (member, reason, how) => this.lose(member.identity.job, reason, how),
      onBadSignature: error => this.fail(error)
    })
    if (isNew) this.members.set(job, member)
    // The agent's messages show whether it signs.
    const problem = disagreement(key, rest.s !== '' && rest.s !== undefined, { here: 'this side', there: 'an agent' })
    if (problem !== null) return this.fail(new AutocannonError('AC_KEY', problem))
    member.take(rest)
  }

  /** @param {Member} member @param {unknown} joined untrusted */
  join (member, joined) {
    const announcement = announcementOf(joined)
    const { workers, clockError, slowest } = /** @type {Record<string, any>} */ (isRecord(joined) ? joined : {})
    if (announcement === null || !(clockError >= 0 && slowest >= 0) ||
      !(workers === null || (Number.isInteger(workers) && workers >= 1 && workers <= 1024))) {
      return this.lose(member.identity.job, 'it does not identify itself')
    }
    const { name, host, cores, node } = announcement
    // Machines from the same image may have the same name.
    const taken = new Set(this.connected.map(({ info }) => info.name))
    member.name = name
    for (let i = 2; taken.has(member.name); i++) member.name = `${name}#${i}`
    this.slowest = Math.max(this.slowest, slowest)
    this.connected.push({
      member,
      info: {
        name: member.name, host, cores, node, workers: workers ?? this.wish.workers ?? cores,
        clockError: clockError + this.clock.error
      }
    })
    this.onChange()
  }

  /** @type {(job: string, reason: string, how?: 'silent' | 'left' | 'failed') => void} */
  lose (job, reason, how) {
    const member = this.members.get(job)
    if (member === undefined) return
    if (this.closed) return this.dismiss(job)
    if (member.ended) return
    const why = oneLine(reason, LONGEST_REASON)
    member.end(new AgentLostError(`agent ${member.name} is lost: ${why}`, why, how))
    if (this.size > 0) return
    // The run has not started yet, so another agent may replace it.
    this.members.delete(job)
    this.jobs.ids.delete(job)
    this.connected = this.connected.filter(one => one.member !== member)
    this.onChange()
  }

  /** @param {string} job completed */
  dismiss (job) {
    if (!this.closed) return this.lose(job, 'it has ended its work', 'left')
    this.members.delete(job)
    if (this.members.size === 0) this.onFree()
  }

  /** @param {Error} error reported for every agent */
  fail (error) {
    if (this.closed) return
    this.onFailure(error)
    for (const member of this.members.values()) member.end(error)
    this.onChange()
  }

  tick () {
    if (++this.ticks % 4 === 0) this.live().catch(error => this.redis.complain(error))
    if (this.ticks % PROLONG_EVERY === 0) this.jobs.prolong().catch(() => {})
    if (this.ticks % CLOCK_EVERY === 0) this.clock.measure().catch(() => {})
    if (++this.silentTicks > MOST_SILENT_TICKS) return this.fail(this.redis.silent(MOST_SILENT_TICKS * TICK))
    for (const member of this.members.values()) member.tick()
  }

  /** Publishes that this run is alive: agents ignore jobs of other runs. */
  async live () {
    await this.redis.client.set(this.redis.key('run', this.run, 'alive'), '', 'PX', ALIVE)
    this.silentTicks = 0
  }

  /** Releases the agents for other runs. */
  async release () {
    if (this.closed) return
    this.closed = true
    clearInterval(this.timer)
    this.onChange()
    const { redis, run } = this
    for (const [job, member] of this.members) {
      // A lost agent sends no message.
      if (member.ended) this.members.delete(job)
      member.end(null)
    }
    const free = new Promise(resolve => { this.onFree = () => resolve(undefined) })
    const leave = async () => {
      await this.jobs.remove(job => !this.members.has(job))
      // Waits until the agents are idle for the next run.
      if (this.members.size > 0) await Promise.race([free, rest(RELEASE_TIMEOUT)])
      await Promise.all([redis.client.del(redis.key('run', run, 'alive')), this.mailbox.close(true)])
      await this.jobs.prolong()
    }
    // An unreachable Redis, or a frozen agent, must not delay the exit.
    await Promise.race([leave().catch(() => {}), rest(2 * RELEASE_TIMEOUT)])
    this.mailbox.close()
    await Promise.race([this.jobs.close().catch(() => {}), rest(RELEASE_TIMEOUT)])
    redis.close()
  }
}

/** @param {number} ms without keeping the process alive */
const rest = ms => sleep(ms, undefined, { ref: false })

/**
 * @param {Gathering} gathering
 * @param {number} timeout ms
 * @param {string} shown the address of Redis
 * @param {string} prefix
 */
function tooFew ({ wanted, here, unnamed, busy, others }, timeout, shown, prefix) {
  const parts = [
    wanted === 'all'
      ? 'no agent is idle'
      : `${here.length} of ${wanted} agents are there${here.length === 0 ? '' : ` (${here.join(', ')})`}`,
    ...unnamed.length === 0 ? [] : [`${unnamed.join(', ')} came, and --weights name others`],
    ...busy.length === 0 ? [] : [`${busy.join(', ')} ${busy.length === 1 ? 'works' : 'work'} for another run`],
    ...others.map(({ name, version: theirs }) => `${name} is of version ${theirs}, and this is ${version}`)
  ]
  return `after ${timeout / 1000} s ${parts.join('; ')}. Start more with autocannon agent --redis ` +
    `${shown}${prefix === 'autocannon' ? '' : ` --redis-prefix ${prefix}`}, request fewer, or wait longer with ` +
    '--agents-timeout'
}

module.exports = { Fleet }
