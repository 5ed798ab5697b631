'use strict'

// Sets of statuses, codes and classes such as 5xx, as a lookup table by status.

/**
 * @param {ReadonlyArray<string>} list codes and classes, such as 429 and 5xx
 * @returns {Uint8Array} 1 at the index of each status in the list
 */
function statusesOf (list) {
  const among = new Uint8Array(1000)
  for (const one of list) {
    if (one.endsWith('xx')) among.fill(1, Number(one[0]) * 100, Number(one[0]) * 100 + 100)
    else among[Number(one)] = 1
  }
  return among
}

module.exports = { statusesOf }
