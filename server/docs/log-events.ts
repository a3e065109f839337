import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventOf } from '../platform/log.ts'

const begin = '<!-- written by npm run docs: log events -->'
const end = '<!-- end of what npm run docs writes -->'
const root = join(import.meta.dirname, '../..')

/** Names in messages that the dispatch engine and worker leases share. */
const components: Record<string, string> = { name: '<worker>', senderName: 'campaign sender' }

/** The guide with its table of log events, generated from the messages in the source. */
export function withLogEvents(page: string): string {
  const [before, rest] = page.split(begin)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error(`docs/guides/observability.md has no table between "${begin}" and "${end}"`)
  const rows = [...readEvents()].sort().map(([event, levels]) => `| \`${event}\` | ${[...levels].sort().join(', ')} |`)
  return `${before}${begin}\n${['| `event` | level |', '|---|---|', ...rows].join('\n')}\n${end}${after}`
}

function readEvents(): Map<string, Set<string>> {
  const events = new Map<string, Set<string>>()
  const note = (event: string, level: string) => events.set(event, (events.get(event) ?? new Set()).add(level))
  for (const file of globSync('{server,simulator}/**/*.ts', { cwd: root, exclude: ['**/node_modules/**'] })) {
    if (file.endsWith('.test.ts') || file.includes('/testing/')) continue
    const text = readFileSync(join(root, file), 'utf8')
    // The message is the last argument, or the name that a line without a constant message is given.
    for (const [, level = '', call = ''] of text.matchAll(
      /\blog\??\.(info|warn|error|fatal)\(((?:[^()]|\([^()]*\))*)\)/g,
    )) {
      const given = /\{ event: '([\w.]+)' \}/.exec(call)?.[1]
      const message = /['`]((?:\$\{\w+\}|[a-z][\w -]*): [^'`]+)['`],?\s*$/.exec(call)?.[1]
      const event = given ?? eventIn(message)
      if (event) note(event, level)
    }
    // Failures of a loop are logged by the loop.
    for (const [, message] of text.matchAll(/\bfault(?:: | = )['`]([^'`]+)['`]/g)) {
      const event = eventIn(message)
      if (event) note(event, 'error')
    }
  }
  return events
}

function eventIn(message: string | undefined): string | undefined {
  const [, variable, rest] = /^\$\{(\w+)\}(: .+)$/.exec(message ?? '') ?? []
  if (!variable) return eventOf(message)
  const component = components[variable] ?? variable
  return component.startsWith('<') ? eventOf(`worker${rest}`)?.replace('worker', component) : eventOf(component + rest)
}
