'use strict'

// Requests that are sent once per run, before or after the load. Their captures become plain data for all load
// generators.

const { keepText, stringify, textOf, withBigInts } = require('../requests/json-numbers')

/**
 * @param {{ steps: ReadonlyArray<{ captures?: Readonly<Record<string, unknown>> }> }} userScenario
 * @returns {(iteration: any, send: () => Promise<void>) => Promise<Record<string, any>>} sends its requests, and
 *   returns their captures
 */
function senderOf ({ steps }) {
  const names = steps.flatMap(({ captures = {} }) => Object.keys(captures))
  return async ({ context }, send) => {
    await send()
    const captured = Object.fromEntries(names.filter(name => Object.hasOwn(context, name)).map(name =>
      [name, context[name]]))
    // A number beyond the precision of JavaScript keeps its digits.
    const text = stringify(withTextsOf(context, captured)) ?? '{}'
    return withBigInts(text, JSON.parse(text))
  }
}

/** @type {(context: Record<string, any>, captured: Record<string, any>) => Record<string, any>} */
function withTextsOf (context, captured) {
  for (const [name, value] of Object.entries(captured)) {
    if (typeof value === 'number') keepText(captured, name, textOf(context, name, value))
  }
  return captured
}

module.exports = { senderOf }
