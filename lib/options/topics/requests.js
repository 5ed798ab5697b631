'use strict'

/** @type {import('../table').Topic} */
module.exports = {
  topic: 'requests',
  title: 'Requests',
  page: 'docs/reference.md',
  options: [
    {
      name: 'method', short: 'm', aliases: ['request', 'X'], type: 'method', default: 'GET',
      arg: 'METHOD', help: 'The HTTP method. -X/--request is the same.',
      example: '-m DELETE http://localhost:3000/users/1'
    },
    {
      name: 'headers', short: 'H', aliases: ['header'], type: 'headers', arg: 'K=V',
      help:
        'A header of the request, as name=value or "name: value". Repeat it for more; a name may come more than once.',
      example: '-H "Accept: application/json" http://localhost:3000'
    },
    {
      name: 'body', short: 'b', type: 'body', arg: 'BODY',
      help: 'The body of the request; on the command line @FILE is the content of a file, and @- standard input. Set ' +
        'a Content-Type with -H if the server needs one.',
      example: '-m POST -H "Content-Type: application/json" -b \'{"name":"Ann"}\' http://localhost:3000/users'
    },
    {
      name: 'bodyRaw', aliases: ['body-raw'], type: 'body', where: 'cli', arg: 'BODY', becomes: 'body',
      help: 'The request body as it is, even if it starts with @.',
      example: '-m POST --body-raw @everyone http://localhost:3000/messages'
    },
    {
      name: 'input', short: 'i', type: 'file', where: 'cli', arg: 'FILE', becomes: 'body',
      help: 'Send the content of this file as the body; - is standard input, as for every other file.',
      example: '-m POST -H "Content-Type: application/json" -i body.json http://localhost:3000/users'
    },
    {
      name: 'jsonBody', aliases: ['json-body'], type: 'json', where: 'cli', arg: 'JSON', becomes: 'body',
      help: 'A JSON body, or @FILE for that of a file, sent by POST unless a method is given, as application/json ' +
        'unless -H sets a type. Invalid JSON is refused.',
      example: '--json-body \'{"name":"Ann"}\' http://localhost:3000/users'
    },
    {
      name: 'form', short: 'F', type: 'form', arg: 'FORM',
      help: 'Send a multipart/form-data form, by POST unless a method is given. It is given as JSON or as the path ' +
        'of a JSON file: { "field": { "type": "text", "value": "…" }, "upload": { "type": "file", "path": "…", ' +
        '"options": { "filename": "…" } } }.',
      example: '-F form.json http://localhost:3000/upload'
    },
    {
      name: 'data', type: 'data', arg: 'NAME=FILE',
      implied: ({ data: { sources } }) =>
        sources.every((/** @type {{ source: string | null }} */ { source }) => source === null),
      help: 'There are two uses. (1) NAME=FILE reads rows for {{NAME.column}} in path, headers and body from a .csv, ' +
        '.tsv, .json or .ndjson file; NAME=FILE,separator=; sets its separator. Each iteration has the ' +
        'next row. In the API it is an object of sources by name. (2) Any other text is a body, as in curl; @FILE is ' +
        'the content of a file. The method is POST unless -m is given. The type is ' +
        'application/x-www-form-urlencoded unless -H sets it. Several bodies are joined by &.',
      example: '--data user=users.csv "http://localhost:3000/users/{{user.id}}"'
    },
    {
      name: 'requests',
      type: 'requests',
      where: 'api',
      help: 'The requests that each connection sends in order: ' +
        'objects with method, path, headers, body, name, expect, check, checkEvent, setupRequest, onResponse, pause, ' +
        'capture, retries and once. Options are the defaults. An entry { pause } is a pause.'
    },
    {
      name: 'har', type: 'har', arg: 'FILE',
      help: 'Send the requests of a HAR file to the origins of the URLs. Pages name their requests. Method, form, ' +
        'input and body are ignored; headers are added.',
      example: '--har shop.har http://localhost:3000'
    },
    {
      name: 'harPauses', aliases: ['har-pauses'], type: 'flag', default: false,
      help: 'Keep the recorded intervals between the requests of the HAR. Each connection replays the recording from ' +
        'a different position.',
      example: '--har shop.har --har-pauses http://localhost:3000'
    },
    {
      name: 'speed', type: 'number', above: 0, max: 1e6, default: 1, arg: 'NUM',
      help: 'With --har-pauses: how many times as fast as recorded; 2 halves the gaps.',
      example: '--har shop.har --har-pauses --speed 2 http://localhost:3000'
    },
    {
      name: 'targets', type: 'targets', arg: 'FILE',
      help: 'Send the requests of a file: lines of METHOD URL with headers and @body-file below them, a JSON object ' +
        'in each line, or a URL in each line; - is standard input. Method, headers and body are defaults. A URL is ' +
        'needed only if lines are paths. In the API also an array.',
      example: '--targets targets.txt http://localhost:3000'
    },
    {
      name: 'pick', type: 'choice', choices: ['order', 'random', 'once'], default: 'order',
      arg: 'order|random|once',
      help: 'The order of targets: in order, repeating; random, by --seed; or each once, which ends the run.',
      example: '--targets targets.txt --pick random http://localhost:3000'
    },
    {
      name: 'user', short: 'u', type: 'user', arg: 'USER:PASS',
      help: 'User and password for basic authorization. Or the path of a module that exports an asynchronous ' +
        'function, ({ http }) => …: one iteration of a virtual user, instead of requests. In the API also the ' +
        'function itself.',
      example: '-u ann:password http://localhost:3000'
    },
    {
      name: 'userAgent', short: 'A', aliases: ['user-agent'], type: 'text', where: 'cli', arg: 'AGENT',
      becomes: 'headers', help: 'The User-Agent header of each request.',
      example: '-A my-bench/1.0 http://localhost:3000'
    },
    {
      name: 'compressed', type: 'flag', default: false,
      help: 'Request compressed responses (Accept-Encoding: gzip, br, and zstd from Node.js 24 on), unless a header ' +
        'sets Accept-Encoding. Bodies are decoded for hooks and checks only. With a ws:// URL: offer permessage-deflate.',
      example: '--compressed http://localhost:3000'
    },
    {
      name: 'idReplacement', short: 'I', type: 'flag', default: false,
      help: 'Replace each [<id>] in the body, path and headers of a request with a unique id.',
      example: '-I -m POST -b "id=[<id>]" http://localhost:3000/users'
    },
    {
      name: 'trace', type: 'trace', arg: '[SHARE]',
      help: 'Send a unique trace id with each request (header traceparent, W3C Trace Context), to find the request ' +
        'in OpenTelemetry traces of the server. A share, such as 1%, marks that share of traces as sampled; the ' +
        'default is all. A request with its own header keeps it.',
      example: '--trace 1% http://localhost:3000'
    },
    {
      name: 'setupClient', type: 'hook', where: 'api',
      help: 'Called with the Client of each connection before it is opened.'
    }
  ]
}
