'use strict'

// --ui: the live page of a run from the command line.

const { openPage } = require('../../follow/page/open')
const { version } = require('../../../package.json')

/**
 * @type {(values: import('../../options/normalize').Values, context: import('./views').Context) =>
 *   Promise<import('./views').View>}
 */
function openUi ({ ui, open, baseline }, { stderr, env, interrupt }) {
  return openPage({ ui, open, baseline: [baseline].flat()[0], version }, {
    env,
    say: sentence => stderr.write(`autocannon: ${sentence}\n`),
    // On a separate line, a click selects only the link.
    show: link => stderr.write(`autocannon: live page of this run:\n${link}\n`),
    // A second signal would end the process at once.
    stop: () => {
      if (interrupt.signal !== null) return
      interrupt.by = 'a viewer of the page (--ui)'
      interrupt.handle('SIGINT')
    }
  })
}

module.exports = { openUi }
