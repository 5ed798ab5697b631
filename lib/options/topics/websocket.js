'use strict'

/** @type {import('../table').Topic} */
module.exports = {
  topic: 'websocket',
  title: 'WebSocket messages',
  page: 'docs/websocket.md',
  options: [
    {
      name: 'match', type: 'match', arg: 'next|json PATH', default: 'next',
      help: 'With a ws:// URL: which message responds to one that was sent. next: responses come in order. json id: ' +
        'the one with the same id. A message is a request: in latency, amount, rates and pipelining. In the API also ' +
        'a function (sent, received) => boolean.',
      example: '-b \'{"id":{{counter}}}\' --match \'json id\' ws://localhost:3000/chat'
    },
    {
      name: 'receive', type: 'flag', default: false,
      help: 'With a ws:// URL: count and time messages that respond to nothing: the gap between two of them, and ' +
        'their age. Without a body the connections listen only.',
      example: '--receive -c 1000 -d 60 ws://localhost:3000/ticker'
    },
    {
      name: 'age', type: 'age', arg: 'json PATH',
      help: 'With --receive: measure the age of those messages, from the time at this path of their JSON, in ms ' +
        'since 1970, by the clock of this machine. The clock of the sender has to agree with it.',
      example: '--receive --age \'json sentAt\' ws://localhost:3000/ticker'
    },
    {
      name: 'ping', type: 'seconds', min: 0.1, max: 86_400, arg: 'SEC',
      help: 'With a ws:// URL: send a ping on each connection once per SEC, such as 30s, and measure its round trip. ' +
        'A ping without a response within the timeout ends its connection.',
      example: '--ping 30s -b hi ws://localhost:3000/'
    },
    {
      name: 'subprotocol', type: 'subprotocols', arg: 'NAME',
      help: 'With a ws:// URL: offer this subprotocol, such as graphql-transport-ws. Repeat it for more, the ' +
        'preferred one first. A server that chooses none of them fails the handshake.',
      example: '--subprotocol graphql-transport-ws -b \'{"type":"connection_init"}\' ws://localhost:3000/graphql'
    }
  ]
}
