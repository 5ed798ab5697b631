'use strict'

// verifyBody: a falsy answer counts as a mismatch.

module.exports = body => body.startsWith('{') && body.endsWith('}')
