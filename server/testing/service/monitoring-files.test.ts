import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { startTestApp } from '../app.ts'

/** The dashboard and the alerts name metrics that a running node has, and the guide explains every alert and metric. */

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const guide = read('docs/guides/observability.md')

interface Rule {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string }
}
interface Panel {
  id: number
  type: string
  title: string
  gridPos: { h: number; w: number; x: number; y: number }
  datasource?: DataSource
  targets?: { refId: string; expr: string; datasource: DataSource }[]
  panels?: unknown[]
}
interface DataSource {
  type: string
  uid: string
}
interface Variable {
  name: string
  type: string
  query: string | { query: string }
  datasource?: DataSource
}
const rules: Rule[] = parse(read('deploy/prometheus/alerts.yml')).groups.flatMap(
  (group: { rules: Rule[] }) => group.rules,
)
const dashboard: {
  title: string
  schemaVersion: number
  panels: Panel[]
  templating: { list: Variable[] }
} = JSON.parse(read('deploy/grafana/frontdesk.json'))
const charts = dashboard.panels.filter(({ type }) => type !== 'row')

// No collector listens there: its metrics exist all the same.
const app = await startTestApp({ settings: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' } })
const { text: scraped } = await app.call('GET', '/metrics')
const types = new Map(
  [...scraped.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type] as const),
)
const series = new Set(
  [...types].flatMap(([name, type]) =>
    type === 'histogram' ? ['bucket', 'sum', 'count'].map((of) => `${name}_${of}`) : [name],
  ),
)
// Prometheus itself adds this one.
series.add('up')

const functions = new Set(['sum', 'max', 'rate', 'histogram_quantile', 'vector'])
const keywords = new Set(['by', 'or', 'offset'])

/** The metrics of a PromQL expression. Fails on anything that is no number, operator, known function or selector. */
function metricsIn(expression: string): string[] {
  const metrics: string[] = []
  let depth = 0
  let rest = expression.replaceAll('$__rate_interval', '5m').trim()
  const take = (pattern: RegExp) => {
    const found = pattern.exec(rest)
    if (found) rest = rest.slice(found[0].length).trimStart()
    return found
  }
  while (rest !== '') {
    if (take(/^by \(\w+(, \w+)*\)/) || take(/^offset \d+[smhd]/)) continue
    if (take(/^\d+(\.\d+)?/) || take(/^(==|!=|>=|<=|[<>/*+,-])/)) continue
    if (take(/^\(/)) depth++
    else if (take(/^\)/)) depth--
    else {
      const name = take(/^[a-z_]\w*/)?.[0]
      assert.ok(name, `cannot read "${rest}" in ${expression}`)
      if (keywords.has(name)) continue
      if (rest.startsWith('(') || rest.startsWith('by (')) assert.ok(functions.has(name), `${name} in ${expression}`)
      else {
        metrics.push(name)
        take(/^\{\w+(=~|!~|!=|=)"[^"]*"(,\w+(=~|!~|!=|=)"[^"]*")*\}/)
        take(/^\[\d+[smhd]\]/)
      }
    }
    assert.ok(depth >= 0, expression)
  }
  assert.equal(depth, 0, expression)
  return metrics
}

test('every alert and every chart reads metrics that exist', () => {
  const expressions = [
    ...rules.map(({ expr }) => expr),
    ...charts.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ]
  assert.ok(expressions.length > 30)
  for (const expression of expressions) {
    const names = metricsIn(expression)
    assert.ok(names.length > 0, expression)
    for (const name of names) assert.ok(series.has(name), `${name} in ${expression}`)
  }
})

test('every alert has a severity, a summary and a section in the guide', () => {
  for (const { alert, labels, annotations } of rules) {
    assert.match(labels.severity, /^(critical|warning|info)$/, alert)
    assert.ok(annotations.summary, alert)
    assert.ok(guide.includes(`\n| \`${alert}\` |`), `docs/guides/observability.md does not explain ${alert}`)
  }
})

test('the guide lists every metric of ours', () => {
  for (const name of types.keys())
    if (name.startsWith('frontdesk_')) assert.ok(guide.includes(`\n| \`${name}\` |`), `${name} is not in the guide`)
})

test('the dashboard has the shape that Grafana imports', () => {
  assert.deepEqual([dashboard.title, dashboard.schemaVersion], ['Frontdesk', 39])
  assert.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length)
  for (const { title, gridPos, targets = [] } of charts) {
    assert.ok(title && targets.length > 0, title)
    assert.ok(gridPos.x + gridPos.w <= 24 && gridPos.h > 0, title)
    assert.equal(new Set(targets.map(({ refId }) => refId)).size, targets.length, title)
  }
  // The panels of a row that is open follow it in the list.
  for (const { type, panels } of dashboard.panels) if (type === 'row') assert.deepEqual(panels, [])
})

test('no two panels of the dashboard overlap, and each row comes before its charts', () => {
  const taken = new Map<string, string>()
  let bottom = 0
  for (const { title, type, gridPos } of dashboard.panels) {
    if (type === 'row') assert.ok(gridPos.y >= bottom && gridPos.w === 24, title)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        assert.equal(taken.get(`${x} ${y}`), undefined, title)
        taken.set(`${x} ${y}`, title)
      }
    bottom = Math.max(bottom, gridPos.y + gridPos.h)
  }
})

test('every chart reads from the chosen data source, and uses variables that the dashboard has', () => {
  const { list } = dashboard.templating
  assert.deepEqual([list[0]?.name, list[0]?.type, list[0]?.query], ['datasource', 'datasource', 'prometheus'])
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana fills it in
  const chosen = { type: 'prometheus', uid: '${datasource}' }
  for (const { type, datasource, query } of list.slice(1)) {
    assert.deepEqual([type, datasource], ['query', chosen])
    const [, metric = ''] = /^label_values\((\w+), \w+\)$/.exec((query as { query: string }).query) ?? []
    assert.ok(series.has(metric), metric)
  }
  const names = new Set(['__rate_interval', ...list.map(({ name }) => name)])
  for (const { title, datasource, targets = [] } of charts)
    for (const target of targets) {
      assert.deepEqual([datasource, target.datasource], [chosen, chosen], title)
      for (const [, name = ''] of target.expr.matchAll(/\$\{?(\w+)/g)) assert.ok(names.has(name), `${name} in ${title}`)
    }
})
