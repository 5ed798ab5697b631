'use strict'

// onResponse: keeps what the server called the new item.

module.exports = (status, body, context) => { context.id = JSON.parse(body).id }
