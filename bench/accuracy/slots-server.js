'use strict'

// A server whose capacity is known: it works on so many requests at a time, and takes as long for each; or it answers 429 to what comes faster than so
// many per second. When an answer is due is computed when its request comes, so that what a timer is late adds nothing to those behind it.

const http = require('node:http')
const { behaviour, serve } = require('../served')

class Slots {
  /** @param {{ service?: number, slots?: number, rate?: number, burst?: number }} behaviour service in ms, rate per second */
  constructor ({ service = 0, slots = 1, rate = Infinity, burst = 0 }) {
    this.service = service
    this.free = new Float64Array(slots)
    this.rate = rate
    this.burst = burst
    this.tokens = burst
    this.refilledAt = performance.now()
  }

  allows (now) {
    if (this.rate === Infinity) return true
    this.tokens = Math.min(this.burst, this.tokens + (now - this.refilledAt) * this.rate / 1000)
    this.refilledAt = now
    if (this.tokens < 1) return false
    this.tokens--
    return true
  }

  answer (response) {
    const { free, service } = this
    const now = performance.now()
    if (!this.allows(now)) {
      response.statusCode = 429
      return response.end()
    }
    let first = 0
    for (let i = 1; i < free.length; i++) if (free[i] < free[first]) first = i
    free[first] = Math.max(now, free[first]) + service
    if (service === 0) response.end('ok')
    else setTimeout(() => response.end('ok'), free[first] - now)
  }
}

const slots = new Slots(behaviour())
serve(http.createServer((request, response) => slots.answer(response)))
