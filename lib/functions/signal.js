'use strict'

// The signal of user functions. An exception in a listener of an ordinary one ends the process: here it is an exception
// of the function.

/** @param {AbortSignal} signal @param {(error: unknown) => void} onError receives exceptions of listeners */
function guard (signal, onError) {
  /** One for each listener, so that it can be removed. @type {WeakMap<object, (event: Event) => void>} */
  const guarded = new WeakMap()
  const { addEventListener, removeEventListener } = signal
  /** @param {any} listener */
  const guardedOf = listener => {
    const isCalled = typeof listener === 'function'
    // Node.js reports any other type.
    if (!isCalled && typeof listener?.handleEvent !== 'function') return listener
    const known = guarded.get(listener)
    if (known !== undefined) return known
    const made = (/** @type {Event} */ event) => {
      try {
        return isCalled ? listener.call(signal, event) : listener.handleEvent(event)
      } catch (error) {
        onError(error)
      }
    }
    guarded.set(listener, made)
    return made
  }
  // By the one that is on it, `onabort` and libraries listen, too.
  Object.defineProperties(signal, {
    addEventListener: {
      value: (/** @type {any} */ type, /** @type {any} */ listener, /** @type {any} */ options) =>
        addEventListener.call(signal, type, guardedOf(listener), options)
    },
    removeEventListener: {
      value: (/** @type {any} */ type, /** @type {any} */ listener, /** @type {any} */ options) =>
        removeEventListener.call(signal, type, guardedOf(listener), options)
    }
  })
}

module.exports = { guard }
