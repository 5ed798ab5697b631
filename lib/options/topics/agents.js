'use strict'

/** @type {import('../table').Topic} */
module.exports = {
  topic: 'agents',
  title: 'Load from many machines',
  page: 'docs/scale-out.md',
  options: [
    {
      name: 'agents', type: 'agents', arg: 'NUM|all',
      help: 'Let agents on other machines send the load, divided among them: a number, or all idle agents. ' +
        '`autocannon agent` starts one. Each has a thread per core, or --workers.',
      example: '--agents 3 --redis redis://redis:6379 -c 600 http://server:3000'
    },
    {
      name: 'redis', type: 'redis', arg: 'URL',
      help: 'The Redis that connects agents: redis:// or rediss:// (TLS), with user:password@ if required. Default: ' +
        'the environment variable AUTOCANNON_REDIS.',
      example: '--redis redis://redis:6379 --agents 3 http://server:3000'
    },
    {
      name: 'redisCluster', aliases: ['redis-cluster'], type: 'flag', default: false,
      help: 'Redis is a cluster; the URL is that of one node.',
      example: '--redis-cluster --redis redis://redis:6379 --agents 3 http://server:3000'
    },
    {
      name: 'redisPrefix', aliases: ['redis-prefix'], type: 'text', default: 'autocannon', arg: 'NAME',
      help: 'Prefix of all keys in Redis. Agents and runs see only those with the same prefix.',
      example: '--redis-prefix team-a --redis redis://redis:6379 --agents 3 http://server:3000'
    },
    {
      name: 'agentsTimeout', aliases: ['agents-timeout'], type: 'seconds', above: 0, max: 86_400,
      default: 30, arg: 'SEC', help: 'Time to wait until enough agents are idle.',
      example: '--agents-timeout 60 --redis redis://redis:6379 --agents 3 http://server:3000'
    },
    {
      name: 'weights', type: 'weights', arg: 'NUM,NUM,…',
      help: 'Threads of each agent, and so its share of the load: one number for each agent in the order of their ' +
        'names, or by name such as big=4,small=1. Default: the number of its cores.',
      example: '--weights big=4,small=1 --redis redis://redis:6379 --agents 2 http://server:3000'
    },
    {
      name: 'onAgentLoss', aliases: ['on-agent-loss'], type: 'choice', choices: ['continue', 'stop'],
      default: 'continue', arg: 'continue|stop',
      help: 'When an agent is lost: continue with the others, or stop with the result so far and exit code 1.',
      example: '--on-agent-loss stop --redis redis://redis:6379 --agents 3 http://server:3000'
    },
    {
      name: 'modules', type: 'text', arg: 'DIR',
      help: 'The folder of hooks and other modules: an agent has the same files below its own --modules. Default: ' +
        'the current folder.',
      example: '--modules bench --redis redis://redis:6379 --agents 3 http://server:3000'
    }
  ]
}
