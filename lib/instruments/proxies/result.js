'use strict'

/** @param {import('./record').Proxied} proxied @param {import('../../figures/result').Context} context */
function derive (proxied, { summary }) {
  const { errors, refused } = proxied.encode()
  return { proxy: { connect: summary(proxied.connect), errors: errors.sort((a, b) => b.count - a.count), refused } }
}

module.exports = { derive }
