'use strict'

const noAbortOn = 'the server: it is judged when the run is over'

module.exports = {
  rows: {
    'server cpu': { unit: 'utilization', server: 'cpu', which: 'average', parts: ['stage'], compared: true, noAbortOn },
    'server rss': {
      aliases: ['server memory'], unit: 'bytes', server: 'rss', which: 'max', parts: ['stage'], compared: true,
      noAbortOn
    },
    'server threads': { unit: 'count', server: 'threads', which: 'max', parts: ['stage'], noAbortOn },
    'server files': {
      aliases: ['server open files'], unit: 'count', server: 'files', which: 'max', parts: ['stage'], noAbortOn
    },
    'server event loop': {
      aliases: ['server eventloop', 'server elu'], unit: 'utilization', server: 'eventLoopUtilization',
      which: 'average', parts: ['stage'], compared: true, noAbortOn
    },
    'server delay': {
      aliases: ['server event loop delay'], unit: 'ms', server: 'eventLoopDelay', which: 'average', parts: ['stage'],
      compared: true, noAbortOn
    },
    'server heap': { unit: 'bytes', server: 'heapUsed', which: 'max', parts: ['stage'], compared: true, noAbortOn },
    'server gc': { unit: 'utilization', server: 'gc', which: 'average', parts: ['stage'], compared: true, noAbortOn }
  }
}
