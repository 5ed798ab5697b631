'use strict'

/** @type {import('../table').Topic} */
module.exports = {
  topic: 'checks',
  title: 'Checks of responses',
  page: 'docs/checks.md',
  options: [
    {
      name: 'expectBody', short: 'E', type: 'body', arg: 'BODY',
      help: 'Count each response with another body as a mismatch.', example: '-E ok http://localhost:3000/health'
    },
    {
      name: 'verifyBody',
      type: 'hook',
      where: 'api',
      help: 'Called with the body of each response and the context; ' +
        'a falsy result counts as a mismatch. Takes precedence over expectBody.'
    },
    {
      name: 'expect',
      type: 'expect',
      where: 'api',
      help: 'What each response must be: an object with any of status, ' +
        'headers, body, json, maxBytes, maxMs and events. A response that differs is a failed check.'
    },
    {
      name: 'expectStatus', aliases: ['expect-status'], type: 'status', where: 'cli', arg: 'CODE', becomes: 'expect',
      expects: status => ({ status }),
      help: 'Count each response with another status as a failed check: a code, a class such as 2xx, or a list ' +
        'separated by commas.',
      example: '--expect-status 200,204 http://localhost:3000'
    },
    {
      name: 'expectHeader', aliases: ['expect-header'], type: 'expectedHeaders', where: 'cli', arg: 'K=V',
      becomes: 'expect', expects: headers => ({ headers }),
      help: 'Count each response without this header as a failed check: name=value, name=/pattern/ or just the name. ' +
        'Repeat it for more.',
      example: '--expect-header content-type=/json/ http://localhost:3000'
    },
    {
      name: 'expectJson', aliases: ['expect-json'], type: 'expectedJson', where: 'cli', arg: 'PATH=V',
      becomes: 'expect', expects: json => ({ json }),
      help: 'Count each response without this JSON value as a failed check, such as user.id=42 or items[0].name=tea. ' +
        'Repeat it for more.',
      example: '--expect-json user.id=42 http://localhost:3000/users/42'
    },
    {
      name: 'expectIncludes', aliases: ['expect-includes'], type: 'texts', where: 'cli', arg: 'TEXT', becomes: 'expect',
      expects: includes => ({ body: { includes } }),
      help: 'Count each response without this text in its body as a failed check. Repeat it for more.',
      example: '--expect-includes Welcome http://localhost:3000'
    },
    {
      name: 'check',
      type: 'hook',
      where: 'api',
      help: 'Called with each response (status, headers, body, json(), ' +
        'ms, request) and the context. Returns true, or false, a reason or an Error for a failed check.'
    },
    {
      name: 'checkEvent',
      type: 'hook',
      where: 'api',
      help: 'With stream: called with each event (type, data, lastEventId, index, ms, json()) and the context. ' +
        'Returns true, or false, a reason or an Error for a failed check.'
    }
  ]
}
