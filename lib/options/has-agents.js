'use strict'

// Owns whether anything is said of agents: what reads it is loaded by those who do.

/** Options that say something of agents, and nothing without them. */
const ABOUT_AGENTS = ['redis', 'redisCluster', 'redisPrefix', 'agentsTimeout', 'weights', 'onAgentLoss', 'modules']

/**
 * @param {Readonly<Record<string, unknown>>} raw
 * @returns {boolean}
 */
function hasAgents (raw) {
  return ['agents', ...ABOUT_AGENTS].some(name => raw[name] !== undefined && raw[name] !== null)
}

module.exports = { ABOUT_AGENTS, hasAgents }
