'use strict'

// The CPU limits of Linux control groups for this process: the quota of its group and of all groups above, and the time
// for which it was throttled (cgroups(7); version 2: cpu.max and cpu.stat, version 1: cpu.cfs_quota_us and cpu.stat).

const ROOT = '/sys/fs/cgroup'

/**
 * @typedef {(path: string) => string | null} Read the text of a file; null when it can't be read
 *
 * @typedef {object} Group one that has a quota
 * @property {string} folder
 * @property {number} cores
 */

/** Returns from this process's own one upwards. @type {(read: Read) => Group[]} */
function quotaGroups (read) {
  return foldersOf(read('/proc/self/cgroup') ?? '').flatMap(folder => {
    const cores = coresOf(read(`${folder}/cpu.max`)) ??
      coresOf(joined(read(`${folder}/cpu.cfs_quota_us`), read(`${folder}/cpu.cfs_period_us`)))
    return cores === null ? [] : [{ folder, cores }]
  })
}

/**
 * @param {string} text of /proc/self/cgroup
 * @returns {string[]} folders in which files on the CPU may be. In a container the path is often that of the host, and
 *   the group is the root.
 */
function foldersOf (text) {
  const lines = text.split('\n').map(line => /^\d+:([^:]*):(\/.*)$/.exec(line)).filter(match => match !== null)
  const legacy = lines.find(([, controllers]) => controllers.split(',').includes('cpu'))
  const unified = lines.find(([, controllers]) => controllers === '')
  const roots =
    /** @type {Array<[string, string]>} */ ([...legacy === undefined
      ? []
      : [
          [`${ROOT}/${legacy[1]}`, legacy[2]]
        ], ...unified === undefined ? [] : [[ROOT, unified[2]]]])
  return [...new Set(roots.flatMap(([root, path]) => upwards(path).map(path => root + path)))]
}

/**
 * @param {string} path such as `/a/b`
 * @returns {string[]} `/a/b`, `/a` and ``
 */
function upwards (path) {
  const names = path.split('/').filter(name => name !== '')
  return Array.from({ length: names.length + 1 }, (_, i) =>
    names.slice(0, names.length - i).map(name => `/${name}`).join(''))
}

/** @type {(quota: string | null, period: string | null) => string | null} */
function joined (quota, period) {
  return quota === null || period === null ? null : `${quota.trim()} ${period}`
}

/**
 * @param {string | null} text quota and period, µs: `150000 100000`; `max` or -1 for none
 * @returns {number | null} cores
 */
function coresOf (text) {
  const [, quota, period] = /^(\d+)\s+(\d+)\s*$/.exec(text ?? '') ?? []
  const cores = Number(quota) / Number(period)
  return cores > 0 && cores < Infinity ? cores : null
}

/**
 * @param {string | null} text of cpu.stat
 * @returns {number} ms for which processes of the group were throttled; 0 where it is not reported
 */
function throttledMs (text) {
  const [, unit, value] = /^throttled_(usec|time) (\d+)$/m.exec(text ?? '') ?? []
  return value === undefined ? 0 : Number(value) / (unit === 'usec' ? 1e3 : 1e6)
}

module.exports = { quotaGroups, throttledMs }
