'use strict'

// The metrics of the time between the arrival of a response in the kernel and its read.

const noAbortOn = 'how late responses are read: that is judged when the run is over'

module.exports = {
  times: {
    'read late': {
      what: 'the time between the arrival of a response in the kernel and its read',
      row: { parts: undefined, noAbortOn }
    }
  },

  /** @type {import('../../figures/figures').Read} */
  read: ({ clock }) => ({ times: { 'read late': clock?.late } })
}
