import { endedReasons } from '../features/calls/ending/ended-reasons.ts'

const begin = '<!-- written by npm run docs: ended reasons -->'
const end = '<!-- end of what npm run docs writes -->'

/** The guide with its table of `ended_reason`, generated from the schema. */
export function withEndedReasons(page: string): string {
  const [before, rest] = page.split(begin)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error(`docs/guides/calls.md has no table between "${begin}" and "${end}"`)
  const rows = Object.entries(endedReasons).map(([reason, { statuses, meaning }]) => {
    const shown = statuses.map((status) => `\`${status}\``).join(', ')
    return `| \`${reason}\` | ${shown} | ${meaning} |`
  })
  const table = ['| `ended_reason` | `status` | |', '|---|---|---|', ...rows].join('\n')
  return `${before}${begin}\n${table}\n${end}${after}`
}
