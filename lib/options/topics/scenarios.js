'use strict'

/** @type {import('../table').Topic} */
module.exports = {
  topic: 'scenarios',
  title: 'User scenarios (virtual users)',
  page: 'docs/scenarios.md',
  options: [
    {
      name: 'origins', aliases: ['origin'], shown: 'origin', type: 'origins', arg: 'URL',
      help: 'Another origin that user functions may send requests to and redirects may lead to, such as ' +
        'https://auth.example. Repeat it for more. Any other origin than these and those of the URLs is refused.',
      example: '--origin http://localhost:4000 -u shop.mjs http://localhost:3000'
    },
    {
      name: 'connectionsPerUser', aliases: ['connections-per-user'], type: 'integer', min: 1, max: 100,
      default: 6, arg: 'NUM',
      help: 'Requests that one user function has in flight at the same time at most: a connection for each over ' +
        'HTTP/1.1, a stream of one connection over HTTP/2.',
      example: '--connections-per-user 1 -u shop.mjs http://localhost:3000'
    },
    {
      name: 'keepGoing', aliases: ['keep-going'], type: 'flag', default: false,
      help: 'An exception of a user function aborts its iteration, and is counted. Without it, the run ends.',
      example: '--keep-going -u shop.mjs http://localhost:3000'
    },
    {
      name: 'scenarios',
      type: 'scenarios',
      where: 'api',
      help: 'Scenarios of users, instead of requests: objects ' +
        'with name, weight, requests, pause and every. A user is a connection. It selects a scenario for each ' +
        'iteration by weight.'
    },
    {
      name: 'sticky', type: 'flag', where: 'api', default: false,
      help: 'Each virtual user keeps one scenario. The weights determine how many users have it.'
    },
    {
      name: 'pause', type: 'pause', arg: 'TIME',
      help: 'Think time between iterations: 1s, or 500ms-2s for a random time in that range. In the API also an ' +
        'array of two times, { exponential: "1s" } with the mean, or a function of the context that returns seconds.',
      example: '--pause 500ms-2s -c 100 http://localhost:3000'
    },
    {
      name: 'every', type: 'seconds', above: 0, max: 2_000_000, arg: 'TIME',
      help: 'Start an iteration of a user at most once per TIME, such as 5s. An iteration that takes longer is ' +
        'followed at once by the next one.',
      example: '--every 5s -c 100 http://localhost:3000'
    },
    {
      name: 'cookies', type: 'cookies', default: false,
      help: 'Each connection stores the cookies of responses and sends them back, as a browser does. In the API also ' +
        '{ keep: "iteration" or "connection", start: { name: "value" } }: with scenarios, each iteration starts ' +
        'without cookies, unless keep is "connection"; without scenarios, or with a request that is sent once, ' +
        'they are kept.',
      example: '--cookies http://localhost:3000'
    },
    {
      name: 'redirects', type: 'integer', min: 0, max: 100, default: 0, arg: 'NUM',
      help: 'Follow up to this many redirects (301, 302, 303, 307, 308) one after another, to the origins of the ' +
        'URLs. Each is a request of the run. The latency of a named request includes its redirects. A redirect that ' +
        'is not followed fails the run. With 0, a redirect is a response like others.',
      example: '--redirects 5 http://localhost:3000'
    },
    {
      name: 'redirectsAnywhere', aliases: ['redirects-anywhere'], type: 'flag', default: false,
      help: 'With --redirects: follow them to other origins, too, without Authorization and other credentials.',
      example: '--redirects 5 --redirects-anywhere http://localhost:3000'
    },
    {
      name: 'retries', type: 'retries', arg: 'NUM',
      help: 'Retry a request up to NUM times after a response of 429, 502, 503 or 504, a connection that ends ' +
        'without a response, or a timeout. Retry-After is respected. Each attempt counts as a request. In the API ' +
        'also { times, on: ["5xx", "AC_CLOSED"], pause }.',
      example: '--retries 2 http://localhost:3000'
    },
    {
      name: 'initialContext', type: 'object', where: 'api',
      help: 'The initial context of each iteration of the requests.'
    }
  ]
}
