'use strict'

// Reads the numbers of processes to watch.

const { show } = require('../core/foreign-text')

/** No Linux has more: PID_MAX_LIMIT of 64 bits. */
const GREATEST = 4_194_304
/** The limit of watched processes. */
const MOST = 100

/**
 * @param {unknown} given a number or a text, or an array of them; a text may have several, as pgrep prints them
 * @throws {TypeError}
 */
function parsePids (given) {
  const words = [given].flat().flatMap(one => typeof one === 'string' ? one.trim().split(/[\s,]+/) : [one])
  const pids = words.map(word => {
    const pid = typeof word === 'string' && /^\d+$/.test(word) ? Number(word) : word
    if (typeof pid !== 'number' || !Number.isInteger(pid) || pid < 1 || pid > GREATEST) {
      const hint = word === ''
        ? ': pgrep prints nothing when no process is called so'
        : typeof word === 'string' && /^[a-z]/i.test(word) ? ': pgrep NAME finds it' : ''
      throw new TypeError(`expected the PID of a process, such as 1234, got ${show(word)}${hint}`)
    }
    return pid
  })
  if (pids.length === 0 || pids.length > MOST) throw new TypeError(`expected 1 to ${MOST} PIDs, got ${pids.length}`)
  return [...new Set(pids)]
}

module.exports = { parsePids }
