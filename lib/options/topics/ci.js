'use strict'

/** @type {import('../table').Topic} */
module.exports = {
  topic: 'ci',
  title: 'Pass or fail',
  page: 'docs/ci.md',
  options: [
    {
      name: 'thresholds', aliases: ['threshold'], shown: 'threshold', type: 'thresholds', arg: 'EXPR',
      help: 'Fail the run unless this holds, such as "p99 < 50ms", "failure rate < 1%", "login: p95 < 100ms" for a ' +
        'named request or "stage 3: p99 < 80ms" for a stage. Repeat it for more. The exit code is 3 then.',
      example: '--threshold "p99 < 50ms" --threshold "failure rate < 1%" http://localhost:3000'
    },
    {
      name: 'abortOn',
      aliases: ['abort-on'],
      type: 'thresholds',
      where: 'cli',
      arg: 'EXPR',
      becomes: 'thresholds',
      help: 'A threshold that also ends the run as soon as it can\'t be met any more. Repeat it for more.',
      example: '--abort-on "failure rate < 5%" -d 10m http://localhost:3000'
    },
    {
      name: 'strict', type: 'flag', default: false,
      help: 'Fail the run if the load generator was overloaded: the same as the threshold "generator <= busy". The ' +
        'exit code is 3, or 4 if the run is too short to decide (less than 0.5 s).',
      example: '--strict http://localhost:3000'
    },
    {
      name: 'baseline', type: 'results', where: 'cli', arg: 'FILE',
      help: 'Compare the result with the results in this file of --json.',
      example: '--baseline main.json http://localhost:3000'
    },
    {
      name: 'acrossMachines', aliases: ['across-machines'], type: 'flag', where: 'cli', default: false,
      help: 'With --baseline, and for compare: compare results of different machines, which are refused by default.',
      example: '--baseline main.json --across-machines http://localhost:3000'
    },
    {
      name: 'failIf', aliases: ['fail-if'], type: 'regressions', where: 'cli', arg: 'EXPR',
      help: 'With --baseline, and for versus: a limit, such as "p99 +10%" or "rps -5%". Repeat it for more. A ' +
        'significant difference beyond it gives exit code 3, an inconclusive comparison 4.',
      example: '--baseline main.json --fail-if "p99 +10%" http://localhost:3000'
    },
    {
      name: 'inconclusive', type: 'choice', choices: ['pass', 'fail', 'exact'], where: 'cli', arg: 'pass|fail|exact',
      help: 'Treat an inconclusive check as pass or fail, or let the exact figure decide a threshold, however ' +
        'uncertain it is. The default is exit code 4.',
      example: '--threshold "p99 < 50ms" --inconclusive fail http://localhost:3000'
    },
    {
      name: 'githubSummary', aliases: ['github-summary'], type: 'flag', where: 'cli', default: false,
      help: 'Append the verdict in Markdown to the file that GITHUB_STEP_SUMMARY names.',
      example: '--github-summary http://localhost:3000'
    },
    {
      name: 'junit', type: 'text', where: 'cli', arg: 'FILE',
      help: 'Write thresholds, checks and limits to this file as test cases in JUnit XML.',
      example: '--junit bench.xml --threshold "p99 < 50ms" http://localhost:3000'
    }
  ]
}
