'use strict'

const t = require('tap')
const { Interrupt } = require('../../lib/cli/process/interrupt')

t.test('the second of two signals that come together is the first one again, and a later one ends the process', async t => {
  let at = 1000
  const exits = []
  const interrupt = new Interrupt({ streams: [], onUnwritten () {}, onUnread () {}, exit: code => exits.push(code), now: () => at })
  let asked = 0
  interrupt.onSignal = () => asked++
  interrupt.handle('SIGTERM')
  at += 2
  interrupt.handle('SIGTERM')
  at += 240
  interrupt.handle('SIGINT')
  t.strictSame([asked, exits, interrupt.signal], [1, [], 'SIGTERM'])
  at += 20
  interrupt.handle('SIGINT')
  t.strictSame([asked, exits], [1, [130]])
})
