'use strict'

// The methods with which undici sends a body over HTTP/2. For others undici 7 ends the stream before the body: the
// request fails, and the connection with it.

const WITH_BODY = new Set(['POST', 'PUT', 'PATCH'])

module.exports = { WITH_BODY }
