'use strict'

// Loaded before an agent, also in its threads, it has all clocks of its machine be hours ahead of those of others.

const HOURS = 5 * 3_600_000

const { now } = Date
Date.now = () => now() + HOURS

const { bigint } = process.hrtime
process.hrtime.bigint = () => bigint() + BigInt(HOURS) * 1_000_000n
