'use strict'

// Owns which methods undici sends a body with over HTTP/2. Of others undici 7 writes the end of the stream in front of the body: the request fails, and
// the connection with it.

const WITH_BODY = new Set(['POST', 'PUT', 'PATCH'])

module.exports = { WITH_BODY }
