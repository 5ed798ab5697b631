'use strict'

const { STREAMS } = require('../../parts')

const STREAMING = Object.keys(STREAMS)

/** @type {import('../table').Topic} */
module.exports = {
  topic: 'streams',
  title: 'Streams: events inside of responses',
  page: 'docs/streams.md',
  options: [
    {
      name: 'stream', type: 'choice', choices: STREAMING, arg: STREAMING.join('|'),
      help: 'Measure what arrives inside each response: Server-Sent Events, lines of NDJSON, chunks, which is what ' +
        'each read brings, or tokens of an OpenAI-compatible server. The timeout is then a limit to the first byte. ' +
        'A 2xx response of another type is a failed check. openai sends the body by POST as JSON, and adds ' +
        '"stream": true and "stream_options": {"include_usage": true} where these are missing.',
      example: '--stream sse -c 100 http://localhost:3000/events'
    },
    {
      name: 'streamFor', aliases: ['stream-for'], type: 'seconds', above: 0, max: 2_000_000, arg: 'SEC',
      help: 'With --stream: close each stream after this time, such as 30s, and count it as completed. Over HTTP/1.1 ' +
        'its connection is reopened, over HTTP/2 the stream is reset.',
      example: '--stream sse --stream-for 30s -d 5m http://localhost:3000/events'
    },
    {
      name: 'events', type: 'integer', min: 1, max: 1e12, arg: 'NUM',
      help: 'With --stream: close each stream after this number of events, and count it as completed.',
      example: '--stream sse --events 100 http://localhost:3000/events'
    },
    {
      name: 'streamReconnect', aliases: ['stream-reconnect'], type: 'seconds', above: 0, max: 86_400,
      arg: 'SEC',
      help: 'With --stream sse: continue a stream that ended or was cut, as an EventSource of a browser does. After ' +
        'SEC, such as 3s, or the retry of the stream, the same request follows with Last-Event-ID. Status 204 ends it.',
      example: '--stream sse --stream-reconnect 3s http://localhost:3000/events'
    },
    {
      name: 'stall', type: 'seconds', above: 0, max: 3600, default: 1, arg: 'SEC',
      help: 'With --stream, or streams of user functions: a gap between two events that is longer than this counts ' +
        'as a stall.',
      example: '--stream sse --stall 200ms http://localhost:3000/events'
    },
    {
      name: 'idleTimeout', aliases: ['idle-timeout'], type: 'seconds', above: 0, max: 2_000_000,
      arg: 'SEC',
      help: 'With --stream, or streams of user functions: time limit from the first byte of a response to its first ' +
        'event, and between events. Default: the timeout.',
      example: '--stream sse --idle-timeout 60s http://localhost:3000/events'
    }
  ]
}
