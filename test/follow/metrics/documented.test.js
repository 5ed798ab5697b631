'use strict'

// What is written of the metrics: the table of docs/metrics.md, and the dashboards and the compose file of samples/grafana, held to the table of metrics.
// What takes a Docker daemon is left out.

const t = require('tap')
const Ajv = require('ajv')
const { parse } = require('yaml')
const { existsSync, readFileSync, writeFileSync } = require('node:fs')
const path = require('node:path')
const { validate } = require('../../../lib/options/validate')
const { grammarOf, readFlags } = require('../../../lib/cli/args')
const { TABLE } = require('../../../lib/options/table')
const { FAMILIES } = require('../../../lib/follow/metrics/families')
const { labelName, nameOf } = require('../../../lib/follow/metrics/prometheus')

const ROOT = path.join(__dirname, '../../..')
const GRAFANA = path.join(ROOT, 'samples/grafana')
const read = (/** @type {string} */ file) => readFileSync(path.join(GRAFANA, file), 'utf8')

const KINDS = { counter: 'counter', updown: 'up-down counter', gauge: 'gauge', histogram: 'histogram' }

t.test('docs/metrics.md lists each metric', async t => {
  const file = path.join(ROOT, 'docs/metrics.md')
  const text = readFileSync(file, 'utf8')
  const rows = FAMILIES.map(({ name, type, unit, labels, help }) => `| \`${name}\` | ${KINDS[type]} | ${unit === '' ? '' : `\`${unit}\``} | ${labels.map(label => `\`${label}\``).join(' ')} | ${help} |`)
  const table = `<!-- families -->\n| name | kind | unit | labels | what it is |\n|---|---|---|---|---|\n${rows.join('\n')}\n<!-- /families -->`
  const made = text.replace(/<!-- families -->.*<!-- \/families -->/s, () => table)
  if (process.env.UPDATE_GOLDEN) writeFileSync(file, made)
  t.equal(readFileSync(file, 'utf8'), made)
})

for (const kind of ['prometheus', 'otlp']) {
  t.test(`the dashboard ${kind}.json asks for what there is`, async t => {
    const { uid, panels } = JSON.parse(read(`dashboards/${kind}.json`))
    t.equal(uid, `autocannon-${kind}`)
    const known = new Map(FAMILIES.flatMap(family => {
      const names = family.type === 'histogram' && kind === 'prometheus' ? ['_bucket', '_sum', '_count'].map(end => nameOf(family) + end) : [nameOf(family)]
      return names.map(name => /** @type {const} */ ([name, new Set([...family.labels.map(labelName), ...name.endsWith('_bucket') ? ['le'] : []])]))
    }))
    const asked = new Set()
    t.equal(new Set(panels.map((/** @type {any} */ { id }) => id)).size, panels.length)
    for (const { title, targets, gridPos } of panels) {
      t.ok(gridPos.x + gridPos.w <= 24, title)
      for (const { expr } of targets) {
        const [name, ...more] = expr.match(/\b(?:http_client|autocannon)_\w+/g) ?? []
        t.ok(known.has(name) && more.length === 0, expr)
        asked.add(name.replace(/_bucket$/, ''))
        const labels = [...expr.matchAll(/by \(([^)]*)\)|\{(\w+)[^}]*\}/g)].flatMap(([, by, one]) => (by ?? one).split(/,\s*/))
        t.strictSame(labels.filter(label => !known.get(name)?.has(label)), [], expr)
        t.equal(expr.split('(').length, expr.split(')').length, expr)
      }
    }
    for (const name of ['http.client.request.duration', 'autocannon.requests', 'autocannon.responses', 'autocannon.errors', 'http.client.active_requests', 'http.client.open_connections', 'autocannon.received', 'autocannon.rate.target', 'autocannon.rate.achieved', 'autocannon.checks', 'autocannon.threshold.state', 'autocannon.generator.verdict', 'autocannon.generator.cpu', 'autocannon.generator.lag', 'autocannon.server.cpu', 'autocannon.server.memory']) {
      const family = /** @type {import('../../../lib/follow/metrics/families').Family} */ (FAMILIES.find(family => family.name === name))
      t.ok(asked.has(nameOf(family)), name)
    }
  })
}

t.test('the compose file is one, and has what it mounts', async t => {
  const compose = parse(read('compose.yaml'))
  const schema = JSON.parse(readFileSync(path.join(path.dirname(require.resolve('dclint/package.json')), 'schemas/compose.schema.json'), 'utf8'))
  // It names the draft by https, as no other does.
  const ajv = new Ajv({ strict: false, validateFormats: false })
  t.ok(ajv.validate({ ...schema, $schema: undefined }, compose), JSON.stringify(ajv.errors))
  for (const [name, { image, volumes, ports }] of Object.entries(compose.services)) {
    t.match(image, /^[\w/]+:v?\d+\.\d+\.\d+$/, `${name} has a version`)
    for (const volume of volumes.filter((/** @type {string} */ one) => one.startsWith('.'))) t.ok(existsSync(path.join(GRAFANA, volume.split(':')[0])), volume)
    for (const port of ports) t.match(port, /^127\.0\.0\.1:/, 'for this machine alone')
  }
  const prometheus = parse(read('prometheus.yml'))
  t.equal(prometheus.scrape_configs[0].static_configs[0].targets[0], 'host.docker.internal:9464')
  const [datasource] = parse(read('provisioning/datasources/prometheus.yaml')).datasources
  t.equal(datasource.uid, JSON.parse(read('dashboards/otlp.json')).panels[0].datasource.uid)
  const [{ options }] = parse(read('provisioning/dashboards/autocannon.yaml')).providers
  t.ok(compose.services.grafana.volumes.includes(`./dashboards:${options.path}:ro`))
})

t.test('each command that is shown is one', async t => {
  const lines = [read('compose.yaml'), readFileSync(path.join(ROOT, 'docs/metrics.md'), 'utf8')].flatMap(text => [...text.matchAll(/^(?:# {3})?autocannon (-.*)$/gm)].map(([, line]) => line))
  t.ok(lines.length >= 5)
  for (const line of lines) {
    const { raw, problems } = readFlags(line.split(' '), {}, undefined, grammarOf(TABLE, 'url'))
    t.strictSame(problems, [], line)
    t.ok(validate(raw).values.url, line)
  }
})
